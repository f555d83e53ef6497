//! Evidence of a verdict in the states of the transition system: a path, a lasso, or a graph of states with the
//! subformulas that are true or false there.

mod guide;
mod inductive;
pub(crate) mod plan;
mod unfold;
mod walk;

pub use inductive::{ComponentLemma, Lemma};

use crate::checker::SymbolicChecker;
use crate::disjuncts::disjuncts;
use crate::known::KnownSets;
use crate::proof::prove_from;
use bdd::Stop;
use logic::Formula;
use logic::evidence::UnfoldedEvidence;
use plan::Plan;
use transition::{Machine, Slice, StateProperty};
use unfold::Walk;
use walk::Field;

/// Positions to unfold before universal fixpoints are no longer followed.
const FEW: usize = 600;

/// How much evidence is wanted.
#[derive(Clone, Copy, Debug)]
pub struct EvidenceScope {
    /// At most so many positions are visited.
    pub positions: usize,
    /// Only the path up to where it branches: universal fixpoints are not followed.
    pub is_path: bool,
    /// The path is as short as possible, whatever that costs.
    pub is_shortest: bool,
}

impl SymbolicChecker {
    /// Explains why the formula is true in all initial states, or false in one of them; `None` if that is not so.
    /// The propositions have these names.
    pub fn explain(
        &mut self,
        (machine, slice, props): (&Machine, &Slice, &[StateProperty]),
        formula: &Formula,
        verdict: bool,
        scope: EvidenceScope,
    ) -> Result<Option<UnfoldedEvidence>, Stop> {
        let layers = if scope.is_shortest { &[][..] } else { &self.layers };
        let known = KnownSets { layers, solved: Some(&self.solved) };
        let (structure, reached) = (&mut self.structure, &self.reached);
        let Some(proof) = prove_from(&known, structure, formula, verdict, reached)? else {
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
        field.find_constants(&self.reached, &self.layers)?;
        let walk = Walk::new(field, formula, &proof, &plan, &self.reached);
        let mut walk = walk.shortest(scope.is_shortest);
        if !scope.is_path && walk.has_universal_fixpoint() {
            let complete = walk.unfold(scope.positions.min(FEW), false)?;
            if complete.cut == 0 {
                return Ok(Some(complete));
            }
        }
        walk.unfold(scope.positions, true).map(Some)
    }
}
