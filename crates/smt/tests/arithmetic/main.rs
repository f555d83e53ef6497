//! Laws of formulas, and the embedded solver against trying everything.

mod brute_force;
mod exists;
mod interpolants;
mod laws;
mod pipes;
mod random;
mod show;
#[path = "../../../tertium/src/solver.rs"]
mod solver;
