//! What is refused, where, and what is said about it.

use base::{Diagnostic, FileId, SourceMap};
use front::read_while;
use std::sync::Arc;

/// `line:column: message [what is underlined] (help)`
fn describe(text: &str, diagnostic: &Diagnostic) -> String {
    let mut sources = SourceMap::new();
    sources.add("a.while", text);
    let span = diagnostic.labels[0].0;
    let (line, column) = sources.position(span);
    let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{line}:{column}: {} [{}]{help}", diagnostic.message, sources.text(span))
}

fn refused(text: &str) -> Vec<String> {
    let shared: Arc<str> = text.into();
    match read_while(FileId(0), &shared) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(|error| describe(text, error)).collect(),
    }
}

#[test]
fn printing() {
    for text in ["var x : 0..7; x = 1"] {
        println!("{:#?}", refused(text));
    }
}
