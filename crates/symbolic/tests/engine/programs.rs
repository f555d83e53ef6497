//! Helpers of the tests of SMV programs: reading them, and checking them explicitly and by BDDs.

use crate::vocabulary::Vocabulary;
use explicit::{DIRECT, Request};
use front::Specification;
use logic::{FairTerm, Fairness, Family, PropId, Signature, Truth};
use model::System;
use std::sync::Arc;
use support::{FileId, Monitor};
use symbolic::{LabelledMachine, Policy, Stop, SymbolicChecker, SymbolicError, SymbolicStats};
use testkit::{SmvDocument, read_smv};
use transition::{Enumeration, Machine, RuntimeError, Slice, StateProperty, enumerate};

pub fn read(text: &str) -> Option<SmvDocument> {
    let text: Arc<str> = text.into();
    read_smv(FileId(0), &text).ok()
}

/// The part of a machine that everything depends on that is asked, or all of it.
pub fn slice(machine: &Machine, properties: &[StateProperty], is_unsliced: bool) -> Slice {
    match is_unsliced {
        true => machine.unsliced(),
        false => machine.cone(properties.iter().map(|property| property.node)),
    }
}

/// The verdicts on all specifications, `None` for those that are not supported.
type Verdicts = Vec<Option<Truth>>;

pub fn verdicts<E>(
    document: &SmvDocument,
    [props, actions]: [&[StateProperty]; 2],
    fairness: &Fairness,
    mut check: impl FnMut(&logic::Formula) -> Result<Truth, E>,
) -> Result<Verdicts, E> {
    let names = props.iter().map(|property| &*property.name).collect();
    let actions: Vec<String> = actions.iter().map(|property| property.name.clone()).collect();
    let signature = Signature { family: Family::Props, props: &names, actions: &actions };
    let mut verdict = |asked: &Specification| {
        let Ok(surface) = &asked.formula else { return Ok(None) };
        if surface.logic.has_linear_operators() {
            return Ok(None);
        }
        let formula = logic::compile_fair(surface, &signature, fairness, &mut Vec::new());
        check(&formula.expect("a proper formula")).map(Some)
    };
    document.specifications.iter().map(&mut verdict).collect()
}

/// By states: states remember steps where fairness speaks of them.
pub fn by_states(
    document: &SmvDocument,
    is_unsliced: bool,
    most: usize,
) -> Result<Verdicts, transition::StepError> {
    let machine = document.machine.with_history_variables();
    let mut properties = document.propositions.clone();
    let mut terms = Vec::new();
    for (index, fairness) in machine.fairness.iter().enumerate() {
        terms.push(FairTerm::State(PropId(properties.len() as u32), String::new()));
        properties.push(StateProperty { name: format!("fair {index}"), node: fairness.node });
    }
    let slice = slice(&machine, &properties, is_unsliced);
    let Enumeration { model, .. } =
        enumerate(&machine, &slice, &properties, most, &Monitor::new())?;
    let (system, monitor) = (System::single(model), Monitor::new());
    let fairness = Fairness { terms, ..Fairness::default() };
    let verdicts = verdicts(document, [&properties, &[]], &fairness, |formula| {
        let request = Request::new(&system, formula, &monitor);
        Ok::<_, ()>(DIRECT.run(&request).expect("an outcome").verdict)
    });
    Ok(verdicts.expect("no error"))
}

/// How many states the machine has as it is.
pub fn count(document: &SmvDocument, most: usize) -> Result<usize, transition::StepError> {
    let Enumeration { model, .. } =
        enumerate(&document.machine, &document.machine.unsliced(), &[], most, &Monitor::new())?;
    Ok(model.states())
}

/// By BDDs, with what they have done. Unknown is what there was no room for.
pub fn by_bdds(
    document: &SmvDocument,
    is_unsliced: bool,
    policy: Policy,
) -> Result<(Verdicts, SymbolicStats), SymbolicError> {
    let machine = &document.machine;
    let Vocabulary { labels, conditions, terms } = Vocabulary::of(document);
    let all: Vec<StateProperty> = labels.iter().chain(&conditions).cloned().collect();
    let slice = slice(machine, &all, is_unsliced);
    let subject =
        LabelledMachine { machine, slice: &slice, labels: &labels, conditions: &conditions };
    let mut session = SymbolicChecker::with_policy(subject, policy, &Monitor::new())?;
    let mut fairness = Fairness { terms, trims: true, ..Fairness::default() };
    if is_unsliced {
        // With and without: both have to give the same.
        fairness.label = Some(session.define(fairness.states()));
    }
    let verdicts = verdicts(document, [&labels, &conditions], &fairness, |formula| {
        match session.check(formula) {
            Ok(answer) => Ok(answer),
            // The next may have more luck; what was given up must not harm it.
            Err(Stop::Full) => Ok(Truth::Unknown),
            Err(stop) => Err(stop),
        }
    })?;
    Ok((verdicts, session.stats()))
}

/// Result of an engine on a program.
#[derive(PartialEq, Debug)]
pub enum Found {
    Verdicts(Verdicts),
    Fault,
    /// There are too many states, or too few nodes.
    NoRoom,
}

impl From<Result<Verdicts, transition::StepError>> for Found {
    fn from(result: Result<Verdicts, transition::StepError>) -> Self {
        match result {
            Ok(verdicts) => Found::Verdicts(verdicts),
            Err(transition::StepError::Fault(_)) => Found::Fault,
            Err(transition::StepError::TooMany(_)) => Found::NoRoom,
            Err(other) => panic!("{other:?}"),
        }
    }
}

/// Panics if a fault has no message.
pub fn fault_text(fault: &RuntimeError, machine: &Machine) -> String {
    fault.diagnostic(machine).message
}

pub fn found(
    result: Result<(Verdicts, SymbolicStats), SymbolicError>,
    document: &SmvDocument,
) -> Found {
    match result {
        Ok((verdicts, _)) => Found::Verdicts(verdicts),
        Err(SymbolicError::Fault(fault)) => {
            assert!(!fault_text(&fault, &document.machine).is_empty());
            Found::Fault
        }
        Err(SymbolicError::Stop(Stop::Full)) => Found::NoRoom,
        Err(other) => panic!("{other:?}"),
    }
}
