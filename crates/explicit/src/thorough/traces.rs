//! The traces through the formulas of a branch, and whether all of them are good.
//!
//! A trace goes from a formula of a node of the tableau to one that it needs at the next node. It is bad if the highest
//! priority that it meets for ever is odd: a least fixpoint is unfolded for ever. A branch is good if no trace on it is
//! bad, which a deterministic automaton has to tell from the nodes. Within one block of the formula all fixpoints can be
//! of one kind; if they are in all blocks, the formulas that have been within least fixpoints since the last break are
//! kept, and there is a break when none is left (Miyano and Hayashi). Else the automaton of bad traces is determinised
//! ([`SafraTree`]).

use super::safra::SafraTree;
use game::Plan;
use logic::Fix;

/// A formula of a node (an equation) and one that it needs at the next one, with the highest priorities that traces
/// between them meet, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TraceStep {
    pub from: u32,
    pub to: u32,
    pub highest: u64,
}

/// State of the deterministic automaton at a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum TraceState {
    /// The formulas of the node, and those of them that have been in least fixpoints since the last break.
    Weak {
        formulas: Vec<u32>,
        pending: Vec<u32>,
    },
    Tree(SafraTree),
}

/// The automaton. Its priorities count as in a game whose verifier wants all traces to be good; the least matters.
pub(super) struct Traces<'a> {
    plan: &'a Plan,
    is_weak: bool,
    /// The odd priorities of stages with both kinds of fixpoints, which a bad trace can settle for.
    odd: Vec<u32>,
}

impl<'a> Traces<'a> {
    pub fn new(plan: &'a Plan) -> Self {
        let mixed = |equation: &u32| {
            let stage = plan.stage_of(*equation);
            stage.recursive && stage.witness.is_none()
        };
        let equations = (0..plan.len() as u32).filter(mixed);
        let priorities = equations.map(|equation| plan.equations[equation as usize].priority);
        let mut odd: Vec<u32> = priorities.filter(|priority| priority % 2 == 1).collect();
        odd.sort_unstable();
        odd.dedup();
        Self { plan, is_weak: odd.is_empty(), odd }
    }

    pub fn start(&self, formula: u32) -> TraceState {
        match self.is_weak {
            true => TraceState::Weak { formulas: vec![formula], pending: Vec::new() },
            false => TraceState::Tree(SafraTree::new(self.waiting(formula))),
        }
    }

    /// The formulas of the node.
    pub fn formulas(&self, state: &TraceState) -> Vec<u32> {
        match state {
            TraceState::Weak { formulas, .. } => formulas.clone(),
            TraceState::Tree(tree) => {
                let width = self.width();
                let waiting = tree.states().iter().filter(|&state| state % width == 0);
                waiting.map(|state| state / width).collect()
            }
        }
    }

    /// The state at the next node, and the priority of the step: even ones are for bad traces.
    pub fn step(&self, state: &TraceState, steps: &[TraceStep]) -> (TraceState, u32) {
        match state {
            TraceState::Weak { formulas, pending } => {
                let is_break = pending.is_empty();
                let followed = if is_break { formulas } else { pending };
                let all = |wanted: &dyn Fn(&&TraceStep) -> bool| {
                    let mut all: Vec<u32> = steps.iter().filter(wanted).map(|s| s.to).collect();
                    all.sort_unstable();
                    all.dedup();
                    all
                };
                let formulas = all(&|_| true);
                let pending =
                    all(&|step| followed.contains(&step.from) && self.stays_in_least(step));
                let priority = if pending.is_empty() { 1 } else { 2 };
                (TraceState::Weak { formulas, pending }, priority)
            }
            TraceState::Tree(tree) => {
                let (tree, priority) = tree.step(|state| self.successors(state, steps));
                (TraceState::Tree(tree), priority)
            }
        }
    }

    fn same_stage(&self, step: &TraceStep) -> bool {
        self.plan.stage_of(step.from).contains(step.to)
    }

    fn stays_in_least(&self, step: &TraceStep) -> bool {
        self.same_stage(step) && self.plan.stage_of(step.from).witness == Some(Fix::Mu)
    }

    /// States of the automaton of bad traces: for each formula the trace waits, or has settled for a priority.
    fn width(&self) -> u32 {
        self.odd.len() as u32 + 1
    }

    fn waiting(&self, formula: u32) -> u32 {
        formula * self.width()
    }

    /// The successors of a state of the automaton of bad traces, and whether the step is accepting.
    fn successors(&self, state: u32, steps: &[TraceStep]) -> Vec<(u32, bool)> {
        let (formula, settled) = (state / self.width(), state % self.width());
        let mut successors = Vec::new();
        for step in steps.iter().filter(|step| step.from == formula) {
            let waiting = self.waiting(step.to);
            if settled == 0 {
                successors.push((waiting, self.stays_in_least(step)));
            }
            if !self.same_stage(step) || self.plan.stage_of(formula).witness.is_some() {
                continue;
            }
            for (index, &odd) in (1..).zip(&self.odd) {
                let up_to = (1 << odd) | ((1 << odd) - 1);
                if (settled == 0 || settled == index) && step.highest & up_to != 0 {
                    let accepts = settled == index && step.highest >> odd & 1 == 1;
                    successors.push((waiting + index, accepts));
                }
            }
        }
        successors
    }
}
