//! The concrete side of the refinement loop: sets of concrete states, one for each abstract state.
//!
//! The loop knows abstract states by their numbers only. A [`Concretisation`] answers for one component what
//! is true of all, of some or of none of the concrete states behind a number, and separates them by a criterion.
//! Explicit sets of states are one concretisation ([`StateSets`](super::state_sets::StateSets)); sets given by
//! BDDs or by predicates are others.

use logic::{PropId, Truth};
use model::ActionId;

/// A transition that some concrete state of the source may have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AbstractStep {
    /// `None` in the propositional kinds.
    pub action: Option<ActionId>,
    pub target: u32,
    /// Whether every concrete state of the source must have it, if that is known already.
    pub must: Option<bool>,
}

/// Criterion that separates the concrete states of an abstract state (G §5, failure analysis).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// The value of a proposition: case 1 of G Lemma 2.
    Label(PropId),
    /// Whether they have a transition into some of the targets: cases 2 and 3.
    Steps { action: Option<ActionId>, targets: Vec<u32> },
    /// Which joint labels or actions they can go to at all; only asked when deadlocks stutter.
    EnabledSteps,
}

/// The concrete states of one component, in abstract states `0..states()`.
pub trait Concretisation {
    fn states(&self) -> u32;

    /// How many concrete states there are behind an abstract one, unless they are too many to count.
    fn size(&self, state: u32) -> Option<u64>;

    /// Whether an initial state is among them.
    fn is_initial(&self, state: u32) -> bool;

    /// The label on the joint propositions. All states behind a number agree on it: this is what keeps
    /// the abstraction appropriate (C Def. 5.3).
    fn joint(&self, state: u32) -> &[u64];

    /// True or false if it is so in all of them; `prop` is one of the component's own.
    fn label(&self, state: u32, prop: PropId) -> Truth;

    /// R⁻: the steps that some of them may make, each once.
    fn may(&self, state: u32) -> Vec<AbstractStep>;

    /// R⁺: whether each of them must make a step into some of the targets. With one target this is a
    /// must transition, with more a must hyper-transition.
    fn must(&self, state: u32, action: Option<ActionId>, targets: &[u32]) -> bool;

    /// Labels and actions that their transitions offer, if all of them offer the same.
    fn enabled(&self, state: u32) -> Option<EnabledSteps>;

    /// Separates them. The number stays that of one of the parts; the others get new numbers, which are
    /// returned. None if they do not differ.
    fn split(&mut self, state: u32, criterion: &Criterion) -> Vec<u32>;

    /// By concrete state: its abstract one, or [`model::NO_BLOCK`], in a concretisation whose concrete states
    /// have numbers.
    fn blocks(&self) -> Option<&[u32]> {
        None
    }

    /// The name of an initial state among them, for messages.
    fn initial_name(&self, state: u32) -> String {
        self.name(state)
    }

    /// For messages.
    fn name(&self, state: u32) -> String;
}

/// The joint labels that a state can go to, or the actions that it can make, sorted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EnabledSteps {
    pub labels: Vec<(Vec<u64>, bool)>,
    pub actions: Vec<(ActionId, bool)>,
}
