//! Invariants of the package between any two operations. Tests check them.
//!
//! - A node stands once, with a positive high child, with two different children, above both.
//! - A table has all nodes of its variable and no others; what is in no table is free, once.
//! - The levels are a permutation in which groups keep together.
//! - What is held, and all below it, is in use.

use super::Kernel;
use super::node::{Edge, FREE};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

impl Kernel {
    /// Panics where one of them does not hold.
    pub fn assert_sound(&self) {
        self.assert_order();
        let tabled = self.assert_tables();
        self.assert_slots(&tabled);
        for root in self.roots.nodes() {
            assert!(tabled.contains(root as usize), "node {root} is held and not there");
        }
    }

    fn assert_order(&self) {
        let mut ended = FxHashSet::default();
        let mut last = None;
        for (level, &var) in self.vars.iter().enumerate() {
            assert_eq!(self.levels[var as usize] as usize, level, "level of variable {var}");
            let group = self.groups[var as usize];
            if last.replace(group) != Some(group) {
                assert!(ended.insert(group), "group {group} is torn apart");
            }
        }
    }

    /// The nodes that are in tables.
    fn assert_tables(&self) -> FixedBitSet {
        let mut tabled = FixedBitSet::with_capacity(self.nodes.len());
        tabled.insert(0);
        for var in 1..self.tables.len() as u32 {
            let mut children = FxHashSet::default();
            for slot in self.members(var) {
                assert!(!tabled.put(slot as usize), "node {slot} is in a table twice");
                let node = self.nodes[slot as usize];
                assert_eq!(node.var, var, "node {slot} is in the table of another variable");
                assert!(children.insert((node.high, node.low)), "node {slot} is there twice");
                self.assert_canonical(slot);
            }
            assert_eq!(children.len(), self.tables[var as usize].count, "nodes of variable {var}");
        }
        tabled
    }

    fn assert_canonical(&self, slot: u32) {
        let node = self.nodes[slot as usize];
        assert!(!node.high.is_negated() && node.high != node.low, "node {slot} is not reduced");
        for child in [node.high, node.low] {
            assert!(self.node(child).var != FREE, "node {slot} has a child that is free");
            assert!(self.level(Edge::of(slot)) < self.level(child), "node {slot} is below a child");
        }
    }

    fn assert_slots(&self, tabled: &FixedBitSet) {
        assert_eq!(self.used, tabled.count_ones(..), "nodes in use");
        let mut free = FixedBitSet::with_capacity(self.nodes.len());
        let mut at = self.free;
        while at != 0 {
            assert!(!free.put(at as usize), "slot {at} is free twice");
            assert_eq!(self.nodes[at as usize].var, FREE, "slot {at} is free and in use");
            at = self.nodes[at as usize].next;
        }
        assert!(free.is_disjoint(tabled));
        assert_eq!(free.count_ones(..) + self.used, self.nodes.len(), "slots are lost");
    }
}
