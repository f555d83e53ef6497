//! The order in which a search decides the variables: those that follow from others are computed, the values of the
//! rest are tried, and every constraint is evaluated as soon as all variables that it reads are known.
//!
//! An assignment that can fail is evaluated for all values that it reads: constraints that exclude the step do not
//! excuse its run-time error. So no value that it reads is taken from a constraint.

use super::rules::{Determined, Rules, definition};
use crate::choice::ChoiceId;
use crate::expr::{ExprNode, NodeId};
use crate::parts::{Machine, VarId, VarKind};
use crate::{Access, Slice};
use rustc_hash::{FxHashMap, FxHashSet};
use support::IdVec;

/// How the value of a variable is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// The value of an assignment; out of range it is a run-time error.
    Assigned(NodeId),
    /// The value that a constraint determines; out of range it means that there is no such state.
    Determined(NodeId),
    Choice(ChoiceId),
    /// Any of its values.
    Free,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub var: VarId,
    pub source: Source,
    /// The number of trials after which it is known.
    pub level: u32,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Plan {
    /// In the order in which they are made. Levels rise, and each but level 0 begins with the variable
    /// that is tried.
    pub decisions: Vec<Decision>,
    pub levels: u32,
    /// The conditions that are still to be checked at the end.
    pub checks: Vec<NodeId>,
    /// The last level on which an assignment can fail.
    pub last_risk: u32,
}

impl Decision {
    /// Whether an assignment can fail.
    pub fn is_risk(&self, machine: &Machine) -> bool {
        match self.source {
            Source::Assigned(node) => machine.value_can_fail(self.var, node),
            Source::Choice(choice) => machine.choice_can_fail(self.var, choice),
            Source::Determined(_) | Source::Free => false,
        }
    }
}

impl Plan {
    /// Whether the search can stop at a false constraint: no assignment can fail.
    pub fn is_guarded(&self, machine: &Machine) -> bool {
        !self.decisions.iter().any(|decision| decision.is_risk(machine))
    }

    pub fn new(machine: &mut Machine, slice: &Slice, rules: Rules, has_now: bool) -> Self {
        let mut planner = Planner::new(machine, slice, rules, has_now);
        while planner.compute() || planner.try_one() {}
        planner.finish()
    }
}

/// Whether a variable is known, and from which level on.
#[derive(Clone, Debug)]
struct Known {
    now: IdVec<VarId, Option<u32>>,
    next: IdVec<VarId, Option<u32>>,
}

impl Known {
    /// From which level on all of these are.
    fn all(&self, access: &Access) -> Option<u32> {
        let now = access.now.iter().map(|&var| self.now[var]);
        let next = access.next.iter().map(|&var| self.next[var]);
        now.chain(next).try_fold(0, |level, known| Some(level.max(known?)))
    }
}

/// A value that a condition determines for a variable, its read set, and the number of the condition.
struct Hint {
    node: NodeId,
    access: Access,
    constraint: usize,
}

struct Planner<'m> {
    machine: &'m mut Machine,
    rules: Rules,
    plan: Plan,
    known: Known,
    assignment_access: IdVec<VarId, Access>,
    hints: FxHashMap<VarId, Vec<Hint>>,
    constraint_access: Vec<Access>,
    /// The conditions that are met because a variable was computed from them.
    used: Vec<bool>,
    /// The variables that are not ordered yet.
    open: Vec<VarId>,
}

impl<'m> Planner<'m> {
    fn new(machine: &'m mut Machine, slice: &Slice, rules: Rules, has_now: bool) -> Self {
        let kind = |var: VarId| machine.vars[var].kind;
        let now =
            machine.vars.ids().map(|var| (has_now && kind(var) != VarKind::Input).then_some(0));
        let known = Known { now: now.collect(), next: machine.vars.iter().map(|_| None).collect() };
        let assignment_access: IdVec<VarId, Access> = rules
            .assignments
            .values()
            .map(|assignment| {
                assignment.map_or(Access::default(), |choice| {
                    machine.access(machine.choices.nodes(choice))
                })
            })
            .collect();
        let constraint_access: Vec<Access> =
            rules.constraints.iter().map(|&constraint| machine.access([constraint])).collect();
        let mut reads: Vec<VarId> = assignment_access
            .values()
            .chain(&constraint_access)
            .flat_map(|a| a.now.clone())
            .collect();
        reads.sort_unstable();
        reads.dedup();
        // An input that is not read changes nothing.
        let is_open = |&var: &VarId| match kind(var) {
            VarKind::Input => has_now && reads.binary_search(&var).is_ok(),
            VarKind::State | VarKind::Frozen => slice.contains(var),
        };
        let open = machine.vars.ids().filter(is_open).collect();
        let used = vec![false; rules.constraints.len()];
        let hints = hints(machine, &rules, &read_at_risk(machine, &rules, &assignment_access));
        let plan = Plan::default();
        Self {
            machine,
            rules,
            plan,
            known,
            assignment_access,
            hints,
            constraint_access,
            used,
            open,
        }
    }

