//! Any solver that speaks SMT-LIB 2, behind a pipe.

use crate::{Answer, Counters, Formula, Solver};

/// What a solver is made to print when it has answered everything before, with or without quotes.
pub const END_OF_ANSWER: &str = "end-of-answer";

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PipeFault {
    /// There was no answer in time.
    Late,
    /// The solver has ended.
    Ended,
    /// It cannot be started, or talked to, for this reason.
    Broken(String),
}

/// A solver that can be talked to. The process and the clock are the implementor's.
pub trait Pipe {
    /// Sends commands, the last of which makes the solver print [`END_OF_ANSWER`], and gives all that it
    /// printed before that.
    fn exchange(&mut self, text: &str) -> Result<String, PipeFault>;

    /// Ends the solver, if it still runs, and starts it afresh.
    fn restart(&mut self) -> Result<(), PipeFault>;
}

/// A solver behind a pipe.
pub struct Piped<P> {
    pipe: P,
    counters: Counters,
}

impl<P: Pipe> Piped<P> {
    pub fn new(pipe: P) -> Self {
        Self { pipe, counters: Counters::default() }
    }
}

impl<P: Pipe> Solver for Piped<P> {
    fn check(&mut self, _parts: &[Formula]) -> Answer {
        let answer = match self.pipe.restart() {
            Ok(()) => Answer::Unknown("not asked".to_owned()),
            Err(fault) => Answer::Unknown(format!("{fault:?}")),
        };
        self.counters.count(&answer);
        answer
    }

    fn push(&mut self, _part: &Formula) {}

    fn pop(&mut self) {}

    fn counters(&self) -> Counters {
        self.counters
    }
}
