//! Choices that a certificate names.

use crate::made::{Asked, Made, asked};
use audit::integers::Must;
use smt::{Term, Variable};

/// Two are chosen, and the second has to fit the first.
const CHOICE: &str = "var x, y : int; x := any; y := any; done: fin
    property meet: ctl EF (at_done & y = x + x + 3);";

/// Where the second variable is chosen, the musts that are not all that may be.
fn musts<'m>(asked: &Asked, made: &'m mut Made) -> Vec<&'m mut Must> {
    let program = &asked.document.program;
    let chooses_y =
        |step: u32| program.steps[step as usize].changed().any(|variable| variable.0 == 1);
    let transitions = made.shown.transitions.iter_mut().flatten();
    let transitions = transitions.filter(|transition| chooses_y(transition.step));
    transitions
        .flat_map(|transition| {
            let all = transition.targets.len();
            transition.musts.iter_mut().filter(move |must| must.states.len() < all)
        })
        .collect()
}

#[test]
fn a_choice_can_be_named() {
    let asked = &asked(CHOICE)[0];
    let made = asked.made();
    assert_eq!(asked.check(&made), Ok(true));
    let chosen = |variable: u32, factor: i64, constant: i64| {
        let mut made = made.clone();
        let term = Term::sum([(Variable(0), factor)], constant).expect("small numbers");
        let found = musts(asked, &mut made);
        assert!(!found.is_empty(), "there is a choice");
        for must in found {
            must.naming = vec![(Variable(variable), term.clone())];
        }
        // Only what leads to the goal is named; the rest is not needed.
        asked.check(&made)
    };
    let refused = |checked: Result<bool, String>, why: &str| {
        let problem = checked.expect_err("it is wrong");
        assert!(problem.contains(why), "{problem}");
    };
    // With two variables, the third is what the first becomes, and the fourth what the second does.
    refused(chosen(3, 2, 4), "need not lead where it must");
    refused(chosen(3, 3, 3), "need not lead where it must");
    refused(chosen(2, 2, 3), "does not choose what is named");
    refused(chosen(0, 2, 3), "does not choose what is named");
}

#[test]
fn the_right_choice_is_accepted() {
    let asked = &asked(CHOICE)[0];
    let mut made = asked.made();
    let goal = Term::sum([(Variable(0), 2)], 3).expect("small numbers");
    let mut accepted = 0;
    let count = musts(asked, &mut made).len();
    for number in 0..count {
        let mut named = made.clone();
        musts(asked, &mut named)[number].naming = vec![(Variable(3), goal.clone())];
        accepted += u32::from(asked.check(&named) == Ok(true));
    }
    assert!(accepted > 0, "none of {count} is accepted");
}
