//! One partial model as another that stands for the same concrete systems (X §3, §4.3).

mod gtom;
mod monotone;
mod mtok;
mod reduced;

use crate::partial::{ModelBuilder, PartialModel};
use rustc_hash::FxHashMap;

/// The states of a translation by what they stand for: the old ones, and new ones where none does.
struct StatesByAtoms {
    builder: ModelBuilder,
    /// By atoms: the first state that stands for just these.
    states: FxHashMap<Vec<u32>, u32>,
    /// The states before the new ones.
    old: u32,
    taken: FxHashMap<String, u32>,
}

impl StatesByAtoms {
    fn new(model: &PartialModel, upsets: &crate::Upsets, builder: ModelBuilder) -> Self {
        let old = model.states() as u32;
        let mut states = FxHashMap::default();
        for state in 0..old {
            states.entry(upsets.of(state).to_vec()).or_insert(state);
        }
        let taken = (0..old).map(|state| (model.state_name(state), state)).collect();
        Self { builder, states, old, taken }
    }

    /// The state that stands for these atoms, which are rising.
    fn state(&mut self, atoms: Vec<u32>, name: impl FnOnce() -> String) -> u32 {
        if let Some(&state) = self.states.get(&atoms) {
            return state;
        }
        let name = self.fresh(name());
        let state = self.builder.state(name.clone());
        self.taken.insert(name, state);
        self.builder.covers(state, atoms.clone(), true);
        self.states.insert(atoms, state);
        state
    }

    fn fresh(&self, name: String) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(|name| !self.taken.contains_key(name)).unwrap_or(name)
    }

    /// The new states, each with its atoms, in the order in which they came.
    fn new_states(&self) -> Vec<(u32, Vec<u32>)> {
        let new = self.states.iter().filter(|(_, state)| **state >= self.old);
        let mut new: Vec<(u32, Vec<u32>)> = new.map(|(of, &state)| (state, of.clone())).collect();
        new.sort_unstable();
        new
    }
}
