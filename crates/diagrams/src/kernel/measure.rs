//! What can be read off a diagram.

use super::Kernel;
use super::node::{Edge, FALSE, Node, TRUE};
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

    pub(super) fn walk(
        &self,
        roots: impl Iterator<Item = Edge>,
        mut is_new: impl FnMut(u32) -> bool,
    ) {
        let mut open: Vec<u32> = roots.map(Edge::node).collect();
        while let Some(slot) = open.pop() {
            if slot != 0 && is_new(slot) {
                let node = &self.nodes[slot as usize];
                open.extend([node.high.node(), node.low.node()]);
            }
        }
    }

    /// In how many of the valuations it is true, as a part of all.
    ///
    /// A function and its negation are counted apart: the difference to one would lose what is small.
    pub fn density(&self, f: Edge) -> f64 {
        let mut known: FxHashMap<Edge, f64> = FxHashMap::default();
        known.insert(TRUE, 1.0);
        known.insert(FALSE, 0.0);
        let mut open = vec![f];
        while let Some(&at) = open.last() {
            let node = self.node(at);
            let sons = [node.high, node.low].map(|son| son.with_sign_of(at));
            if let [Some(high), Some(low)] = sons.map(|son| known.get(&son)) {
                known.insert(at, f64::midpoint(*high, *low));
                open.pop();
            } else {
                open.extend(sons.into_iter().filter(|son| !known.contains_key(son)));
            }
        }
        known[&f]
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

    /// The variable of a node and its sons.
    pub fn parts(&self, node: u32) -> (u32, Edge, Edge) {
        let Node { var, high, low, .. } = self.nodes[node as usize];
        (var, high, low)
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
