//! Deciders: the effect of a step on predicates.

use crate::abstraction::abstract_program::MOST_TOUCHED;
use smt::LinearFormula;
use support::{Monitor, Stopped};
use transition::abstracted::Monomial;
use transition::integers::IntegerStep;

/// The effect of a step on a list of predicates, bit i being that of the i-th: may transitions between minterms, must
/// transitions from minterms to monomials (X Thm 8).
///
/// It is sound if
/// - may has a pair (m, m') wherever a state of γ(m) can step to one of γ(m'), and
/// - must has a pair (m, t) only where every state of γ(m) can step to one of γ(t).
///
/// So a may that need not be there and a must that is missing cost precision and nothing else. A minterm that
/// no state satisfies needs neither. Must targets that are less precise than another one of the same minterm say
/// nothing new and are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepTable {
    pub may: Vec<(u64, u64)>,
    pub must: Vec<(u64, Monomial)>,
}

impl StepTable {
    /// Sound for every step: all may be, nothing must.
    pub fn knowing_nothing(predicates: usize) -> Self {
        let minterms = || Monomial::TRUE.minterms(predicates);
        let may = minterms().flat_map(|source| minterms().map(move |target| (source, target)));
        Self { may: may.collect(), must: Vec::new() }
    }
}

/// Finds the table of a step.
///
/// It is asked once for every step, with the predicates that the step touches: at most
/// [`most_touched`](Decider::most_touched) of them, among which are all that the step can change. Sources and
/// targets of the step do not matter. A decider with other sources (a solver that can give up, a cache) knows
/// less at times, which is fine as long as the table is sound; an error is only for a reached limit.
pub trait Decider {
    /// How many predicates it can be asked about together.
    fn most_touched(&self) -> usize {
        MOST_TOUCHED
    }

    fn decide(
        &mut self,
        step: &IntegerStep,
        predicates: &[&LinearFormula],
        monitor: &Monitor,
    ) -> Result<StepTable, Stopped>;
}
