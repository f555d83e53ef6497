//! Quantifiers are removed exactly: what is left is true where the embedded solver finds a value.

use crate::random::{self, Shape};
use smt::{Comparison, Embedded, Excess, LinearFormula, SatAnswer, Solver, Term, Variable};
use testkit::Rng;

const X: Variable = Variable(0);

fn at(rng: &mut Rng) -> [i64; 3] {
    [(); 3].map(|()| random::number(rng, 12))
}

fn is_satisfiable(formula: LinearFormula) -> bool {
    match Embedded::new().check(&[formula]) {
        SatAnswer::Sat(_) => true,
        SatAnswer::Unsat(_) => false,
        SatAnswer::Unknown(why) => panic!("{why}"),
    }
}

#[test]
fn a_value_exists_where_the_formula_without_the_variable_holds() {
    let mut compared = 0;
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let shape = Shape { divisor: 4, ..Shape::SMALL };
        let formula = random::formula(&mut rng, shape, 2);
        let (some, all) = match (formula.exists(X), formula.for_all(X)) {
            (Ok(some), Ok(all)) => (some, all),
            (some, all) => {
                let is_excess =
                    |made: Result<LinearFormula, Excess>| made.err() == Some(Excess::Cases);
                assert!(is_excess(some) || is_excess(all), "seed {seed}");
                continue;
            }
        };
        assert!(!some.variables().contains(&X) && !all.variables().contains(&X), "seed {seed}");
        compared += 1;
        for _ in 0..8 {
            let point = at(&mut rng);
            let fixed = |v: Variable| match v {
                X => None,
                _ => Term::constant(point[v.0 as usize]).ok(),
            };
            let here = formula.substitute(&fixed).expect("small");
            let value = |v: Variable| i128::from(point[v.0 as usize]);
            let shown = || formula.show(&|v| format!("{v:?}"));
            let expected = is_satisfiable(here.clone());
            assert_eq!(some.holds(&value), Some(expected), "seed {seed} at {point:?}: {}", shown());
            let expected = !is_satisfiable(here.negated());
            assert_eq!(all.holds(&value), Some(expected), "seed {seed} at {point:?}: {}", shown());
        }
    }
    assert!(compared > 1200, "{compared} of 1500");
}

/// Some x is between y and z: exactly if y < z − 1. Some 2x is y: exactly if y is even.
#[test]
fn examples() {
    let [x, y, z] = [0, 1, 2].map(|v| Term::variable(Variable(v)));
    let between = LinearFormula::and([
        Comparison::Less.between(&y, &x).expect("small"),
        Comparison::Less.between(&x, &z).expect("small"),
    ]);
    let expected = Comparison::Less.between(&y.plus_constant(1).expect("small"), &z);
    assert_eq!(between.exists(X), expected);
    let double = Comparison::Equal.between(&x.times(2).expect("small"), &y).expect("small");
    assert_eq!(double.exists(X), Ok(LinearFormula::divides(2, &y)));
    assert_eq!(double.for_all(X), Ok(LinearFormula::Constant(false)));
}
