//! Formulas as a reader would write them.

use smt::{Comparison, LinearFormula, Term, Variable};

fn shown(formula: &LinearFormula) -> String {
    formula.show(&|variable| ["x", "y", "z"][variable.0 as usize].to_owned())
}

fn term(coefficients: [i64; 3], constant: i64) -> Term {
    let products = coefficients.iter().enumerate().map(|(v, &a)| (Variable(v as u32), a));
    Term::sum(products, constant).expect("small numbers")
}

#[test]
fn inequalities() {
    let cases = [
        ([-1, 0, 0], 1, "x > 0"),
        ([1, 0, 0], 1, "x < 0"),
        ([1, 0, 0], -4, "x <= 4"),
        ([-1, 0, 0], 5, "x >= 5"),
        ([2, 1, 0], -7, "2*x + y <= 7"),
        ([1, -1, 0], 0, "x <= y"),
        ([1, -1, 0], 1, "x < y"),
        ([1, -1, -2], -3, "x <= y + 2*z + 3"),
        ([-1, 3, 0], 2, "3*y <= x - 2"),
        ([-1, -1, 0], -2, "x + y >= -2"),
    ];
    for (coefficients, constant, expected) in cases {
        assert_eq!(shown(&LinearFormula::at_most(&term(coefficients, constant))), expected);
    }
}

#[test]
fn equations_and_divisibilities() {
    let one = LinearFormula::zero(&term([1, -1, 0], 1));
    assert_eq!(shown(&one), "x = y - 1");
    assert_eq!(shown(&one.negated()), "x != y - 1");
    let cases = [
        (4, [1, 0, 0], 0, "x mod 4 = 0"),
        (4, [1, 0, 0], -1, "(x - 1) mod 4 = 0"),
        (4, [1, -1, 0], 1, "(x - y + 1) mod 4 = 0"),
        (2, [1, 0, 0], 1, "x mod 2 != 0"),
        (2, [1, 1, 0], 0, "(x + y) mod 2 = 0"),
        (6, [2, 0, 0], 0, "x mod 3 = 0"),
    ];
    for (divisor, coefficients, constant, expected) in cases {
        assert_eq!(
            shown(&LinearFormula::divides(divisor, &term(coefficients, constant))),
            expected
        );
    }
    let odd = LinearFormula::divides(2, &term([1, 0, 0], 1));
    assert_eq!(shown(&odd.negated()), "x mod 2 = 0");
}

#[test]
fn connectives() {
    let positive = |v: usize| {
        let mut coefficients = [0; 3];
        coefficients[v] = -1;
        LinearFormula::at_most(&term(coefficients, 1))
    };
    let either = LinearFormula::or([positive(0), positive(1)]);
    let both = LinearFormula::and([either.clone(), positive(2)]);
    assert_eq!(shown(&both), "(x > 0 | y > 0) & z > 0");
    assert_eq!(shown(&both.negated()), "!((x > 0 | y > 0) & z > 0)");
    assert_eq!(shown(&LinearFormula::Constant(true)), "true");
    let less = Comparison::Less.between(&term([1, 0, 0], 0), &term([0, 0, 0], 5)).expect("small");
    assert_eq!(shown(&less), "x <= 4");
    assert_eq!(shown(&LinearFormula::zero(&term([0, 0, 0], 0))), "true");
}
