//! A word is accepted iff the formula holds: random formulas, random words.

use crate::accepting::accepts;
use crate::build::build;
use automata::{LtlArena, automaton};
use support::Monitor;
use testkit::for_seeds;
use testkit::linear::{PathFormula, PeriodicWord};

const WORDS: usize = 20;

fn agree(name: &str, seeds: std::ops::Range<u64>) {
    for_seeds(name, seeds, |rng, case| {
        let atoms = rng.between(1, 3);
        let (size, with_past) = (rng.between(1, 12), rng.chance(0.5));
        let formula = PathFormula::random(rng, size, atoms, with_past);
        case.note(format!("{formula}"));
        let mut arena = LtlArena::default();
        let id = build(&formula, &mut arena);
        case.note(format!("{}", arena.show(id, &|atom| format!("p{atom}"))));
        let automaton =
            automaton(&mut arena, id, atoms as u32, &Monitor::new()).map_err(|e| e.to_string())?;
        for _ in 0..WORDS {
            let word = PeriodicWord::random(rng, atoms);
            let (holds, accepted) = (formula.holds(&word), accepts(&automaton, &word));
            if holds != accepted {
                case.note(format!("{automaton}"));
                return Err(format!("{word:?}: formula {holds}, automaton {accepted}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_word_is_accepted_iff_the_formula_holds() {
    agree("words-of-formulas", 0..1000);
}

#[test]
#[ignore = "minutes: 2,000,000 pairs"]
fn many_words_are_accepted_iff_their_formulas_hold() {
    agree("many-words-of-formulas", 1_000_000..1_100_000);
}
