//! NuSMV's own examples, where they are found: every file is read, and the verdicts on those that are
//! small are NuSMV's.

use crate::support::{compact, fair_states, read, verdicts};
use logic::Truth;
use std::path::Path;
use testkit::SmvDocument;
use testkit::{nusmv_examples, smv_files};
use transition::StepError;

/// Larger ones are for another engine.
const MOST_STATES: usize = 200_000;

fn load(path: &Path) -> SmvDocument {
    let text = std::fs::read_to_string(path).expect("a text");
    read(&text).unwrap_or_else(|errors| panic!("{}:\n{}", path.display(), compact(&text, &errors)))
}

/// NuSMV's specifications of a file with their values, in its order.
fn expected(folder: &Path, path: &Path) -> Vec<(String, bool)> {
    let text = std::fs::read_to_string(folder.join("verdicts.json")).expect("the verdicts");
    let all: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let name = path.strip_prefix(folder).expect("below").to_string_lossy().into_owned();
    let list = all[&name]["verdicts"].as_array().cloned().unwrap_or_default();
    let one = |entry: &serde_json::Value| {
        (entry[1].as_str().expect("a text").trim().to_owned(), entry[2] == "true")
    };
    list.iter().map(one).collect()
}

#[test]
fn every_file_is_read_and_every_specification_is_printed_as_nusmv_does() {
    let Some(folder) = nusmv_examples() else { return };
    let mut count = 0;
    for path in smv_files(&folder) {
        let document = load(&path);
        let printed: Vec<String> = document
            .specifications
            .iter()
            .filter(|specification| specification.logic.name() == "ctl")
            .map(|specification| specification.text.clone())
            .collect();
        for (text, _) in expected(&folder, &path) {
            assert!(
                printed.contains(&text),
                "{}: {text}\nis not in\n{}",
                path.display(),
                printed.join("\n")
            );
            count += 1;
        }
    }
    println!("{count} specifications");
}

#[test]
fn verdicts_are_those_of_nusmv() {
    let Some(folder) = nusmv_examples() else { return };
    let (mut compared, mut large) = (0, Vec::new());
    for path in smv_files(&folder) {
        let document = load(&path);
        let name = path.strip_prefix(&folder).expect("below").display().to_string();
        let wanted = expected(&folder, &path);
        let (enumeration, fairness) = match fair_states(&document, false, MOST_STATES) {
            Ok(found) => found,
            Err(StepError::TooMany(_)) => {
                large.push(name);
                continue;
            }
            Err(other) => panic!("{name}: {other:?}"),
        };
        println!("{name}: {} states", enumeration.model.states());
        assert!(enumeration.deadlocks.is_clear(), "{name}");
        let found = verdicts(&document, enumeration, &fairness);
        for (specification, verdict) in document.specifications.iter().zip(found) {
            let text = &specification.text;
            let Some((_, value)) = wanted.iter().find(|(other, _)| other == text) else {
                continue;
            };
            assert_eq!(verdict, Some(Truth::from(*value)), "{name}: {text}");
            compared += 1;
        }
    }
    println!("{compared} verdicts compared; too large: {large:?}");
}
