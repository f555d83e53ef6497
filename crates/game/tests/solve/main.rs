//! The solvers of 2-valued parity games and the verifier of their solutions.

mod games;
mod random;
mod small;
