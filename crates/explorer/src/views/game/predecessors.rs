//! The edges of a game the other way round.

use tertium::Verdict as Truth;
use tertium::inspect::StoredGame;

/// The predecessors of each node, which the games themselves do not store.
pub struct Predecessors {
    offsets: Vec<u32>,
    sources: Vec<u32>,
    /// By node: whether it is definite and has an undetermined predecessor.
    pub frontier: Vec<bool>,
}

impl Predecessors {
    pub fn new(stored: &StoredGame) -> Self {
        let mut offsets = vec![0u32; stored.len() + 2];
        let mut frontier = vec![false; stored.len()];
        let nodes = || 0..stored.len() as u32;
        for node in nodes() {
            let is_unknown = stored.colour(node) == Truth::Unknown;
            for edge in stored.successors(node) {
                let successor = edge.node() as usize;
                offsets[successor + 2] += 1;
                frontier[successor] |= is_unknown && stored.colour(edge.node()).is_definite();
            }
        }
        for node in 2..offsets.len() {
            offsets[node] += offsets[node - 1];
        }
        // `offsets[n + 1]` runs through the row of n, and ends where the next begins.
        let mut sources = vec![0; stored.edge_count()];
        for node in nodes() {
            for edge in stored.successors(node) {
                let place = &mut offsets[edge.node() as usize + 1];
                sources[*place as usize] = node;
                *place += 1;
            }
        }
        Self { offsets, sources, frontier }
    }

    pub fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.sources[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }
}
