//! `--certificate` and `--audit`: what shows an answer, for others and at once.

use super::Task;
use crate::flags::Check;
use crate::status::REPORT;
use audit::{Claim, Fault, Reader, Subject};
use explicit::certificate::{self, Evidence};
use logic::Truth;
use model::System;
use report::AnswerReport;
use std::io::{self, Write};
use support::Monitor;

/// Where what shows the answers goes.
pub struct Certifier<'a, 'o> {
    flags: &'a Check,
    system: &'a System,
    out: Option<&'o mut dyn Write>,
    /// Whether all went well so far.
    written: io::Result<()>,
    /// For `--audit`, once it is needed.
    subject: Option<Subject<'a>>,
}

impl<'a, 'o> Certifier<'a, 'o> {
    pub fn new(flags: &'a Check, system: &'a System, out: Option<&'o mut dyn Write>) -> Self {
        let mut certifier = Self { flags, system, out, written: Ok(()), subject: None };
        certifier.write(|out| certificate::write_start(out, system.digest()));
        certifier
    }

    /// Nothing more is written once that has failed.
    fn write(&mut self, write: impl FnOnce(&mut &mut dyn Write) -> io::Result<()>) {
        if let (Some(out), true) = (&mut self.out, self.written.is_ok()) {
            self.written = write(out);
        }
    }

    /// Takes the evidence out of an answer. The text is what the audit has to say; the error is that it
    /// failed.
    pub fn certify(
        &mut self,
        task: &Task,
        answer: &mut AnswerReport,
        monitor: &Monitor,
    ) -> Result<Option<String>, String> {
        let Some(evidence) = answer.outcome.evidence.take() else {
            let is_missed = self.flags.asks_for_evidence() && answer.outcome.verdict.is_definite();
            let name = &task.property.name;
            let told = format!("`{name}` is not certified: a limit came before its evidence\n");
            return Ok(is_missed.then_some(told));
        };
        let deadlock = explicit::Deadlock::from(self.flags.deadlock).claimed();
        let is_true = answer.outcome.verdict == Truth::True;
        let claim = Claim::new(&task.property.name, &task.formula, deadlock, is_true);
        self.write(|out| certificate::write_claim(out, &claim, &evidence));
        if !self.flags.audit {
            return Ok(None);
        }
        let name = &claim.property;
        match self.audit(task, &claim, &evidence, monitor) {
            Ok(audited) => Ok(Some(report::audited(name, audited.steps, audited.positions))),
            Err(Fault::Stopped(stopped)) => {
                Ok(Some(format!("`{name}` is not audited: {stopped}\n")))
            }
            Err(fault) => {
                Err(format!("`{name}` does not pass the audit: {fault}\n  Help: {REPORT}"))
            }
        }
    }

    fn audit(
        &mut self,
        task: &Task,
        claim: &Claim,
        evidence: &Evidence,
        monitor: &Monitor,
    ) -> Result<audit::Audited, Fault> {
        let mut bytes = Vec::new();
        certificate::write_start(&mut bytes, self.system.digest())?;
        certificate::write_claim(&mut bytes, claim, evidence)?;
        let mut reader = Reader::new(&bytes[..])?;
        let read = reader.claim()?;
        let subject = self.subject.get_or_insert_with(|| Subject::new(self.system));
        audit::audit(subject, &task.formula, read.as_ref().unwrap_or(claim), &mut reader, monitor)
    }

    /// Ends the certificate.
    pub fn finish(mut self) -> io::Result<()> {
        self.write(|out| certificate::write_end(out));
        self.written
    }
}
