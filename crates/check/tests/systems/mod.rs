//! What the tests of the methods that look at components share.

#[path = "../common/mod.rs"]
mod common;

use check::{Deadlock, Outcome, Reason};
use logic::{Formula, Truth};
use model::{Model, System, reference};

/// The verdict by the reference semantics, deadlocks taken as they are asked for.
pub fn expected(system: &System, whole: &Model, formula: &Formula, deadlock: Deadlock) -> Truth {
    let whole = match deadlock {
        Deadlock::Stutter => whole.clone().stuttering(),
        _ => whole.clone(),
    };
    let values = reference::evaluate(&whole, formula);
    common::expected(system, &whole, |state| values.truth(formula.root(), state))
}

/// The verdict is the expected one and has a reason exactly if it is unknown.
pub fn agree(outcome: &Outcome, expected: Truth) -> Result<(), String> {
    match (outcome.verdict, &outcome.reason) {
        (verdict, _) if verdict != expected => Err(format!("{verdict}, reference {expected}")),
        (Truth::Unknown, Some(Reason::Doubt(_) | Reason::InitialStates { .. }))
        | (Truth::True | Truth::False, None) => Ok(()),
        (verdict, reason) => Err(format!("{verdict} with the reason {reason:?}")),
    }
}
