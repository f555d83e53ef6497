//! Complete models with as few states as an equivalence allows.
//!
//! Strong bisimulation is partition refinement. For the others, states that reach each other by `tau` are one first.
//! Branching bisimulation refines by signatures in which inert steps are looked through; weak bisimulation is strong
//! bisimulation of the weak steps, and trace equivalence is that of the deterministic model of the same traces.

mod branching;
mod lts;
mod trace;
mod weak;

use crate::compare::JointActions;
use crate::partial::{PartialModel, TAU};
use crate::partition::Partition;
use fixedbitset::FixedBitSet;
use lts::Lts;
use support::{Monitor, Stopped};

/// An equivalence of complete models. All but the first are about models with actions, of which `tau` is not observed
/// but by `Trace`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessEquivalence {
    Strong,
    Branching,
    /// Branching bisimulation that tells whether `tau` can go on for ever.
    DivergenceBranching,
    Weak,
    /// Weak bisimulation that tells whether `tau` can go on for ever.
    DivergenceWeak,
    Trace,
    WeakTrace,
}

impl ProcessEquivalence {
    pub const ALL: [ProcessEquivalence; 7] = [
        ProcessEquivalence::Strong,
        ProcessEquivalence::Branching,
        ProcessEquivalence::DivergenceBranching,
        ProcessEquivalence::Weak,
        ProcessEquivalence::DivergenceWeak,
        ProcessEquivalence::Trace,
        ProcessEquivalence::WeakTrace,
    ];

    /// As mCRL2 calls it, without `bisim`.
    pub fn name(self) -> &'static str {
        match self {
            ProcessEquivalence::Strong => "strong",
            ProcessEquivalence::Branching => "branching",
            ProcessEquivalence::DivergenceBranching => "dpbranching",
            ProcessEquivalence::Weak => "weak",
            ProcessEquivalence::DivergenceWeak => "dpweak",
            ProcessEquivalence::Trace => "trace",
            ProcessEquivalence::WeakTrace => "weak-trace",
        }
    }

    /// Finds the equivalence of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether it tells a state that can do `tau` for ever from one that cannot.
    fn tells_divergence(self) -> bool {
        matches!(self, ProcessEquivalence::DivergenceBranching | ProcessEquivalence::DivergenceWeak)
    }
}

/// An equivalent model with the least number of states, of which all can be reached. The caller sees to it that the
/// model is complete ([`PartialModel::is_complete`]), and has actions unless the equivalence is strong bisimulation.
pub fn minimise(
    model: &PartialModel,
    equivalence: ProcessEquivalence,
    monitor: &Monitor,
) -> Result<PartialModel, Stopped> {
    monitor.phase("minimising", 0);
    let _room = monitor.reserve(24 * model.edges().len() as u64)?;
    let mut actions = JointActions::new();
    let lts = Lts::of(model, &mut actions);
    let tau = actions.named(TAU);
    let strong = |lts: Lts, labels: Vec<Vec<u32>>| -> Result<Lts, Stopped> {
        let mut partition = Partition::new(lts.graph.states());
        partition.refine(&lts.graph, labels, monitor)?;
        Ok(lts.quotient(&partition.block_of, None))
    };
    let unlabelled = |lts: &Lts| vec![Vec::new(); lts.graph.states()];
    let branching = |lts: Lts| -> Result<Lts, Stopped> {
        let collapsed = lts.collapsed(tau, equivalence.tells_divergence());
        let blocks = branching::blocks(&collapsed, tau, monitor)?;
        Ok(collapsed.quotient(&blocks, Some(tau)))
    };
    let small = match equivalence {
        ProcessEquivalence::Strong => {
            let labels = (0..model.states() as u32).map(|state| labels(model, state)).collect();
            strong(lts, labels)?
        }
        ProcessEquivalence::Branching | ProcessEquivalence::DivergenceBranching => branching(lts)?,
        ProcessEquivalence::Weak | ProcessEquivalence::DivergenceWeak => {
            let lts = branching(lts)?;
            let blocks = weak::blocks(&lts, tau, monitor)?;
            lts.quotient(&blocks, Some(tau))
        }
        ProcessEquivalence::Trace => {
            let labels = unlabelled(&lts);
            let lts = trace::deterministic(&strong(lts, labels)?, None, monitor)?;
            let labels = unlabelled(&lts);
            strong(lts, labels)?
        }
        ProcessEquivalence::WeakTrace => {
            let lts = trace::deterministic(&branching(lts)?, Some(tau), monitor)?;
            let labels = unlabelled(&lts);
            strong(lts, labels)?
        }
    };
    Ok(small.to_model(model, &actions, tau))
}

/// The propositions that hold, by number.
fn labels(model: &PartialModel, state: u32) -> Vec<u32> {
    let holds = |set: &FixedBitSet| set.contains(state as usize);
    let props = model.props().iter().filter(|(prop, _)| holds(model.true_in(*prop)));
    props.map(|(prop, _)| prop.0).collect()
}
