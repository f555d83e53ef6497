//! Questions about the lengths of paths between states: NuSMV's `COMPUTE` (S. Campos, E. Clarke, W. Marrero, M. Minea:
//! Verifying the performance of the PCI local bus using symbolic techniques, ICCD 1995).

use crate::surface::ExprId;
use std::fmt;

/// Which of the paths is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extreme {
    /// A shortest path from a state with `from` to one with `to`.
    Shortest,
    /// A longest path from a state with `from` before the first state with `to`.
    Longest,
}

impl Extreme {
    pub const ALL: [Extreme; 2] = [Extreme::Shortest, Extreme::Longest];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Extreme::Shortest => "MIN",
            Extreme::Longest => "MAX",
        }
    }
}

/// A question for the length of a path, between two formulas of a [`Surface`](crate::Surface).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    pub extreme: Extreme,
    pub from: ExprId,
    pub to: ExprId,
}

/// The length of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathLength {
    Steps(u64),
    /// There is no such path, or none is the longest.
    Infinite,
    /// No reachable state has `from`, or none has `to`.
    Undefined,
}

impl fmt::Display for PathLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathLength::Steps(steps) => steps.fmt(f),
            PathLength::Infinite => f.write_str("infinity"),
            PathLength::Undefined => f.write_str("undefined"),
        }
    }
}
