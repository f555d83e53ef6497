//! The assignments and constraints of a search for states: the conjuncts of the transition system, all about the state
//! that is searched for, which is the next one.

use crate::access::Role;
use crate::choice::ChoiceId;
use crate::cone::Slice;
use crate::expr::{Binary, ExprNode, NodeId, Type, Unary};
use crate::exprs::Exprs;
use crate::parts::{Machine, Section, VarId};
use support::IdVec;

/// The rules for one kind of search: for the start or for a step.
#[derive(Clone, Default, Debug)]
pub(super) struct Rules {
    /// By variable, the choice that is assigned to it.
    pub assignments: IdVec<VarId, Option<ChoiceId>>,
    /// The conditions that the state has to satisfy.
    pub constraints: Vec<NodeId>,
}

impl Rules {
    /// The rules for the start (`Section::Init`) or for a step (`Section::Trans`). Conjuncts about every state are also
    /// about the one that is searched for.
    pub fn new(machine: &mut Machine, slice: &Slice, section: Section) -> Self {
        let mut rules =
            Rules { assignments: machine.vars.iter().map(|_| None).collect(), constraints: vec![] };
        for conjunct in
            slice.conjuncts.iter().filter(|c| [section, Section::Invar].contains(&c.section))
        {
            let is_primed = conjunct.section != Section::Trans;
            match conjunct.role {
                Role::Assignment(var, choice) => {
                    let choice = if is_primed { machine.primed_choice(choice) } else { choice };
                    rules.assign(machine, var, choice);
                }
                Role::Constraint(node) => {
                    let node = if is_primed { machine.primed(node) } else { node };
                    rules.constraints.extend(machine.exprs.conjuncts(node));
                }
                Role::Frame(var) => {
                    let node = machine.now(var);
                    let choice = machine.one(node);
                    rules.assign(machine, var, choice);
                }
            }
        }
        rules
    }

    /// A second assignment to a variable becomes a constraint.
    fn assign(&mut self, machine: &mut Machine, var: VarId, choice: ChoiceId) {
        if self.assignments[var].is_none() {
            self.assignments[var] = Some(choice);
            return;
        }
        let value = machine.next(var);
        self.constraints.push(machine.member(value, choice));
    }

    /// One set of rules for each process, where processes take turns: each changes little.
    pub fn by_process(self, machine: &mut Machine) -> Vec<Rules> {
        let Some(selector) = machine.selector else { return vec![self] };
        let domain = machine.vars[selector].domain.clone();
        let processes = (0..domain.size() as u64).map(|number| domain.value(number));
        processes.map(|process| self.with_value(machine, selector, process)).collect()
    }

    fn with_value(&self, machine: &mut Machine, var: VarId, value: i64) -> Rules {
        let with_value = |machine: &mut Machine, choice: Option<ChoiceId>| {
            choice.map(|choice| machine.choice_with_value(choice, var, value))
        };
        let assignments =
            self.assignments.values().map(|&choice| with_value(machine, choice)).collect();
        let constraints =
            self.constraints.iter().map(|&constraint| machine.with_value(constraint, var, value));
        Rules { assignments, constraints: constraints.collect() }
    }

    /// The rules as several sets of which one applies, where a disjunction tells what variables become
    /// that nothing else does: `x = 0 & next(x) = 1 | x = 1 & next(x) = 0`.
    pub fn alternatives(self, exprs: &mut Exprs) -> Vec<Rules> {
        let unassigned = |var: VarId| self.assignments[var].is_none();
        let unassigned_reads = |&(_, node): &(usize, NodeId)| {
            let below = exprs.below([node]);
            below
                .iter()
                .filter(|&&id| matches!(exprs.node(id), ExprNode::Next(v) if unassigned(v)))
                .count()
        };
        // Where a case has no value another one may decide.
        let is_split = |&(_, node): &(usize, NodeId)| {
            matches!(exprs.node(node), ExprNode::Binary(Binary::Or, ..) | ExprNode::Ite(..))
                && !exprs.can_fault(node)
        };
        let splits = self.constraints.iter().copied().enumerate().filter(is_split);
        let Some((index, node)) =
            splits.max_by_key(unassigned_reads).filter(|split| unassigned_reads(split) > 1)
        else {
            return vec![self];
        };
        let Some(disjuncts) = disjuncts(exprs, node) else { return vec![self] };
        let with_disjunct = |disjunct: Vec<NodeId>| {
            let mut rules = self.clone();
            rules.constraints.swap_remove(index);
            rules.constraints.extend(disjunct);
            rules
        };
        disjuncts.into_iter().map(with_disjunct).collect()
    }
}

/// The most disjuncts that a disjunction is split into.
const MOST_DISJUNCTS: usize = 256;

/// A disjunction, or a chain of cases, as lists of conjuncts; `None` if there are too many.
fn disjuncts(exprs: &mut Exprs, root: NodeId) -> Option<Vec<Vec<NodeId>>> {
    let mut disjuncts = Vec::new();
    let mut open: Vec<Vec<NodeId>> = vec![vec![root]];
    while let Some(mut disjunct) = open.pop() {
        if disjuncts.len() + open.len() > MOST_DISJUNCTS {
            return None;
        }
        let last = disjunct.pop()?;
        match exprs.node(last) {
            ExprNode::Binary(Binary::Or, a, b) if exprs.ty(last) == Type::Bool => {
                open.extend([[disjunct.clone(), vec![b]].concat(), [disjunct, vec![a]].concat()]);
            }
            ExprNode::Ite(condition, then, otherwise) => {
                let not = exprs.not(condition);
                let with_not = [disjunct.clone(), exprs.conjuncts(not), vec![otherwise]].concat();
                open.push(with_not);
                open.push([disjunct, exprs.conjuncts(condition), vec![then]].concat());
            }
            _ => {
                disjunct.extend(exprs.conjuncts(last));
                disjuncts.push(disjunct);
            }
        }
    }
    Some(disjuncts)
}

/// The next values of variables that a condition determines, if it does.
pub(super) fn definition(exprs: &Exprs, constraint: NodeId) -> Vec<(VarId, Determined)> {
    match exprs.node(constraint) {
        ExprNode::Next(var) => vec![(var, Determined::Truth(true))],
        ExprNode::Unary(Unary::Not, a) => match exprs.node(a) {
            ExprNode::Next(var) => vec![(var, Determined::Truth(false))],
            _ => Vec::new(),
        },
        ExprNode::Binary(Binary::Eq, a, b) => [(a, b), (b, a)]
            .into_iter()
            .filter_map(|(one, other)| match exprs.node(one) {
                ExprNode::Next(var) => Some((var, Determined::Value(other))),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Determined {
    Truth(bool),
    Value(NodeId),
}
