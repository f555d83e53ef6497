//! Evidence of a verdict in the states of the transition system: a path, a lasso, or a graph of states with the
//! subformulas that are true or false there.

mod guide;
mod inductive;
pub(crate) mod plan;
mod unfold;
mod walk;

pub use inductive::{ComponentLemma, Lemma};

use crate::checker::SymbolicChecker;
use crate::composed::ComposedSystem;
use crate::disjuncts::disjuncts;
use crate::kmts::named_bits;
use crate::known::KnownSets;
use crate::proof::{prove, prove_from};
use bdd::Stop;
use logic::Formula;
use logic::evidence::UnfoldedEvidence;
use model::System;
use plan::Plan;
use transition::{Machine, Slice, StateProperty};
use unfold::Walk;
use walk::{Field, MachineWords, StateWords, SystemWords};

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
        let (layout, constants) = (&self.layout, Vec::new());
        let mut words = MachineWords { layout, machine, slice, selected, props, constants };
        words.find_constants(&self.reached, &self.layers, &mut self.structure.manager)?;
        let bits = words.bits(&self.structure.manager);
        let field = Field { structure: &mut self.structure, bits, words };
        Walk::new(field, formula, &proof, &plan, &self.reached).within(scope).map(Some)
    }
}

impl ComposedSystem {
    /// Explains why the formula is true in all initial states of the system, or false in one of them; `None` if that is
    /// not so.
    pub fn explain(
        &mut self,
        system: &System,
        formula: &Formula,
        verdict: bool,
        scope: EvidenceScope,
    ) -> Result<Option<UnfoldedEvidence>, Stop> {
        let Self { structure, component_bits, reached, .. } = self;
        let Some(proof) = prove(structure, formula, verdict, reached)? else { return Ok(None) };
        let plan = Plan::new(&proof.steps, &mut structure.manager)?;
        let words = SystemWords { system, bits: component_bits };
        let bits = named_bits(component_bits, &structure.manager);
        let bits = bits.into_iter().map(|bit| bit.now).collect();
        let field = Field { structure, bits, words };
        Walk::new(field, formula, &proof, &plan, reached).within(scope).map(Some)
    }
}

impl<W: StateWords> Walk<'_, W> {
    /// The evidence as far as it is wanted.
    fn within(self, scope: EvidenceScope) -> Result<UnfoldedEvidence, Stop> {
        let mut walk = self.shortest(scope.is_shortest);
        if !scope.is_path && walk.has_universal_fixpoint() {
            let complete = walk.unfold(scope.positions.min(FEW), false)?;
            if complete.cut == 0 {
                return Ok(complete);
            }
        }
        walk.unfold(scope.positions, true)
    }
}
