//! Programs over unbounded integers: abstraction by predicates that are found on the way.

mod subject;

use crate::Status;
use crate::check::{News, Session, method};
use crate::flags::Check;
use crate::input::Trouble;
use crate::solver::{self, Process};
use arithmetic::{CrossChecked, Embedded, Piped, Solver};
use check::{Method, Outcome, Reason, Stats};
use integers::{Answer, Limits, Round};
use logic::Truth;
use report::{PredicateChange, PredicateRound};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};
use subject::Subject;

/// A solver has so long for one question.
const PATIENCE: Duration = Duration::from_secs(2);

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
        let message =
            format!("the method `{}` wants variables with finitely many values", method.name());
        return Err(Trouble::message(message)
            .with_help("for programs over integers there is `refine`, which `auto` takes, too"));
    }
    session.remark(subject.warnings_for(&flags.limits));
    session.tell(News::Plan(subject.questions.clone()));
    for number in 0..subject.questions.len() {
        let started = Instant::now();
        let outcome = answer(flags, &subject, number, session)?;
        session.tell(News::answer(&subject.questions[number], outcome, started));
    }
    Ok(Some(Status::Good))
}

/// The solver that was asked for.
fn solver(flags: &Check) -> Result<Box<dyn Solver>, Trouble> {
    let Some(name) = &flags.solver else { return Ok(Box::new(Embedded::new())) };
    let program = solver::find(name).ok_or_else(|| {
        Trouble::message(format!("there is no solver `{name}`"))
            .with_help("give a path, or install z3 (for example as Python's package z3-solver)")
    })?;
    let piped = Piped::new(Process::new(program, PATIENCE));
    match flags.cross_check {
        true => Ok(Box::new(CrossChecked::new(Embedded::new(), piped))),
        false => Ok(Box::new(piped)),
    }
}

fn answer(
    flags: &Check,
    subject: &Subject,
    number: usize,
    session: &Session,
) -> Result<Outcome, Trouble> {
    let last: RefCell<Option<Round>> = RefCell::new(None);
    let watch = |round: &Round| {
        if flags.watches_rounds() {
            let text = told(subject, round);
            session.tell(News::Predicates(Box::new(shown(subject, round)), text));
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
        evidence: false,
        watch: &watch,
        monitor: &session.monitor,
    };
    let answer = integers::run(&question, &mut *solver(flags)?)?;
    Ok(outcome(subject, &answer, last.into_inner().as_ref()))
}

fn outcome(subject: &Subject, answer: &Answer, last: Option<&Round>) -> Outcome {
    let reason = (answer.verdict == Truth::Unknown).then(|| {
        let why = answer.reason.clone().unwrap_or_default();
        let place = last.and_then(|round| round.place).map(|place| subject.place(place));
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

/// A round as programs hear of it.
fn shown(subject: &Subject, round: &Round) -> PredicateRound {
    PredicateRound {
        round: round.number,
        states: round.states,
        queries: round.queries,
        place: round.place.map(|place| subject.place(place)),
        predicates: round.atoms.iter().map(|atom| subject.shown(atom)).collect(),
        verdict: round.verdict.to_string(),
        change: PredicateChange::Predicates,
    }
}

/// What a round has found out.
fn told(subject: &Subject, round: &Round) -> String {
    let Round { number, states, queries, .. } = round;
    let atoms: Vec<String> =
        round.atoms.iter().map(|atom| format!("`{}`", subject.shown(atom))).collect();
    let place = round.place.map_or(String::new(), |place| subject.place(place));
    let found = match &atoms[..] {
        [] => round.verdict.to_string(),
        atoms => format!("at {place} it matters whether {}", atoms.join(", ")),
    };
    format!("round {number}: {states} states, {queries} queries: {found}\n")
}
