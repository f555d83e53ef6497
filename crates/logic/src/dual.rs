//! The dual of a formula: true where the formula is false, node by node.

use crate::blocks::Blocks;
use crate::formula::{FixpointVar, Formula, Node};
use support::IdVec;

impl Formula {
    /// The negation in normal form. Every node has the number of the one that it is the negation of.
    #[must_use]
    pub fn dual(&self) -> Formula {
        let node = |node: &Node| match *node {
            Node::Const(value) => Node::Const(!value),
            Node::Lit(prop, is_positive) => Node::Lit(prop, !is_positive),
            Node::And(a, b) => Node::Or(a, b),
            Node::Or(a, b) => Node::And(a, b),
            Node::Modal(modality, actions, body) => Node::Modal(modality.dual(), actions, body),
            Node::Var(_) | Node::Fix(_) => *node,
        };
        let nodes: IdVec<_, Node> = self.nodes.values().map(node).collect();
        let var = |var: &FixpointVar| FixpointVar { kind: var.kind.dual(), ..var.clone() };
        let vars = self.vars.values().map(var).collect();
        let blocks = Blocks::new(&nodes, &vars);
        Formula { nodes, vars, blocks, ..self.clone() }
    }
}
