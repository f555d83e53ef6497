//! From a system and a formula to a verdict: true, false, or unknown with what is missing.
//!
//! A newcomer starts reading at [`run`].

mod auto;
pub mod certificate;
mod compositional;
mod deadlock;
mod direct;
mod doubt;
mod exact;
mod explain;
mod failure;
mod games;
mod outcome;
mod refine;
mod unsuited;
mod verdict;

pub use explain::{
    Explanation, Known, ShownMember, ShownNode, ShownSon, ShownState, ShownStep, Times, Why, Wish,
    explain,
};

pub use doubt::dead_end;

pub use games::{Game, GameKind, Games, LeftOut, NoGames, games};

pub use outcome::{Cause, DeadEnd, Doubt, Error, Knowledge, OpenStep, Outcome, Reason, Stats};

pub use verdict::verdict;

pub use unsuited::{Obstacle, Unsuited};

pub use refine::{
    AbstractSize, Change, Criterion, FailureCase, FailureCause, Offers, Refinement, Round, Stage,
    Step, World, refine,
};

/// How many initial states of the whole are looked at one by one.
pub use compositional::MAX_INITIAL;

use failure::Failure;
use logic::Formula;
use model::System;
use support::Monitor;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The one that suits the question.
    Auto,
    /// Compose the whole system and play the game on it.
    Direct,
    /// Decide by the parts, and combine only what is in doubt.
    Compositional,
    Refine,
    Symbolic,
    Modular,
}

impl Method {
    pub const ALL: [Method; 6] = [
        Method::Auto,
        Method::Direct,
        Method::Compositional,
        Method::Refine,
        Method::Symbolic,
        Method::Modular,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Direct => "direct",
            Method::Compositional => "compositional",
            Method::Refine => "refine",
            Method::Symbolic => "symbolic",
            Method::Modular => "modular",
        }
    }
}

/// What a state without a transition means. CTL speaks of total systems, and a composition can block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Deadlock {
    /// Nothing follows it: `[] f` is true there and `<> f` false. It is reported.
    #[default]
    Warn,
    /// It follows itself.
    Stutter,
    /// It is an error, if it can be reached, whether or not the question depends on it.
    Error,
}

impl Deadlock {
    /// What it means in an abstraction: a deadlock there need not be one of the system.
    pub(crate) fn of_an_abstraction(self) -> Self {
        match self {
            Deadlock::Error => Deadlock::Warn,
            other => other,
        }
    }

    /// What a certificate says of it. Where a deadlock is an error there is none, and all is one.
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
    pub method: Method,
    /// Also give the value in every state.
    pub values: bool,
    /// The order in which the compositional method takes the components; the rest as it sees fit.
    pub order: &'a [usize],
    pub deadlock: Deadlock,
    /// Also give what shows a definite verdict, for a certificate.
    pub evidence: bool,
    pub refinement: Refinement,
    /// Called after each round of a refinement.
    pub watch: &'a (dyn Fn(&Round) + Sync),
    pub monitor: &'a Monitor,
}

impl<'a> Request<'a> {
    /// The plain question, for the method to be chosen.
    pub fn new(system: &'a System, formula: &'a Formula, monitor: &'a Monitor) -> Self {
        let (method, deadlock) = (Method::Auto, Deadlock::default());
        Self {
            system,
            formula,
            method,
            values: false,
            order: &[],
            deadlock,
            evidence: false,
            refinement: Refinement::default(),
            watch: &|_| {},
            monitor,
        }
    }
}

/// Answers a question. A limit that is reached is an answer too: unknown, with its reason.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    // What a method is not made for is composed.
    let or_direct = |answer: Option<Outcome>| match answer {
        Some(outcome) => Ok(outcome),
        None => direct::run(request)
            .map(|outcome| Outcome { unsuited: Some(Unsuited::new(request)), ..outcome }),
    };
    let answer = match request.method {
        // There is nothing to take apart, and abstractions have to start somewhere.
        _ if request.system.never_starts() => direct::run(request),
        Method::Direct => direct::run(request),
        Method::Compositional => {
            compositional::run(request, compositional::Effort::Whatever).and_then(or_direct)
        }
        Method::Refine => refine::run(request).and_then(or_direct),
        Method::Auto => auto::run(request),
        other => return Err(Error::NotAvailable(other)),
    };
    match answer {
        Ok(mut outcome) => {
            if let Some(Reason::Doubt(doubt)) = &mut outcome.reason {
                doubt.is_exact = exact::is_exact(request);
            }
            Ok(outcome)
        }
        Err(Failure::Error(error)) => Err(error),
        Err(Failure::Stopped(stopped)) => Ok(Outcome::stopped(request.method, stopped)),
    }
}
