//! The inputs that the tests of the library share: the examples, and the command that answers are compared with.

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

/// The command: the file that `TERTIUM` names, or else what cargo builds from `crates/cli`.
pub fn command() -> PathBuf {
    if let Some(path) = std::env::var_os("TERTIUM") {
        return path.into();
    }
    let test = std::env::current_exe().expect("a path");
    // TARGET/debug/deps/TEST
    let target = test.ancestors().nth(3).expect("a target folder");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--package", "tertium-cli", "--target-dir"]).arg(target);
    let status = build.current_dir(root()).status().expect("cargo runs");
    assert!(status.success(), "the command is built");
    target.join("debug").join("tertium")
}

/// One result of the command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// The property, with its logic and formula.
    pub property: [String; 3],
    pub verdict: String,
    pub method: String,
}

/// The results that `tertium check --json` prints for a file, or nothing if it refuses the question.
pub fn said(command: &Path, file: &Path, method: &str, seconds: f64) -> Option<Vec<Said>> {
    let mut check = Command::new(command);
    check.args(["check", "--json", "--method", method, "--timeout", &seconds.to_string()]);
    let output = check.arg(file).output().expect("the command runs");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let one = |result: &serde_json::Value| {
        let text = |key: &str| result[key].as_str().expect(key).to_owned();
        let property = ["property", "logic", "formula"].map(text);
        Said { property, verdict: text("verdict"), method: text("method") }
    };
    Some(document["results"].as_array()?.iter().map(one).collect())
}
