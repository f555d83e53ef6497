//! Certificate of a verdict of a group of components, about the monolithic transition system.
//!
//! The sets of a group are sets of states of the composition that look alike to it, and what follows in the group
//! follows there: more steps are excluded, and what the group can bring about comes about. So the auditor needs
//! to know nothing of components. It looks at sets of few variables and never at all states that can be reached.

use super::Composition;
use crate::certificate::written;
use crate::proof::{Proof, prove};
use crate::record::Step;
use audit::Claim;
use bdd::Stop;
use logic::Formula;

impl Composition {
    /// A claim about the last formula that was decided, with all that shows it: by the group that has decided
    /// it, or by all components if that does not suffice. `None` if the formula has another value than is
    /// claimed.
    pub fn certificate(
        &mut self,
        formula: &Formula,
        claim: &Claim,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let (members, asked) = self.decided.clone();
        let all: Vec<usize> = (0..self.components.len()).collect();
        // That nothing fails is shown by all states that can be reached.
        let mut groups = if self.choice_can_fail { vec![all] } else { vec![members, all] };
        groups.dedup();
        for members in groups {
            self.lift_group(&members, &asked)?;
            let reached = self.structure.reachable()?;
            let proof = prove(&mut self.structure, formula, claim.verdict, &reached)?;
            if let Some(mut proof) = proof {
                self.keep_to_states(&mut proof)?;
                let Self { structure, layout, .. } = self;
                let keep = self.choice_can_fail.then_some(&reached);
                return Ok(Some(written(structure, layout, formula, claim, &proof, keep)));
            }
        }
        Ok(None)
    }

    /// To the group every valuation of what it does not see is a state. Not all are.
    fn keep_to_states(&mut self, proof: &mut Proof) -> Result<(), Stop> {
        let slice = self.slice.clone();
        let states = self.builder(&slice).states()?;
        let manager = &mut self.structure.manager;
        let states = states.conjunction(manager)?;
        for step in &mut proof.steps {
            if let Step::Prove(_, set) | Step::Assume(_, set) = step {
                *set = manager.and(set, &states)?;
            }
        }
        Ok(())
    }
}
