//! Programs seen through predicates: the monotone MixTSs of predicate abstraction (X §2, §5).
//!
//! Start at [`Abstracted`]. Where a program stands is always known; of its data only the predicates are. So a
//! state is a place and a monomial, and the best approximations α\[S\] are the places with a minterm each.
//! [`Program::seen_through`] makes it of a [`Program`] over unbounded integers, with the help of a [`Decider`], who
//! knows what a step does to predicates; [`Solving`] asks a solver, [`Enumeration`] tries it out. [`lower`] says in linear arithmetic what steps
//! and conditions mean. [`blocks`] is the program of the paper's experiment.

mod abstracted;
pub mod blocks;
mod decide;
mod digest;
mod enumerate;
mod explicit;
mod expression;
pub mod lower;
mod monomial;
mod program;
mod seen;
mod solve;
#[cfg(test)]
mod tests;

pub use abstracted::{Abstracted, Command, Meaning, Start};
pub use decide::{Decider, Table};
pub use digest::digest_of;
pub use enumerate::Enumeration;
pub use explicit::TooLarge;
pub use expression::{Condition, Relation, Term};
pub use monomial::Monomial;
pub use program::{Change, Predicate, Program, Proposition, Step, Value, View};
pub use seen::{MOST_TOUCHED, NotAbstracted};
pub use solve::Solving;
