//! C Example 5.11 from outside: the changes of each round. The paper assumes failure causes; ours come
//! from the colouring. So what is checked here is what does not depend on the order; the paper's own order
//! is played in `src/refine/tests/example_5_11.rs`.

mod reading;
mod refining;

use explicit::{Change, FailureCase, Refinement, Request, Round};
use logic::Truth;
use model::Lifting;
use reading::read;
use refining::watched;
use support::Monitor;

const EXAMPLE: &str = include_str!("../../../examples/c-4.9.tm");

/// The verdict and the rounds of the asymmetric approach, M2 abstracted.
fn refinement_rounds(text: &str) -> (Truth, Vec<Round>) {
    let (system, formula) = read(text);
    let monitor = Monitor::new();
    let refinement = Refinement {
        abstracted: Some(vec![1]),
        eager: false,
        lifting: Lifting::Paper,
        ..Refinement::default()
    };
    let request = Request { refinement, ..Request::new(&system, &formula, &monitor) };
    let (outcome, rounds) = watched(request).unwrap();
    (outcome.verdict, rounds)
}

/// Whose abstraction a round has changed, and in which state.
fn place(change: &Change) -> (&str, &str) {
    match change {
        Change::Label { component, state, .. }
        | Change::Transitions { component, state, .. }
        | Change::Split { component, state, .. }
        | Change::Hyper { component, state, .. } => (component, state),
        Change::Colour { .. } | Change::Included { .. } => panic!("{change:?}"),
    }
}

fn sizes(round: &Round) -> Vec<(&str, u64, Option<u64>)> {
    let sizes = round.sizes.iter();
    sizes.map(|size| (&size.component[..], size.abstract_states, size.concrete_states)).collect()
}

/// Each round takes away one failure cause, in M2 only, and M1 stays what it is.
#[test]
fn c_example_5_11_only_the_second_component_is_refined() {
    let (verdict, rounds) = refinement_rounds(EXAMPLE);
    assert_eq!(verdict, Truth::True);
    for (round, number) in rounds.iter().zip(1..) {
        assert_eq!(round.number, number, "one change a round");
        assert_eq!(place(&round.change).0, "M2");
        assert_eq!(sizes(round)[0], ("M1", 3, Some(3)));
    }
}

/// "The labeling of t̂0 can be updated and no split is required", whenever it is asked for.
#[test]
fn c_example_5_11_the_label_is_settled_without_a_split() {
    let (_, rounds) = refinement_rounds(EXAMPLE);
    let first = &rounds[0];
    assert_eq!(first.cause.state, ["s0", "t0"]);
    assert_eq!(first.cause.subformula, "!i");
    assert_eq!(first.cause.case, FailureCase::Literal);
    let label = Change::Label {
        component: "M2".to_owned(),
        state: "t0".to_owned(),
        prop: "i".to_owned(),
        value: Truth::False,
    };
    assert_eq!(first.change, label);
    assert_eq!(sizes(first)[1], ("M2", 2, Some(3)), "t̂1 stands for t1 and t2");
    assert_eq!(first.unknown, 6, "all of the product but (s2, t̂1) ⊢ o");
}

/// With the disjunction the other way round our order meets the two causes that the paper assumes and no
/// other, in the other order: the label, then the must loop of t̂1. No state is split.
#[test]
fn c_example_5_11_without_any_split() {
    let turned = EXAMPLE.replace("(!i | <> o)", "(<> o | !i)");
    let (verdict, rounds) = refinement_rounds(&turned);
    assert_eq!((verdict, rounds.len()), (Truth::True, 2), "{rounds:?}");
    assert_eq!(place(&rounds[0].change), ("M2", "t0"));
    let loop_found = Change::Transitions {
        component: "M2".to_owned(),
        state: "{t1, t2}".to_owned(),
        removed: 0,
        must: 1,
    };
    assert_eq!(rounds[1].change, loop_found);
    assert_eq!(rounds[1].cause.state, ["s1", "{t1, t2}"]);
    assert_eq!(rounds[1].cause.subformula, "<> o");
    for round in &rounds {
        assert_eq!(sizes(round)[1], ("M2", 2, Some(3)));
    }
}
