//! The symbolic method, with what shows its answers.

use super::{DEADLOCK_HELP, News, Session, certifying};
use crate::Status;
use crate::flags::Check;
use crate::input::Trouble;
use crate::smv::auditing::Auditing;
use crate::smv::diagrams::{Certifying, Encoded};
use crate::smv::{Asked, Program};
use crate::status::REPORT;
use audit::format::{CertificateKind, END};
use audit::{AuditError, Audited, Claim, Reader};
use explicit::{DeadEnd, Deadlock, Error, Method, Outcome};
use std::io::{self, Write};
use std::time::Instant;
use support::{StopReason, Stopped};

const OF_NO_MACHINE: &str = "Warning: the specifications hold of every machine, as paths never end by \
                             definition; `--deadlock error` looks for states that nothing follows\n";

/// Answers all questions if they say nothing about the machine. Whether they did.
pub fn at_once(flags: &Check, program: &Program, session: &Session) -> Result<bool, Trouble> {
    if flags.asks_for_evidence() || Deadlock::from(flags.deadlock) != Deadlock::Warn {
        return Ok(false);
    }
    let Some(verdicts) = program.decided_at_once()? else { return Ok(false) };
    if !flags.limits.quiet {
        session.remark(OF_NO_MACHINE);
    }
    for (asked, verdict) in program.asked().zip(verdicts) {
        let outcome = Outcome::new(verdict, Method::Symbolic);
        session.tell(News::answer(&asked.question, outcome, Instant::now()));
    }
    Ok(true)
}

/// Answers all questions that have no answer yet.
pub fn by_diagrams(
    flags: &Check,
    program: &Program,
    mut early: Early,
    session: &Session,
) -> Result<Status, Trouble> {
    let deadlock: Deadlock = flags.deadlock.into();
    if deadlock == Deadlock::Stutter {
        let message = "`--deadlock stutter` needs the states of an SMV file, one by one";
        return Err(Trouble::message(message).with_help("use `--method direct`"));
    }
    if let Some(answers) = early.all() {
        answers.into_iter().for_each(|answer| session.tell(answer));
        return Ok(Status::Good);
    }
    let mut encoded = program.encode(flags.limits.memory, &session.monitor)?;
    if deadlock == Deadlock::Error
        && let Some(state) = encoded.dead_end(program)?
    {
        let error = Error::Deadlock(DeadEnd { state, stuck: vec!["main".to_owned()] });
        return Err(Trouble::message(error.to_string()).with_help(DEADLOCK_HELP));
    }
    session.remark(encoded.warnings(program, &flags.limits)?);
    let work = Work { flags, program, session };
    certifying(flags, session, |out| work.answer_all(&mut encoded, early, out))
}

/// Answers that are there already, by number of the question.
#[derive(Default)]
pub struct Early(pub Vec<Option<News>>);

impl Early {
    pub fn is_complete(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(Option::is_some)
    }

    /// All answers, if all are there.
    fn all(&mut self) -> Option<Vec<News>> {
        self.is_complete().then(|| std::mem::take(&mut self.0).into_iter().flatten().collect())
    }

    fn take(&mut self, number: usize) -> Option<News> {
        self.0.get_mut(number)?.take()
    }
}

pub struct Work<'a> {
    pub flags: &'a Check,
    pub program: &'a Program,
    pub session: &'a Session,
}

impl Work<'_> {
    /// Answers all questions; the inner error is about writing the certificate.
    fn answer_all(
        &self,
        encoded: &mut Encoded,
        mut early: Early,
        mut out: Option<&mut dyn Write>,
    ) -> Result<io::Result<()>, Trouble> {
        let head = CertificateKind::Symbolic.header(self.program.document.machine.digest());
        let mut written = put(&mut out, &head);
        for (number, asked) in self.program.asked().enumerate() {
            if let Some(answer) = early.take(number) {
                self.session.tell(answer);
                continue;
            }
            let started = Instant::now();
            let outcome = encoded.answer(asked)?;
            let verdict = outcome.verdict;
            self.session.tell(News::answer(&asked.question, outcome, started));
            if self.flags.asks_for_evidence() && verdict.is_definite() {
                let is_true = verdict == logic::Truth::True;
                let claim = self.show(encoded, asked, is_true)?;
                written = written.and_then(|()| put(&mut out, &claim));
            }
        }
        Ok(written.and_then(|()| put(&mut out, &[END as u8])))
    }

    /// A claim with what shows it, which is audited if that is wanted. Nothing if there is none.
    pub fn show(
        &self,
        encoded: &mut impl Certifying,
        asked: &Asked,
        verdict: bool,
    ) -> Result<Vec<u8>, Trouble> {
        let name = &asked.question.name;
        let shown = match encoded.certificate(self.program, asked, verdict) {
            Err(Trouble::Stopped(Stopped(StopReason::Nodes))) => {
                let told = "is not certified: a limit came before its evidence";
                self.remark(format!("`{name}` {told}\n"));
                return Ok(Vec::new());
            }
            shown => shown?,
        };
        let Some((claim, bytes)) = shown else {
            let problem = format!("`{name}` cannot be shown\n  Help: {REPORT}");
            self.session.tell(News::Unwritten(problem));
            return Ok(Vec::new());
        };
        if self.flags.audit {
            match self.audit(&claim, &bytes) {
                Ok(audited) => {
                    self.remark(report::audited(name, audited.steps, audited.positions));
                }
                Err(AuditError::Stopped(stopped)) => {
                    self.remark(format!("`{name}` is not audited: {stopped}\n"));
                }
                Err(fault) => self.session.tell(News::Unwritten(format!(
                    "`{name}` does not pass the audit: {fault}\n  Help: {REPORT}"
                ))),
            }
        }
        Ok(bytes)
    }

    pub fn remark(&self, text: String) {
        if !self.flags.limits.quiet {
            self.session.remark(text);
        }
    }

    fn audit(&self, claim: &Claim, bytes: &[u8]) -> Result<Audited, AuditError> {
        let machine = &self.program.document.machine;
        let mut file = CertificateKind::Symbolic.header(machine.digest());
        file.extend_from_slice(bytes);
        let mut reader = Reader::new(&file[..])?;
        let read = reader.claim()?;
        let auditing = Auditing::new(self.program, self.flags.limits.memory);
        auditing.audit(read.as_ref().unwrap_or(claim), &mut reader, &self.session.monitor)
    }
}

pub fn put(out: &mut Option<&mut dyn Write>, bytes: &[u8]) -> io::Result<()> {
    out.as_mut().map_or(Ok(()), |out| out.write_all(bytes))
}
