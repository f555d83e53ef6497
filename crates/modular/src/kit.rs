//! What is at hand everywhere: sets, the closure, and what is known of atoms and of the place `error`.

use crate::assumption::Assumption;
use crate::sets::Sets;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use support::{Id, Stopped};
use transition::cfg::{Atom, Closure, Formula, FormulaId, LabelId, Operator, TemporalId, View};

pub struct Kit<'a, S: Sets> {
    pub sets: S,
    pub closure: &'a Closure,
    /// Where the atoms hold that are expressions.
    expressions: Vec<Option<S::Set>>,
    /// What holds where something has gone wrong.
    pub error: Assumption<S::Set>,
    /// By formula that is asked for: what it is a truth function of, operands first.
    parts: FxHashMap<FormulaId, Rc<[FormulaId]>>,
}

/// A place, as far as formulas are concerned.
pub struct Spot<'s, T> {
    pub labels: &'s [LabelId],
    /// Labels that it may have or not.
    pub unsure: &'s [LabelId],
    pub is_error: bool,
    pub temporal: &'s dyn Fn(TemporalId) -> Option<T>,
}

impl<'a, S: Sets> Kit<'a, S> {
    pub fn new(mut sets: S, closure: &'a Closure) -> Result<Self, Stopped> {
        let mut expressions = Vec::new();
        for atom in closure.atoms.values() {
            expressions.push(match atom {
                Atom::Holds(node) => Some(sets.holds(*node)?),
                Atom::At(_) | Atom::Error | Atom::End => None,
            });
        }
        let parts = closure.asked().map(|id| (id, closure.parts(id).into())).collect();
        let error = Assumption::unknown(Vec::new(), closure);
        let mut kit = Self { sets, closure, expressions, error, parts };
        kit.go_wrong()?;
        Ok(kit)
    }

    /// Where something has gone wrong, there is one path, and it stays in one state.
    fn go_wrong(&mut self) -> Result<(), Stopped> {
        for id in self.closure.levels.iter().flatten().copied() {
            let formula = match self.closure.temporals[id].operator {
                Operator::Next(formula) | Operator::Until(_, formula) => formula,
            };
            let value = self.at_error(formula)?;
            self.error.set(id, value);
        }
        Ok(())
    }

    pub fn at_error(&mut self, formula: FormulaId) -> Result<S::Set, Stopped> {
        let error = self.error.clone();
        let temporal = |id| error.get(id).cloned();
        let spot = Spot { labels: &[], unsure: &[], is_error: true, temporal: &temporal };
        self.value(formula, &spot)
    }

    /// Where a formula holds, in a place of which this is assumed.
    pub fn assumed(
        &mut self,
        formula: FormulaId,
        at: &Assumption<S::Set>,
    ) -> Result<S::Set, Stopped> {
        let temporal = |id| at.get(id).cloned();
        let spot = Spot { labels: &at.labels, unsure: &[], is_error: false, temporal: &temporal };
        self.value(formula, &spot)
    }

    /// Where a formula holds, given where the temporal formulas in it do.
    pub fn value(&mut self, formula: FormulaId, spot: &Spot<S::Set>) -> Result<S::Set, Stopped> {
        // Most formulas are an atom or begin with a temporal operator.
        let known = self.parts.get(&formula).cloned();
        let order = known.unwrap_or_else(|| self.closure.parts(formula).into());
        if order.len() == 1 {
            return Ok(self.simple(formula, spot));
        }
        Ok(self.values(&order, spot)?.pop().unwrap_or_else(|| self.sets.none()))
    }

    fn values(&mut self, order: &[FormulaId], spot: &Spot<S::Set>) -> Result<Vec<S::Set>, Stopped> {
        let mut values: Vec<S::Set> = Vec::with_capacity(order.len());
        let at = |id: FormulaId| order.binary_search(&id).unwrap_or(0);
        for &id in order {
            let value = match self.closure.formulas[id] {
                Formula::Not(a) => {
                    let all = self.sets.all();
                    self.sets.minus(&all, &values[at(a)])?
                }
                Formula::Or(a, b) => self.sets.or(&values[at(a)], &values[at(b)])?,
                Formula::True | Formula::Atom(..) | Formula::Temporal(_) => self.simple(id, spot),
            };
            values.push(value);
        }
        Ok(values)
    }

    fn simple(&self, formula: FormulaId, spot: &Spot<S::Set>) -> S::Set {
        let constant = |is_true: bool| if is_true { self.sets.all() } else { self.sets.none() };
        match self.closure.formulas[formula] {
            Formula::Atom(atom, view) => match self.closure.atoms[atom] {
                Atom::Holds(_) => {
                    self.expressions[atom.index()].clone().unwrap_or_else(|| self.sets.none())
                }
                Atom::Error => constant(spot.is_error),
                Atom::End => constant(false),
                Atom::At(label) if spot.unsure.contains(&label) => constant(view == View::Maybe),
                Atom::At(label) => constant(spot.labels.contains(&label)),
            },
            Formula::Temporal(id) => {
                let value = (spot.temporal)(id);
                debug_assert!(value.is_some(), "{id:?} is needed before it is known");
                value.unwrap_or_else(|| self.sets.none())
            }
            Formula::True | Formula::Not(_) | Formula::Or(..) => self.sets.all(),
        }
    }
}
