//! What the tests of the methods that look at components share.

use check::{Outcome, Reason};
use logic::Truth;

/// The verdict is the expected one and has a reason exactly if it is unknown.
pub fn agree(outcome: &Outcome, expected: Truth) -> Result<(), String> {
    match (outcome.verdict, &outcome.reason) {
        (verdict, _) if verdict != expected => Err(format!("{verdict}, reference {expected}")),
        (Truth::Unknown, Some(Reason::Doubt(_) | Reason::InitialStates { .. }))
        | (Truth::True | Truth::False, None) => Ok(()),
        (verdict, reason) => Err(format!("{verdict} with the reason {reason:?}")),
    }
}
