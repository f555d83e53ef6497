//! `safety NAME lts { … }`: a property as a deterministic LTS.

use super::component::build_kind;
use crate::document::Safety;
use crate::sink::{Parsed, Reported, Sink};
use crate::tm::ast::{Body, Component, Inits, Source, Target};
use model::{Kind, TAU};
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};

pub(super) fn build(property: &Component, sink: &mut Sink) -> Parsed<Safety> {
    let Source::Body(body) = &property.source else { return Err(Reported) };
    let already = sink.errors();
    let built = build_kind(&property.name, Kind::Lts, body, sink);
    if !body.is_broken {
        check_one_init(body, sink);
        check_deterministic(body, sink);
    }
    let model = built?.finish();
    if sink.errors() > already {
        return Err(Reported);
    }
    Ok(Safety { name: model.name.clone(), span: property.name.span, model })
}

fn check_one_init(body: &Body, sink: &mut Sink) {
    let Some(Inits::States(inits)) = body.init.as_ref().map(|init| &init.inits) else { return };
    if let [first, second, ..] = &inits[..]
        && first.text != second.text
    {
        sink.error(|| {
            Diagnostic::error(
                "a safety property with two initial states",
                second.span,
                "the second",
            )
            .with_label(first.span, "the first")
            .with_help("a safety property is deterministic: it starts in one state")
        });
    }
}

fn check_deterministic(body: &Body, sink: &mut Sink) {
    for state in &body.states {
        // By action: where it leads.
        let mut leads: FxHashMap<&str, (&str, Span)> = FxHashMap::default();
        for group in &state.groups {
            let Some(action) = &group.arrow.action else { continue };
            if action.text == TAU {
                sink.error(|| {
                    let message = "`tau` in a safety property";
                    Diagnostic::error(message, action.span, "this transition is unobservable")
                        .with_help("a safety property is about observable actions only")
                });
            }
            for target in &group.targets {
                let Target::State(target) = target else { continue };
                let before = leads.insert(&action.text, (&target.text, target.span));
                if let Some((other, span)) = before.filter(|(other, _)| *other != target.text) {
                    sink.error(|| {
                        let message = format!(
                            "the action `{}` leads from `{}` to both `{other}` and `{}`",
                            action.text, state.name.text, target.text
                        );
                        Diagnostic::error(message, target.span, "the second target")
                            .with_label(span, "the first target")
                            .with_help("a safety property is deterministic: keep one of the two")
                    });
                }
            }
        }
    }
}
