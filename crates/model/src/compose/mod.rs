//! The composition of a system's components, reachable part only (C Def. 4.2, C §6.1).
//!
//! A state is a tuple of the components' states. The two families differ in which tuples follow a
//! tuple; the search for them is the same.

mod actions;
mod moves;
mod props;
mod region;
mod start;
mod tuples;

pub use moves::{ComposedStep, Moves};
pub use region::{JointRegion, Regions};
pub(crate) use start::can_start;

use crate::edges::{EdgeClass, Edges};
use crate::edges_builder::EdgesBuilder;
use crate::partial::{Hyper, PartialModel};
use crate::system::{ComposeError, System};
use logic::Family;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use support::{Monitor, StopReason, Stopped};
use tuples::Tuples;

pub(crate) fn compose(
    system: &System,
    limit: u32,
    monitor: &Monitor,
) -> Result<Option<PartialModel>, ComposeError> {
    match system.family() {
        Family::Props => props::compose(system, limit, monitor),
        Family::Actions => actions::compose(system, limit, monitor),
    }
}

pub(crate) fn initial_tuples(
    system: &System,
    limit: usize,
    monitor: &Monitor,
) -> Result<Option<Vec<Vec<u32>>>, ComposeError> {
    let mut tuples = Vec::new();
    let visit = |tuple: &[u32]| {
        tuples.push(tuple.to_vec());
        if tuples.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let all_seen = match system.family() {
        Family::Props => props::for_each_initial(system, monitor, visit),
        Family::Actions => actions::for_each_initial(system, monitor, visit),
    };
    monitor.check()?;
    if all_seen.is_break() {
        return Ok(None);
    }
    if tuples.is_empty() { Err(ComposeError::NoComposableInit) } else { Ok(Some(tuples)) }
}

/// Counts on to the next combination of one choice out of each; false after the last.
fn count_on(picks: &mut [usize], lengths: impl Iterator<Item = usize>) -> bool {
    for (pick, length) in picks.iter_mut().zip(lengths) {
        *pick += 1;
        if *pick < length {
            return true;
        }
        *pick = 0;
    }
    false
}

/// Asks the monitor every so often whether to go on. A monitor that has said stop keeps saying so, so
/// the reason is to be asked there.
struct Patience<'a> {
    monitor: &'a Monitor,
    work: u32,
}

impl<'a> Patience<'a> {
    fn new(monitor: &'a Monitor) -> Self {
        Self { monitor, work: 0 }
    }

    #[inline]
    fn go_on(&mut self) -> ControlFlow<()> {
        self.work = self.work.wrapping_add(1);
        if self.work.is_multiple_of(1 << 14) && self.monitor.check().is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

fn models(system: &System) -> Vec<&PartialModel> {
    system.components.iter().map(|component| &component.model).collect()
}

/// The name of the composition.
fn joined_name(models: &[&PartialModel]) -> String {
    models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>().join(" || ")
}

/// Transitions that a composition may have for each state of its limit: components without common propositions have
/// exponentially many from one state.
const TRANSITIONS_A_STATE: usize = 16;

/// The composition built so far.
struct Search {
    tuples: Tuples,
    /// The limit on states, and with it on transitions.
    limit: u32,
    edges: EdgesBuilder,
    classes: Vec<EdgeClass>,
    class_ids: FxHashMap<EdgeClass, u32>,
    hyper: Vec<Hyper>,
}

impl Search {
    fn new(width: usize, limit: u32, monitor: &Monitor) -> Self {
        Self {
            tuples: Tuples::new(width, monitor),
            limit,
            edges: EdgesBuilder::new(),
            classes: Vec::new(),
            class_ids: FxHashMap::default(),
            hyper: Vec::new(),
        }
    }

    /// Whether the composition is larger than the limit.
    fn is_too_large(&self) -> bool {
        self.tuples.len() > self.limit
            || self.edges.len() / TRANSITIONS_A_STATE > self.limit as usize
    }

    /// Stops where the composition is larger than the limit.
    fn within_limit(&self) -> ControlFlow<()> {
        if self.is_too_large() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Adds a transition out of the state whose turn it is.
    fn edge(&mut self, source: u32, class: EdgeClass, target: u32) {
        let classes = &mut self.classes;
        let id = *self.class_ids.entry(class).or_insert_with(|| {
            classes.push(class);
            classes.len() as u32 - 1
        });
        // Without memory for it the monitor says stop, and is asked soon.
        let _ = self.edges.make_room(1, &self.tuples.monitor);
        self.edges.push(source, id, target);
    }

    /// Expands every state that has been found, in the order of their numbers, until stopped.
    fn run(
        &mut self,
        phase: &'static str,
        monitor: &Monitor,
        mut expand: impl FnMut(&mut Search, u32, &[u32]) -> ControlFlow<()>,
    ) -> Result<(), Stopped> {
        monitor.phase(phase, 0);
        let mut next = 0;
        let mut tuple = Vec::new();
        while next < self.tuples.len() {
            tuple.clear();
            tuple.extend_from_slice(self.tuples.get(next));
            let is_over = expand(self, next, &tuple).is_break();
            // One state can have very many successors.
            monitor.check()?;
            if is_over {
                return Ok(());
            }
            next += 1;
            if next % 1024 == 0 {
                monitor.step(1024)?;
            }
            if self.tuples.len() > u32::MAX / 2 || self.edges.len() > u32::MAX as usize / 2 {
                return Err(Stopped(StopReason::Size));
            }
        }
        Ok(())
    }

    fn finish(self, monitor: &Monitor) -> Result<(Tuples, Edges, Vec<Hyper>), Stopped> {
        let states = self.tuples.len() as usize;
        let edges = self.edges.finish(states, self.classes, monitor)?;
        Ok((self.tuples, edges, self.hyper))
    }
}
