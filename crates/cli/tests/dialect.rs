//! Users read the words of the field: no help text, message or document has a phrase that only this project would use.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Phrases without a meaning of their own in model checking, in lower case.
const DIALECT: &[&str] = &[
    "decision diagram",
    "by diagrams",
    "nodes of diagrams",
    "in doubt",
    "of doubt",
    "the doubt",
    "what gets small",
    "none of the program",
    "goes round",
    "nobody",
    "somebody",
    "dead end",
    "nothing follows",
    "that nothing follows",
    "story",
    "moments",
    "the whole means",
    "on the whole",
    "takes the whole",
    "take the whole",
    "looks closer",
    "look closer",
    "looked at together",
    "find out more",
    "is enough, and here it is",
    "what is told",
    "is sure of",
    "ways to go on",
    "what goes wrong",
    "put together on the way",
    "what holds on the way",
    "found on the way",
    "made on the way",
    "to be had",
    "to play with",
    "what is sure",
    "whatever follows",
    "the only door",
];

/// Ordinary phrases for which the field has a term.
const UNUSUAL: &[&str] = &[
    "gets smaller",
    "get smaller",
    "goes wrong",
    "go wrong",
    "gone wrong",
    "time round",
    "on a circle",
    "the circle is",
    "in a circle",
    "stand still",
    "stands still",
    "of the whole",
    "to the whole",
    "not looked at",
    "finds out",
    "what shows",
    "speaks of",
    "speak of",
    "taken apart",
    "takes apart",
    "take apart",
    "whichever way",
    "a way through",
    "says nothing of",
    "not written yet",
];

/// Phrases that contain one of these by chance.
const FINE: &[&str] = &["history"];

/// The phrases that messages and documents do not have.
const PHRASES: &[&[&str]] = &[DIALECT, UNUSUAL];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The given phrases in a text, which is read as one line.
fn dialect(text: &str, phrases: &[&[&'static str]]) -> Vec<&'static str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut text = words.join(" ").to_lowercase();
    FINE.iter().for_each(|fine| text = text.replace(fine, ""));
    phrases.concat().into_iter().filter(|phrase| text.contains(phrase)).collect()
}

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
}

/// The string literals of Rust code, up to its unit tests.
fn literals(code: &str) -> Vec<String> {
    let code = code.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut rest = code;
    let mut found = Vec::new();
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let before = &rest.as_bytes()[..at];
        rest = &rest[at..];
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else if let Some(after) = rest.strip_prefix('"') {
            let hashes = before.iter().rev().take_while(|&&byte| byte == b'#').count();
            let is_raw = before.len() > hashes && before[before.len() - 1 - hashes] == b'r';
            let length = match is_raw {
                true => after.find(&format!("\"{}", "#".repeat(hashes))).unwrap_or(after.len()),
                false => closing_quote(after),
            };
            found.push(after[..length].replace("\\\n", " "));
            rest = after.get(length + 1..).unwrap_or("");
        } else if rest.starts_with("'\"'") || rest.starts_with("'/'") {
            rest = &rest[3..];
        } else {
            rest = &rest[1..];
        }
    }
    found
}

fn closing_quote(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.find(|c| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    end.unwrap_or(text.len())
}

#[test]
fn the_test_sees_what_it_looks_for() {
    assert_eq!(dialect("Where the answer\n  is in Doubt", &[DIALECT]), ["in doubt"]);
    assert!(dialect("the history of a trace", PHRASES).is_empty());
    let code = "let a = \"nobody \\\n   here\"; // \"not this\"\nlet b = r#\"a \"story\"\"#; let c = '\"'; let d = \"end\";";
    assert_eq!(literals(code), ["nobody     here", "a \"story\"", "end"]);
    assert_eq!(prose("a `story`\n```console\nnobody\n```\nb"), "a \nb");
}

#[test]
fn help_is_in_the_words_of_the_field() {
    let help = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tertium"));
        let output = command.args(arguments).arg("--help").output().expect("it runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let commands =
        ["check", "explain", "assume", "certify", "solve", "compare", "convert", "explore", "man"];
    let main = help(&[]);
    assert!(commands.iter().all(|command| main.contains(&format!("\n  {command}"))), "{main}");
    for text in commands.iter().map(|command| help(&[command])).chain([main]) {
        let found = dialect(&text, PHRASES);
        assert!(found.is_empty(), "{found:?} in\n{text}");
    }
}

#[test]
fn messages_are_in_the_words_of_the_field() {
    let mut sources = Vec::new();
    for member in fs::read_dir(root().join("crates")).expect("the crates") {
        let member = member.expect("a crate").path();
        if !member.ends_with("testkit") {
            files(&member.join("src"), "rs", &mut sources);
        }
    }
    let mut faults = Vec::new();
    for path in sources.iter().filter(|path| {
        !path.components().any(|part| part.as_os_str() == "tests") && !path.ends_with("tests.rs")
    }) {
        for literal in literals(&fs::read_to_string(path).expect("a file")) {
            let found = dialect(&literal, PHRASES);
            if !found.is_empty() {
                faults.push(format!("{}: {found:?} in {literal:?}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A document without its code blocks and code spans: sessions are tested as messages, and names are the examples'.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if !is_code && !is_fence {
            lines.push(line);
        }
    }
    lines.join("\n").split('`').step_by(2).collect()
}

#[test]
fn documents_are_in_the_words_of_the_field() {
    let names =
        ["README", "ARCHITECTURE", "CONTRIBUTING", "THEORY", "CHANGELOG", "benches/RESULTS"];
    let path = |name: &str| root().join(name).with_extension("md");
    let mut documents: Vec<PathBuf> = names.into_iter().map(path).collect();
    files(&root().join("docs"), "md", &mut documents);
    files(&root().join("examples"), "md", &mut documents);
    assert!(documents.len() > 60, "{documents:?}");
    let mut faults = Vec::new();
    for path in &documents {
        let found = dialect(&prose(&fs::read_to_string(path).expect("a file")), PHRASES);
        if !found.is_empty() {
            faults.push(format!("{}: {found:?}", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
