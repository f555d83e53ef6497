//! Initial states and successors on demand, each with the inputs of the step, for simulation instead of enumeration.

use super::fault::{RuntimeError, StepError};
use super::layout::{PackedLayout, describe};
use super::plan::Plan;
use super::program::Program;
use super::rules::Rules;
use super::search::{Search, SearchError};
use super::steps::{Steps, plan_steps};
use super::tape::Slot;
use crate::parts::{Machine, Section, VarId, VarKind};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use support::Monitor;

/// A state: the values of the variables in the order of [`Stepper::vars`].
pub type SteppedState = Vec<i64>;

/// The stepper of a symbolic transition system.
pub struct Stepper {
    machine: Arc<Machine>,
    layout: PackedLayout,
    start: Search,
    steps: Steps,
    /// By step.
    inputs: Vec<StepInputs>,
}

/// The inputs that a step has: the selector with its value, and those that are tried, with their slots.
struct StepInputs {
    selected: Option<(VarId, i64)>,
    tried: Vec<(VarId, Slot)>,
}

impl Stepper {
    /// The stepper of all variables.
    pub fn new(machine: &Machine) -> Self {
        let mut machine = machine.clone();
        let whole = machine.unsliced();
        let layout = PackedLayout::new(&machine, &whole);
        let start = Rules::new(&mut machine, &whole, Section::Init);
        let start = Plan::new(&mut machine, &whole, start, false);
        let plans = plan_steps(&mut machine, &whole);
        let machine = Arc::new(machine);
        let start =
            Search::new(&machine, Program::new(&machine, &layout, &start, None), layout.words);
        let steps = Steps::new(&machine, &layout, &plans, &[]);
        let is_input = |var: VarId| machine.vars[var].kind == VarKind::Input;
        let inputs = |(search, (number, _)): (&Search, &(usize, Plan))| {
            let value = |var: VarId| machine.vars[var].domain.value(*number as u64);
            let trials = search.program.levels.iter().filter_map(|level| level.trial.as_ref());
            let tried = trials.filter(|trial| is_input(trial.var)).map(|t| (t.var, t.slot));
            StepInputs {
                selected: machine.selector.map(|var| (var, value(var))),
                tried: tried.collect(),
            }
        };
        let inputs = steps.searches().zip(&plans).map(inputs).collect();
        Self { machine, layout, start, steps, inputs }
    }

    /// The variables of a state, in the order of their declaration.
    pub fn vars(&self) -> impl Iterator<Item = VarId> {
        self.layout.fields.iter().map(|field| field.var)
    }

    /// Visits the initial states, each once, until told to stop.
    pub fn initial(
        &mut self,
        monitor: &Monitor,
        visit: &mut dyn FnMut(SteppedState) -> ControlFlow<()>,
    ) -> Result<(), StepError> {
        let mut seen: FxHashSet<SteppedState> = FxHashSet::default();
        let Self { machine, layout, start, .. } = self;
        let nothing = vec![0; layout.words];
        if !start.load(&nothing, false) {
            return Ok(());
        }
        let found = start.begin().and_then(|is_possible| match is_possible {
            true => start.run(monitor, |row, _| {
                let state = values(layout, row);
                stop_on_break(match seen.insert(state.clone()) {
                    true => visit(state),
                    false => ControlFlow::Continue(()),
                })
            }),
            false => Ok(()),
        });
        settled(found, machine, layout, None)
    }

    /// Visits the successors of a state, each once for all values of the inputs that lead there, until told to stop. An
    /// input that is not there can have any value. A state that is not of the system has none.
    pub fn successors(
        &mut self,
        from: &[i64],
        monitor: &Monitor,
        visit: &mut dyn FnMut(SteppedState, Vec<(VarId, i64)>) -> ControlFlow<()>,
    ) -> Result<(), StepError> {
        let Some(row) = self.row(from) else { return Ok(()) };
        let mut seen: FxHashSet<(SteppedState, Vec<(VarId, i64)>)> = FxHashSet::default();
        let Self { machine, layout, steps, inputs, .. } = self;
        let found = steps.visit(&row, monitor, |step, target, tried| {
            let StepInputs { selected, tried: slots } = &inputs[step];
            let input = |&(var, slot): &(VarId, Slot)| (var, tried.values[slot as usize]);
            let chosen = selected.iter().copied().chain(slots.iter().map(input));
            let step = (values(layout, target), chosen.collect::<Vec<_>>());
            stop_on_break(match seen.insert(step.clone()) {
                true => visit(step.0, step.1),
                false => ControlFlow::Continue(()),
            })
        });
        settled(found, machine, layout, Some(&row))
    }

    /// The state with these values; `None` if a variable cannot have its value.
    fn row(&self, state: &[i64]) -> Option<Vec<u64>> {
        let mut row = vec![0; self.layout.words];
        for (field, &value) in self.layout.fields.iter().zip(state) {
            field.set(&mut row, value)?;
        }
        (state.len() == self.layout.fields.len()).then_some(row)
    }
}

fn values(layout: &PackedLayout, row: &[u64]) -> SteppedState {
    layout.fields.iter().map(|field| field.get(row)).collect()
}

/// Turns a break into `SearchError::TooMany`.
fn stop_on_break(flow: ControlFlow<()>) -> Result<(), SearchError> {
    if flow.is_break() { Err(SearchError::TooMany) } else { Ok(()) }
}

fn settled(
    found: Result<(), SearchError>,
    machine: &Machine,
    layout: &PackedLayout,
    from: Option<&[u64]>,
) -> Result<(), StepError> {
    match found {
        Ok(()) | Err(SearchError::TooMany) => Ok(()),
        Err(SearchError::Stopped(stopped)) => Err(stopped.into()),
        Err(SearchError::Runtime(what)) => {
            let state = from.map(|row| describe(machine, layout.fields.iter(), row));
            Err(StepError::Fault(Box::new(RuntimeError { what, state })))
        }
    }
}
