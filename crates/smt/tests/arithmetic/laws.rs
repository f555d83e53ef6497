//! Operations on formulas keep their meaning.

use crate::random::{self, Shape};
use smt::{Comparison, Excess, IntegerValue, LinearAtom, LinearFormula, Rounding, Term, Variable};
use testkit::Rng;

const BOUND: i64 = 9;

/// A random point.
fn point(rng: &mut Rng, variables: u32) -> Vec<i128> {
    (0..variables).map(|_| random::number(rng, BOUND).into()).collect()
}

fn holds(formula: &LinearFormula, at: &[i128]) -> bool {
    formula.holds(&|v| at[v.0 as usize]).expect("small numbers")
}

fn atom_of(rng: &mut Rng, term: Term) -> LinearAtom {
    match rng.below(3) {
        0 => LinearAtom::AtMost(term),
        1 => LinearAtom::Zero(term),
        _ => LinearAtom::Divides(rng.below(13) as u64, term),
    }
}

#[test]
fn normal_forms_mean_the_same() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let shape = Shape { coefficient: 12, constant: 30, ..Shape::SMALL };
        let term = random::term(&mut rng, shape).times(rng.between(1, 6) as i64).expect("small");
        let atom = atom_of(&mut rng, term);
        let normal = atom.normal();
        assert_eq!(normal.normal(), normal, "seed {seed}: normal forms are normal");
        for _ in 0..50 {
            let at = point(&mut rng, 3);
            let plain = atom.holds(&|v| at[v.0 as usize]);
            assert_eq!(plain, Some(holds(&normal, &at)), "seed {seed}: {atom:?} at {at:?}");
        }
    }
}

/// The normal form forgets a factor, a sign, and for divisibility any unit.
#[test]
fn atoms_that_mean_the_same_look_the_same() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let term = random::term(&mut rng, Shape::SMALL);
        let factor = rng.between(2, 9) as i64;
        let scaled = term.times(factor).expect("small");
        assert_eq!(LinearFormula::at_most(&term), LinearFormula::at_most(&scaled));
        assert_eq!(LinearFormula::zero(&term), LinearFormula::zero(&scaled.negated()));
        let single = Term::sum([(Variable(0), random::number(&mut rng, 9))], 0).expect("small");
        let single = single.plus_constant(random::number(&mut rng, 9)).expect("small");
        for unit in [1, 3, 7, 9] {
            let other = single.times(unit).expect("small");
            assert_eq!(LinearFormula::divides(10, &single), LinearFormula::divides(10, &other));
        }
    }
}

#[test]
fn an_atom_and_its_negation_are_one_predicate() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let term = random::term(&mut rng, Shape::SMALL);
        let LinearFormula::Atom(atom) = atom_of(&mut rng, term).normal() else { continue };
        let (canonical, is_same) = atom.up_to_negation();
        let negation = LinearFormula::Atom(atom.clone()).negated();
        if let LinearFormula::Atom(negation) = &negation {
            assert_eq!(negation.up_to_negation(), (canonical.clone(), !is_same), "seed {seed}");
        }
        let at = point(&mut rng, 3);
        let value = canonical.holds(&|v| at[v.0 as usize]).expect("small");
        assert_eq!(value == is_same, holds(&LinearFormula::Atom(atom), &at), "seed {seed}");
    }
    let x = Term::variable(Variable(0));
    let odd = LinearAtom::Divides(2, x.plus_constant(1).expect("small"));
    assert_eq!(odd.up_to_negation(), (LinearAtom::Divides(2, x), false));
}

#[test]
fn negation_turns_the_value_around() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let formula = random::formula(&mut rng, Shape::SMALL, 3);
        let at = point(&mut rng, 3);
        assert_ne!(holds(&formula, &at), holds(&formula.negated(), &at), "seed {seed}");
        assert_eq!(holds(&formula, &at), holds(&formula.negated().negated(), &at), "seed {seed}");
    }
}

/// The weakest precondition: the formula after the change is the changed formula before.
#[test]
fn substitution_commutes_with_evaluation() {
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let formula = random::formula(&mut rng, Shape::SMALL, 3);
        let changes: Vec<Option<Term>> =
            (0..3).map(|_| rng.chance(0.6).then(|| random::term(&mut rng, Shape::SMALL))).collect();
        let before = formula.substitute(&|v| changes[v.0 as usize].clone()).expect("small");
        let at = point(&mut rng, 3);
        let change = |(place, change): (usize, &Option<Term>)| match change {
            Some(term) => term.value(&|v| at[v.0 as usize]).expect("small"),
            None => at[place],
        };
        let after: Vec<i128> = changes.iter().enumerate().map(change).collect();
        assert_eq!(holds(&before, &at), holds(&formula, &after), "seed {seed}");
    }
}

