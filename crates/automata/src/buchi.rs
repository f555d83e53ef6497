//! Generalised Büchi automata with acceptance on transitions.

use crate::cube::LiteralCube;
use std::fmt;
use support::components;

/// A generalised Büchi automaton over valuations of atoms, with acceptance on transitions. A run is accepting if it
/// has infinitely many edges of every acceptance set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuchiAutomaton {
    pub initial: u32,
    /// The number of acceptance sets, at most 64.
    pub sets: u32,
    /// By state, its edges.
    pub edges: Vec<Vec<BuchiEdge>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BuchiEdge {
    pub target: u32,
    /// The acceptance sets that it belongs to, as bits.
    pub marks: u64,
    pub label: LiteralCube,
}

impl BuchiAutomaton {
    /// An automaton that accepts no word.
    pub fn empty() -> Self {
        Self { initial: 0, sets: 0, edges: vec![Vec::new()] }
    }

    pub fn states(&self) -> usize {
        self.edges.len()
    }

    pub fn transitions(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// All acceptance sets, as bits.
    pub fn all_marks(&self) -> u64 {
        if self.sets == 0 { 0 } else { u64::MAX >> (64 - self.sets) }
    }

    /// The number of the strongly connected component of every state; a component has a higher number than those that
    /// it leads to.
    pub(crate) fn components(&self) -> Vec<u32> {
        components(self.states(), |state| self.edges[state as usize].iter().map(|edge| edge.target))
    }
}

impl fmt::Display for BuchiAutomaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "initial {}, {} acceptance sets", self.initial, self.sets)?;
        for (state, edges) in self.edges.iter().enumerate() {
            writeln!(f, "{state}:")?;
            for edge in edges {
                write!(f, "  [{}] -> {}", edge.label, edge.target)?;
                let mut marks = (0..self.sets).filter(|set| edge.marks >> set & 1 == 1);
                marks.try_for_each(|set| write!(f, " {{{set}}}"))?;
                writeln!(f)?;
            }
        }
        Ok(())
    }
}
