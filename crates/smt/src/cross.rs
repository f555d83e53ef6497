//! Cross-checking of two solvers.

use crate::{Counters, LinearFormula, SatAnswer, Solver};

/// Asks both solvers; only a common answer counts, and an unknown of one is unknown. Where they contradict each other,
/// one of them is wrong: the disagreement is kept, and all later answers are unknown.
pub struct CrossChecked<A, B> {
    first: A,
    second: B,
    counters: Counters,
    disagreement: Option<String>,
}

impl<A: Solver, B: Solver> CrossChecked<A, B> {
    pub fn new(first: A, second: B) -> Self {
        let counters = Counters::default();
        Self { first, second, counters, disagreement: None }
    }

    pub fn both(&self) -> (&A, &B) {
        (&self.first, &self.second)
    }

    fn compare(&mut self, parts: &[LinearFormula]) -> SatAnswer {
        if let Some(reported) = &self.disagreement {
            return SatAnswer::Unknown(reported.clone());
        }
        match (self.first.check(parts), self.second.check(parts)) {
            (SatAnswer::Sat(_), SatAnswer::Unsat(_)) => self.disagree(parts, "the first"),
            (SatAnswer::Unsat(_), SatAnswer::Sat(_)) => self.disagree(parts, "the second"),
            (SatAnswer::Unknown(first), SatAnswer::Unknown(second)) => {
                SatAnswer::Unknown(format!("{first}; {second}"))
            }
            (unknown @ SatAnswer::Unknown(_), _) | (_, unknown @ SatAnswer::Unknown(_)) => unknown,
            (answer, _) => answer,
        }
    }

    fn disagree(&mut self, parts: &[LinearFormula], who: &str) -> SatAnswer {
        let asked = LinearFormula::And(parts.into()).show(&|variable| format!("{variable:?}"));
        let reported = format!("the solvers disagree: only {who} finds {asked} satisfiable");
        self.disagreement = Some(reported.clone());
        SatAnswer::Unknown(reported)
    }
}

impl<A: Solver, B: Solver> Solver for CrossChecked<A, B> {
    fn check(&mut self, parts: &[LinearFormula]) -> SatAnswer {
        let answer = self.compare(parts);
        self.counters.count(&answer);
        answer
    }

    fn push(&mut self, part: &LinearFormula) {
        self.first.push(part);
        self.second.push(part);
    }

    fn pop(&mut self) {
        self.first.pop();
        self.second.pop();
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn disagreement(&self) -> Option<&str> {
        self.disagreement.as_deref()
    }

    /// Interpolants are proposals, which need no confirmation.
    fn interpolate(&mut self, sequence: &[LinearFormula]) -> Option<Vec<LinearFormula>> {
        self.first.interpolate(sequence).or_else(|| self.second.interpolate(sequence))
    }
}
