//! Colouring a game graph with T, F and ? (C §2.1).
//!
//! [`colour`] chooses: [`weak`] for alternation-free formulas, [`parity`] for the others.

pub mod parity;
pub mod weak;

use crate::graph::GameGraph;
use logic::Truth;
use support::{Monitor, Stopped};

/// No node: a position without a recorded move, or a failure node without a `cont`.
pub const NONE: u32 = u32::MAX;

/// A colouring and why it is so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Colouring {
    pub colours: Vec<Truth>,
    /// Where the winner of a definite node moves, if it is his: G's `cause` and its dual. Where the
    /// unknown colour of a node comes from: G's `cont`, or `NONE` in a failure node (G §5).
    pub next: Vec<u32>,
}

impl Colouring {
    /// A failure node is unknown, and none of its successors was when it was coloured (G §5).
    pub fn is_failure_node(&self, node: u32) -> bool {
        self.colours[node as usize] == Truth::Unknown && self.next[node as usize] == NONE
    }

    /// G §5: from an unknown node along `cont` to a failure node.
    pub fn failure_node(&self, mut node: u32) -> u32 {
        while !self.is_failure_node(node) {
            node = self.next[node as usize];
        }
        node
    }
}

/// The correct colouring of a closed graph whose terminal nodes are correctly coloured (C Thm 3.3).
pub fn colour(graph: &GameGraph, monitor: &Monitor) -> Result<Colouring, Stopped> {
    if graph.subformulas.alternation_free {
        weak::colour(graph, monitor)
    } else {
        parity::colour(graph, monitor)
    }
}
