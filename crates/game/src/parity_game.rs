//! A parity game that is written down.

use crate::arena::{Arena, Player};

/// Priorities, owners and edges in both directions, as compressed sparse rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParityGame {
    pub priorities: Vec<u32>,
    pub owners: Vec<Player>,
    /// Sons of `n`: `sons[son_offsets[n]..son_offsets[n + 1]]`.
    pub son_offsets: Vec<u32>,
    pub sons: Vec<u32>,
    pub father_offsets: Vec<u32>,
    pub fathers: Vec<u32>,
}

impl ParityGame {
    /// `son_offsets` has one entry more than there are nodes.
    pub fn new(
        priorities: Vec<u32>,
        owners: Vec<Player>,
        son_offsets: Vec<u32>,
        sons: Vec<u32>,
    ) -> Self {
        let nodes = priorities.len();
        assert_eq!((owners.len(), son_offsets.len()), (nodes, nodes + 1));
        let mut father_offsets = vec![0u32; nodes + 2];
        for &son in &sons {
            father_offsets[son as usize + 2] += 1;
        }
        for node in 1..nodes + 2 {
            father_offsets[node] += father_offsets[node - 1];
        }
        let mut fathers = vec![0u32; sons.len()];
        for node in 0..nodes {
            for &son in &sons[son_offsets[node] as usize..son_offsets[node + 1] as usize] {
                let slot = &mut father_offsets[son as usize + 1];
                fathers[*slot as usize] = node as u32;
                *slot += 1;
            }
        }
        father_offsets.pop();
        Self { priorities, owners, son_offsets, sons, father_offsets, fathers }
    }

    pub fn len(&self) -> usize {
        self.priorities.len()
    }

    pub fn is_empty(&self) -> bool {
        self.priorities.is_empty()
    }

    pub fn sons(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.sons[self.son_offsets[node] as usize..self.son_offsets[node + 1] as usize]
    }

    pub fn fathers(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.fathers[self.father_offsets[node] as usize..self.father_offsets[node + 1] as usize]
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
    fn find_son(&self, node: u32, from: u32, mut found: impl FnMut(u32) -> bool) -> Option<u32> {
        let sons = &self.sons(node)[from as usize..];
        sons.iter().position(|&son| found(son)).map(|index| from + index as u32)
    }

    #[inline]
    fn son_at(&self, node: u32, candidate: u32) -> u32 {
        self.sons(node)[candidate as usize]
    }

    #[inline]
    fn for_each_father(&self, node: u32, visit: impl FnMut(u32)) {
        self.fathers(node).iter().copied().for_each(visit);
    }
}
