//! Walks through explicit components: the composition on the fly (C Def. 4.2, C §6.1).

use super::walk::{Coordinates, Given, Move, MoveQuery, Visit, Walk, given_for};
use super::watch::CompiledWatch;
use crate::error::Error;
use crate::trace;
use crate::unsupported::Unsupported;
use logic::Truth;
use logic::evidence::{TraceState, TraceStep, TraceValue};
use model::{ComposeError, Moves, System};
use support::Monitor;

/// More joint initial states are not listed.
const MOST_STARTS: usize = 1 << 16;
/// More joint transitions out of one state are not listed.
const MOST_STEPS: usize = 1 << 20;

pub struct ComponentWalk<'a> {
    pub system: &'a System,
    pub moves: Moves<'a>,
}

impl ComponentWalk<'_> {
    /// Those that take part, where there are several.
    fn names(&self, components: &[usize]) -> Vec<String> {
        let name = |&part: &usize| self.system.components[part].model.name.clone();
        match self.system.components.len() {
            1 => Vec::new(),
            _ => components.iter().map(name).collect(),
        }
    }
}

impl ComponentWalk<'_> {
    fn begin(&self, monitor: &Monitor, visit: &mut Visit) -> Result<(), Error> {
        let tuples = match self.system.initial_tuples(MOST_STARTS, monitor) {
            Ok(tuples) => tuples.ok_or(Unsupported::Simulation {
                why: "there are more initial states of the composition than can be listed",
                help: "give the propositions of unknown components values in their `init` lines",
            })?,
            Err(ComposeError::Stopped(stopped)) => return Err(stopped.into()),
            // Everything holds of a system that never starts.
            Err(ComposeError::NoComposableInit) => Vec::new(),
        };
        for tuple in tuples {
            if visit(Move::start(tuple.into_iter().map(i64::from).collect())).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl Walk for ComponentWalk<'_> {
    fn moves(&mut self, query: &MoveQuery, visit: &mut Visit) -> Result<(), Error> {
        let Some(from) = query.from else { return self.begin(query.monitor, visit) };
        let from: Vec<u32> = from.iter().map(|&state| state as u32).collect();
        let steps = self.moves.joint_steps(&from, MOST_STEPS);
        query.monitor.check()?;
        let steps = steps.ok_or(Unsupported::Simulation {
            why: "this state has more successors than can be listed",
            help: "",
        })?;
        for joint in steps {
            let action = joint.action.map(str::to_owned);
            let components = match &action {
                Some(_) => self.names(&joint.movers),
                None => Vec::new(),
            };
            let is_may_only = !joint.mode.must;
            let found = Move {
                step: TraceStep { action, components, is_may_only, ..TraceStep::default() },
                is_must_only: !joint.mode.may,
                ..Move::start(joint.target.into_iter().map(i64::from).collect())
            };
            if visit(found).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn shown(&self, state: &[i64]) -> TraceState {
        let parts = self.system.components.iter().zip(state);
        let value = |(part, &member): (&model::Component, &i64)| {
            let name = part.model.state_name(member as u32);
            (part.model.name.clone(), TraceValue::Symbol(name))
        };
        let mut values: Vec<(String, TraceValue)> = parts.map(value).collect();
        let members: Vec<Option<u32>> = state.iter().map(|&member| Some(member as u32)).collect();
        values.extend(trace::labels(self.system, &members));
        TraceState { values, ..TraceState::default() }
    }

    fn determined(&self, _: &[i64], values: &Given) -> Option<Coordinates> {
        let member = |part: &model::Component| {
            let wanted = given_for(values, &part.model.name)?.to_string();
            let mut states = 0..part.model.states() as u32;
            states.find(|&state| part.model.state_name(state) == wanted).map(i64::from)
        };
        self.system.components.iter().map(member).collect()
    }

    /// Components that share a proposition agree on it.
    fn proposition(&self, state: &[i64], watch: &CompiledWatch, number: usize) -> Truth {
        let name = &watch.propositions[number];
        let parts = self.system.components.iter().zip(state);
        let value = |(part, &member): (&model::Component, &i64)| {
            Some(part.model.label(member as u32, part.model.props().get(name)?))
        };
        parts.filter_map(value).next().unwrap_or(Truth::Unknown)
    }
}
