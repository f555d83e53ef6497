//! Syntactic facts about a formula.

use fixedbitset::FixedBitSet;
use logic::{Formula, Node, NodeId};
use support::IdVec;

/// By node, how many modalities are in it.
pub(crate) fn costs(formula: &Formula) -> IdVec<NodeId, u32> {
    let mut costs: IdVec<NodeId, u32> = IdVec::new();
    for (_, node) in formula.nodes() {
        let cost = match node {
            Node::Const(_) | Node::Lit(..) | Node::Var(_) => 0,
            Node::And(a, b) | Node::Or(a, b) => costs[a].saturating_add(costs[b]),
            Node::Modal(_, _, body) => costs[body].saturating_add(1),
            Node::Fix(var) => costs[formula.var(var).body].saturating_add(1),
        };
        costs.push(cost);
    }
    costs
}

/// By node, the variables that occur freely in it. Only variables look forward in the arena.
pub(crate) fn free_variables(formula: &Formula) -> IdVec<NodeId, FixedBitSet> {
    let count = formula.vars().len();
    let mut free: IdVec<NodeId, FixedBitSet> = IdVec::new();
    for (_, node) in formula.nodes() {
        let mut vars = FixedBitSet::with_capacity(count);
        match node {
            Node::Const(_) | Node::Lit(..) => {}
            Node::And(a, b) | Node::Or(a, b) => {
                vars.union_with(&free[a]);
                vars.union_with(&free[b]);
            }
            Node::Modal(_, _, body) => vars.union_with(&free[body]),
            Node::Var(var) => vars.insert(var.0 as usize),
            Node::Fix(var) => {
                vars.union_with(&free[formula.var(var).body]);
                vars.remove(var.0 as usize);
            }
        }
        free.push(vars);
    }
    free
}
