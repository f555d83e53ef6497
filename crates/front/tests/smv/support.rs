//! What the tests of SMV share: reading, enumerating, checking.

use base::{Diagnostic, FileId, Monitor, SourceMap};
use check::{Method, Request};
use front::{Claim, SmvDocument, Specification, read_smv};
use logic::{Family, Formula, Signature, Truth};
use machine::{Enumeration, Halt, Slice, enumerate};
use model::System;
use std::sync::Arc;

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

pub fn states(document: &SmvDocument, slice: &Slice, most: usize) -> Result<Enumeration, Halt> {
    enumerate(&document.machine, slice, &document.propositions, most, &Monitor::new())
}

/// All of the machine as a model.
pub fn model(document: &SmvDocument) -> Enumeration {
    states(document, &document.machine.whole(), 1_000_000).unwrap_or_else(|halt| match halt {
        Halt::Fault(fault) => panic!("{:?}", fault.diagnostic(&document.machine)),
        other => panic!("{other:?}"),
    })
}

pub fn compile(document: &SmvDocument, specification: &Specification) -> Option<Formula> {
    let Claim::Formula(surface) = &specification.claim else { return None };
    let signature = Signature { family: Family::Props, props: &document.names, actions: &[] };
    Some(logic::compile(surface, &signature, &mut Vec::new()).expect("all names are known"))
}

/// The verdicts by the engine, in the order of the file.
pub fn verdicts(document: &SmvDocument, enumeration: Enumeration) -> Vec<Option<Truth>> {
    let system = System::single(enumeration.model);
    let monitor = Monitor::new();
    let verdict = |specification: &Specification| {
        let formula = compile(document, specification)?;
        let request =
            Request { method: Method::Direct, ..Request::new(&system, &formula, &monitor) };
        Some(check::run(&request).expect("an outcome").verdict)
    };
    document.specifications.iter().map(verdict).collect()
}
