//! Formulas without quantifiers.

use crate::atom::beyond;
use crate::{Atom, Excess, Term, Variable};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A formula. Cloning is cheap: parts are shared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    Constant(bool),
    Atom(Arc<Atom>),
    Not(Arc<Formula>),
    And(Arc<[Formula]>),
    Or(Arc<[Formula]>),
}

impl Formula {
    /// As it stands; [`Atom::normal`] gives the normal form.
    pub fn atom(atom: Atom) -> Self {
        Formula::Atom(Arc::new(atom))
    }

    /// The term is at most 0, in normal form.
    pub fn at_most(term: &Term) -> Self {
        Atom::AtMost(term.clone()).normal()
    }

    /// The term is 0, in normal form.
    pub fn zero(term: &Term) -> Self {
        Atom::Zero(term.clone()).normal()
    }

    /// The number divides the term, in normal form. 0 divides 0 only.
    pub fn divides(divisor: u64, term: &Term) -> Self {
        Atom::Divides(divisor, term.clone()).normal()
    }

    /// The conjunction without needless parts: constants, repetitions, conjunctions in it.
    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Self {
        match flattened(parts, false) {
            None => Formula::Constant(false),
            Some(parts) if parts.is_empty() => Formula::Constant(true),
            Some(mut parts) if parts.len() == 1 => parts.remove(0),
            Some(parts) => Formula::And(parts.into()),
        }
    }

    /// The disjunction without needless parts.
    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Self {
        match flattened(parts, true) {
            None => Formula::Constant(true),
            Some(parts) if parts.is_empty() => Formula::Constant(false),
            Some(mut parts) if parts.len() == 1 => parts.remove(0),
            Some(parts) => Formula::Or(parts.into()),
        }
    }

    pub fn implies(self, other: Formula) -> Self {
        Formula::or([self.negated(), other])
    }

    /// The negation. That of an inequality is an inequality.
    #[must_use]
    pub fn negated(&self) -> Self {
        match self {
            Formula::Constant(value) => Formula::Constant(!value),
            Formula::Not(inner) => Formula::clone(inner),
            Formula::Atom(atom) => match &**atom {
                Atom::AtMost(term) => match beyond(term) {
                    Some(negation) => Formula::atom(Atom::AtMost(negation)),
                    None => Formula::Not(Arc::new(self.clone())),
                },
                _ => Formula::Not(Arc::new(self.clone())),
            },
            Formula::And(_) | Formula::Or(_) => Formula::Not(Arc::new(self.clone())),
        }
    }

    /// Whether it is so where the variables have these values; `None` if a number does not fit.
    pub fn holds(&self, of: &dyn Fn(Variable) -> i128) -> Option<bool> {
        match self {
            Formula::Constant(value) => Some(*value),
            Formula::Atom(atom) => atom.holds(of),
            Formula::Not(inner) => Some(!inner.holds(of)?),
            Formula::And(parts) => any(parts, false, of).map(|found| !found),
            Formula::Or(parts) => any(parts, true, of),
        }
    }

    /// Replaces variables by terms, all at once, and normalises. This is the weakest precondition of an
    /// assignment.
    pub fn substitute(&self, by: &dyn Fn(Variable) -> Option<Term>) -> Result<Self, Excess> {
        self.map_atoms(&mut |atom| {
            if atom.term().coefficients().iter().all(|&(variable, _)| by(variable).is_none()) {
                return Ok(Formula::atom(atom.clone()));
            }
            Ok(atom.with_term(atom.term().substitute(by)?).normal())
        })
    }

    /// The same with every atom in normal form.
    #[must_use]
    pub fn normal(&self) -> Self {
        self.map_atoms(&mut |atom| Ok(atom.normal())).unwrap_or_else(|_| self.clone())
    }

    /// Replaces every atom by a formula.
    pub fn map_atoms(
        &self,
        change: &mut dyn FnMut(&Atom) -> Result<Formula, Excess>,
    ) -> Result<Self, Excess> {
        Ok(match self {
            Formula::Constant(_) => self.clone(),
            Formula::Atom(atom) => change(atom)?,
            Formula::Not(inner) => inner.map_atoms(change)?.negated(),
            Formula::And(parts) => Formula::and(changed(parts, change)?),
            Formula::Or(parts) => Formula::or(changed(parts, change)?),
        })
    }

    /// Visits every atom, from left to right.
    pub fn for_each_atom(&self, visit: &mut dyn FnMut(&Atom)) {
        match self {
            Formula::Constant(_) => {}
            Formula::Atom(atom) => visit(atom),
            Formula::Not(inner) => inner.for_each_atom(visit),
            Formula::And(parts) | Formula::Or(parts) => {
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
fn any(parts: &[Formula], value: bool, of: &dyn Fn(Variable) -> i128) -> Option<bool> {
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
    parts: &[Formula],
    change: &mut dyn FnMut(&Atom) -> Result<Formula, Excess>,
) -> Result<Vec<Formula>, Excess> {
    parts.iter().map(|part| part.map_atoms(change)).collect()
}

/// The parts of a conjunction or of a disjunction, `None` if one of them decides it by being `absorbing`.
fn flattened(parts: impl IntoIterator<Item = Formula>, absorbing: bool) -> Option<Vec<Formula>> {
    let mut kept: Vec<Formula> = Vec::new();
    for part in parts {
        match part {
            Formula::Constant(value) if value == absorbing => return None,
            Formula::Constant(_) => {}
            Formula::And(inner) if !absorbing => kept.extend(inner.iter().cloned()),
            Formula::Or(inner) if absorbing => kept.extend(inner.iter().cloned()),
            other => kept.push(other),
        }
    }
    Some(without_repetitions(kept))
}

/// Each once, where it comes first.
fn without_repetitions(parts: Vec<Formula>) -> Vec<Formula> {
    if parts.len() < 2 {
        return parts;
    }
    let mut seen = FxHashSet::default();
    parts.into_iter().filter(|part| seen.insert(part.clone())).collect()
}
