//! Concretisation of evidence: a run of the program, with values, that shows a verdict.
//!
//! Evidence is a strategy for a game on the abstraction. Its positions are followed with values: where the winner
//! chooses a step, one is taken that leads to a state from which he wins, and there is one, because a must transition
//! holds for all values. Where his opponent chooses, the run ends: a single run shows no more.

use crate::abstract_model::GamePosition;
use crate::cegar_loop::{AbstractEvidence, CegarAnswer, CegarQuestion};
use crate::precision::Precision;
use crate::reachability::AbstractState;
use crate::strategy::Strategy;
use explicit::certificate::Evidence;
use explicit::{Known, Times};
use logic::evidence::RunFact;
use logic::{Node, NodeId, Truth, VarId};
use rustc_hash::FxHashMap;
use smt::{LinearFormula, SmtModel, Solver, Term, Variable};
use transition::integers::IntegerProgram;

/// A run, from a state in which the program can begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConcreteRun {
    pub states: Vec<ConcreteState>,
    pub end: RunEnd,
    /// Whether there is more to show than this run does: it is one of several that are needed.
    pub is_example: bool,
}

/// A state on the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConcreteState {
    pub location: u32,
    pub values: Vec<i64>,
    /// The step that is taken next.
    pub step: Option<u32>,
    /// The facts of this state that were not reported before.
    pub facts: Vec<RunFact>,
}

/// How a run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The last state shows the verdict by itself.
    Decided,
    /// The verdict depends on all steps from the last state.
    AllSuccessors,
    /// The last step leads to this state again.
    Loop(usize),
    /// The last state differs from this one in values that do not matter: from every state where this formula holds,
    /// the run can repeat these steps for ever.
    Recurrence { to: usize, where_holds: Vec<LinearFormula> },
    /// It continues for ever, by these steps or by others.
    Continues,
    /// It ends at the limit of states.
    LengthLimit,
    /// The solver does not say, or a number is too large.
    SolverLimit,
}

/// The most states of a run.
const MOST_STATES: usize = 2000;
/// The iterations of a cycle that are printed.
const ROUNDS: usize = 2;
/// States that are searched beyond these for a state that a run returns to.
const FURTHER: usize = 60;
/// Values up to this are preferred, where there is a choice.
const SMALL: i64 = 9;

/// Concretises the evidence of a definite answer. Some locations may be unknown to the user: a run that begins there is
/// reported from its first step, and its loops begin at others only.
pub fn concretise(
    question: &CegarQuestion,
    answer: &CegarAnswer,
    solver: &mut dyn Solver,
    is_known: &dyn Fn(u32) -> bool,
) -> Option<ConcreteRun> {
    let shown = answer.evidence.as_ref()?;
    let AbstractEvidence { graph, model, formula, evidence, .. } = shown;
    let Evidence::Direct(steps) = evidence else {
        return None;
    };
    let location = question.start.0;
    let numbers = (0..).zip(&model.positions).map(|(n, p)| (p.clone(), n)).collect();
    let states = (0..).zip(&graph.states).map(|(n, &state)| (state, n)).collect();
    let times = Times::new(formula, steps, model.model.states());
    let value = answer.verdict == Truth::True;
    let strategy = Strategy::new(formula, times, &model.model, value);
    let field = Field { program: question.program, precision: &answer.precision, states };
    let (states, went_round) = (Vec::new(), None);
    let mut walker =
        Walker { field, shown, numbers, strategy, solver, states, went_round, is_known };
    let begins = [question.start.1.clone(), question.invariant.clone()];
    let root = formula.root();
    let at = match formula.node(root) {
        Node::Modal(_, _, body) if !is_known(location) => walker.enter(&begins, body)?,
        _ => walker.begin(location, &begins)?,
    };
    let end = walker.walk(at);
    let Walker { states, strategy, .. } = walker;
    Some(ConcreteRun { states, end, is_example: strategy.leaves_out })
}

/// The program and its abstraction: which abstract state some values are in.
struct Field<'a> {
    program: &'a IntegerProgram,
    precision: &'a Precision,
    states: FxHashMap<AbstractState, u32>,
}

impl Field<'_> {
    fn state(&self, location: u32, values: &[i64]) -> Option<u32> {
        self.states.get(&self.precision.state(location, values)?).copied()
    }

    /// The values after a step that does not choose, or with what it chooses; none if it cannot be taken.
    fn after(&self, step: u32, values: &[i64], chosen: &SmtModel) -> Option<Vec<i64>> {
        let step = &self.program.steps[step as usize];
        let of = |variable: Variable| match values.get(variable.0 as usize) {
            Some(&value) => value.into(),
            None => chosen.value(variable),
        };
        step.guard.holds(&of)?.then_some(())?;
        let mut new = values.to_vec();
        for (variable, value) in &step.changes {
            new[variable.0 as usize] = i64::try_from(value.value(&of)?).ok()?;
        }
        Some(new)
    }
}