#[test]
fn connectives_mean_what_they_say() {
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let parts: Vec<LinearFormula> = (0..rng.between(0, 4))
            .map(|_| match rng.chance(0.2) {
                true => LinearFormula::Constant(rng.chance(0.5)),
                false => random::formula(&mut rng, Shape::SMALL, 1),
            })
            .collect();
        let at = point(&mut rng, 3);
        let all = parts.iter().all(|part| holds(part, &at));
        let any = parts.iter().any(|part| holds(part, &at));
        assert_eq!(holds(&LinearFormula::and(parts.clone()), &at), all, "seed {seed}");
        assert_eq!(holds(&LinearFormula::or(parts), &at), any, "seed {seed}");
    }
}

#[test]
fn comparisons_mean_what_they_say() {
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let terms = [(); 2].map(|()| random::term(&mut rng, Shape::SMALL));
        let at = point(&mut rng, 3);
        let [a, b] = [0, 1].map(|n: usize| terms[n].value(&|v| at[v.0 as usize]).expect("small"));
        for relation in Comparison::ALL {
            let formula = relation.between(&terms[0], &terms[1]).expect("small");
            assert_eq!(holds(&formula, &at), relation.holds(a, b), "seed {seed}: {relation:?}");
        }
    }
}

/// An expression as a tree, next to its value.
fn expression(rng: &mut Rng, depth: usize, at: &[i128]) -> (IntegerValue, i128) {
    if depth == 0 {
        let term = random::term(rng, Shape::SMALL);
        let value = term.value(&|v| at[v.0 as usize]).expect("small");
        return (term.into(), value);
    }
    let (inner, number) = expression(rng, depth - 1, at);
    let by = [-5, -3, -2, -1, 1, 2, 3, 4][rng.below(8)];
    let wide = i128::from(by);
    let down = (number - number.rem_euclid(wide.abs())) / wide.abs() * wide.signum();
    let down = if by < 0 { (-number).div_euclid(wide.abs()) } else { down };
    let (made, number) = match rng.below(6) {
        0 => (inner.divided(by, Rounding::Down), down),
        1 => (inner.divided(by, Rounding::TowardsZero), number / wide),
        2 => (inner.modulo(by, Rounding::Down), number - wide * down),
        3 => (inner.modulo(by, Rounding::TowardsZero), number % wide),
        4 => (inner.times(by), number * wide),
        _ => {
            let (other, second) = expression(rng, depth - 1, at);
            (inner.minus(&other), number - second)
        }
    };
    (made.expect("small numbers"), number)
}

#[test]
fn divisions_are_removed_exactly() {
    let mut compared = 0;
    for seed in 0..1200 {
        let mut rng = Rng::new(seed);
        let at = point(&mut rng, 3);
        let depth = rng.between(0, 3);
        let (a, value_a) = expression(&mut rng, depth, &at);
        let (b, value_b) = expression(&mut rng, 1, &at);
        for relation in Comparison::ALL {
            let expected = relation.holds(value_a, value_b);
            match a.compared(relation, &b) {
                Ok(formula) => assert_eq!(holds(&formula, &at), expected, "seed {seed}: {a:?}"),
                Err(excess) => assert_eq!(excess, Excess::Cases, "seed {seed}"),
            }
            compared += usize::from(a.compared(relation, &b).is_ok());
        }
    }
    assert!(compared > 6900, "{compared} of 7200");
}

#[test]
fn a_remainder_compared_with_a_constant_is_one_atom() {
    let x = IntegerValue::from(Term::variable(Variable(0)));
    let seven = IntegerValue::from(Term::constant(7).expect("small"));
    let remainder = x.modulo(1_000_000, Rounding::Down).expect("small");
    let formula = remainder.compared(Comparison::Equal, &seven).expect("one case");
    assert!(matches!(formula, LinearFormula::Atom(_)), "{formula:?}");
    let quotient = x.divided(1_000_000, Rounding::Down).expect("small");
    let formula = quotient.compared(Comparison::Less, &x).expect("one case");
    assert!(matches!(formula, LinearFormula::Atom(_)), "{formula:?}");
}

#[test]
fn what_does_not_fit_is_reported() {
    let largest = Term::constant(i64::MAX).expect("fits");
    assert_eq!(largest.plus_constant(1), Err(Excess::Number));
    assert_eq!(Term::constant(i64::MIN), Err(Excess::Number));
    assert_eq!(largest.times(2), Err(Excess::Number));
    let x = Term::sum([(Variable(0), i64::MAX)], -i64::MAX).expect("fits");
    let formula = LinearFormula::atom(LinearAtom::AtMost(x.clone()));
    for at in [0, 1, 2] {
        assert_ne!(holds(&formula, &[at]), holds(&formula.negated(), &[at]));
    }
    assert_eq!(IntegerValue::from(x.clone()).divided(0, Rounding::Down), Err(Excess::Divisor));
    let doubled = x.substitute(&|_| Term::sum([(Variable(1), 2)], 0).ok());
    assert_eq!(doubled, Err(Excess::Number));
}
