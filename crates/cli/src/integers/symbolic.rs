//! A program over integers seen through predicates, as a monotone MixTS in decision diagrams (X §5).
//!
//! The predicates are those that the file gives, what the questions speak of, and the conditions of the steps. No others are looked
//! for: that is what the method `refine` does.

use super::{Subject, why_not};
use crate::Status;
use crate::check::{News, Session};
use crate::flags::{Check, Semantics as Wanted};
use crate::input::Trouble;
use cegar::Proposition;
use cegar::abstraction::{NotAbstracted, Precision, SolverDecider, abstracted};
use explicit::{Method, Outcome, Reason, Stats};
use logic::{Formula, Truth};
use smt::Solver;
use std::time::Instant;
use symbolic::Policy;
use symbolic::mixed::{Mixed, Semantics};
use transition::abstracted::{AbstractStart, Abstracted, Meaning};
use transition::integers::Predicate;

/// Initial states are told apart by at most so many predicates.
const MOST_PREDICATES: usize = 64;

/// Answers all questions about a program by one abstraction of it.
pub fn answer_all(
    flags: &Check,
    subject: &Subject,
    solver: &mut dyn Solver,
    session: &Session,
) -> Result<Status, Trouble> {
    if flags.asks_for_evidence() {
        return Err(Trouble::message(
            "the method `symbolic` shows nothing of programs over integers",
        )
        .with_help("certificates are written, and audited, by the method `refine`"));
    }
    let monitor = &session.monitor;
    solver.push(&subject.invariant);
    let program = &subject.document.program;
    let mut precision = precision(subject)?;
    let mut solving = SolverDecider::new(solver);
    let certain = starts(subject, &mut precision, &mut solving)?;
    let seen = abstracted(program, &precision, &mut solving, monitor).map_err(trouble)?;
    let queries = solver.counters().queries;
    if flags.verbose {
        let names: Vec<String> = seen.predicates.iter().map(|name| format!("`{name}`")).collect();
        session.remark(format!(
            "{} predicates, {queries} queries: {}\n",
            names.len(),
            names.join(", ")
        ));
    }
    let semantics = match flags.semantics {
        Some(Wanted::Sis) => Semantics::Standard,
        _ => Semantics::Reduced,
    };
    let mut mixed = Mixed::of_program(&seen, semantics, Policy::default(), monitor)?;
    for (number, question) in subject.questions.iter().enumerate() {
        let started = Instant::now();
        let outcome = match why_not(question, &subject.formulas[number], None) {
            Ok(formula) => answer(&seen, &certain, &mut mixed, formula)?,
            Err(why) => Outcome::not_tried(Method::Symbolic, why.to_owned()),
        };
        session.tell(News::answer(question, outcome, started));
    }
    Ok(Status::Good)
}

fn trouble(error: NotAbstracted) -> Trouble {
    match error {
        NotAbstracted::Stopped(stopped) => Trouble::Stopped(stopped),
        other => Trouble::message(other.to_string())
            .with_help("the method `refine` looks at predicates place by place"),
    }
}

/// The precision, without the starts.
fn precision(subject: &Subject) -> Result<Precision, Trouble> {
    let mut view = Precision::default();
    for given in &subject.document.predicates {
        number_of(&mut view, &given.name, &given.condition);
    }
    for (name, meaning) in &subject.propositions {
        let meaning = match meaning {
            Proposition::At(places) => Meaning::At(places.clone()),
            Proposition::Holds(wanted) => Meaning::Predicate(number_of(&mut view, name, wanted)),
        };
        view.propositions.push((name.clone(), meaning));
    }
    for step in &subject.document.program.steps {
        if !matches!(step.guard, smt::Formula::Constant(_)) {
            number_of(&mut view, &subject.shown_formula(&step.guard), &step.guard);
        }
    }
    match view.predicates.len() {
        0..=MOST_PREDICATES => Ok(view),
        many => Err(Trouble::message(format!(
            "there are {many} predicates, and at most {MOST_PREDICATES} can be looked at together"
        ))
        .with_help("ask for fewer properties at a time, or by the method `refine`")),
    }
}

/// The number of a predicate, which is added if neither it nor its negation is there.
fn number_of(view: &mut Precision, name: &str, condition: &smt::Formula) -> u32 {
    let predicates = &mut view.predicates;
    let known = predicates.iter().position(|known| known.condition == *condition);
    known.unwrap_or_else(|| {
        predicates.push(Predicate { name: name.to_owned(), condition: condition.clone() });
        predicates.len() - 1
    }) as u32
}

/// Adds the initial states to the view; of each, whether it is certain that the program can begin there.
fn starts(
    subject: &Subject,
    view: &mut Precision,
    solving: &mut SolverDecider,
) -> Result<Vec<bool>, Trouble> {
    let start = &subject.document.start;
    let conditions: Vec<&smt::Formula> = view.predicates.iter().map(|p| &p.condition).collect();
    let minterms = solving.minterms(&start.condition, &conditions).ok_or_else(|| {
        Trouble::message("the program can begin in too many ways to tell them apart")
            .with_help("ask for fewer properties at a time, or by the method `refine`")
    })?;
    let literals = |bits: u64| (0..conditions.len() as u32).map(move |n| (n, bits >> n & 1 == 1));
    let starts = minterms
        .iter()
        .map(|&(bits, _)| AbstractStart { place: start.place, literals: literals(bits).collect() });
    view.starts = starts.collect();
    Ok(minterms.into_iter().map(|(_, is_certain)| is_certain).collect())
}

fn answer(
    seen: &Abstracted,
    certain: &[bool],
    mixed: &mut Mixed,
    formula: &Formula,
) -> Result<Outcome, Trouble> {
    let evaluated = mixed.evaluate(formula, &mut |_| {})?;
    let mut verdict = Truth::True;
    for (start, &is_certain) in seen.starts.iter().zip(certain) {
        // Where something is both true and false, nothing begins.
        match mixed.within(&evaluated, start)?.verdict() {
            Some(Truth::False) if is_certain => verdict = Truth::False,
            Some(Truth::False | Truth::Unknown) if verdict == Truth::True => {
                verdict = Truth::Unknown
            }
            _ => {}
        }
    }
    let why = "these predicates do not decide it; `--method refine` finds others";
    Ok(Outcome {
        reason: (verdict == Truth::Unknown).then(|| Reason::NotTried(why.to_owned())),
        stats: Stats {
            iterations: Some(evaluated.all_iterations),
            diagram_nodes: Some(mixed.peak_nodes() as u64),
            ..Stats::default()
        },
        ..Outcome::new(verdict, Method::Symbolic)
    })
}
