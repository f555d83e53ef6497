//! Interpolants: the three laws, on random sequences, by our solver and by another one.

use crate::random::{self, Shape};
use crate::solver::{self, Process};
use smt::{Embedded, LinearFormula, Piped, SatAnswer, Solver, Term, Variable};
use std::time::Duration;
use testkit::Rng;

/// Checks interpolants, and tells the first fault.
pub fn fault(
    sequence: &[LinearFormula],
    between: &[LinearFormula],
    solver: &mut dyn Solver,
) -> Option<String> {
    if between.len() + 1 != sequence.len() {
        return Some(format!("{} between {} parts", between.len(), sequence.len()));
    }
    for (part, formula) in sequence.iter().enumerate() {
        let before =
            part.checked_sub(1).map_or(LinearFormula::Constant(true), |b| between[b].clone());
        let after = between.get(part).cloned().unwrap_or(LinearFormula::Constant(false));
        let asked = [before, formula.clone(), after.negated()];
        if let SatAnswer::Sat(model) = solver.check(&asked) {
            return Some(format!("part {part} does not lead on: {asked:?} for {model:?}"));
        }
    }
    let unshared = (1..).zip(between).find(|(place, formula)| {
        let (first, last) = sequence.split_at(*place);
        let speaks = |parts: &[LinearFormula], v| parts.iter().any(|p| p.variables().contains(v));
        !formula.variables().iter().all(|v| speaks(first, v) && speaks(last, v))
    });
    unshared.map(|(place, formula)| format!("not shared in front of {place}: {formula:?}"))
}

/// The formula with its variables moved on.
fn moved(formula: &LinearFormula, by: u32) -> LinearFormula {
    let on = |v: Variable| Some(Term::variable(Variable(v.0 + by)));
    formula.substitute(&on).expect("small numbers")
}

/// Parts that each have some variables in common with the next.
fn chain(rng: &mut Rng, depth: usize) -> Vec<LinearFormula> {
    let shape = Shape { variables: 3, coefficient: 3, constant: 4, divisor: 4 };
    let part = |rng: &mut Rng, number: u32| {
        let all: Vec<LinearFormula> =
            (0..rng.between(1, 4)).map(|_| random::formula(rng, shape, depth)).collect();
        moved(&LinearFormula::and(all), number)
    };
    (0..rng.between(2, 5) as u32).map(|number| part(rng, number)).collect()
}

/// A way of a program: values are assigned, two variables at a time, and compared.
fn program_path(rng: &mut Rng) -> Vec<LinearFormula> {
    let shape = Shape { variables: 2, coefficient: 2, constant: 3, divisor: 3 };
    let steps = rng.between(2, 7) as u32;
    let step = |rng: &mut Rng, number: u32| {
        let mut all: Vec<LinearFormula> = Vec::new();
        if rng.chance(0.7) {
            all.push(random::literal(rng, shape));
        }
        for variable in 0..2 {
            let value = match rng.chance(0.5) {
                true => Term::variable(Variable(variable)).plus_constant(1).expect("small"),
                false => random::term(rng, shape),
            };
            let new = Term::variable(Variable(variable + 2));
            all.push(LinearFormula::zero(&new.minus(&value).expect("small")));
        }
        moved(&LinearFormula::and(all), 2 * number)
    };
    let mut all: Vec<LinearFormula> = (0..steps).map(|number| step(rng, number)).collect();
    all.push(moved(&random::literal(rng, shape), 2 * steps));
    all
}

fn sequence(seed: u64) -> Vec<LinearFormula> {
    let rng = &mut Rng::new(seed);
    match seed % 3 {
        0 => program_path(rng),
        1 => chain(rng, 0),
        _ => chain(rng, 2),
    }
}

#[test]
fn the_laws_hold_of_what_the_embedded_solver_gives() {
    let (mut contradictions, mut found) = (0, 0);
    for seed in 0..6000 {
        let sequence = sequence(seed);
        let is_contradiction = matches!(Embedded::new().check(&sequence), SatAnswer::Unsat(_));
        contradictions += usize::from(is_contradiction);
        let Some(between) = Embedded::new().interpolate(&sequence) else { continue };
        found += 1;
        assert!(is_contradiction, "seed {seed}: {sequence:?}");
        let fault = fault(&sequence, &between, &mut Embedded::new());
        assert_eq!(fault, None, "seed {seed}: {sequence:?}");
    }
    println!("interpolants for {found} of {contradictions} contradictions");
    assert!(found * 100 >= contradictions * 98, "{found} of {contradictions}");
}

#[test]
fn the_laws_hold_by_z3() {
    let Some(program) = solver::find("z3") else {
        eprintln!("skipped: `z3` is not found");
        return;
    };
    let mut z3 = Piped::new(Process::new(program, Duration::from_secs(5)));
    for seed in 10_000..10_300 {
        let sequence = sequence(seed);
        let Some(between) = Embedded::new().interpolate(&sequence) else { continue };
        let fault = fault(&sequence, &between, &mut z3);
        assert_eq!(fault, None, "seed {seed}: {sequence:?}");
    }
}

/// cvc5 takes long for one, so few are asked for, and what it says no to does not count.
#[test]
fn the_laws_hold_of_what_cvc5_gives() {
    let Some(program) = solver::find("cvc5") else {
        eprintln!("skipped: `cvc5` is not found");
        return;
    };
    let x = |v: u32| Term::variable(Variable(v));
    let is = |a: &Term, b: &Term| LinearFormula::zero(&a.minus(b).expect("small"));
    let next = |v: u32| x(v).plus_constant(1).expect("small");
    let above = |v: u32| LinearFormula::at_most(&x(v).plus_constant(-1).expect("small"));
    // x := 0; x := x + 1; x := x + 1; x <= 1
    let counting =
        [is(&x(0), &Term::default()), is(&x(1), &next(0)), is(&x(2), &next(1)), above(2)];
    let mut cvc5 = Piped::new(Process::new(program, Duration::from_secs(20)));
    // What is asked for is by itself, whatever is known otherwise.
    cvc5.push(&LinearFormula::zero(&next(0)));
    let between = cvc5.interpolate(&counting).expect("cvc5 knows this one");
    assert_eq!(fault(&counting, &between, &mut Embedded::new()), None, "{between:?}");
    assert!(matches!(cvc5.check(&[is(&x(0), &x(1))]), SatAnswer::Sat(_)), "it goes on");
}

/// The oracle sees the faults.
#[test]
fn what_is_not_an_interpolant_is_seen() {
    let x = |v: u32| Term::variable(Variable(v));
    let at_most = |v: u32, c: i64| LinearFormula::at_most(&x(v).plus_constant(-c).expect("small"));
    let above = |v: u32, c: i64| at_most(v, c).negated();
    let sequence = [at_most(0, 3), LinearFormula::and([at_most(1, 0), above(0, 5)])];
    let fault = |between: &[LinearFormula]| fault(&sequence, between, &mut Embedded::new());
    assert_eq!(fault(&[at_most(0, 4)]), None);
    for wrong in [at_most(0, 2), at_most(0, 6), LinearFormula::or([at_most(0, 4), at_most(1, -1)])]
    {
        assert!(fault(&[wrong]).is_some());
    }
    assert!(fault(&[]).is_some());
}
