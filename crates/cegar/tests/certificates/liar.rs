//! Solvers that fail, for tests.

use smt::{Counters, Embedded, Formula, SatAnswer, Solver};

/// Answers as it likes.
pub struct Liar<F: FnMut(&mut Embedded, &[Formula]) -> SatAnswer> {
    inner: Embedded,
    answer: F,
}

pub fn liar<F: FnMut(&mut Embedded, &[Formula]) -> SatAnswer>(answer: F) -> Liar<F> {
    Liar { inner: Embedded::new(), answer }
}

impl<F: FnMut(&mut Embedded, &[Formula]) -> SatAnswer> Solver for Liar<F> {
    fn check(&mut self, parts: &[Formula]) -> SatAnswer {
        (self.answer)(&mut self.inner, parts)
    }

    fn push(&mut self, part: &Formula) {
        self.inner.push(part);
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }
}
