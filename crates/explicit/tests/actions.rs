//! Refinement of components with actions (C §6.1): states are merged, actions never.

mod reading;
mod refining;

use explicit::{Cause, Change, Outcome, Reason, Refinement, Request, Round};
use logic::Truth;
use reading::read;
use refining::watched;
use support::Monitor;

fn refinement_rounds(text: &str) -> (Outcome, Vec<Round>) {
    let (system, formula) = read(text);
    let monitor = Monitor::new();
    let refinement = Refinement::default();
    watched(Request { refinement, ..Request::new(&system, &formula, &monitor) }).unwrap()
}

fn split(component: &str, state: &str, by: &str, parts: u64) -> Change {
    Change::Split { component: component.into(), state: state.into(), by: by.into(), parts }
}

fn changes(rounds: &[Round]) -> Vec<Change> {
    rounds.iter().map(|round| round.change.clone()).collect()
}

/// All states behind one number from the first round on, and still the two actions lead to two answers: what
/// separates the states is whether they can get, not whether they can do something.
#[test]
fn c_6_1_a_step_is_always_one_by_an_action() {
    let buffer = "component Buffer lts { actions put, get; init e;
                    e: -put-> h; h: -put-> f -get-> e; f: -get-> h; }
                  property \"begins empty\": mu [get] false & <put> <get> true;";
    let (outcome, rounds) = refinement_rounds(buffer);
    assert_eq!(outcome.verdict, Truth::True);
    let expected = [
        split("Buffer", "{e, h, f}", "a step by get to {e, h, f}", 2),
        Change::Colour { state: vec!["{h, f}".into()], value: Truth::True },
    ];
    assert_eq!(changes(&rounds), expected, "h and f are never distinguished");
}

/// A step by a joint action that both leave open: one component after the other (C footnote 4).
#[test]
fn c_6_1_a_joint_action_belongs_to_both() {
    let text = "component Buffer lts { actions put, get; init e;
                  e: -put-> h; h: -put-> f -get-> e; f: -get-> h; }
                component User lts { actions put, work; init u; u: -work-> v; v: -put-> u; }
                system Buffer || User;
                property \"goes on\": mu nu Z. <get|put|work> Z;";
    let (outcome, rounds) = refinement_rounds(text);
    assert_eq!(outcome.verdict, Truth::True);
    let expected = [
        split("User", "{u, v}", "a step by put to {u, v}", 2),
        split("Buffer", "{e, h, f}", "a step by put to {e, h, f}", 2),
        split("Buffer", "{e, h}", "a step by put to {e, h}", 2),
    ];
    assert_eq!(changes(&rounds), expected);
}

/// States that must, that may and that cannot make a step are three parts; what the MTS itself leaves open
/// stays open, and is named.
#[test]
fn c_6_1_what_an_mts_leaves_open_stays_open() {
    let text = "component Buffer mts { actions put, get; init e;
                  e: -put-> h; h: -put?> f -get-> e; f: -get-> h; }
                property \"room for two\": mu [put] <put> true;";
    let (outcome, rounds) = refinement_rounds(text);
    assert_eq!(changes(&rounds), [split("Buffer", "{e, h, f}", "a step by put to {e, h, f}", 3)]);
    assert_eq!(outcome.verdict, Truth::Unknown);
    let Some(Reason::Undetermined(diagnosis)) = outcome.reason else {
        panic!("{:?}", outcome.reason)
    };
    assert_eq!((&diagnosis.state[..], &diagnosis.subformula[..]), ("h", "<put> true"));
    let Cause::Transition { steps, action, .. } = diagnosis.cause else {
        panic!("{:?}", diagnosis.cause)
    };
    assert_eq!((action.as_deref(), steps.len()), (Some("put"), 1));
    assert_eq!((&steps[0].from[..], &steps[0].to[..]), ("h", "f"));
}
