//! Which method to use, if nobody says.
//!
//! Parts that decide by themselves, or with few others, are the cheapest answer, so they are asked
//! first. If they do not have it, it depends on how much there is: a whole of few states is composed, and
//! one of many is refined as long as that stays small, because what makes it large may not matter. A
//! question that needs everything of a large system is answered by larger products or by composing it.

use crate::compositional::{self, Effort};
use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::{Refinement, Request, direct, refine};
use model::Moves;

/// Products up to this size cost next to nothing.
const SMALL: u32 = 1 << 12;

/// A product with more nodes than this does not pay any more; the direct method is cheaper a node.
const PAYS: u32 = 1 << 17;

/// A whole of so many states is composed without asking further.
const FEW_STATES: u32 = 1 << 15;

/// How many nodes a refinement may colour before it is given up.
const TRIED: u64 = 1 << 15;

pub(crate) fn run(request: &Request) -> Result<Outcome, Failure> {
    if !compositional::suits(request) {
        return direct::run(request);
    }
    if let Some(outcome) = compositional::run(request, Effort::Nodes(SMALL))? {
        return Ok(outcome);
    }
    if !has_many_states(request)? {
        return direct::run(request);
    }
    let refinement = Refinement { budget: Some(TRIED), ..request.refinement.clone() };
    if let Some(outcome) = refine::run(&Request { refinement, ..request.clone() })? {
        return Ok(outcome);
    }
    match compositional::run(request, Effort::Nodes(PAYS))? {
        Some(outcome) => Ok(outcome),
        None => direct::run(request),
    }
}

/// Whether the composition is large, found out by beginning it.
fn has_many_states(request: &Request) -> Result<bool, Failure> {
    let moves = Moves::new(request.system, request.monitor);
    let Some(initial) = request.system.initial_tuples(FEW_STATES as usize, request.monitor)? else {
        return Ok(true);
    };
    Ok(moves.reaches_more_than(FEW_STATES, initial.iter().map(Vec::as_slice))?)
}
