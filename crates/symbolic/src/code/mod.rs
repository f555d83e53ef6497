//! The variables and expressions of a machine in truth functions.

mod bits;
mod choices;
mod encode;
mod layout;
mod operators;
mod order;

pub(crate) use encode::{Coded, Encoder};
pub(crate) use layout::{Bit, Layout};
