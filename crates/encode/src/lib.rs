//! Encoding of transition systems in BDDs: variables as bits, expressions and assignments as Boolean functions.
//!
//! [`Layout`] says which truth variables stand for a machine's variables, [`Encoder`] makes functions of its
//! expressions. There are no fixpoints here: the BDD engines and the auditor share nothing but this.

mod bits;
mod choices;
mod encode;
mod layout;
mod operators;
mod order;

pub use choices::Assigned;
pub use encode::{EncodedExpr, EncodedValue, Encoder};
pub use layout::{Bit, Layout};
