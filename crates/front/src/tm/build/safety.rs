//! `safety NAME lts { … }`: a property as an LTS. It may be nondeterministic.

use super::component::build_kind;
use crate::document::Safety;
use crate::sink::{Parsed, Reported, Sink};
use crate::tm::ast::{Body, Component, Source};
use model::{Kind, TAU};
use support::Diagnostic;

pub(super) fn build(property: &Component, sink: &mut Sink) -> Parsed<Safety> {
    let Source::Body(body) = &property.source else { return Err(Reported) };
    let already = sink.errors();
    let built = build_kind(&property.name, Kind::Lts, body, sink);
    if !body.is_broken {
        check_observable(body, sink);
    }
    let model = built?.finish();
    if sink.errors() > already {
        return Err(Reported);
    }
    Ok(Safety { name: model.name.clone(), span: property.name.span, model })
}

fn check_observable(body: &Body, sink: &mut Sink) {
    let groups = body.states.iter().flat_map(|state| &state.groups);
    for action in groups.filter_map(|group| group.arrow.action.as_ref()) {
        if action.text == TAU {
            sink.error(|| {
                let message = "`tau` in a safety property";
                Diagnostic::error(message, action.span, "this transition is unobservable")
                    .with_help("a safety property is about observable actions only")
            });
        }
    }
}
