//! G §5, failure analysis: each case of Lemma 2 on a model that is made for it, and what an empty split
//! says. One component, so this is G's own loop.

mod reading;
mod refining;

use explicit::{Cause, Change, FailureCase, Reason, Refinement, Request, Round};
use logic::Truth;
use model::Lifting;
use reading::read;
use refining::watched;
use support::Monitor;

/// Transitions are looked at when a failure cause asks for them.
fn lazy() -> Refinement {
    Refinement { eager: false, ..Refinement::default() }
}

fn refinement_rounds(text: &str, refinement: Refinement) -> (Truth, Vec<Round>) {
    let (system, formula) = read(text);
    let monitor = Monitor::new();
    let request = Request { refinement, ..Request::new(&system, &formula, &monitor) };
    let (outcome, rounds) = watched(request).unwrap();
    (outcome.verdict, rounds)
}

fn component(states: &str, property: &str) -> String {
    format!("component M kripke {{ {states} }} property f: mu {property};")
}

fn last(rounds: &[Round]) -> &Round {
    rounds.last().expect("at least one round")
}

fn split(state: &str, by: &str) -> Change {
    Change::Split { component: "M".into(), state: state.into(), by: by.into(), parts: 2 }
}

/// Separated by the label.
#[test]
fn g_lemma_2_case_1_a_literal() {
    let text = component("props p; init a; a: {p} -> b; b: {} -> a;", "p");
    let (verdict, rounds) = refinement_rounds(&text, lazy());
    assert_eq!((verdict, rounds.len()), (Truth::True, 1));
    assert_eq!(rounds[0].cause.case, FailureCase::Literal);
    assert_eq!((&rounds[0].cause.state[0][..], &rounds[0].cause.subformula[..]), ("{a, b}", "p"));
    assert_eq!(rounds[0].change, split("{a, b}", "the value of p"));
}

/// One of the two sets is empty: the label is known.
#[test]
fn g_lemma_2_case_1_without_a_split() {
    let text = component("props p; init a; a: {p} -> b; b: {p} -> a;", "p");
    let (verdict, rounds) = refinement_rounds(&text, lazy());
    assert_eq!((verdict, rounds.len()), (Truth::True, 1));
    let value = Truth::True;
    let known =
        Change::Label { component: "M".into(), state: "{a, b}".into(), prop: "p".into(), value };
    assert_eq!((rounds[0].cause.case, &rounds[0].change), (FailureCase::Literal, &known));
    assert_eq!(rounds[0].sizes[0].abstract_states, 1);
}

/// AX with a may-successor that is F: separated into those that have a step to it and those that have none.
#[test]
fn g_lemma_2_case_2_a_deciding_successor() {
    let states = "props p; init a1, a2, a3;
                  a1: {p} -> b; a2: {p} -> a1; a3: {p} -> b, a1; b: {} -> b;";
    let (verdict, rounds) = refinement_rounds(&component(states, "[] p"), lazy());
    assert_eq!(verdict, Truth::False);
    assert_eq!(last(&rounds).cause.case, FailureCase::DecidingSuccessor);
    assert_eq!(last(&rounds).cause.subformula, "[] p");
    assert_eq!(last(&rounds).change, split("{a1, a2, a3}", "a step to b"));
}

/// EX with two may-successors that are T: their union separates, not one of them.
#[test]
fn g_lemma_2_case_2_the_successors_of_one_colour_together() {
    let states = "props p, q, r; init a1, a2, a3; a1: {} -> b1; a2: {} -> b2; a3: {} -> a3;
                  b1: {p, q} -> b1; b2: {p, r} -> b2;";
    let (verdict, rounds) = refinement_rounds(&component(states, "<> (p & (q | r))"), lazy());
    assert_eq!(verdict, Truth::False, "of a3");
    assert_eq!(last(&rounds).cause.case, FailureCase::DecidingSuccessor);
    assert_eq!(last(&rounds).change, split("{a1, a2, a3}", "a step to b1 or b2"));
}

/// conc_F = ∅: the may-edges to the F-coloured successors are removed.
#[test]
fn g_5_an_empty_split_removes_edges() {
    let states = "props p; init a1, b1; a1: {p} -> a2; a2: {p} -> a1; b1: {} -> b2; b2: {} -> b1;";
    let (verdict, rounds) = refinement_rounds(&component(states, "!p | [] p"), lazy());
    assert_eq!(verdict, Truth::True);
    let Round { cause, change, sizes, .. } = last(&rounds);
    assert_eq!((cause.case, &cause.subformula[..]), (FailureCase::DecidingSuccessor, "[] p"));
    let looked = Change::Transitions {
        component: "M".into(),
        state: "{a1, a2}".into(),
        removed: 1,
        must: 1,
    };
    assert_eq!((change, sizes[0].abstract_states), (&looked, 2));
}

