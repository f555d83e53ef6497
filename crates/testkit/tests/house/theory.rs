//! Every row of THEORY.md names functions and tests that exist, or says that they do not yet.

use crate::{files_below, read, root};
use std::path::{Path, PathBuf};

const NOT_YET: &str = "not built yet";

/// The numbered items of the papers. Paper A numbers nothing but its figures.
const NUMBERED: [(&str, &[&str]); 5] = [
    (
        "C",
        &[
            "Def. 2.1",
            "Def. 2.2",
            "Thm 2.3",
            "Fig. 1",
            "Thm 2.4",
            "Ex. 2.5",
            "Fig. 2",
            "Def. 2.6",
            "Thm 2.7",
            "Ex. 2.8",
            "Def. 3.1",
            "Def. 3.2",
            "Thm 3.3",
            "Fig. 3",
            "Def. 3.4",
            "Ex. 3.5",
            "Def. 4.1",
            "Def. 4.2",
            "Def. 4.3",
            "Thm 4.4",
            "Def. 4.5",
            "Prop. 4.6",
            "Def. 4.7",
            "Thm 4.8",
            "Fig. 4",
            "Ex. 4.9",
            "Fig. 5",
            "Def. 5.1",
            "Thm 5.2",
            "Fig. 6",
            "Def. 5.3",
            "Thm 5.4",
            "Def. 5.5",
            "Thm 5.6",
            "Cor. 5.7",
            "Def. 5.8",
            "Thm 5.9",
            "Fig. 7",
            "Thm 5.10",
            "Ex. 5.11",
            "Fig. 8",
            "Fig. 9",
            "Fig. 10",
            "Remark 6.1",
            "Remark 6.2",
        ],
    ),
    (
        "G",
        &[
            "Def. 1", "Thm 1", "Def. 2", "Thm 2", "Lemma 1", "Def. 3", "Def. 4", "Def. 5", "Thm 3",
            "Def. 6", "Thm 4", "Thm 5", "Thm 6", "Lemma 2", "Thm 7",
        ],
    ),
    ("A", &["Fig. 1", "Fig. 2", "Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7"]),
    (
        "X",
        &[
            "Def. 1", "Def. 2", "Def. 3", "Thm 1", "Fig. 1", "Def. 4", "Thm 2", "Cor. 1", "Def. 5",
            "Thm 3", "Cor. 2", "Def. 6", "Thm 4", "Thm 5", "Def. 7", "Thm 6", "Thm 7", "Thm 8",
            "Fig. 2", "Thm 9", "Fig. 3",
        ],
    ),
    (
        "M",
        &[
            "Def. 2.1",
            "Def. 2.2",
            "Def. 2.3",
            "Def. 2.4",
            "Def. 2.5",
            "Def. 2.6",
            "Def. 3.1",
            "Fig. 1",
            "Fig. 2",
            "Fig. 3",
            "Def. 5.1",
            "Fig. 4",
            "Fig. 5",
            "Thm 5.2",
            "Def. A.1",
            "Def. A.2",
            "Def. A.3",
            "Def. A.4",
            "Def. A.5",
            "Lemma A.1",
        ],
    ),
];

/// One row of a paper's table.
struct Row {
    paper: String,
    number: String,
    items: String,
    tests: String,
}

/// The rows below headings of the form `## C: …`.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut paper = None;
    for line in read(&root().join("THEORY.md")).lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            paper = heading.split_once(": ").map(|(paper, _)| paper.to_owned());
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let is_row = line.starts_with('|') && !line.starts_with("| ---") && cells[0] != "number";
        if let (Some(paper), true) = (&paper, is_row) {
            let [number, _, items, tests] = *cells else { panic!("four cells expected: {line}") };
            let [number, items, tests] = [number, items, tests].map(str::to_owned);
            rows.push(Row { paper: paper.clone(), number, items, tests });
        }
    }
    rows
}

fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_numbered_item_has_a_row() {
    let rows = rows();
    for (paper, numbers) in NUMBERED {
        for number in numbers {
            let count =
                rows.iter().filter(|row| row.paper == paper && row.number == *number).count();
            assert_eq!(count, 1, "rows for {paper} {number} in THEORY.md");
        }
    }
}

