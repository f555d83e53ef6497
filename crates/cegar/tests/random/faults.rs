//! Solvers that fail: they cost verdicts, and never make one wrong.

use crate::liar::liar;
use crate::{FEW, agree, answer, concrete, question};
use cegar::CegarLimits;
use smt::{SatAnswer, Solver};
use std::cell::Cell;
use testkit::{Rng, for_seeds};

/// Knows nothing at random, and nothing at all after some queries.
fn failing(mut rng: Rng, chance: f64, mut left: u32) -> impl Solver {
    liar(move |inner, parts| {
        left = left.saturating_sub(1);
        match left == 0 || rng.chance(chance) {
            true => SatAnswer::Unknown("it was told to".to_owned()),
            false => inner.check(parts),
        }
    })
}

#[test]
fn a_solver_that_fails_makes_nothing_wrong() {
    let decided = Cell::new(0);
    for_seeds("integers-faults", 0..500, |rng, case| {
        let is_closed = rng.chance(0.7);
        let (subject, structure, formula) = question(rng, case, is_closed);
        let chance = *rng.pick(&[0.0, 0.02, 0.2, 0.9]);
        let left = *rng.pick(&[1, 5, 30, 200, u32::MAX]);
        case.note(format!("fails with a chance of {chance}, and after {left} queries"));
        let rng = Rng::new(rng.next_u64());
        let mut solver = failing(rng, chance, left);
        // Who knows nothing has everything to look at: few rounds are enough to be led astray.
        let limits = CegarLimits { rounds: 4, ..FEW };
        let found = answer(&subject, &formula, limits, &mut solver).verdict;
        decided.set(decided.get() + u32::from(found.is_definite()));
        agree(found, concrete::verdict(&structure, &formula))
    });
    println!("{} decided with failing solvers", decided.get());
    assert!(decided.get() > 100, "{} decided", decided.get());
}
