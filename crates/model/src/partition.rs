//! Partitions of states, refined by signatures (Blom and Orzan, "Distributed branching bisimulation reduction of state
//! spaces", 2003).
//!
//! A state's signature is the set of its moves, each an action with the block that it leads to. In every round the
//! blocks are split by signature, but only states with a successor that has just changed its block are touched: the
//! others keep their signature. The largest part of a block keeps the block's number, so a state changes its block at
//! most log n times.

use crate::move_graph::MoveGraph;
use rustc_hash::FxHashMap;
use std::ops::Range;
use support::{Monitor, Stopped};

/// A block of the partition, or what became of it.
struct Block {
    /// The block that it was split off from, and when.
    parent: u32,
    born: u32,
    /// Where its states stand in `order`.
    range: Range<usize>,
}

pub(crate) struct Partition {
    /// By state.
    pub block_of: Vec<u32>,
    blocks: Vec<Block>,
    /// The states, block by block, and where each of them stands.
    order: Vec<u32>,
    position: Vec<u32>,
}

impl Partition {
    /// All states in one block.
    pub fn new(states: usize) -> Self {
        Self {
            block_of: vec![0; states],
            blocks: vec![Block { parent: 0, born: 0, range: 0..states }],
            order: (0..states as u32).collect(),
            position: (0..states as u32).collect(),
        }
    }

    /// Refines it until states of one block have the same labels and the same moves to blocks.
    pub fn refine(
        &mut self,
        graph: &MoveGraph,
        labels: Vec<Vec<u32>>,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let all: Vec<u32> = (0..graph.states() as u32).collect();
        self.split(&all, labels, 0);
        let (mut round, mut touched) = (1, all);
        while !touched.is_empty() {
            let signatures = touched.iter().map(|&state| self.signature(graph, state)).collect();
            let moved = self.split(&touched, signatures, round);
            monitor.step(touched.len() as u64)?;
            touched = moved.iter().flat_map(|&s| graph.sources(s)).copied().collect();
            touched.sort_unstable();
            touched.dedup();
            round += 1;
        }
        Ok(())
    }

    /// Moves as action, block, action, block, ….
    fn signature(&self, graph: &MoveGraph, state: u32) -> Vec<u32> {
        let moves = graph.moves(state).iter();
        let mut moves: Vec<_> =
            moves.map(|&(action, target)| (action, self.block_of[target as usize])).collect();
        moves.sort_unstable();
        moves.dedup();
        moves.into_iter().flat_map(|(action, block)| [action.0, block]).collect()
    }

    /// Splits blocks by the signatures of the touched states; the others of a block stay together.
    /// Returns the states that have a new block.
    pub fn split(&mut self, touched: &[u32], signatures: Vec<Vec<u32>>, round: u32) -> Vec<u32> {
        let mut by_block: FxHashMap<u32, FxHashMap<Vec<u32>, Vec<u32>>> = FxHashMap::default();
        for (&state, signature) in touched.iter().zip(signatures) {
            let parts = by_block.entry(self.block_of[state as usize]).or_default();
            parts.entry(signature).or_default().push(state);
        }
        let mut moved = Vec::new();
        for (block, parts) in by_block {
            let mut parts = self.gather(block, parts.into_values());
            let largest = parts.iter().enumerate().max_by_key(|(_, range)| range.len());
            let largest = largest.map_or(0, |(index, _)| index);
            self.blocks[block as usize].range = parts.swap_remove(largest);
            for range in parts {
                moved.extend_from_slice(&self.order[range.clone()]);
                self.split_off(block, range, round);
            }
        }
        moved
    }

    /// Puts the states of each part next to each other at the end of the block's range. Returns the
    /// ranges of the parts, and of the states that are in none of them.
    fn gather(&mut self, block: u32, parts: impl Iterator<Item = Vec<u32>>) -> Vec<Range<usize>> {
        let Range { start, mut end } = self.blocks[block as usize].range.clone();
        let mut ranges = Vec::new();
        for part in parts {
            let last = end;
            for state in part {
                end -= 1;
                let (here, there) = (self.position[state as usize] as usize, self.order[end]);
                self.order.swap(here, end);
                self.position[there as usize] = here as u32;
                self.position[state as usize] = end as u32;
            }
            ranges.push(end..last);
        }
        if start < end {
            ranges.push(start..end);
        }
        ranges
    }

    fn split_off(&mut self, block: u32, range: Range<usize>, round: u32) {
        let id = self.blocks.len() as u32;
        for &state in &self.order[range.clone()] {
            self.block_of[state as usize] = id;
        }
        self.blocks.push(Block { parent: block, born: round, range });
    }

    /// The round in which two states were parted.
    pub fn parted(&self, a: u32, b: u32) -> Option<u32> {
        let (mut a, mut b) = (self.block_of[a as usize], self.block_of[b as usize]);
        let mut round = None;
        while a != b {
            let (born_a, born_b) = (self.blocks[a as usize].born, self.blocks[b as usize].born);
            let younger = if (born_a, a) > (born_b, b) { &mut a } else { &mut b };
            let Block { parent, born, .. } = self.blocks[*younger as usize];
            *younger = parent;
            round = Some(born);
        }
        round
    }
}
