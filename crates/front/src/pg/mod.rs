//! PGSolver's formats: parity games (`.pg`) and their solutions.
//!
//! A game is a list of statements `id priority owner successor,successor,… "name";`, after an optional `parity N;`
//! and an optional `start N;`. `N` is the largest id, but some tools write the number of nodes: both
//! are taken. The highest priority that occurs forever decides, and player 0 wins the even ones.

mod ids;
mod names;
mod read;
mod solution;
mod statements;
mod write;

pub use names::NodeNames;
pub use read::read_pg;
pub use solution::{Solved, read_solution, write_solution};
pub use write::write_pg;

/// A parity game in arrays, ready to be played on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgGame {
    pub priorities: Vec<u32>,
    /// 0 or 1.
    pub owners: Vec<u8>,
    /// Successors of `n`: `successors[successor_offsets[n]..successor_offsets[n + 1]]`.
    pub successor_offsets: Vec<u32>,
    pub successors: Vec<u32>,
    /// The ids of the nodes in the file, in rising order; `None` if they are 0, 1, 2, ….
    pub ids: Option<Vec<u32>>,
    /// `None` if no node has a name.
    pub names: Option<NodeNames>,
    /// The node of the `start` statement.
    pub start: Option<u32>,
}

impl PgGame {
    pub fn len(&self) -> usize {
        self.priorities.len()
    }

    pub fn is_empty(&self) -> bool {
        self.priorities.is_empty()
    }

    pub fn successors(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.successors
            [self.successor_offsets[node] as usize..self.successor_offsets[node + 1] as usize]
    }

    /// The id of a node in the file.
    pub fn id(&self, node: u32) -> u32 {
        self.ids.as_ref().map_or(node, |ids| ids[node as usize])
    }

    /// The node that the file calls so.
    pub fn node(&self, id: u32) -> Option<u32> {
        match &self.ids {
            Some(ids) => ids.binary_search(&id).ok().map(|node| node as u32),
            None => ((id as usize) < self.len()).then_some(id),
        }
    }
}
