//! The trusted base of a certificate: the auditor, the crates that it shares with the engines, and how
//! many lines they have. `docs/src/certificate.md` says it, in a table that this test prints anew.

use crate::dependencies::{all_used, reachable};
use crate::{read, root, sources};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The crates in the order of the table, and what each is trusted with. Those after the first two are the
/// auditor's dependencies, all of them; `front` reads the file that the certificate is checked against.
const TRUSTED: [(&str, &str); 9] = [
    ("audit", "the checkers themselves"),
    ("front", "reading your file"),
    ("support", "numbers, lists, limits"),
    ("logic", "what formulas mean"),
    ("model", "what models, compositions and their parts mean; simulation"),
    ("transition", "what SMV files and programs mean"),
    ("encode", "expressions as BDDs"),
    ("bdd", "operations on BDDs"),
    ("smt", "linear arithmetic over integers, unless `--solver` names another"),
];

/// The crates of others that these use.
const OTHERS: [&str; 4] = ["fixedbitset", "hashbrown", "logos", "rustc-hash"];

/// Lines of code: without comments, blank lines and unit tests.
fn lines(name: &str) -> usize {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    let is_test = |path: &Path| {
        path.to_string_lossy().ends_with("tests.rs")
            || path.components().any(|part| part.as_os_str() == "tests")
    };
    let count = |(path, text): (PathBuf, String)| match is_test(&path) {
        true => 0,
        false => text.lines().filter(is_code).count(),
    };
    sources(name).into_iter().map(count).sum()
}

fn table(rows: &[(&str, &str, usize)]) -> String {
    let mut table = String::from("| crate | lines | trusted with |\n| --- | ---: | --- |\n");
    for (name, what, lines) in rows {
        table += &format!("| `{name}` | {lines} | {what} |\n");
    }
    let total: usize = rows.iter().map(|(_, _, lines)| lines).sum();
    table + &format!("| all | {total} | |\n")
}

/// The numbers of the table in the documentation, and the number of its last row.
fn documented(text: &str) -> Option<(Vec<(&str, usize)>, usize)> {
    let table = text.split_once("| crate | lines | trusted with |\n")?.1;
    let mut rows = Vec::new();
    for line in table.lines().skip(1) {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (name, lines) = (cells.next()?, cells.next()?.parse().ok()?);
        if name == "all" {
            return Some((rows, lines));
        }
        rows.push((name.trim_matches('`'), lines));
    }
    None
}

#[test]
fn the_auditor_depends_on_these_crates_only() {
    let drawing = all_used(None);
    let mut seen = reachable(&drawing, "audit");
    seen.extend(reachable(&drawing, "front"));
    let listed =
        TRUSTED.iter().map(|(name, _)| *name).filter(|name| !["audit", "front"].contains(name));
    let listed: BTreeSet<String> = listed.chain(OTHERS).map(str::to_owned).collect();
    assert_eq!(seen, listed, "left: cargo metadata, right: the list of this test");
}

#[test]
fn the_documentation_says_how_many_lines_one_has_to_trust() {
    let rows = TRUSTED.map(|(name, what)| (name, what, lines(name)));
    let right = table(&rows);
    println!("docs/src/certificate.md:\n{right}");
    let text = read(&root().join("docs/src/certificate.md"));
    let (reported, total) =
        documented(&text).unwrap_or_else(|| panic!("a table as this:\n{right}"));
    let names: Vec<&str> = reported.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, TRUSTED.map(|(name, _)| name), "the table should be\n{right}");
    let sum: usize = reported.iter().map(|(_, lines)| lines).sum();
    assert_eq!(sum, total, "the table should be\n{right}");
    for ((name, reported), (_, _, lines)) in reported.into_iter().zip(rows) {
        assert!(
            lines * 100 <= reported * 105,
            "`{name}` has {lines} lines and not {reported}; the table should be\n{right}"
        );
    }
}
