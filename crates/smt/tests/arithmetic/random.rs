//! Random terms, formulas and questions.

use smt::{Comparison, IntegerValue, LinearFormula, Rounding, Term, Variable};
use testkit::Rng;

/// Sizes of random formulas.
#[derive(Clone, Copy)]
pub struct Shape {
    pub variables: u32,
    /// Coefficients lie between this and its negation.
    pub coefficient: i64,
    pub constant: i64,
    pub divisor: u64,
}

impl Shape {
    pub const SMALL: Shape = Shape { variables: 3, coefficient: 4, constant: 6, divisor: 6 };
}

/// A number between the bound and its negation.
pub fn number(rng: &mut Rng, bound: i64) -> i64 {
    rng.below(2 * bound as usize + 1) as i64 - bound
}

pub fn term(rng: &mut Rng, shape: Shape) -> Term {
    let count = rng.between(1, 3.min(shape.variables as usize));
    let products: Vec<(Variable, i64)> = (0..count)
        .map(|_| {
            let variable = Variable(rng.below(shape.variables as usize) as u32);
            // Most coefficients in programs are 1 and −1.
            let bound = if rng.chance(0.5) { 1 } else { shape.coefficient };
            (variable, number(rng, bound))
        })
        .collect();
    Term::sum(products, number(rng, shape.constant)).expect("small numbers")
}

pub fn literal(rng: &mut Rng, shape: Shape) -> LinearFormula {
    let term = term(rng, shape);
    match rng.below(8) {
        0 => LinearFormula::zero(&term),
        1 => LinearFormula::zero(&term).negated(),
        2 => LinearFormula::divides(rng.between(2, shape.divisor as usize) as u64, &term),
        3 => LinearFormula::divides(rng.between(2, shape.divisor as usize) as u64, &term).negated(),
        _ => LinearFormula::at_most(&term),
    }
}

/// A formula of this depth at most.
pub fn formula(rng: &mut Rng, shape: Shape, depth: usize) -> LinearFormula {
    if depth == 0 || rng.chance(0.3) {
        return literal(rng, shape);
    }
    let count = rng.between(1, 3);
    let parts: Vec<LinearFormula> = (0..count).map(|_| formula(rng, shape, depth - 1)).collect();
    match rng.below(3) {
        0 => LinearFormula::and(parts),
        1 => LinearFormula::or(parts),
        _ => LinearFormula::and(parts).negated(),
    }
}

/// An expression of a program, with quotients and remainders.
pub fn value(rng: &mut Rng, shape: Shape, depth: usize) -> IntegerValue {
    if depth == 0 || rng.chance(0.4) {
        return term(rng, shape).into();
    }
    let inner = value(rng, shape, depth - 1);
    let by = [-3, -2, 2, 3, 4][rng.below(5)];
    let rounding = if rng.chance(0.5) { Rounding::Down } else { Rounding::TowardsZero };
    let made = match rng.below(4) {
        0 => inner.divided(by, rounding),
        1 => inner.modulo(by, rounding),
        2 => inner.plus(&value(rng, shape, depth - 1)),
        _ => inner.times(number(rng, 2)),
    };
    made.expect("small numbers")
}

/// Questions as predicate abstraction asks them: literals of predicates, a guard, and that the step leads out of a
/// predicate or into it. `div` and `mod` by constants come in.
pub fn abstraction(rng: &mut Rng, shape: Shape) -> Vec<LinearFormula> {
    let predicates: Vec<LinearFormula> =
        (0..rng.between(1, 10)).map(|_| predicate(rng, shape)).collect();
    let literal = |rng: &mut Rng, predicate: &LinearFormula| match rng.chance(0.5) {
        true => predicate.clone(),
        false => predicate.negated(),
    };
    let mut parts: Vec<LinearFormula> = predicates.iter().map(|p| literal(rng, p)).collect();
    parts.push(guard(rng, shape));
    let changes: Vec<Option<Term>> =
        (0..shape.variables).map(|_| rng.chance(0.5).then(|| term(rng, shape))).collect();
    for _ in 0..rng.between(1, 3) {
        let target = rng.pick(&predicates);
        let before = target.substitute(&|variable| changes[variable.0 as usize].clone());
        parts.push(literal(rng, &before.expect("small numbers")));
    }
    parts
}

fn predicate(rng: &mut Rng, shape: Shape) -> LinearFormula {
    match rng.below(10) {
        0..=4 => LinearFormula::at_most(&term(rng, shape)),
        5 | 6 => LinearFormula::zero(&term(rng, shape)),
        7 => {
            LinearFormula::divides(rng.between(2, shape.divisor as usize) as u64, &term(rng, shape))
        }
        _ => comparison(rng, shape),
    }
}

pub fn comparison(rng: &mut Rng, shape: Shape) -> LinearFormula {
    let relation = *rng.pick(&Comparison::ALL);
    let (a, b) = (value(rng, shape, 1), term(rng, shape).into());
    a.compared(relation, &b).expect("few cases")
}

fn guard(rng: &mut Rng, shape: Shape) -> LinearFormula {
    let parts: Vec<LinearFormula> = (0..rng.between(1, 3)).map(|_| predicate(rng, shape)).collect();
    if rng.chance(0.5) { LinearFormula::and(parts) } else { LinearFormula::or(parts) }
}
