//! Automata for linear time: LTL with past to small generalised Büchi automata.
//!
//! Start at [`automaton`]: it translates a formula of an [`LtlArena`] and reduces the result.

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
pub use compile::{Valuations, compile};
pub use cube::{LiteralCube, MAX_ATOMS};
pub use formula::{LtlArena, LtlId, LtlNode};
pub use reduce::automaton;
pub use translate::{MAX_DEPTH, TranslationError, translate};
