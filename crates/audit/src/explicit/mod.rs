//! Certificates about systems, whose positions are listed. The conditions stand at the head of the crate.

mod known;
mod parts;

pub(crate) use known::Known;
pub use parts::MAX_INITIAL;

use crate::error::{AuditError, ensure};
use crate::format::{AfterDeadlock, CertificateKind, Claim};
use crate::proof::{Audited, go_through};
use crate::read::Reader;
use logic::Formula;
use model::{PartialModel, System};
use std::borrow::Cow;
use std::io::Read;
use support::Monitor;

/// A system that certificates are checked against, as it was read.
pub struct ExplicitSubject<'a> {
    pub(crate) system: &'a System,
    digest: u64,
    /// The composition, once it is asked for, and the same with self-loops at deadlock states.
    composition: Option<Cow<'a, PartialModel>>,
    stuttering: Option<PartialModel>,
}

impl<'a> ExplicitSubject<'a> {
    pub fn new(system: &'a System) -> Self {
        Self { system, digest: system.digest(), composition: None, stuttering: None }
    }

    /// Whether a certificate is about this system.
    pub fn is_meant_by<R>(&self, reader: &Reader<R>) -> Result<(), AuditError> {
        let is_meant = reader.is_about(CertificateKind::Explicit, self.digest);
        ensure(is_meant, "the certificate is about another system")
    }

    fn model(
        &mut self,
        deadlock: AfterDeadlock,
        monitor: &Monitor,
    ) -> Result<&PartialModel, AuditError> {
        let composition = match &mut self.composition {
            Some(composition) => composition,
            none => none.insert(self.system.composed(monitor)?),
        };
        Ok(match deadlock {
            AfterDeadlock::Ends => composition,
            AfterDeadlock::Stutters => {
                self.stuttering.get_or_insert_with(|| composition.clone().into_owned().stuttering())
            }
        })
    }
}

/// Checks the proof of a claim that was just read. If it is right, the reader stands at the next claim.
pub fn audit<R: Read>(
    subject: &mut ExplicitSubject,
    formula: &Formula,
    claim: &Claim,
    reader: &mut Reader<R>,
    monitor: &Monitor,
) -> Result<Audited, AuditError> {
    subject.is_meant_by(reader)?;
    claim.is_about(formula)?;
    monitor.phase("auditing", 0);
    if reader.is_of_parts {
        return parts::audit(subject.system, formula, claim, reader, monitor);
    }
    let system = subject.system;
    let model = subject.model(claim.deadlock, monitor)?;
    let mut known = Known::new(model, model.states(), formula, claim.verdict);
    let audited = go_through(&mut known, formula, claim.verdict, reader, monitor)?;
    let proved = known.of(formula.root());
    let initial = model.init().iter().map(|&state| {
        (model.members(state), proved.contains(state as usize), model.state_name(state))
    });
    conclude(system, claim, initial)?;
    Ok(audited)
}

/// Condition 5, of the initial states: the members of each, whether the formula is proved there, its name.
pub(crate) fn conclude(
    system: &System,
    claim: &Claim,
    initial: impl Iterator<Item = (Vec<u32>, bool, String)>,
) -> Result<(), AuditError> {
    let (initial, names): (Vec<(Vec<u32>, bool)>, Vec<String>) =
        initial.map(|(tuple, is_proved, name)| ((tuple, is_proved), name)).unzip();
    if initial.is_empty() {
        return ensure(claim.verdict && system.never_starts(), "there is no initial state");
    }
    let lacking = initial.iter().position(|(_, is_proved)| !is_proved);
    match lacking.filter(|_| claim.verdict || !system.is_falsified(&initial)) {
        Some(index) => Err(AuditError::Invalid(format!(
            "it is not proved that the formula is {} in `{}`",
            claim.verdict, names[index]
        ))),
        None => Ok(()),
    }
}
