//! Refinement with BDDs against fixpoints on the monolithic model.

mod asking;
#[path = "../../../front/tests/smv/generate.rs"]
mod generate;
mod random;
mod widths;
