//! One acceptance set instead of several.
//!
//! A run waits for the sets in turn (Gastin and Oddoux, CAV 2001): an edge moves on by as many sets as it belongs to,
//! and is accepting when it passes the last one. Which set comes next matters only within a strongly connected
//! component, so an edge that leaves one begins anew.

use crate::buchi::{BuchiAutomaton, BuchiEdge};
use rustc_hash::FxHashMap;

impl BuchiAutomaton {
    /// An automaton of the same language with at most one acceptance set.
    pub(crate) fn degeneralised(&self) -> Self {
        if self.sets <= 1 {
            return self.clone();
        }
        let of = self.components();
        let mut numbers = FxHashMap::from_iter([((self.initial, 0), 0u32)]);
        let mut states = vec![(self.initial, 0)];
        let mut edges = Vec::new();
        while let Some(&(state, level)) = states.get(edges.len()) {
            let row = self.edges[state as usize].iter().map(|edge| {
                let is_inside = of[edge.target as usize] == of[state as usize];
                let passed =
                    (level..self.sets).take_while(|set| edge.marks >> set & 1 == 1).count();
                let (level, marks) = match level + passed as u32 {
                    _ if !is_inside => (0, 0),
                    reached if reached == self.sets => (0, 1),
                    reached => (reached, 0),
                };
                let target = *numbers.entry((edge.target, level)).or_insert_with_key(|&next| {
                    states.push(next);
                    states.len() as u32 - 1
                });
                BuchiEdge { target, marks, label: edge.label }
            });
            edges.push(row.collect());
        }
        Self { initial: 0, sets: 1, edges }
    }
}
