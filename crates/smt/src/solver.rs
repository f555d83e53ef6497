//! The interface of solvers: satisfiability of a set of formulas.

use crate::{LinearFormula, SmtModel};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatAnswer {
    /// All hold here, the context included.
    Sat(SmtModel),
    /// These of the parts contradict each other or the context already; by number, in order.
    Unsat(Vec<usize>),
    /// Nothing is known, and why.
    Unknown(String),
}

/// The number of queries, and of their answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
}

impl Counters {
    pub(crate) fn count(&mut self, answer: &SatAnswer) {
        self.queries += 1;
        match answer {
            SatAnswer::Sat(_) => self.sat += 1,
            SatAnswer::Unsat(_) => self.unsat += 1,
            SatAnswer::Unknown(_) => self.unknown += 1,
        }
    }
}

/// An answer is exact or unknown: no fault of a solver makes it wrong.
pub trait Solver {
    /// Whether the parts can hold together, and with the context.
    fn check(&mut self, parts: &[LinearFormula]) -> SatAnswer;

    /// Adds to the context.
    fn push(&mut self, part: &LinearFormula);

    /// Takes back the last push; does nothing if there is none.
    fn pop(&mut self);

    fn counters(&self) -> Counters;

    /// A disagreement between several solvers, in words: one of them is wrong.
    fn disagreement(&self) -> Option<&str> {
        None
    }

    /// Interpolants of formulas A₀ … Aₙ that cannot all hold: formulas I₁ … Iₙ with A₀ ⇒ I₁, Iₖ ∧ Aₖ ⇒ Iₖ₊₁ and
    /// ¬(Iₙ ∧ Aₙ), where Iₖ speaks of what both A₀ … Aₖ₋₁ and Aₖ … Aₙ speak of. The context does not count. Nothing
    /// if there are none, or if the solver finds none. A solver that fails may give others, so they are proposals.
    fn interpolate(&mut self, sequence: &[LinearFormula]) -> Option<Vec<LinearFormula>> {
        let _ = sequence;
        None
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn check(&mut self, parts: &[LinearFormula]) -> SatAnswer {
        (**self).check(parts)
    }

    fn push(&mut self, part: &LinearFormula) {
        (**self).push(part);
    }

    fn pop(&mut self) {
        (**self).pop();
    }

    fn counters(&self) -> Counters {
        (**self).counters()
    }

    fn interpolate(&mut self, sequence: &[LinearFormula]) -> Option<Vec<LinearFormula>> {
        (**self).interpolate(sequence)
    }
}

/// Makes a core of unsatisfiable parts as small as leaving out one after the other can. A part stays if the
/// solver does not know. The last are left out first, so what should rather stay is to stand at the front.
pub fn minimise<S: Solver + ?Sized>(
    solver: &mut S,
    parts: &[LinearFormula],
    mut core: Vec<usize>,
) -> Vec<usize> {
    let mut at = core.len();
    while at > 0 {
        at -= 1;
        let fewer: Vec<usize> = core.iter().copied().filter(|&part| part != core[at]).collect();
        let asked: Vec<LinearFormula> = fewer.iter().map(|&part| parts[part].clone()).collect();
        if let SatAnswer::Unsat(found) = solver.check(&asked) {
            // What was tried before was needed with more beside it, so it is needed still.
            at = found.iter().filter(|&&place| place < at).count();
            core = found.into_iter().map(|place| fewer[place]).collect();
        }
    }
    core
}
