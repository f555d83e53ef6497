//! Certificate of a verdict of a group of components, about the monolithic transition system or the composition.
//!
//! The sets of a group are sets of states of the composition that look alike to it, and what follows in the group
//! follows there: more steps are excluded, and what the group can bring about comes about. So the auditor needs
//! to know nothing of components. It looks at sets of few variables and never at all states that can be reached.

use super::decomposition::Decomposition;
use super::system::asked;
use super::{Composition, DecomposedSystem};
use crate::certificate::{bits_of_machine, written};
use crate::kmts::{named_bits, numbers};
use crate::proof::{Proof, prove};
use crate::record::Step;
use crate::structure::Structure;
use audit::Claim;
use bdd::{Bdd, Stop};
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
                let bits = bits_of_machine(structure, layout);
                return Ok(Some(written(structure, &bits, (formula, claim), &proof, keep)));
            }
        }
        Ok(None)
    }

    /// To the group every valuation of what it does not see is a state. Not all are.
    fn keep_to_states(&mut self, proof: &mut Proof) -> Result<(), Stop> {
        let slice = self.slice.clone();
        let states = self.builder(&slice).states()?;
        let states = states.conjunction(&mut self.structure.manager)?;
        self.structure.restrict_steps(proof, &states)
    }
}

impl DecomposedSystem<'_> {
    /// A claim about the last formula that was decided, with all that shows it: by the group that has decided it, or by
    /// all components if that does not suffice. `None` if the formula has another value than is claimed.
    pub fn certificate(
        &mut self,
        formula: &Formula,
        claim: &Claim,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let all: Vec<usize> = (0..self.count()).collect();
        let asked = asked(formula);
        let mut groups = self.decided.clone().into_iter().chain([all]).collect::<Vec<_>>();
        groups.dedup();
        for members in groups {
            self.lift(&members, &asked)?;
            let reached = self.structure.reachable()?;
            let proof = prove(&mut self.structure, formula, claim.verdict, &reached)?;
            if let Some(mut proof) = proof {
                let reachable = self.reachable_components()?;
                self.structure.restrict_steps(&mut proof, &reachable)?;
                let bits = named_bits(&self.encoded.bits, &self.structure.manager);
                return Ok(Some(written(&self.structure, &bits, (formula, claim), &proof, None)));
            }
        }
        Ok(None)
    }

    /// The states in which each component is in one that it can reach: only in these no component blocks what a group
    /// takes as certain ([`model::Interface`]).
    fn reachable_components(&mut self) -> Result<Bdd, Stop> {
        let Self { encoded, structure, .. } = self;
        let mut all = structure.manager.constant(true);
        for (part, bits) in encoded.system.components.iter().zip(&encoded.bits) {
            let reachable = part.model.reachable();
            if reachable.count_ones(..) < part.model.states() {
                let own: Vec<u64> = reachable.ones().map(|state| state as u64).collect();
                let own = numbers(bits.now(), &own, &mut structure.manager)?;
                all = structure.manager.and(&all, &own)?;
            }
        }
        Ok(all)
    }
}

impl Structure {
    /// Proves and assumes nothing of other states than these, which no step leaves.
    fn restrict_steps(&mut self, proof: &mut Proof, states: &Bdd) -> Result<(), Stop> {
        for step in &mut proof.steps {
            if let Step::Prove(_, set) | Step::Assume(_, set) = step {
                *set = self.manager.and(set, states)?;
            }
        }
        Ok(())
    }
}
