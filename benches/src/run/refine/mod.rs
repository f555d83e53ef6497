//! Abstraction and refinement: how much of a system it needs to look at, what its parts save, and how it
//! compares with the other methods and with another tool.

mod rival;
mod sizes;
mod times;
mod work;

use super::Bench;
use super::table::Table;
use crate::families::{self, Family, Question};
use explicit::{Method, Outcome, Refinement, Request};
use logic::{Formula, Truth};
use model::System;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use support::{Monitor, StopReason};

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    Ok(vec![
        sizes::of_families(bench)?,
        sizes::with_detail(bench)?,
        work::table(bench)?,
        times::of_families(bench)?,
        times::with_detail(bench)?,
        rival::table(bench)?,
    ])
}

/// One member of a family in memory, with its questions.
struct Case {
    family: Family,
    size: u32,
    broken: bool,
    system: System,
    questions: Vec<Asked>,
}

/// A question as this system understands it.
struct Asked {
    question: Question,
    formula: Formula,
}

impl Case {
    fn new(family: Family, size: u32, broken: bool) -> Self {
        Self::changed(family, size, broken, |system| system)
    }

    /// With more in it, which no question is about.
    fn changed(
        family: Family,
        size: u32,
        broken: bool,
        change: impl FnOnce(System) -> System,
    ) -> Self {
        let wish = families::Wish::new(family, size, broken);
        let (system, properties) = families::read(&families::make(&wish));
        let system = change(system);
        let formulas = properties.iter().map(|property| families::compile(&system, property));
        let questions = families::questions(family, size, broken).into_iter().zip(formulas);
        let questions = questions.map(|(question, formula)| Asked { question, formula }).collect();
        Self { family, size, broken, questions, system }
    }

    /// Of a broken member those whose verdict the fault turns round.
    fn is_worth_asking(&self, question: &Question) -> bool {
        !self.broken || question.sees_the_fault
    }

    /// How a table names a property of it.
    fn name(&self, question: &Question) -> String {
        format!("{}{}", question.name, if self.broken { " (broken)" } else { "" })
    }
}

/// Asks Tertium as a library, for some time at most. A wrong answer is an error.
fn ask(case: &Case, Asked { question, formula }: &Asked, way: &Way) -> io::Result<Option<Outcome>> {
    let monitor = Monitor::new();
    let request = Request {
        method: way.method,
        refinement: way.refinement.clone(),
        ..Request::new(&case.system, formula, &monitor)
    };
    let outcome = within(way.limit, &monitor, || explicit::run(&request));
    let outcome = outcome.map_err(|error| wrong(case, question, &error.to_string()))?;
    match outcome.verdict {
        Truth::Unknown => Ok(None),
        verdict if (verdict == Truth::True) == question.holds => Ok(Some(outcome)),
        verdict => Err(wrong(case, question, &format!("{verdict:?}"))),
    }
}

fn wrong(case: &Case, question: &Question, what: &str) -> io::Error {
    let (family, size, name) = (case.family.name(), case.size, question.name);
    io::Error::other(format!("{family} {size}: {name}: {what}"))
}

/// How to ask.
struct Way {
    method: Method,
    refinement: Refinement,
    limit: Duration,
}

impl Way {
    fn refine(refinement: Refinement, limit: Duration) -> Self {
        Self { method: Method::Refine, refinement, limit }
    }
}

/// Stops what takes too long.
pub fn within<T>(limit: Duration, monitor: &Monitor, work: impl FnOnce() -> T) -> T {
    let (done, end) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if end.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                monitor.stop(StopReason::Timeout);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Of all components that were looked at: how many, their abstract and their concrete states.
fn looked_at(outcome: &Outcome) -> (usize, u64, u64) {
    let sizes = outcome.stats.abstract_states.as_deref().unwrap_or_default();
    let concrete = sizes.iter().filter_map(|size| size.concrete_states);
    (sizes.len(), sizes.iter().map(|size| size.abstract_states).sum(), concrete.sum())
}

fn coloured(outcome: &Outcome) -> u64 {
    outcome.stats.coloured_nodes.unwrap_or(0)
}

const NO_ANSWER: &str = "no answer";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_stopped() {
        let monitor = Monitor::new();
        let forever = || while monitor.check().is_ok() {};
        within(Duration::from_millis(10), &monitor, forever);
        assert!(monitor.check().is_err());
        let monitor = Monitor::new();
        assert_eq!(within(Duration::from_secs(600), &monitor, || 1), 1);
        assert!(monitor.check().is_ok());
    }

    #[test]
    fn answers_are_compared_with_what_is_known() {
        let mut case = Case::new(Family::TokenRing, 2, false);
        let way = Way::refine(Refinement::default(), Duration::from_secs(600));
        let outcome = ask(&case, &case.questions[0], &way).unwrap().expect("an answer");
        let (parts, few, many) = looked_at(&outcome);
        assert!(0 < parts && 0 < few && few <= many);
        case.questions[0].question.holds = false;
        assert!(ask(&case, &case.questions[0], &way).is_err());
    }
}
