//! Programs over unbounded integers: abstraction by predicates that are found on the way.

mod subject;

pub use subject::Subject;

use crate::Status;
use crate::check::{News, Session, method};
use crate::flags::Check;
use crate::input::Trouble;
use crate::questions::Question;
use crate::smv;
use crate::solver::{self, Process};
use arithmetic::{CrossChecked, Embedded, Piped, Solver};
use base::Diagnostic;
use check::{Method, Outcome, Reason, Stats};
use integers::{Answer, Limits, Round};
use logic::{Formula, Truth};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

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
    refuse_method(flags)?;
    session.remark(subject.warnings_for(&flags.limits));
    session.tell(News::Plan(subject.questions.clone()));
    for (question, formula) in subject.questions.iter().zip(&subject.formulas) {
        let started = Instant::now();
        let outcome = match formula {
            Some(formula) => answer(flags, &subject, formula, session)?,
            None => not_supported(question),
        };
        session.tell(News::answer(question, outcome, started));
    }
    Ok(Some(Status::Good))
}

fn refuse_method(flags: &Check) -> Result<(), Trouble> {
    match method(flags) {
        method @ (Method::Direct | Method::Compositional | Method::Symbolic | Method::Modular) => {
            let message =
                format!("the method `{}` wants variables with finitely many values", method.name());
            Err(Trouble::message(message)
                .with_help("for programs over integers there is `refine`, which `auto` takes, too"))
        }
        _ => Ok(()),
    }
}

fn not_supported(question: &Question) -> Outcome {
    let why = question.not_supported.unwrap_or_default();
    Outcome::not_tried(Method::Refine, why.to_owned())
}

/// Answers what is asked of an SMV file with unbounded integers.
pub fn answer_smv(flags: &Check, subject: &Subject, session: &Session) -> Result<Status, Trouble> {
    refuse_flags(flags)?;
    refuse_method(flags)?;
    if subject.questions.is_empty() {
        return Err(smv::nothing_asked());
    }
    session.remark(subject.warnings_for(&flags.limits));
    session.tell(News::Plan(subject.questions.clone()));
    let doubt = doubt(flags, subject, session)?;
    for (question, formula) in subject.questions.iter().zip(&subject.formulas) {
        let started = Instant::now();
        let outcome = match (formula, &doubt) {
            (None, _) => not_supported(question),
            (Some(_), Some(doubt)) => Outcome::not_tried(Method::Refine, doubt.clone()),
            (Some(formula), None) => answer(flags, subject, formula, session)?,
        };
        session.tell(News::answer(question, outcome, started));
    }
    Ok(Status::Good)
}

/// What there is for other files and not for these.
fn refuse_flags(flags: &Check) -> Result<(), Trouble> {
    let stutters = flags.deadlock != crate::flags::Deadlock::Warn;
    let about_modules = flags.about_modules();
    let given = [
        ("--certificate", flags.certificate.is_some()),
        ("--audit", flags.audit),
        ("--values", flags.values),
        ("--trace", flags.refining.trace.is_some()),
        ("--deadlock", stutters),
        (about_modules.unwrap_or_default(), about_modules.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => {
            let message = format!("`{flag}` is not there for SMV files with unbounded integers");
            Err(Trouble::message(message).with_help("give all variables ranges, or leave it out"))
        }
        None => Ok(()),
    }
}

/// Why nothing is known because something may go wrong; an error if it does.
fn doubt(flags: &Check, subject: &Subject, session: &Session) -> Result<Option<String>, Trouble> {
    let Some(assurance) = &subject.assurance else { return Ok(None) };
    let outcome = answer(flags, subject, &assurance.formula, session)?;
    let line = |span: &base::Span| format!("line {}", subject.sources.position(*span).0);
    let mut lines: Vec<String> = assurance.places.iter().map(line).collect();
    lines.dedup();
    match (outcome.verdict, assurance.places.first()) {
        (Truth::True, _) => Ok(None),
        (Truth::False, Some(&first)) => {
            let message = "a value that cannot be: outside of a range, no branch of a `case`, or a division by zero";
            let mut diagnostic =
                Diagnostic::error(message, first, "here, in a state that can be reached");
            if assurance.places.len() > 1 {
                let label = "or here";
                diagnostic = assurance.places[1..]
                    .iter()
                    .fold(diagnostic, |diagnostic, &span| diagnostic.with_label(span, label));
            }
            Err(Trouble::Faults(vec![diagnostic], Box::new(subject.sources.clone())))
        }
        _ => Ok(Some(format!(
            "it is not known whether something goes wrong: a value outside of a range, no branch of a `case`, or a division by zero ({})",
            lines.join(", ")
        ))),
    }
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
    formula: &Formula,
    session: &Session,
) -> Result<Outcome, Trouble> {
    let last: RefCell<Option<Round>> = RefCell::new(None);
    let watch = |round: &Round| {
        if flags.verbose {
            session.remark(told(subject, round));
        }
        *last.borrow_mut() = Some(round.clone());
    };
    let question = integers::Question {
        program: &subject.document.program,
        start: (subject.document.start.place, &subject.document.start.condition),
        invariant: &subject.invariant,
        propositions: &subject.propositions,
        formula,
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
