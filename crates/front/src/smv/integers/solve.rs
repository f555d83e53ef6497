//! What can be, as far as the arithmetic of our own finds out.

use smt::{Embedded, Formula, SatAnswer, Solver, Variable};
use transition::predicates::{Condition, lower};

/// Who is told what cannot be: the reading rests on it.
pub type Witness<'w> = dyn FnMut(&[Formula]) + 'w;

/// Says of conditions whether they can hold. What it does not know can be.
pub(super) struct Oracle<'w> {
    solver: Embedded,
    witness: &'w mut Witness<'w>,
}

impl<'w> Oracle<'w> {
    pub fn new(witness: &'w mut Witness<'w>) -> Self {
        Self { solver: Embedded::new(), witness }
    }

    fn is_impossible(&mut self, parts: &[Formula]) -> bool {
        let is_impossible = matches!(self.solver.check(parts), SatAnswer::Unsat(_));
        if is_impossible {
            (self.witness)(parts);
        }
        is_impossible
    }

    pub fn is_possible(&mut self, known: &[Condition], more: &[Condition]) -> bool {
        match formulas(known.iter().chain(more)) {
            Some(parts) => !self.is_impossible(&parts),
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
        self.is_impossible(&parts)
    }
}

fn formulas<'c>(conditions: impl IntoIterator<Item = &'c Condition>) -> Option<Vec<Formula>> {
    conditions.into_iter().map(|condition| lower::condition(condition).ok()).collect()
}
