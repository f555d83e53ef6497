//! Replays of traces, which may tell less than all of a state: all paths that agree with one are kept until its end.

use super::Simulator;
use super::search::agrees;
use super::walk::{Coordinates, Move, MoveQuery, Walk};
use crate::error::Error;
use logic::evidence::{Trace, TraceState, TraceStep, TraceValue};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use support::Monitor;

/// More paths are not kept.
const MOST_PATHS: usize = 1 << 12;

impl Simulator {
    /// Follows a trace from its first state: the steps have its values and actions. A new walk begins; it ends where
    /// the trace ends, with one more step if that has a loop.
    ///
    /// # Errors
    ///
    /// The trace is none of the model. The walk ends before the step that cannot be taken.
    pub fn replay(&mut self, trace: &Trace) -> Result<(), Error> {
        let back = trace.loop_start.map(|start| {
            trace
                .states
                .get(start)
                .ok_or_else(|| Error::message("the loop of the trace starts behind its end"))
        });
        let back = back.transpose()?;
        let states: Vec<&TraceState> = trace.states.iter().chain(back).collect();
        let followed = self.on_ground(|walk, monitor| follow(walk, &states, trace, monitor))?;
        (self.walk, self.has_jumped) = (followed.path, false);
        self.find_choices()?;
        match followed.stuck {
            None => Ok(()),
            Some(0) => Err(Error::message("the trace does not begin in an initial state")),
            Some(number) => Err(Error::message(format!(
                "the trace is not of this model: no step leads from state {} to state {number}",
                number - 1
            ))),
        }
    }
}

struct Followed {
    path: Vec<Move>,
    /// The state that no step leads to.
    stuck: Option<usize>,
}

/// The last step of a path, with the number of the path that it extends.
struct PathEnd {
    before: usize,
    taken: Move,
}

fn follow(
    walk: &mut dyn Walk,
    states: &[&TraceState],
    trace: &Trace,
    monitor: &Monitor,
) -> Result<Followed, Error> {
    let mut rows: Vec<Vec<PathEnd>> = Vec::new();
    for (number, wanted) in states.iter().enumerate() {
        let step = number.checked_sub(1).and_then(|number| trace.steps.get(number));
        let row = match rows.last() {
            None => after(walk, &[None], wanted, step, monitor)?,
            Some(last) => {
                let from: Vec<Option<&Coordinates>> =
                    last.iter().map(|end| Some(&end.taken.target)).collect();
                after(walk, &from, wanted, step, monitor)?
            }
        };
        if row.is_empty() {
            return Ok(Followed { path: path(&rows), stuck: Some(number) });
        }
        rows.push(row);
    }
    Ok(Followed { path: path(&rows), stuck: None })
}

/// The steps from some states, or the beginnings, that lead to a state of the trace. Those that the trace describes
/// best stand first, and each state once.
fn after(
    walk: &mut dyn Walk,
    from: &[Option<&Coordinates>],
    wanted: &TraceState,
    step: Option<&TraceStep>,
    monitor: &Monitor,
) -> Result<Vec<PathEnd>, Error> {
    let mut given: Vec<(String, TraceValue)> = wanted.values.clone();
    given.extend(step.iter().flat_map(|step| step.inputs.iter().cloned()));
    let mut ends: Vec<PathEnd> = Vec::new();
    for (before, at) in from.iter().enumerate() {
        let mut found: Vec<Move> = Vec::new();
        let mut visit = |taken: Move| {
            if step.is_none_or(|step| is_possible(step, &taken.step)) {
                found.push(taken);
            }
            ControlFlow::Continue(())
        };
        let from = at.map(|at| &at[..]);
        walk.moves(&MoveQuery { from, given: &given, monitor }, &mut visit)?;
        for taken in found {
            let shown = walk.shown(&taken.target);
            let known = wanted.values.iter().filter(|(name, _)| shown.get(name).is_some());
            let known: Vec<(String, TraceValue)> = known.cloned().collect();
            if agrees(&shown, &known) && (!known.is_empty() || wanted.values.is_empty()) {
                ends.push(PathEnd { before, taken });
            }
        }
    }
    let unlike = |end: &PathEnd| step.map_or(0, |step| differences(step, &end.taken.step));
    ends.sort_by_key(unlike);
    let mut seen = FxHashSet::default();
    ends.retain(|end| seen.insert(end.taken.target.clone()));
    ends.truncate(MOST_PATHS);
    Ok(ends)
}

/// Whether a step can be the one that a trace has: by action, and by the inputs that both tell.
fn is_possible(reported: &TraceStep, taken: &TraceStep) -> bool {
    let is_other = |(name, value): &(String, TraceValue)| {
        taken.inputs.iter().any(|(known, other)| known == name && other != value)
    };
    let is_same_action = reported.action.is_none() || reported.action == taken.action;
    is_same_action && !reported.inputs.iter().any(is_other)
}

/// How many of a trace's facts about a step differ.
fn differences(reported: &TraceStep, taken: &TraceStep) -> usize {
    let process = reported.process.is_some() && reported.process != taken.process;
    let statement = reported.statement.is_some() && reported.statement != taken.statement;
    let inputs = reported.inputs.iter().filter(|input| !taken.inputs.contains(input)).count();
    usize::from(process) + usize::from(statement) + inputs
}

fn path(rows: &[Vec<PathEnd>]) -> Vec<Move> {
    let mut path = Vec::new();
    let mut at = 0;
    for row in rows.iter().rev() {
        path.push(row[at].taken.clone());
        at = row[at].before;
    }
    path.reverse();
    path
}
