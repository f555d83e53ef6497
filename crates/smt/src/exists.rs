//! Quantifiers removed from formulas (Cooper, 1972).
//!
//! With its coefficients made 1, a variable that has a value has one just above a lower bound, or values below
//! everything: within the common multiple δ of the divisors around it, either is found. So ∃x F is
//! ∨ⱼ F₋∞(j) ∨ ∨ⱼ ∨ᵦ F(b + j) for j in 1..=δ and b that x has to be above.

use crate::number::gcd;
use crate::term::kept;
use crate::{Excess, LinearAtom, LinearFormula, Term, Variable};

/// How many formulas one quantifier is replaced by at most.
const CASES: u64 = 1024;

impl LinearFormula {
    /// For some value of the variable the formula is true.
    pub fn exists(&self, variable: Variable) -> Result<LinearFormula, Excess> {
        some(&pushed_in(self, true)?, variable)
    }

    /// For every value of the variable the formula is true.
    pub fn for_all(&self, variable: Variable) -> Result<LinearFormula, Excess> {
        Ok(some(&pushed_in(self, false)?, variable)?.negated())
    }
}

/// The formula, or its negation, with negations before equations and divisibilities only.
fn pushed_in(formula: &LinearFormula, is_so: bool) -> Result<LinearFormula, Excess> {
    let all = |parts: &[LinearFormula]| {
        parts.iter().map(|part| pushed_in(part, is_so)).collect::<Result<Vec<_>, _>>()
    };
    Ok(match formula {
        LinearFormula::Constant(value) => LinearFormula::Constant(*value == is_so),
        LinearFormula::Not(inner) => pushed_in(inner, !is_so)?,
        LinearFormula::And(parts) if is_so => LinearFormula::and(all(parts)?),
        LinearFormula::Or(parts) if !is_so => LinearFormula::and(all(parts)?),
        LinearFormula::And(parts) | LinearFormula::Or(parts) => LinearFormula::or(all(parts)?),
        LinearFormula::Atom(_) if is_so => formula.clone(),
        LinearFormula::Atom(atom) => match (&**atom, formula.negated()) {
            (LinearAtom::AtMost(_), LinearFormula::Not(_)) => return Err(Excess::Number),
            (_, negation) => negation,
        },
    })
}

/// The quantifier goes as far in as it can.
fn some(formula: &LinearFormula, variable: Variable) -> Result<LinearFormula, Excess> {
    if !mentions(formula, variable) {
        return Ok(formula.clone());
    }
    match formula {
        LinearFormula::Or(parts) => {
            let each = parts.iter().map(|part| some(part, variable));
            Ok(LinearFormula::or(each.collect::<Result<Vec<_>, _>>()?))
        }
        LinearFormula::And(parts) => {
            let (inside, outside): (Vec<_>, Vec<_>) =
                parts.iter().cloned().partition(|part| mentions(part, variable));
            let inside = match inside.iter().find_map(|part| solved(part, variable)) {
                Some(value) => LinearFormula::and(inside).substitute(&only(variable, &value))?,
                None => cooper(&LinearFormula::and(inside), variable)?,
            };
            Ok(LinearFormula::and(outside.into_iter().chain([inside])))
        }
        _ => cooper(formula, variable),
    }
}

fn mentions(formula: &LinearFormula, variable: Variable) -> bool {
    let mut is_there = false;
    formula.for_each_atom(&mut |atom| is_there |= atom.term().coefficient(variable) != 0);
    is_there
}

fn only(variable: Variable, value: &Term) -> impl Fn(Variable) -> Option<Term> {
    move |other| (other == variable).then(|| value.clone())
}

/// The term that equals the variable, if the formula is an equation that says so.
fn solved(formula: &LinearFormula, variable: Variable) -> Option<Term> {
    let LinearFormula::Atom(atom) = formula else { return None };
    let LinearAtom::Zero(term) = &**atom else { return None };
    match term.coefficient(variable) {
        factor @ (1 | -1) => without(term, variable).ok()?.times(-factor).ok(),
        _ => None,
    }
}

fn without(term: &Term, variable: Variable) -> Result<Term, Excess> {
    term.plus_times(-term.coefficient(variable), &Term::variable(variable))
}

fn cooper(formula: &LinearFormula, variable: Variable) -> Result<LinearFormula, Excess> {
    let mut formula = with_coefficients_of_one(formula, variable)?;
    let mut above = Bounds::of(&formula, variable)?;
    let mirrored = formula.substitute_plainly(variable, &Term::variable(variable).negated())?;
    let below = Bounds::of(&mirrored, variable)?;
    if below.0.len() < above.0.len() {
        (formula, above) = (mirrored, below);
    }
    let period = period(&formula, variable)?;
    if period.saturating_mul(above.0.len() as u64 + 1) > CASES {
        return Err(Excess::Cases);
    }
    let far = far_below(&formula, variable)?;
    let mut cases = Vec::new();
    for step in 1..=kept(period.into())? {
        cases.push(far.substitute(&only(variable, &Term::constant(step)?))?);
        for bound in &above.0 {
            let value = bound.plus_constant(step)?;
            cases.push(formula.substitute(&only(variable, &value))?);
        }
    }
    Ok(LinearFormula::or(cases))
}

