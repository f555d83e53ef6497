//! The history of a refinement, round by round.

use logic::Truth;

/// One round of C Fig. 7 and what its failure cause led to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// From 1.
    pub number: u64,
    pub cause: FailureCause,
    pub change: Change,
    /// Of the components that are looked at, after the change.
    pub sizes: Vec<AbstractSize>,
    /// Nodes coloured in this round, in all games.
    pub coloured: u64,
    /// Nodes of the last game that were still unknown.
    pub unknown: u64,
}

/// How far a component has been refined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractSize {
    pub component: String,
    pub abstract_states: u64,
    /// `None` if they are too many to count.
    pub concrete_states: Option<u64>,
}

/// The failure state and the kind of its cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailureCause {
    /// The failure state, a name for each component in the game.
    pub state: Vec<String>,
    /// As the user wrote it.
    pub subformula: String,
    pub case: FailureCase,
}

/// G Lemma 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureCase {
    /// 1: a literal.
    Literal,
    /// 2: a may transition to a node that would decide.
    DecidingSuccessor,
    /// 3: a may transition to an unknown node.
    UnknownSuccessor,
}

impl FailureCase {
    pub fn number(self) -> u8 {
        match self {
            FailureCase::Literal => 1,
            FailureCase::DecidingSuccessor => 2,
            FailureCase::UnknownSuccessor => 3,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// All concrete states agree on a proposition: no split is needed.
    Label { component: String, state: String, prop: String, value: Truth },
    /// The transitions of a state were looked at: so many may transitions are no more, so many turned
    /// out to be must transitions.
    Transitions { component: String, state: String, removed: u64, must: u64 },
    /// The concrete states differ; into so many parts.
    Split { component: String, state: String, by: String, parts: u64 },
    /// Each concrete state goes to one of several states.
    Hyper { component: String, state: String, targets: Vec<String> },
    /// Each concrete state has a deciding successor, if not all the same: the node has its colour.
    Colour { state: Vec<String>, value: Truth },
    /// A component is included that was left out so far.
    Included { component: String },
}
