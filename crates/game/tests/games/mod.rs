//! Parity games to test with: random ones and structured families.

use game::solve::Algorithm;
use game::{ParityGame, Player};

pub const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::Auto, Algorithm::Zielonka, Algorithm::Components, Algorithm::Tangle];

/// A game from the priority, the owner (0 or 1) and the sons of each node.
pub fn game_of(nodes: Vec<(u32, u32, Vec<u32>)>) -> ParityGame {
    let player = |owner| if owner == 0 { Player::Verifier } else { Player::Falsifier };
    let mut offsets = vec![0];
    let mut edges = Vec::new();
    for (_, _, sons) in &nodes {
        edges.extend_from_slice(sons);
        offsets.push(edges.len() as u32);
    }
    let priorities = nodes.iter().map(|node| node.0).collect();
    let owners = nodes.iter().map(|node| player(node.1)).collect();
    ParityGame::new(priorities, owners, offsets, edges)
}
