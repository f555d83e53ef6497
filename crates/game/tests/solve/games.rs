//! Parity games to test with: random ones and structured families.

use game::solve::Algorithm;
use game::{ParityGame, Player};
use testkit::Rng;

pub const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::Auto, Algorithm::Zielonka, Algorithm::Components, Algorithm::Tangle];

/// A game from the priority, the owner (0 or 1) and the successors of each node.
pub fn game_of(nodes: Vec<(u32, u32, Vec<u32>)>) -> ParityGame {
    let player = |owner| if owner == 0 { Player::Verifier } else { Player::Falsifier };
    let mut offsets = vec![0];
    let mut edges = Vec::new();
    for (_, _, successors) in &nodes {
        edges.extend_from_slice(successors);
        offsets.push(edges.len() as u32);
    }
    let priorities = nodes.iter().map(|node| node.0).collect();
    let owners = nodes.iter().map(|node| player(node.1)).collect();
    ParityGame::new(priorities, owners, offsets, edges)
}

/// A random game: some deadlock states, some loops, and out-degrees up to `degree`.
pub fn random_game(rng: &mut Rng, nodes: usize, priorities: usize, degree: usize) -> ParityGame {
    let node = |rng: &mut Rng| {
        let successors = (0..rng.below(degree + 1)).map(|_| rng.below(nodes) as u32).collect();
        (rng.below(priorities) as u32, rng.below(2) as u32, successors)
    };
    game_of((0..nodes).map(|_| node(rng)).collect())
}

/// Pairs of nodes, each pair linked to itself and to the next, as in PGSolver's ladder games.
pub fn ladder(pairs: u32) -> ParityGame {
    let size = 2 * pairs;
    let rung = |node: u32| (node % 2, node % 2, vec![node ^ 1, (node + 2) % size]);
    game_of((0..size).map(rung).collect())
}

/// Every node is linked to every other; priorities are all different.
pub fn clique(size: u32) -> ParityGame {
    let others = |node: u32| (0..size).filter(|&successor| successor != node).collect();
    game_of((0..size).map(|node| (node, node % 2, others(node))).collect())
}

/// Rows of cells of falling priorities with moves to the neighbouring rows, in the manner of
/// Jurdzinski's lower bound for progress measures.
pub fn grid(rows: u32, width: u32) -> ParityGame {
    let cell = |node: u32| {
        let (row, column) = (node / width, node % width);
        let right = row * width + (column + 1) % width;
        let up = if row > 0 { node - width } else { node };
        let down = if row + 1 < rows { node + width } else { right };
        let priority = if column == 0 { rows - row } else { row % 2 };
        (priority, (row + column) % 2, vec![right, up, down])
    };
    game_of((0..rows * width).map(cell).collect())
}

/// A family on which recursion takes a number of steps that doubles with each level: every level has
/// a cell of each player that would rather rely on the level below.
pub fn counter(levels: u32) -> ParityGame {
    let cell = |node: u32| {
        let (level, kind) = (node / 3, node % 3);
        let below = if level > 0 { node - kind - 3 } else { node };
        let parity = level % 2;
        match kind {
            0 => (2 * level + parity, parity, vec![node + 1, below]),
            1 => (2 * level + 1 - parity, 1 - parity, vec![node + 1, below + level.min(1)]),
            _ => (level % 3, parity, vec![node - 2, node - 1, below]),
        }
    };
    game_of((0..3 * levels).map(cell).collect())
}
