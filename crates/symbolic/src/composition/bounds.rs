//! Bounds of the subformulas in the states of the composition: TS and FS (C §6.2).
//!
//! A value that a group of components has for its states holds in every state of the composition that agrees with them.
//! The sets of subformulas with free variables are those at the fixpoints.

use super::view::View;
use crate::fixpoints::Evaluation;
use crate::structure::Structure;
use bdd::{Bdd, Manager, Stop};
use logic::{Formula, Node, NodeId};
use support::IdVec;

#[derive(Clone)]
pub(crate) struct Bounds {
    pub tt: IdVec<NodeId, Bdd>,
    pub ff: IdVec<NodeId, Bdd>,
}

impl Bounds {
    /// Nothing is known.
    pub fn new(formula: &Formula, manager: &Manager) -> Self {
        let none: IdVec<NodeId, Bdd> = formula.nodes().map(|_| manager.constant(false)).collect();
        Self { tt: none.clone(), ff: none }
    }

    /// Projection of the bounds to what a group sees.
    pub fn seen_by(&self, view: &View, manager: &mut Manager) -> Result<Self, Stop> {
        let mut all = |sets: &IdVec<NodeId, Bdd>| {
            sets.values().map(|set| view.forall_outside(set, manager)).collect::<Result<_, Stop>>()
        };
        Ok(Self { tt: all(&self.tt)?, ff: all(&self.ff)? })
    }

    /// Of some states, those in which the value is not known.
    pub fn unknown(&self, id: NodeId, of: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
        let open = manager.minus(of, &self.tt[id])?;
        manager.minus(&open, &self.ff[id])
    }

    /// Propagates the bounds without a step: from the values of literals, and by the truth tables of ∧ and ∨.
    pub fn propagate(&mut self, structure: &mut Structure, formula: &Formula) -> Result<(), Stop> {
        // What is bound further out is known after the first time.
        for _ in 0..2 {
            for (id, node) in formula.nodes() {
                let (tt, ff) = self.follows(node, structure, formula)?;
                self.add(id, &tt, &ff, &mut structure.manager)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, id: NodeId, tt: &Bdd, ff: &Bdd, manager: &mut Manager) -> Result<(), Stop> {
        self.tt[id] = manager.or(&self.tt[id], tt)?;
        self.ff[id] = manager.or(&self.ff[id], ff)?;
        Ok(())
    }

    fn follows(
        &self,
        node: Node,
        structure: &mut Structure,
        formula: &Formula,
    ) -> Result<(Bdd, Bdd), Stop> {
        let Structure { manager, labels, states, .. } = structure;
        let of = |id: NodeId| (self.tt[id].clone(), self.ff[id].clone());
        let none = manager.constant(false);
        Ok(match node {
            Node::Const(true) => (states.clone(), none),
            Node::Const(false) => (none, states.clone()),
            Node::Lit(prop, true) => (labels[prop].tt.clone(), labels[prop].ff.clone()),
            Node::Lit(prop, false) => (labels[prop].ff.clone(), labels[prop].tt.clone()),
            Node::And(a, b) => {
                let tt = manager.and(&self.tt[a], &self.tt[b])?;
                (tt, manager.or(&self.ff[a], &self.ff[b])?)
            }
            Node::Or(a, b) => {
                let tt = manager.or(&self.tt[a], &self.tt[b])?;
                (tt, manager.and(&self.ff[a], &self.ff[b])?)
            }
            Node::Fix(var) | Node::Var(var) => of(formula.var(var).body),
            Node::Modal(..) => (none.clone(), none),
        })
    }

    /// Adds the results of an evaluation that counts only certain steps, or all possible ones.
    pub fn learn(&mut self, evaluation: &mut Evaluation, is_certain: bool) -> Result<(), Stop> {
        for (id, _) in evaluation.formula.nodes() {
            let Some(value) = evaluation.settled(id) else { continue };
            let manager = &mut evaluation.structure.manager;
            let scope = evaluation.scopes.of(id);
            let known = match is_certain {
                true => &mut self.tt[id],
                false => &mut self.ff[id],
            };
            let found = match is_certain {
                true => manager.and(&value, &scope.care)?,
                false => manager.minus(&scope.care, &value)?,
            };
            *known = manager.or(known, &found)?;
        }
        Ok(())
    }
}
