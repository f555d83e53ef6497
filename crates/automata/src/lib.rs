//! Linear time: LTL with past to small generalised Büchi automata, and LTL and CTL* to the normal form of formulas.
//!
//! Start at [`compile`], which brings formulas of every logic into the normal form, or at [`automaton`], which
//! translates a formula of an [`LtlArena`] and reduces the result.

mod acceptance;
mod buchi;
mod compile;
mod cube;
mod degeneralise;
mod fixpoints;
mod formula;
mod history;
mod implication;
mod reduce;
mod simplify;
mod simulation;
mod translate;
mod weak;

pub use buchi::{BuchiAutomaton, BuchiEdge};
pub use compile::{Valuations, compile, negated_automaton};
pub use cube::{LiteralCube, MAX_ATOMS};
pub use formula::{LtlArena, LtlId, LtlNode};
pub use reduce::automaton;
pub use translate::TranslationError;
