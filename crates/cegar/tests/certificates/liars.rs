//! Solvers that do not know, or say what is not so.

use crate::liar::liar;
use crate::{all, made};
use smt::{CrossChecked, Embedded, SatAnswer, SmtModel, Solver};
use testkit::Rng;

#[test]
fn an_unknown_of_the_solver_makes_nothing_valid() {
    for (asked, made) in all() {
        let mut knows_nothing = liar(|_, _| SatAnswer::Unknown("it is asleep".to_owned()));
        let checked = asked.audit(&made.bytes(), &mut knows_nothing);
        let problem = checked.expect_err("nothing is known").to_string();
        assert!(problem.contains("the solver does not know whether this can be"), "{problem}");
        assert!(problem.contains("(it is asleep)"), "{problem}");
    }
}

/// Wherever the one answer that is missing is, it was needed.
#[test]
fn every_answer_is_needed() {
    for (asked, made) in all() {
        let bytes = made.bytes();
        let mut all = Embedded::new();
        asked.audit(&bytes, &mut all).expect("it is valid");
        let queries = all.counters().queries;
        for missing in 0..queries {
            let mut asked_so_far = 0;
            let mut forgets_one = liar(|inner, parts| {
                asked_so_far += 1;
                match asked_so_far == missing + 1 {
                    true => SatAnswer::Unknown("it has forgotten".to_owned()),
                    false => inner.check(parts),
                }
            });
            let checked = asked.audit(&bytes, &mut forgets_one);
            // Another initial state may do where a formula is false.
            assert!(checked.is_err() || !made.claim.verdict, "{missing} of {queries}");
        }
    }
}

#[test]
fn a_solver_that_always_says_sat_makes_nothing_valid() {
    for (asked, made) in all() {
        let mut agrees = liar(|_, _| SatAnswer::Sat(SmtModel::default()));
        assert!(asked.audit(&made.bytes(), &mut agrees).is_err(), "{}", asked.name);
    }
}

/// Values that are none are noticed: they are all that a false verdict rests on beside contradictions.
#[test]
fn values_are_tried_out() {
    let text = crate::PROGRAMS[1].replace(":= 1", "");
    let asked = &made::asked(&text)[2];
    let made = asked.made();
    assert!(!made.claim.verdict, "x may be negative from the start");
    let mut errs = liar(|inner, parts| match inner.check(parts) {
        SatAnswer::Sat(_) => SatAnswer::Sat([(smt::Variable(0), 1 << 40)].into_iter().collect()),
        other => other,
    });
    let problem = asked.audit(&made.bytes(), &mut errs).expect_err("x is not positive").to_string();
    assert!(problem.contains("the values that it gives are none"), "{problem}");
}

/// Who says that nothing can be is believed; a second solver is not deceived.
#[test]
fn two_solvers_are_harder_to_deceive() {
    let mut rng = Rng::new(5);
    for (asked, mut made) in all() {
        let can_move = |state: &usize| !made.shown.transitions[*state].is_empty();
        let states: Vec<usize> = (0..made.shown.states.len()).filter(can_move).collect();
        made.drop_transition(*rng.pick(&states), 0);
        let denies = liar(|_, parts| SatAnswer::Unsat((0..parts.len()).collect()));
        let mut both = CrossChecked::new(Embedded::new(), denies);
        let problem = asked.audit(&made.bytes(), &mut both).expect_err("it is forged").to_string();
        assert!(problem.contains("disagree"), "{problem}");
    }
}
