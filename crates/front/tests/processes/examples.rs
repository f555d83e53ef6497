//! The Promela models of the examples.

use crate::agreement::MOST_STATES;
use crate::support::{apart as taken_apart, fails_within, read};
use front::promela::{processes, write_with_assumption};
use std::path::{Path, PathBuf};
use support::Monitor;

/// Those that `timeout` decides in, and one with a rendezvous in the middle of `atomic`.
const REFUSED: [&str; 3] = ["alternating-bit.pml", "handshake.pml", "watchdog.pml"];
/// Those whose processes are all started by one `run` in a loop.
const UNWRITTEN: [&str; 2] = ["philosophers.pml", "token-ring.pml"];
/// A process with so many states that its text is too long to be read again.
const LARGE: &str = "counter.pml";

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let entries = std::fs::read_dir(folder).expect("the examples are there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pml"));
    files.sort();
    files
}

#[test]
fn each_process_can_be_replaced_by_itself() {
    for file in examples() {
        let text = std::fs::read_to_string(&file).expect("a text");
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let program = read(&text);
        let apart = processes(&program, &Monitor::new());
        assert_eq!(apart.is_err(), REFUSED.contains(&name), "{name}: {apart:?}");
        let Ok(apart) = apart else { continue };
        let original = fails_within(&apart.system, MOST_STATES).expect("a small example");
        for component in 0..program.processes.len() {
            let model = &apart.system.components[component].model;
            let written = write_with_assumption(&text, &program, &apart, component, model, &[]);
            assert_eq!(written.is_err(), UNWRITTEN.contains(&name), "{name}: {written:?}");
            if let Ok(written) = written
                && name != LARGE
            {
                let again = taken_apart(&written);
                assert_eq!(fails_within(&again.system, MOST_STATES), Some(original), "{written}");
            }
        }
    }
}
