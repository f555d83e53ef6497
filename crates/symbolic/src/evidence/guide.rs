//! Return paths: from a state back to itself, to close a lasso. A greatest fixpoint alone gives no cycle, since a path
//! can stay in it through as many states as there are.

use super::plan::{END, Plan};
use super::unfold::Walk;
use super::walk::{State, StateWords};
use crate::fixpoints::{Evaluation, Side};
use crate::record::{Record, Step};
use bdd::{Bdd, Stop};
use logic::{Node, VarId};

impl<W: StateWords> Walk<'_, W> {
    /// A plan that leads from a state, in which the fixpoint of a variable holds, to this state again, from
    /// what was known of other variables before some time. `None` if there is none.
    ///
    /// It is the least fixpoint of the same body that contains the state.
    pub(super) fn find_return(
        &mut self,
        state: &State,
        var: VarId,
        before: usize,
    ) -> Result<Option<Plan>, Stop> {
        let only = self.field.only(state)?;
        let known = self.known_elsewhere(var, before);
        let formula = &self.proof.shown;
        let mut evaluation =
            Evaluation::new(self.field.structure, formula, Side::Pessimist, self.care)?;
        evaluation.record = Some(Record::new(formula));
        evaluation.start_from(known);
        let steps = evaluation.iterate_to_cycle(var, &only)?;
        let manager = &mut self.field.structure.manager;
        steps.map(|steps| Plan::new(&steps, manager)).transpose()
    }

    /// Values of the variables outside of this fixpoint.
    fn known_elsewhere(&self, var: VarId, before: usize) -> Vec<(VarId, bool, Bdd)> {
        let formula = &self.proof.shown;
        let block = formula.block_of(formula.var(var).body);
        let mut known = Vec::new();
        for (other, info) in formula.vars() {
            let is_closed = formula.block_of(info.body) != block;
            let time = if is_closed { END } else { before };
            if let Some(set) = self.plan.known(other, time) {
                known.push((other, is_closed, set.clone()));
            }
        }
        known
    }
}

impl Evaluation<'_> {
    /// Starts from known values: of closed fixpoints as their result, of others as the present approximation.
    fn start_from(&mut self, known: Vec<(VarId, bool, Bdd)>) {
        let nodes: Vec<_> = self.formula.nodes().collect();
        for (var, is_closed, set) in known {
            if is_closed {
                let fixes = nodes.iter().filter(|(_, node)| *node == Node::Fix(var));
                fixes.for_each(|(id, _)| drop(self.memo.insert(*id, (0, set.clone()))));
            }
            self.values[var] = set;
        }
    }

    /// Iterates the least fixpoint of a variable's body that contains a state, until a state of the iteration leads
    /// back to it.
    fn iterate_to_cycle(&mut self, var: VarId, only: &Bdd) -> Result<Option<Vec<Step>>, Stop> {
        let body = self.formula.var(var).body;
        let mut known = only.clone();
        self.note(Step::Prove(var, known.clone()));
        loop {
            self.set(var, known.clone());
            let value = self.node(body)?;
            if self.structure.manager.is_subset(only, &value)? {
                return Ok(self.record.take().map(|record| record.steps));
            }
            let all = self.structure.manager.or(&known, &value)?;
            if all == known {
                return Ok(None);
            }
            self.note(Step::Prove(var, all.clone()));
            known = all;
        }
    }

    pub(crate) fn note(&mut self, step: Step) {
        if let Some(record) = &mut self.record {
            record.steps.push(step);
        }
    }
}
