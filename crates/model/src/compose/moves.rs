//! Where a composition goes, without building it.

use super::{Search, actions, models, props};
use crate::edges::Mode;
use crate::system::System;
use logic::Family;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use support::{Monitor, Stopped};

/// Answers for one system.
pub struct Moves<'a> {
    components: usize,
    parts: Parts<'a>,
    monitor: &'a Monitor,
}

/// The action of a joint transition, its mode, and its target.
pub type JointMove<'a> = (Option<&'a str>, Mode, Vec<u32>);

/// A transition of the composition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComposedStep<'a> {
    pub action: Option<&'a str>,
    /// The components that take part, in their order.
    pub movers: Vec<usize>,
    pub mode: Mode,
    pub target: Vec<u32>,
}

enum Parts<'a> {
    Props(props::Parts<'a>),
    Actions(actions::Parts<'a>),
}

impl<'a> Moves<'a> {
    pub fn new(system: &'a System, monitor: &'a Monitor) -> Self {
        let parts = match system.family() {
            Family::Props => Parts::Props(props::Parts::new(models(system), monitor)),
            Family::Actions => Parts::Actions(actions::Parts::new(system, monitor)),
        };
        Self { components: system.components.len(), parts, monitor }
    }

    /// Whether some transition may and whether some must follow a tuple. Once the monitor has stopped
    /// the run this is not to be trusted.
    pub fn of(&self, tuple: &[u32]) -> Mode {
        let mut moves = Mode::NONE;
        self.for_each_step(tuple, |_, mode| {
            moves = moves.or(mode);
            if moves == Mode::BOTH { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        moves
    }

    /// Every transition out of a tuple, hyper-transitions aside: what it shows, how sure it is, and where it
    /// leads. `None` if there are more than `limit`, or if the monitor has stopped the run.
    pub fn steps(&self, tuple: &[u32], limit: usize) -> Option<Vec<JointMove<'_>>> {
        let mut steps = Vec::new();
        let mut add = |action, mode, target: &[u32]| {
            steps.push((action, mode, target.to_vec()));
            if steps.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let all = match &self.parts {
            Parts::Props(parts) => parts.for_each_step(tuple, |to, mode| add(None, mode, to)),
            Parts::Actions(parts) => {
                parts.for_each_step(tuple, |rule, to, mode| add(Some(parts.shown(rule)), mode, to))
            }
        };
        all.is_continue().then_some(steps)
    }

    /// Every transition out of a tuple, hyper-transitions aside, each once, with the components that take part in it.
    /// `None` if there are more than `limit`, or if the monitor has stopped the run.
    pub fn joint_steps(&self, tuple: &[u32], limit: usize) -> Option<Vec<ComposedStep<'_>>> {
        let mut steps: Vec<ComposedStep> = Vec::new();
        let mut known: FxHashMap<(Option<&str>, Vec<u32>), usize> = FxHashMap::default();
        let mut add = |action, movers: Vec<usize>, mode: Mode, target: &[u32]| {
            let number = *known.entry((action, target.to_vec())).or_insert(steps.len());
            // Two rules may show the same step, sure in one and not in the other.
            match steps.get_mut(number) {
                Some(step) => step.mode = step.mode.or(mode),
                None => steps.push(ComposedStep { action, movers, mode, target: target.to_vec() }),
            }
            if steps.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let all = match &self.parts {
            Parts::Props(parts) => parts.for_each_step(tuple, |to, mode| {
                add(None, (0..self.components).collect(), mode, to)
            }),
            Parts::Actions(parts) => parts.for_each_step(tuple, |rule, to, mode| {
                add(Some(parts.shown(rule)), parts.movers(rule), mode, to)
            }),
        };
        all.is_continue().then_some(steps)
    }

    /// The first tuple that can be reached and that nothing follows, as the composition numbers them.
    pub fn deadlock_state<'t>(
        &self,
        initial: impl IntoIterator<Item = &'t [u32]>,
    ) -> Result<Option<Vec<u32>>, Stopped> {
        let mut search = Search::new(self.components, u32::MAX, self.monitor);
        for tuple in initial {
            search.tuples.intern(tuple);
        }
        let mut found = None;
        search.run("looking for deadlocks", self.monitor, |search, _, tuple| {
            let mut is_dead = true;
            self.for_each_step(tuple, |target, _| {
                is_dead = false;
                search.tuples.intern(target);
                ControlFlow::Continue(())
            });
            found = is_dead.then(|| tuple.to_vec());
            if is_dead { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(found)
    }

    fn for_each_step(&self, tuple: &[u32], mut visit: impl FnMut(&[u32], Mode) -> ControlFlow<()>) {
        let _ = match &self.parts {
            Parts::Props(parts) => parts.for_each_step(tuple, visit),
            Parts::Actions(parts) => parts.for_each_step(tuple, |_, to, mode| visit(to, mode)),
        };
    }
}
