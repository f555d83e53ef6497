//! Whether a component whose states may cover others means anything at all (X §2).

use crate::tm::ast::{Body, Group, State, Target};
use model::{IllFormed, Kind, PartialModel, ill_formed};
use support::{Diagnostic, Span};

/// Finds why a model built from this body has no refinement, in the words of the file.
pub(super) fn fault(body: &Body, model: &PartialModel) -> Option<Diagnostic> {
    if !matches!(model.kind, Kind::MixTs | Kind::Gkmts) {
        return None;
    }
    Some(match ill_formed(model)? {
        IllFormed::Covers { state } => wrong_covers(body, state),
        IllFormed::Label { above, below, prop } => {
            wrong_label(body, model, above, below, model.props().name(prop))
        }
        IllFormed::Must { source, targets, atom } => {
            wrong_must(body, model, source, &targets, atom)
        }
    })
}

fn line<'d>(body: &'d Body<'d>, state: u32) -> &'d State<'d> {
    &body.states[state as usize]
}

fn wrong_covers(body: &Body, state: u32) -> Diagnostic {
    let name = &*line(body, state).name.text;
    let own = body.covers.iter().filter(|covers| covers.state.text == name);
    let mut keywords = own.map(|covers| covers.keyword);
    let first = keywords.next().unwrap_or(line(body, state).name.span);
    let second = keywords.next().unwrap_or(first);
    let message = format!("two lists of what `{name}` covers do not fit together");
    Diagnostic::error(message, second, "another list")
        .with_label(first, "the first list")
        .with_help("a list without `...` is complete: make them one list")
}

fn wrong_label(
    body: &Body,
    model: &PartialModel,
    above: u32,
    below: u32,
    prop: &str,
) -> Diagnostic {
    let (upper, lower) = (line(body, above), line(body, below));
    let literals = upper.labels.iter().flat_map(|labels| &labels.literals);
    let said = literals.clone().find(|literal| literal.name.text == prop);
    let [above_name, below_name] = [above, below].map(|state| model.state_name(state));
    let id = model.props().get(prop);
    let value = |state: u32| id.map(|id| model.label(state, id)).filter(|v| v.is_definite());
    let message = match value(below) {
        Some(_) => format!("`{above_name}` and `{below_name}` say the opposite of `{prop}`"),
        None => format!("`{above_name}` says more of `{prop}` than `{below_name}` does"),
    };
    let stands = format!("`{above_name}` covers `{below_name}`");
    let there = match value(below) {
        Some(_) => "here the opposite is said",
        None => "this is not said here",
    };
    Diagnostic::error(message, said.map_or(upper.name.span, |literal| literal.span), stands)
        .with_label(lower.name.span, there)
        .with_help(
            "what holds in a state holds in all that it covers: the labelling has to be monotone",
        )
}

fn wrong_must(
    body: &Body,
    model: &PartialModel,
    source: u32,
    targets: &[u32],
    atom: u32,
) -> Diagnostic {
    let names: Vec<String> =
        targets.iter().map(|&t| format!("`{}`", model.state_name(t))).collect();
    let (from, at) = (model.state_name(source), model.state_name(atom));
    let message =
        format!("no may transition allows that `{from}` must go to {}", names.join(" or "));
    let label = match source == atom {
        true => "every system has such a step",
        false => "this holds in all that it covers, too",
    };
    let arrow = arrow(body, model, source, targets).unwrap_or(line(body, source).name.span);
    let error = Diagnostic::error(message, arrow, label);
    let error = match source == atom {
        true => error,
        false => error.with_label(line(body, atom).name.span, format!("`{at}` may not do it")),
    };
    error.with_help(
        "a must transition needs a may transition: add `?>` to a state with a common concretisation, or write `->`",
    )
}

/// The arrow of a must transition.
fn arrow(body: &Body, model: &PartialModel, source: u32, targets: &[u32]) -> Option<Span> {
    let is_name = |name: &str, state: u32| model.state_name(state) == name;
    let leads = |target: &Target| match (target, targets) {
        (Target::State(name), [state]) => is_name(&name.text, *state),
        (Target::Set(names, _), _) => {
            let is_meant = |state: &u32| names.iter().any(|name| is_name(&name.text, *state));
            targets.iter().all(is_meant)
        }
        _ => false,
    };
    let is_it = |group: &&Group| group.arrow.mode.must && group.targets.iter().any(leads);
    Some(line(body, source).groups.iter().find(is_it)?.arrow.span)
}