/// The formula about a multiple of the variable that has only 1 and −1 as coefficients.
fn with_coefficients_of_one(
    formula: &LinearFormula,
    variable: Variable,
) -> Result<LinearFormula, Excess> {
    let mut multiple = Ok(1u64);
    formula.for_each_atom(&mut |atom| {
        let factor = atom.term().coefficient(variable).unsigned_abs();
        if factor != 0 {
            multiple = multiple.and_then(|known| common_multiple(known, factor));
        }
    });
    let multiple = kept(multiple?.into())?;
    let scaled = formula.map_atoms(&mut |atom| {
        let factor = atom.term().coefficient(variable);
        if factor == 0 {
            return Ok(LinearFormula::atom(atom.clone()));
        }
        let times = multiple / factor.abs();
        let others = without(atom.term(), variable)?.times(times)?;
        let term = others.plus_times(factor.signum(), &Term::variable(variable))?;
        Ok(LinearFormula::atom(match atom {
            LinearAtom::Divides(divisor, _) => {
                let divisor = u128::from(*divisor) * u128::from(times.unsigned_abs());
                LinearAtom::Divides(u64::try_from(divisor).map_err(|_| Excess::Number)?, term)
            }
            _ => atom.with_term(term),
        }))
    })?;
    let integer = LinearAtom::Divides(multiple.unsigned_abs(), Term::variable(variable));
    Ok(if multiple == 1 {
        scaled
    } else {
        LinearFormula::and([scaled, LinearFormula::atom(integer)])
    })
}

impl LinearFormula {
    /// Replaces a variable without normalising, which could give it other coefficients.
    fn substitute_plainly(&self, variable: Variable, by: &Term) -> Result<LinearFormula, Excess> {
        self.map_atoms(&mut |atom| {
            Ok(LinearFormula::atom(atom.with_term(atom.term().substitute(&only(variable, by))?)))
        })
    }
}

/// Terms that the variable has to be above, or may have to.
struct Bounds(Vec<Term>);

impl Bounds {
    fn of(formula: &LinearFormula, variable: Variable) -> Result<Self, Excess> {
        let mut bounds = Self(Vec::new());
        bounds.collect(formula, true, variable)?;
        bounds.0.sort();
        bounds.0.dedup();
        Ok(bounds)
    }

    fn collect(
        &mut self,
        formula: &LinearFormula,
        is_so: bool,
        variable: Variable,
    ) -> Result<(), Excess> {
        match formula {
            LinearFormula::Constant(_) => Ok(()),
            LinearFormula::Not(inner) => self.collect(inner, !is_so, variable),
            LinearFormula::And(parts) | LinearFormula::Or(parts) => {
                parts.iter().try_for_each(|part| self.collect(part, is_so, variable))
            }
            LinearFormula::Atom(atom) => self.collect_atom(atom, is_so, variable),
        }
    }

    fn collect_atom(
        &mut self,
        atom: &LinearAtom,
        is_so: bool,
        variable: Variable,
    ) -> Result<(), Excess> {
        let factor = atom.term().coefficient(variable);
        let others = without(atom.term(), variable)?;
        match atom {
            LinearAtom::AtMost(_) if factor < 0 => self.0.push(others.plus_constant(-1)?),
            LinearAtom::Zero(_) | LinearAtom::Divides(0, _) if factor != 0 => {
                let value = others.times(-factor)?;
                self.0.push(value.plus_constant(-i64::from(is_so))?);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The period of the formula in the variable.
fn period(formula: &LinearFormula, variable: Variable) -> Result<u64, Excess> {
    let mut period = Ok(1);
    formula.for_each_atom(&mut |atom| {
        if let LinearAtom::Divides(divisor @ 1.., term) = atom
            && term.coefficient(variable) != 0
        {
            period = period.and_then(|known| common_multiple(known, *divisor));
        }
    });
    period
}

fn common_multiple(a: u64, b: u64) -> Result<u64, Excess> {
    let product = u128::from(a) / gcd(a.into(), b.into()) * u128::from(b);
    u64::try_from(product).map_err(|_| Excess::Number)
}

/// The formula for all values of the variable below every bound.
fn far_below(formula: &LinearFormula, variable: Variable) -> Result<LinearFormula, Excess> {
    formula.map_atoms(&mut |atom| {
        let factor = atom.term().coefficient(variable);
        Ok(match atom {
            LinearAtom::AtMost(_) if factor != 0 => LinearFormula::Constant(factor > 0),
            LinearAtom::Zero(_) | LinearAtom::Divides(0, _) if factor != 0 => {
                LinearFormula::Constant(false)
            }
            _ => LinearFormula::atom(atom.clone()),
        })
    })
}
