//! Formulas without quantifiers.

use crate::atom::beyond;
use crate::{Excess, LinearAtom, Term, Variable};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A formula. Cloning is cheap: parts are shared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LinearFormula {
    Constant(bool),
    Atom(Arc<LinearAtom>),
    Not(Arc<LinearFormula>),
    And(Arc<[LinearFormula]>),
    Or(Arc<[LinearFormula]>),
}

impl LinearFormula {
    /// As it stands; [`LinearAtom::normal`] gives the normal form.
    pub fn atom(atom: LinearAtom) -> Self {
        LinearFormula::Atom(Arc::new(atom))
    }

    /// The term is at most 0, in normal form.
    pub fn at_most(term: &Term) -> Self {
        LinearAtom::AtMost(term.clone()).normal()
    }

    /// The term is 0, in normal form.
    pub fn zero(term: &Term) -> Self {
        LinearAtom::Zero(term.clone()).normal()
    }

    /// The number divides the term, in normal form. 0 divides 0 only.
    pub fn divides(divisor: u64, term: &Term) -> Self {
        LinearAtom::Divides(divisor, term.clone()).normal()
    }

    /// The conjunction without needless parts: constants, repetitions, conjunctions in it.
    pub fn and(parts: impl IntoIterator<Item = LinearFormula>) -> Self {
        match flattened(parts, false) {
            None => LinearFormula::Constant(false),
            Some(parts) if parts.is_empty() => LinearFormula::Constant(true),
            Some(mut parts) if parts.len() == 1 => parts.remove(0),
            Some(parts) => LinearFormula::And(parts.into()),
        }
    }

    /// The disjunction without needless parts.
    pub fn or(parts: impl IntoIterator<Item = LinearFormula>) -> Self {
        match flattened(parts, true) {
            None => LinearFormula::Constant(true),
            Some(parts) if parts.is_empty() => LinearFormula::Constant(false),
            Some(mut parts) if parts.len() == 1 => parts.remove(0),
            Some(parts) => LinearFormula::Or(parts.into()),
        }
    }

    pub fn implies(self, other: LinearFormula) -> Self {
        LinearFormula::or([self.negated(), other])
    }

    /// The negation. That of an inequality is an inequality.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self {
            LinearFormula::Constant(value) => LinearFormula::Constant(!value),
            LinearFormula::Not(inner) => LinearFormula::clone(inner),
            LinearFormula::Atom(atom) => match &**atom {
                LinearAtom::AtMost(term) => match beyond(term) {
                    Some(negation) => LinearFormula::atom(LinearAtom::AtMost(negation)),
                    None => LinearFormula::Not(Arc::new(self.clone())),
                },
                _ => LinearFormula::Not(Arc::new(self.clone())),
            },
            LinearFormula::And(_) | LinearFormula::Or(_) => {
                LinearFormula::Not(Arc::new(self.clone()))
            }
        }
    }

    /// Whether it is so where the variables have these values; `None` if a number does not fit.
    pub fn holds(&self, of: &dyn Fn(Variable) -> i128) -> Option<bool> {
        match self {
            LinearFormula::Constant(value) => Some(*value),
            LinearFormula::Atom(atom) => atom.holds(of),
            LinearFormula::Not(inner) => Some(!inner.holds(of)?),
            LinearFormula::And(parts) => any(parts, false, of).map(|found| !found),
            LinearFormula::Or(parts) => any(parts, true, of),
        }
    }

    /// Replaces variables by terms, all at once, and normalises. This is the weakest precondition of an
    /// assignment.
    pub fn substitute(&self, by: &dyn Fn(Variable) -> Option<Term>) -> Result<Self, Excess> {
        self.map_atoms(&mut |atom| {
            if atom.term().coefficients().iter().all(|&(variable, _)| by(variable).is_none()) {
                return Ok(LinearFormula::atom(atom.clone()));
            }
            Ok(atom.with_term(atom.term().substitute(by)?).normal())
        })
    }

    /// Brings every atom into normal form.
    #[must_use]
    pub fn normal(&self) -> Self {
        self.map_atoms(&mut |atom| Ok(atom.normal())).unwrap_or_else(|_| self.clone())
    }

    /// Replaces every atom by a formula.
    pub fn map_atoms(
        &self,
        change: &mut dyn FnMut(&LinearAtom) -> Result<LinearFormula, Excess>,
    ) -> Result<Self, Excess> {
        Ok(match self {
            LinearFormula::Constant(_) => self.clone(),
            LinearFormula::Atom(atom) => change(atom)?,
            LinearFormula::Not(inner) => inner.map_atoms(change)?.negated(),
            LinearFormula::And(parts) => LinearFormula::and(changed(parts, change)?),
            LinearFormula::Or(parts) => LinearFormula::or(changed(parts, change)?),
        })
    }

    /// Visits every atom, from left to right.
    pub fn for_each_atom(&self, visit: &mut dyn FnMut(&LinearAtom)) {
        match self {
            LinearFormula::Constant(_) => {}
            LinearFormula::Atom(atom) => visit(atom),
            LinearFormula::Not(inner) => inner.for_each_atom(visit),
            LinearFormula::And(parts) | LinearFormula::Or(parts) => {
                parts.iter().for_each(|part| part.for_each_atom(visit));
            }
        }
    }

    /// The variables in it, in order, each once.
    pub fn variables(&self) -> Vec<Variable> {
        let mut found = Vec::new();
        self.for_each_atom(&mut |atom| {
            found.extend(atom.term().coefficients().iter().map(|&(variable, _)| variable));
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Whether one of the parts has the value; what does not fit does not matter if another one decides.
fn any(parts: &[LinearFormula], value: bool, of: &dyn Fn(Variable) -> i128) -> Option<bool> {
    let mut is_known = true;
    for part in parts {
        match part.holds(of) {
            Some(found) if found == value => return Some(true),
            Some(_) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(false)
}

fn changed(
    parts: &[LinearFormula],
    change: &mut dyn FnMut(&LinearAtom) -> Result<LinearFormula, Excess>,
) -> Result<Vec<LinearFormula>, Excess> {
    parts.iter().map(|part| part.map_atoms(change)).collect()
}

/// The parts of a conjunction or of a disjunction, `None` if one of them decides it by being `absorbing`.
fn flattened(
    parts: impl IntoIterator<Item = LinearFormula>,
    absorbing: bool,
) -> Option<Vec<LinearFormula>> {
    let mut kept: Vec<LinearFormula> = Vec::new();
    for part in parts {
        match part {
            LinearFormula::Constant(value) if value == absorbing => return None,
            LinearFormula::Constant(_) => {}
            LinearFormula::And(inner) if !absorbing => kept.extend(inner.iter().cloned()),
            LinearFormula::Or(inner) if absorbing => kept.extend(inner.iter().cloned()),
            other => kept.push(other),
        }
    }
    Some(without_repetitions(kept))
}

/// Each once, where it comes first.
fn without_repetitions(parts: Vec<LinearFormula>) -> Vec<LinearFormula> {
    if parts.len() < 2 {
        return parts;
    }
    let mut seen = FxHashSet::default();
    parts.into_iter().filter(|part| seen.insert(part.clone())).collect()
}
