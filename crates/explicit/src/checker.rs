//! The engines for explicit models: each is a function from a question to an outcome, and has a name.

use crate::failure::Failure;
use crate::outcome::{CheckError, Outcome, Reason};
use crate::thorough::Thorough;
use crate::unsuited::Unsuited;
use crate::{Request, compositional, direct, exact, refine};
use model::System;
use std::fmt;
use support::{StopReason, Stopped};

/// An engine for explicit models.
#[derive(Clone, Copy)]
pub struct Checker {
    /// The name of its method.
    pub name: &'static str,
    /// Whether it is made for a system, if the value in every state is asked for, or not.
    suits: fn(&System, bool) -> bool,
    /// The outcome; `None` if the limit was reached, or it turned out not to be made for the question.
    answer: fn(&Request) -> Result<Option<Outcome>, Failure>,
}

/// Composes the system and plays the game on all of it (C §2.1).
pub const DIRECT: Checker =
    Checker { name: "direct", suits: |_, _| true, answer: direct::run_within_limit };

/// Decides by the components, and combines only ?-subgraphs (C Fig. 4).
pub const COMPOSITIONAL: Checker =
    Checker { name: "compositional", suits: compositional::suits, answer: compositional::run };

/// Abstracts the components, and refines them where the answer is unknown (C Fig. 7).
pub const REFINE: Checker = Checker { name: "refine", suits: refine::suits, answer: refine::run };

impl Checker {
    /// Whether the engine is made for a question about a system. If not, [`Checker::run`] composes the system instead.
    /// Without an initial state there is nothing to take apart, and abstractions have to start somewhere.
    pub fn suits(self, system: &System, values: bool) -> bool {
        self == DIRECT || !system.never_starts() && (self.suits)(system, values)
    }

    /// Answers a question. A limit that is reached is an answer too: unknown, with its reason.
    ///
    /// # Errors
    ///
    /// The question is not a proper one.
    pub fn run(self, request: &Request) -> Result<Outcome, CheckError> {
        match self.decide(request) {
            Ok(mut outcome) => {
                if let Some(Reason::Undetermined(diagnosis)) = &mut outcome.reason {
                    diagnosis.is_exact =
                        outcome.thorough == Some(Thorough::Differ) || exact::is_exact(request);
                }
                Ok(outcome)
            }
            Err(Failure::Error(error)) => Err(error),
            Err(Failure::Stopped(stopped)) => Ok(Outcome::stopped(stopped)),
        }
    }

    fn decide(self, request: &Request) -> Result<Outcome, Failure> {
        let composed = || match request.system.never_starts() {
            true => direct::run(request),
            false => {
                let unsuited = Some(Unsuited::new(request, self.name));
                direct::run(request).map(|outcome| Outcome { unsuited, ..outcome })
            }
        };
        if !self.suits(request.system, request.values) {
            return composed();
        }
        match ((self.answer)(request)?, request.limit) {
            (Some(outcome), _) => Ok(outcome),
            (None, Some(_)) => Err(Failure::Stopped(Stopped(StopReason::Effort))),
            (None, None) => composed(),
        }
    }
}

/// Decides by the components if their products have not more nodes than the limit, else by the composition.
pub(crate) fn by_components_or_composed(request: &Request, limit: u64) -> Result<Outcome, Failure> {
    let limited = Request { limit: Some(limit), ..request.clone() };
    let suits = COMPOSITIONAL.suits(request.system, request.values);
    let outcome = if suits { compositional::run(&limited)? } else { None };
    match outcome {
        Some(outcome) => Ok(outcome),
        None => direct::run(request),
    }
}

impl PartialEq for Checker {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Checker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
