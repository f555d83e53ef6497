//! Proofs of the colours of a game graph: its nodes in an order in which each follows from those before.
//!
//! The winner follows the moves that the colouring remembers. Then only the loser has a choice, and on
//! every cycle the highest priority is one of the winner's. So in each strongly connected part assume
//! the nodes of the highest priority; without these it falls into smaller parts, where the same is done
//! again; a single node that is on no cycle follows from its successors.

use crate::colour::{Colouring, NONE};
use crate::graph::GameGraph;
use fixedbitset::FixedBitSet;
use logic::Truth;
use std::convert::Infallible;
use support::{ComponentSearch, SearchedGraph};

/// One step; nodes are those of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeProofStep {
    Prove(u32),
    Open { level: u32 },
    Assume(u32),
    Close,
}

/// Proof of the colours of some nodes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeProof {
    pub steps: Vec<NodeProofStep>,
    /// The nodes met whose colour was given.
    pub given: Vec<u32>,
}

/// Shows the definite colour of some nodes that all have the same.
pub fn prove(graph: &GameGraph, colouring: &Colouring, roots: &[u32]) -> NodeProof {
    let Some(&first) = roots.first() else { return NodeProof::default() };
    let value = colouring.colours[first as usize];
    debug_assert!(value.is_definite());
    let mut prover = Prover {
        graph,
        colouring,
        value,
        is_known: FixedBitSet::with_capacity(graph.len()),
        proof: NodeProof::default(),
    };
    let mut search = ComponentSearch::new(graph.len());
    prover.show(roots, &mut search);
    prover.proof
}

struct Prover<'g, 'f> {
    graph: &'g GameGraph<'f>,
    colouring: &'g Colouring,
    value: Truth,
    /// Given or assumed nodes.
    is_known: FixedBitSet,
    proof: NodeProof,
}

impl SearchedGraph for Prover<'_, '_> {
    type Error = Infallible;

    /// The successors that the colour of a node rests on.
    fn find(
        &mut self,
        node: u32,
        from: u32,
        mut is_wanted: impl FnMut(u32) -> bool,
    ) -> Result<Option<(u32, u32)>, Infallible> {
        let is_his = self.graph.class(node).is_universal() == (self.value == Truth::True);
        let chosen = self.colouring.next[node as usize];
        for (at, edge) in (0..).zip(self.graph.successors(node)).skip(from as usize) {
            let counts = if is_his { edge.may() } else { [edge.node(), NONE].contains(&chosen) };
            if counts && !self.is_known(edge.node()) && is_wanted(edge.node()) {
                return Ok(Some((at, edge.node())));
            }
        }
        Ok(None)
    }

    /// All that it leads to outside is known.
    fn take(&mut self, nodes: &[u32], search: &mut ComponentSearch) -> Result<(), Infallible> {
        if let ([single], false) = (nodes, self.is_own_successor(nodes[0])) {
            self.proof.steps.push(NodeProofStep::Prove(*single));
            return Ok(());
        }
        let level = self.level(nodes);
        debug_assert_eq!(level.is_multiple_of(2), self.value == Truth::True);
        self.proof.steps.push(NodeProofStep::Open { level });
        let (mut assumed, rest): (Vec<u32>, Vec<u32>) =
            nodes.iter().partition(|&&node| self.is_variable(node, level));
        // In the order in which certificates name states.
        assumed.sort_unstable_by_key(|&node| (self.graph.at(node).1, self.graph.at(node).0));
        for &node in &assumed {
            self.is_known.insert(node as usize);
            self.proof.steps.push(NodeProofStep::Assume(node));
        }
        search.forget(&rest);
        self.show(&rest, search);
        self.proof.steps.push(NodeProofStep::Close);
        Ok(())
    }
}

impl Prover<'_, '_> {
    fn show(&mut self, nodes: &[u32], search: &mut ComponentSearch) {
        let open: Vec<u32> = nodes.iter().copied().filter(|&node| !self.is_known(node)).collect();
        let Ok(()) = search.run(open, self);
    }

    /// Whether nothing is to be shown of a node; of a given one that is noted.
    fn is_known(&mut self, node: u32) -> bool {
        let is_known = self.is_known.contains(node as usize);
        let is_given = !is_known && self.graph.given[node as usize].is_some();
        if is_given {
            self.is_known.insert(node as usize);
            self.proof.given.push(node);
        }
        is_known || is_given
    }

    fn is_own_successor(&mut self, node: u32) -> bool {
        let Ok(found) = self.find(node, 0, |successor| successor == node);
        found.is_some()
    }

    fn is_variable(&self, node: u32, level: u32) -> bool {
        let subformula = self.graph.subformula(node);
        subformula.witness.is_some() && subformula.priority == level
    }

    /// The highest priority of a variable in a component.
    fn level(&self, component: &[u32]) -> u32 {
        let variables = component.iter().map(|&node| self.graph.subformula(node));
        let variables = variables.filter(|subformula| subformula.witness.is_some());
        variables.map(|subformula| subformula.priority).max().unwrap_or(0)
    }
}
