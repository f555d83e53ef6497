//! From a system and a formula to a verdict: true, false, or unknown with what is missing.
//!
//! A newcomer starts reading at [`run`].

mod compositional;
mod direct;
mod doubt;
mod failure;
mod outcome;
mod verdict;

pub use outcome::{Cause, Doubt, Error, OpenStep, Outcome, Reason, Stats};

use base::Monitor;
use failure::Failure;
use logic::{Formula, Truth};
use model::System;

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

/// One question.
pub struct Request<'a> {
    pub system: &'a System,
    pub formula: &'a Formula,
    pub method: Method,
    /// Also give the value in every state.
    pub values: bool,
    pub monitor: &'a Monitor,
}

/// Answers a question. A limit that is reached is an answer too: unknown, with its reason.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let answer = match request.method {
        Method::Direct => direct::run(request),
        Method::Compositional => compositional::run(request, compositional::Effort::Whatever),
        Method::Auto if compositional::suits(request) => {
            compositional::run(request, compositional::Effort::WhileItPays)
        }
        Method::Auto => direct::run(request),
        other => return Err(Error::NotAvailable(other)),
    };
    match answer {
        Ok(outcome) => Ok(outcome),
        Err(Failure::Error(error)) => Err(error),
        Err(Failure::Stopped(stopped)) => Ok(Outcome {
            verdict: Truth::Unknown,
            method: request.method,
            reason: Some(Reason::Stopped(stopped)),
            initial: Vec::new(),
            values: None,
            stats: Stats::default(),
        }),
    }
}
