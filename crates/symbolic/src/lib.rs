//! Symbolic model checking with BDDs.
//!
//! Start at [`Session`]: a machine is encoded once and asked any number of formulas. The encoding of
//! variables and expressions is in the crate `coding`, steps in `relation`, the fixpoints in `fixpoints`. Nothing here
//! is shared with the games.

mod build;
mod certificate;
mod composition;
mod dangers;
mod evidence;
mod facts;
mod fixpoints;
mod kmts;
pub mod mixed;
mod musts;
mod proof;
mod reach;
mod record;
mod relation;
mod scopes;
mod session;
mod structure;
mod turns;
mod verdict;
mod whole;

pub use bdd::{Policy, Stop};
pub use composition::{Composition, Effort, Hindrance, Question, Trial};
#[doc(hidden)]
pub use composition::{Lifted, Relevance};
pub use session::{Answer, Figures, Halt, Session, Subject};
pub use whole::{Refusal, Whole};
