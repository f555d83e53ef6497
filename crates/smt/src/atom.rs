//! Atoms and their normal form, in which atoms that mean the same look the same.

use crate::number::{gcd, inverse};
use crate::term::kept;
use crate::{LinearFormula, Term, Variable};

/// An atom of linear integer arithmetic.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LinearAtom {
    /// The term is at most 0.
    AtMost(Term),
    /// The term is 0.
    Zero(Term),
    /// The number divides the term. 0 divides 0 only.
    Divides(u64, Term),
}

impl LinearAtom {
    pub fn term(&self) -> &Term {
        match self {
            LinearAtom::AtMost(term) | LinearAtom::Zero(term) | LinearAtom::Divides(_, term) => {
                term
            }
        }
    }

    /// The atom of the same kind over another term.
    #[must_use]
    pub fn with_term(&self, term: Term) -> LinearAtom {
        match self {
            LinearAtom::AtMost(_) => LinearAtom::AtMost(term),
            LinearAtom::Zero(_) => LinearAtom::Zero(term),
            LinearAtom::Divides(divisor, _) => LinearAtom::Divides(*divisor, term),
        }
    }

    /// Whether it is so where the variables have these values; `None` if a number does not fit.
    pub fn holds(&self, of: &dyn Fn(Variable) -> i128) -> Option<bool> {
        let value = self.term().value(of)?;
        Some(match self {
            LinearAtom::AtMost(_) => value <= 0,
            LinearAtom::Zero(_) | LinearAtom::Divides(0, _) => value == 0,
            LinearAtom::Divides(divisor, _) => value.rem_euclid((*divisor).into()) == 0,
        })
    }

    /// The normal form: a constant, or an atom with the smallest numbers. Integers are tightened
    /// (`2x ≤ 5` is `x ≤ 2`), the first coefficient of an equation is positive, that of a divisibility
    /// divides the divisor.
    pub fn normal(&self) -> LinearFormula {
        match self {
            LinearAtom::AtMost(term) => normal_at_most(term),
            LinearAtom::Zero(term) => normal_zero(term),
            LinearAtom::Divides(0, term) => normal_zero(term),
            LinearAtom::Divides(divisor, term) => normal_divides(*divisor, term),
        }
    }

    /// One of the atom and its negation, always the same for both, and whether the atom is the one. Expects
    /// the normal form.
    pub fn up_to_negation(&self) -> (LinearAtom, bool) {
        match self {
            LinearAtom::AtMost(term) if term.coefficients().first().is_some_and(|c| c.1 < 0) => {
                match beyond(term) {
                    Some(negation) => (LinearAtom::AtMost(negation), false),
                    None => (self.clone(), true),
                }
            }
            LinearAtom::Divides(2, term) if term.offset() % 2 != 0 => {
                (LinearAtom::Divides(2, term.clone().with_offset(0)), false)
            }
            _ => (self.clone(), true),
        }
    }
}

/// The term that is at most 0 where this one is more, if its numbers fit.
pub(crate) fn beyond(term: &Term) -> Option<Term> {
    term.negated().plus_constant(1).ok()
}

fn normal_at_most(term: &Term) -> LinearFormula {
    match content(term) {
        0 => LinearFormula::Constant(term.offset() <= 0),
        1 => LinearFormula::atom(LinearAtom::AtMost(term.clone())),
        divisor => {
            // Rounding up keeps the number in its bounds.
            let up = -(-term.offset()).div_euclid(divisor);
            let term = term.clone().with_offset(0).map(|number| number / divisor);
            LinearFormula::atom(LinearAtom::AtMost(term.with_offset(up)))
        }
    }
}

fn normal_zero(term: &Term) -> LinearFormula {
    let divisor = content(term);
    if divisor == 0 {
        return LinearFormula::Constant(term.offset() == 0);
    }
    if term.offset() % divisor != 0 {
        return LinearFormula::Constant(false);
    }
    let is_negative = term.coefficients()[0].1 < 0;
    let divisor = if is_negative { -divisor } else { divisor };
    LinearFormula::atom(LinearAtom::Zero(term.map(|number| number / divisor)))
}

/// The greatest common divisor of the coefficients, 0 if there are none.
fn content(term: &Term) -> i64 {
    let all = term.coefficients().iter().map(|c| u128::from(c.1.unsigned_abs()));
    // It divides a coefficient, so it fits.
    i64::try_from(all.fold(0, gcd)).unwrap_or(1)
}

fn normal_divides(divisor: u64, term: &Term) -> LinearFormula {
    let Ok(m) = i64::try_from(divisor) else {
        return match term.as_constant() {
            Some(value) => LinearFormula::Constant(value.unsigned_abs() % divisor == 0),
            None => LinearFormula::atom(LinearAtom::Divides(divisor, term.clone())),
        };
    };
    let term = residues(term, m, 1);
    let common = gcd(content(&term).unsigned_abs().into(), m.unsigned_abs().into());
    // It divides the divisor, so it fits.
    let common = i64::try_from(common).unwrap_or(1);
    if term.offset() % common != 0 {
        return LinearFormula::Constant(false);
    }
    let (m, term) = (m / common, term.map(|number| number / common));
    match term.coefficients().first() {
        None => LinearFormula::Constant(term.offset() % m == 0),
        Some(&(_, first)) => {
            let term = residues(&term, m, unit_towards_divisor(first, m));
            LinearFormula::atom(LinearAtom::Divides(m.unsigned_abs(), term))
        }
    }
}

/// The term times a factor, with each number as its residue modulo `m`.
fn residues(term: &Term, m: i64, factor: i64) -> Term {
    let residue = |number: i64| {
        let value = (i128::from(number) * i128::from(factor)).rem_euclid(m.into());
        // Less than `m`, so it fits.
        kept(value).unwrap_or(0)
    };
    let products = term.coefficients().iter().map(|&(variable, a)| (variable, residue(a)));
    Term::sum(products, residue(term.offset())).unwrap_or_default()
}

/// A number without common divisors with `m` that makes `a` the greatest common divisor of `a` and `m`.
fn unit_towards_divisor(a: i64, m: i64) -> i64 {
    let (a, m) = (i128::from(a), i128::from(m));
    let common = gcd(a.unsigned_abs(), m.unsigned_abs()) as i128;
    let step = m / common;
    let first = inverse(a / common, step).unwrap_or(1);
    let is_unit = |u: &i128| gcd(u.unsigned_abs(), m.unsigned_abs()) == 1;
    let unit = (0..common).map(|k| first + k * step).find(is_unit).unwrap_or(1);
    i64::try_from(unit).unwrap_or(1)
}
