//! Promela models that are searched on the fly, against the verdicts on all states.

use logic::Logic;
use std::collections::BTreeSet;
use tertium::{Model, Options, Verdict};

fn verdicts(text: &str, formula: &str) -> [Verdict; 3] {
    let model = Model::read("promela", "model.pml", text).expect("a model");
    let property = model.property(Logic::Ctl, formula).expect("a formula");
    let direct = || Options::default().method("direct");
    [direct(), direct().reduction(false), direct().values(true)].map(|options| {
        let answer = model.check(&property, &options).expect("an answer");
        answer.verdict()
    })
}

/// A dead variable keeps its value where a proposition reads it in deadlock states only.
#[test]
fn variables_that_are_read_in_deadlock_states_are_kept() {
    let text = "active proctype P() { byte x; if :: x = 1 :: x = 2 fi; (false) }";
    let reached = "EF (invalid_end & P:x = 2)";
    assert_eq!(verdicts(text, reached), [Verdict::True; 3]);
    assert_eq!(verdicts(text, "AG !(invalid_end & P:x = 1)"), [Verdict::False; 3]);
    assert_eq!(verdicts(text, "AG !(invalid_end & P:x = 0)"), [Verdict::True; 3]);
}

/// The counterexample of an invariant in linear time goes on to a real cycle.
#[test]
fn lassos_of_linear_time_end_in_cycles_of_the_model() {
    let text = "byte g; active proctype P() { g = 1; g = 2; do :: g = 3; g = 4 od }";
    let model = Model::read("promela", "model.pml", text).expect("a model");
    let property = model.property(Logic::Ltl, "G (g != 1)").expect("a formula");
    let options = Options::default().method("direct");
    let answer = model.check(&property, &options).expect("an answer");
    assert_eq!(answer.verdict(), Verdict::False);
    let trace = answer.counterexample().expect("a trace").expect("a path shows it");
    let start = trace.loop_start.expect("a lasso");
    let cycle: BTreeSet<String> =
        trace.states[start..].iter().map(|state| format!("{state:?}")).collect();
    assert!(cycle.len() >= 2, "the program has no state that repeats: {cycle:?}");
}
