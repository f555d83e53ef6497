//! The direct method against the reference semantics of the composition.

mod common;

use explicit::{Cause, CheckError, DIRECT, Outcome, Reason, Request};
use logic::{Formula, Truth};
use model::{Component, Kind, PartialModel, System, unknown_props};
use support::Monitor;
use testkit::reference;
use testkit::{
    Case, ModelShape, Rng, action_system, for_seeds, formula_for, model, prop_system, system_text,
};

const SYSTEMS: u64 = 4_000;

fn ask(system: &System, formula: &Formula, values: bool) -> Result<Outcome, CheckError> {
    let monitor = Monitor::new();
    DIRECT.run(&Request { values, ..Request::new(system, formula, &monitor) })
}

fn compare(system: &System, composition: &PartialModel, formula: &Formula) -> Result<(), String> {
    let values = reference::evaluate(composition, formula);
    let at = |state: u32| values.truth(formula.root(), state);
    let outcome = match ask(system, formula, true) {
        Ok(outcome) => outcome,
        Err(CheckError::Contradiction { .. }) if values.contradiction().is_some() => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    if values.contradiction().is_some() {
        // The contradiction may lie where no play from the root comes.
        return Ok(());
    }
    let found = outcome.values.ok_or("values were asked for")?;
    for (state, (name, value)) in found.iter().enumerate() {
        if Some(*value) != at(state as u32) {
            return Err(format!("{name}: {value}, reference {:?}", at(state as u32)));
        }
    }
    let expected = common::expected(system, composition, at);
    if outcome.verdict != expected {
        return Err(format!("{}, reference {expected}", outcome.verdict));
    }
    match (outcome.verdict, &outcome.reason) {
        (Truth::Unknown, Some(Reason::Undetermined(_) | Reason::InitialStates { .. }))
        | (Truth::True | Truth::False, None) => Ok(()),
        (verdict, reason) => Err(format!("{verdict} with the reason {reason:?}")),
    }
}

fn one_system(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let system = match rng.below(3) {
        0 => {
            let kind = *rng.pick(&Kind::ALL);
            let shape = ModelShape::small(rng, kind);
            System::single(model(rng, &shape))
        }
        1 => prop_system(rng, &[Kind::Kripke, Kind::Kmts, Kind::MixTs, Kind::Gkmts]),
        _ => action_system(rng, &[Kind::Lts, Kind::Mts]),
    };
    case.note(system_text(&system));
    let composition = match &system.components[..] {
        [single] => single.model.clone(),
        _ => match system.compose(&Monitor::new()) {
            Ok(composition) => composition,
            Err(_) => return Ok(()),
        },
    };
    let size = rng.between(1, 12);
    let formula = formula_for(rng, &composition, size);
    case.note_property(&formula);
    compare(&system, &composition, &formula)
}

#[test]
fn verdicts_agree_with_the_reference() {
    for_seeds("direct", 0..SYSTEMS, one_system);
}

fn formula(model: &PartialModel, text: &str) -> Formula {
    let text: std::sync::Arc<str> = text.into();
    let surface =
        front::parse_formula(logic::Logic::Ctl, support::FileId(0), &text, 0..text.len()).unwrap();
    testkit::compile_for(&surface, model)
}

fn open_part(init: Truth) -> System {
    let model = unknown_props("Net", &[("ack".to_owned(), init)]);
    System { components: vec![Component { model, is_unknown: true }], ..System::single(empty()) }
}

fn empty() -> PartialModel {
    model::ModelBuilder::new(Kind::Kripke, "none").finish()
}

/// The initial state of a missing component is not known: false in one of them is not false.
#[test]
fn a_partial_initial_state_is_definite_only_if_both_games_agree() {
    let open = open_part(Truth::Unknown);
    let ack = formula(&open.components[0].model, "ack");
    let outcome = ask(&open, &ack, false).unwrap();
    assert_eq!(outcome.verdict, Truth::Unknown);
    assert_eq!(
        outcome.reason,
        Some(Reason::InitialStates { satisfying: "{ack}".into(), falsifying: "{!ack}".into() })
    );
    let either = formula(&open.components[0].model, "ack | !ack");
    assert_eq!(ask(&open, &either, false).unwrap().verdict, Truth::True);
    let neither = formula(&open.components[0].model, "ack & !ack");
    assert_eq!(ask(&open, &neither, false).unwrap().verdict, Truth::False);
    let closed = open_part(Truth::False);
    assert_eq!(ask(&closed, &ack, false).unwrap().verdict, Truth::False);
}

#[test]
fn a_missing_component_may_do_anything_and_the_cause_names_it() {
    let system = open_part(Truth::False);
    let eventually = formula(&system.components[0].model, "AF ack");
    let outcome = ask(&system, &eventually, false).unwrap();
    assert_eq!(outcome.verdict, Truth::Unknown);
    let Some(Reason::Undetermined(diagnosis)) = outcome.reason else { panic!("no diagnosis") };
    let Cause::Transition { steps, action: None, .. } = diagnosis.cause else {
        panic!("{diagnosis:?}")
    };
    assert_eq!(steps[0].component, "Net");
    assert_eq!(steps[0].from, "{!ack}");
    assert!(steps[0].is_missing);
}

#[test]
fn a_stop_is_an_unknown_with_its_reason() {
    let system = open_part(Truth::False);
    let eventually = formula(&system.components[0].model, "AF ack");
    let monitor = Monitor::new();
    monitor.stop(support::StopReason::Cancelled);
    let outcome = DIRECT.run(&Request::new(&system, &eventually, &monitor)).unwrap();
    assert_eq!(outcome.verdict, Truth::Unknown);
    assert!(matches!(outcome.reason, Some(Reason::Stopped(_))));
}

#[test]
fn the_cause_names_an_action_of_the_modality() {
    let mut builder = model::ModelBuilder::new(Kind::Mts, "Plan");
    let (from, to) = (builder.state("from"), builder.state("to"));
    builder.init(from);
    for name in ["a", "b"] {
        let action = builder.action(name);
        builder.edge(from, Some(action), model::Mode::MAY, to);
    }
    let system = System::single(builder.finish());
    let text: std::sync::Arc<str> = "<b> true".into();
    let surface =
        front::parse_formula(logic::Logic::Mu, support::FileId(0), &text, 0..text.len()).unwrap();
    let formula = testkit::compile_for(&surface, &system.components[0].model);
    let Some(Reason::Undetermined(diagnosis)) = ask(&system, &formula, false).unwrap().reason
    else {
        panic!("no diagnosis")
    };
    let Cause::Transition { action, .. } = diagnosis.cause else { panic!("{:?}", diagnosis.cause) };
    assert_eq!(action.as_deref(), Some("b"));
}
