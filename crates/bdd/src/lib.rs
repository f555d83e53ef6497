//! Sets of valuations as BDDs.
//!
//! Start at [`Manager`]: variables come in groups that stay next to each other, a [`Bdd`] is held like a
//! value, and every operation may fail at a limit of nodes or of the monitor. Between operations, and within one by
//! restarting it, garbage is collected and the variables are reordered by sifting. Bryant's algorithms (1986), with
//! negated edges (Brace, Rudell and Bryant 1990).

mod kernel;
mod manager;
mod policy;
mod roots;
mod serialize;

pub use manager::{Bdd, BddVar, Cube, Manager, Renaming};
pub use policy::Policy;
pub use serialize::{SerializedEdge, SerializedNode, Serializer};

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
