//! Questions about a system of explicit components.

use crate::certificate::written;
use crate::checker::SymbolicStats;
use crate::failure::UnknownCause;
use crate::kmts::{EncodedSystem, StateBits, named_bits};
use crate::known::SolvedFixpoints;
use crate::musts::Must;
use crate::proof::prove;
use crate::relation::{Constituents, Part, Steps};
use crate::structure::Structure;
use crate::system_group::Alphabet;
use crate::verdict::verdict;
use audit::Claim;
use bdd::{Bdd, Manager, Policy, Stop};
use logic::{Family, Formula, Truth};
use model::{Kind, System, TAU};
use support::Monitor;

/// Why a system cannot be encoded.
#[derive(Clone, Debug)]
pub enum UnfitSystem {
    Stop(Stop),
    /// Components of this kind do not fit: their must steps need not be may steps, or lead to sets.
    Kind {
        component: String,
        kind: Kind,
    },
    /// No tuple of initial states agrees on the joint labels (C Def. 4.1).
    NoComposableInit,
}

impl From<Stop> for UnfitSystem {
    fn from(stop: Stop) -> Self {
        UnfitSystem::Stop(stop)
    }
}

/// The composition of a system, in BDDs.
pub struct ComposedSystem {
    pub(crate) structure: Structure,
    pub(crate) component_bits: Vec<StateBits>,
    pub(crate) reached: Bdd,
    /// Reachable deadlock states.
    deadlocks: Bdd,
}

impl ComposedSystem {
    /// With `stutters`, deadlock states get a self-loop, possible deadlock states a may self-loop.
    pub fn new(
        system: &System,
        stutters: bool,
        policy: Policy,
        monitor: &Monitor,
    ) -> Result<Self, UnfitSystem> {
        refuse_mixed_and_hyper(system)?;
        monitor.phase("encoding", 0);
        let mut structure = Structure::empty(Manager::new(monitor, policy));
        let encoded = EncodedSystem::new(system, &mut structure.manager)?;
        let all: Vec<usize> = (0..system.components.len()).collect();
        structure.become_group(&encoded, &all, None, Alphabet::All)?;
        let component_bits = encoded.bits;
        if structure.init.is_empty() && system.components.len() > 1 {
            return Err(UnfitSystem::NoComposableInit);
        }
        monitor.phase("computing the reachable states", 0);
        let reached = structure.reachable()?;
        let deadlocks = structure.ends(&reached, false)?;
        if stutters {
            let action = (system.family() == Family::Actions).then(|| TAU.to_owned());
            structure.stutter(&reached, &deadlocks, action)?;
        }
        Ok(Self { structure, component_bits, reached, deadlocks })
    }

    /// Whether all initial states satisfy the formula, or some certainly does not. The propositions are those
    /// of the system, in its order.
    pub fn check(&mut self, formula: &Formula) -> Result<Truth, Stop> {
        self.structure.manager.monitor().phase("computing fixpoints", 0);
        verdict(&mut self.structure, formula, &self.reached, &mut SolvedFixpoints::default())
    }

    /// A claim with all that shows it. `None` if the formula has another value than is claimed.
    pub fn certificate(
        &mut self,
        formula: &Formula,
        claim: &Claim,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let Self { structure, component_bits, reached, .. } = self;
        let proof = prove(structure, formula, claim.verdict, reached)?;
        Ok(proof.map(|proof| {
            let bits = named_bits(component_bits, &structure.manager);
            written(structure, &bits, (formula, claim), &proof, None)
        }))
    }

    /// Why a formula is unknown, if it is.
    pub fn unknown_cause(&mut self, formula: &Formula) -> Result<Option<UnknownCause>, Stop> {
        self.structure.unknown_cause(formula, &self.component_bits, &self.reached)
    }

    /// A reachable deadlock state, as a tuple of the components' states.
    pub fn deadlock_state(&self) -> Option<Vec<u32>> {
        let picked = self.structure.manager.pick(&self.deadlocks)?;
        let is_true = |var| picked.contains(&(var, true));
        Some(self.component_bits.iter().map(|bits| bits.state(is_true)).collect())
    }

    /// Has another monitor watch it from now on.
    pub fn watch(&mut self, monitor: &Monitor) {
        self.structure.manager.watch(monitor);
    }

    pub fn stats(&self) -> SymbolicStats {
        self.structure.stats(&self.reached)
    }
}

/// No component may be a mixed transition system, or have must hyper-transitions.
pub(crate) fn refuse_mixed_and_hyper(system: &System) -> Result<(), UnfitSystem> {
    let mut models = system.components.iter().map(|part| &part.model);
    match models.find(|model| matches!(model.kind, Kind::MixTs | Kind::Gkmts)) {
        Some(model) => Err(UnfitSystem::Kind { component: model.name.clone(), kind: model.kind }),
        None => Ok(()),
    }
}

impl Structure {
    /// Those of some states that nothing may follow, or that nothing must.
    pub(crate) fn ends(&mut self, among: &Bdd, is_must: bool) -> Result<Bdd, Stop> {
        let states = self.states.clone();
        let moving = self.pre_image(&states, is_must, Steps::All, among)?;
        self.manager.minus(among, &moving)
    }

    /// Lets states without steps follow themselves. What can be reached stays the same.
    pub(crate) fn stutter(
        &mut self,
        reached: &Bdd,
        deadlocks: &Bdd,
        action: Option<String>,
    ) -> Result<(), Stop> {
        let may_stay = self.ends(reached, true)?;
        let standing = |states: &Bdd, manager: &mut Manager| {
            let conjuncts = vec![states.clone()];
            let (written, inputs, conditions) = Default::default();
            let action = action.clone();
            Part::new(Constituents { conjuncts, written, inputs, conditions, action }, manager)
        };
        self.may.parts.push(standing(&may_stay, &mut self.manager)?);
        if let Some(Must::Steps(must)) = &mut self.must {
            must.parts.push(standing(deadlocks, &mut self.manager)?);
        }
        Ok(())
    }
}
