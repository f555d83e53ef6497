//! Machines as truth functions: variables as bits, expressions and assignments as BDDs.
//!
//! [`Layout`] says which truth variables stand for a machine's variables, [`Encoder`] makes functions of its
//! expressions. What is done with them is for others: the engine and the auditor share nothing but this.

mod bits;
mod choices;
mod encode;
mod layout;
mod operators;
mod order;

pub use choices::Assigned;
pub use encode::{EncodedExpr, EncodedValue, Encoder};
pub use layout::{Bit, Layout};
