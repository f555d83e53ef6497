//! Refinements that are looked at round by round.

use explicit::{CheckError, Outcome, REFINE, Request, Round};
use std::sync::Mutex;

/// Answers a question by refinement, with its rounds.
pub fn watched(request: Request) -> Result<(Outcome, Vec<Round>), CheckError> {
    let rounds = Mutex::new(Vec::new());
    let watch = |round: &Round| rounds.lock().unwrap().push(round.clone());
    let outcome = REFINE.run(&Request { watch: &watch, ..request })?;
    Ok((outcome, rounds.into_inner().unwrap()))
}