/// Each of a1 and a2 has a successor with a definite colour, and not the same.
const EACH_HAS_A_SUCCESSOR: &str = "props p, q, r; init a1, a2; a1: {} -> b1; a2: {} -> b2;
                              b1: {p, q} -> b1; b2: {p, r} -> b2;";

/// conc_K = γ(s): the node has the colour of the successors, and nothing is split.
#[test]
fn g_5_an_empty_split_colours_the_node() {
    for (property, value) in
        [("<> (p & (q | r))", Truth::True), ("[] !(p & (q | r))", Truth::False)]
    {
        let (verdict, rounds) =
            refinement_rounds(&component(EACH_HAS_A_SUCCESSOR, property), lazy());
        let Round { cause, change, sizes, .. } = last(&rounds);
        assert_eq!((verdict, cause.case), (value, FailureCase::DecidingSuccessor));
        assert_eq!(change, &Change::Colour { state: vec!["{a1, a2}".into()], value });
        assert_eq!(sizes[0].abstract_states, 3, "a1 and a2 stay together");
    }
}

/// With hyper-transitions the cause is one of them.
#[test]
fn g_5_an_empty_split_is_a_hyper_transition() {
    let hyper = Refinement { hyper: true, ..lazy() };
    let (verdict, rounds) =
        refinement_rounds(&component(EACH_HAS_A_SUCCESSOR, "<> (p & (q | r))"), hyper);
    let Round { cause, change, sizes, .. } = last(&rounds);
    assert_eq!((verdict, cause.case), (Truth::True, FailureCase::DecidingSuccessor));
    let targets = vec!["b1".into(), "b2".into()];
    let found = Change::Hyper { component: "M".into(), state: "{a1, a2}".into(), targets };
    assert_eq!((change, sizes[0].abstract_states), (&found, 3));
}

/// An EX under EG and an AX under AF that the witness colours ?, with a may-successor that is ?: a must edge to it is
/// wanted.
#[test]
fn g_lemma_2_case_3_an_unknown_successor() {
    let eg = "props q; init x; x: {q} -> x, y; y: {q} -> d; d: {} -> d;";
    let af = "props p; init x; x: {} -> y, x; y: {} -> d; d: {p} -> d;";
    let cases = [
        (component(eg, "nu Z. q & <> Z"), "<> Z", Truth::True),
        (component(af, "mu Z. p | [] Z"), "[] Z", Truth::False),
    ];
    for (text, failing, value) in cases {
        let (verdict, rounds) = refinement_rounds(&text, lazy());
        let Round { cause, change, .. } = last(&rounds);
        assert_eq!((verdict, cause.case), (value, FailureCase::UnknownSuccessor));
        assert_eq!((&cause.state[0][..], &cause.subformula[..]), ("{x, y}", failing));
        assert_eq!(change, &split("{x, y}", "a step to {x, y}"));
    }
}

/// Both x and y have a step to one of the two: the must edge is there without a split.
#[test]
fn g_lemma_2_case_3_without_a_split() {
    let states = "props q; init x; x: {q} -> y; y: {q} -> x, d; d: {} -> d;";
    let (verdict, rounds) = refinement_rounds(&component(states, "nu Z. q & <> Z"), lazy());
    let Round { cause, change, sizes, .. } = last(&rounds);
    assert_eq!((verdict, cause.case), (Truth::True, FailureCase::UnknownSuccessor));
    let looked =
        Change::Transitions { component: "M".into(), state: "{x, y}".into(), removed: 0, must: 1 };
    assert_eq!((change, sizes[0].abstract_states), (&looked, 2));
}

/// Causes beyond a hyper-transition are found too. To the other component q is an unknown literal, and still
/// the cause lies in one of the states that are chosen from.
#[test]
fn a_cause_beyond_a_hyper_transition_is_named() {
    let text = "
        component M kmts {
          props q, r; init a1, a2; a1: {!q, !r} -> b1; a2: {!q, !r} -> b2;
          b1: {r, q} -> b1; b2: {r, q?} -> b2;
        }
        component N kripke { props z; init n; n: {} -> n; }
        system M || N;
        property f: mu <> r & !z & <> q;";
    let (system, formula) = read(text);
    let monitor = Monitor::new();
    let refinement =
        Refinement { hyper: true, keep_colours: false, lifting: Lifting::Paper, ..lazy() };
    let request = Request { refinement, ..Request::new(&system, &formula, &monitor) };
    let (outcome, _) = watched(request).unwrap();
    assert_eq!(outcome.verdict, Truth::Unknown);
    let Some(Reason::Undetermined(diagnosis)) = outcome.reason else {
        panic!("{:?}", outcome.reason)
    };
    assert_eq!((&diagnosis.from[..], &diagnosis.state[..]), ("a2,n", "b2,n"));
    let open = Cause::Label { component: "M".into(), state: "b2".into(), prop: "q".into() };
    assert_eq!(diagnosis.cause, open);
}
