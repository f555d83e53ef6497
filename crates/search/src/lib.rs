//! Explicit-state search on the fly: states are packed rows of words, found by a successor function and kept in a hash
//! table. Nothing but the states is stored; a violation ends the search.
//!
//! Start at [`Successors`], which is all that a search knows of a system. [`CompiledSystem`] is the successor function
//! of a symbolic transition system, compiled; [`ReducedSystem`] leaves out states and steps of one that consists of
//! processes. [`reachability`] looks for states in which propositions hold, breadth first; [`accepted_run`] for a run
//! that a Büchi automaton accepts.

mod breadth_first;
mod compiled;
mod lasso;
mod reduced;
mod reduction;
mod store;

pub use breadth_first::{Reachability, reachability};
pub use compiled::CompiledSystem;
pub use lasso::{LassoSearch, accepted_run};
pub use reduced::ReducedSystem;
pub use reduction::Reductions;
pub use store::StateStore;

use support::{Monitor, Stopped};

/// A transition system by its successor function. A state is a row of words.
pub trait Successors {
    type Error: From<Stopped>;

    /// Words a state.
    fn words(&self) -> usize;

    /// Visits the initial states.
    fn initial(
        &mut self,
        monitor: &Monitor,
        found: impl FnMut(&[u64]) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error>;

    /// Visits the successors of a state, each with the number of the step that leads to it.
    fn successors(
        &mut self,
        state: &[u64],
        monitor: &Monitor,
        found: impl FnMut(u32, &[u64]) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error>;

    /// Whether a proposition holds in the state whose successors were visited last.
    fn holds(&mut self, proposition: usize, state: &[u64]) -> bool;
}
