//! Walks through explicit components: the composition on the fly (C Def. 4.2, C §6.1).

use super::walk::{Coordinates, Given, Move, Visit, Walk};
use super::watch::CompiledWatch;
use crate::error::Error;
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
    fn names(&self, components: &[usize]) -> Vec<String> {
        components.iter().map(|&part| self.system.components[part].model.name.clone()).collect()
    }
}

impl Walk for ComponentWalk<'_> {
    fn initial(&mut self, _: &Given, monitor: &Monitor, visit: &mut Visit) -> Result<(), Error> {
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

    fn successors(
        &mut self,
        from: &[i64],
        _: &Given,
        monitor: &Monitor,
        visit: &mut Visit,
    ) -> Result<(), Error> {
        let from: Vec<u32> = from.iter().map(|&state| state as u32).collect();
        let steps = self.moves.joint_steps(&from, MOST_STEPS);
        monitor.check()?;
        let steps = steps.ok_or(Unsupported::Simulation {
            why: "this state has more successors than can be listed",
            help: "",
        })?;
        for joint in steps {
            let action = joint.action.map(str::to_owned);
            let found = Move {
                target: joint.target.into_iter().map(i64::from).collect(),
                step: TraceStep { action, ..TraceStep::default() },
                movers: self.names(&joint.movers),
                mode: joint.mode,
                sampled: Vec::new(),
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
        TraceState { values: parts.map(value).collect() }
    }

    fn changed(&self, state: &[i64], values: &Given) -> Option<Coordinates> {
        let mut new = state.to_vec();
        for (name, value) in values {
            let components = self.system.components.iter();
            let place = components.map(|part| &part.model.name).position(|known| known == name)?;
            let (model, wanted) = (&self.system.components[place].model, value.to_string());
            let mut states = 0..model.states() as u32;
            new[place] = states.find(|&state| model.state_name(state) == wanted)?.into();
        }
        Some(new)
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
