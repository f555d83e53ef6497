//! Predicate abstraction of a program by given predicates.
//!
//! The predicates are those of the text, the atoms of the properties, and the guards. There is no refinement: `refine`
//! discovers predicates.

use super::IntegerModel;
use crate::error::Error;
use cegar::Proposition;
use cegar::abstraction::{
    NotAbstracted, PredicateCollector, PredicateSet, SolverDecider, abstracted, contradictions,
};
use smt::LinearFormula;
use support::Monitor;
use transition::abstracted::{AbstractStart, Abstracted, Meaning};

/// The abstraction, and how its initial states are those of the program.
pub fn abstraction(
    subject: &IntegerModel,
    solver: &mut dyn smt::Solver,
    monitor: &Monitor,
) -> Result<(Abstracted, StartCertainty), Error> {
    solver.push(&subject.document.invariant);
    let mut view = precision(subject, solver);
    let beginning = begin(subject, &mut view, solver, monitor)?;
    let mut solving = SolverDecider::new(solver);
    let program = &subject.document.program;
    let seen = abstracted(program, &view, &mut solving, monitor).map_err(refused)?;
    Ok((seen, beginning))
}

fn refused(error: NotAbstracted) -> Error {
    match error {
        NotAbstracted::Stopped(stopped) => Error::Stopped(stopped),
        other => Error::message(other.to_string())
            .with_help("`--method refine` keeps predicates per location"),
    }
}

/// More predicates than this are not looked at by states, everywhere.
const MOST_EVERYWHERE: usize = 32;

/// The conditions behind the predicates of the abstraction; only those of the text if there are many.
pub fn initial_predicates(subject: &IntegerModel) -> Vec<LinearFormula> {
    let propositions =
        subject.document.propositions.iter().filter_map(|(_, meaning)| match meaning {
            Proposition::Holds(condition) => Some(condition),
            Proposition::At(_) => None,
        });
    let guards = subject.document.program.steps.iter().map(|step| &step.guard);
    let guards = guards.filter(|guard| !matches!(guard, LinearFormula::Constant(_)));
    let mut all = subject.initial_predicates.clone();
    for condition in propositions.chain(guards) {
        if !all.contains(condition) && !all.contains(&condition.negated()) {
            all.push(condition.clone());
        }
    }
    if all.len() > MOST_EVERYWHERE {
        all.truncate(subject.initial_predicates.len());
    }
    all
}

/// The predicates and propositions; the initial states are still to come.
fn precision(subject: &IntegerModel, solver: &mut dyn smt::Solver) -> PredicateSet {
    let mut collected = PredicateCollector::new(solver, &subject.document.invariant);
    for given in &subject.document.predicates {
        collected.literal(&given.name, &given.condition);
    }
    let mut propositions = Vec::new();
    for (name, meaning) in &subject.document.propositions {
        let meaning = match meaning {
            Proposition::At(places) => Meaning::At(places.clone()),
            Proposition::Holds(wanted) => {
                let (number, value) = collected.literal(name, wanted);
                Meaning::Literal(number, value)
            }
        };
        propositions.push((name.clone(), meaning));
    }
    for step in &subject.document.program.steps {
        if !matches!(step.guard, LinearFormula::Constant(_)) {
            collected.literal(&subject.shown_formula(&step.guard), &step.guard);
        }
    }
    PredicateSet { predicates: collected.finish(), propositions, ..PredicateSet::default() }
}

/// How certain it is that the program can begin in the initial states of the abstraction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StartCertainty {
    /// In each of them.
    Each,
    /// In some of them.
    Some,
    Unknown,
}

/// Adds the contradictions among the predicates and the initial states.
fn begin(
    subject: &IntegerModel,
    view: &mut PredicateSet,
    solver: &mut dyn smt::Solver,
    monitor: &Monitor,
) -> Result<StartCertainty, Error> {
    let start = &subject.document.start;
    let always = LinearFormula::Constant(true);
    let of_all = contradictions(solver, &always, &view.predicates, monitor)?;
    let of_start = match start.condition == always {
        true => of_all.clone(),
        false => contradictions(solver, &start.condition, &view.predicates, monitor)?,
    };
    view.contradictions = of_all.all;
    view.starts = vec![AbstractStart {
        location: start.location,
        literals: Vec::new(),
        contradictions: of_start.all,
    }];
    Ok(match of_start.are_complete {
        true => StartCertainty::Each,
        false => match solver.check(std::slice::from_ref(&start.condition)) {
            smt::SatAnswer::Sat(_) => StartCertainty::Some,
            _ => StartCertainty::Unknown,
        },
    })
}