#[test]
fn a_row_has_functions_and_tests_or_is_not_built_yet() {
    for Row { paper, number, items, tests } in rows() {
        let built = [&items, &tests].map(|cell| !quoted(cell).is_empty());
        let not_yet = [&items, &tests].map(|cell| cell.as_str() == NOT_YET);
        assert!(
            built == [true, true] || not_yet == [true, true],
            "{paper} {number}: name functions and tests, or write `{NOT_YET}` in both cells"
        );
    }
}

#[test]
fn every_item_named_exists() {
    let mut wrong = Vec::new();
    for Row { paper, number, items, .. } in rows() {
        let missing = quoted(&items).into_iter().filter_map(|item| find_item(item).err());
        wrong.extend(missing.map(|missing| format!("{paper} {number}: {missing}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_test_named_exists() {
    for Row { paper, number, tests, .. } in rows() {
        for test in quoted(&tests) {
            let (home, name) = test.split_once(' ').expect("`crate test_name`");
            assert!(
                has_test(home, name),
                "{paper} {number}: no test `{name}` in the crate `{home}`"
            );
        }
    }
}

#[test]
fn what_does_not_exist_is_not_found() {
    assert!(find_item("game::subgraph::witnessing_successors").is_ok());
    assert!(find_item("game::subgraph::witnessing_neighbours").is_err());
    assert!(find_item("game::nowhere::witnessing_successors").is_err());
    assert!(find_item("model::partial::PartialModel::label").is_ok());
    assert!(has_test("logic", "kleene_tables"));
    assert!(!has_test("logic", "and"), "a function that is no test");
}

/// Looks for `crate::module::…::Item` or `crate::module::…::Type::item` in the file of the module.
fn find_item(path: &str) -> Result<(), String> {
    let mut names = path.split("::");
    let mut directory = root().join("crates").join(names.next().unwrap_or_default()).join("src");
    let mut file = directory.join("lib.rs");
    let mut items = Vec::new();
    for name in names {
        match module(&directory, name).filter(|_| items.is_empty()) {
            Some(module) => {
                file = module;
                directory = directory.join(name);
            }
            None => items.push(name),
        }
    }
    let text = std::fs::read_to_string(&file).map_err(|_| format!("no file {}", file.display()))?;
    match items.iter().find(|item| !defines(&text, item)) {
        Some(item) => Err(format!("no `{item}` in {}", file.display())),
        None if items.is_empty() => Err("names no item".to_owned()),
        None => Ok(()),
    }
}

fn module(directory: &Path, name: &str) -> Option<PathBuf> {
    let files = [directory.join(format!("{name}.rs")), directory.join(name).join("mod.rs")];
    files.into_iter().find(|file| file.exists())
}

/// Whether a line of the text defines a function, a type or a variant of this name.
fn defines(text: &str, name: &str) -> bool {
    text.lines().map(str::trim_start).filter(|line| !line.starts_with("//")).any(|line| {
        let mut words =
            line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
        let is_variant = words.clone().next() == Some(name)
            && line.ends_with([',', '{'])
            && name.starts_with(char::is_uppercase);
        let is_keyword =
            |word| matches!(word, "fn" | "struct" | "enum" | "trait" | "type" | "const");
        is_variant || (words.find(|word| is_keyword(*word)).is_some() && words.next() == Some(name))
    })
}

fn has_test(home: &str, name: &str) -> bool {
    let directory = root().join("crates").join(home);
    let files = ["src", "tests"].map(|below| files_below(&directory.join(below), "rs"));
    files.iter().flatten().any(|file| is_test_in(&read(file), name))
}

/// Whether the function of this name has `#[test]` among the attributes above it.
fn is_test_in(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let starts = |line: &str| {
        line.strip_prefix("fn ")
            .is_some_and(|rest| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')))
    };
    let places = lines.iter().enumerate().filter(|(_, line)| starts(line));
    places.map(|(place, _)| &lines[..place]).any(|above| {
        let attributes = above.iter().rev().take_while(|line| line.starts_with(['#', '/']));
        attributes.into_iter().any(|line| *line == "#[test]")
    })
}
