//! Whether a composed state has a transition at all.

use super::{actions, props};
use crate::edges::Mode;
use crate::system::System;
use logic::Family;

/// Answers for one system, without building it.
pub struct Moves<'a>(Parts<'a>);

enum Parts<'a> {
    Props(props::Parts<'a>),
    Actions(actions::Parts<'a>),
}

impl<'a> Moves<'a> {
    pub fn new(system: &'a System) -> Self {
        Self(match system.family() {
            Family::Props => Parts::Props(props::Parts::new(system)),
            Family::Actions => Parts::Actions(actions::Parts::new(system)),
        })
    }

    /// Whether some transition may and whether some must follow a tuple.
    pub fn of(&self, tuple: &[u32]) -> Mode {
        let mut moves = Mode { may: false, must: false };
        match &self.0 {
            Parts::Props(parts) => parts.for_each_step(tuple, |_, mode| moves = moves.or(mode)),
            Parts::Actions(parts) => {
                parts.for_each_step(tuple, &mut |_, _, mode| moves = moves.or(mode));
            }
        }
        moves
    }
}
