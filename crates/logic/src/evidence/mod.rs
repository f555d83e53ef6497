//! Evidence: why a verdict is what it is, whichever engine has found it.
//!
//! An engine answers "which successor, and why" ([`EvidenceGraph`]); [`unfold`] makes an [`UnfoldedEvidence`] of that,
//! an annotated counterexample or witness (G §3, extended to the µ-calculus). Where it is one path, a [`Trace`] can be
//! read off it.

mod digest;
mod explanation;
mod path;
mod run;
mod trace;
mod unfold;

pub use digest::{Digest, DigestEdge, DigestNode, is_word};
pub use explanation::{
    Assignments, InductiveInvariant, Justification, LocationInvariant, ProofOutline, RankedLoop,
    Recurrence, RunNotes, ShownMember, ShownNode, ShownState, ShownStatement, ShownStep,
    ShownSuccessor, ShownVariable, UnfoldedEvidence,
};
pub use path::{EvidencePath, PathBack, PathRow, path, prefix};
pub use run::{FoundRun, RunFact, RunPoint};
pub use trace::{
    DecidedSubformula, Trace, TraceLocation, TraceState, TraceStatement, TraceStep, TraceValue,
    valuation,
};
pub use unfold::{Decision, EvidenceGraph, unfold};
