//! Analysis of BDDs: support, sizes, satisfying valuations.

use super::Kernel;
use super::node::{Edge, FALSE, Node, TRUE};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Which nodes a walk has come to, without clearing anything between walks.
#[derive(Default)]
pub(super) struct Marks {
    /// By slot, the number of the last walk that has been there.
    last: Vec<u32>,
    walk: u32,
}

impl Marks {
    fn begin(&mut self, slots: usize) {
        if self.walk == u32::MAX {
            self.last.clear();
            self.walk = 0;
        }
        self.walk += 1;
        self.last.resize(slots.max(self.last.len()), 0);
    }

    fn is_new(&mut self, slot: u32) -> bool {
        std::mem::replace(&mut self.last[slot as usize], self.walk) != self.walk
    }
}

impl Kernel {
    /// The nodes of these functions together, without the constant.
    pub fn size(&self, roots: impl Iterator<Item = Edge>) -> usize {
        let mut count = 0;
        self.walk(roots, |_| count += 1);
        count
    }

    /// The variables that a function depends on, by number.
    pub fn support(&self, f: Edge) -> FixedBitSet {
        let mut vars = FixedBitSet::with_capacity(self.tables.len());
        self.walk([f].into_iter(), |slot| vars.insert(self.nodes[slot as usize].var as usize));
        vars
    }

    /// Whether both children of a node of this variable, or a function without it on top, have only variables below
    /// those of the cube.
    pub fn lies_below(&self, f: Edge, top: u32, mut cube: Edge) -> bool {
        let mut lowest = None;
        while !cube.is_constant() {
            lowest = Some(self.level(cube));
            cube = self.node(cube).high;
        }
        let is_below = |edge: Edge| lowest.is_none_or(|lowest| self.level(edge) > lowest);
        let node = self.node(f);
        is_below(f) || node.var == top && is_below(node.high) && is_below(node.low)
    }

    /// Goes to every node of these functions once, without the constant.
    fn walk(&self, roots: impl Iterator<Item = Edge>, mut visit: impl FnMut(u32)) {
        let mut marks = self.marks.borrow_mut();
        marks.begin(self.nodes.len());
        let mut open: Vec<u32> = roots.map(Edge::node).collect();
        while let Some(slot) = open.pop() {
            if slot != 0 && marks.is_new(slot) {
                visit(slot);
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
            let children = [node.high, node.low].map(|child| child.with_sign_of(at));
            if let [Some(high), Some(low)] = children.map(|child| known.get(&child)) {
                known.insert(at, f64::midpoint(*high, *low));
                open.pop();
            } else {
                open.extend(children.into_iter().filter(|child| !known.contains_key(child)));
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

    /// The variable of a node and its children.
    pub fn parts(&self, node: u32) -> (u32, Edge, Edge) {
        let Node { var, high, low, .. } = self.nodes[node as usize];
        (var, high, low)
    }

    /// Its truth under a valuation.
    pub fn evaluate(&self, f: Edge, value: impl Fn(u32) -> bool) -> bool {
        let mut at = f;
        while !at.is_constant() {
            let node = self.node(at);
            let child = if value(node.var) { node.high } else { node.low };
            at = child.with_sign_of(at);
        }
        at == TRUE
    }
}
