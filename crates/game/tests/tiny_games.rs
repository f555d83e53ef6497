//! Every 3-valued game of at most three nodes, with every colouring of its leaves.

use game::colour::{parity, weak};
use game::{Edge, GameGraph, GraphBuilder, NodeClass, Subformula, Subformulas};
use logic::{Fix, NodeId, Truth};
use model::Mode;
use support::Monitor;
use testkit::{Owner, TinyPartialGame, partial_games, zielonka};

/// Subformulas that are made up so that each node of the game has its own.
fn subformulas(game: &TinyPartialGame) -> Subformulas {
    let subformula = |node: usize| {
        let priority = game.priorities[node];
        Subformula {
            class: match game.owners[node] {
                Owner::Verifier => NodeClass::Dia,
                Owner::Falsifier => NodeClass::Box,
                Owner::Tie => NodeClass::Literal,
            },
            priority,
            witness: Some(if priority.is_multiple_of(2) { Fix::Nu } else { Fix::Mu }),
            node: NodeId(node as u32),
        }
    };
    Subformulas::new((0..game.owners.len()).map(subformula).collect(), 0, true)
}

fn graph<'f>(game: &TinyPartialGame, subformulas: &'f Subformulas) -> GameGraph<'f> {
    let mut builder = GraphBuilder::new(subformulas);
    let nodes = 0..game.owners.len() as u32;
    nodes.clone().for_each(|node| _ = builder.node(node, node));
    for node in nodes {
        let mode = |must| if must { Mode::BOTH } else { Mode::MAY };
        let successors = game.successors[node as usize].iter();
        let edges: Vec<Edge> =
            successors.map(|&(successor, must)| Edge::new(successor, mode(must))).collect();
        let tie = game.owners[node as usize] == Owner::Tie;
        builder.close(&edges, tie.then_some(Truth::Unknown));
    }
    builder.finish()
}

fn check(game: &TinyPartialGame) {
    let subformulas = subformulas(game);
    let graph = graph(game, &subformulas);
    let monitor = Monitor::new();
    let by_parity = parity::colour(&graph, &monitor).expect("nothing stops it").colours;
    assert_eq!(zielonka::colour(&graph), by_parity, "{game:?}");
    let one_kind = game.priorities.iter().all(|p| p % 2 == game.priorities[0] % 2);
    if one_kind {
        let by_rules = weak::colour(&graph, &monitor).expect("nothing stops it").colours;
        assert_eq!(by_rules, by_parity, "{game:?}");
    }
}

#[test]
fn all_games_of_at_most_two_nodes() {
    (1..=2).flat_map(|nodes| partial_games(nodes, 4)).for_each(|game| check(&game));
}

/// With two priorities every game of three nodes; the two parities are what matters most.
#[test]
fn all_games_of_three_nodes_and_two_priorities() {
    partial_games(3, 2).for_each(|game| check(&game));
}

#[test]
#[ignore = "four and a half million games"]
fn all_games_of_three_nodes_and_three_priorities() {
    partial_games(3, 3).for_each(|game| check(&game));
}
