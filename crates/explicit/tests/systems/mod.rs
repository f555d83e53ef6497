//! Helpers of the tests of compositional methods.

#[path = "../common/mod.rs"]
mod common;

use audit::{AuditError, Claim, ExplicitSubject, Reader};
use explicit::certificate;
use explicit::{Deadlock, Outcome, Reason};
use logic::{Formula, Truth};
use model::{PartialModel, System};
use support::Monitor;
use testkit::reference;

/// The verdict by the reference semantics, deadlocks taken as they are asked for.
pub fn expected(
    system: &System,
    composition: &PartialModel,
    formula: &Formula,
    deadlock: Deadlock,
) -> Truth {
    let composition = match deadlock {
        Deadlock::Stutter => composition.clone().stuttering(),
        _ => composition.clone(),
    };
    let values = reference::evaluate(&composition, formula);
    common::expected(system, &composition, |state| values.truth(formula.root(), state))
}

/// The verdict is the expected one and has a reason exactly if it is unknown.
pub fn agree(outcome: &Outcome, expected: Truth) -> Result<(), String> {
    match (outcome.verdict, &outcome.reason) {
        (verdict, _) if verdict != expected => Err(format!("{verdict}, reference {expected}")),
        (Truth::Unknown, Some(Reason::Undetermined(_) | Reason::InitialStates { .. }))
        | (Truth::True | Truth::False, None) => Ok(()),
        (verdict, reason) => Err(format!("{verdict} with the reason {reason:?}")),
    }
}

/// A definite verdict has evidence, and the auditor accepts it.
pub fn certified(
    system: &System,
    formula: &Formula,
    deadlock: Deadlock,
    outcome: &Outcome,
) -> Result<(), String> {
    let Some(evidence) = &outcome.evidence else {
        let is_unknown = outcome.verdict == Truth::Unknown;
        return is_unknown.then_some(()).ok_or("a verdict without evidence".to_owned());
    };
    let is_true = outcome.verdict == Truth::True;
    let claim = Claim::new("p", formula, deadlock.claimed(), is_true);
    let mut bytes = Vec::new();
    let audited = certificate::write_start(&mut bytes, system.digest())
        .and_then(|()| certificate::write_claim(&mut bytes, &claim, evidence))
        .map_err(AuditError::from)
        .and_then(|()| {
            let mut reader = Reader::new(&bytes[..])?;
            let claim = reader.claim()?.expect("one was written");
            let mut subject = ExplicitSubject::new(system);
            audit::audit(&mut subject, formula, &claim, &mut reader, &Monitor::new())
        });
    audited.map(|_| ()).map_err(|fault| format!("{:?} is refused: {fault}", outcome.verdict))
}
