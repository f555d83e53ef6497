//! Where a deadlock is an error, it is one by every method.

mod common;
mod reading;

use base::{Monitor, StopReason, Stopped};
use check::{Deadlock, Error, Method, Outcome, Reason, Request, run};
use logic::{Formula, Truth};
use model::{System, reference};
use std::cell::Cell;
use std::fmt::Write;
use testkit::{Case, Rng, for_seeds, system_question};

const SYSTEMS: u64 = 10_000;

fn ask(
    system: &System,
    formula: &Formula,
    method: Method,
    monitor: &Monitor,
) -> Result<Outcome, Error> {
    let plain = Request::new(system, formula, monitor);
    run(&Request { method, deadlock: Deadlock::Error, ..plain })
}

fn one_system(rng: &mut Rng, case: &mut Case, counts: &[Cell<u64>; 2]) -> Result<(), String> {
    let Some((system, whole, formula)) = system_question(rng, case, 8) else { return Ok(()) };
    let monitor = Monitor::new();
    let values = reference::evaluate(&whole, &formula);
    let verdict = common::expected(&system, &whole, |state| values.truth(formula.root(), state));
    let dead = whole.dead_end().map(|state| whole.state_name(state));
    for method in [Method::Direct, Method::Compositional, Method::Auto] {
        match (ask(&system, &formula, method, &monitor), &dead) {
            (Ok(outcome), None) if outcome.verdict == verdict => {}
            (Err(Error::Deadlock(found)), Some(dead)) if found.state == *dead => {}
            (found, dead) => return Err(format!("{method:?}: {found:?}, deadlock {dead:?}")),
        }
    }
    let count = &counts[usize::from(dead.is_some())];
    count.set(count.get() + 1);
    Ok(())
}

#[test]
fn a_deadlock_is_an_error_by_every_method() {
    let counts = [Cell::new(0), Cell::new(0)];
    for_seeds("deadlock", 0..SYSTEMS, |rng, case| one_system(rng, case, &counts));
    assert!(counts.iter().all(|count| count.get() > SYSTEMS / 10), "{counts:?}");
}

/// Cells that have a wire each and read that of the one before; what follows both being high is given.
fn ring(length: usize, after_both: &str) -> (System, Formula) {
    let mut text = String::new();
    let mut names = Vec::new();
    for cell in 0..length {
        let before = (cell + length - 1) % length;
        names.push(format!("C{cell}"));
        writeln!(
            text,
            "component C{cell} kripke {{ props w{cell}, w{before}; init s; s: {{}} -> s, t, u, v;
  t: {{w{cell}}} -> s, t, u, v; u: {{w{before}}} -> s, t, u, v; v: {{w{cell}, w{before}}} -> {after_both}; }}"
        )
        .unwrap();
    }
    writeln!(text, "system {}; property p: ctl EF w0;", names.join(" || ")).unwrap();
    reading::read(&text)
}

/// There are 2^60 states, and nobody looks at them.
#[test]
fn what_the_interfaces_exclude_is_not_searched() {
    let (system, formula) = ring(60, "s, t, u, v");
    for method in [Method::Compositional, Method::Auto] {
        let outcome = ask(&system, &formula, method, &Monitor::new()).unwrap();
        assert_eq!(outcome.verdict, Truth::True);
        assert_eq!(outcome.method, Method::Compositional);
    }
}

#[test]
fn a_search_that_is_stopped_is_an_unknown() {
    let (system, formula) = ring(60, "t");
    let monitor = Monitor::new();
    let outcome = std::thread::scope(|scope| {
        let answer = scope.spawn(|| ask(&system, &formula, Method::Compositional, &monitor));
        while monitor.progress().0 != "looking for deadlocks" && !answer.is_finished() {
            std::thread::yield_now();
        }
        monitor.stop(StopReason::Timeout);
        answer.join().unwrap().unwrap()
    });
    assert_eq!(outcome.verdict, Truth::Unknown);
    assert_eq!(outcome.reason, Some(Reason::Stopped(Stopped(StopReason::Timeout))));
}
