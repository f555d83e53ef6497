//! `component Net unknown { … }`: a component that may do anything on its propositions.

use super::component::{check_declarations, unknown_prop};
use crate::cursor::Name;
use crate::sink::{Parsed, Reported, Sink};
use crate::tm::ast::{Body, Inits, Labels};
use logic::{Family, Truth};
use model::{MAX_OPEN_PROPS, PartialModel, TAU, unknown_actions, unknown_props};
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};

pub(super) fn build(name: &Name, body: &Body, sink: &mut Sink) -> Parsed<PartialModel> {
    if body.is_broken {
        return Err(Reported);
    }
    let already = sink.errors();
    refuse_states(name, body, sink);
    let family = family(name, body, sink)?;
    let declared = check_declarations(name, family, "unknown", body, sink);
    let values = init_values(name, body, family, sink);
    if family == Family::Props && body.props.names.len() > MAX_OPEN_PROPS {
        return Err(too_many_props(name, body, sink));
    }
    declared?;
    if sink.errors() > already {
        return Err(Reported);
    }
    Ok(match family {
        Family::Props => {
            let value = |prop: &str| values.get(prop).map_or(Truth::Unknown, |(value, _)| *value);
            let props: Vec<(String, Truth)> =
                body.props.names.iter().map(|p| (p.text.to_string(), value(&p.text))).collect();
            unknown_props(&name.text, &props)
        }
        Family::Actions => {
            let actions = body.actions.names.iter().filter(|action| action.text != TAU);
            let actions: Vec<String> = actions.map(|action| action.text.to_string()).collect();
            unknown_actions(&name.text, &actions)
        }
    })
}

fn refuse_states(name: &Name, body: &Body, sink: &mut Sink) {
    let states = body.states.iter().map(|state| state.name.span);
    let first = states.chain(body.covers.iter().map(|covers| covers.keyword)).next();
    if let Some(span) = first {
        sink.error(|| {
            let message = format!("a state in the unknown component `{}`", name.text);
            Diagnostic::error(message, span, "its states are not specified")
                .with_label(body.kind_span, "unknown")
                .with_help("take the states out, or declare the component as `kmts` or `mts`")
        });
    }
}

fn family(name: &Name, body: &Body, sink: &mut Sink) -> Parsed<Family> {
    match (body.props.line, body.actions.line) {
        (Some(_), None) => Ok(Family::Props),
        (None, Some(_)) => Ok(Family::Actions),
        (Some(props), Some(actions)) => Err(sink.error(|| {
            let message = format!("`{}` has both propositions and actions", name.text);
            Diagnostic::error(message, actions, "actions")
                .with_label(props, "propositions")
                .with_help("keep the `props` line or the `actions` line, not both")
        })),
        (None, None) => Err(sink.error(|| {
            let message = format!("the unknown component `{}` declares nothing", name.text);
            Diagnostic::error(message, name.span, "neither `props` nor `actions`")
                .with_help("say what it can change: `props p; init {};` or `actions a;`")
        })),
    }
}

type Values<'b> = FxHashMap<&'b str, (Truth, Span)>;

fn init_values<'b>(name: &Name, body: &'b Body, family: Family, sink: &mut Sink) -> Values<'b> {
    match body.init.as_ref().map(|init| &init.inits) {
        Some(Inits::Labels(labels)) => labelled(name, body, labels, sink),
        Some(Inits::States(states)) => {
            sink.error(|| {
                let message = format!("`{}` is unknown and has no named states", name.text);
                let help = match family {
                    Family::Props => "say which propositions it starts with: `init {p, !q};`",
                    Family::Actions => "take the `init` line out",
                };
                Diagnostic::error(message, states[0].span, "a state is named here").with_help(help)
            });
            Values::default()
        }
        None if family == Family::Props => {
            sink.error(|| {
                let message = format!("the component `{}` has no initial state", name.text);
                Diagnostic::error(message, name.span, "there is no `init` line in it")
                    .with_help("add for example `init {};`, which leaves every proposition open")
            });
            Values::default()
        }
        None => Values::default(),
    }
}

fn labelled<'b>(name: &Name, body: &'b Body, labels: &'b Labels, sink: &mut Sink) -> Values<'b> {
    let mut values = Values::default();
    for literal in &labels.literals {
        if !body.props.names.iter().any(|prop| prop.text == literal.name.text) {
            sink.error(|| unknown_prop(name, body, &literal.name));
            continue;
        }
        let before = values.insert(&*literal.name.text, (literal.value, literal.span));
        if let Some((value, span)) = before.filter(|(value, _)| *value != literal.value) {
            sink.error(|| {
                contradiction(&literal.name, (value, span), (literal.value, literal.span))
            });
        }
    }
    values
}

/// One proposition with two values.
pub(super) fn contradiction(
    name: &Name,
    (first, first_at): (Truth, Span),
    (second, second_at): (Truth, Span),
) -> Diagnostic {
    let message = format!("`{}` is both {first} and {second} in one state", name.text);
    Diagnostic::error(message, second_at, format!("{second} here"))
        .with_label(first_at, format!("{first} here"))
        .with_help("a state gives each proposition one value: take one of the two out")
}

fn too_many_props(name: &Name, body: &Body, sink: &mut Sink) -> Reported {
    let count = body.props.names.len();
    sink.error(|| {
        let message = format!("the unknown component `{}` has {count} propositions", name.text);
        let label = format!("at most {MAX_OPEN_PROPS} are possible");
        Diagnostic::error(message, body.props.names[MAX_OPEN_PROPS].span, label).with_help(
            "each one doubles its states: keep those that other components share, or write a \
             `kmts` for what is known",
        )
    })
}
