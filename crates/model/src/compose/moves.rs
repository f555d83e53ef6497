//! Where a composition goes, without building it.

use super::{Search, actions, props};
use crate::edges::Mode;
use crate::system::System;
use base::{Monitor, Stopped};
use logic::Family;
use std::ops::ControlFlow;

/// Answers for one system.
pub struct Moves<'a> {
    components: usize,
    parts: Parts<'a>,
    monitor: &'a Monitor,
}

enum Parts<'a> {
    Props(props::Parts<'a>),
    Actions(actions::Parts<'a>),
}

impl<'a> Moves<'a> {
    pub fn new(system: &'a System, monitor: &'a Monitor) -> Self {
        let parts = match system.family() {
            Family::Props => Parts::Props(props::Parts::new(system, monitor)),
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

    /// The first tuple that can be reached and that nothing follows, as the composition numbers them.
    pub fn dead_end<'t>(
        &self,
        initial: impl IntoIterator<Item = &'t [u32]>,
    ) -> Result<Option<Vec<u32>>, Stopped> {
        let mut search = Search::new(self.components);
        for tuple in initial {
            search.tuples.intern(tuple);
        }
        let mut dead_end = None;
        search.run("looking for deadlocks", self.monitor, |search, _, tuple| {
            let mut is_dead = true;
            self.for_each_step(tuple, |target, _| {
                is_dead = false;
                search.tuples.intern(target);
                ControlFlow::Continue(())
            });
            dead_end = is_dead.then(|| tuple.to_vec());
            if is_dead { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(dead_end)
    }

    /// Whether more than so many tuples can be reached, or there are very many steps between them.
    pub fn reaches_more_than<'t>(
        &self,
        limit: u32,
        initial: impl IntoIterator<Item = &'t [u32]>,
    ) -> Result<bool, Stopped> {
        const STEPS_A_TUPLE: u64 = 16;
        let most_steps = u64::from(limit) * STEPS_A_TUPLE;
        let mut steps = 0;
        let go_on_if = |few| if few { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let mut search = Search::new(self.components);
        for tuple in initial {
            search.tuples.intern(tuple);
        }
        search.run("looking how much there is", self.monitor, |search, _, tuple| {
            self.for_each_step(tuple, |target, _| {
                search.tuples.intern(target);
                steps += 1;
                go_on_if(search.tuples.len() <= limit && steps <= most_steps)
            });
            go_on_if(search.tuples.len() <= limit && steps <= most_steps)
        })?;
        Ok(search.tuples.len() > limit || steps > most_steps)
    }

    fn for_each_step(&self, tuple: &[u32], mut visit: impl FnMut(&[u32], Mode) -> ControlFlow<()>) {
        let _ = match &self.parts {
            Parts::Props(parts) => parts.for_each_step(tuple, visit),
            Parts::Actions(parts) => parts.for_each_step(tuple, |_, to, mode| visit(to, mode)),
        };
    }
}
