//! Unknown nodes of a game, and the may edges out of them that are no must edges.

use super::history::FailureCase;
use game::colour::Colouring;
use game::{NodeClass, SubsystemGame};
use logic::Truth;
use model::LiftedStep;

/// One way out of a failure node.
#[derive(Clone, Copy)]
pub(super) struct FailureEdge {
    pub target: u32,
    pub step: LiftedStep,
    pub case: FailureCase,
}

/// The may edges of an unknown modality that are no must, deciding successors first.
pub(super) fn failure_edges(
    combined: &SubsystemGame,
    colouring: &Colouring,
    node: u32,
) -> Vec<FailureEdge> {
    let graph = &combined.graph;
    let deciding = Truth::from(graph.class(node) == NodeClass::Dia);
    let open = combined.uncertain_steps(node).filter(|(edge, _)| {
        let label = graph.labels[edge.node() as usize];
        graph.subformulas.chosen_by(label).is_none()
    });
    let mut failure_edges: Vec<FailureEdge> = open
        .filter_map(|(edge, step)| {
            let case = match colouring.colours[edge.node() as usize] {
                colour if colour == deciding => FailureCase::DecidingSuccessor,
                Truth::Unknown => FailureCase::UnknownSuccessor,
                _ => return None,
            };
            Some(FailureEdge { target: edge.node(), step, case })
        })
        .collect();
    failure_edges.sort_by_key(|exit| exit.case.number());
    failure_edges
}

/// The unknown nodes that can be reached through unknown nodes, near ones first.
pub(super) fn reachable_unknown(
    combined: &SubsystemGame,
    colouring: &Colouring,
    starts: &[u32],
) -> Vec<u32> {
    let mut seen = vec![false; combined.graph.len()];
    let mut found = starts.to_vec();
    found.iter().for_each(|&start| seen[start as usize] = true);
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        next += 1;
        for edge in combined.graph.successors(node) {
            let successor = edge.node();
            let unknown = colouring.colours[successor as usize] == Truth::Unknown;
            if unknown && !std::mem::replace(&mut seen[successor as usize], true) {
                found.push(successor);
            }
        }
    }
    found
}
