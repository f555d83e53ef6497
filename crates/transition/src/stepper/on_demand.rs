//! Initial states and successors on demand, each with the inputs of the step, for who walks through a system instead of
//! enumerating it.

use super::fault::{RuntimeError, StepError};
use super::layout::{Layout, describe};
use super::plan::Plan;
use super::program::Program;
use super::rules::Rules;
use super::search::{Broken, Search};
use super::tape::{Slot, Values};
use crate::parts::{Machine, Moment, VarId, VarKind};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use support::Monitor;

/// A state: the values of the variables in the order of [`Stepper::vars`].
pub type SteppedState = Vec<i64>;

/// The stepper of a symbolic transition system.
pub struct Stepper {
    machine: Arc<Machine>,
    layout: Layout,
    start: Vec<Search>,
    steps: Vec<StepSearch>,
}

/// The search for the steps of one process, or for all.
struct StepSearch {
    search: Search,
    /// The selector with its value, and the inputs that are tried, with their slots.
    selected: Option<(VarId, i64)>,
    inputs: Vec<(VarId, Slot)>,
}

impl Stepper {
    /// The stepper of all variables.
    pub fn new(machine: &Machine) -> Self {
        let mut machine = machine.clone();
        let whole = machine.whole();
        let layout = Layout::new(&machine, &whole);
        let start = Rules::new(&mut machine, &whole, Moment::Start);
        let start = Plan::new(&mut machine, &whole, start, false);
        let selector = machine.selector;
        let selected = |number: usize| {
            selector.map(|var| (var, machine.vars[var].domain.value(number as u64)))
        };
        let mut selections = Vec::new();
        if let Some(var) = selector {
            selections.extend((0..machine.vars[var].domain.size() as usize).map(selected));
        }
        let mut plans = Vec::new();
        let steps = Rules::new(&mut machine, &whole, Moment::Step).by_process(&mut machine);
        for (number, process) in steps.into_iter().enumerate() {
            for rules in process.alternatives(&mut machine.exprs) {
                let selected = selections.get(number).copied().flatten();
                plans.push((selected, Plan::new(&mut machine, &whole, rules, true)));
            }
        }
        let machine = Arc::new(machine);
        let search = |plan: &Plan| {
            Search::new(&machine, Program::new(&machine, &layout, plan, &[]), layout.words)
        };
        let step = |(selected, plan): &(Option<(VarId, i64)>, Plan)| {
            let search = search(plan);
            let trials = search.program.levels.iter().filter_map(|level| level.trial.as_ref());
            let is_input = |var: VarId| machine.vars[var].kind == VarKind::Input;
            let inputs = trials.filter(|trial| is_input(trial.var)).map(|t| (t.var, t.slot));
            StepSearch { selected: *selected, inputs: inputs.collect(), search }
        };
        let (start, steps) = (vec![search(&start)], plans.iter().map(step).collect());
        Self { machine, layout, start, steps }
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
        for search in start {
            let found = search.begin().and_then(|is_possible| match is_possible {
                true => search.run(monitor, |row, _| {
                    let state = values(layout, row);
                    go_on(match seen.insert(state.clone()) {
                        true => visit(state),
                        false => ControlFlow::Continue(()),
                    })
                }),
                false => Ok(()),
            });
            if settled(found, machine, layout, None)?.is_break() {
                break;
            }
        }
        Ok(())
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
        let Self { machine, layout, steps, .. } = self;
        for StepSearch { search, selected, inputs } in steps {
            search.load(&row);
            let found = search.begin().and_then(|is_possible| match is_possible {
                true => search.run(monitor, |target, tried: &Values| {
                    let input = |&(var, slot): &(VarId, Slot)| (var, tried.values[slot as usize]);
                    let chosen = selected.iter().copied().chain(inputs.iter().map(input));
                    let step = (values(layout, target), chosen.collect::<Vec<_>>());
                    go_on(match seen.insert(step.clone()) {
                        true => visit(step.0, step.1),
                        false => ControlFlow::Continue(()),
                    })
                }),
                false => Ok(()),
            });
            if settled(found, machine, layout, Some(&row))?.is_break() {
                break;
            }
        }
        Ok(())
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

fn values(layout: &Layout, row: &[u64]) -> SteppedState {
    layout.fields.iter().map(|field| field.get(row)).collect()
}

/// A search is left as one that has found too many.
fn go_on(flow: ControlFlow<()>) -> Result<(), Broken> {
    if flow.is_break() { Err(Broken::TooMany) } else { Ok(()) }
}

fn settled(
    found: Result<(), Broken>,
    machine: &Machine,
    layout: &Layout,
    from: Option<&[u64]>,
) -> Result<ControlFlow<()>, StepError> {
    match found {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(Broken::TooMany) => Ok(ControlFlow::Break(())),
        Err(Broken::Stopped(stopped)) => Err(stopped.into()),
        Err(Broken::Wrong(what)) => {
            let state = from.map(|row| describe(machine, layout.fields.iter(), row));
            Err(StepError::Fault(Box::new(RuntimeError { what, state })))
        }
    }
}
