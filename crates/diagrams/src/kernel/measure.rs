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
        let mut known: FxHashMap<u32, f64> = FxHashMap::default();
        known.insert(0, 1.0);
        let mut open = vec![f.node()];
        while let Some(&slot) = open.last() {
            let node = &self.nodes[slot as usize];
            let sons = [node.high, node.low].map(|son| self.known_density(son, &known));
            if let [Some(high), Some(low)] = sons {
                known.insert(slot, f64::midpoint(high, low));
                open.pop();
            } else {
                let missing = [node.high, node.low].map(Edge::node);
                open.extend(missing.into_iter().filter(|son| !known.contains_key(son)));
            }
        }
        self.known_density(f, &known).unwrap_or(0.0)
    }

    fn known_density(&self, f: Edge, known: &FxHashMap<u32, f64>) -> Option<f64> {
        let positive = *known.get(&f.node())?;
        Some(if f.is_negated() { 1.0 - positive } else { positive })
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
