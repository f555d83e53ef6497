//! Where a deadlock is an error, it is one by every method; where it is reported, it is there.

mod common;
mod reading;

use explicit::{
    COMPOSITIONAL, CheckError, Checker, DIRECT, Deadlock, DeadlockState, Outcome, REFINE, Reason,
    Refinement, Request,
};
use logic::{Formula, Truth};
use model::{Mode, PartialModel, System};
use std::cell::Cell;
use std::fmt::Write;
use support::{Monitor, StopReason, Stopped};
use testkit::reference;
use testkit::{Case, Rng, for_seeds, system_question};

const SYSTEMS: u64 = 10_000;

fn ask(
    system: &System,
    formula: &Formula,
    method: Checker,
    monitor: &Monitor,
) -> Result<Outcome, CheckError> {
    let plain = Request::new(system, formula, monitor);
    method.run(&Request { deadlock: Deadlock::Error, ..plain })
}

fn one_system(rng: &mut Rng, case: &mut Case, counts: &[Cell<u64>; 2]) -> Result<(), String> {
    let Some((system, composition, formula)) = system_question(rng, case, 8) else { return Ok(()) };
    let monitor = Monitor::new();
    let values = reference::evaluate(&composition, &formula);
    let verdict =
        common::expected(&system, &composition, |state| values.truth(formula.root(), state));
    let dead = composition.deadlock_state().map(|state| composition.state_name(state));
    for method in [DIRECT, COMPOSITIONAL] {
        match (ask(&system, &formula, method, &monitor), &dead) {
            (Ok(outcome), None) if outcome.verdict == verdict => {}
            (Err(CheckError::Deadlock(found)), Some(dead)) if found.state == *dead => {}
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

/// Whether a deadlock that was met is one of the composition.
fn is_there(composition: &PartialModel, outcome: &Outcome) -> Result<bool, String> {
    let Some(met) = &outcome.deadlock_state else { return Ok(false) };
    let mut states = 0..composition.states() as u32;
    match states.find(|&state| composition.state_name(state) == met.state) {
        Some(state) if composition.moves(state) == Mode::NONE => Ok(true),
        found => Err(format!("{met:?}, the state is {found:?}")),
    }
}

fn one_report(rng: &mut Rng, case: &mut Case, counts: &[Cell<u64>; 3]) -> Result<(), String> {
    let Some((system, composition, formula)) = system_question(rng, case, 8) else { return Ok(()) };
    let monitor = Monitor::new();
    let hyper = rng.chance(0.2);
    let methods = [DIRECT, COMPOSITIONAL, REFINE];
    for (method, count) in methods.into_iter().zip(counts) {
        let refinement = Refinement { hyper, ..Refinement::default() };
        let plain = Request::new(&system, &formula, &monitor);
        let outcome = method.run(&Request { refinement, ..plain }).map_err(|e| e.to_string())?;
        count.set(count.get() + u64::from(is_there(&composition, &outcome)?));
    }
    Ok(())
}

/// The direct method meets all of them, the others some.
#[test]
fn a_deadlock_that_is_met_is_there() {
    let counts = [(); 3].map(|()| Cell::new(0));
    for_seeds("deadlock-met", 0..SYSTEMS, |rng, case| one_report(rng, case, &counts));
    assert!(counts.iter().all(|count| count.get() > SYSTEMS / 40), "{counts:?}");
}

fn met(text: &str, method: Checker) -> Option<DeadlockState> {
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let outcome = method.run(&Request::new(&system, &formula, &monitor)).unwrap();
    assert_eq!(outcome.unsuited, None);
    outcome.deadlock_state
}

/// a1 and b1 can each go on, to states that do not fit.
#[test]
fn a_refinement_reports_a_deadlock() {
    let text = "
        component A kripke { props p, x; init a0; a0: {} -> a1; a1: {p} -> a2; a2: {x} -> a0; }
        component B kripke { props p, y; init b0; b0: {} -> b1; b1: {p, y} -> b1; }
        system A || B;
        property f: ctl EF (p & EX (x | y));";
    let dead = DeadlockState { state: "a1,b1".into(), blocked_components: Vec::new() };
    assert_eq!(met(text, REFINE), Some(dead));
}

/// Enlarged, so that `auto` chooses refinement.
#[test]
fn a_refinement_that_was_chosen_reports_a_deadlock() {
    let (mut a, mut b) = (String::new(), String::new());
    for k in 0..100 {
        let (next, other) = ((k + 1) % 100, (k + 7) % 100);
        write!(a, "a0_{k}: {{}} -> a0_{next}, a1_{k}; a1_{k}: {{p}} -> a2_{k}; ").unwrap();
        write!(a, "a2_{k}: {{x}} -> a0_{k}; ").unwrap();
        write!(b, "b0_{k}: {{}} -> b0_{k}, b0_{other}, b1_{k}; b1_{k}: {{p, y}} -> b1_{next}; ")
            .unwrap();
    }
    let (system, formula) = reading::read(&format!(
        "component A kripke {{ props p, x; init a0_0; {a} }}
         component B kripke {{ props p, y; init b0_0; {b} }}
         system A || B; property f: ctl EF (p & EX (x | y));"
    ));
    let monitor = Monitor::new();
    let outcome = REFINE.run(&Request::new(&system, &formula, &monitor)).unwrap();
    assert_eq!(outcome.verdict, Truth::False);
    let composition = system.compose(&monitor).unwrap();
    assert_eq!(is_there(&composition, &outcome), Ok(true));
}

/// With one component, too.
#[test]
fn a_refinement_of_a_single_component_reports_a_deadlock() {
    let text = "
        component A kripke { props p; init a0; a0: {} -> a1, a2; a1: {p} -> a1; a2: {} ; }
        property f: ctl AG EX true;";
    let dead = DeadlockState { state: "a2".into(), blocked_components: vec!["A".into()] };
    assert_eq!(met(text, REFINE), Some(dead));
}

/// B by itself comes to b1, where it fits no step of A; with A it never does.
#[test]
fn a_deadlock_of_the_abstraction_alone_is_not_reported() {
    let text = "
        component A kripke { props p; init a0; a0: {} -> a1; a1: {p} -> a0; }
        component B kripke { props p, q; init b0; b0: {} -> c, b2; b2: {} -> d; b1: {q} -> b1;
          c: {p} -> b0; d: {p} -> b1; }
        system A || B;
        property f: ctl EX EX (q & EX true);";
    assert_eq!(met(text, REFINE), None);
    assert_eq!(met(text, DIRECT), None);
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

/// There are 2^60 states, and none is enumerated.
#[test]
fn what_the_interfaces_exclude_is_not_searched() {
    let (system, formula) = ring(60, "s, t, u, v");
    let outcome = ask(&system, &formula, COMPOSITIONAL, &Monitor::new()).unwrap();
    assert_eq!(outcome.verdict, Truth::True);
    assert_eq!(outcome.unsuited, None);
}

#[test]
fn a_search_that_is_stopped_is_an_unknown() {
    let (system, formula) = ring(60, "t");
    let monitor = Monitor::new();
    let outcome = std::thread::scope(|scope| {
        let answer = scope.spawn(|| ask(&system, &formula, COMPOSITIONAL, &monitor));
        while monitor.progress().0 != "looking for deadlocks" && !answer.is_finished() {
            std::thread::yield_now();
        }
        monitor.stop(StopReason::Timeout);
        answer.join().unwrap().unwrap()
    });
    assert_eq!(outcome.verdict, Truth::Unknown);
    assert_eq!(outcome.reason, Some(Reason::Stopped(Stopped(StopReason::Timeout))));
}
