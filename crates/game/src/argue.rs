//! Why nodes of a coloured game graph have the colour they have, in the order in which it can be shown.
//!
//! The winner follows the moves that the colouring remembers. Then only the loser has a choice, and on
//! every cycle the highest priority is one of the winner's. So in each strongly connected part suppose
//! the nodes of the highest priority; without these it falls into smaller parts, where the same is done
//! again; a single node that is on no cycle follows from its sons.

use crate::colour::{Colouring, NONE};
use crate::graph::GameGraph;
use fixedbitset::FixedBitSet;
use logic::Truth;
use std::convert::Infallible;
use support::{ComponentSearch, SearchedGraph};

/// One step; nodes are those of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeStep {
    Show(u32),
    Open { level: u32 },
    Suppose(u32),
    Close,
}

/// Proof of the colours of some nodes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeArgument {
    pub steps: Vec<NodeStep>,
    /// The nodes on the way whose colour was given.
    pub given: Vec<u32>,
}

/// Shows the definite colour of some nodes that all have the same.
pub fn argue(graph: &GameGraph, colouring: &Colouring, roots: &[u32]) -> NodeArgument {
    let Some(&first) = roots.first() else { return NodeArgument::default() };
    let value = colouring.colours[first as usize];
    debug_assert!(value.is_definite());
    let mut arguer = Arguer {
        graph,
        colouring,
        value,
        is_known: FixedBitSet::with_capacity(graph.len()),
        argument: NodeArgument::default(),
    };
    let mut search = ComponentSearch::new(graph.len());
    arguer.show(roots, &mut search);
    arguer.argument
}

struct Arguer<'g, 'f> {
    graph: &'g GameGraph<'f>,
    colouring: &'g Colouring,
    value: Truth,
    /// Given or assumed nodes.
    is_known: FixedBitSet,
    argument: NodeArgument,
}

impl SearchedGraph for Arguer<'_, '_> {
    type Error = Infallible;

    /// The sons that the colour of a node rests on.
    fn find(
        &mut self,
        node: u32,
        from: u32,
        mut is_wanted: impl FnMut(u32) -> bool,
    ) -> Result<Option<(u32, u32)>, Infallible> {
        let is_his = self.graph.class(node).is_universal() == (self.value == Truth::True);
        let chosen = self.colouring.next[node as usize];
        for (at, edge) in (0..).zip(self.graph.sons(node)).skip(from as usize) {
            let counts = if is_his { edge.may() } else { [edge.node(), NONE].contains(&chosen) };
            if counts && !self.is_known(edge.node()) && is_wanted(edge.node()) {
                return Ok(Some((at, edge.node())));
            }
        }
        Ok(None)
    }

    /// All that it leads to outside is known.
    fn take(&mut self, nodes: &[u32], search: &mut ComponentSearch) -> Result<(), Infallible> {
        if let ([single], false) = (nodes, self.is_own_son(nodes[0])) {
            self.argument.steps.push(NodeStep::Show(*single));
            return Ok(());
        }
        let level = self.level(nodes);
        debug_assert_eq!(level.is_multiple_of(2), self.value == Truth::True);
        self.argument.steps.push(NodeStep::Open { level });
        let (mut supposed, rest): (Vec<u32>, Vec<u32>) =
            nodes.iter().partition(|&&node| self.is_variable(node, level));
        // In the order in which certificates name states.
        supposed.sort_unstable_by_key(|&node| (self.graph.at(node).1, self.graph.at(node).0));
        for &node in &supposed {
            self.is_known.insert(node as usize);
            self.argument.steps.push(NodeStep::Suppose(node));
        }
        search.forget(&rest);
        self.show(&rest, search);
        self.argument.steps.push(NodeStep::Close);
        Ok(())
    }
}

impl Arguer<'_, '_> {
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
            self.argument.given.push(node);
        }
        is_known || is_given
    }

    fn is_own_son(&mut self, node: u32) -> bool {
        let Ok(found) = self.find(node, 0, |son| son == node);
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
