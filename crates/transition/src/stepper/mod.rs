//! The stepper: a machine enumerated into a model, state by state.

mod along;
mod commands;
mod fault;
mod layout;
mod on_demand;
mod pick;
mod plan;
mod program;
mod rules;
mod search;
mod steps;
mod store;
mod tape;

pub use along::{Valuation, inputs_along};
pub use commands::{GuardedCommand, GuardedCommands};
pub use fault::{RuntimeError, RuntimeErrorKind, StepError};
pub use layout::{PackedField, PackedLayout};
pub use on_demand::{SteppedState, Stepper};

use crate::cone::Slice;
use crate::expr::NodeId;
use crate::parts::{Machine, Section};
use fixedbitset::FixedBitSet;
use layout::{Valuations, describe};
use logic::PropId;
use model::{EdgeClass, EdgesBuilder, Labelling, Mode, PartialModel, StateNames};
use plan::Plan;
use program::Program;
use rules::Rules;
use search::{Search, SearchError};
use std::sync::Arc;
use steps::{Steps, plan_steps};
use store::Store;
use support::{Interner, Monitor, Stopped};

/// A proposition that the states are labelled with.
#[derive(Clone, Debug)]
pub struct StateProperty {
    pub name: String,
    /// A truth value that reads one state and no inputs.
    pub node: NodeId,
}

#[derive(Debug)]
pub struct Enumeration {
    /// A Kripke structure of the states that can be reached.
    pub model: PartialModel,
    /// The states without a successor.
    pub deadlocks: FixedBitSet,
    /// The variables that are the same in all states and that the names of the states leave out, with
    /// their values.
    pub constants: Vec<(String, String)>,
}

/// Finds all states that can be reached, the steps between them, and the labels; gives up where there
/// are more states than `most`.
pub fn enumerate(
    machine: &Machine,
    slice: &Slice,
    properties: &[StateProperty],
    most: usize,
    monitor: &Monitor,
) -> Result<Enumeration, StepError> {
    let mut machine = machine.clone();
    let layout = PackedLayout::new(&machine, slice);
    let labels: Vec<NodeId> = properties.iter().map(|property| property.node).collect();
    let start = Rules::new(&mut machine, slice, Section::Init);
    let start = Plan::new(&mut machine, slice, start, false);
    let steps = plan_steps(&mut machine, slice);
    let machine = Arc::new(machine);
    let explorer = Explorer::new(&machine, layout, &start, &steps, &labels, most);
    let names = properties.iter().map(|property| &*property.name).collect();
    explorer.run(names, monitor)
}

struct Explorer<'m> {
    machine: &'m Arc<Machine>,
    layout: PackedLayout,
    start: Search,
    steps: Steps,
    store: Store,
    /// The state that is expanded.
    row: Vec<u64>,
    /// How many states there may be.
    most: usize,
    init: Vec<u32>,
    edges: EdgesBuilder,
    /// By state: the last one that was found to have it as a successor, from 1.
    marks: Vec<u32>,
    true_in: Vec<FixedBitSet>,
    deadlocks: FixedBitSet,
}

impl<'m> Explorer<'m> {
    fn new(
        machine: &'m Arc<Machine>,
        layout: PackedLayout,
        start: &Plan,
        steps: &[(usize, Plan)],
        labels: &[NodeId],
        most: usize,
    ) -> Self {
        let start = Search::new(machine, Program::new(machine, &layout, start, None), layout.words);
        let steps = Steps::new(machine, &layout, steps, labels);
        let store = Store::new(layout.words);
        Self {
            machine,
            row: vec![0; layout.words],
            layout,
            start,
            steps,
            store,
            most,
            init: Vec::new(),
            edges: EdgesBuilder::new(),
            marks: Vec::new(),
            true_in: vec![FixedBitSet::new(); labels.len()],
            deadlocks: FixedBitSet::new(),
        }
    }

    fn run(mut self, names: Interner<PropId>, monitor: &Monitor) -> Result<Enumeration, StepError> {
        monitor.phase("enumerating the states", 0);
        self.find_initial(monitor).map_err(|error| self.halt(error, None))?;
        let mut state = 0;
        while (state as usize) < self.store.len() {
            self.expand(state, monitor).map_err(|error| self.halt(error, Some(state)))?;
            state += 1;
            if state % 1024 == 0 {
                monitor.step(1024)?;
            }
        }
        self.finish(names, monitor).map_err(StepError::Stopped)
    }

    fn halt(&self, error: SearchError, state: Option<u32>) -> StepError {
        let what = match error {
            SearchError::Stopped(stopped) => return StepError::Stopped(stopped),
            SearchError::TooMany => return StepError::TooMany(self.most),
            SearchError::Runtime(wrong) => wrong,
        };
        let text = |state| describe(self.machine, self.layout.fields.iter(), self.store.get(state));
        StepError::Fault(Box::new(RuntimeError { what, state: state.map(text) }))
    }

    fn find_initial(&mut self, monitor: &Monitor) -> Result<(), SearchError> {
        let Self { start, store, most, init, .. } = self;
        let nothing = vec![0; self.layout.words];
        if start.load(&nothing, false) && start.begin()? {
            start.run(monitor, |state, _| {
                let known = store.len();
                let index = store.insert(state, *most, monitor)?;
                if index as usize == known {
                    init.push(index);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn expand(&mut self, state: u32, monitor: &Monitor) -> Result<(), SearchError> {
        let before = self.edges.len();
        let Self { steps, store, most, edges, marks, row, .. } = self;
        row.copy_from_slice(store.get(state));
        steps.visit(row, monitor, |_, target, _| {
            let target = store.insert(target, *most, monitor)?;
            if marks.len() <= target as usize {
                marks.resize(store.len(), 0);
            }
            if std::mem::replace(&mut marks[target as usize], state + 1) != state + 1 {
                edges.make_room(1, monitor)?;
                edges.push(state, 0, target);
            }
            Ok(())
        })?;
        for (value, set) in steps.labels(row, self.machine).zip(&mut self.true_in) {
            if value.map_err(fault::RuntimeErrorKind::FailureSite)? != 0 {
                set.grow_and_insert(state as usize);
            }
        }
        if self.edges.len() == before {
            self.deadlocks.grow_and_insert(state as usize);
        }
        Ok(())
    }

    fn finish(self, names: Interner<PropId>, monitor: &Monitor) -> Result<Enumeration, Stopped> {
        let states = self.store.len();
        let classes = vec![EdgeClass { action: None, mode: Mode::BOTH }];
        let edges = self.edges.finish(states, classes, monitor)?;
        let labelling = Labelling::complete(names, self.true_in, states);
        let (states_bits, room) = self.store.into_states(monitor)?;
        let valuations = Valuations::new(self.machine.clone(), self.layout, states_bits);
        let constants = valuations.constants();
        let named = StateNames::Made(Arc::new(valuations));
        let name = self.machine.name.clone();
        let model = PartialModel::kripke(name, labelling, named, self.init, edges.holding(room));
        let mut deadlocks = self.deadlocks;
        deadlocks.grow(states);
        Ok(Enumeration { model, deadlocks, constants })
    }
}
