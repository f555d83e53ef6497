//! Refinement of machines in diagrams against fixpoints on the whole machine.

mod asking;
#[path = "../../../front/tests/smv/generate.rs"]
mod generate;
mod random;
mod widths;
