//! Every relative link in the documents leads to a file and, if it has an anchor, to a heading of it; every chapter
//! of the book is in its table of contents.

use crate::{files_below, read, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The documents that people read: the book and what stands at the root.
pub fn documents() -> Vec<PathBuf> {
    let mut documents = files_below(&root().join("docs"), "md");
    let names = ["README.md", "ARCHITECTURE.md", "THEORY.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    documents.extend(names.map(|name| root().join(name)));
    documents.push(root().join("examples/README.md"));
    documents
}

/// The lines outside of code blocks.
pub fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push((number + 1, line));
        }
    }
    lines
}

/// The targets of `[text](target)` that are not addresses, as file and anchor; either may be empty.
fn links(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (_, line) in prose(text) {
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            found.push((file.to_owned(), anchor.to_owned()));
        }
    }
    found
}

/// The anchors that mdBook and GitHub give to the headings of a document.
fn anchors(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let title = line.trim_start_matches('#').strip_prefix(' ')?.trim().to_lowercase();
        let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
        Some(title.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect())
    };
    let lines = prose(text).into_iter().filter(|(_, line)| line.starts_with('#'));
    lines.filter_map(|(_, line)| heading(line)).collect()
}

#[test]
fn every_relative_link_leads_somewhere() {
    let mut broken = Vec::new();
    for document in documents() {
        let directory = document.parent().unwrap_or(Path::new("."));
        for (file, anchor) in links(&read(&document)) {
            let target = if file.is_empty() { document.clone() } else { directory.join(&file) };
            let is_there =
                target.exists() && (anchor.is_empty() || anchors(&read(&target)).contains(&anchor));
            if !is_there {
                broken.push(format!("{}: `{file}#{anchor}`", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_chapter_is_in_the_summary() {
    let source = root().join("docs/src");
    let listed = links(&read(&source.join("SUMMARY.md")));
    for chapter in files_below(&source, "md") {
        let name = chapter.strip_prefix(&source).expect("below").to_string_lossy().into_owned();
        let is_listed = name == "SUMMARY.md" || listed.iter().any(|(file, _)| *file == name);
        assert!(is_listed, "`{name}` is not in SUMMARY.md");
    }
}

#[test]
fn links_and_anchors_are_found_and_addresses_are_not() {
    let text = "# A `b`: c\n[a](b.md) and [c](https://example.org) and [d](e.md#f) and [g](#h)";
    let expected = [("b.md", ""), ("e.md", "f"), ("", "h")];
    assert_eq!(links(text), expected.map(|(file, anchor)| (file.to_owned(), anchor.to_owned())));
    assert!(anchors(text).contains("a-b-c"));
}
