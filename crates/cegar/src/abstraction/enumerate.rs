//! Decider by enumeration of values.

use crate::abstraction::decide::{Decider, StepTable};
use smt::{LinearFormula, Variable};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use support::{Monitor, Stopped};
use transition::abstracted::{Monomial, common_targets};
use transition::integers::IntegerStep;

/// Tables by enumeration of all values from a range for all variables that a step and its predicates speak of.
///
/// They are those of the program whose variables *start* in this range; a value that an assignment computes may lie
/// outside of it, and is judged as it is. They are exact for the program over all integers, and sound, if the range
/// is *representative*: if for every state there is one within the range in the same minterm that can step into
/// just the same minterms. The caller has to justify the range; for one that is too small, both tables can
/// lack states that matter, and what follows from them can be wrong.
///
/// For the steps `x := x + c`, `x := d - x / 2` and tests under predicates about sign and parity
/// ([`blocks`](crate::abstraction::blocks)), the outcome has a sign that depends on the sign of x alone as soon as x is
/// a few steps away from 0, and a parity that depends on the parity of x or, where it is halved, on x mod 4. So `x` and
/// `x + 4` are alike outside of a few values around 0, and a range with four more values on both sides of those is
/// representative.
pub struct ValueDecider {
    values: RangeInclusive<i64>,
}

impl ValueDecider {
    /// More than so many states are not tried out: then nothing is known.
    const MOST_STATES: u128 = 1 << 20;

    pub fn new(values: RangeInclusive<i64>) -> Self {
        Self { values }
    }

    /// Whether all of so many variables can be tried out.
    fn can_try(&self, variables: usize) -> bool {
        let (low, high) = (i128::from(*self.values.start()), i128::from(*self.values.end()));
        let size = (high - low + 1).max(0).unsigned_abs();
        let states = u32::try_from(variables).ok().and_then(|count| size.checked_pow(count));
        states.is_some_and(|states| states <= Self::MOST_STATES)
    }

    /// All ways to give so many variables values from the range.
    fn tuples(&self, variables: usize) -> impl Iterator<Item = Vec<i64>> {
        let (low, high) = (*self.values.start(), *self.values.end());
        let first = (variables == 0 || low <= high).then(|| vec![low; variables]);
        std::iter::successors(first, move |tuple| {
            let digit = tuple.iter().rposition(|&value| value < high)?;
            let mut next = tuple.clone();
            next[digit] += 1;
            next[digit + 1..].fill(low);
            Some(next)
        })
    }
}

impl Decider for ValueDecider {
    fn decide(
        &mut self,
        step: &IntegerStep,
        predicates: &[&LinearFormula],
        monitor: &Monitor,
    ) -> Result<StepTable, Stopped> {
        let trial = Trial::new(step, predicates);
        if !self.can_try(trial.variables.len() + step.free.len()) {
            return Ok(StepTable::knowing_nothing(predicates.len()));
        }
        let mut outcomes: Vec<BTreeSet<Vec<Monomial>>> =
            vec![BTreeSet::new(); 1 << predicates.len()];
        for state in self.tuples(trial.variables.len()) {
            monitor.step(1)?;
            let Some((source, targets)) = trial.outcome(self, &state) else {
                return Ok(StepTable::knowing_nothing(predicates.len()));
            };
            outcomes[source as usize].insert(targets);
        }
        Ok(table(&outcomes))
    }
}

/// For each minterm, the minterms that its states can step to, each once.
fn table(outcomes: &[BTreeSet<Vec<Monomial>>]) -> StepTable {
    let mut table = StepTable::default();
    for (source, lists) in (0..).zip(outcomes) {
        let targets: BTreeSet<u64> = lists.iter().flatten().map(|target| target.values).collect();
        table.may.extend(targets.into_iter().map(|target| (source, target)));
        // A minterm that no state satisfies has no lists and so gets nothing, though any must would be sound: it
        // is never stepped to, and a must without a may would make the model ill-formed.
        let common = common_targets(lists.iter().map(Vec::as_slice));
        table.must.extend(common.into_iter().map(|target| (source, target)));
    }
    table
}

/// One step under trial.
struct Trial<'a> {
    step: &'a IntegerStep,
    predicates: &'a [&'a LinearFormula],
    /// All that matter, rising.
    variables: Vec<Variable>,
}

impl<'a> Trial<'a> {
    fn new(step: &'a IntegerStep, predicates: &'a [&'a LinearFormula]) -> Self {
        let mut variables = step.variables();
        variables.extend(predicates.iter().flat_map(|predicate| predicate.variables()));
        variables.sort_unstable();
        variables.dedup();
        Self { step, predicates, variables }
    }

    /// The value of a variable in a state, or of one that is chosen.
    fn at(&self, state: &[i64], choice: &[i64], variable: Variable) -> i128 {
        let own = self.variables.binary_search(&variable).ok().map(|index| state[index]);
        let free = || self.step.free.iter().position(|&free| free == variable);
        own.or_else(|| free().and_then(|index| choice.get(index).copied())).unwrap_or(0).into()
    }

    /// The minterm of a state and, rising, those that it can step to; `None` if some value does not fit.
    fn outcome(&self, range: &ValueDecider, state: &[i64]) -> Option<(u64, Vec<Monomial>)> {
        let source = self.minterm(state)?;
        let mut targets = Vec::new();
        if self.step.guard.holds(&|variable| self.at(state, &[], variable))? {
            for choice in range.tuples(self.step.free.len()) {
                let target = self.minterm(&self.after(state, &choice)?)?;
                targets.push(Monomial::minterm(target, self.predicates.len()));
            }
        }
        targets.sort_unstable();
        targets.dedup();
        Some((source, targets))
    }

    fn minterm(&self, state: &[i64]) -> Option<u64> {
        let holds =
            |predicate: &&LinearFormula| predicate.holds(&|variable| self.at(state, &[], variable));
        self.predicates.iter().enumerate().try_fold(0, |minterm, (bit, predicate)| {
            Some(minterm | u64::from(holds(predicate)?) << bit)
        })
    }

    fn after(&self, state: &[i64], choice: &[i64]) -> Option<Vec<i64>> {
        let mut next = state.to_vec();
        for (changed, value) in &self.step.changes {
            let value = value.value(&|variable| self.at(state, choice, variable))?;
            next[self.variables.binary_search(changed).ok()?] = i64::try_from(value).ok()?;
        }
        Some(next)
    }
}
