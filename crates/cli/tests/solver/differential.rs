//! The embedded solver against z3 on questions of the kind that predicate abstraction asks.

use crate::random::{self, Shape};
use crate::solver::{Process, find};
use smt::{Embedded, LinearFormula, Piped, SatAnswer, Solver};
use std::time::{Duration, Instant};
use testkit::Rng;

fn solver_called(name: &str) -> Option<Piped<Process>> {
    let found = find(name);
    if found.is_none() {
        eprintln!("skipped: `{name}` is not found");
    }
    found.map(|path| Piped::new(Process::new(path, Duration::from_secs(20))))
}

/// Questions of many shapes: most as abstraction asks them, some of any formulas, some of a few inequalities
/// with larger coefficients, where whole numbers differ from others.
fn question(seed: u64) -> Vec<LinearFormula> {
    let mut rng = Rng::new(seed);
    let shape = Shape {
        variables: rng.between(2, 8) as u32,
        coefficient: *rng.pick(&[1, 2, 5]),
        constant: *rng.pick(&[3, 20, 1000]),
        divisor: *rng.pick(&[2, 4, 7, 12]),
    };
    match seed % 8 {
        0 => (0..rng.between(1, 12)).map(|_| random::formula(&mut rng, shape, 2)).collect(),
        1 => {
            let shape = Shape { coefficient: 9, constant: 30, ..Shape::SMALL };
            (0..rng.between(3, 7)).map(|_| random::literal(&mut rng, shape)).collect()
        }
        _ => random::abstraction(&mut rng, shape),
    }
}

#[derive(Default)]
struct Figures {
    sat: u32,
    unsat: u32,
    embedded_unknown: u32,
    other_unknown: u32,
    disagreements: Vec<String>,
    embedded: Duration,
    other: Duration,
}

fn timed<S: Solver>(solver: &mut S, parts: &[LinearFormula], time: &mut Duration) -> SatAnswer {
    let began = Instant::now();
    let answer = solver.check(parts);
    *time += began.elapsed();
    answer
}

fn is_unsat<S: Solver>(solver: &mut S, parts: &[LinearFormula], core: &[usize]) -> bool {
    let kept: Vec<LinearFormula> = core.iter().map(|&part| parts[part].clone()).collect();
    !matches!(solver.check(&kept), SatAnswer::Sat(_))
}

/// Asks both. Cores are checked by the other solver; models have been evaluated by the solver that gave them.
fn compare(other: &mut Piped<Process>, seeds: std::ops::Range<u64>) -> Figures {
    let mut figures = Figures::default();
    let mut ours = Embedded::new();
    for seed in seeds {
        let parts = question(seed);
        let mine = timed(&mut ours, &parts, &mut figures.embedded);
        let theirs = timed(other, &parts, &mut figures.other);
        let is_fine = match (mine, theirs) {
            (SatAnswer::Sat(_), SatAnswer::Sat(_)) => {
                figures.sat += 1;
                true
            }
            (SatAnswer::Unsat(mine), SatAnswer::Unsat(theirs)) => {
                figures.unsat += 1;
                is_unsat(other, &parts, &mine) && is_unsat(&mut ours, &parts, &theirs)
            }
            (SatAnswer::Unknown(why), _) => {
                eprintln!("seed {seed}: {why}");
                figures.embedded_unknown += 1;
                true
            }
            (_, SatAnswer::Unknown(why)) => {
                eprintln!("seed {seed}: {why}");
                figures.other_unknown += 1;
                true
            }
            _ => false,
        };
        if !is_fine {
            let shown = LinearFormula::And(parts.into()).show(&|v| format!("{v:?}"));
            figures.disagreements.push(format!("seed {seed}: {shown}"));
        }
    }
    figures
}

fn hold(name: &str, questions: u64) {
    let Some(mut other) = solver_called(name) else { return };
    let figures = compare(&mut other, 0..questions);
    let (mine, theirs) = (figures.embedded.as_secs_f64(), figures.other.as_secs_f64());
    println!(
        "{questions} questions: {} satisfiable, {} not; unknown to the embedded solver {}, to {name} {}; \
         embedded {mine:.2} s ({:.0}/s), {name} {theirs:.2} s ({:.0}/s), ratio {:.1}",
        figures.sat,
        figures.unsat,
        figures.embedded_unknown,
        figures.other_unknown,
        questions as f64 / mine,
        questions as f64 / theirs,
        theirs / mine,
    );
    assert!(figures.disagreements.is_empty(), "{:#?}", figures.disagreements);
    assert_eq!(figures.embedded_unknown, 0);
}

#[test]
fn z3_agrees() {
    hold("z3", 3000);
}

#[test]
fn cvc5_agrees() {
    hold("cvc5", 500);
}

/// Run with `cargo test -p tertium-cli --test solver --release -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn z3_agrees_on_a_hundred_thousand_questions() {
    hold("z3", 100_000);
}
