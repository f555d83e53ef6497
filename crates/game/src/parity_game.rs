//! A stored parity game.

use crate::arena::{Arena, Player};

/// Priorities, owners and edges in both directions, as compressed sparse rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParityGame {
    pub priorities: Vec<u32>,
    pub owners: Vec<Player>,
    /// Successors of `n`: `successors[successor_offsets[n]..successor_offsets[n + 1]]`.
    pub successor_offsets: Vec<u32>,
    pub successors: Vec<u32>,
    pub predecessor_offsets: Vec<u32>,
    pub predecessors: Vec<u32>,
}

impl ParityGame {
    /// `successor_offsets` has one entry more than there are nodes.
    pub fn new(
        priorities: Vec<u32>,
        owners: Vec<Player>,
        successor_offsets: Vec<u32>,
        successors: Vec<u32>,
    ) -> Self {
        let nodes = priorities.len();
        assert_eq!((owners.len(), successor_offsets.len()), (nodes, nodes + 1));
        let mut predecessor_offsets = vec![0u32; nodes + 2];
        for &successor in &successors {
            predecessor_offsets[successor as usize + 2] += 1;
        }
        for node in 1..nodes + 2 {
            predecessor_offsets[node] += predecessor_offsets[node - 1];
        }
        let mut predecessors = vec![0u32; successors.len()];
        for node in 0..nodes {
            for &successor in
                &successors[successor_offsets[node] as usize..successor_offsets[node + 1] as usize]
            {
                let slot = &mut predecessor_offsets[successor as usize + 1];
                predecessors[*slot as usize] = node as u32;
                *slot += 1;
            }
        }
        predecessor_offsets.pop();
        Self {
            priorities,
            owners,
            successor_offsets,
            successors,
            predecessor_offsets,
            predecessors,
        }
    }

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

    pub fn predecessors(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.predecessors
            [self.predecessor_offsets[node] as usize..self.predecessor_offsets[node + 1] as usize]
    }
}

impl Arena for ParityGame {
    #[inline]
    fn owner(&self, node: u32) -> Player {
        self.owners[node as usize]
    }

    #[inline]
    fn priority(&self, node: u32) -> u32 {
        self.priorities[node as usize]
    }

    #[inline]
    fn find_successor(
        &self,
        node: u32,
        from: u32,
        mut found: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let successors = &self.successors(node)[from as usize..];
        successors.iter().position(|&successor| found(successor)).map(|index| from + index as u32)
    }

    #[inline]
    fn successor_at(&self, node: u32, candidate: u32) -> u32 {
        self.successors(node)[candidate as usize]
    }

    // In the innermost loop of every solver, and left to itself the compiler makes a call of it.
    #[inline(always)]
    fn for_each_predecessor(&self, node: u32, visit: impl FnMut(u32)) {
        self.predecessors(node).iter().copied().for_each(visit);
    }
}
