//! What a verdict rests on, in the user's own terms: a part of the model, annotated with the subformulas
//! that hold or fail there (G §3, extended to the whole µ-calculus).

use crate::outcome::Reason;
use logic::{ActionSet, Truth};

/// A graph of positions: in this state this subformula has this value, because of the sons.
///
/// For a definite verdict all nodes have its value, and the graph is sufficient by itself: where the
/// winner of the game moves there is one son, where the loser moves there are all. For an unknown one
/// it is the way from an initial state to the place where knowledge is missing.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub verdict: Truth,
    /// The components, in the order of the members of a state.
    pub components: Vec<String>,
    pub states: Vec<ShownState>,
    pub nodes: Vec<ShownNode>,
    /// The nodes of the formula in initial states.
    pub roots: Vec<u32>,
    /// Nodes that were not looked at any more, because there are too many: they have no sons.
    pub cut: u64,
    /// Why the verdict is unknown.
    pub reason: Option<Reason>,
}

/// A state of the system, or of a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownState {
    /// By component: its state; `None` if it does not matter.
    pub members: Vec<Option<ShownMember>>,
}

/// A state of a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownMember {
    pub name: String,
    /// The propositions that are true in it; those that are neither true nor unknown are false.
    pub true_props: Vec<String>,
    pub unknown_props: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownNode {
    /// A number among the states.
    pub state: u32,
    /// As the user wrote it.
    pub subformula: String,
    pub value: Truth,
    pub why: Why,
    pub sons: Vec<ShownSon>,
    /// Of a modality all of whose steps are sons, because the loser chooses: the actions that it asks about.
    pub asked: Option<ActionSet>,
}

/// Why a node has its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The state says so: a literal or constant, or nothing follows.
    Itself,
    /// One son is enough: the winner's choice.
    One,
    /// Every son has the value: the loser's choice.
    All,
    /// The definition of a fixpoint.
    Unfolding,
    /// Knowledge is missing here.
    Missing,
    /// All that follows has to be looked at, which is too much to be told.
    Throughout,
    /// Not looked at.
    Cut,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownSon {
    pub node: u32,
    /// Set if a transition leads there.
    pub step: Option<ShownStep>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownStep {
    pub action: Option<String>,
    /// Whether it must be there; otherwise it may.
    pub is_sure: bool,
    /// Whether it leads to this son or to another one of its node: a must hyper-transition (X Def. 1).
    pub is_one_of: bool,
}
