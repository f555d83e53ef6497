//! Solvers that fail: they cost verdicts, and never make one wrong.

use crate::{FEW, agree, answer, concrete, question};
use arithmetic::{Answer, Counters, Embedded, Formula, Solver};
use std::cell::Cell;
use testkit::{Rng, for_seeds};

/// Knows nothing at random, and nothing at all after some queries.
struct Failing {
    inner: Embedded,
    rng: Rng,
    chance: f64,
    left: u32,
}

impl Solver for Failing {
    fn check(&mut self, parts: &[Formula]) -> Answer {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || self.rng.chance(self.chance) {
            return Answer::Unknown("it was told to".to_owned());
        }
        self.inner.check(parts)
    }

    fn push(&mut self, part: &Formula) {
        self.inner.push(part);
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }
}

#[test]
fn a_solver_that_fails_makes_nothing_wrong() {
    let decided = Cell::new(0);
    for_seeds("integers-faults", 0..1500, |rng, case| {
        let is_closed = rng.chance(0.7);
        let (subject, structure, formula) = question(rng, case, is_closed);
        let chance = *rng.pick(&[0.0, 0.02, 0.2, 0.9]);
        let left = *rng.pick(&[1, 5, 30, 200, u32::MAX]);
        case.note(format!("fails with a chance of {chance}, and after {left} queries"));
        let rng = Rng::new(rng.next_u64());
        let mut solver = Failing { inner: Embedded::new(), rng, chance, left };
        let found = answer(&subject, &formula, FEW, &mut solver).verdict;
        decided.set(decided.get() + u32::from(found.is_definite()));
        agree(found, concrete::verdict(&structure, &formula))
    });
    println!("{} decided with failing solvers", decided.get());
    assert!(decided.get() > 300, "{} decided", decided.get());
}
