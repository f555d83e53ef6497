//! While-programs by the modular method: what is asked, what is in memory together, and where the rest is.

mod auditing;
mod store;
pub mod subject;

pub use auditing::Auditing;

use crate::check::{News, Session};
use crate::flags::Check;
use crate::Status;
use crate::input::Trouble;
use crate::smv::diagrams::most_nodes;
use base::Stopped;
use check::{Method, Outcome};
use flow::Partition;
use program::Request;
use std::path::Path;
use std::time::Instant;
use store::Disk;
use subject::Subject;

/// Answers all questions about a program together.
pub fn answer_all(flags: &Check, path: &Path, session: &Session) -> Result<Status, Trouble> {
    let subject = Subject::read(path, flags, &session.monitor)?;
    session.remark(subject.warnings_for(&flags.limits));
    session.tell(News::Plan(subject.questions.clone()));
    let partition = subject.partition(flags)?;
    let disk = match &flags.modular.resume {
        Some(folder) => Disk::in_folder(folder)?,
        None => Disk::hidden()?,
    };
    if flags.modular.resume.is_some() && disk.len() > 0 && !flags.limits.quiet {
        session.remark(format!("{} results were there already\n", disk.len()));
    }
    let started = Instant::now();
    let outcome = run(flags, &subject, &partition, &disk, session);
    let is_stopped = outcome.is_err();
    for (number, question) in subject.questions.iter().enumerate() {
        let outcome = match &outcome {
            Ok(outcome) => subject.outcome(outcome, number, &partition),
            Err(stopped) => Outcome::stopped(Method::Modular, *stopped),
        };
        session.tell(News::answer(question, outcome, started));
    }
    if let Some(failure) = disk.failure() {
        session.remark(format!("Warning: results could not be kept: {failure}\n"));
    }
    // Who was stopped may want to go on.
    if !is_stopped && let Err(error) = disk.remove() {
        session.remark(format!("Warning: results could not be removed: {error}\n"));
    }
    Ok(Status::Good)
}

fn run(
    flags: &Check,
    subject: &Subject,
    partition: &Partition,
    disk: &Disk,
    session: &Session,
) -> Result<program::Outcome, Stopped> {
    program::check(&Request {
        program: &subject.document.program,
        partition,
        assumed: &subject.assumed,
        closure: &subject.closure,
        representation: subject.representation,
        store: disk,
        keeps_all: flags.modular.resume.is_some(),
        evidence: flags.asks_for_evidence(),
        threads: subject::threads(flags),
        question: subject.digest(partition),
        most_nodes: most_nodes(flags.limits.memory),
        monitor: &session.monitor,
    })
}
