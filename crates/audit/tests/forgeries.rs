//! Certificates made by hand, and for each condition one that breaks it and nothing else.

use audit::{AfterDeadlock, AuditError, Claim, ExplicitSubject, Reader};
use explicit::certificate::{self, CompositionalProof, Evidence, GameProof, ProofStates, Steps};
use logic::{Formula, Logic, Node, NodeId};
use model::{Blocks, NO_BLOCK, System};
use std::ops::Range;
use std::slice::from_ref;
use std::sync::Arc;
use support::{FileId, Monitor};

const BOTH: &[Range<u32>] = from_ref(&(0..2));
const FIRST: &[Range<u32>] = from_ref(&(0..1));
const SECOND: &[Range<u32>] = from_ref(&(1..2));

/// Two states; `a` leads round in each of them, `b` from the first to the second.
const LOOPS: &str = "component M lts { init s, t; s: -a-> s -b-> t; t: -a-> t; }";
/// Only finitely many `a`: nowhere, as `a` goes on forever.
const FINITE: &str = "mu X. nu Y. (<a> X | <c> Y)";

fn system(text: &str) -> System {
    let text: Arc<str> = text.into();
    let read = testkit::read_tm(FileId(0), &text, &Monitor::new(), &mut |_| Err(String::new()));
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

fn audit(
    system: &System,
    formula: &Formula,
    verdict: bool,
    evidence: &Evidence,
) -> Result<(), String> {
    let claim = Claim::new("p", formula, AfterDeadlock::Ends, verdict);
    let mut bytes = Vec::new();
    certificate::write_start(&mut bytes, system.digest()).expect("a vector takes all");
    certificate::write_claim(&mut bytes, &claim, evidence).expect("a vector takes all");
    certificate::write_end(&mut bytes).expect("a vector takes all");
    let monitor = Monitor::new();
    let audited = || -> Result<(), AuditError> {
        let mut subject = ExplicitSubject::new(system);
        let mut reader = Reader::new(&bytes[..])?;
        while let Some(claim) = reader.claim()? {
            audit::audit(&mut subject, formula, &claim, &mut reader, &monitor)?;
        }
        Ok(())
    };
    audited().map_err(|fault| fault.to_string())
}

/// Refusal of the auditor of these steps.
fn refusal(text: &str, verdict: bool, steps: impl FnOnce(&Formula, &mut Steps)) -> String {
    let system = system(LOOPS);
    let formula = formula(&system, text);
    let mut made = Steps::default();
    steps(&formula, &mut made);
    audit(&system, &formula, verdict, &Evidence::Direct(made)).err().unwrap_or_default()
}

#[test]
fn a_greatest_fixpoint_may_be_assumed() {
    let said = refusal("nu X. <a> X", true, |formula, steps| {
        steps.open(0);
        steps.assume(variable(formula, "X"), BOTH);
        steps.close();
    });
    assert_eq!(said, "");
}

#[test]
fn a_least_fixpoint_may_not() {
    let said = refusal("mu X. <a> X", true, |formula, steps| {
        steps.open(1);
        steps.assume(variable(formula, "X"), BOTH);
        steps.close();
    });
    assert_eq!(said, "step 1: nothing is true because of priority 1");
    let said = refusal("mu X. <a> X", true, |formula, steps| {
        steps.open(0);
        steps.assume(variable(formula, "X"), BOTH);
        steps.close();
    });
    assert_eq!(said, "step 2: `X` is of too high a priority for the bracket at level 0");
}

/// The round trip through the higher priority of X is hidden behind an assumed Y.
#[test]
fn a_higher_priority_cannot_be_smuggled_into_a_bracket() {
    let said = refusal(FINITE, true, |formula, steps| {
        steps.open(0);
        steps.assume(variable(formula, "Y"), BOTH);
        steps.show(variable(formula, "X"), BOTH);
        steps.show(node(formula, |node| matches!(node, Node::Modal(..))), BOTH);
        steps.close();
    });
    assert_eq!(said, "step 3: `X` is of too high a priority for the bracket at level 0");
}

#[test]
fn an_assumption_has_the_priority_of_its_bracket() {
    let said = refusal("nu X. mu Y. (<a> X | <c> Y)", true, |formula, steps| {
        steps.open(2);
        steps.assume(variable(formula, "Y"), BOTH);
    });
    assert_eq!(said, "step 2: `Y` has priority 1, and no such bracket is open");
}

#[test]
fn an_assumption_has_to_be_discharged() {
    let said = refusal("nu X. <b> X", true, |formula, steps| {
        steps.open(0);
        steps.assume(variable(formula, "X"), BOTH);
        steps.close();
    });
    assert_eq!(said, "step 3: it does not follow that `X` is true in `t`: there is no move");
}

#[test]
fn a_bracket_has_to_be_closed_and_once_only() {
    let said = refusal("nu X. <b> X", true, |formula, steps| {
        steps.open(0);
        steps.assume(variable(formula, "X"), BOTH);
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
        steps.assume(variable(formula, "Y"), BOTH);
        steps.assume(variable(formula, "X"), BOTH);
    });
    assert_eq!(said, "step 3: `X` is of another block for the bracket at level 0");
}

#[test]
fn all_initial_states_count_for_true_and_one_for_false() {
    let first_only = |formula: &Formula, steps: &mut Steps| steps.show(formula.root(), FIRST);
    let said = refusal("<b> true", true, first_only);
    assert_eq!(said, "it is not proved that the formula is true in `t`");
    let second_only = |formula: &Formula, steps: &mut Steps| steps.show(formula.root(), SECOND);
    assert_eq!(refusal("<b> true", false, second_only), "");
    let said = refusal("<b> true", false, |_, _| {});
    assert_eq!(said, "it is not proved that the formula is false in `s`");
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
    assert_eq!(said, "step 1: there is no proof obligation for `true`");
}

/// Two parts that share `r`, one of which asks and the other answers when it likes.
const ASK: &str = "
component A kripke { props r, p;
    init a0; a0: {} -> a0, a1; a1: {r} -> a1, a2; a2: {p} -> a0; a3: {r} -> a3; }
component B kripke { props r, q; init b0; b0: {} -> b0, b1; b1: {r} -> b0, b1, b2; b2: {q} -> b0; }
system A || B;
";

fn component(number: usize, steps: Steps) -> GameProof {
    GameProof { states: ProofStates::Component(number), steps }
}

fn product(pairs: &[(u32, u32)], steps: Steps) -> GameProof {
    GameProof { states: ProofStates::Product { left: 0, right: 1, pairs: pairs.to_vec() }, steps }
}

/// Refusal of the auditor of components that show something of the first state.
fn refusal_of_parts(
    text: &str,
    blocks: Vec<Option<Blocks>>,
    parts: impl FnOnce(Steps) -> Vec<GameProof>,
) -> String {
    let system = system(ASK);
    let formula = formula(&system, text);
    let mut steps = Steps::default();
    steps.show(formula.root(), FIRST);
    let evidence = Evidence::Compositional(CompositionalProof { blocks, parts: parts(steps) });
    audit(&system, &formula, true, &evidence).err().unwrap_or_default()
}

fn blocks(of: &[u32], count: u32) -> Vec<Option<Blocks>> {
    vec![Some(Blocks { of: of.to_vec(), count }), None]
}

#[test]
fn a_component_may_decide_alone() {
    let said = refusal_of_parts("[] !p", vec![None, None], |steps| vec![component(0, steps)]);
    assert_eq!(said, "");
    let said =
        refusal_of_parts("[] !p", blocks(&[0, 1, 2, NO_BLOCK], 3), |s| vec![component(0, s)]);
    assert_eq!(said, "");
}

#[test]
fn a_step_that_others_can_block_is_no_must() {
    let said = refusal_of_parts("<> <> p", vec![None, None], |_| {
        let mut steps = Steps::default();
        let system = system(ASK);
        let formula = formula(&system, "<> <> p");
        let inner = node(
            &formula,
            |n| matches!(n, Node::Modal(_, _, body) if matches!(formula.node(body), Node::Lit(..))),
        );
        steps.show(inner, SECOND);
        vec![component(0, steps)]
    });
    let expected = "part 0: step 1: it does not follow that `<> p` is true in `a1`";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn blocks_are_abstractions() {
    let with = |blocks| refusal_of_parts("[] !p", blocks, |steps| vec![component(0, steps)]);
    let said = with(blocks(&[0, 0, 1, NO_BLOCK], 2));
    assert_eq!(said, "component `A`: the states of block 0 have different joint labels");
    let said = with(blocks(&[0, 1, NO_BLOCK, NO_BLOCK], 2));
    assert_eq!(said, "component `A`: the state `a2` is in no block");
    let said = with(blocks(&[0, 1, 2, NO_BLOCK], 4));
    assert_eq!(said, "component `A`: block 3 is empty");
    // Together a0 and a2 say nothing of p, and what follows them is p or not.
    let said = with(blocks(&[0, 1, 0, 1], 2));
    assert!(said.starts_with("part 0: step 1: it does not follow"), "{said}");
}

#[test]
fn a_product_is_of_two_parts() {
    let empty = Steps::default;
    let with =
        |parts: fn(Steps) -> Vec<GameProof>| refusal_of_parts("[] !p", vec![None, None], parts);
    let said = with(|steps| {
        vec![
            component(0, Steps::default()),
            component(0, Steps::default()),
            product(&[(0, 0)], steps),
        ]
    });
    assert!(said.ends_with("a component that was shown already"), "{said}");
    let with_itself = |steps| {
        let states = ProofStates::Product { left: 0, right: 0, pairs: vec![(0, 0)] };
        vec![component(0, Steps::default()), GameProof { states, steps }]
    };
    assert_eq!(with(with_itself), "part 1: a component is combined with itself");
    let both = |steps: Steps, pairs: &[(u32, u32)]| {
        vec![component(0, empty()), component(1, empty()), product(pairs, steps)]
    };
    let of = |pairs: &[(u32, u32)]| {
        refusal_of_parts("[] !p", vec![None, None], |steps| both(steps, pairs))
    };
    assert_eq!(of(&[(0, 0)]), "");
    assert_eq!(of(&[(0, 0), (0, 0)]), "part 2: a state is named twice");
    assert!(of(&[(0, 7)]).ends_with("a state that the part does not have"));
    // Shown, but of another state than the initial one.
    assert_eq!(of(&[(0, 1)]), "it is not proved that the formula is true in `a0,b0`");
    let said = with(|steps| vec![product(&[(0, 0)], steps)]);
    assert!(said.ends_with("a part that does not stand before"), "{said}");
}

/// A state that a product does not name has no transitions in it, so any box would be true there.
#[test]
fn nothing_is_shown_of_states_that_a_product_does_not_name() {
    let said = refusal_of_parts("[] [] p", vec![None, None], |_| {
        let system = system(ASK);
        let formula = formula(&system, "[] [] p");
        let inner = node(
            &formula,
            |n| matches!(n, Node::Modal(_, _, body) if matches!(formula.node(body), Node::Lit(..))),
        );
        let mut steps = Steps::default();
        steps.show(inner, from_ref(&(1..4)));
        steps.show(formula.root(), FIRST);
        let (a, b) = (component(0, Steps::default()), component(1, Steps::default()));
        vec![a, b, product(&[(0, 0)], steps)]
    });
    assert!(said.ends_with("a state that the system does not have"), "{said}");
}

#[test]
fn hyper_transitions_are_not_shown_part_by_part() {
    let system =
        system("component G gkmts { props p; init s; s: {p} ?> s !> {s, t}; t: {} -> t; }");
    let formula = formula(&system, "p");
    let evidence =
        Evidence::Compositional(CompositionalProof { blocks: vec![None], parts: vec![] });
    let said = audit(&system, &formula, true, &evidence).unwrap_err();
    assert_eq!(said, "compositional proofs do not support such components");
}
