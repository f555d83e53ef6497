//! Which method to use, if nobody says.
//!
//! Parts that decide by themselves, or with few others, are the cheapest answer, so they are asked
//! first; then a refinement that stays tiny, because what makes a system large may not matter. Neither
//! costs much if it fails. Then the whole is composed, unless it turns out to be large: then refining
//! and larger products are given more room, and only if they fail too all of it is composed.

use crate::compositional::{self, Effort};
use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::{Deadlock, Refinement, Request, direct, refine};
use model::Component;

/// Products up to this size cost next to nothing.
const SMALL: u32 = 1 << 12;

/// A product with more nodes than this does not pay any more; the direct method is cheaper a node.
const PAYS: u32 = 1 << 17;

/// A whole of so many states is composed without asking further.
const FEW_STATES: u32 = 1 << 18;

/// A component of fewer states has no detail that is worth leaving out.
const DETAILED: usize = 64;

/// How many nodes a refinement may colour, first and in a large system.
const GLANCE: u64 = 1 << 11;
const TRIED: u64 = 1 << 16;

pub(crate) fn run(request: &Request) -> Result<Outcome, Failure> {
    if !compositional::suits(request) {
        return direct::run(request);
    }
    if let Some(outcome) = compositional::run(request, Effort::Nodes(SMALL))? {
        return Ok(outcome);
    }
    let is_detailed = |part: &Component| part.model.states() >= DETAILED;
    if request.system.components.iter().any(is_detailed)
        && let Some(outcome) = refined(request, GLANCE)?
    {
        return Ok(outcome);
    }
    if let Some(outcome) = direct::run_within(request, FEW_STATES)? {
        return Ok(outcome);
    }
    if let Some(outcome) = refined(request, TRIED)? {
        return Ok(outcome);
    }
    match compositional::run(request, Effort::Nodes(PAYS))? {
        Some(outcome) => Ok(outcome),
        None => direct::run(request),
    }
}

fn refined(request: &Request, budget: u64) -> Result<Option<Outcome>, Failure> {
    if request.deadlock == Deadlock::Error {
        // It would have to look at the whole first.
        return Ok(None);
    }
    let refinement = Refinement { budget: Some(budget), ..request.refinement.clone() };
    refine::run(&Request { refinement, watch: &|_| {}, ..request.clone() })
}
