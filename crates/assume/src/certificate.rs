//! Writing down why a verdict with assumptions in place is right, for the auditor.

use crate::explore::ErrorRun;
use audit::format::{CertificateKind, Checksum, bytes, number};
use audit::{ClaimedAssumption, digest_of};
use model::{PartialModel, System};

/// A certificate about these processes, in the system in which all assumptions are in place. `error` is
/// a run of the processes themselves, if the property fails.
pub fn certificate(
    replaced: &System,
    assumptions: Vec<ClaimedAssumption>,
    safety: &PartialModel,
    error: Option<&ErrorRun>,
) -> Vec<u8> {
    let mut out = CertificateKind::Assumption.header(replaced.digest());
    bytes(&mut out, safety.name.as_bytes());
    out.extend_from_slice(&digest_of(safety).to_le_bytes());
    number(&mut out, assumptions.len() as u64);
    assumptions.into_iter().for_each(|assumption| assumption.write(&mut out));
    number(&mut out, u64::from(error.is_none()));
    if let Some(ErrorRun { states, steps, end }) = error {
        states[0][..end.len()].iter().for_each(|&state| number(&mut out, u64::from(state)));
        number(&mut out, steps.len() as u64);
        for (at, step) in steps.iter().enumerate() {
            number(&mut out, u64::from(step.rule));
            let after = states.get(at + 1).unwrap_or(end);
            step.parts.iter().for_each(|&(part, _)| number(&mut out, u64::from(after[part])));
        }
    }
    Checksum::seal(&mut out);
    out
}
