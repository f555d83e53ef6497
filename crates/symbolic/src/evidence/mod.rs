//! Evidence of a verdict in the states of the transition system: a path, a lasso, or a graph of states with the
//! subformulas that are true or false there.

mod guide;
pub(crate) mod plan;
mod unfold;
mod walk;

use crate::checker::SymbolicChecker;
use crate::disjuncts::disjuncts;
use crate::proof::prove;
use bdd::Stop;
use logic::Formula;
use logic::evidence::UnfoldedEvidence;
use plan::Plan;
use transition::{Machine, Slice, StateProperty};
use unfold::Walk;
use walk::Field;

/// Positions to unfold before universal fixpoints are no longer followed.
const FEW: usize = 600;

impl SymbolicChecker {
    /// Explains why the formula is true in all initial states, or false in one of them; `None` if that is not so.
    /// The propositions have these names. At most `most` positions are visited.
    pub fn explain(
        &mut self,
        (machine, slice, props): (&Machine, &Slice, &[StateProperty]),
        formula: &Formula,
        verdict: bool,
        most: usize,
    ) -> Result<Option<UnfoldedEvidence>, Stop> {
        let Some(proof) = prove(&mut self.structure, formula, verdict, &self.reached)? else {
            return Ok(None);
        };
        let plan = Plan::new(&proof.steps, &mut self.structure.manager)?;
        let selected = disjuncts(&mut machine.clone(), slice)
            .iter()
            .map(|disjunct| disjunct.selected)
            .collect();
        let (structure, layout) = (&mut self.structure, &self.layout);
        let constants = Vec::new();
        let mut field = Field { structure, layout, machine, slice, selected, props, constants };
        field.find_constants(&self.reached)?;
        let mut walk = Walk::new(field, formula, &proof, &plan, &self.reached);
        if walk.has_universal_fixpoint() {
            let complete = walk.unfold(most.min(FEW), false)?;
            if complete.cut == 0 {
                return Ok(Some(complete));
            }
        }
        walk.unfold(most, true).map(Some)
    }
}
