//! The embedded solver against trying everything, on variables that are bounded.

use crate::random::{self, Shape};
use smt::{Comparison, Embedded, LinearFormula, SatAnswer, Solver, Term, Variable, minimise};
use testkit::Rng;

const BOUND: i64 = 4;

fn box_of(variables: u32) -> Vec<LinearFormula> {
    let limit = Term::constant(BOUND).expect("small");
    (0..variables)
        .flat_map(|variable| {
            let term = Term::variable(Variable(variable));
            [(Comparison::AtMost, limit.clone()), (Comparison::AtLeast, limit.negated())]
                .map(|(relation, limit)| relation.between(&term, &limit).expect("small"))
        })
        .collect()
}

/// Whether all parts hold somewhere in the box.
fn is_satisfiable(parts: &[&LinearFormula], variables: u32) -> bool {
    let side = 2 * BOUND + 1;
    (0..side.pow(variables)).any(|point| {
        let value = |v: Variable| i128::from(point / side.pow(v.0) % side - BOUND);
        parts.iter().all(|part| part.holds(&value) == Some(true))
    })
}

fn agree(solver: &mut Embedded, parts: &[LinearFormula], variables: u32, seed: u64) {
    let all: Vec<&LinearFormula> = parts.iter().collect();
    let shown = || LinearFormula::And(parts.into()).show(&|v| format!("{v:?}"));
    match solver.check(parts) {
        SatAnswer::Sat(model) => {
            let value = |v: Variable| model.value(v);
            assert!(parts.iter().all(|p| p.holds(&value) == Some(true)), "{seed}: {}", shown());
        }
        SatAnswer::Unsat(core) => {
            assert!(!is_satisfiable(&all, variables), "seed {seed}: {}", shown());
            let kept: Vec<&LinearFormula> = core.iter().map(|&part| &parts[part]).collect();
            let context = box_of(variables);
            let kept: Vec<&LinearFormula> = kept.into_iter().chain(&context).collect();
            assert!(!is_satisfiable(&kept, variables), "seed {seed}: {core:?} of {}", shown());
        }
        SatAnswer::Unknown(why) => panic!("seed {seed}: {why} for {}", shown()),
    }
}

#[test]
fn trying_everything_agrees_with_bounds_as_context() {
    let mut solver = Embedded::new();
    box_of(3).iter().for_each(|bound| solver.push(bound));
    for seed in 0..6000 {
        let mut rng = Rng::new(seed);
        let count = rng.between(1, 8);
        let parts: Vec<LinearFormula> =
            (0..count).map(|_| random::formula(&mut rng, Shape::SMALL, 2)).collect();
        agree(&mut solver, &parts, 3, seed);
    }
}

#[test]
fn trying_everything_agrees_with_bounds_as_parts() {
    let mut solver = Embedded::new();
    for seed in 0..3000 {
        let mut rng = Rng::new(1_000_000 + seed);
        let count = rng.between(2, 10);
        let mut parts: Vec<LinearFormula> =
            (0..count).map(|_| random::literal(&mut rng, Shape::SMALL)).collect();
        parts.extend(box_of(3));
        agree(&mut solver, &parts, 3, 1_000_000 + seed);
    }
}

#[test]
fn trying_everything_agrees_on_what_abstraction_asks() {
    let mut solver = Embedded::new();
    let shape = Shape { variables: 2, coefficient: 3, constant: 4, divisor: 5 };
    box_of(2).iter().for_each(|bound| solver.push(bound));
    for seed in 0..6000 {
        let parts = random::abstraction(&mut Rng::new(seed), shape);
        agree(&mut solver, &parts, 2, seed);
    }
}

/// Nothing can be left out of a core that was minimised.
#[test]
fn minimised_cores_are_minimal() {
    let mut seen = 0;
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let mut solver = Embedded::new();
        box_of(2).iter().for_each(|bound| solver.push(bound));
        let shape = Shape { variables: 2, ..Shape::SMALL };
        let parts: Vec<LinearFormula> = (0..8).map(|_| random::literal(&mut rng, shape)).collect();
        let SatAnswer::Unsat(core) = solver.check(&parts) else { continue };
        let core = minimise(&mut solver, &parts, core);
        seen += usize::from(core.len() > 2);
        let context = box_of(2);
        let satisfiable_without = |left_out: Option<usize>| {
            let kept = core.iter().filter(|&&part| Some(part) != left_out).map(|&p| &parts[p]);
            is_satisfiable(&kept.chain(&context).collect::<Vec<_>>(), 2)
        };
        assert!(!satisfiable_without(None), "seed {seed}");
        let is_needed = |&part: &usize| satisfiable_without(Some(part));
        assert!(core.iter().all(is_needed), "seed {seed}: {core:?}");
    }
    assert!(seen > 30, "{seen} cores of more than two parts");
}
