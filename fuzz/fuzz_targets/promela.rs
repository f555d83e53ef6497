//! A model that can be read gives a machine that can be stepped through without a fault: whatever goes wrong in
//! it is a state.

#![no_main]

use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor, SourceMap};
use transition::StepError;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let shared: Arc<str> = text.into();
    let document = match testkit::read_promela_asking(FileId(0), &shared, &[]) {
        Ok(document) => document,
        Err(errors) => {
            assert!(errors.iter().any(Diagnostic::is_error));
            let mut map = SourceMap::new();
            map.add("file", text);
            for (span, _) in errors.iter().flat_map(|error| &error.labels) {
                let _ = (map.position(*span), map.text(*span));
            }
            return;
        }
    };
    let whole = document.machine.unsliced();
    let propositions = &document.propositions;
    let found =
        transition::enumerate(&document.machine, &whole, propositions, 500, &Monitor::new());
    assert!(!matches!(found, Err(StepError::Fault(_))));
});
