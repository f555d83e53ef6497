//! Solvers behind a pipe: all that can go wrong with one, and z3 against the embedded one.

mod differential;
mod faults;
#[path = "../../../smt/tests/arithmetic/random.rs"]
mod random;
#[path = "../../../tertium/src/solver.rs"]
mod solver;
