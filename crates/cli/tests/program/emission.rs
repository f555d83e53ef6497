//! Abstractions that `--emit-abstraction` writes: they abstract the components, and they are enough.

use crate::support::{file, folder, run, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Property and verdict.
type Verdicts = Vec<(String, String)>;

fn verdicts(arguments: &[&str]) -> Verdicts {
    let output = run(&[&["check", "--json"], arguments].concat());
    let document: Value = serde_json::from_str(&stdout(&output)).expect("one JSON document");
    let results = document["results"].as_array().expect("results");
    let text = |result: &Value, key: &str| result[key].as_str().expect("a text").to_owned();
    results.iter().map(|result| (text(result, "property"), text(result, "verdict"))).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// The sorted entries of a directory.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a directory");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// The verdicts of the abstractions in a directory, after each was compared with its component.
fn verdict_of_abstractions(concrete: &str, folder: &Path) -> Verdicts {
    let is_model = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "tm");
    for path in entries(folder).into_iter().filter(is_model) {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        if name != "system" {
            let output = run(&["compare", concrete, text(&path), "--component", name]);
            assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        }
    }
    verdicts(&[text(&folder.join("system.tm"))])
}

fn emit_and_ask_again(example: &str) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (concrete, emitted) = (examples.join(example), folder().join("abstractions"));
    let _ = fs::remove_dir_all(&emitted);
    let mut expected = verdicts(&[text(&concrete), "--emit-abstraction", text(&emitted)]);
    let folders = if expected.len() == 1 { vec![emitted] } else { entries(&emitted) };
    let again = folders.iter().map(|folder| verdict_of_abstractions(text(&concrete), folder));
    let mut again: Verdicts = again.flatten().collect();
    expected.sort();
    again.sort();
    assert_eq!(again, expected);
}

#[test]
fn one_property_of_components_with_propositions() {
    emit_and_ask_again("c-4.9.tm");
}

#[test]
fn many_properties_of_components_with_actions() {
    emit_and_ask_again("families/client-server.tm");
}

#[test]
fn a_part_that_is_not_written_yet() {
    emit_and_ask_again("arbiter.tm");
}

#[test]
fn files_of_others_stay() {
    let model =
        file("M.tm", b"component M kripke { props p; init s; s: {p} -> s; } property t: mu p;");
    let before = fs::read(&model).expect("the model");
    for _ in 0..2 {
        let output = run(&["check", &model, "--emit-abstraction", text(&folder())]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(
            said.contains("M.tm` is there, and `--emit-abstraction` did not write it"),
            "{said}"
        );
        assert_eq!(stdout(&output), "");
    }
    assert_eq!(fs::read(&model).expect("the model"), before);
    assert!(!folder().join("system.tm").exists());
    let elsewhere = folder().join("deeper/still");
    for _ in 0..2 {
        let output = run(&["check", &model, "--emit-abstraction", text(&elsewhere)]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

/// Nothing is left behind where nothing is written.
#[test]
fn no_directory_without_an_abstraction() {
    let sets: &[u8] = b"component S mixts { init s; s: -> s; } property t: mu <> true;";
    let model = file("S.tm", sets);
    for flag in ["--timeout=0", "--quiet"] {
        let deep = folder().join("some/where");
        let output = run(&["check", &model, "--emit-abstraction", text(&deep), flag]);
        assert_ne!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(!folder().join("some").exists(), "{flag}");
    }
}

/// A directory that is there and takes no files.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written() {
    let model =
        file("N.tm", b"component N kripke { props p; init s; s: {p} -> s; } property t: mu p;");
    let output = run(&["check", &model, "--emit-abstraction", "/proc"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).starts_with("true "), "{}", stdout(&output));
    let said = stderr(&output);
    assert!(said.starts_with("Error: cannot write `/proc/N.tm`: "), "{said}");
}

/// The rounds of a refinement, with its verdict.
fn rounds(arguments: &[&str]) -> (usize, String) {
    let output =
        run(&[&["check", "--method", "refine", "--log-refinement", "-"], arguments].concat());
    let text = stdout(&output);
    let document = text.lines().find(|line| line.starts_with('{')).expect("one JSON document");
    let document: Value = serde_json::from_str(document).expect("one JSON document");
    let result = &document["results"][0];
    let rounds = result["rounds"].as_array().expect("rounds").len();
    (rounds, result["verdict"].as_str().expect("a verdict").to_owned())
}

/// After a change of one component, the abstractions of the others are there already.
#[test]
fn a_refinement_begins_with_what_an_earlier_one_wrote() {
    let part = |name: &str, p: &str| {
        format!(
            "component {name} kripke {{ props {p}; init s; s: {{}} -> t; t: {{}} -> u; u: {{{p}}} -> s; }}\n"
        )
    };
    let rest = "system A || B; property both: ctl AG (p -> q);";
    let model = file("before.tm", format!("{}{}{rest}", part("A", "p"), part("B", "q")).as_bytes());
    let changed = part("B", "q").replace("t: {} -> u;", "t: {} -> u, t;");
    let changed = file("after.tm", format!("{}{changed}{rest}", part("A", "p")).as_bytes());
    let emitted = folder().join("emitted");
    let _ = fs::remove_dir_all(&emitted);
    let (first, verdict) = rounds(&[&model, "--emit-abstraction", text(&emitted)]);
    assert_eq!(verdict, "true");
    assert_eq!(rounds(&[&model, "--from-abstraction", text(&emitted)]).1, "true");
    let (scratch, without) = rounds(&[&changed]);
    let (reused, with) = rounds(&[&changed, "--from-abstraction", text(&emitted)]);
    assert_eq!((without.as_str(), with.as_str()), ("false", "false"));
    assert!(first > 0 && reused < scratch, "{first} {reused} {scratch}");
}

#[test]
fn a_directory_without_classes_is_an_error() {
    let model = file("N.tm", b"component M kripke { init s; s: {} -> s; } property t: mu true;");
    let output = run(&["check", &model, "--from-abstraction", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("nowhere/classes.json") && said.contains("--emit-abstraction"), "{said}");
    let folder = folder().join("broken");
    fs::create_dir_all(&folder).expect("a directory");
    fs::write(folder.join("classes.json"), "[1]").expect("a file");
    let output = run(&["check", &model, "--from-abstraction", text(&folder)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("does not list states by component"), "{}", stderr(&output));
}
