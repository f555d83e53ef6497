//! A solver that fails costs precision, never soundness, and never all of the time.

use crate::solver::{Process, find};
use smt::{Comparison, LinearFormula, Piped, SatAnswer, Solver, Term, Variable};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A script in the place of a solver; none where there is no shell.
fn fake(name: &str) -> Option<PathBuf> {
    if !Path::new("/bin/sh").exists() {
        eprintln!("skipped: there is no /bin/sh");
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solver/fakes");
    Some(folder.join(format!("{name}.sh")))
}

fn piped(name: &str, milliseconds: u64) -> Option<Piped<Process>> {
    let timeout = Duration::from_millis(milliseconds);
    fake(name).map(|path| Piped::new(Process::new(path, timeout)))
}

fn compare(variable: u32, relation: Comparison, constant: i64) -> LinearFormula {
    let constant = Term::constant(constant).expect("small");
    relation.between(&Term::variable(Variable(variable)), &constant).expect("small")
}

/// x > 3, which is true of 5 and not of 0.
fn question() -> Vec<LinearFormula> {
    vec![compare(0, Comparison::Greater, 3)]
}

/// The answer of a fake solver, `None` without a shell. Asked again and again it gives up soon.
fn reason(name: &str, milliseconds: u64) -> Option<String> {
    let mut solver = piped(name, milliseconds)?;
    let SatAnswer::Unknown(why) = solver.check(&question()) else { panic!("`{name}` answers") };
    let began = Instant::now();
    for _ in 0..50 {
        assert!(matches!(solver.check(&question()), SatAnswer::Unknown(_)), "`{name}` answers");
    }
    let limit = Duration::from_millis(10 * milliseconds) + Duration::from_secs(10);
    assert!(began.elapsed() < limit, "`{name}` is asked for ever");
    assert_eq!(solver.counters().unknown, 51);
    Some(why)
}

fn expect(name: &str, milliseconds: u64, expected: &str) {
    if let Some(why) = reason(name, milliseconds) {
        assert!(why.contains(expected), "`{name}`: {why}");
    }
}

#[test]
fn a_solver_that_does_not_know() {
    expect("unknown", 10_000, "does not know");
}

#[test]
fn a_solver_that_ends() {
    expect("exits", 10_000, "has ended");
}

#[test]
fn a_solver_that_prints_garbage() {
    expect("garbage", 10_000, "is not understood");
}

#[test]
fn a_solver_that_prints_without_end() {
    expect("endless", 10_000, "its output does not end");
}

#[test]
fn a_solver_that_hangs() {
    expect("hangs", 200, "in time");
}

#[test]
fn a_solver_that_is_slow() {
    expect("slow", 300, "in time");
}

#[test]
fn a_solver_with_a_wrong_model() {
    expect("wrong_model", 10_000, "model is wrong");
}

#[test]
fn a_solver_with_half_a_model() {
    expect("broken_model", 10_000, "is not understood");
}

#[test]
fn a_solver_that_is_not_there() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solver/fakes/none.sh");
    let mut solver = Piped::new(Process::new(path, Duration::from_secs(10)));
    let SatAnswer::Unknown(why) = solver.check(&question()) else { panic!("nobody answers") };
    assert!(why.contains("cannot run"), "{why}");
    assert_eq!(find("no-solver-has-this-name"), None);
    assert_eq!(find("./no/solver/has/this/path"), None);
}

/// A question that is larger than the buffer of a pipe, to a solver that reads nothing.
#[test]
fn a_query_whose_client_has_gone() {
    let Some(mut solver) = piped("hangs", 300) else { return };
    let parts: Vec<LinearFormula> =
        (0..5000).map(|n| compare(n, Comparison::Less, n.into())).collect();
    assert!(matches!(solver.check(&parts), SatAnswer::Unknown(_)));
}

#[test]
fn without_reasons_all_parts_are_the_core() {
    let Some(mut solver) = piped("no_core", 10_000) else { return };
    let parts = [compare(0, Comparison::Less, 0), compare(0, Comparison::Greater, 0)];
    for _ in 0..5 {
        assert_eq!(solver.check(&parts), SatAnswer::Unsat(vec![0, 1]));
    }
}

/// A solver that dies is started again and told the context again.
#[test]
fn a_solver_that_recovers() {
    let Some(mut solver) = piped("recovers", 10_000) else { return };
    solver.push(&compare(0, Comparison::Less, 9));
    let fatal = [compare(7, Comparison::Greater, 3)];
    for _ in 0..6 {
        assert!(matches!(solver.check(&fatal), SatAnswer::Unknown(_)));
        let SatAnswer::Sat(model) = solver.check(&question()) else { panic!("5 is a solution") };
        assert_eq!(model.value(Variable(0)), 5);
    }
    solver.pop();
    assert!(matches!(solver.check(&question()), SatAnswer::Sat(_)));
}
