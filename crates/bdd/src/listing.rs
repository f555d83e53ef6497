//! Diagrams written down node by node, sons before fathers.

use crate::kernel::node::Edge;
use crate::{Diagrams, Set, Stop, Var};
use rustc_hash::FxHashMap;

/// A function in a list: a node, or its negation. Node 0 is what is true everywhere; the others are numbered
/// from 1 as they are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    pub node: u32,
    pub is_negated: bool,
}

/// If the variable is true the one function, else the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListedNode {
    pub var: Var,
    pub high: Link,
    pub low: Link,
}

/// The nodes of some sets, each once. Nothing else may be done with the diagrams while it is made.
pub struct Listing<'d> {
    diagrams: &'d Diagrams,
    numbers: FxHashMap<u32, u32>,
}

impl<'d> Listing<'d> {
    pub fn new(diagrams: &'d Diagrams) -> Self {
        Self { diagrams, numbers: FxHashMap::from_iter([(0, 0)]) }
    }

    /// The nodes of a set that have not been listed before, and the set.
    pub fn add(&mut self, set: &Set) -> (Vec<ListedNode>, Link) {
        let mut listed = Vec::new();
        let mut open = vec![set.edge().node()];
        while let Some(&node) = open.last() {
            let (var, high, low) = self.diagrams.kernel.parts(node);
            let missing = [high, low].map(Edge::node);
            let missing = missing.into_iter().filter(|son| !self.numbers.contains_key(son));
            let before = open.len();
            if !self.numbers.contains_key(&node) {
                open.extend(missing);
            }
            if open.len() > before {
                continue;
            }
            open.pop();
            if !self.numbers.contains_key(&node) {
                let [high, low] = [high, low].map(|son| self.link(son));
                listed.push(ListedNode { var: Var(var), high, low });
                self.numbers.insert(node, self.numbers.len() as u32);
            }
        }
        (listed, self.link(set.edge()))
    }

    fn link(&self, edge: Edge) -> Link {
        Link { node: self.numbers[&edge.node()], is_negated: edge.is_negated() }
    }
}

impl Diagrams {
    /// The one where a variable is true, and the other where it is not: what [`ListedNode`] says.
    pub fn choose(&mut self, var: Var, high: &Set, low: &Set) -> Result<Set, Stop> {
        let condition = self.var(var)?;
        self.ite(&condition, high, low)
    }
}
