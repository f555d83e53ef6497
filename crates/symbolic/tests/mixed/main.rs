//! The standard and the reduced semantics by BDDs (X §5) against the reference, on models of atoms and on
//! programs seen through predicates, and on the program of the paper's experiment.

mod atoms;
mod blocks;
mod expansion;
mod programs;

use symbolic::Policy;
use testkit::Rng;

/// In half of the cases garbage is collected and variables are reordered all the time.
fn policy(rng: &mut Rng) -> Policy {
    let unrest = rng.chance(0.5).then(|| rng.between(1, 40) as u64);
    Policy { unrest, ..Policy::default() }
}
