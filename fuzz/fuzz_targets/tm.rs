//! A file that can be read can be written and read again.

#![no_main]

use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor};

fn read(text: &str) -> Result<testkit::TmDocument, Vec<Diagnostic>> {
    let shared: Arc<str> = text.into();
    let load = &mut |path: &str| Err(format!("there is no file `{path}`"));
    testkit::read_tm(FileId(0), &shared, &Monitor::new(), load)
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(document) = read(text) else { return };
    let Some(system) = document.system else { return };
    let written = front::write_tm(&system, &document.safeties, &document.properties);
    let again = read(&written).expect("what was written can be read");
    let system = again.system.expect("as before");
    let twice = front::write_tm(&system, &again.safeties, &again.properties);
    assert_eq!(written, twice, "from\n{text}");
});
