//! Who writes down what is asked.

use rustc_hash::FxHashSet;
use smt::{Counters, Embedded, Formula, SatAnswer, Solver};

/// The embedded solver with a record of questions, each once, with the context as parts of it.
pub struct Recorder<'a> {
    solver: Embedded,
    context: Vec<Formula>,
    asked: &'a mut FxHashSet<Vec<Formula>>,
    most: usize,
}

impl<'a> Recorder<'a> {
    /// Writes down until so many are known.
    pub fn new(asked: &'a mut FxHashSet<Vec<Formula>>, most: usize) -> Self {
        Self { solver: Embedded::new(), context: Vec::new(), asked, most }
    }
}

impl Solver for Recorder<'_> {
    fn check(&mut self, parts: &[Formula]) -> SatAnswer {
        if self.asked.len() < self.most {
            self.asked.insert([&self.context, parts].concat());
        }
        self.solver.check(parts)
    }

    fn push(&mut self, part: &Formula) {
        self.context.push(part.clone());
        self.solver.push(part);
    }

    fn pop(&mut self) {
        self.context.pop();
        self.solver.pop();
    }

    fn counters(&self) -> Counters {
        self.solver.counters()
    }
}
