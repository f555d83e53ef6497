//! Deadlocks, and letting deadlocked states follow themselves.

use crate::edges::{EdgeClass, Edges, Mode};
use crate::partial::{PartialModel, TAU};
use logic::Family;

impl PartialModel {
    /// Whether some transition may and whether some must follow a state.
    pub fn moves(&self, state: u32) -> Mode {
        let hyper = Mode { may: false, must: !self.hyper_from(state).is_empty() };
        self.edges.out(state).fold(hyper, |moves, (_, class)| moves.or(class.mode))
    }

    /// The first reachable state that nothing follows.
    pub fn deadlock_state(&self) -> Option<u32> {
        let dead = |&state: &u32| self.moves(state) == Mode::NONE;
        // Reachability is looked at only if there is such a state at all.
        (0..self.states() as u32).find(dead)?;
        self.reachable().ones().map(|state| state as u32).find(dead)
    }

    /// Adds a self-loop, by `tau`, to every deadlock state, and a may self-loop to
    /// every state that nothing must follow.
    #[must_use]
    pub fn stuttering(mut self) -> PartialModel {
        let action = (self.kind.family() == Family::Actions).then(|| self.actions.intern(TAU));
        let mut classes = self.edges.classes().to_vec();
        let first = classes.len() as u32;
        classes.extend([Mode::BOTH, Mode::MAY].map(|mode| EdgeClass { action, mode }));
        let loops = (0..self.states() as u32).filter_map(|state| {
            let moves = self.moves(state);
            let class = if moves.may { first + 1 } else { first };
            (!moves.must).then_some((state, class, state))
        });
        let all: Vec<(u32, u32, u32)> = self.edges.triples().chain(loops).collect();
        self.edges = Edges::from_triples(self.edges.states(), classes, all.iter().copied());
        self
    }
}
