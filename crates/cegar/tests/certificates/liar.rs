//! Solvers that fail, for tests.

use smt::{Counters, Embedded, LinearFormula, SatAnswer, Solver};

/// Answers as it likes.
pub struct Liar<F: FnMut(&mut Embedded, &[LinearFormula]) -> SatAnswer> {
    inner: Embedded,
    answer: F,
}

pub fn liar<F: FnMut(&mut Embedded, &[LinearFormula]) -> SatAnswer>(answer: F) -> Liar<F> {
    Liar { inner: Embedded::new(), answer }
}

impl<F: FnMut(&mut Embedded, &[LinearFormula]) -> SatAnswer> Solver for Liar<F> {
    fn check(&mut self, parts: &[LinearFormula]) -> SatAnswer {
        (self.answer)(&mut self.inner, parts)
    }

    fn push(&mut self, part: &LinearFormula) {
        self.inner.push(part);
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }
}
