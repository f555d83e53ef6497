//! Shared data: sets, the closure, and the values of atoms and of the location `error`.

use crate::assumption::Assumption;
use crate::sets::ValuationSets;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use support::{Id, Stopped};
use transition::cfg::{Bound, Closure, CtlAtom, CtlNode, FormulaId, LabelId, Operator, TemporalId};

pub struct Evaluator<'a, S: ValuationSets> {
    pub sets: S,
    pub closure: &'a Closure,
    /// Where the atoms hold that are expressions.
    expressions: Vec<Option<S::Set>>,
    /// Values where a run-time error has occurred.
    pub error: Assumption<S::Set>,
    /// By formula that is asked for: what it is a truth function of, operands first.
    parts: FxHashMap<FormulaId, Rc<[FormulaId]>>,
}

/// A location, as far as formulas are concerned.
pub struct LabelledLocation<'s, T> {
    pub labels: &'s [LabelId],
    /// Labels that it may have or not.
    pub unsure: &'s [LabelId],
    pub is_error: bool,
    pub temporal: &'s dyn Fn(TemporalId) -> Option<T>,
}

impl<'a, S: ValuationSets> Evaluator<'a, S> {
    pub fn new(mut sets: S, closure: &'a Closure) -> Result<Self, Stopped> {
        let mut expressions = Vec::new();
        for atom in closure.atoms.values() {
            expressions.push(match atom {
                CtlAtom::Holds(node) => Some(sets.holds(*node)?),
                CtlAtom::At(_) | CtlAtom::Error | CtlAtom::End => None,
            });
        }
        let parts = closure.asked().map(|id| (id, closure.parts(id).into())).collect();
        let error = Assumption::unknown(Vec::new(), closure);
        let mut evaluator = Self { sets, closure, expressions, error, parts };
        evaluator.go_wrong()?;
        Ok(evaluator)
    }

    /// Where a run-time error has occurred, there is one path, and it stays in one state.
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
        let at_location =
            LabelledLocation { labels: &[], unsure: &[], is_error: true, temporal: &temporal };
        self.value(formula, &at_location)
    }

    /// Where a formula holds, in a place of which this is assumed.
    pub fn assumed(
        &mut self,
        formula: FormulaId,
        at: &Assumption<S::Set>,
    ) -> Result<S::Set, Stopped> {
        let temporal = |id| at.get(id).cloned();
        let at_location = LabelledLocation {
            labels: &at.labels,
            unsure: &[],
            is_error: false,
            temporal: &temporal,
        };
        self.value(formula, &at_location)
    }

    /// Where a formula holds, given where the temporal formulas in it do.
    pub fn value(
        &mut self,
        formula: FormulaId,
        at_location: &LabelledLocation<S::Set>,
    ) -> Result<S::Set, Stopped> {
        // Most formulas are an atom or begin with a temporal operator.
        let known = self.parts.get(&formula).cloned();
        let order = known.unwrap_or_else(|| self.closure.parts(formula).into());
        if order.len() == 1 {
            return Ok(self.simple(formula, at_location));
        }
        Ok(self.values(&order, at_location)?.pop().unwrap_or_else(|| self.sets.none()))
    }

    fn values(
        &mut self,
        order: &[FormulaId],
        at_location: &LabelledLocation<S::Set>,
    ) -> Result<Vec<S::Set>, Stopped> {
        let mut values: Vec<S::Set> = Vec::with_capacity(order.len());
        let at = |id: FormulaId| order.binary_search(&id).unwrap_or(0);
        for &id in order {
            let value = match self.closure.formulas[id] {
                CtlNode::Not(a) => {
                    let all = self.sets.all();
                    self.sets.minus(&all, &values[at(a)])?
                }
                CtlNode::Or(a, b) => self.sets.or(&values[at(a)], &values[at(b)])?,
                CtlNode::True | CtlNode::Atom(..) | CtlNode::Temporal(_) => {
                    self.simple(id, at_location)
                }
            };
            values.push(value);
        }
        Ok(values)
    }

    fn simple(&self, formula: FormulaId, at_location: &LabelledLocation<S::Set>) -> S::Set {
        let constant = |is_true: bool| if is_true { self.sets.all() } else { self.sets.none() };
        match self.closure.formulas[formula] {
            CtlNode::Atom(atom, bound) => match self.closure.atoms[atom] {
                CtlAtom::Holds(_) => {
                    self.expressions[atom.index()].clone().unwrap_or_else(|| self.sets.none())
                }
                CtlAtom::Error => constant(at_location.is_error),
                CtlAtom::End => constant(false),
                CtlAtom::At(label) if at_location.unsure.contains(&label) => {
                    constant(bound == Bound::Maybe)
                }
                CtlAtom::At(label) => constant(at_location.labels.contains(&label)),
            },
            CtlNode::Temporal(id) => {
                let value = (at_location.temporal)(id);
                debug_assert!(value.is_some(), "{id:?} is needed before it is known");
                value.unwrap_or_else(|| self.sets.none())
            }
            CtlNode::True | CtlNode::Not(_) | CtlNode::Or(..) => self.sets.all(),
        }
    }
}
