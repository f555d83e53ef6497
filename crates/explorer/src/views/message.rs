//! Diagnostics as the page shows them.

use report::TextRange;
use serde::Serialize;
use tertium::{Diagnostic, Severity, SourceMap, Span};

#[derive(Serialize, Debug)]
pub struct Message<'a> {
    severity: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    labels: Vec<Label<'a>>,
}

#[derive(Serialize, Debug)]
struct Label<'a> {
    #[serde(flatten)]
    place: TextRange,
    message: &'a str,
}

/// The most messages that are shown.
const MOST_MESSAGES: usize = 200;

/// Diagnostics for the page. One about an excerpt of a large file has no place in a text that the
/// page has.
pub fn messages<'a>(diagnostics: &'a [Diagnostic], sources: &SourceMap) -> Vec<Message<'a>> {
    let message = |diagnostic: &'a Diagnostic| {
        let is_full_text = |span: &Span| sources.file(span.file).first_line == 1;
        let labels = diagnostic.labels.iter().filter(|(span, _)| is_full_text(span));
        Message {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: &diagnostic.message,
            help: diagnostic.help.as_deref(),
            labels: labels
                .map(|(span, message)| Label { place: TextRange::new(*span, sources), message })
                .collect(),
        }
    };
    diagnostics.iter().take(MOST_MESSAGES).map(message).collect()
}