struct Walker<'a, 's> {
    field: Field<'a>,
    shown: &'a AbstractEvidence,
    numbers: FxHashMap<GamePosition, u32>,
    strategy: Strategy<'a>,
    solver: &'s mut dyn Solver,
    states: Vec<ConcreteState>,
    /// How many there were at its first iteration with other values.
    went_round: Option<usize>,
    is_known: &'a dyn Fn(u32) -> bool,
}

/// The last state of a run, and the subformula to show there.
struct At {
    location: u32,
    values: Vec<i64>,
    position: u32,
    node: NodeId,
}

/// Where the winner takes a step: the modality, and what comes behind it.
#[derive(Clone, Copy)]
pub(crate) struct Modal {
    pub node: NodeId,
    pub body: NodeId,
}

/// When a modality came up before: at which state, and how many fixpoints had been unfolded then.
#[derive(Default)]
struct Visits(FxHashMap<(u32, NodeId), Vec<(usize, usize)>>);

impl Walker<'_, '_> {
    /// Values with which the program begins, for a true formula where it takes the longest to see that.
    fn begin(&mut self, location: u32, begins: &[LinearFormula]) -> Option<At> {
        let initial = 0..self.shown.graph.initial.len() as u32;
        let known = initial.filter_map(|n| Some((self.strategy.known_at_first(n)?, n))).collect();
        let node = self.strategy.formula.root();
        self.in_order(known).into_iter().find_map(|(_, position)| {
            let literals = self.literals(position);
            let values = self.small_values([begins, &literals].concat())?;
            Some(At { location, values, position, node })
        })
    }

    /// Enters the program: the first step leads to its initial location and changes nothing.
    fn enter(&mut self, begins: &[LinearFormula], node: NodeId) -> Option<At> {
        let mut known = Vec::new();
        for first in 0..self.shown.graph.initial.len() as u32 {
            for (number, transition) in (0..).zip(&self.shown.graph.transitions[first as usize]) {
                for &target in &transition.targets {
                    let position = self.next(first, number, target)?;
                    let since = self.strategy.known(position, node);
                    known.extend(
                        since.map(|since| (since, (first, transition.step, target, position))),
                    );
                }
            }
        }
        self.in_order(known).into_iter().find_map(|(_, (first, step, target, position))| {
            let taken = &self.field.program.steps[step as usize];
            let (here, there) = (self.literals(first), self.literals(target));
            let guard = std::slice::from_ref(&taken.guard);
            let location = taken.target;
            let values = self.small_values([begins, &here, guard, &there].concat())?;
            Some(At { location, values, position, node })
        })
    }

    /// Orders facts by when they became known; for a true formula reversed.
    fn in_order<T: Ord>(&self, mut known: Vec<(Known, T)>) -> Vec<(Known, T)> {
        known.sort_unstable();
        if self.strategy.value {
            known.reverse();
        }
        known
    }

    /// Literals of a state.
    fn literals(&self, state: u32) -> Vec<LinearFormula> {
        let AbstractState { location, bits } = self.shown.graph.states[state as usize];
        self.field.precision.literals(location, bits)
    }

    /// The variables of the program where everything is satisfied.
    fn small_values(&mut self, wanted: Vec<LinearFormula>) -> Option<Vec<i64>> {
        let model = self.small_model(wanted)?;
        let own = 0..self.field.program.variables.len() as u32;
        own.map(|v| i64::try_from(model.value(Variable(v))).ok()).collect()
    }

    /// Values that satisfy everything, small ones if there are some.
    fn small_model(&mut self, mut wanted: Vec<LinearFormula>) -> Option<SmtModel> {
        let mut variables = Vec::new();
        for formula in &wanted {
            formula.for_each_atom(&mut |atom| {
                variables.extend(atom.term().coefficients().iter().map(|&(variable, _)| variable));
            });
        }
        let plain = wanted.clone();
        for variable in crate::ranking_template::sorted(variables) {
            let term = Term::variable(variable);
            for side in [term.negated(), term] {
                wanted.extend(
                    side.plus_constant(-SMALL).ok().map(|side| LinearFormula::at_most(&side)),
                );
            }
        }
        [wanted, plain].iter().find_map(|parts| match self.solver.check(parts) {
            smt::SatAnswer::Sat(model) => Some(model),
            _ => None,
        })
    }

    fn walk(&mut self, from: At) -> RunEnd {
        let At { mut location, mut values, mut position, mut node } = from;
        let mut unfolded: Vec<VarId> = Vec::new();
        let mut visits = Visits::default();
        loop {
            let (modal, facts) = self.strategy.settle(position, node, &mut unfolded);
            let reached = ConcreteState { location, values: values.clone(), step: None, facts };
            let modal = match modal {
                Ok(modal) => modal,
                Err(end) => {
                    self.states.push(reached);
                    return end;
                }
            };
            if let Some(end) = self.comes_back(&reached, position, modal, &unfolded, &mut visits) {
                if !matches!(end, RunEnd::Loop(_)) {
                    self.states.push(reached);
                }
                return end;
            }
            self.states.push(reached);
            if let Some(at) = self.went_round.filter(|at| at + FURTHER <= self.states.len()) {
                self.states.truncate(at + 1);
                self.states[at].step = None;
                return RunEnd::Continues;
            }
            if self.states.len() >= MOST_STATES {
                return RunEnd::LengthLimit;
            }
            let Some((step, new, next)) = self.step(position, &values, modal) else {
                return RunEnd::SolverLimit;
            };
            self.states.last_mut().expect("one was pushed").step = Some(step);
            location = self.field.program.steps[step as usize].target;
            (values, position, node) = (new, next, modal.body);
        }
    }

