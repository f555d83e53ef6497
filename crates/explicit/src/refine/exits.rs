//! Where the doubt of a game lies: unknown nodes, and the transitions out of them that are in doubt.

use super::history::FailureCase;
use game::colour::Colouring;
use game::{NodeClass, Part};
use logic::Truth;
use model::LiftedStep;

/// One way out of a failure node.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub target: u32,
    pub step: LiftedStep,
    pub case: FailureCase,
}

/// The may edges of an unknown modality that are no must, deciding sons first.
pub(super) fn exits(whole: &Part, colouring: &Colouring, node: u32) -> Vec<Exit> {
    let graph = &whole.graph;
    let deciding = Truth::from(graph.class(node) == NodeClass::Dia);
    let open = whole.steps_of(node).filter(|(edge, _)| {
        let label = graph.labels[edge.node() as usize];
        !edge.must() && graph.subformulas.chosen_by(label).is_none()
    });
    let mut exits: Vec<Exit> = open
        .filter_map(|(edge, step)| {
            let case = match colouring.colours[edge.node() as usize] {
                colour if colour == deciding => FailureCase::DecidingSon,
                Truth::Unknown => FailureCase::UnknownSon,
                _ => return None,
            };
            Some(Exit { target: edge.node(), step, case })
        })
        .collect();
    exits.sort_by_key(|exit| exit.case.number());
    exits
}

/// The unknown nodes that can be reached through unknown nodes, near ones first.
pub(super) fn reachable_unknown(whole: &Part, colouring: &Colouring, starts: &[u32]) -> Vec<u32> {
    let mut seen = vec![false; whole.graph.len()];
    let mut found = starts.to_vec();
    found.iter().for_each(|&start| seen[start as usize] = true);
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        next += 1;
        for edge in whole.graph.sons(node) {
            let son = edge.node();
            let unknown = colouring.colours[son as usize] == Truth::Unknown;
            if unknown && !std::mem::replace(&mut seen[son as usize], true) {
                found.push(son);
            }
        }
    }
    found
}
