//! Symbolic model checking with BDDs.
//!
//! Start at [`SymbolicChecker`]: a transition system is encoded once and checked for any number of formulas. The
//! encoding of variables and expressions is in the crate `encode`, the partitioned transition relation in `relation`,
//! the fixpoints in `fixpoints`; `composition` checks component by component (paper C §6.2: Shoham and Grumberg), `mixed` mixed
//! transition systems (paper X §5: Wei, Gurfinkel and Chechik). Nothing here is shared with the games.

mod build;
mod certificate;
mod checker;
mod composed;
mod composition;
mod disjuncts;
mod evidence;
mod facts;
mod failure;
mod fixpoints;
mod kmts;
mod known;
mod length;
pub mod mixed;
mod musts;
mod proof;
mod reach;
mod record;
mod relation;
mod runtime_errors;
mod scopes;
mod structure;
mod system_group;
mod verdict;

pub use bdd::{Policy, Stop};
pub use checker::{LabelledMachine, SymbolicChecker, SymbolicError, SymbolicStats};
pub use composed::{ComposedSystem, UnfitSystem};
pub use composition::{
    Composition, DecomposedSystem, DecompositionError, Question, SearchLimit, Trial,
};
#[doc(hidden)]
pub use composition::{Lifted, Relevance};
pub use evidence::{ComponentLemma, EvidenceScope, Lemma};
pub use failure::{FailurePath, OpenFact, UnknownCause};
