//! Which steps can change the value of a proposition (Clarke, Grumberg, Peled: Model Checking, §10.2: visibility).

use crate::expr::{Binary, ExprNode, NodeId, Type, Unary};
use crate::interleaving::{Interleaving, InterleavedStep};
use crate::parts::{Machine, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables that propositions depend on.
pub(super) struct Visibility {
    /// Each change of these is visible.
    vars: FxHashSet<VarId>,
    /// Of program counters: the values that propositions compare with.
    values: FxHashMap<VarId, FxHashSet<i64>>,
}

impl Visibility {
    /// Deadlock states and run-time errors are not hidden by a reduction (see the head of the module), so what is
    /// true in them only makes nothing visible.
    pub fn new(machine: &Machine, of: &Interleaving, propositions: &[NodeId]) -> Self {
        let exprs = &machine.exprs;
        let counters: FxHashSet<VarId> =
            of.processes.iter().map(|process| process.program_counter).collect();
        let is_deadlock = |node: NodeId| Some(node) == of.deadlock;
        let is_skipped = |node: NodeId| {
            let negated = |other: Option<NodeId>| {
                other.is_some_and(|other| exprs.node(other) == ExprNode::Unary(Unary::Not, node))
            };
            is_deadlock(node) || negated(of.deadlock) || Some(node) == of.hidden
        };
        let mut found = Self { vars: FxHashSet::default(), values: FxHashMap::default() };
        let mut open = propositions.to_vec();
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        while let Some(node) = open.pop() {
            if !seen.insert(node) || is_skipped(node) {
                continue;
            }
            match exprs.node(node) {
                ExprNode::Binary(Binary::And, ..)
                    if exprs.ty(node) == Type::Bool
                        && exprs.conjuncts(node).into_iter().any(is_deadlock) => {}
                ExprNode::Binary(Binary::Eq, a, b) => match (exprs.node(a), exprs.node(b)) {
                    (ExprNode::Now(var), ExprNode::Const(value))
                    | (ExprNode::Const(value), ExprNode::Now(var))
                        if counters.contains(&var) =>
                    {
                        found.values.entry(var).or_default().insert(value);
                    }
                    _ => open.extend([a, b]),
                },
                ExprNode::Now(var) | ExprNode::Next(var) => {
                    if of.error.is_none_or(|(error, _)| error != var) {
                        found.vars.insert(var);
                    }
                }
                other => open.extend(other.operands()),
            }
        }
        found
    }

    /// Whether a proposition depends on a variable other than a program counter.
    pub fn reads(&self, var: VarId) -> bool {
        self.vars.contains(&var)
    }

    /// Whether a step may change the value of a proposition.
    pub fn sees(&self, step: &InterleavedStep, of: &Interleaving) -> bool {
        let is_read = |var: &VarId| self.vars.contains(var) || self.values.contains_key(var);
        let is_queue_read = step.queue.is_some_and(|(channel, _)| {
            let channel = &of.channels[channel];
            is_read(&channel.len) || channel.slots.iter().any(is_read)
        });
        let is_move_read = step.moves.iter().any(|step| {
            let counter = of.processes[step.process].program_counter;
            let is_end = |values: &FxHashSet<i64>| {
                values.contains(&step.source) || values.contains(&step.target)
            };
            self.vars.contains(&counter) || self.values.get(&counter).is_some_and(is_end)
        });
        is_queue_read || is_move_read || step.writes.iter().any(is_read)
    }
}
