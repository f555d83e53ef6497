//! Predicate abstraction with given predicates (X §5): the monotone MixTS of a program over integers.
//!
//! [`abstracted`] builds it with a [`Decider`], which computes the effect of a step on predicates: [`SolverDecider`]
//! asks a solver, [`ValueDecider`] tries values. [`PredicateCollector`] compares predicates by their meaning.
//! [`blocks`] is the program of the paper's experiment.

mod abstract_program;
pub mod blocks;
mod decide;
mod enumerate;
mod predicates;
mod solve;
#[cfg(test)]
mod tests;

pub use abstract_program::{MOST_TOUCHED, NotAbstracted, PredicateSet, abstracted};
pub use decide::{Decider, StepTable};
pub use enumerate::ValueDecider;
pub use predicates::{Contradictions, PredicateCollector, contradictions};
pub use solve::SolverDecider;
