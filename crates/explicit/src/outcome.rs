//! Outcome of a check: verdict, reason, cause and statistics.

use crate::certificate::Evidence;
use crate::refine::AbstractSize;
use crate::settle::DecidingFacts;
use crate::thorough::Thorough;
use crate::unsuited::Unsuited;
use logic::{NodeId, PathLength, Truth};
use model::PartialModel;
use std::borrow::Cow;
use std::fmt;
use support::Stopped;

#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Truth,
    /// Why the system was composed instead, where another method was asked for.
    pub unsuited: Option<Unsuited>,
    /// Why the verdict is unknown.
    pub reason: Option<Reason>,
    /// If it was asked for and the inductive semantics does not decide: what all refinements say.
    pub thorough: Option<Thorough>,
    /// If they were asked for: minimal sets of facts that would decide an unknown.
    pub causes: Vec<DecidingFacts>,
    /// The value in each initial state, by name.
    pub initial: Vec<(String, Truth)>,
    /// The value in each state, if that was asked.
    pub values: Option<Vec<(String, Truth)>>,
    /// A reachable state without a transition, if one was met.
    pub deadlock_state: Option<DeadlockState>,
    /// If a limit ended a refinement: what it had found out.
    pub known_values: Vec<DecidedStates>,
    /// If they were asked for: abstractions of the components that give the same verdict.
    pub abstractions: Vec<EmittedAbstraction>,
    /// Of a question for the length of a path: the answer, which the verdict is about.
    pub length: Option<PathLength>,
    /// If it was asked for and the verdict is definite: what shows it.
    pub evidence: Option<Evidence>,
    pub stats: Stats,
}

/// An abstraction of a component that is given to the user.
#[derive(Clone, Debug)]
pub struct EmittedAbstraction {
    pub model: PartialModel,
    /// By concrete state: its abstract one, or [`model::NO_BLOCK`].
    pub blocks: Vec<u32>,
    /// Whether the refinement looked at the component.
    pub is_included: bool,
}

impl Outcome {
    /// A verdict and nothing else.
    pub fn new(verdict: Truth) -> Self {
        Self {
            verdict,
            unsuited: None,
            reason: None,
            thorough: None,
            causes: Vec::new(),
            initial: Vec::new(),
            values: None,
            deadlock_state: None,
            known_values: Vec::new(),
            abstractions: Vec::new(),
            length: None,
            evidence: None,
            stats: Stats::default(),
        }
    }

    /// An unknown.
    pub fn unknown(reason: Reason) -> Self {
        Self { reason: Some(reason), ..Self::new(Truth::Unknown) }
    }

    /// The answer that a limit gives.
    pub fn stopped(stopped: Stopped) -> Self {
        Self::unknown(Reason::Stopped(stopped))
    }
}

/// Where a subformula has a definite value, wherever the question comes to in these states: what a state
/// of the composition contributes that the answer cannot depend on is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecidedStates {
    pub subformula: String,
    /// In states of these components together.
    pub components: Vec<String>,
    pub value: Truth,
    /// In so many states, of which some are named.
    pub count: u64,
    pub states: Vec<String>,
}

/// A deadlock state of the composition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeadlockState {
    pub state: String,
    /// The components that have no transition of their own there. If there are none, each has some and
    /// they do not fit together.
    pub blocked_components: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A limit was reached before the answer.
    Stopped(Stopped),
    /// The model does not say enough.
    Undetermined(Diagnosis),
    /// The model does not say enough, and the method does not find out where.
    NoCause,
    /// The property has something that no method supports; the text says what.
    Unsupported(Cow<'static, str>),
    /// A component is missing, and the others cannot be looked at one by one.
    Inseparable(Inseparable),
    /// Abstraction refinement over integers has ended without a verdict.
    Refinement(Box<UndecidedAbstraction>),
    /// The given predicates do not decide the property.
    GivenPredicates,
    /// A run-time error in one of these lines is neither found nor excluded.
    RunTimeErrors(Vec<usize>),
    /// Which initial state a missing part starts in decides, and the answers differ.
    InitialStates { satisfying: String, falsifying: String },
    /// Behaviour of these components, which are declared `unknown`.
    MissingParts(Vec<String>),
    /// Behaviour of these holes of a program, and assumptions on them that decide the verdict, if some were
    /// found.
    Holes { names: Vec<String>, deciding: Option<(Vec<String>, bool)> },
}

/// The last abstraction of a refinement loop that has ended without a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndecidedAbstraction {
    pub reason: UnknownReason,
    pub states: usize,
    pub predicates: usize,
    /// The cause of the unknown, in the words of the program.
    pub undetermined: Option<String>,
    /// Predicates that were not tried, the most promising first.
    pub suggestions: Vec<String>,
}

/// Why abstraction refinement over integers ends without a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UnknownReason {
    /// More rounds are needed than were allowed.
    RoundLimit,
    /// More predicates are needed at a location than were allowed.
    PredicateLimit,
    /// Neither interpolants nor weakest preconditions nor ranking functions give a predicate that is new.
    NoNewPredicate,
    /// The cause of the unknown was not found in a game.
    GameLimit,
    /// A coefficient or a constant does not fit 64 bits.
    NumberTooLarge,
    /// Divisions and remainders are split into too many cases.
    TooManyCases,
    /// A divisor is 0.
    DivisorZero,
    /// A limit of the check was reached.
    Stopped(Stopped),
    /// The game on the abstract model could not be solved.
    Game(CheckError),
}

