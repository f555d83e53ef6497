//! Whatever the text is, the reader says what is wrong with it or reads it.

use front::promela::read_promela;
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;
use support::{FileId, SourceMap};
use testkit::read_promela_asking;

/// Reads a text; places of errors have to lie in it.
fn read(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add("model", text);
    if let Err(errors) = read_promela(file, text) {
        assert!(!errors.is_empty());
        for (span, _) in errors.iter().flat_map(|error| &error.labels) {
            let _ = (sources.position(*span), sources.text(*span));
        }
        return;
    }
    let shared: Arc<str> = text.into();
    let document = read_promela_asking(file, &shared, &[]).expect("it has been read");
    assert_eq!(document.specifications.len(), 3);
}

fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let entries = std::fs::read_dir(folder).expect("the examples");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a text")).collect()
}

const WORDS: [&str; 48] = [
    "active", "proctype", "P", "(", ")", "{", "}", "byte", "x", "y", "=", "1", ";", "->", "if",
    "fi", "do", "od", "::", "else", "break", "goto", "L", ":", "atomic", "d_step", "chan", "c",
    "[", "]", "of", "!", "?", ",", "run", "init", "mtype", "for", "select", "..", "timeout",
    "assert", "#define", "\n", "inline", "typedef", "@", "==",
];

proptest! {
    #[test]
    fn any_text(text in "\\PC{0,60}") {
        read(&text);
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..60)) {
        read(&words.join(" "));
        read(&format!("init {{ {} }}", words.join(" ")));
    }

    #[test]
    fn examples_with_something_missing(which in 0usize..14, from in 0.0f64..1.0, len in 0usize..20) {
        let all = examples();
        let text = &all[which % all.len()];
        let bytes: Vec<char> = text.chars().collect();
        let from = (from * bytes.len() as f64) as usize;
        let to = (from + len).min(bytes.len());
        read(&bytes[..from].iter().chain(&bytes[to..]).collect::<String>());
    }
}

#[test]
fn deep_and_long_texts() {
    for (open, close) in [("(", ")"), ("{", "}"), ("!", ""), ("-", ""), ("a[", "]"), ("x.", "")] {
        let text = format!("init {{ {}1{} }}", open.repeat(50_000), close.repeat(50_000));
        read(&text);
    }
    read(&format!("init {{ {} }}", "if :: ".repeat(50_000)));
    read(&format!("init {{ 1 {} }}", "+ 1".repeat(50_000)));
    read(&format!("byte x; init {{ {} }}", "x = 1; ".repeat(2_000)));
    read(&format!("#define f(a) a\ninit {{ {}1{} }}", "f(".repeat(5_000), ")".repeat(5_000)));
    read("byte a[4000]; byte b[4000]; init { skip }");
    read(&format!("active [300] proctype P() {{ skip }} {}", FileId(0).0));
}
