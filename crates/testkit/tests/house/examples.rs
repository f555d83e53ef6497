//! Every example is read, checked, and has the verdicts that its comments expect:
//! `// expect: name = true`, or `// expect: name in s0, s1 = true` for the value in given states. As on the command
//! line, states that cover others are read by these (X Def. 6); `// expect with sis: …` is about the standard semantics.

use crate::{files_below, read, root};
use explicit::{DIRECT, Outcome, Request};
use logic::{Signature, Truth};
use model::System;
use std::path::Path;
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::TmDocument;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Semantics {
    OfTheCommandLine,
    Standard,
}

#[derive(PartialEq, Debug)]
struct Expectation {
    semantics: Semantics,
    property: String,
    /// Empty for the verdict.
    states: Vec<String>,
    value: Truth,
}

fn expectations(text: &str) -> Vec<Expectation> {
    let of_line = |line: &str| {
        let (semantics, rest) = match line.strip_prefix("// expect: ") {
            Some(rest) => (Semantics::OfTheCommandLine, rest),
            None => (Semantics::Standard, line.strip_prefix("// expect with sis: ")?),
        };
        Some(expectation(semantics, rest))
    };
    text.lines().filter_map(of_line).collect()
}

fn expectation(semantics: Semantics, line: &str) -> Expectation {
    let (left, value) = line.rsplit_once(" = ").unwrap_or_else(|| panic!("no ` = `: {line}"));
    let value = Truth::ALL.into_iter().find(|truth| truth.to_string() == value.trim());
    let (property, states) = match left.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        Some((property, rest)) => (property, rest.trim().strip_prefix("in ")),
        None => left.split_once(" in ").map_or((left, None), |(name, states)| (name, Some(states))),
    };
    Expectation {
        semantics,
        property: property.to_owned(),
        states: states.map_or(Vec::new(), |s| s.split(", ").map(str::to_owned).collect()),
        value: value.unwrap_or_else(|| panic!("no truth value: {line}")),
    }
}

/// Whether a property is of linear time; the tests of the library check these.
fn is_linear(property: &front::Specification) -> bool {
    property.surface().is_some_and(|surface| surface.logic.has_linear_operators())
}

/// The outcomes of the properties of a file that are not of linear time, by name.
fn outcomes(path: &Path, semantics: Semantics) -> Vec<(String, Outcome)> {
    let text: Arc<str> = read(path).into();
    let name = path.display();
    let mut no_other_files = |other: &str| Err(format!("{name} wants `{other}`"));
    let TmDocument { system, properties, warnings, .. } =
        testkit::read_tm(FileId(0), &text, &support::Monitor::new(), &mut no_other_files)
            .unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    assert!(warnings.is_empty(), "{name}: {warnings:?}");
    let system = system.unwrap_or_else(|| panic!("{name} has no component"));
    let (props, actions, monitor) = (system.props(), system.actions(), Monitor::new());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    let reduces = semantics == Semantics::OfTheCommandLine && system.has_covers();
    let reduced = reduces.then(|| system.reduced());
    let outcome = |surface| {
        let formula = logic::compile(surface, &signature, &mut Vec::new()).expect("names exist");
        let asked = reduced.as_ref().unwrap_or(&system);
        let request = Request { values: true, ..Request::new(asked, &formula, &monitor) };
        let outcome = DIRECT.run(&request).unwrap_or_else(|error| panic!("{name}: {error}"));
        match reduced {
            Some(_) => in_all_states(&system, outcome),
            None => outcome,
        }
    };
    let branching = properties.iter().filter(|property| !is_linear(property));
    branching.map(|p| (p.title().to_owned(), outcome(p.surface().unwrap()))).collect()
}

/// The values of a reduction, in the states of the file.
fn in_all_states(system: &System, mut outcome: Outcome) -> Outcome {
    let [single] = &system.components[..] else { return outcome };
    let of_atoms = outcome.values.take().expect("values were asked for");
    let all = single.model.values_from_atoms(|atom| of_atoms[atom as usize].1);
    let named = |(state, value)| (single.model.state_name(state), value);
    outcome.values = Some((0..).zip(all).map(named).collect());
    outcome
}

#[test]
fn examples_have_their_verdicts() {
    let examples = files_below(&root().join("examples"), "tm");
    assert!(examples.len() >= 10, "the examples are gone");
    let mut linear = 0;
    for path in examples {
        let [usual, standard] =
            [Semantics::OfTheCommandLine, Semantics::Standard].map(|kind| outcomes(&path, kind));
        let expectations = expectations(&read(&path));
        let name = path.display();
        if usual.is_empty() {
            linear += 1;
            continue;
        }
        for (property, _) in &usual {
            let expected = expectations.iter().any(|e| e.property == *property);
            assert!(expected, "{name}: no `// expect: {property} = …`");
        }
        for expectation in expectations {
            let outcomes = match expectation.semantics {
                Semantics::OfTheCommandLine => &usual,
                Semantics::Standard => &standard,
            };
            let found = outcomes.iter().find(|(property, _)| *property == expectation.property);
            let (_, outcome) =
                found.unwrap_or_else(|| panic!("{name}: no property {expectation:?}"));
            compare(&name.to_string(), &expectation, outcome);
        }
    }
    assert_eq!(linear, 1, "an example has no property that is checked here");
}

fn compare(name: &str, expectation: &Expectation, outcome: &Outcome) {
    let Expectation { property, states, value, .. } = expectation;
    if states.is_empty() {
        assert_eq!(outcome.verdict, *value, "{name}: the verdict of `{property}`");
    }
    let values = outcome.values.as_ref().expect("values were asked for");
    for state in states {
        let found = values.iter().find(|(name, _)| name == state);
        let (_, actual) = found.unwrap_or_else(|| panic!("{name}: no state `{state}`"));
        assert_eq!(actual, value, "{name}: the value of `{property}` in {state}");
    }
}

#[test]
fn every_example_says_what_it_shows() {
    let folder = root().join("examples");
    let list = read(&folder.join("README.md"));
    for path in files_below(&folder, "tm") {
        let text = read(&path);
        let starts_with_prose = text.starts_with("// ") && !text.starts_with("// expect");
        assert!(starts_with_prose, "{} does not begin with a comment", path.display());
        let name = path.strip_prefix(&folder).expect("below").to_string_lossy().into_owned();
        assert!(list.contains(&format!("]({name})")), "`{name}` is not in examples/README.md");
    }
}

#[test]
fn expectations_are_read() {
    let text = "// expect: \"a = b\" in s0, s1 = false\n// expect with sis: safe = unknown\n";
    let first = Expectation {
        semantics: Semantics::OfTheCommandLine,
        property: "a = b".to_owned(),
        states: vec!["s0".to_owned(), "s1".to_owned()],
        value: Truth::False,
    };
    let second = Expectation {
        semantics: Semantics::Standard,
        property: "safe".to_owned(),
        states: Vec::new(),
        value: Truth::Unknown,
    };
    assert_eq!(expectations(text), [first, second]);
}
