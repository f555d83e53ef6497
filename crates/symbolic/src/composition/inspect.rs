//! The sets themselves, for tests against the definition.

use super::bounds::Bounds;
use super::decomposition::Decomposition;
use super::relevant::{Found, compute_relevant};
use super::{Composition, Question};
use crate::fixpoints::{Evaluation, Side};
use bdd::{Bdd, Stop};
use logic::{Formula, NodeId, Truth};
use support::IdVec;
use transition::VarId;

/// A group of components by itself.
pub struct Lifted {
    /// State variables and inputs.
    pub vars: Vec<VarId>,
    pub states: Bdd,
    pub init: Bdd,
    /// Whether it can bring anything about; `None` if all of its steps are certain.
    pub goes_on: Option<bool>,
    /// By subformula without free variables: where it is true, and where it is false.
    pub values: IdVec<NodeId, Option<[Bdd; 2]>>,
}

/// Relevant states of the last of some groups.
pub struct Relevance {
    /// TS and FS, as it sees them.
    pub known: IdVec<NodeId, [Bdd; 2]>,
    /// RS, or the verdict if a component alone decides it.
    pub found: Result<IdVec<NodeId, Bdd>, Truth>,
}

#[doc(hidden)]
impl Composition {
    /// Values of every subformula in all states of a group, with no bounds from other groups.
    pub fn lifted(&mut self, members: &[usize], question: Question) -> Result<Lifted, Stop> {
        let group = self.lift_group(members, question.asked)?;
        let [tt, possible] = [Side::Pessimist, Side::Optimist].map(|side| {
            let states = self.structure.states.clone();
            let mut evaluation =
                Evaluation::new(&mut self.structure, question.formula, side, &states)?;
            closed(&mut evaluation)
        });
        let [tt, possible] = [tt?, possible?];
        let mut values = IdVec::new();
        for (tt, possible) in tt.into_iter().zip(possible) {
            let states = self.structure.states.clone();
            values.push(match tt.zip(possible) {
                Some((tt, possible)) => {
                    Some([tt, self.structure.manager.minus(&states, &possible)?])
                }
                None => None,
            });
        }
        let vars = group.slice.vars.ones().map(|var| VarId(var as u32)).collect();
        let goes_on = self.structure.must.as_ref().map(|must| !must.is_nothing());
        let [states, init] = [&self.structure.states, &self.structure.init].map(Bdd::clone);
        Ok(Lifted { vars, states, init, goes_on, values })
    }

    /// Bounds after all of these groups but the last, and the relevant states of the last.
    pub fn relevance(
        &mut self,
        groups: &[Vec<usize>],
        question: Question,
    ) -> Result<Relevance, Stop> {
        let Question { formula, asked } = question;
        let mut bounds = Bounds::new(formula, &self.structure.manager);
        let Some((last, others)) = groups.split_last() else {
            let known = all(&bounds, formula);
            return Ok(Relevance { known, found: Err(Truth::Unknown) });
        };
        for members in others {
            self.decide(members, formula, asked, &mut bounds)?;
        }
        let group = self.lift_group(last, asked)?;
        let mut seen = bounds.seen_by(&group.view, &mut self.structure.manager)?;
        seen.propagate(&mut self.structure, formula)?;
        let known = all(&seen, formula);
        let found = match compute_relevant(&mut self.structure, formula, &seen)? {
            Found::Decided(verdict, _) => Err(verdict),
            Found::Scopes(scopes, _) => {
                Ok(formula.nodes().map(|(id, _)| scopes.care(id).clone()).collect())
            }
        };
        Ok(Relevance { known, found })
    }

    /// A valuation by the numbers of values.
    pub fn point(&self, number: impl Fn(VarId) -> u64) -> Vec<bool> {
        let mut point = Vec::new();
        for var in self.machine.vars.ids() {
            for (index, bit) in self.layout.bits(var).iter().enumerate() {
                let place = bit.now.0 as usize;
                point.resize(point.len().max(place + 1), false);
                point[place] = number(var) >> index & 1 == 1;
            }
        }
        point
    }

    pub fn has(&self, set: &Bdd, point: &[bool]) -> bool {
        self.structure.manager.contains(set, |var| point.get(var.0 as usize) == Some(&true))
    }
}

fn closed(evaluation: &mut Evaluation) -> Result<Vec<Option<Bdd>>, Stop> {
    let mut values = Vec::new();
    for (id, _) in evaluation.formula.nodes() {
        values.push(match evaluation.is_without_variables(id) {
            true => Some(evaluation.node(id)?),
            false => None,
        });
    }
    Ok(values)
}

fn all(bounds: &Bounds, formula: &Formula) -> IdVec<NodeId, [Bdd; 2]> {
    formula.nodes().map(|(id, _)| [bounds.tt[id].clone(), bounds.ff[id].clone()]).collect()
}
