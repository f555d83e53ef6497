//! The symbolic method for a system of explicit components: their composition in decision diagrams.

use super::mixed::{self, is_mixed};
use super::{DEADLOCK_HELP, News, Session};
use crate::Status;
use crate::flags::Check;
use crate::input::Trouble;
use crate::questions::Task;
use crate::smv::diagrams::{most_nodes, stats};
use explicit::{DeadEnd, Deadlock, Error, Method, Outcome, Reason, dead_end};
use logic::Truth;
use model::System;
use std::time::Instant;
use symbolic::{Policy, Refusal, Stop, Whole};

/// Answers all questions about a system.
pub fn answer_all(
    flags: &Check,
    system: &System,
    tasks: &[Task],
    session: &Session,
) -> Result<Status, Trouble> {
    if flags.asks_for_evidence() {
        let message =
            "`--method symbolic` certifies what it says of SMV files, not of other systems";
        return Err(Trouble::message(message).with_help("leave `--method` out, or use `direct`"));
    }
    let deadlock: Deadlock = flags.deadlock.into();
    let policy = Policy { most_nodes: most_nodes(flags.limits.memory), ..Policy::default() };
    let stutters = deadlock == Deadlock::Stutter;
    if is_mixed(system) {
        return mixed::answer_all(flags, system, policy, tasks, session);
    }
    let mut whole = Whole::new(system, stutters, policy, &session.monitor).map_err(trouble)?;
    let end = whole.dead_end().filter(|_| !stutters).map(|tuple| dead_end(system, &tuple));
    refuse_blocking(deadlock, end.as_ref())?;
    for task in tasks {
        let started = Instant::now();
        let outcome = answer(&mut whole, task, end.clone())?;
        session.tell(News::answer(&task.question, outcome, started));
    }
    Ok(Status::Good)
}

/// A state that nothing follows is an error where that is asked for.
pub fn refuse_blocking(deadlock: Deadlock, end: Option<&DeadEnd>) -> Result<(), Trouble> {
    match (deadlock, end) {
        (Deadlock::Error, Some(end)) => {
            let error = Error::Deadlock(end.clone());
            Err(Trouble::message(error.to_string()).with_help(DEADLOCK_HELP))
        }
        _ => Ok(()),
    }
}

/// Answers a question. A limit is an answer too, except one that is for all of them.
fn answer(whole: &mut Whole, task: &Task, dead_end: Option<DeadEnd>) -> Result<Outcome, Trouble> {
    match whole.check(&task.formula) {
        Ok(answer) => Ok(Outcome {
            reason: (answer.verdict == Truth::Unknown).then_some(Reason::Open),
            dead_end,
            stats: stats(&whole.figures()),
            ..Outcome::new(answer.verdict, Method::Symbolic)
        }),
        Err(Stop::Stopped(stopped)) => Err(Trouble::Stopped(stopped)),
        Err(full) => Ok(Outcome::stopped(Method::Symbolic, full.into())),
    }
}

fn trouble(refusal: Refusal) -> Trouble {
    match refusal {
        Refusal::Stop(stop) => Trouble::Stopped(stop.into()),
        Refusal::NoComposableInit => Trouble::message(Error::NoComposableInit.to_string()),
        Refusal::Kind { component, kind } => {
            let name = kind.name();
            let message =
                format!("`{component}` is a {name}, and `--method symbolic` is not made for these");
            Trouble::message(message).with_help("leave `--method` out, or use `direct`")
        }
    }
}
