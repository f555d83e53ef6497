//! What holds of this state, said of the next one.

use crate::choice::{Choice, ChoiceId};
use crate::expr::{Node, NodeId};
use crate::parts::Machine;
use rustc_hash::FxHashMap;

impl Machine {
    /// The same expression with every variable in the next state. It reads no input and no next state.
    pub fn primed(&mut self, root: NodeId) -> NodeId {
        let mut done: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in self.exprs.below([root]) {
            let new = self.primed_node(id, &done);
            done.insert(id, new);
        }
        done[&root]
    }

    fn primed_node(&mut self, id: NodeId, done: &FxHashMap<NodeId, NodeId>) -> NodeId {
        let exprs = &mut self.exprs;
        match exprs.node(id) {
            Node::Const(_) | Node::Fault(_) | Node::Next(_) => id,
            Node::Now(var) => self.next(var),
            Node::Unary(op, a) => exprs.unary(op, done[&a]),
            Node::Cast(a) => {
                let ty = exprs.ty(id);
                exprs.cast(done[&a], ty)
            }
            Node::Extract(a, low) => {
                let crate::Type::Word { width, .. } = exprs.ty(id) else { return id };
                exprs.extract(done[&a], low, width)
            }
            Node::Binary(op, a, b) => exprs.binary(op, done[&a], done[&b]),
            Node::Ite(c, a, b) => exprs.ite(done[&c], done[&a], done[&b]),
        }
    }

    pub fn primed_choice(&mut self, root: ChoiceId) -> ChoiceId {
        let mut done: FxHashMap<ChoiceId, ChoiceId> = FxHashMap::default();
        for id in self.choices.below(root) {
            let new = match self.choices.get(id).clone() {
                Choice::One(node) => {
                    let node = self.primed(node);
                    self.one(node)
                }
                Choice::Range(..) => id,
                Choice::Any(parts) => self.any_of(parts.iter().map(|part| done[part]).collect()),
                Choice::If(condition, then, otherwise) => {
                    let condition = self.primed(condition);
                    self.choose_if(condition, done[&then], done[&otherwise])
                }
            };
            done.insert(id, new);
        }
        done[&root]
    }
}
