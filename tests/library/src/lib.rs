//! What the tests of the library share: the examples, and the command that they are compared with.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All examples that are models, in order.
pub fn examples() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join("examples")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if tertium::language_of(&path).is_ok() {
            found.push(path);
        }
    }
    found.sort();
    assert!(found.len() > 50, "the examples are there");
    found
}

/// The command, if it was built beside these tests.
pub fn command() -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| root().join("target"));
    let path = target.join("debug/tertium");
    path.exists().then_some(path)
}

/// The verdicts that the command prints as JSON for a file, by property.
pub fn verdicts(command: &Path, file: &Path, method: &str) -> Option<Vec<(String, String)>> {
    let arguments = ["check", "--json", "--timeout", "5", "--method", method];
    let output = Command::new(command).args(arguments).arg(file).output().expect("it runs");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let one = |result: &serde_json::Value| (text(&result["property"]), text(&result["verdict"]));
    Some(document["results"].as_array()?.iter().map(one).collect())
}
