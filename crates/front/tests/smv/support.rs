//! Helpers of the tests of SMV: reading, enumerating, checking.

use explicit::{DIRECT, Request};
use front::Specification;
use logic::{FairTerm, Fairness, Family, Formula, PropId, Signature, Truth};
use model::System;
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor, SourceMap};
use testkit::{SmvDocument, read_smv};
use transition::{Enumeration, Slice, StateProperty, StepError, enumerate};

pub fn read(text: &str) -> Result<SmvDocument, Vec<Diagnostic>> {
    let shared: Arc<str> = text.into();
    read_smv(FileId(0), &shared)
}

/// "line:col message | label | help", a line a diagnostic; further labels follow the first.
pub fn compact(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut map = SourceMap::new();
    map.add("test", text);
    let one = |diagnostic: &Diagnostic| {
        let (line, column) = map.position(diagnostic.labels[0].0);
        let warning = if diagnostic.is_error() { "" } else { "warning: " };
        let mut line = format!("{line}:{column} {warning}{}", diagnostic.message);
        for (index, (span, label)) in diagnostic.labels.iter().enumerate() {
            let (at, column) = map.position(*span);
            let place = if index == 0 { String::new() } else { format!("{at}:{column} ") };
            line += &format!(" | {place}{label}");
        }
        line + &diagnostic.help.iter().map(|help| format!(" | {help}")).collect::<String>()
    };
    diagnostics.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// The document, or a panic with what is wrong.
pub fn document(text: &str) -> SmvDocument {
    read(text).unwrap_or_else(|errors| panic!("{}\n{text}", compact(text, &errors)))
}

/// The states of the part of a machine that the specifications depend on, or of all of it, with what fair
/// paths meet infinitely often.
pub fn fair_states(
    document: &SmvDocument,
    is_unsliced: bool,
    most: usize,
) -> Result<(Enumeration, Fairness), StepError> {
    let machine = document.machine.with_history_variables();
    let mut properties = document.propositions.clone();
    for (index, fairness) in machine.fairness.iter().enumerate() {
        properties.push(StateProperty { name: format!("fair {index}"), node: fairness.node });
    }
    let nodes = properties.iter().map(|property| property.node);
    let slice = if is_unsliced { machine.unsliced() } else { machine.cone(nodes) };
    let enumeration = enumerate(&machine, &slice, &properties, most, &Monitor::new())?;
    let first = document.propositions.len() as u32;
    let terms = (0..machine.fairness.len() as u32)
        .map(|index| FairTerm::State(PropId(first + index), String::new()));
    Ok((enumeration, Fairness { terms: terms.collect(), ..Fairness::default() }))
}

pub fn states(
    document: &SmvDocument,
    slice: &Slice,
    most: usize,
) -> Result<Enumeration, StepError> {
    enumerate(&document.machine, slice, &document.propositions, most, &Monitor::new())
}

/// All of the machine as a model.
pub fn model(document: &SmvDocument) -> Enumeration {
    states(document, &document.machine.unsliced(), 1_000_000).unwrap_or_else(|halt| match halt {
        StepError::Fault(fault) => panic!("{:?}", fault.diagnostic(&document.machine)),
        other => panic!("{other:?}"),
    })
}

pub fn compile(
    document: &SmvDocument,
    specification: &Specification,
    fairness: &Fairness,
) -> Option<Result<Formula, Vec<Diagnostic>>> {
    let surface =
        specification.formula.as_ref().ok().filter(|_| specification.distance.is_none())?;
    let signature = Signature { family: Family::Props, props: &document.names, actions: &[] };
    let valuations = automata::Valuations::Complete;
    Some(automata::compile(surface, &signature, fairness, valuations, &mut Vec::new()))
}

/// The verdicts by the engine, in the order of the file.
pub fn verdicts(
    document: &SmvDocument,
    enumeration: Enumeration,
    fairness: &Fairness,
) -> Vec<Option<Truth>> {
    let system = System::single(enumeration.model);
    let monitor = Monitor::new();
    let verdict = |specification: &Specification| {
        let formula = compile(document, specification, fairness)?.expect("a proper formula");
        let request = Request::new(&system, &formula, &monitor);
        Some(DIRECT.run(&request).expect("an outcome").verdict)
    };
    document.specifications.iter().map(verdict).collect()
}

/// Those on all of the machine.
pub fn verdicts_of_all(document: &SmvDocument) -> Vec<Option<Truth>> {
    let (enumeration, fairness) = fair_states(document, true, 1_000_000).expect("a model");
    verdicts(document, enumeration, &fairness)
}
