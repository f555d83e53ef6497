//! Where an expression has a value and which, by the rules of [`ExprNode::Fault`] alone.

use std::collections::HashMap;
use transition::{Binary, ExprNode, Exprs, NodeId, Total, Type};

/// Takes an expression apart by the rules of [`ExprNode::Fault`]: an operand of `And` and `Or` that decides is
/// enough, and of the two sides of an `Ite` only the chosen one counts.
pub fn total(exprs: &mut Exprs, root: NodeId) -> Total {
    let mut known: HashMap<NodeId, Total> = HashMap::new();
    for id in exprs.below([root]) {
        let total = match exprs.can_fault(id) {
            true => total_of(exprs, id, &known),
            false => Total { defined: exprs.bool(true), value: id },
        };
        known.insert(id, total);
    }
    known[&root]
}

fn total_of(exprs: &mut Exprs, id: NodeId, known: &HashMap<NodeId, Total>) -> Total {
    let ty = exprs.ty(id);
    match exprs.node(id) {
        ExprNode::Fault(_) => {
            let somewhere = if let Type::Int { low, .. } = ty { low } else { 0 };
            Total { defined: exprs.bool(false), value: exprs.constant(somewhere, ty) }
        }
        ExprNode::Unary(op, a) => Total { value: exprs.unary(op, known[&a].value), ..known[&a] },
        ExprNode::Cast(a) => Total { value: exprs.cast(known[&a].value, ty), ..known[&a] },
        ExprNode::Extract(a, low) => {
            let Type::Word { width, .. } = ty else { return known[&a] };
            Total { value: exprs.extract(known[&a].value, low, width), ..known[&a] }
        }
        ExprNode::Binary(op, a, b) => total_binary(exprs, op, ty, known[&a], known[&b]),
        ExprNode::Ite(c, a, b) => {
            let [c, a, b] = [c, a, b].map(|operand| known[&operand]);
            let chosen = exprs.ite(c.value, a.defined, b.defined);
            let defined = exprs.and(c.defined, chosen);
            Total { defined, value: exprs.ite(c.value, a.value, b.value) }
        }
        ExprNode::Const(_) | ExprNode::Now(_) | ExprNode::Next(_) => {
            Total { defined: exprs.bool(true), value: id }
        }
    }
}

fn total_binary(exprs: &mut Exprs, op: Binary, ty: Type, a: Total, b: Total) -> Total {
    let value = exprs.binary(op, a.value, b.value);
    let both = exprs.and(a.defined, b.defined);
    let decides = |exprs: &mut Exprs, one: Total| match op {
        Binary::And => exprs.not(one.value),
        _ => one.value,
    };
    if ty != Type::Bool || !matches!(op, Binary::And | Binary::Or) {
        return Total { defined: both, value };
    }
    let alone = [a, b].map(|one| {
        let decides = decides(exprs, one);
        exprs.and(one.defined, decides)
    });
    let either = exprs.or(alone[0], alone[1]);
    Total { defined: exprs.or(both, either), value }
}
