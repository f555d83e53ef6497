//! The base of every other crate: typed ids, interned names, source spans, diagnostics, and the
//! monitor through which a long computation is watched and stopped.
//!
//! Invariant: nothing here reads a clock, a file or the environment. Their owner (the command line) sets the
//! [`Monitor`]'s stop flag from outside.

mod components;
mod diagnostic;
mod id;
mod interner;
mod monitor;
mod nearest;
mod span;

pub use components::{ComponentSearch, SearchedGraph, components};
pub use diagnostic::{Diagnostic, Severity};
pub use id::{Id, IdVec};
pub use interner::Interner;
pub use monitor::{CancelFlag, Monitor, Reservation, StopReason, Stopped};
pub use nearest::{did_you_mean, nearest};
pub use span::{FileId, SourceFile, SourceMap, Span};
