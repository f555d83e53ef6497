//! The reduction of a 3-valued game to two 2-valued parity games (\[10\] of C).
//!
//! The pessimist restricts the verifier to must edges and takes ties for lost: what she still wins is
//! T. The optimist restricts the falsifier in the same way: what he still wins is F.

use super::{Colouring, NONE};
use crate::arena::Player;
use crate::graph::GameGraph;
use crate::model_game::View;
use crate::parity_game::ParityGame;
use crate::solve::{self, Algorithm, Solution};
use logic::Truth;
use support::{Monitor, Stopped};

pub fn colour(graph: &GameGraph, monitor: &Monitor) -> Result<Colouring, Stopped> {
    let solve = |view| solve::solve(&parity_game(graph, view), Algorithm::Auto, monitor);
    let (pessimistic, optimistic) = (solve(View::Pessimistic)?, solve(View::Optimistic)?);
    let verifier = |solution: &Solution, node| solution.winner(node) == Player::Verifier;
    let colours: Vec<Truth> = (0..graph.len() as u32)
        .map(|node| {
            let bounds = (verifier(&pessimistic, node), verifier(&optimistic, node));
            // In a KMTS the pessimist is never the more hopeful one (R⁺ ⊆ R⁻).
            Truth::from_bounds(bounds.0, bounds.1).unwrap_or(Truth::Unknown)
        })
        .collect();
    let next = (0..graph.len() as u32)
        .map(|node| next(graph, &colours, &pessimistic, &optimistic, node))
        .collect();
    Ok(Colouring { colours, next })
}

/// The winner's move in a definite node. In an unknown one, the next node of the play in which the
/// falsifier follows the pessimist's strategy and the verifier the optimist's; if that move is not a
/// must edge, or the node a literal, it is a failure node.
fn next(
    graph: &GameGraph,
    colours: &[Truth],
    pessimistic: &Solution,
    optimistic: &Solution,
    node: u32,
) -> u32 {
    let universal = graph.class(node).is_universal();
    let strategy = match colours[node as usize] {
        Truth::True => pessimistic.strategy(node),
        Truth::False => optimistic.strategy(node),
        Truth::Unknown if universal => pessimistic.strategy(node),
        Truth::Unknown => optimistic.strategy(node),
    };
    match (colours[node as usize], strategy) {
        (_, None) => NONE,
        (Truth::Unknown, Some(successor)) => {
            let sure =
                graph.successors(node).iter().any(|edge| edge.node() == successor && edge.must());
            if sure { successor } else { NONE }
        }
        (_, Some(successor)) => successor,
    }
}

/// One of the two games. A given colour is a node without moves, lost by its owner.
fn parity_game(graph: &GameGraph, view: View) -> ParityGame {
    let nodes = graph.len() as u32;
    let owner = |node: u32| {
        let holds = match (graph.given[node as usize], view) {
            (None, _) => !graph.class(node).is_universal(),
            (Some(value), View::Pessimistic) => value != Truth::True,
            (Some(value), View::Optimistic) => value == Truth::False,
        };
        if holds { Player::Verifier } else { Player::Falsifier }
    };
    let mut offsets = vec![0];
    let mut successors = Vec::with_capacity(graph.edge_count());
    for node in 0..nodes {
        if graph.given[node as usize].is_none() {
            let restricted = graph.class(node).is_universal() == (view == View::Optimistic);
            let allowed = graph
                .successors(node)
                .iter()
                .filter(|edge| if restricted { edge.must() } else { edge.may() });
            successors.extend(allowed.map(|edge| edge.node()));
        }
        offsets.push(successors.len() as u32);
    }
    let priorities = (0..nodes).map(|node| graph.priority(node)).collect();
    ParityGame::new(priorities, (0..nodes).map(owner).collect(), offsets, successors)
}
