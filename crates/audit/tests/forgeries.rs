//! Certificates made by hand, and for each condition one that breaks it and nothing else.

use audit::{Claim, Deadlock, Fault, Reader, Steps, Subject};
use base::{FileId, Monitor};
use logic::{Formula, Logic, Node, NodeId};
use model::System;
use std::ops::Range;
use std::slice::from_ref;
use std::sync::Arc;

const BOTH: &[Range<u32>] = from_ref(&(0..2));
const FIRST: &[Range<u32>] = from_ref(&(0..1));
const SECOND: &[Range<u32>] = from_ref(&(1..2));

/// Two states; `a` leads round in each of them, `b` from the first to the second.
const LOOPS: &str = "component M lts { init s, t; s: -a-> s -b-> t; t: -a-> t; }";
/// Only finitely many `a`: nowhere, as `a` goes on forever.
const FINITE: &str = "mu X. nu Y. (<a> X | <c> Y)";

fn system(text: &str) -> System {
    let text: Arc<str> = text.into();
    let read = front::read_tm(FileId(0), &text, &Monitor::new(), &mut |_| Err(String::new()));
    read.expect("a document").system.expect("a system")
}

fn formula(system: &System, text: &str) -> Formula {
    let text: Arc<str> = text.into();
    let surface = front::parse_formula(Logic::Mu, FileId(0), &text, 0..text.len());
    testkit::compile_for(&surface.expect("a formula"), &system.components[0].model)
}

/// The first subformula of a sort.
fn node(formula: &Formula, wanted: impl Fn(Node) -> bool) -> NodeId {
    formula.nodes().find(|&(_, node)| wanted(node)).expect("such a subformula").0
}

fn variable(formula: &Formula, name: &str) -> NodeId {
    node(formula, |node| matches!(node, Node::Var(var) if formula.var(var).name == name))
}

fn audit(system: &System, formula: &Formula, verdict: bool, steps: &Steps) -> Result<(), String> {
    let claim = Claim::new("p", formula, Deadlock::Ends, verdict);
    let mut bytes = Vec::new();
    audit::write_start(&mut bytes, system.digest()).expect("a vector takes all");
    audit::write_claim(&mut bytes, &claim, steps).expect("a vector takes all");
    audit::write_end(&mut bytes).expect("a vector takes all");
    let monitor = Monitor::new();
    let audited = || -> Result<(), Fault> {
        let mut subject = Subject::new(system, &monitor)?;
        let mut reader = Reader::new(&bytes[..])?;
        while let Some(claim) = reader.claim()? {
            audit::audit(&mut subject, formula, &claim, &mut reader, &monitor)?;
        }
        Ok(())
    };
    audited().map_err(|fault| fault.to_string())
}

/// What the auditor has to say against the steps.
fn refusal(text: &str, verdict: bool, steps: impl FnOnce(&Formula, &mut Steps)) -> String {
    let system = system(LOOPS);
    let formula = formula(&system, text);
    let mut made = Steps::default();
    steps(&formula, &mut made);
    audit(&system, &formula, verdict, &made).err().unwrap_or_default()
}

#[test]
fn a_greatest_fixpoint_may_be_supposed() {
    let said = refusal("nu X. <a> X", true, |formula, steps| {
        steps.open(0);
        steps.suppose(variable(formula, "X"), BOTH);
        steps.close();
    });
    assert_eq!(said, "");
}

#[test]
fn a_least_fixpoint_may_not() {
    let said = refusal("mu X. <a> X", true, |formula, steps| {
        steps.open(1);
        steps.suppose(variable(formula, "X"), BOTH);
        steps.close();
    });
    assert_eq!(said, "step 1: nothing is true because of priority 1");
    let said = refusal("mu X. <a> X", true, |formula, steps| {
        steps.open(0);
        steps.suppose(variable(formula, "X"), BOTH);
        steps.close();
    });
    assert_eq!(said, "step 2: `X` is of too high a priority for the bracket at level 0");
}

