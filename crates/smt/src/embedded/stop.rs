//! Why a search ends without a solution, and how long it may go on.

use super::origin::Origin;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// The rows contradict each other.
    Conflict(Origin),
    /// A number does not fit.
    Overflow,
    /// The budget is used up.
    Steps,
    /// Something is not as it is proved to be.
    Defect,
}

impl Stop {
    pub fn reason(self) -> &'static str {
        match self {
            Stop::Conflict(_) => "there is a contradiction",
            Stop::Overflow => "a number does not fit 128 bits",
            Stop::Steps => "the solver's budget is used up",
            Stop::Defect => "the solver contradicts itself",
        }
    }
}

/// How much more work may be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget(pub u64);

impl Budget {
    pub fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        match self.0.checked_sub(steps as u64) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => {
                self.0 = 0;
                Err(Stop::Steps)
            }
        }
    }
}

/// Turns what does not fit into a reason to stop.
pub fn fits<T>(number: Option<T>) -> Result<T, Stop> {
    number.ok_or(Stop::Overflow)
}
