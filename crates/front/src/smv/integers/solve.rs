//! Satisfiability questions of the translation, to the embedded solver.

use smt::{Embedded, LinearFormula, SatAnswer, Solver, Variable};

/// Who is told what cannot be: the reading rests on it.
pub type Witness<'w> = dyn FnMut(&[LinearFormula]) + 'w;

/// Says of conditions whether they can hold. What it does not know can be.
pub(super) struct Oracle<'w> {
    solver: Embedded,
    witness: &'w mut Witness<'w>,
}

impl<'w> Oracle<'w> {
    pub fn new(witness: &'w mut Witness<'w>) -> Self {
        Self { solver: Embedded::new(), witness }
    }

    fn is_impossible(&mut self, parts: &[LinearFormula]) -> bool {
        let is_impossible = matches!(self.solver.check(parts), SatAnswer::Unsat(_));
        if is_impossible {
            (self.witness)(parts);
        }
        is_impossible
    }

    pub fn is_possible(&mut self, known: &[LinearFormula], more: &[LinearFormula]) -> bool {
        !self.is_impossible(&[known, more].concat())
    }

    /// Whether wherever some conditions hold there are values for these variables with which one of the others holds.
    pub fn is_always_one(
        &mut self,
        known: &[LinearFormula],
        some: Vec<LinearFormula>,
        free: &[Variable],
    ) -> bool {
        let mut one = LinearFormula::or(some);
        for &variable in free {
            match one.exists(variable) {
                Ok(fewer) => one = fewer,
                Err(_) => return false,
            }
        }
        self.is_impossible(&[known, &[one.negated()]].concat())
    }
}
