//! Documents are short enough to be read: lines and paragraphs of prose, and the sizes of README.md and
//! ARCHITECTURE.md.

use crate::links::{documents, prose};
use crate::{read, root};

const LONGEST_LINE: usize = 120;
const LONGEST_PARAGRAPH: usize = 6;

/// The longest page of the book, in words.
const LONGEST_PAGE: usize = 2_000;

/// Tables, headings and quotations are no prose.
fn is_prose(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with(['|', '#', '>', '<'])
}

fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || line.starts_with("* ") || (number != line && number.starts_with(". "))
}

/// The lines that are too long, and those with which a paragraph gets too long.
fn faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut length = 0;
    let mut last = 0;
    for (number, line) in prose(text) {
        if !is_prose(line) {
            length = 0;
            continue;
        }
        length = if begins_item(line) || number != last + 1 { 1 } else { length + 1 };
        last = number;
        if line.chars().count() > LONGEST_LINE {
            faults.push(format!("line {number}: more than {LONGEST_LINE} characters"));
        }
        if length == LONGEST_PARAGRAPH + 1 {
            faults
                .push(format!("line {number}: a paragraph of more than {LONGEST_PARAGRAPH} lines"));
        }
    }
    faults
}

#[test]
fn lines_and_paragraphs_are_short() {
    let is_checked = |name: &str| !["THEORY.md", "CHANGELOG.md"].contains(&name);
    for document in documents() {
        let name = document.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if is_checked(&name) {
            assert_eq!(faults(&read(&document)), Vec::<String>::new(), "{}", document.display());
        }
    }
}

#[test]
fn documents_are_short() {
    assert!(read(&root().join("README.md")).lines().count() <= 150, "README.md: at most 150 lines");
    let words = |text: &str| text.split_whitespace().count();
    assert!(words(&read(&root().join("ARCHITECTURE.md"))) <= 1_500, "ARCHITECTURE.md: 1,500 words");
    for document in documents().iter().filter(|path| path.starts_with(root().join("docs"))) {
        let count = words(&read(document));
        assert!(count <= LONGEST_PAGE, "{}: {count} words", document.display());
    }
}

#[test]
fn long_lines_and_paragraphs_are_seen() {
    assert_eq!(faults("short\n\n| a table may be as wide as it likes |\n").len(), 0);
    assert_eq!(faults(&"x".repeat(121)).len(), 1);
    assert_eq!(faults(&"line\n".repeat(7)).len(), 1);
    assert_eq!(faults(&"- item\n".repeat(7)).len(), 0);
    assert_eq!(faults(&format!("```\n{}\n```", "x".repeat(200))).len(), 0);
}
