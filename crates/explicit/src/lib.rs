//! Explicit-state model checking in three values: a system and a formula to a verdict, true, false, or unknown with its
//! cause.
//!
//! Start at [`Checker::run`]. `direct` plays the game on the composition, `compositional` on the components (C Fig. 4),
//! `refine` on abstractions of them (C Fig. 7); `explain` turns the winner's strategy into a counterexample or witness
//! (G §3).

mod cause;
pub mod certificate;
mod checker;
mod compositional;
mod deadlock;
mod direct;
mod exact;
mod explain;
mod failure;
mod games;
mod outcome;
mod refine;
mod settle;
mod thorough;
mod unsuited;
mod verdict;

pub use checker::{COMPOSITIONAL, Checker, DIRECT, REFINE};

pub use explain::{ExplainOptions, Known, Times, explain};

pub use cause::{deadlock_state, uncertain_transition, unknown_label};
pub use deadlock::cannot_deadlock;

pub use games::{Game, GameKind, Games, LeftOut, NoGames, games};

pub use outcome::{
    Cause, CheckError, DeadlockState, DecidedStates, Diagnosis, EmittedAbstraction, Inseparable,
    Outcome, Reason, Stats, UncertainStep, UndecidedAbstraction, UnknownReason,
};

pub use thorough::{Thorough, satisfying_refinement};

pub use settle::{DecidingFacts, Fact, deciding_facts};

pub use verdict::{state_names, verdict};

pub use unsuited::{Obstacle, Unsuited};

pub use refine::{
    AbstractSize, AbstractStep, Change, ConcreteSystem, Concretisation, Criterion, EnabledSteps,
    FailureCase, FailureCause, Refinement, Round, refine,
};

/// How many initial states of the composition are checked one by one.
pub use compositional::MAX_INITIAL;

use logic::Formula;
use model::System;
use support::Monitor;

/// Treatment of deadlock states. CTL is defined on total systems, and a composition can block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Deadlock {
    /// It has no successor: `[] f` is true there and `<> f` false. It is reported.
    #[default]
    Warn,
    /// It has a self-loop.
    Stutter,
    /// It is an error, if it can be reached, whether or not the question depends on it.
    Error,
}

impl Deadlock {
    /// Treatment in an abstraction: a deadlock there need not be one of the system.
    pub(crate) fn of_an_abstraction(self) -> Self {
        match self {
            Deadlock::Error => Deadlock::Warn,
            other => other,
        }
    }

    /// Treatment as a certificate states it. Where a deadlock is an error there is none, and all agree.
    pub fn claimed(self) -> audit::AfterDeadlock {
        match self {
            Deadlock::Warn | Deadlock::Error => audit::AfterDeadlock::Ends,
            Deadlock::Stutter => audit::AfterDeadlock::Stutters,
        }
    }
}

/// One question.
#[derive(Clone)]
pub struct Request<'a> {
    pub system: &'a System,
    pub formula: &'a Formula,
    /// Also give the value in every state.
    pub values: bool,
    /// The order in which the compositional method takes the components; the rest as it sees fit.
    pub order: &'a [usize],
    pub deadlock: Deadlock,
    /// Also decide what the inductive semantics does not, by all refinements of the composition (X §2.2).
    pub thorough: bool,
    /// Also give what shows a definite verdict, for a certificate.
    pub evidence: bool,
    pub refinement: Refinement,
    /// The nodes that may be spent before it is given up: states of the composition, nodes of a product, or nodes that
    /// a refinement colours.
    pub limit: Option<u64>,
    /// Called after each round of a refinement.
    pub watch: &'a (dyn Fn(&Round) + Sync),
    pub monitor: &'a Monitor,
}

impl<'a> Request<'a> {
    /// The plain question.
    pub fn new(system: &'a System, formula: &'a Formula, monitor: &'a Monitor) -> Self {
        Self {
            system,
            formula,
            values: false,
            order: &[],
            deadlock: Deadlock::default(),
            thorough: false,
            evidence: false,
            refinement: Refinement::default(),
            limit: None,
            watch: &|_| {},
            monitor,
        }
    }
}
