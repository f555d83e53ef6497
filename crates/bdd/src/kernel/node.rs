//! Edges and nodes of a BDD.

use std::ops::Not;

/// A function: a node, negated or not. The highest four bits are never set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Edge(pub u32);

pub(crate) const TRUE: Edge = Edge(0);
pub(crate) const FALSE: Edge = Edge(1);

/// As many nodes fit into an edge, four bits being left for the operator of a cached result.
pub(crate) const MOST_NODES: usize = 1 << 27;

impl Edge {
    #[inline]
    pub fn of(node: u32) -> Self {
        Edge(node << 1)
    }

    #[inline]
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    /// Negated once more if the other is.
    #[inline]
    pub fn with_sign_of(self, other: Edge) -> Self {
        Edge(self.0 ^ (other.0 & 1))
    }

    #[inline]
    pub fn positive(self) -> Self {
        Edge(self.0 & !1)
    }
}

impl Not for Edge {
    type Output = Edge;

    #[inline]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// The variable of the constant's node, below all others.
pub(crate) const NO_VAR: u32 = 0;
/// The variable of a slot that is free.
pub(crate) const FREE: u32 = u32::MAX;

/// `if var then high else low`. `high` is never negated, so that a function has one node and one sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub var: u32,
    pub high: Edge,
    pub low: Edge,
    /// The next in its bucket, or the next free slot; 0 ends the list.
    pub next: u32,
}
