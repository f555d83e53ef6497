//! Which steps can change the value of a proposition (Clarke, Grumberg, Peled: Model Checking, §10.2: visibility).

use rustc_hash::{FxHashMap, FxHashSet};
use transition::{
    Binary, ExprNode, InterleavedStep, InterleavedSteps, Machine, NodeId, Type, Unary, VarId,
};

/// The variables that propositions depend on.
pub(super) struct Visibility {
    /// All that they read, also where only deadlock states matter: no reduction may change their values.
    read: FxHashSet<VarId>,
    /// Each change of these is visible.
    vars: FxHashSet<VarId>,
    /// Of program counters: the values that propositions compare with.
    values: FxHashMap<VarId, FxHashSet<i64>>,
    /// Whether it matters that a state before a deadlock state is none itself.
    pub sees_deadlock: bool,
}

impl Visibility {
    /// Ample sets keep deadlock states and run-time errors, so what is true in them only makes no step visible.
    /// `is_searched` if a state is looked for in which a proposition holds, for each by itself.
    pub fn new(
        machine: &Machine,
        of: &InterleavedSteps,
        propositions: &[NodeId],
        is_searched: bool,
    ) -> Self {
        let exprs = &machine.exprs;
        let counters: FxHashSet<VarId> =
            of.processes.iter().map(|process| process.program_counter).collect();
        let is_deadlock = |node: NodeId| Some(node) == of.deadlock;
        let is_no_deadlock = |node: NodeId| {
            let negated = |other| exprs.node(other) == ExprNode::Unary(Unary::Not, node);
            of.deadlock.is_some_and(negated)
        };
        let in_deadlock = |node: &NodeId| exprs.conjuncts(*node).into_iter().any(is_deadlock);
        let (read, vars, values) = Default::default();
        let mut found = Self { read, vars, values, sees_deadlock: false };
        let mut open = propositions.to_vec();
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        while let Some(node) = open.pop() {
            let is_about_deadlock = is_deadlock(node) || is_no_deadlock(node);
            if !seen.insert(node) || is_about_deadlock || Some(node) == of.hidden {
                continue;
            }
            match exprs.node(node) {
                ExprNode::Now(var) | ExprNode::Next(var) => {
                    found.read.insert(var);
                }
                other => open.extend(other.operands()),
            }
        }
        let mut open = propositions.to_vec();
        if is_searched {
            open.retain(|node| !in_deadlock(node));
        }
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        while let Some(node) = open.pop() {
            if !seen.insert(node) || Some(node) == of.hidden {
                continue;
            }
            if is_deadlock(node) || is_no_deadlock(node) {
                found.sees_deadlock = true;
                continue;
            }
            match exprs.node(node) {
                ExprNode::Binary(Binary::And, ..)
                    if exprs.ty(node) == Type::Bool && in_deadlock(&node) =>
                {
                    found.sees_deadlock = true;
                }
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

    /// Whether a proposition depends on a variable.
    pub fn reads(&self, var: VarId) -> bool {
        self.read.contains(&var)
    }

    /// Whether a step may change the value of a proposition.
    pub fn sees(&self, step: &InterleavedStep, of: &InterleavedSteps) -> bool {
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
