//! The same expressions with something else in the place of variables.

use crate::choice::{Choice, ChoiceId};
use crate::expr::{Node, NodeId, Type};
use crate::parts::{Machine, VarId};
use rustc_hash::FxHashMap;

/// What takes the place of a variable, if something does.
type Leaf<'l> = &'l mut dyn FnMut(&mut Machine, Node) -> Option<NodeId>;

impl Machine {
    /// The same expression with every variable in the next state. It reads no input and no next state.
    pub fn primed(&mut self, root: NodeId) -> NodeId {
        self.replaced(root, &mut primed_leaf)
    }

    pub fn primed_choice(&mut self, root: ChoiceId) -> ChoiceId {
        self.replaced_choice(root, &mut primed_leaf)
    }

    /// The same expression where a variable of this state, or an input, has this value.
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
            (Node::Const(_) | Node::Fault(_), _) => id,
            (Node::Now(_) | Node::Next(_), _) => leaf(self, node).unwrap_or(id),
            (Node::Unary(op, a), _) => exprs.unary(op, done[&a]),
            (Node::Cast(a), ty) => exprs.cast(done[&a], ty),
            (Node::Extract(a, low), Type::Word { width, .. }) => {
                exprs.extract(done[&a], low, width)
            }
            (Node::Extract(..), _) => id,
            (Node::Binary(op, a, b), _) => exprs.binary(op, done[&a], done[&b]),
            (Node::Ite(c, a, b), _) => exprs.ite(done[&c], done[&a], done[&b]),
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

fn primed_leaf(machine: &mut Machine, node: Node) -> Option<NodeId> {
    if let Node::Now(var) = node { Some(machine.next(var)) } else { None }
}

fn value_leaf(var: VarId, value: i64) -> impl FnMut(&mut Machine, Node) -> Option<NodeId> {
    move |machine, node| {
        let ty = machine.vars[var].domain.ty();
        (node == Node::Now(var)).then(|| machine.exprs.constant(value, ty))
    }
}
