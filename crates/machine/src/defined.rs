//! Where an expression has a value, as an expression that always has one.

use crate::expr::{Binary, Node, NodeId, Type};
use crate::exprs::Exprs;
use rustc_hash::FxHashMap;

/// An expression taken apart: where it has a value, and the value there. Neither can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Total {
    pub defined: NodeId,
    /// Anything of its type where it is not defined.
    pub value: NodeId,
}

impl Exprs {
    /// Takes an expression apart by the rules of [`Node::Fault`]: an operand of `And` and `Or` that decides is
    /// enough, and of the two sides of an `Ite` only the chosen one counts.
    pub fn total(&mut self, root: NodeId) -> Total {
        let mut known: FxHashMap<NodeId, Total> = FxHashMap::default();
        for id in self.below([root]) {
            let total = match self.can_fault(id) {
                true => self.total_of(id, &known),
                false => Total { defined: self.bool(true), value: id },
            };
            known.insert(id, total);
        }
        known[&root]
    }

    fn total_of(&mut self, id: NodeId, known: &FxHashMap<NodeId, Total>) -> Total {
        let ty = self.ty(id);
        match self.node(id) {
            Node::Fault(_) => {
                let somewhere = if let Type::Int { low, .. } = ty { low } else { 0 };
                Total { defined: self.bool(false), value: self.constant(somewhere, ty) }
            }
            Node::Unary(op, a) => Total { value: self.unary(op, known[&a].value), ..known[&a] },
            Node::Cast(a) => Total { value: self.cast(known[&a].value, ty), ..known[&a] },
            Node::Extract(a, low) => {
                let Type::Word { width, .. } = ty else { return known[&a] };
                Total { value: self.extract(known[&a].value, low, width), ..known[&a] }
            }
            Node::Binary(op, a, b) => self.total_binary(op, ty, known[&a], known[&b]),
            Node::Ite(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|operand| known[&operand]);
                let chosen = self.ite(c.value, a.defined, b.defined);
                let defined = self.and(c.defined, chosen);
                Total { defined, value: self.ite(c.value, a.value, b.value) }
            }
            Node::Const(_) | Node::Now(_) | Node::Next(_) => {
                Total { defined: self.bool(true), value: id }
            }
        }
    }

    fn total_binary(&mut self, op: Binary, ty: Type, a: Total, b: Total) -> Total {
        let value = self.binary(op, a.value, b.value);
        let both = self.and(a.defined, b.defined);
        let decides = |exprs: &mut Exprs, one: Total| match op {
            Binary::And => exprs.not(one.value),
            _ => one.value,
        };
        if ty != Type::Bool || !matches!(op, Binary::And | Binary::Or) {
            return Total { defined: both, value };
        }
        let alone = [a, b].map(|one| {
            let decides = decides(self, one);
            self.and(one.defined, decides)
        });
        let either = self.or(alone[0], alone[1]);
        Total { defined: self.or(both, either), value }
    }
}
