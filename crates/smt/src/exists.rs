//! Quantifiers removed from formulas (Cooper, 1972).
//!
//! With its coefficients made 1, a variable that has a value has one just above a lower bound, or values below
//! everything: within the common multiple δ of the divisors around it, either is found. So ∃x F is
//! ∨ⱼ F₋∞(j) ∨ ∨ⱼ ∨ᵦ F(b + j) for j in 1..=δ and b that x has to be above.

use crate::number::gcd;
use crate::term::kept;
use crate::{Atom, Excess, Formula, Term, Variable};

/// How many formulas one quantifier is replaced by at most.
const CASES: u64 = 1024;

impl Formula {
    /// For some value of the variable the formula is true.
    pub fn exists(&self, variable: Variable) -> Result<Formula, Excess> {
        some(&pushed_in(self, true)?, variable)
    }

    /// For every value of the variable the formula is true.
    pub fn for_all(&self, variable: Variable) -> Result<Formula, Excess> {
        Ok(some(&pushed_in(self, false)?, variable)?.negated())
    }
}

/// The formula, or its negation, with negations before equations and divisibilities only.
fn pushed_in(formula: &Formula, is_so: bool) -> Result<Formula, Excess> {
    let all = |parts: &[Formula]| {
        parts.iter().map(|part| pushed_in(part, is_so)).collect::<Result<Vec<_>, _>>()
    };
    Ok(match formula {
        Formula::Constant(value) => Formula::Constant(*value == is_so),
        Formula::Not(inner) => pushed_in(inner, !is_so)?,
        Formula::And(parts) if is_so => Formula::and(all(parts)?),
        Formula::Or(parts) if !is_so => Formula::and(all(parts)?),
        Formula::And(parts) | Formula::Or(parts) => Formula::or(all(parts)?),
        Formula::Atom(_) if is_so => formula.clone(),
        Formula::Atom(atom) => match (&**atom, formula.negated()) {
            (Atom::AtMost(_), Formula::Not(_)) => return Err(Excess::Number),
            (_, negation) => negation,
        },
    })
}

/// The quantifier goes as far in as it can.
fn some(formula: &Formula, variable: Variable) -> Result<Formula, Excess> {
    if !mentions(formula, variable) {
        return Ok(formula.clone());
    }
    match formula {
        Formula::Or(parts) => {
            let each = parts.iter().map(|part| some(part, variable));
            Ok(Formula::or(each.collect::<Result<Vec<_>, _>>()?))
        }
        Formula::And(parts) => {
            let (inside, outside): (Vec<_>, Vec<_>) =
                parts.iter().cloned().partition(|part| mentions(part, variable));
            let inside = match inside.iter().find_map(|part| solved(part, variable)) {
                Some(value) => Formula::and(inside).substitute(&only(variable, &value))?,
                None => cooper(&Formula::and(inside), variable)?,
            };
            Ok(Formula::and(outside.into_iter().chain([inside])))
        }
        _ => cooper(formula, variable),
    }
}

fn mentions(formula: &Formula, variable: Variable) -> bool {
    let mut is_there = false;
    formula.for_each_atom(&mut |atom| is_there |= atom.term().coefficient(variable) != 0);
    is_there
}

fn only(variable: Variable, value: &Term) -> impl Fn(Variable) -> Option<Term> {
    move |other| (other == variable).then(|| value.clone())
}

/// What the variable is, if the formula is an equation that says so.
fn solved(formula: &Formula, variable: Variable) -> Option<Term> {
    let Formula::Atom(atom) = formula else { return None };
    let Atom::Zero(term) = &**atom else { return None };
    match term.coefficient(variable) {
        factor @ (1 | -1) => without(term, variable).ok()?.times(-factor).ok(),
        _ => None,
    }
}

fn without(term: &Term, variable: Variable) -> Result<Term, Excess> {
    term.plus_times(-term.coefficient(variable), &Term::variable(variable))
}

fn cooper(formula: &Formula, variable: Variable) -> Result<Formula, Excess> {
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
    Ok(Formula::or(cases))
}

/// The formula about a multiple of the variable that has only 1 and −1 as coefficients.
fn with_coefficients_of_one(formula: &Formula, variable: Variable) -> Result<Formula, Excess> {
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
            return Ok(Formula::atom(atom.clone()));
        }
        let times = multiple / factor.abs();
        let others = without(atom.term(), variable)?.times(times)?;
        let term = others.plus_times(factor.signum(), &Term::variable(variable))?;
        Ok(Formula::atom(match atom {
            Atom::Divides(divisor, _) => {
                let divisor = u128::from(*divisor) * u128::from(times.unsigned_abs());
                Atom::Divides(u64::try_from(divisor).map_err(|_| Excess::Number)?, term)
            }
            _ => atom.with_term(term),
        }))
    })?;
    let whole = Atom::Divides(multiple.unsigned_abs(), Term::variable(variable));
    Ok(if multiple == 1 { scaled } else { Formula::and([scaled, Formula::atom(whole)]) })
}

impl Formula {
    /// Replaces a variable without normalising, which could give it other coefficients.
    fn substitute_plainly(&self, variable: Variable, by: &Term) -> Result<Formula, Excess> {
        self.map_atoms(&mut |atom| {
            Ok(Formula::atom(atom.with_term(atom.term().substitute(&only(variable, by))?)))
        })
    }
}

/// Terms that the variable has to be above, or may have to.
struct Bounds(Vec<Term>);

impl Bounds {
    fn of(formula: &Formula, variable: Variable) -> Result<Self, Excess> {
        let mut bounds = Self(Vec::new());
        bounds.collect(formula, true, variable)?;
        bounds.0.sort();
        bounds.0.dedup();
        Ok(bounds)
    }

    fn collect(
        &mut self,
        formula: &Formula,
        is_so: bool,
        variable: Variable,
    ) -> Result<(), Excess> {
        match formula {
            Formula::Constant(_) => Ok(()),
            Formula::Not(inner) => self.collect(inner, !is_so, variable),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().try_for_each(|part| self.collect(part, is_so, variable))
            }
            Formula::Atom(atom) => self.collect_atom(atom, is_so, variable),
        }
    }

    fn collect_atom(&mut self, atom: &Atom, is_so: bool, variable: Variable) -> Result<(), Excess> {
        let factor = atom.term().coefficient(variable);
        let others = without(atom.term(), variable)?;
        match atom {
            Atom::AtMost(_) if factor < 0 => self.0.push(others.plus_constant(-1)?),
            Atom::Zero(_) | Atom::Divides(0, _) if factor != 0 => {
                let value = others.times(-factor)?;
                self.0.push(value.plus_constant(-i64::from(is_so))?);
            }
            _ => {}
        }
        Ok(())
    }
}

/// What repeats itself in the formula as the variable grows.
fn period(formula: &Formula, variable: Variable) -> Result<u64, Excess> {
    let mut period = Ok(1);
    formula.for_each_atom(&mut |atom| {
        if let Atom::Divides(divisor @ 1.., term) = atom
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

/// What the formula says when the variable is less than anything it is compared with.
fn far_below(formula: &Formula, variable: Variable) -> Result<Formula, Excess> {
    formula.map_atoms(&mut |atom| {
        let factor = atom.term().coefficient(variable);
        Ok(match atom {
            Atom::AtMost(_) if factor != 0 => Formula::Constant(factor > 0),
            Atom::Zero(_) | Atom::Divides(0, _) if factor != 0 => Formula::Constant(false),
            _ => Formula::atom(atom.clone()),
        })
    })
}