impl From<Stopped> for UnknownReason {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundLimit => "the limit of rounds was reached",
            Self::PredicateLimit => "the limit of predicates was reached",
            Self::NoNewPredicate => "no new predicate was found",
            Self::GameLimit => "no cause of the unknown was found within the game limit",
            Self::NumberTooLarge => "a number does not fit 64 bits",
            Self::TooManyCases => "divisions make too many cases",
            Self::DivisorZero => "a divisor is 0",
            Self::Stopped(stopped) => return stopped.fmt(f),
            Self::Game(error) => return error.fmt(f),
        })
    }
}

/// Why the components of a symbolic model cannot be looked at one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Inseparable {
    /// Only in the composition it shows whether a run-time error occurs.
    RunTimeErrors,
    /// A state of a component that need not be one of the model has a run-time error.
    ComponentErrors,
    /// A proposition speaks of steps.
    Inputs,
    /// A missing instance shares so much with the others that there are too many abstract states.
    SharedVariables,
    /// There are more combinations of what components can share at the start than this.
    InitialValues(usize),
}

impl fmt::Display for Inseparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RunTimeErrors => {
                "only the composition shows whether a value is out of range or an expression is undefined"
            }
            Self::ComponentErrors => "a component by itself may reach a run-time error",
            Self::Inputs => "a specification mentions inputs",
            Self::SharedVariables => {
                "a missing instance shares too many variables with the others"
            }
            Self::InitialValues(most) => {
                return write!(f, "components share more than {most} initial values");
            }
        })
    }
}

/// The place where knowledge is missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnosis {
    /// The initial state from which the cause was followed.
    pub from: String,
    /// The state in which something is not known, and the subformula that depends on it there.
    pub state: String,
    pub subformula: String,
    pub cause: Cause,
    /// The positions from there to here, if they are known in states of the components.
    pub path: Vec<(Vec<u32>, NodeId)>,
    /// Whether it is certain that some complete system that refines the model satisfies the formula, and some
    /// refutes it.
    pub is_exact: bool,
}

/// The failure cause (C §2.1). States are those of the components named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Whether a proposition holds in a state of a component.
    Label { component: String, state: String, prop: String },
    /// Whether a transition that may happen does: the steps of the components that are not certain of their part
    /// in it; none if the system may stutter.
    Transition {
        steps: Vec<UncertainStep>,
        /// The action of the composition; `tau` if it is hidden.
        action: Option<String>,
        /// The states of all components after it.
        target: Vec<String>,
    },
}

/// A step of one component that may happen and need not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UncertainStep {
    pub component: String,
    pub from: String,
    pub to: String,
    /// Its own action, which synchronisation may rename or hide.
    pub action: Option<String>,
    /// Whether the component is a part that is declared `unknown`.
    pub is_missing: bool,
}

/// Figures of a run; `None` where a method does not have them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    pub states: Option<u64>,
    pub transitions: Option<u64>,
    pub game_nodes: Option<u64>,
    pub game_edges: Option<u64>,
    pub component_nodes: Option<Vec<u64>>,
    pub product_nodes: Option<u64>,
    pub iterations: Option<u64>,
    /// Of the components that a refinement has abstracted.
    pub abstract_states: Option<Vec<AbstractSize>>,
    /// Nodes that were coloured, over all iterations; given ones do not count.
    pub coloured_nodes: Option<u64>,
    /// The most nodes of BDDs that were in use at a time.
    pub bdd_nodes: Option<u64>,
    /// How often the variables of BDDs were reordered.
    pub reorderings: Option<u64>,
    /// The number of relevant states, over all groups of components (C Fig. 10).
    pub relevant_states: Option<u64>,
    /// Of a partitioned program: its blocks, how often one was checked, how often a stored result was used.
    pub blocks: Option<u64>,
    pub checked_blocks: Option<u64>,
    pub reused_blocks: Option<u64>,
    /// Passes over the bodies of loops that are split into blocks.
    pub passes: Option<u64>,
    /// Memory of the largest block and its assumption.
    pub largest_block_bytes: Option<u64>,
    /// The states of the largest abstraction of a block.
    pub largest_block_states: Option<u64>,
}

/// The question has no answer because it is not a proper question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckError {
    /// No tuple of initial states agrees on the joint labels (C Def. 4.1).
    NoComposableInit,
    /// A deadlock state, where that is an error.
    Deadlock(DeadlockState),
    /// No complete system refines the model: the formula is both true and false in a state.
    Contradiction { state: String, subformula: String },
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::NoComposableInit => {
                f.write_str("no initial states of the components agree on their joint propositions")
            }
            CheckError::Deadlock(DeadlockState { state, blocked_components })
                if blocked_components.is_empty() =>
            {
                write!(
                    f,
                    "deadlock: the state `{state}` has no successor, because the transitions of its components do not synchronise"
                )
            }
            CheckError::Deadlock(DeadlockState { state, blocked_components }) => write!(
                f,
                "deadlock: the state `{state}` has no successor, because {} cannot move",
                blocked_components.join(" and ")
            ),
            CheckError::Contradiction { state, subformula } => write!(
                f,
                "the model is inconsistent: `{subformula}` is both true and false in the state \
                 `{state}`, so no complete system refines it"
            ),
        }
    }
}

impl std::error::Error for CheckError {}
