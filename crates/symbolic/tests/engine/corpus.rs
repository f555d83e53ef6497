//! NuSMV's own examples, where they are found: its verdicts, on what the questions depend on and on all of the
//! machine.

use crate::programs::{by_bdds, read};
use logic::Truth;
use serde_json::Value;
use std::path::{Path, PathBuf};
use symbolic::{Policy, Stop, SymbolicError};

fn corpus() -> Option<(PathBuf, Value)> {
    let folder = testkit::nusmv_examples()?;
    let text = std::fs::read_to_string(folder.join("verdicts.json")).expect("the verdicts");
    Some((folder, serde_json::from_str(&text).expect("JSON")))
}

/// Compares the verdicts on a file; `None` if there is no room.
fn compare(folder: &Path, name: &str, entry: &Value, is_unsliced: bool) -> Option<usize> {
    let text = std::fs::read_to_string(folder.join(name)).expect("a text");
    let document = read(&text).unwrap_or_else(|| panic!("{name} is not read"));
    let policy = Policy { most_nodes: 1 << 21, ..Policy::default() };
    let (found, _) = match by_bdds(&document, is_unsliced, policy) {
        Ok(found) => found,
        Err(SymbolicError::Stop(Stop::Full)) => return None,
        Err(halt) => panic!("{name}: {halt:?}"),
    };
    let wanted: Vec<&Value> = entry["verdicts"].as_array().into_iter().flatten().collect();
    for row in &wanted {
        let text = row[1].as_str().expect("a text").trim();
        let mut specifications = document.specifications.iter();
        let index = specifications.position(|specification| specification.text == text);
        let index = index.unwrap_or_else(|| panic!("{name}: {text} is not there"));
        assert_eq!(found[index], Some(Truth::from(row[2] == "true")), "{name}: {text}");
    }
    Some(wanted.len())
}

fn compare_all(is_unsliced: bool) {
    let Some((folder, all)) = corpus() else { return };
    let (mut compared, mut full) = (0, Vec::new());
    for (name, entry) in all.as_object().expect("a map") {
        match compare(&folder, name, entry, is_unsliced) {
            Some(count) => compared += count,
            None => full.push(name),
        }
    }
    println!("{compared} verdicts compared; no room for {full:?}");
    assert!(compared > 70, "{compared}");
}

#[test]
fn verdicts_on_what_matters_are_those_of_nusmv() {
    compare_all(false);
}

#[test]
fn verdicts_without_slicing_are_those_of_nusmv() {
    compare_all(true);
}
