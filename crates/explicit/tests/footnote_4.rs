//! C §5.2: a step that several components leave open belongs to all of them; footnote 4: it is enough to ask one
//! first, because a step that one of them does not have is gone whatever the others do.

mod reading;
mod refining;

use explicit::{Change, Refinement, Request};
use logic::Truth;
use refining::watched;
use support::Monitor;

/// From {a0, a1} and {b0, b1} a step to a2 and b2 may be there, for all that either abstraction says; a0 does not have
/// it.
const OPEN_ON_BOTH_SIDES: &str = "
    component A kripke { props p; init a0; a0: {} -> a1; a1: {} -> a2; a2: {p} -> a2; }
    component B kripke { props q; init b0; b0: {} -> b1; b1: {} -> b2; b2: {q} -> b2; }
    system A || B;
    property f: mu <> (p & q);";

/// The rounds in which a state is split by its steps, with the states that are split; and the verdict.
fn splits(one_side_first: bool) -> (Vec<(u64, String)>, Truth) {
    let (system, formula) = reading::read(OPEN_ON_BOTH_SIDES);
    let monitor = Monitor::new();
    let refinement = Refinement { one_side_first, ..Refinement::default() };
    let request = Request { refinement, ..Request::new(&system, &formula, &monitor) };
    let (outcome, rounds) = watched(request).unwrap();
    let by_steps = rounds.into_iter().filter_map(|round| match round.change {
        Change::Split { state, by, .. } if by.starts_with("a step") => Some((round.number, state)),
        _ => None,
    });
    (by_steps.collect(), outcome.verdict)
}

#[test]
fn c_footnote_4_one_component_is_refined_first() {
    let (splits, verdict) = splits(true);
    assert_eq!(verdict, Truth::False);
    let states: Vec<&str> = splits.iter().map(|(_, state)| &state[..]).collect();
    assert_eq!(states, ["{a0, a1}"], "B is not asked");
}

#[test]
fn c_footnote_4_without_it_all_are_refined_at_once() {
    let (splits, verdict) = splits(false);
    assert_eq!(verdict, Truth::False);
    let [(first, a), (second, b)] = &splits[..] else { panic!("{splits:?}") };
    assert_eq!((first, &a[..], &b[..]), (second, "{a0, a1}", "{b0, b1}"));
}
