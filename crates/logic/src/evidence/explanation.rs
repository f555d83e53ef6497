//! The part of a model that a verdict rests on, in the user's own terms, annotated with the subformulas that hold or
//! fail there (G Def. 5).

use crate::{ActionSet, NodeId, Truth};
use support::Span;

/// Names of variables and their values, as the language of the model writes them.
pub type Assignments = Vec<(String, String)>;

/// A graph of positions: in this state this subformula has this value, because of the successors.
///
/// For a definite verdict all nodes have its value, and the graph is sufficient by itself: where the winner of the
/// game moves there is one successor, where the loser moves there are all. For an unknown one it is the path from an
/// initial state to the position where knowledge is missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfoldedEvidence {
    pub verdict: Truth,
    /// The components, in the order of the members of a state.
    pub components: Vec<String>,
    pub states: Vec<ShownState>,
    pub nodes: Vec<ShownNode>,
    /// The nodes of the formula in initial states.
    pub roots: Vec<u32>,
    /// Nodes that were not expanded, because there are too many: they have no successors.
    pub cut: u64,
    /// Of a symbolic model: those that have one value in all states and stand in no state.
    pub constants: Option<Assignments>,
    /// The fairness conditions on states, by their names.
    pub fairness: Vec<String>,
    /// Of a run that was found by search: how it is told and how it goes on.
    pub run: Option<RunNotes>,
    /// Of an invariant of a model by variables: why it holds, where that was found.
    pub invariant: Option<InductiveInvariant>,
}

/// Why an invariant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InductiveInvariant {
    /// Formulas that hold in all reachable states, and with which the invariant is inductive: it holds at the start,
    /// and no step from states that satisfy all of them leads out of them. `None` if that takes too many.
    pub lemmas: Option<Vec<String>>,
    /// How many states are reachable, in the variables that the invariant depends on, if that can be counted.
    pub states: Option<u64>,
    pub variables: Vec<ShownVariable>,
}

/// A variable with the values that it has in the reachable states; none are listed if there may be many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownVariable {
    pub name: String,
    pub values: Vec<String>,
}

impl UnfoldedEvidence {
    /// A verdict without evidence.
    pub fn bare(verdict: Truth, components: Vec<String>) -> Self {
        let (states, nodes, roots, fairness) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (cut, constants, run, invariant) = (0, None, None, None);
        Self { verdict, components, states, nodes, roots, cut, constants, fairness, run, invariant }
    }
}

/// A state of the system, or of a part of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShownState {
    /// By component: its state; `None` if it does not matter.
    pub members: Vec<Option<ShownMember>>,
    /// Of a program: the statement that is executed next, or what could be.
    pub next: Option<ShownStatement>,
}

/// A state of a component.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShownMember {
    pub name: String,
    /// The propositions that are true in it; those that are neither true nor unknown are false.
    pub true_props: Vec<String>,
    pub unknown_props: Vec<String>,
    /// The variables, where the state is a valuation.
    pub values: Assignments,
}

/// A statement of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShownStatement {
    /// `None` after a run-time error.
    pub line: Option<usize>,
    /// Empty if the program has one process only.
    pub process: String,
    pub text: String,
    pub span: Option<Span>,
}

/// A position: a subformula in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownNode {
    /// A number among the states.
    pub state: u32,
    /// As the user wrote it.
    pub subformula: String,
    /// Its node, where the evidence is about a compiled formula.
    pub formula: Option<NodeId>,
    pub value: Truth,
    pub why: Justification,
    pub successors: Vec<ShownSuccessor>,
    /// Of a modality all of whose steps are successors, because the loser chooses: the actions that it asks about.
    pub asked: Option<ActionSet>,
}

impl ShownNode {
    /// A node that is not expanded.
    pub fn new(state: u32, subformula: String, formula: Option<NodeId>, value: Truth) -> Self {
        let (why, successors, asked) = (Justification::Cut, Vec::new(), None);
        Self { state, subformula, formula, value, why, successors, asked }
    }

    pub fn is_constant(&self) -> bool {
        matches!(self.subformula.trim_start_matches('!'), "true" | "false")
    }
}

/// Why a node has its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Justification {
    /// The state says so: a literal or constant, or a deadlock state.
    Itself,
    /// One successor is enough: the winner's choice.
    One,
    /// Every successor has the value: the loser's choice.
    All,
    /// The definition of a fixpoint.
    Unfolding,
    /// Knowledge is missing here.
    Missing,
    /// All that follows has to be looked at, which is too much to be shown.
    Throughout,
    /// The run goes on for ever.
    Forever,
    /// Not expanded.
    Cut,
}

/// An edge of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownSuccessor {
    pub node: u32,
    /// Set if a transition leads there.
    pub step: Option<ShownStep>,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShownStep {
    /// The label of its transition: the action, or the inputs where these were chosen.
    pub action: Option<String>,
    /// The values of the inputs.
    pub inputs: Assignments,
    /// Whether it must be there; otherwise it may.
    pub is_must: bool,
    /// Whether it leads to this successor or to another one of its node: a must hyper-transition (X Def. 1).
    pub is_hyper: bool,
}

/// Facts about a run that was found by search, beyond its states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunNotes {
    /// Whether its steps are statements of a program; otherwise its states are valuations.
    pub has_statements: bool,
    pub recurrence: Option<Recurrence>,
    /// From the last state the run goes on for ever, by the same steps or by others.
    pub goes_on: bool,
    /// Whether the run is one of several that are needed.
    pub is_example: bool,
    /// Why the verdict is so on every run, from the last state or from the start.
    pub proof: Option<ProofOutline>,
}

/// From the last state a run goes on for ever as from one before, with other values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurrence {
    pub from: usize,
    /// Wherever this holds.
    pub wherever: Vec<String>,
}

/// Invariants and ranking functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofOutline {
    pub invariants: Vec<LocationInvariant>,
    pub rankings: Vec<RankedLoop>,
}

/// The invariant of a program at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocationInvariant {
    /// The lines of the statements that come next, in each process.
    pub lines: Vec<usize>,
    pub location: String,
    pub always: Vec<String>,
    /// And all of one of these, if there are some.
    pub cases: Vec<Vec<String>>,
}

/// A ranking function of the loops through some lines or locations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedLoop {
    pub ranking: String,
    pub lines: Vec<usize>,
    /// Instead of lines, where there are none; none if it is that of all locations.
    pub locations: Vec<String>,
}