/// The round trip through the higher priority of X is hidden behind a supposed Y.
#[test]
fn a_higher_priority_cannot_be_smuggled_into_a_bracket() {
    let said = refusal(FINITE, true, |formula, steps| {
        steps.open(0);
        steps.suppose(variable(formula, "Y"), BOTH);
        steps.show(variable(formula, "X"), BOTH);
        steps.show(node(formula, |node| matches!(node, Node::Modal(..))), BOTH);
        steps.close();
    });
    assert_eq!(said, "step 3: `X` is of too high a priority for the bracket at level 0");
}

#[test]
fn what_is_supposed_has_the_priority_of_its_bracket() {
    let said = refusal("nu X. mu Y. (<a> X | <c> Y)", true, |formula, steps| {
        steps.open(2);
        steps.suppose(variable(formula, "Y"), BOTH);
    });
    assert_eq!(said, "step 2: `Y` has priority 1, and no such bracket is open");
}

#[test]
fn what_is_supposed_has_to_follow_in_the_end() {
    let said = refusal("nu X. <b> X", true, |formula, steps| {
        steps.open(0);
        steps.suppose(variable(formula, "X"), BOTH);
        steps.close();
    });
    assert_eq!(said, "step 3: it does not follow that `X` is true in `t`: there is no move");
}

#[test]
fn a_bracket_has_to_be_closed_and_once_only() {
    let said = refusal("nu X. <b> X", true, |formula, steps| {
        steps.open(0);
        steps.suppose(variable(formula, "X"), BOTH);
    });
    assert_eq!(said, "step 2: a bracket is left open");
    let said = refusal("nu X. <b> X", true, |_, steps| steps.close());
    assert_eq!(said, "step 1: a bracket is closed that was not opened");
    let said = refusal("nu X. <b> X", true, |_, steps| {
        steps.open(0);
        steps.open(0);
    });
    assert_eq!(said, "step 2: a bracket in another one is not of a lower level");
}

#[test]
fn nothing_is_shown_by_what_comes_later() {
    let said = refusal("mu X. ([] false | <b> X)", true, |formula, steps| {
        steps.show(variable(formula, "X"), FIRST);
    });
    assert!(said.starts_with("step 1: it does not follow that `X` is true in `s`:"), "{said}");
}

#[test]
fn nothing_is_shown_twice() {
    let said = refusal("<a> true", true, |formula, steps| {
        steps.show(formula.root(), FIRST);
        steps.show(formula.root(), BOTH);
    });
    assert_eq!(said, "step 2: `<a> true` is known already somewhere from `s` on");
}

#[test]
fn blocks_do_not_mix_in_a_bracket() {
    let said = refusal("nu X. (<a> X & nu Y. <a> Y)", true, |formula, steps| {
        steps.open(0);
        steps.suppose(variable(formula, "Y"), BOTH);
        steps.suppose(variable(formula, "X"), BOTH);
    });
    assert_eq!(said, "step 3: `X` is of another block for the bracket at level 0");
}

#[test]
fn all_initial_states_count_for_true_and_one_for_false() {
    let first_only = |formula: &Formula, steps: &mut Steps| steps.show(formula.root(), FIRST);
    let said = refusal("<b> true", true, first_only);
    assert_eq!(said, "it is not shown that the formula is true in `t`");
    let second_only = |formula: &Formula, steps: &mut Steps| steps.show(formula.root(), SECOND);
    assert_eq!(refusal("<b> true", false, second_only), "");
    let said = refusal("<b> true", false, |_, _| {});
    assert_eq!(said, "it is not shown that the formula is false in `s`");
}

#[test]
fn only_the_states_that_are_there() {
    let said =
        refusal("<a> true", true, |formula, steps| steps.show(formula.root(), &[0..2, 2..3]));
    assert!(said.ends_with("a state that the system does not have"), "{said}");
    let said = refusal("<a> true", true, |_, steps| steps.show(NodeId(99), FIRST));
    assert!(said.ends_with("a subformula that is not there"), "{said}");
    let said = refusal("<a> true", true, |formula, steps| {
        steps.show(node(formula, |node| matches!(node, Node::Const(_))), FIRST);
    });
    assert_eq!(said, "step 1: nothing is to be shown of `true`");
}
