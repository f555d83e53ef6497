//! `--certificate` and `--audit` for programs over integers: what shows the answers, for others and at once.

use super::auditing::{ASSURANCE, Auditing};
use super::subject::Subject;
use crate::flags::Check;
use crate::output;
use crate::status::REPORT;
use audit::integers::IntegerWriter;
use audit::{AuditError, Reader};
use cegar::Answer;
use cegar::certificate::write;
use std::io::Write;
use support::Monitor;

/// Where what shows the answers goes.
pub struct Certifier<'a> {
    flags: &'a Check,
    subject: &'a Subject,
    all: IntegerWriter,
    /// Whether what the answers rest on is shown, if there is such a thing.
    is_assured: bool,
    /// Whether the solver has confirmed what the file is read with.
    is_confirmed: bool,
}

/// What is to be said of an answer that was audited, or that it is wrong.
pub type Told = Result<String, String>;

impl<'a> Certifier<'a> {
    pub fn new(flags: &'a Check, subject: &'a Subject) -> Self {
        let is_assured = subject.assurance.is_none();
        let all = IntegerWriter::start(subject.digest());
        Self { flags, subject, all, is_assured, is_confirmed: false }
    }

    /// Adds that nothing goes wrong, which all that follows rests on.
    pub fn assure(&mut self, answer: &Answer, monitor: &Monitor) -> Told {
        self.is_assured = true;
        let told = self.certify(ASSURANCE, answer, monitor);
        self.is_assured = answer.shown.is_some();
        told
    }

    /// Adds what shows an answer, and checks it if that is wanted.
    pub fn certify(&mut self, name: &str, answer: &Answer, monitor: &Monitor) -> Told {
        if !self.flags.asks_for_evidence() || !answer.verdict.is_definite() {
            return Ok(String::new());
        }
        if !self.is_assured {
            return Ok(format!("`{name}` is not certified: it is not shown that {ASSURANCE}\n"));
        }
        let propositions = &self.subject.propositions;
        if !write(&mut self.all, name, propositions, answer) {
            return Ok(format!("`{name}` is not certified: a limit came before its evidence\n"));
        }
        if !self.flags.audit {
            return Ok(String::new());
        }
        let mut alone = IntegerWriter::start(self.subject.digest());
        write(&mut alone, name, propositions, answer);
        match self.audit(&alone.finish(), monitor) {
            Ok(told) => Ok(told),
            Err(why @ (AuditError::Stopped(_) | AuditError::Undecided(_))) => {
                Ok(format!("`{name}` is not audited: {why}\n"))
            }
            Err(fault) => {
                Err(format!("`{name}` does not pass the audit: {fault}\n  Help: {REPORT}"))
            }
        }
    }

    /// The text is read again: the auditor trusts nobody.
    fn audit(&mut self, bytes: &[u8], monitor: &Monitor) -> Result<String, AuditError> {
        let mut told = String::new();
        let mut solver = super::auditing_solver(&self.flags.solving)
            .map_err(|_| AuditError::Invalid("the solver is not there any more".to_owned()))?;
        let auditing = Auditing::again(self.subject)?;
        if !self.is_confirmed {
            auditing.confirm_reading(&mut *solver, monitor)?;
            self.is_confirmed = true;
        }
        let mut is_right = |claim: &audit::Claim, audited: audit::Audited| {
            told += &report::audited(&claim.property, audited.steps, audited.positions);
        };
        let reader = Reader::new(bytes)?;
        match auditing.audit(reader, &mut *solver, monitor, true, &mut is_right) {
            Ok(()) => Ok(told),
            Err((_, fault)) => Err(fault),
        }
    }

    /// Writes the certificate, if one is wanted. The error is a message.
    pub fn finish(self) -> Result<(), String> {
        let Some(path) = &self.flags.certificate else { return Ok(()) };
        let bytes = self.all.finish();
        let written: Result<_, std::convert::Infallible> =
            output::replace(path, |out| Ok(out.write_all(&bytes)));
        let Ok(written) = written;
        written.map_err(|error| output::cannot_write(path, &error))
    }
}
