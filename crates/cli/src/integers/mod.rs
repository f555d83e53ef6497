//! Programs over unbounded integers: abstraction by predicates that are found on the way.

mod auditing;
mod certificate;
mod subject;
mod symbolic;

use crate::Status;
use crate::check::{News, Session, method};
use crate::flags::{Check, Solving};
use crate::input::Trouble;
use crate::solver::{self, Process};
use arithmetic::{CrossChecked, Embedded, Piped, Solver};
pub use auditing::{Auditing, about_integers};
use certificate::{Certifier, Told};
use check::{Method, Outcome, Reason, Stats};
use integers::{Answer, Limits, Round};
use logic::Truth;
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};
use subject::Subject;

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
    let method = method(flags);
    if let Method::Direct | Method::Compositional | Method::Modular = method {
        let message =
            format!("the method `{}` wants variables with finitely many values", method.name());
        return Err(Trouble::message(message)
            .with_help("for programs over integers there are `refine`, which `auto` takes, too, and `symbolic`"));
    }
    session.remark(subject.warnings_for(&flags.limits));
    session.tell(News::Plan(subject.questions.clone()));
    if method == Method::Symbolic {
        let solver = &mut *solver(&flags.solving, PATIENCE)?;
        return symbolic::answer_all(flags, &subject, solver, session).map(Some);
    }
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
    let last: RefCell<Option<Round>> = RefCell::new(None);
    let watch = |round: &Round| {
        if flags.verbose {
            session.remark(told(subject, round));
        }
        *last.borrow_mut() = Some(round.clone());
    };
    let invariant = subject.document.invariant();
    let question = integers::Question {
        program: &subject.document.program,
        start: (subject.document.start.place, &subject.document.start.condition),
        invariant: &invariant,
        propositions: &subject.propositions,
        formula: &subject.formulas[number],
        given: &subject.given,
        limits: Limits::default(),
        evidence: flags.asks_for_evidence(),
        watch: &watch,
        monitor: &session.monitor,
    };
    let answer = integers::run(&question, &mut *solver(&flags.solving, PATIENCE)?)?;
    let name = &subject.questions[number].name;
    let told = certifier.certify(name, &answer, &session.monitor);
    Ok((outcome(subject, &answer, last.into_inner().as_ref()), told))
}

fn outcome(subject: &Subject, answer: &Answer, last: Option<&Round>) -> Outcome {
    let reason = (answer.verdict == Truth::Unknown).then(|| {
        let why = answer.reason.clone().unwrap_or_default();
        let place =
            last.and_then(|round| round.found.last()).map(|found| subject.place(found.place));
        let place = place.map_or(String::new(), |place| format!(", at {place}"));
        Reason::NotTried(format!("no abstraction that decides it was found: {why}{place}"))
    });
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

/// What a round has found out.
fn told(subject: &Subject, round: &Round) -> String {
    let Round { number, states, queries, .. } = round;
    let mut told = format!("round {number}: {states} states, {queries} queries");
    if !round.measures.is_empty() {
        let measures = round.measures.iter().map(|term| format!("`{}`", subject.shown_term(term)));
        let measures: Vec<String> = measures.collect();
        told += &format!(", circles are left because of {}", measures.join(", "));
    }
    for found in &round.found {
        let atoms: Vec<String> =
            found.atoms.iter().map(|atom| format!("`{}`", subject.shown(atom))).collect();
        told += &format!(
            "\n  at {} it matters whether {}",
            subject.place(found.place),
            atoms.join(", ")
        );
    }
    if round.found.is_empty() {
        told += &format!(": {}", round.verdict);
    }
    told + "\n"
}
