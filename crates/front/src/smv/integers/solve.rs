//! What can be, as far as the arithmetic of our own finds out.

use arithmetic::{Answer, Embedded, Formula, Solver, Variable};
use predicates::{Condition, lower};

/// Says of conditions whether they can hold. What it does not know can be.
#[derive(Default)]
pub(super) struct Oracle {
    solver: Embedded,
}

impl Oracle {
    pub fn is_possible(&mut self, known: &[Condition], more: &[Condition]) -> bool {
        match formulas(known.iter().chain(more)) {
            Some(parts) => !matches!(self.solver.check(&parts), Answer::Unsat(_)),
            None => true,
        }
    }

    /// Whether wherever some conditions hold there are values for these variables with which one of the others holds.
    pub fn is_always_one(&mut self, known: &[Condition], some: &[Condition], free: &[u32]) -> bool {
        let (Some(mut parts), Some(some)) = (formulas(known), formulas(some)) else { return false };
        let mut one = Formula::or(some);
        for &variable in free {
            match one.exists(Variable(variable)) {
                Ok(fewer) => one = fewer,
                Err(_) => return false,
            }
        }
        parts.push(one.negated());
        matches!(self.solver.check(&parts), Answer::Unsat(_))
    }
}

fn formulas<'c>(conditions: impl IntoIterator<Item = &'c Condition>) -> Option<Vec<Formula>> {
    conditions.into_iter().map(|condition| lower::condition(condition).ok()).collect()
}