    /// Whether it is a cycle that unfolds fixpoints of the winner's kind.
    fn comes_back(
        &mut self,
        reached: &ConcreteState,
        position: u32,
        modal: Modal,
        unfolded: &[VarId],
        visits: &mut Visits,
    ) -> Option<RunEnd> {
        if !(self.is_known)(reached.location) {
            return None;
        }
        let own = visits.0.entry((position, modal.node)).or_default();
        let is_same = |&&(at, _): &&(usize, usize)| {
            let before = &self.states[at];
            (before.location, &before.values) == (reached.location, &reached.values)
        };
        let is_ours = |from: usize| self.strategy.may_loop(&unfolded[from..]);
        if let Some(&(at, count)) = own.iter().find(is_same) {
            return is_ours(count).then_some(RunEnd::Loop(at));
        }
        let first = own.iter().rev().nth(ROUNDS - 1).copied();
        own.push((self.states.len(), unfolded.len()));
        let (to, _) = first.filter(|&(_, count)| is_ours(count))?;
        let state = self.shown.model.positions[position as usize].0;
        let here = self.literals(state);
        if self.goes_on(to, &here) {
            return Some(RunEnd::Recurrence {
                to,
                where_holds: crate::invariant::shortened(&here),
            });
        }
        self.went_round.get_or_insert(self.states.len());
        None
    }

    /// Whether the steps since a state can be taken wherever something holds, and lead to where it holds again.
    fn goes_on(&mut self, since: usize, here: &[LinearFormula]) -> bool {
        let steps = self.states[since..].iter().rev().map(|reached| reached.step);
        let before = |after: LinearFormula, step: Option<u32>| {
            let taken = &self.field.program.steps[step? as usize];
            let both = [taken.guard.clone(), taken.after_formula(&after).ok()?];
            taken
                .free
                .iter()
                .try_fold(LinearFormula::and(both), |some, &free| some.exists(free).ok())
        };
        let Some(wanted) = steps.into_iter().try_fold(LinearFormula::and(here.to_vec()), before)
        else {
            return false;
        };
        let asked = [here, &[wanted.negated()]].concat();
        matches!(self.solver.check(&asked), smt::SatAnswer::Unsat(_))
    }

    /// A step to a state from which the winner wins, the sooner the better.
    fn step(
        &mut self,
        position: u32,
        values: &[i64],
        modal: Modal,
    ) -> Option<(u32, Vec<i64>, u32)> {
        let limit = self.strategy.due(position, modal.node);
        let state = self.shown.model.positions[position as usize].0;
        let mut open: Vec<(Known, u32, u32, u32)> = Vec::new();
        for (number, transition) in (0..).zip(&self.shown.graph.transitions[state as usize]) {
            for &target in &transition.targets {
                let next = self.next(state, number, target)?;
                if let Some(known) = self.strategy.known(next, modal.body)
                    && known.is_before(limit)
                {
                    open.push((known, transition.step, target, next));
                }
            }
        }
        open.sort_unstable();
        open.into_iter().find_map(|(_, step, target, next)| {
            let new = self.values_after(step, values, target)?;
            Some((step, new, next))
        })
    }

    fn next(&self, state: u32, transition: u32, target: u32) -> Option<u32> {
        let rankings = self.shown.rankings.iter();
        let classes = rankings.map(|ranking| ranking.class(state, transition, target)).collect();
        self.numbers.get(&(target, classes)).copied()
    }

    /// The values after a step, if it can lead to this state.
    fn values_after(&mut self, step: u32, values: &[i64], target: u32) -> Option<Vec<i64>> {
        let field = &self.field;
        let taken = &field.program.steps[step as usize];
        let chosen = match taken.free.is_empty() {
            true => SmtModel::default(),
            false => self.choice(step, values, target)?,
        };
        let new = self.field.after(step, values, &chosen)?;
        let location = self.field.program.steps[step as usize].target;
        (self.field.state(location, &new) == Some(target)).then_some(new)
    }

    /// Choice of inputs by which a step leads to a state.
    fn choice(&mut self, step: u32, values: &[i64], target: u32) -> Option<SmtModel> {
        let taken = &self.field.program.steps[step as usize];
        let bits = self.shown.graph.states[target as usize].bits;
        let fixed = |Variable(v): Variable| match values.get(v as usize) {
            Some(&value) => Term::constant(value).ok(),
            None => None,
        };
        let mut wanted = Vec::new();
        for (index, atom) in self.field.precision.at(taken.target).enumerate() {
            let after = taken.after(atom).ok()?.substitute(&fixed).ok()?;
            wanted.push(if bits >> index & 1 == 1 { after } else { after.negated() });
        }
        self.small_model(wanted)
    }
}
