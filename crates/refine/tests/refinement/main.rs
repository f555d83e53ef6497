//! Refinement of machines in BDDs against fixpoints on the whole machine.

mod asking;
#[path = "../../../front/tests/smv/generate.rs"]
mod generate;
mod random;
mod widths;
