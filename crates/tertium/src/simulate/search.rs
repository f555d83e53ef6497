//! A path to a state with given values, by breadth-first search.

use super::Simulator;
use super::walk::{Coordinates, Given, Move, MoveQuery, Walk};
use crate::error::Error;
use logic::evidence::{TraceState, TraceValue};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use support::{Monitor, did_you_mean};

/// How a state with given values was come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// By so many steps.
    Walked(usize),
    /// Without a path: a new walk begins there.
    Jumped,
}

impl Simulator {
    /// Goes to the nearest state with these values. If none is found and all variables are given, a new walk begins
    /// there.
    ///
    /// # Errors
    ///
    /// There is no such variable, or no such state within the limit on states.
    pub fn go_to(&mut self, values: &[(String, TraceValue)]) -> Result<Arrival, Error> {
        let at = self.walk.last().map(|last| last.target.clone());
        let most = self.options.states;
        let variables = match (&at, self.choices.first()) {
            (Some(at), _) => at.clone(),
            (None, Some(first)) => first.target.clone(),
            (None, None) => return Err(Error::message("there is no initial state")),
        };
        let shown = self.on_ground(|walk, _| walk.shown(&variables));
        if let Some((name, _)) = values.iter().find(|(name, _)| shown.get(name).is_none()) {
            let names = shown.values.iter().map(|(name, _)| &**name);
            return Err(Error::message(format!("there is no variable `{name}`"))
                .with_help(did_you_mean(name, "the variables are", names)));
        }
        let path =
            self.on_ground(|walk, monitor| nearest(walk, at.as_ref(), values, most, monitor))?;
        if let Some(path) = path {
            let steps = path.len() - usize::from(at.is_none() && !path.is_empty());
            for step in path {
                self.advance(step)?;
            }
            return Ok(Arrival::Walked(steps));
        }
        let there = self.on_ground(|walk, _| {
            let there = walk.determined(&variables, values)?;
            agrees(&walk.shown(&there), values).then_some(there)
        });
        match there {
            Some(there) => {
                self.walk.clear();
                self.has_jumped = true;
                self.advance(Move::start(there))?;
                Ok(Arrival::Jumped)
            }
            None => Err(Error::message(format!(
                "no state with these values is reachable from here within {most} states"
            ))
            .with_help("give the values of all variables to begin a new walk there")),
        }
    }
}

/// Whether a state has these values.
pub fn agrees(shown: &TraceState, values: &Given) -> bool {
    values.iter().all(|(name, value)| shown.get(name) == Some(value))
}

/// The steps to the nearest state with these values, from a state or from the initial states.
fn nearest(
    walk: &mut dyn Walk,
    from: Option<&Coordinates>,
    values: &Given,
    most: usize,
    monitor: &Monitor,
) -> Result<Option<Vec<Move>>, Error> {
    if let Some(from) = from
        && agrees(&walk.shown(from), values)
    {
        return Ok(Some(Vec::new()));
    }
    let mut seen: FxHashSet<Coordinates> = from.into_iter().cloned().collect();
    // Each with its predecessor in the list; the first are steps from where one is.
    let mut reached: Vec<(Option<usize>, Move)> = Vec::new();
    let mut next: Option<usize> = None;
    loop {
        let at = match next {
            None => from.cloned(),
            Some(number) => match reached.get(number) {
                Some((_, step)) => Some(step.target.clone()),
                None => return Ok(None),
            },
        };
        let mut found = Vec::new();
        let mut visit = |step: Move| {
            if seen.insert(step.target.clone()) {
                found.push(step);
            }
            if seen.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let from = at.as_deref();
        walk.moves(&MoveQuery { from, given: values, monitor }, &mut visit)?;
        for step in found {
            let is_it = agrees(&walk.shown(&step.target), values);
            reached.push((next, step));
            if is_it {
                return Ok(Some(path(reached)));
            }
        }
        if seen.len() > most {
            return Ok(None);
        }
        monitor.check()?;
        next = Some(next.map_or(0, |number| number + 1));
    }
}

/// The steps to the last one that was reached.
fn path(reached: Vec<(Option<usize>, Move)>) -> Vec<Move> {
    let mut path = Vec::new();
    let mut at = reached.len().checked_sub(1);
    while let Some((before, step)) = at.and_then(|number| reached.get(number)) {
        path.push(step.clone());
        at = *before;
    }
    path.reverse();
    path
}
