//! Programs over unbounded integers, and what their steps mean in linear arithmetic.
//!
//! An [`IntegerProgram`] is a control-flow graph whose steps are formulas and terms of [`smt`]: the engine and the
//! auditor reason about these and nothing else. [`Linear`] lowers the expressions of [`crate::Exprs`] to them, for all
//! languages; [`interleaved`] makes the program of a while-program.

mod digest;
mod interleave;
mod lower;
mod program;

pub use digest::digest_of;
pub use interleave::{
    IntegerLocation, Interleaving, Mover, NotInterleaved, condition, domains, interleaved,
};
pub use lower::{Cases, Linear, LinearTruth, NotLinear, opposite, within};
pub use program::{IntegerProgram, IntegerStep, Predicate, Proposition};
