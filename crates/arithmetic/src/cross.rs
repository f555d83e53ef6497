//! Two solvers that watch each other.

use crate::{Answer, Counters, Formula, Solver};

/// Asks both. Where one says yes and the other no, the answer is unknown and the disagreement is kept. Where
/// one does not know, the other one's answer stands, and is counted as not confirmed.
pub struct CrossChecked<A, B> {
    first: A,
    second: B,
    counters: Counters,
    disagreements: Vec<String>,
    unconfirmed: u64,
}

impl<A: Solver, B: Solver> CrossChecked<A, B> {
    pub fn new(first: A, second: B) -> Self {
        let counters = Counters::default();
        Self { first, second, counters, disagreements: Vec::new(), unconfirmed: 0 }
    }

    /// What the two did not agree about, in words. Anything here means that one of them is wrong.
    pub fn disagreements(&self) -> &[String] {
        &self.disagreements
    }

    /// How many answers only one of them gave.
    pub fn unconfirmed(&self) -> u64 {
        self.unconfirmed
    }

    pub fn both(&self) -> (&A, &B) {
        (&self.first, &self.second)
    }

    fn compare(&mut self, parts: &[Formula]) -> Answer {
        match (self.first.check(parts), self.second.check(parts)) {
            (Answer::Sat(_), Answer::Unsat(_)) => self.disagree(parts, "the first"),
            (Answer::Unsat(_), Answer::Sat(_)) => self.disagree(parts, "the second"),
            (Answer::Unknown(first), Answer::Unknown(second)) => {
                Answer::Unknown(format!("{first}; {second}"))
            }
            (Answer::Unknown(_), answer) | (answer, Answer::Unknown(_)) => {
                self.unconfirmed += 1;
                answer
            }
            (answer, _) => answer,
        }
    }

    fn disagree(&mut self, parts: &[Formula], who: &str) -> Answer {
        let asked = Formula::And(parts.into()).show(&|variable| format!("{variable:?}"));
        let told = format!("the solvers disagree: only {who} satisfies {asked}");
        self.disagreements.push(told.clone());
        Answer::Unknown(told)
    }
}

impl<A: Solver, B: Solver> Solver for CrossChecked<A, B> {
    fn check(&mut self, parts: &[Formula]) -> Answer {
        let answer = self.compare(parts);
        self.counters.count(&answer);
        answer
    }

    fn push(&mut self, part: &Formula) {
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

    /// They are proposals, which nobody has to confirm.
    fn interpolate(&mut self, sequence: &[Formula]) -> Option<Vec<Formula>> {
        self.first.interpolate(sequence).or_else(|| self.second.interpolate(sequence))
    }
}
