//! BDDs written down node by node, children before parents.

use crate::kernel::node::Edge;
use crate::{Bdd, BddVar, Manager, Stop};
use rustc_hash::FxHashMap;

/// A function in a list: a node, or its negation. Node 0 is what is true everywhere; the others are numbered
/// from 1 as they are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SerializedEdge {
    pub node: u32,
    pub is_negated: bool,
}

/// If the variable is true the one function, else the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SerializedNode {
    pub var: BddVar,
    pub high: SerializedEdge,
    pub low: SerializedEdge,
}

/// The nodes of some sets, each once. Nothing else may be done with the BDDs while it is made.
pub struct Serializer<'d> {
    manager: &'d Manager,
    numbers: FxHashMap<u32, u32>,
}

impl<'d> Serializer<'d> {
    pub fn new(manager: &'d Manager) -> Self {
        Self { manager, numbers: FxHashMap::from_iter([(0, 0)]) }
    }

    /// The nodes of a set that have not been listed before, and the set.
    pub fn add(&mut self, set: &Bdd) -> (Vec<SerializedNode>, SerializedEdge) {
        let mut listed = Vec::new();
        let mut open = vec![set.edge().node()];
        while let Some(&node) = open.last() {
            let (var, high, low) = self.manager.kernel.parts(node);
            let missing = [high, low].map(Edge::node);
            let missing = missing.into_iter().filter(|child| !self.numbers.contains_key(child));
            let before = open.len();
            if !self.numbers.contains_key(&node) {
                open.extend(missing);
            }
            if open.len() > before {
                continue;
            }
            open.pop();
            if !self.numbers.contains_key(&node) {
                let [high, low] = [high, low].map(|child| self.link(child));
                listed.push(SerializedNode { var: BddVar(var), high, low });
                self.numbers.insert(node, self.numbers.len() as u32);
            }
        }
        (listed, self.link(set.edge()))
    }

    fn link(&self, edge: Edge) -> SerializedEdge {
        SerializedEdge { node: self.numbers[&edge.node()], is_negated: edge.is_negated() }
    }
}

impl Manager {
    /// The one where a variable is true, and the other where it is not: what [`SerializedNode`] says.
    pub fn choose(&mut self, var: BddVar, high: &Bdd, low: &Bdd) -> Result<Bdd, Stop> {
        let condition = self.var(var)?;
        self.ite(&condition, high, low)
    }
}
