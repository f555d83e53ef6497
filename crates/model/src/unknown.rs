//! A missing part: it may do anything.

use crate::edges::{EdgeClass, Edges, Mode};
use crate::partial::{Kind, ModelBuilder, PartialModel, TAU};
use logic::Truth;

/// More would be millions of transitions for a part about which nothing is known.
pub const MAX_OPEN_PROPS: usize = 11;

/// The coarsest abstraction over the propositions (C Def. 5.1): a state for each valuation, a may
/// transition between any two. It starts in every valuation that `init` allows; `Unknown` allows both.
pub fn unknown_props(name: &str, props: &[(String, Truth)]) -> PartialModel {
    assert!(props.len() <= MAX_OPEN_PROPS, "the caller checks the number of propositions");
    let mut builder = ModelBuilder::new(Kind::Kmts, name);
    let ids: Vec<_> = props.iter().map(|(prop, _)| builder.prop(prop)).collect();
    let valuations = 1u32 << props.len();
    for valuation in 0..valuations {
        let value = |i: usize| Truth::from(valuation >> i & 1 == 1);
        let literals: Vec<String> = props
            .iter()
            .enumerate()
            .map(|(i, (prop, _))| {
                format!("{}{prop}", if value(i) == Truth::True { "" } else { "!" })
            })
            .collect();
        let state = builder.state(format!("{{{}}}", literals.join(" ")));
        for (i, &id) in ids.iter().enumerate() {
            builder.label(state, id, value(i));
        }
        if props.iter().enumerate().all(|(i, (_, wanted))| wanted.is_refined_by(value(i))) {
            builder.init(state);
        }
    }
    let anywhere = (0..valuations).flat_map(|from| (0..valuations).map(move |to| (from, 0, to)));
    let may = EdgeClass { action: None, mode: Mode::MAY };
    // The builder would look up each of the millions of edges.
    PartialModel {
        edges: Edges::from_triples(valuations as usize, vec![may], anywhere),
        ..builder.finish()
    }
}

/// One state that may do every action, and `tau`.
pub fn unknown_actions(name: &str, actions: &[String]) -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::Mts, name);
    let state = builder.state("any");
    builder.init(state);
    for action in actions.iter().map(String::as_str).chain([TAU]) {
        let action = builder.action(action);
        builder.edge(state, Some(action), Mode::MAY, state);
    }
    builder.finish()
}
