//! Every relative link in the documents leads somewhere, and every chapter of the book is in its
//! table of contents.

use crate::{files_below, read, root};
use std::path::{Path, PathBuf};

fn documents() -> Vec<PathBuf> {
    let mut documents = files_below(&root().join("docs"), "md");
    let names = ["README.md", "ARCHITECTURE.md", "THEORY.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    documents.extend(names.map(|name| root().join(name)));
    documents.push(root().join("examples/README.md"));
    documents
}

/// The targets of `[text](target)`, without those in other places and without anchors.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let here = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    here.filter_map(|target| target.split('#').next()).collect()
}

#[test]
fn every_relative_link_leads_somewhere() {
    for document in documents() {
        let directory = document.parent().unwrap_or(Path::new("."));
        for link in links(&read(&document)) {
            assert!(directory.join(link).exists(), "{}: no `{link}`", document.display());
        }
    }
}

#[test]
fn every_chapter_is_in_the_summary() {
    let source = root().join("docs/src");
    let summary = read(&source.join("SUMMARY.md"));
    let listed = links(&summary);
    for chapter in files_below(&source, "md") {
        let name = chapter.strip_prefix(&source).expect("below").to_string_lossy().into_owned();
        let is_listed = name == "SUMMARY.md" || listed.contains(&name.as_str());
        assert!(is_listed, "`{name}` is not in SUMMARY.md");
    }
}

#[test]
fn links_are_found_and_addresses_are_not() {
    let text = "[a](b.md) and [c](https://example.org) and [d](e.md#f) and [g](#h)";
    assert_eq!(links(text), ["b.md", "e.md"]);
}
