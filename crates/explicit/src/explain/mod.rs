//! Why a verdict is what it is (G §3): the answer together with the part of the model that it rests on.
//!
//! A definite verdict is proved by a strategy of its winner; following the strategy gives the explanation. It is in
//! states of the composition where these are few, and otherwise in states of the components that decide.

mod composition;
mod diagnosis;
mod facts;
mod shortest;
mod subsystems;
#[cfg(test)]
mod tests;
mod unfold;

pub use facts::{Known, Times};

use crate::certificate::{CompositionalProof, Evidence, Steps};
use crate::failure::Failure;
use crate::outcome::{CheckError, Outcome, Reason};
use crate::{COMPOSITIONAL, Checker, Deadlock, Request};
use composition::{Composed, Running};
use diagnosis::path_to_cause;
use logic::Truth;
use logic::evidence::UnfoldedEvidence;
use model::{Moves, System};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use subsystems::{InParts, PartsShown};
use unfold::Game;

/// The size of an explanation.
#[derive(Clone, Copy, Debug)]
pub struct ExplainOptions {
    /// No more positions than this are looked at.
    pub positions: usize,
    /// As few transitions as possible.
    pub shortest: bool,
}

/// Answers a question and explains the answer. Without an explanation if a limit was reached.
pub fn explain(
    checker: Checker,
    request: &Request,
    wish: &ExplainOptions,
) -> Result<(Outcome, Option<UnfoldedEvidence>), CheckError> {
    let mut outcome = checker.run(&Request { evidence: true, ..request.clone() })?;
    if let Some(Reason::Undetermined(diagnosis)) = &outcome.reason
        && diagnosis.path.is_empty()
    {
        // A refinement knows the path in its own states only.
        let again = COMPOSITIONAL.run(request)?.reason;
        outcome.reason = again.filter(|r| matches!(r, Reason::Undetermined(_))).or(outcome.reason);
    }
    let evidence = outcome.evidence.take();
    let explained = match &evidence {
        Some(evidence) => definite(request, &outcome, evidence, wish),
        None => Ok(path_to_cause(request, &outcome)),
    };
    match explained {
        Ok(explanation) => Ok((outcome, explanation)),
        Err(Failure::Error(error)) => Err(error),
        Err(Failure::Stopped(_)) => Ok((outcome, None)),
    }
}

fn definite(
    request: &Request,
    outcome: &Outcome,
    evidence: &Evidence,
    wish: &ExplainOptions,
) -> Result<Option<UnfoldedEvidence>, Failure> {
    let value = outcome.verdict == Truth::True;
    match evidence {
        Evidence::Direct(steps) => composed(request, steps, value, wish).map(Some),
        Evidence::Compositional(parts) => by_parts(request, parts, value, wish),
    }
}

fn names(system: &System) -> Vec<String> {
    system.components.iter().map(|part| part.model.name.clone()).collect()
}

fn composed(
    request: &Request,
    steps: &Steps,
    value: bool,
    wish: &ExplainOptions,
) -> Result<UnfoldedEvidence, Failure> {
    let Request { system, formula, monitor, .. } = *request;
    let composition = system.composed(monitor)?;
    let composition = match request.deadlock {
        Deadlock::Stutter => Cow::Owned(composition.into_owned().stuttering()),
        _ => composition,
    };
    let times = Times::new(formula, steps, composition.states());
    let field = Composed { system, model: &composition, times };
    let mut game = Game::new(formula, value, field, wish);
    let mut known = |state: u32| game.is_known(state).then_some(state);
    let initial = composition
        .init()
        .iter()
        .map(|&state| (composition.members(state), known(state)))
        .collect();
    Ok(game.unfold(names(system), &one_of_each(system, value, initial)))
}

fn by_parts(
    request: &Request,
    evidence: &CompositionalProof,
    value: bool,
    wish: &ExplainOptions,
) -> Result<Option<UnfoldedEvidence>, Failure> {
    let Request { system, formula, monitor, .. } = *request;
    let parts = PartsShown::new(system, formula, request.deadlock, evidence, monitor)?;
    let Some(initial) = system.initial_tuples(crate::compositional::MAX_INITIAL, monitor)? else {
        return Ok(None);
    };
    let moves = Moves::new(system, monitor);
    let field = Running::new(system, moves, request.deadlock, wish.positions, &parts);
    let mut game = Game::new(formula, value, field, wish);
    let states: Vec<u32> = initial.iter().map(|tuple| game.field.state(tuple.clone())).collect();
    let known = |state: u32| game.is_known(state).then_some(state);
    let states = initial.iter().cloned().zip(states.into_iter().map(known)).collect();
    let composition = game.unfold(names(system), &one_of_each(system, value, states));
    monitor.check()?;
    if composition.cut == 0 {
        return Ok(Some(composition));
    }
    let mut game = Game::new(formula, value, InParts::new(&parts), wish);
    let root = game.root();
    let place = |tuple: Vec<u32>| (game.field.of_composition(&tuple, root), tuple);
    let places = initial.into_iter().map(place).map(|(place, tuple)| (tuple, place));
    let places = one_of_each(system, value, places.collect());
    Ok(Some(game.unfold(names(system), &places)))
}

/// The initial states of which one each has to be explained, of all with those where it is known: for true each by
/// itself; for false all together, or where parts are missing those in which these start alike. Where an initial state
/// stands for several, all of these.
fn one_of_each(
    system: &System,
    value: bool,
    initial: Vec<(Vec<u32>, Option<u32>)>,
) -> Vec<Vec<u32>> {
    if !value && system.components.iter().any(|part| !part.model.starts().is_empty()) {
        let is_shown = |(tuple, state): &(Vec<u32>, Option<u32>)| (tuple.clone(), state.is_some());
        let shown: Vec<(Vec<u32>, bool)> = initial.iter().map(is_shown).collect();
        let starts = system.falsified_starts(&shown).unwrap_or_default();
        return starts.into_iter().flatten().filter_map(|i| Some(vec![initial[i].1?])).collect();
    }
    let mut numbers: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (tuple, state) in initial {
        let Some(state) = state else { continue };
        let key = if value { tuple } else { system.missing(&tuple) };
        let number = *numbers.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[number].push(state);
    }
    groups
}
