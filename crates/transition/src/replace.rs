//! Substitution of variables in expressions.

use crate::choice::{Choice, ChoiceId};
use crate::expr::{ExprNode, NodeId, Type};
use crate::parts::{Machine, VarId};
use rustc_hash::FxHashMap;

/// The substitute of a variable, if it has one.
type Leaf<'l> = &'l mut dyn FnMut(&mut Machine, ExprNode) -> Option<NodeId>;

impl Machine {
    /// Shifts every variable of an expression, which reads no input and no next state, into the next state.
    pub fn primed(&mut self, root: NodeId) -> NodeId {
        self.replaced(root, &mut primed_leaf)
    }

    pub fn primed_choice(&mut self, root: ChoiceId) -> ChoiceId {
        self.replaced_choice(root, &mut primed_leaf)
    }

    /// Substitutes this value for a variable of this state or an input.
    pub fn with_value(&mut self, root: NodeId, var: VarId, value: i64) -> NodeId {
        self.replaced(root, &mut value_leaf(var, value))
    }

    pub fn choice_with_value(&mut self, root: ChoiceId, var: VarId, value: i64) -> ChoiceId {
        self.replaced_choice(root, &mut value_leaf(var, value))
    }

    fn replaced(&mut self, root: NodeId, leaf: Leaf) -> NodeId {
        let mut done: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in self.exprs.below([root]) {
            let new = self.replaced_node(id, &done, leaf);
            done.insert(id, new);
        }
        done[&root]
    }

    fn replaced_node(
        &mut self,
        id: NodeId,
        done: &FxHashMap<NodeId, NodeId>,
        leaf: Leaf,
    ) -> NodeId {
        let (node, ty) = (self.exprs.node(id), self.exprs.ty(id));
        let exprs = &mut self.exprs;
        match (node, ty) {
            (ExprNode::Const(_) | ExprNode::Fault(_), _) => id,
            (ExprNode::Now(_) | ExprNode::Next(_), _) => leaf(self, node).unwrap_or(id),
            (ExprNode::Unary(op, a), _) => exprs.unary(op, done[&a]),
            (ExprNode::Cast(a), ty) => exprs.cast(done[&a], ty),
            (ExprNode::Extract(a, low), Type::Word { width, .. }) => {
                exprs.extract(done[&a], low, width)
            }
            (ExprNode::Extract(..), _) => id,
            (ExprNode::Binary(op, a, b), _) => exprs.binary(op, done[&a], done[&b]),
            (ExprNode::Ite(c, a, b), _) => exprs.ite(done[&c], done[&a], done[&b]),
        }
    }

    fn replaced_choice(&mut self, root: ChoiceId, leaf: Leaf) -> ChoiceId {
        let mut done: FxHashMap<ChoiceId, ChoiceId> = FxHashMap::default();
        for id in self.choices.below(root) {
            let new = match self.choices.get(id).clone() {
                Choice::One(node) => {
                    let node = self.replaced(node, leaf);
                    self.one(node)
                }
                Choice::Range(..) => id,
                Choice::Any(parts) => self.any_of(parts.iter().map(|part| done[part]).collect()),
                Choice::If(condition, then, otherwise) => {
                    let condition = self.replaced(condition, leaf);
                    self.choose_if(condition, done[&then], done[&otherwise])
                }
            };
            done.insert(id, new);
        }
        done[&root]
    }
}

fn primed_leaf(machine: &mut Machine, node: ExprNode) -> Option<NodeId> {
    if let ExprNode::Now(var) = node { Some(machine.next(var)) } else { None }
}

fn value_leaf(var: VarId, value: i64) -> impl FnMut(&mut Machine, ExprNode) -> Option<NodeId> {
    move |machine, node| {
        let ty = machine.vars[var].domain.ty();
        (node == ExprNode::Now(var)).then(|| machine.exprs.constant(value, ty))
    }
}