    /// Decides the variables that follow from known ones; whether there was one.
    fn compute(&mut self) -> bool {
        let before = self.open.len();
        for var in std::mem::take(&mut self.open) {
            match self.computed(var) {
                Some((source, level)) => self.decide(var, source, level),
                None => self.open.push(var),
            }
        }
        self.open.len() < before
    }

    fn computed(&mut self, var: VarId) -> Option<(Source, u32)> {
        if let Some(choice) = self.rules.assignments[var] {
            let node = self.machine.choices.as_one(choice)?;
            let level = self.known.all(&self.assignment_access[var])?;
            return Some((Source::Assigned(node), level));
        }
        let hints = self.hints.get(&var)?;
        let ready =
            |hint: &&Hint| !self.used[hint.constraint] && self.known.all(&hint.access).is_some();
        let hint = hints.iter().find(ready)?;
        let level = self.known.all(&hint.access)?;
        self.used[hint.constraint] = true;
        Some((Source::Determined(hint.node), level))
    }

    fn decide(&mut self, var: VarId, source: Source, level: u32) {
        let is_risk = |choice: ChoiceId| self.machine.choice_can_fail(var, choice);
        if self.rules.assignments[var].is_some_and(is_risk) {
            self.plan.last_risk = self.plan.last_risk.max(level);
        }
        match self.machine.vars[var].kind {
            VarKind::Input => self.known.now[var] = Some(level),
            VarKind::State | VarKind::Frozen => self.known.next[var] = Some(level),
        }
        self.plan.decisions.push(Decision { var, source, level });
    }

    /// Decides to try the values of one variable; whether one was left.
    fn try_one(&mut self) -> bool {
        let Some(index) =
            (0..self.open.len()).min_by_key(|&index| self.reluctance(self.open[index]))
        else {
            return false;
        };
        let var = self.open.swap_remove(index);
        let source = match self.rules.assignments[var] {
            Some(choice) if self.known.all(&self.assignment_access[var]).is_some() => {
                Source::Choice(choice)
            }
            Some(choice) => {
                // The choice depends on the variable itself: try all values, and check then.
                let value = self.machine.next(var);
                let constraint = self.machine.member(value, choice);
                self.constraint_access.push(self.machine.access([constraint]));
                self.rules.constraints.push(constraint);
                self.used.push(false);
                Source::Free
            }
            None => Source::Free,
        };
        self.plan.levels += 1;
        let level = self.plan.levels;
        self.decide(var, source, level);
        true
    }

    /// Inputs first, because much follows from them; then what conditions read, because they save trials;
    /// small domains before large ones.
    fn reluctance(&self, var: VarId) -> (u32, u128) {
        let Self { machine, rules, known, .. } = self;
        let is_read = || {
            let assignments = self.open.iter().map(|&other| &self.assignment_access[other]);
            assignments.chain(&self.constraint_access).any(|access| access.next.contains(&var))
        };
        let class = match rules.assignments[var] {
            _ if machine.vars[var].kind == VarKind::Input => 0,
            Some(_) if known.all(&self.assignment_access[var]).is_none() => 4,
            Some(_) if is_read() => 1,
            None if is_read() => 2,
            _ => 3,
        };
        (class, machine.vars[var].domain.size())
    }

    fn finish(mut self) -> Plan {
        self.plan.decisions.sort_by_key(|decision| decision.level);
        let left = self.rules.constraints.iter().zip(&self.used).filter(|&(_, used)| !used);
        self.plan.checks = left.map(|(&constraint, _)| constraint).collect();
        self.plan
    }
}

/// The next values that assignments depend on which can fail.
fn read_at_risk(
    machine: &Machine,
    rules: &Rules,
    assignment_access: &IdVec<VarId, Access>,
) -> FxHashSet<VarId> {
    let is_risk = |&(var, assignment): &(VarId, &Option<ChoiceId>)| {
        assignment.is_some_and(|choice| machine.choice_can_fail(var, choice))
    };
    let mut open: Vec<VarId> =
        rules.assignments.iter().filter(is_risk).map(|(var, _)| var).collect();
    let mut read = FxHashSet::default();
    while let Some(var) = open.pop() {
        open.extend(assignment_access[var].next.iter().copied().filter(|&next| read.insert(next)));
    }
    read
}

fn hints(
    machine: &mut Machine,
    rules: &Rules,
    at_risk: &FxHashSet<VarId>,
) -> FxHashMap<VarId, Vec<Hint>> {
    let mut hints: FxHashMap<VarId, Vec<Hint>> = FxHashMap::default();
    for (index, &constraint) in rules.constraints.iter().enumerate() {
        if machine.exprs.can_fault(constraint) {
            continue;
        }
        for (var, determined) in definition(&machine.exprs, constraint) {
            if rules.assignments[var].is_some() || at_risk.contains(&var) {
                continue;
            }
            let node = match determined {
                Determined::Truth(value) => machine.exprs.bool(value),
                Determined::Value(node) => node,
            };
            let access = machine.access([node]);
            hints.entry(var).or_default().push(Hint { node, access, constraint: index });
        }
    }
    hints
}

/// Whether a node is a variable of the state that is looked for.
pub(super) fn as_next(node: ExprNode) -> Option<VarId> {
    if let ExprNode::Next(var) = node { Some(var) } else { None }
}
