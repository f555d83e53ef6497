//! While-programs by the modular method: what is asked, what is in memory together, and where the rest is.

mod auditing;
mod certificate;
mod holes;
pub mod partition;
mod store;
pub mod story;
pub mod subject;

pub use auditing::Auditing;

use crate::Status;
use crate::check::{News, Session, method};
use crate::flags::Check;
use crate::input::Trouble;
use crate::smv::diagrams::most_nodes;
use explicit::{Method, Outcome};
use modular::{Request, Store, WantedEvidence};
use std::path::Path;
use std::time::{Duration, Instant};
use store::Disk;
use subject::{Subject, Wanted};
use support::{Monitor, StopReason, Stopped};
use transition::cfg::{Assumed, Closure, Partition, Program};

/// Branches with fewer pieces are checked one after the other.
const WORTH_A_THREAD: u64 = 32;

/// Answers all questions about a program together, or none if the method may be another and something is asked that
/// only others can answer.
pub fn answer_all(
    flags: &Check,
    path: &Path,
    session: &Session,
) -> Result<Option<Status>, Trouble> {
    let wanted = Wanted {
        questions: &flags.questions,
        property: &flags.property,
        assume: &flags.assume,
        sets: flags.modular.sets,
    };
    let subject = match method(flags) {
        Method::Auto => match Subject::read_ctl(path, &wanted, &session.monitor)? {
            Some(subject) => subject,
            None => return Ok(None),
        },
        _ => Subject::read(path, &wanted, &session.monitor)?,
    };
    session.remark(subject.warnings_for(&flags.limits));
    session.tell(News::Plan(subject.questions.clone()));
    let started = Instant::now();
    let (partition, disk, found) = attempt(flags, &subject, session)?;
    let run = Run { subject: &subject, partition: &partition, memory: flags.limits.memory };
    if found.as_ref().is_ok_and(|found| found.is_impossible) {
        leave(disk, true, session);
        return Err(impossible());
    }
    for (number, question) in subject.questions.iter().enumerate() {
        let outcome = match &found {
            Ok(found) => run.outcome(found, number, started.elapsed(), &session.monitor),
            Err(stopped) => Outcome::stopped(Method::Modular, *stopped),
        };
        session.tell(News::answer(question, outcome, started));
    }
    if let Ok(found) = &found {
        certificate::certify(flags, path, &run, found, session);
    }
    leave(disk, found.is_ok(), session);
    Ok(Some(Status::Good))
}

type Attempt = (Partition, Disk, Result<modular::Outcome, Stopped>);

/// Checks a program. How large diagrams get is known only when they are there: where they got too large, smaller
/// pieces may do.
fn attempt(flags: &Check, subject: &Subject, session: &Session) -> Result<Attempt, Trouble> {
    const SMALLER: u64 = 16;
    let memory = flags.limits.memory;
    let mut settings = Settings {
        kept: None,
        wish: WantedEvidence { claims: flags.asks_for_evidence(), ..WantedEvidence::NOTHING },
        threads: subject::threads(&flags.modular),
    };
    let mut share = 1;
    let mut partition = subject.partition(&flags.modular, memory)?;
    loop {
        settings.kept = flags.modular.resume.as_ref().map(|_| subject.digest(&partition));
        let disk = match (&flags.modular.resume, settings.kept) {
            (Some(folder), Some(question)) => Disk::in_folder(folder, question)?,
            _ => Disk::hidden()?,
        };
        if disk.len() > 0 && !flags.limits.quiet {
            session.remark(format!("{} results were there already\n", disk.len()));
        }
        let run = Run { subject, partition: &partition, memory };
        let found =
            run.check(&subject.closure, &subject.assumed, &disk, settings, &session.monitor);
        if !matches!(found, Err(Stopped(StopReason::Nodes))) {
            return Ok((partition, disk, found));
        }
        // One thread has all the room.
        if settings.threads > 1 {
            settings.threads = 1;
            continue;
        }
        share *= SMALLER;
        let smaller = subject.partition_in(&flags.modular, memory, share)?;
        if smaller == partition {
            return Ok((partition, disk, found));
        }
        leave(disk, true, session);
        partition = smaller;
    }
}

fn impossible() -> Trouble {
    Trouble::message("no program can do all that is assumed of a hole").with_help(
        "entered where `AG …` holds, a hole can keep it only by what it is allowed to change",
    )
}

/// Who was stopped may want to go on; nobody else needs the results.
fn leave(disk: Disk, is_done: bool, session: &Session) {
    if let Some(failure) = disk.failure() {
        session.remark(format!("Warning: results could not be kept: {failure}\n"));
    }
    if is_done && let Err(error) = disk.remove() {
        session.remark(format!("Warning: results could not be removed: {error}\n"));
    }
}

/// A program, and how it is taken apart.
pub struct Run<'a> {
    pub subject: &'a Subject,
    pub partition: &'a Partition,
    pub memory: Option<u64>,
}

#[derive(Clone, Copy)]
pub struct Settings {
    /// The question under which everything is kept, if it is.
    pub kept: Option<u128>,
    pub wish: WantedEvidence,
    pub threads: usize,
}

impl Run<'_> {
    pub fn check(
        &self,
        closure: &Closure,
        assumed: &[Assumed],
        store: &dyn Store,
        settings: Settings,
        monitor: &Monitor,
    ) -> Result<modular::Outcome, Stopped> {
        let program = &self.subject.document.program;
        self.check_of(program, closure, assumed, store, settings, monitor)
    }

    /// The same of a program that has more expressions, as assumptions that are tried.
    fn check_of(
        &self,
        program: &Program,
        closure: &Closure,
        assumed: &[Assumed],
        store: &dyn Store,
        settings: Settings,
        monitor: &Monitor,
    ) -> Result<modular::Outcome, Stopped> {
        modular::check(&Request {
            program,
            partition: self.partition,
            assumed,
            closure,
            representation: self.subject.representation,
            store,
            keeps_all: settings.kept.is_some(),
            wish: settings.wish,
            threads: settings.threads,
            worth_a_thread: WORTH_A_THREAD,
            question: settings.kept.unwrap_or(0),
            most_nodes: most_nodes(self.memory),
            monitor,
        })
    }

    /// The answer to one of the questions, and if it is unknown, what would decide it. To find the answers took so
    /// long; to look for that may take some times as long.
    fn outcome(
        &self,
        found: &modular::Outcome,
        number: usize,
        took: Duration,
        monitor: &Monitor,
    ) -> Outcome {
        let mut outcome = self.subject.outcome(found, number, self.partition);
        if let Some(explicit::Reason::Holes { deciding, .. }) = &mut outcome.reason {
            *deciding = holes::deciding(self, number, took, monitor);
        }
        outcome
    }
}
