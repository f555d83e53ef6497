//! A program that can be read gives a machine that can be stepped through without a fault, and laying it out changes
//! nothing, neither the first time nor the second.

#![no_main]

use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor, SourceMap};
use transition::StepError;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let shared: Arc<str> = text.into();
    let document = match testkit::read_while(FileId(0), &shared) {
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
    let written: Arc<str> = testkit::write_while(text).into();
    assert_eq!(testkit::write_while(&written), &*written);
    let again =
        testkit::read_while(FileId(0), &written).expect("a text that is laid out can be read");
    assert_eq!(again.program.commands.len(), document.program.commands.len());
    assert_eq!(again.program.data.exprs.len(), document.program.data.exprs.len());
    let Ok(machine) = document.machine() else { return };
    let whole = machine.machine.unsliced();
    let propositions = &machine.propositions;
    let found = transition::enumerate(&machine.machine, &whole, propositions, 500, &Monitor::new());
    assert!(!matches!(found, Err(StepError::Fault(_))));
});
