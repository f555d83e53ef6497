//! A file that can be read gives formulas that can be brought into normal form and a machine that can be
//! stepped through, or a program over integers.

#![no_main]

use front::Form;
use logic::{Family, Signature};
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor, SourceMap};
use transition::StepError;

/// Panics if a place is not in the text.
fn show(text: &str, diagnostics: &[Diagnostic]) {
    let mut map = SourceMap::new();
    map.add("file", text);
    for (span, _) in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        let _ = map.position(*span);
        let _ = map.text(*span);
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let shared: Arc<str> = text.into();
    let document = match testkit::read_smv_either(FileId(0), &shared) {
        Ok(document) => document,
        Err(errors) => {
            assert!(errors.iter().any(Diagnostic::is_error));
            return show(text, &errors);
        }
    };
    show(text, &document.warnings);
    let Form::Machine(form) = document.form else { return };
    let signature = Signature { family: Family::Props, props: &form.names, actions: &[] };
    for specification in &document.properties {
        if let Ok(surface) = &specification.formula {
            let _ = logic::compile(surface, &signature, &mut Vec::new());
        }
    }
    // Trials without an end are for the monitor, and a fuzzer has none: small machines only.
    let bits: u32 = form.machine.vars.values().map(|var| var.domain.bits()).sum();
    if bits > 12 {
        return;
    }
    let whole = form.machine.unsliced();
    let propositions = &form.propositions;
    let found = transition::enumerate(&form.machine, &whole, propositions, 500, &Monitor::new());
    if let Err(StepError::Fault(fault)) = found {
        show(text, &[fault.diagnostic(&form.machine)]);
    }
});
