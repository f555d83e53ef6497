//! Sets of valuations as decision diagrams.
//!
//! Start at [`Diagrams`]: variables come in groups that stay next to each other, a [`Set`] is held like a
//! value, and every operation may fail for want of room or because the monitor says so. Between
//! operations, and by giving up and beginning again also within them, garbage is collected and the
//! variables are reordered.

mod diagrams;
mod kernel;
mod listing;
mod policy;
mod roots;

pub use diagrams::{Cube, Diagrams, Renaming, Set, Var};
pub use listing::{Link, ListedNode, Listing};
pub use policy::Policy;

use support::{StopReason, Stopped};

/// Why an operation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Stopped(Stopped),
    /// There is no room for more nodes, or there are too many variables.
    Full,
    /// There are so many nodes that something should be done about them first. It does not get outside of
    /// this crate.
    Crowded,
}

impl From<Stop> for Stopped {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Stopped(stopped) => stopped,
            Stop::Full | Stop::Crowded => Stopped(StopReason::Nodes),
        }
    }
}
