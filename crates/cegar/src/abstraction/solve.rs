//! Decider by a solver.

use crate::abstraction::decide::{Decider, StepTable};
use rustc_hash::FxHashMap;
use smt::{
    CaseMemory, Excess, IntegerValue, LinearFormula, SatAnswer, SmtModel, Solver, Variable, cases,
    literal, minimise,
};
use support::{Monitor, StopReason, Stopped};
use transition::abstracted::{Monomial, most_precise};
use transition::integers::IntegerStep;

/// Tables that are exact as far as a solver knows.
///
/// May is found by asking for the literals of a source and of a target one after the other, each contradiction being
/// minimised and met once: so the number of questions grows with what is possible and with the reasons why nothing else
/// is, not with all pairs of minterms. A step that does not choose must lead to the most precise monomial that covers
/// all that it may lead to. What was found out of a command and a list of predicates is kept.
pub struct SolverDecider<'s> {
    solver: &'s mut dyn Solver,
    known: FxHashMap<StepQuery, StepTable>,
}

/// The guard and the changes of a step, and predicates.
type StepQuery = (LinearFormula, Vec<(Variable, IntegerValue)>, Vec<LinearFormula>);

/// More sources, or targets of one of them, are not told apart.
const MOST_CASES: usize = 1 << 12;

impl<'s> SolverDecider<'s> {
    pub fn new(solver: &'s mut dyn Solver) -> Self {
        Self { solver, known: FxHashMap::default() }
    }

    fn find(&mut self, taken: &IntegerStep, before: &[LinearFormula]) -> Result<StepTable, Excess> {
        let after = before.iter().map(|formula| taken.after_formula(formula));
        let after: Vec<LinearFormula> = after.collect::<Result<_, _>>()?;
        let mut cores = Cores::default();
        let guard = std::slice::from_ref(&taken.guard);
        let sources = cases(self.solver, guard, before, &mut cores, &mut Vec::new(), MOST_CASES)?;
        let (mut table, mut enabled) = (StepTable::default(), Vec::new());
        let mut after_cores = Cores::default();
        for source in sources {
            let state: Vec<LinearFormula> = minterm(before, source).collect();
            after_cores.source = (source, state.len());
            let given = [&state[..], guard].concat();
            let found = &mut Vec::new();
            let targets = cases(self.solver, &given, &after, &mut after_cores, found, MOST_CASES)?;
            if self.is_enabled(source, &state, &taken.guard, &mut enabled) {
                let musts = self.musts(&state, taken, &after, &targets);
                table.must.extend(musts.into_iter().map(|must| (source, must)));
            }
            table.may.extend(targets.into_iter().map(|target| (source, target)));
        }
        Ok(table)
    }

    /// Whether a guard holds in all of a state; `known` are literals from which that follows.
    fn is_enabled(
        &mut self,
        source: u64,
        state: &[LinearFormula],
        guard: &LinearFormula,
        known: &mut Vec<(u64, u64)>,
    ) -> bool {
        if known.iter().any(|(which, values)| (source ^ values) & which == 0) {
            return true;
        }
        let asked = [state, &[guard.negated()]].concat();
        let SatAnswer::Unsat(core) = self.solver.check(&asked) else {
            return false;
        };
        let core = minimise(self.solver, &asked, core);
        let own = core.into_iter().filter(|&part| part < state.len());
        let which = own.fold(0, |which, part| which | 1 << part);
        known.push((which, source & which));
        true
    }

    /// Where a step that can be taken must lead: if it chooses, then perhaps to several targets as it likes.
    fn musts(
        &mut self,
        state: &[LinearFormula],
        taken: &IntegerStep,
        after: &[LinearFormula],
        targets: &[u64],
    ) -> Vec<Monomial> {
        let minterms = targets.iter().map(|&target| Monomial::minterm(target, after.len()));
        let mut musts: Vec<Monomial> = minterms.reduce(Monomial::join).into_iter().collect();
        if !taken.free.is_empty() && targets.len() > 1 {
            let sure = |&&target: &&u64| self.is_certain(state, &taken.free, after, target);
            let sure = targets.iter().filter(sure);
            musts.extend(sure.map(|&target| Monomial::minterm(target, after.len())));
        }
        most_precise(musts)
    }

    /// Whether there are values for what may become anything with which a target is reached from all of a state.
    fn is_certain(
        &mut self,
        state: &[LinearFormula],
        free: &[Variable],
        after: &[LinearFormula],
        target: u64,
    ) -> bool {
        let wanted = LinearFormula::and(minterm(after, target));
        let Ok(wanted) = free.iter().try_fold(wanted, |wanted, &free| wanted.exists(free)) else {
            return false;
        };
        let asked = [state, &[wanted.negated()]].concat();
        matches!(self.solver.check(&asked), SatAnswer::Unsat(_))
    }
}

impl Decider for SolverDecider<'_> {
    fn most_touched(&self) -> usize {
        16
    }

    fn decide(
        &mut self,
        step: &IntegerStep,
        predicates: &[&LinearFormula],
        monitor: &Monitor,
    ) -> Result<StepTable, Stopped> {
        monitor.step(1)?;
        let key = (step.guard.clone(), step.changes.clone(), owned(predicates));
        if let Some(table) = self.known.get(&key) {
            return Ok(table.clone());
        }
        let table = self.find(step, &key.2).map_err(|_| Stopped(StopReason::Size))?;
        self.known.insert(key, table.clone());
        Ok(table)
    }
}

fn owned(predicates: &[&LinearFormula]) -> Vec<LinearFormula> {
    predicates.iter().map(|&predicate| predicate.clone()).collect()
}

fn minterm(formulas: &[LinearFormula], values: u64) -> impl Iterator<Item = LinearFormula> {
    formulas.iter().enumerate().map(move |(n, formula)| literal(formula, values >> n & 1 == 1))
}

/// Contradictions that were met.
#[derive(Default)]
pub(super) struct Cores {
    /// The minterm before the step, if there is one, and how many of the given parts are its literals.
    source: (u64, usize),
    /// Which literals before and after contradict each other.
    cores: Vec<([u64; 2], [u64; 2])>,
}

impl Cores {
    /// Which literals of the formulas, and their values.
    pub fn after(&self) -> impl Iterator<Item = (u64, u64)> {
        self.cores.iter().map(|([_, after], [_, values])| (*after, *values))
    }
}

impl CaseMemory for Cores {
    fn implied(&self, _: usize, _: u64) -> Option<bool> {
        None
    }

    fn is_contradiction(&self, known: u64, values: u64) -> bool {
        let is_within = |([before, after], [old, new]): &([u64; 2], [u64; 2])| {
            (self.source.0 ^ old) & before == 0
                && after & !known == 0
                && (values ^ new) & after == 0
        };
        self.cores.iter().any(is_within)
    }

    fn learn_contradiction(&mut self, given: &[usize], known: u64, values: u64) {
        let (source, literals) = self.source;
        let own = given.iter().filter(|&&part| part < literals);
        let before = own.fold(0, |before, part| before | 1 << part);
        self.cores.push(([before, known], [source & before, values]));
    }

    fn learn_example(&mut self, _: SmtModel) {}
}
