//! While-programs with a syntax tree, a meaning and a CTL of their own, for tests of what `front`, `cfg` and the
//! engines make of the same text.
//!
//! [`Program`] is the text, and [`random_program`] makes some. [`Structure`] is its meaning, written down from
//! M Appendix A; [`Oracle`] answers CTL on it by plain iteration. None of this shares code with what it judges.
//! [`to_cfg`] gives the same program in the form that the engines take.

mod assembled;
mod ast;
mod ctl;
mod explicit;
mod fillings;
mod flat;
mod graphs;
mod interleaved;
mod jumping;
mod oracle;
mod random;
mod random_ctl;
mod stacked;
mod structure;
mod text;
mod to_cfg;
mod total;
mod values;

pub use assembled::{Assembled, RandomCuts, all_partitions};
pub use ast::{
    Argument, Choice, Command, Domain, Expr, Kind, Operator, Parameter, Procedure, Program, Scope,
    Target, Var, VarIndex,
};
pub use ctl::{Ctl, PathOperator, Quantifier, StateOperator};
pub use explicit::explicit_model;
pub use fillings::{fill, fillings};
pub use flat::{Flat, FlatCommand, FlatKind};
pub use graphs::{PartitionGraph, partition_graph_count, partition_graphs};
pub use interleaved::{InterleavedText, interleaved_text};
pub use jumping::{JumpingText, jumping_text};
pub use oracle::Oracle;
pub use random::{Size, random_program};
pub use random_ctl::random_ctl;
pub use stacked::{has_stacked_path, stacked_model};
pub use structure::{Location, Structure};
pub use to_cfg::to_cfg;
pub use values::Valuations;
