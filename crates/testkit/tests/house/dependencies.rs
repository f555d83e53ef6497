//! The drawing in ARCHITECTURE.md and the laws about who may depend on whom.

use crate::{read, root};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Which of our crates each of them depends on.
pub type Drawing = BTreeMap<String, BTreeSet<String>>;

/// From the block that begins with "```dependencies": a crate, an arrow, the crates that it uses.
fn drawn() -> Drawing {
    let text = read(&root().join("ARCHITECTURE.md"));
    let block = text.split("```dependencies\n").nth(1).expect("a block of dependencies");
    let lines = block.lines().take_while(|line| *line != "```");
    lines
        .map(|line| {
            let (user, used) = line.split_once('▶').unwrap_or((line, ""));
            let name = user.trim_matches(|c: char| !c.is_alphanumeric());
            (name.to_owned(), used.split_whitespace().map(str::to_owned).collect())
        })
        .collect()
}

/// From `cargo metadata`: the crates that each of ours depends on, ours and others, for dependencies of the given
/// kind that are not optional.
pub fn all_used(kind: Option<&str>) -> Drawing {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["metadata", "--offline", "--no-deps", "--format-version", "1"];
    let output = Command::new(cargo).args(arguments).current_dir(root()).output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |value: &serde_json::Value| {
        let name = value["name"].as_str().unwrap_or_default();
        name.strip_prefix("tertium-").unwrap_or(name).to_owned()
    };
    packages
        .iter()
        .map(|package| {
            let all = package["dependencies"].as_array().expect("dependencies").iter();
            let used = all.filter(|used| used["kind"].as_str() == kind && used["optional"] != true);
            (name(package), used.map(name).collect())
        })
        .collect()
}

/// Ours only.
fn actual(kind: Option<&str>) -> Drawing {
    let mut drawing = all_used(kind);
    let ours: BTreeSet<String> = drawing.keys().cloned().collect();
    drawing.values_mut().for_each(|used| used.retain(|used| ours.contains(used)));
    drawing
}

pub fn reachable(drawing: &Drawing, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(name) = open.pop() {
        for used in drawing.get(&name).into_iter().flatten() {
            if found.insert(used.clone()) {
                open.push(used.clone());
            }
        }
    }
    found
}

/// The pairs `(crate, crate it must not see)` that a drawing contains, however indirectly.
fn broken_laws(drawing: &Drawing) -> Vec<(&'static str, &'static str)> {
    const ENGINES: [&str; 8] =
        ["automata", "game", "explicit", "refine", "symbolic", "assume", "modular", "cegar"];
    let mut forbidden: Vec<(&str, &str)> =
        ENGINES.iter().map(|engine| ("audit", *engine)).collect();
    forbidden.extend([("symbolic", "game"), ("symbolic", "explicit"), ("game", "symbolic")]);
    forbidden.extend([("symbolic", "refine"), ("refine", "symbolic"), ("explicit", "refine")]);
    forbidden.extend(
        ["support", "logic", "model", "front", "game", "explicit"].map(|core| (core, "report")),
    );
    forbidden.retain(|(user, used)| reachable(drawing, user).contains(*used));
    forbidden
}

#[test]
fn the_drawing_is_what_cargo_sees() {
    assert_eq!(drawn(), actual(None), "left: ARCHITECTURE.md, right: cargo metadata");
}

#[test]
fn dependencies_are_acyclic_and_as_drawn() {
    let drawing = actual(None);
    for name in drawing.keys() {
        assert!(!reachable(&drawing, name).contains(name), "`{name}` depends on itself");
    }
    assert_eq!(broken_laws(&drawing), []);
}

/// The library is the only door: a client sees it, what prints its answers, and perhaps another client.
#[test]
fn clients_see_the_library_only() {
    let drawing = actual(None);
    for client in ["cli", "explorer"] {
        let used = &drawing[client];
        let is_door = |name: &&String| ["explorer", "report", "tertium"].contains(&name.as_str());
        let others: Vec<&String> = used.iter().filter(|name| !is_door(name)).collect();
        assert!(others.is_empty(), "`{client}` depends on {others:?}");
    }
}

#[test]
fn only_tests_use_the_testkit() {
    let users: Vec<String> = actual(None)
        .into_iter()
        .filter(|(_, used)| used.contains("testkit"))
        .map(|(user, _)| user)
        .collect();
    assert!(users.is_empty(), "{users:?} use `testkit` outside their tests");
}

#[test]
fn an_auditor_that_sees_an_engine_is_caught() {
    let used = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let drawing = Drawing::from([
        ("audit".to_owned(), used(&["helper"])),
        ("helper".to_owned(), used(&["game"])),
        ("game".to_owned(), used(&[])),
    ]);
    assert_eq!(broken_laws(&drawing), [("audit", "game")]);
}
