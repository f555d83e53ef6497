//! Which method to use, if nobody says.
//!
//! Parts that decide by themselves, or with few others, are the cheapest answer, so they are asked
//! first; if components have many states, a refinement that stays tiny comes before, because what makes
//! them large may not matter. Neither costs much if it fails. Then the whole is composed, unless it turns out to be large: then it runs
//! against refining and larger products, and whichever has the answer first is heard. With a single core
//! they come one after the other.

use crate::compositional::{self, Effort};
use crate::failure::Failure;
use crate::outcome::{Outcome, Reason};
use crate::{Deadlock, Refinement, Request, direct, refine};
use model::Component;
use std::thread;
use support::{Monitor, StopReason};

/// Products up to this size cost next to nothing.
const SMALL: u32 = 1 << 11;

/// A whole of so many states is composed without asking further; with a single core, of more.
const FEW_STATES: u32 = 1 << 15;
const FEW_STATES_ALONE: u32 = 1 << 18;

/// A component of fewer states has no detail that is worth leaving out.
const DETAILED: usize = 64;

/// How many nodes a refinement may colour at first.
const GLANCE: u64 = 1 << 11;

/// Nodes of products and of refinements, in turns. What comes after is cheaper composed.
const TURNS: [(u32, u64); 3] = [(1 << 12, 1 << 13), (1 << 14, 1 << 15), (1 << 17, 1 << 18)];

pub(crate) fn run(request: &Request) -> Result<Outcome, Failure> {
    if !compositional::suits(request) {
        return direct::run(request);
    }
    let is_detailed = |part: &Component| part.model.states() >= DETAILED;
    if request.system.components.iter().any(is_detailed)
        && let Some(outcome) = refined(request, GLANCE)?
    {
        return Ok(outcome);
    }
    if let Some(outcome) = compositional::run(request, Effort::AtMost(SMALL))? {
        return Ok(outcome);
    }
    let is_alone = thread::available_parallelism().map_or(1, usize::from) == 1;
    let few = if is_alone { FEW_STATES_ALONE } else { FEW_STATES };
    if let Some(outcome) = direct::run_within(request, few)? {
        return Ok(outcome);
    }
    if !is_alone {
        return race(request);
    }
    match by_parts(request)? {
        Some(outcome) => Ok(outcome),
        None => direct::run(request),
    }
}

/// The whole against its parts.
fn race(request: &Request) -> Result<Outcome, Failure> {
    let (ours, theirs) = (request.monitor.child(true), request.monitor.child(false));
    let whole = Request { monitor: &ours, ..request.clone() };
    let parts = Request { monitor: &theirs, ..request.clone() };
    thread::scope(|scope| {
        let parts = scope.spawn(|| {
            let answer = by_parts(&parts);
            if let Ok(Some(_)) = answer {
                ours.stop(StopReason::Cancelled);
            }
            answer
        });
        let answer = {
            // A panic ends the other one too; otherwise it is let go on if the whole was too large.
            let guard = StopOnDrop(&theirs);
            let answer = direct::run(&whole);
            if let Err(Failure::Stopped(_)) = answer {
                std::mem::forget(guard);
            }
            answer
        };
        let by_parts = match parts.join() {
            Ok(answer) => answer,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        match (answer, by_parts) {
            (Err(Failure::Stopped(_)), Ok(Some(outcome))) => Ok(outcome),
            (Err(Failure::Stopped(_)), Err(error @ Failure::Error(_))) => Err(error),
            (answer, _) => answer,
        }
    })
}

/// Stops a computation that nobody waits for any more.
struct StopOnDrop<'a>(&'a Monitor);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop(StopReason::Cancelled);
    }
}

/// Refining at length, and larger products. Either may be the one that pays, so they take turns.
fn by_parts(request: &Request) -> Result<Option<Outcome>, Failure> {
    let is_shown = |outcome: &Outcome| {
        !(request.evidence && outcome.verdict.is_definite()) || outcome.evidence.is_some()
    };
    let is_stopped = |outcome: &Outcome| matches!(outcome.reason, Some(Reason::Stopped(_)));
    let is_answer = |outcome: &Outcome| !is_stopped(outcome) && is_shown(outcome);
    for (products, refinement) in TURNS {
        if let Some(outcome) = compositional::run(request, Effort::AtMost(products))? {
            return Ok(Some(outcome));
        }
        if let Some(outcome) = refined(request, refinement)?.filter(is_answer) {
            return Ok(Some(outcome));
        }
    }
    Ok(None)
}

fn refined(request: &Request, budget: u64) -> Result<Option<Outcome>, Failure> {
    if request.deadlock == Deadlock::Error {
        // It would have to look at the whole first.
        return Ok(None);
    }
    let refinement = Refinement { budget: Some(budget), ..request.refinement.clone() };
    refine::run(&Request { refinement, watch: &|_| {}, ..request.clone() })
}
