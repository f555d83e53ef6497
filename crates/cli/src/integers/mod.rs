//! Programs over unbounded integers: abstraction by predicates that are found on the way.

mod auditing;
mod certificate;
pub mod story;
mod subject;
mod telling;

use crate::Status;
use crate::check::{News, Session, method};
use crate::flags::{Check, Solving};
use crate::input::Trouble;
use crate::solver::{self, Process};
use arithmetic::{CrossChecked, Embedded, Piped, Solver};
pub use auditing::{Auditing, about_integers};
use base::{Monitor, Stopped};
use certificate::{Certifier, Told};
use check::{Method, Outcome, Reason, Stats};
use integers::{Answer, Limits, Round};
use logic::Truth;
use report::{BestKnowledge, TracedRound};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};
pub use subject::Subject;

/// A solver has so long for one question, of which there are many, and most can be done without.
const PATIENCE: Duration = Duration::from_secs(2);
/// And so long where every answer is needed.
const PATIENCE_IN_AUDITS: Duration = Duration::from_secs(10);

/// Answers all questions about a program over integers; nothing if it is not one.
pub fn answer_all(
    flags: &Check,
    path: &Path,
    session: &Session,
) -> Result<Option<Status>, Trouble> {
    let monitor = &session.monitor;
    let Some(subject) = Subject::read(path, &flags.questions, &flags.property, monitor)? else {
        return Ok(None);
    };
    if let method @ (Method::Direct | Method::Compositional | Method::Symbolic | Method::Modular) =
        method(flags)
    {
        return Err(not_for_integers(method));
    }
    session.remark(subject.warnings_for(&flags.limits));
    session.tell(News::Plan(subject.questions.clone()));
    let mut certifier = Certifier::new(flags, &subject);
    let mut numbers = 0..subject.questions.len();
    let ended = numbers.try_for_each(|number| {
        let started = Instant::now();
        let (outcome, told) = answer(flags, &subject, number, &mut certifier, session)?;
        session.tell(News::answer(&subject.questions[number], outcome, started));
        match told {
            Ok(_) if flags.limits.quiet => {}
            Ok(told) => session.remark(told),
            Err(message) => session.tell(News::Unwritten(message)),
        }
        Ok(())
    });
    // What was shown before a limit was reached is shown.
    if let Err(message) = certifier.finish() {
        session.tell(News::Unwritten(message));
    }
    ended.map(|()| Some(Status::Good))
}

/// The solver that was asked for, to audit certificates.
pub fn auditing_solver(flags: &Solving) -> Result<Box<dyn Solver>, Trouble> {
    solver(flags, PATIENCE_IN_AUDITS)
}

/// The solver that was asked for.
fn solver(flags: &Solving, patience: Duration) -> Result<Box<dyn Solver>, Trouble> {
    let Some(name) = &flags.solver else { return Ok(Box::new(Embedded::new())) };
    let program = solver::find(name).ok_or_else(|| {
        Trouble::message(format!("there is no solver `{name}`"))
            .with_help("give a path, or install z3 (for example as Python's package z3-solver)")
    })?;
    let piped = Piped::new(Process::new(program, patience));
    match flags.cross_check {
        true => Ok(Box::new(CrossChecked::new(Embedded::new(), piped))),
        false => Ok(Box::new(piped)),
    }
}

fn answer(
    flags: &Check,
    subject: &Subject,
    number: usize,
    certifier: &mut Certifier,
    session: &Session,
) -> Result<(Outcome, Told), Trouble> {
    let is_followed = flags.verbose || flags.refining.trace.is_some();
    let watch = |round: &Round| {
        if is_followed {
            let round = TracedRound::Found(Box::new(subject.told(round)));
            session.tell(News::Round(round));
        }
        session.tell(News::Known(Box::new(subject.known(round))));
    };
    let asked = Asked { subject, number, evidence: flags.asks_for_evidence() };
    let mut solver = solver(&flags.solving, PATIENCE)?;
    let (answer, known) = asked.answer(&mut *solver, &session.monitor, &watch)?;
    let name = &subject.questions[number].name;
    let told = certifier.certify(name, &answer, &session.monitor);
    Ok((outcome(subject, &answer, known), told))
}

/// One of the questions about a program.
struct Asked<'a> {
    subject: &'a Subject,
    number: usize,
    evidence: bool,
}

impl Asked<'_> {
    fn with_question<T>(
        &self,
        monitor: &Monitor,
        watch: &dyn Fn(&Round),
        then: impl FnOnce(&integers::Question) -> T,
    ) -> T {
        let Self { subject, number, evidence } = *self;
        let start = &subject.document.start;
        then(&integers::Question {
            program: &subject.document.program,
            start: (start.place, &start.condition),
            invariant: &subject.document.invariant(),
            propositions: &subject.propositions,
            formula: &subject.formulas[number],
            given: &subject.given,
            limits: Limits::default(),
            evidence,
            watch,
            monitor,
        })
    }

    /// The answer, and what was known before it.
    fn answer(
        &self,
        solver: &mut dyn Solver,
        monitor: &Monitor,
        watch: &dyn Fn(&Round),
    ) -> Result<(Answer, Option<BestKnowledge>), Stopped> {
        let last: RefCell<Option<BestKnowledge>> = RefCell::new(None);
        let watch = |round: &Round| {
            watch(round);
            if !round.found.is_empty() {
                *last.borrow_mut() = Some(self.subject.known(round));
            }
        };
        let answer =
            self.with_question(monitor, &watch, |question| integers::run(question, solver))?;
        Ok((answer, last.into_inner()))
    }
}

fn outcome(subject: &Subject, answer: &Answer, known: Option<BestKnowledge>) -> Outcome {
    let is_open = answer.verdict == Truth::Unknown;
    let reason = is_open.then(|| Reason::NotTried(subject.reason(answer, known)));
    Outcome {
        reason,
        stats: Stats {
            states: Some(answer.states as u64),
            iterations: Some(u64::from(answer.rounds)),
            ..Stats::default()
        },
        ..Outcome::new(answer.verdict, Method::Refine)
    }
}

fn not_for_integers(method: Method) -> Trouble {
    let message =
        format!("the method `{}` wants variables with finitely many values", method.name());
    Trouble::message(message)
        .with_help("for programs over integers there is `refine`, which `auto` takes, too")
}
