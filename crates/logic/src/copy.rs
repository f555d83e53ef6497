//! Copies of a formula in which some nodes are made differently.

use crate::builder::FormulaBuilder;
use crate::formula::{Formula, Node, NodeId, Origin, VarId};
use support::IdVec;

/// A formula that is being copied, node after node.
pub(crate) struct Copied<'f> {
    pub of: &'f Formula,
    pub builder: FormulaBuilder,
    /// The copies of the nodes so far.
    pub made: IdVec<NodeId, NodeId>,
    /// And of the variables, where they stay what they are.
    pub vars: IdVec<VarId, VarId>,
}

impl<'f> Copied<'f> {
    /// Copies all nodes; what `differently` gives stands in the place of a copy.
    pub fn new(
        of: &'f Formula,
        mut differently: impl FnMut(&mut Self, Node, Origin) -> Option<NodeId>,
    ) -> Self {
        let mut builder = FormulaBuilder::default();
        let vars = of.vars().map(|(_, var)| builder.fresh_var(var.kind, &var.name)).collect();
        let mut copy = Self { of, builder, made: IdVec::new(), vars };
        for (id, node) in of.nodes() {
            let origin = match of.origin(id) {
                origin @ (Origin::Source { .. } | Origin::Fair { .. }) => origin,
                _ => Origin::Structure,
            };
            let new = differently(&mut copy, node, origin);
            let new = new.unwrap_or_else(|| copy.same(node, origin));
            copy.made.push(new);
        }
        copy
    }

    fn same(&mut self, node: Node, origin: Origin) -> NodeId {
        let Self { of, builder, made, vars } = self;
        match node {
            Node::Const(value) => builder.constant(value, origin),
            Node::Lit(prop, positive) => builder.lit(prop, positive, origin),
            Node::And(a, b) => builder.and(made[a], made[b], origin),
            Node::Or(a, b) => builder.or(made[a], made[b], origin),
            Node::Modal(modality, actions, body) => {
                builder.modal(modality, of.actions(actions), made[body], origin)
            }
            Node::Var(var) => builder.var(vars[var], origin),
            Node::Fix(var) => builder.fix(vars[var], made[of.var(var).body], origin),
        }
    }

    /// The formula with a root, and where some nodes of the builder are in it: nowhere, if the root does not need them.
    pub fn finish_at(self, root: NodeId, others: &[NodeId]) -> (Formula, Vec<Option<NodeId>>) {
        let Self { of, builder, .. } = self;
        let (formula, kept) =
            builder.finish_with_numbers(root, of.logic, of.source().to_owned(), of.text.clone());
        (formula, others.iter().map(|other| kept.get(other).copied()).collect())
    }
}
