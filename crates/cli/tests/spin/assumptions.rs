//! Assumptions for the processes of the examples, written as Promela: Spin's verdict stays what it is.

use super::{Question, ask_spin, compile, examples, folder, has_spin, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Models with a process that depends on all others, or with counters that make their environment large.
const LEFT_OUT: [&str; 5] = ["alternating-bit", "handshake", "watchdog", "counter", "leader"];

/// The answer of `tertium assume`; `None` if it refuses.
fn assume(folder: &Path, arguments: &[&str]) -> Option<Value> {
    let flags = [&["assume", "model.pml", "--json"], arguments].concat();
    let output = run(folder, env!("CARGO_BIN_EXE_tertium"), &flags);
    match output.status.code() {
        Some(2) => None,
        _ => Some(serde_json::from_slice(&output.stdout).expect("one JSON object")),
    }
}

#[test]
fn spin_agrees_on_the_examples_with_an_assumption_in_place() {
    if !has_spin() {
        return;
    }
    let mut written = 0;
    for path in examples() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if LEFT_OUT.contains(&&*name) {
            continue;
        }
        let folder = folder(&format!("assume-{name}"));
        let text = fs::read_to_string(&path).expect("the model");
        compile(&folder, &text).expect("Spin takes the examples");
        let original = ask_spin(&folder, Question::Assertions).expect("a verdict");
        let all = assume(&folder, &["--process", "all"]).expect("an answer");
        let ours = all["verdict"] == "true";
        assert_eq!(ours, original.holds, "{name}: the processes taken apart");
        for part in all["assumptions"].as_array().expect("a list") {
            let process = part["process"].as_str().expect("a name");
            fs::write(folder.join("model.pml"), &text).expect("the model");
            if assume(&folder, &["--process", process, "-o", "assumed.pml"]).is_none() {
                continue;
            }
            written += 1;
            let assumed = fs::read_to_string(folder.join("assumed.pml")).expect("the assumption");
            compile(&folder, &assumed).unwrap_or_else(|| panic!("Spin refuses {name}, {process}"));
            let found = ask_spin(&folder, Question::Assertions).expect("a verdict");
            assert_eq!(found.holds, original.holds, "{name}, {process}:\n{assumed}");
            println!("{name}, {process}: {} states, {} with it", original.states, found.states);
        }
    }
    assert!(written >= 10, "only {written} were written");
}
