//! What can be read off a diagram.

use super::Kernel;
use super::node::{Edge, FALSE, TRUE};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

impl Kernel {
    /// The nodes of these functions together, without the constant.
    pub fn size(&self, roots: impl Iterator<Item = Edge>) -> usize {
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        self.walk(roots, |slot| seen.insert(slot));
        seen.len()
    }

    /// The variables that a function depends on, by number.
    pub fn support(&self, f: Edge) -> FixedBitSet {
        let mut vars = FixedBitSet::with_capacity(self.tables.len());
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        self.walk([f].into_iter(), |slot| {
            vars.insert(self.nodes[slot as usize].var as usize);
            seen.insert(slot)
        });
        vars
    }

    fn walk(&self, roots: impl Iterator<Item = Edge>, mut is_new: impl FnMut(u32) -> bool) {
        let mut open: Vec<u32> = roots.map(Edge::node).collect();
        while let Some(slot) = open.pop() {
            if slot != 0 && is_new(slot) {
                let node = &self.nodes[slot as usize];
                open.extend([node.high.node(), node.low.node()]);
            }
        }
    }

    /// In how many of the valuations it is true, as a part of all.
    pub fn density(&self, f: Edge) -> f64 {
        let mut known: FxHashMap<u32, Densities> = FxHashMap::default();
        known.insert(0, Densities { yes: 1.0, no: 0.0 });
        let mut open = vec![f.node()];
        while let Some(&slot) = open.last() {
            let node = &self.nodes[slot as usize];
            let sons = [node.high, node.low];
            let missing = sons.map(Edge::node).into_iter().filter(|son| !known.contains_key(son));
            let before = open.len();
            open.extend(missing);
            if open.len() == before {
                let [high, low] = sons.map(|son| known[&son.node()].of(son));
                known.insert(slot, high.between(low));
                open.pop();
            }
        }
        known[&f.node()].of(f).yes
    }

    /// Some values under which it is true; what it does not depend on is left out. `None` if there are none.
    pub fn pick(&self, f: Edge) -> Option<Vec<(u32, bool)>> {
        let mut at = f;
        let mut values = Vec::new();
        while !at.is_constant() {
            let node = self.node(at);
            let low = node.low.with_sign_of(at);
            let value = low == FALSE;
            values.push((node.var, value));
            at = if value { node.high.with_sign_of(at) } else { low };
        }
        (at == TRUE).then_some(values)
    }

    /// Its truth under a valuation.
    pub fn evaluate(&self, f: Edge, value: impl Fn(u32) -> bool) -> bool {
        let mut at = f;
        while !at.is_constant() {
            let node = self.node(at);
            let son = if value(node.var) { node.high } else { node.low };
            at = son.with_sign_of(at);
        }
        at == TRUE
    }
}

/// How often a function is true and how often it is not. Both are kept, as the difference of a small part
/// from 1 would be lost.
#[derive(Clone, Copy)]
struct Densities {
    yes: f64,
    no: f64,
}

impl Densities {
    /// Those of an edge to the node that has these.
    fn of(self, edge: Edge) -> Self {
        if edge.is_negated() { Self { yes: self.no, no: self.yes } } else { self }
    }

    fn between(self, other: Self) -> Self {
        Self { yes: f64::midpoint(self.yes, other.yes), no: f64::midpoint(self.no, other.no) }
    }
}
