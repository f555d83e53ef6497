//! Assumption synthesis: how small assumptions get, what they cost against checking outright and against
//! learning, and how that grows with the process.

mod against_learning;
mod cost;
mod growth;
mod sliding_window;
mod spin;

use super::Bench;
use super::refine::within;
use super::table::Table;
use crate::protocols::{self, Protocol, Stated};
use assume::{AnalysisPlan, AssumptionRequest, Ended, InitialAbstraction, Made, SafetyQuestion};
use model::System;
use std::io;
use std::time::{Duration, Instant};
use support::Monitor;

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut tables = sliding_window::tables(bench)?;
    tables.push(cost::table(bench)?);
    tables.push(growth::table(bench)?);
    tables.push(against_learning::table(bench)?);
    tables.push(spin::table(bench)?);
    Ok(tables)
}

/// One protocol in memory.
struct Case {
    protocol: Protocol,
    size: u32,
    system: System,
    process: usize,
    safeties: Vec<Stated>,
}

impl Case {
    fn new(protocol: Protocol, size: u32) -> Self {
        let protocols::Questions { system, process, safeties } =
            protocols::questions(protocol, size);
        Self { protocol, size, system, process, safeties }
    }

    /// How a table names it.
    fn name(&self) -> String {
        format!("{} {}", self.protocol.name(), self.size)
    }

    fn states(&self) -> usize {
        self.system.components[self.process].model.states()
    }

    fn question(&self, safety: &Stated) -> io::Result<SafetyQuestion> {
        SafetyQuestion::new(&self.system, self.process, &safety.model)
            .map_err(|unfit| self.wrong(safety, &unfit.to_string()))
    }

    fn unfinished(&self, safety: &Stated) -> io::Error {
        self.wrong(safety, "the assumption is not complete in time")
    }

    fn wrong(&self, safety: &Stated, what: &str) -> io::Error {
        io::Error::other(format!("{}: {}: {what}", self.name(), safety.name))
    }

    /// Checks M‖N, or what has come of it: how many states were seen. A wrong verdict is an error.
    fn check(&self, safety: &Stated, question: &SafetyQuestion) -> io::Result<usize> {
        let found = assume::search(question, &Monitor::new())
            .map_err(|stopped| self.wrong(safety, &stopped.to_string()))?;
        if found.error.is_none() != safety.holds {
            return Err(self.wrong(safety, "the verdict is wrong"));
        }
        Ok(found.states)
    }

    /// M‖A instead of M‖N.
    fn replaced(&self, safety: &Stated, made: &Made) -> io::Result<SafetyQuestion> {
        let model = &self.system.components[self.process].model;
        let equivalence = &made.equivalence;
        let assumption = assume::quotient(model, &equivalence.class_of, equivalence.count);
        let system = assume::replace(&self.system, self.process, assumption);
        SafetyQuestion::new(&system, self.process, &safety.model)
            .map_err(|unfit| self.wrong(safety, &unfit.to_string()))
    }
}

/// To the end, by both equivalences.
fn request(start: InitialAbstraction) -> AssumptionRequest {
    AssumptionRequest { start, plan: AnalysisPlan::Both, steps: None, until_flat: false }
}

/// An assumption, if it is complete within the limit.
fn make(question: &SafetyQuestion, start: InitialAbstraction, limit: Duration) -> Option<Made> {
    let monitor = Monitor::new();
    let made = within(limit, &monitor, || assume::make(question, &request(start), &monitor, None));
    Some(made).filter(|made| made.ended == Ended::Complete)
}

/// Enough for a median.
const RUNS: usize = 5;

/// After so many seconds, what there is has to do.
const PATIENCE: f64 = 2.0;

/// What a piece of work gives, and the median of its times.
fn timed<T>(mut work: impl FnMut() -> T) -> (T, f64) {
    let mut times = Vec::new();
    loop {
        let start = Instant::now();
        let result = work();
        times.push(start.elapsed().as_secs_f64());
        if times.len() >= RUNS || times.iter().sum::<f64>() > PATIENCE {
            times.sort_by(f64::total_cmp);
            return (result, times[times.len() / 2]);
        }
    }
}

fn verdict(holds: bool) -> String {
    if holds { "holds" } else { "violated" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_made_and_keep_the_verdict() {
        let case = Case::new(Protocol::AlternatingBit, 2);
        for safety in &case.safeties {
            let question = case.question(safety).unwrap();
            let states = case.check(safety, &question).unwrap();
            let limit = Duration::from_secs(600);
            let made = make(&question, InitialAbstraction::Trivial, limit).unwrap();
            let basic = make(&question, InitialAbstraction::Discrete, limit).unwrap();
            assert_eq!(made.equivalence.count, basic.equivalence.count);
            let fewer = case.check(safety, &case.replaced(safety, &made).unwrap()).unwrap();
            assert!(fewer <= states, "{fewer} {states}");
        }
    }

    #[test]
    fn a_wrong_verdict_is_seen() {
        let mut case = Case::new(Protocol::Peterson, 2);
        case.safeties[0].holds = false;
        let question = case.question(&case.safeties[0]).unwrap();
        assert!(case.check(&case.safeties[0], &question).is_err());
    }
}
