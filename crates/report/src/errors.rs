//! Errors as JSON: what is wrong, where, and what to do.

use serde_json::{Value, json};
use support::{Diagnostic, Severity, SourceMap};

/// The errors among some messages, each with the place that its first label points at.
pub fn errors_json(messages: &[Diagnostic], sources: &SourceMap) -> Vec<Value> {
    let errors = messages.iter().filter(|message| message.severity == Severity::Error);
    let entry = |error: &Diagnostic| {
        let place = error.labels.first().map(|(span, _)| {
            let (line, column) = sources.position(*span);
            (sources.file(span.file).name.clone(), line, column)
        });
        json!({
            "message": error.message,
            "file": place.as_ref().map(|(file, ..)| file),
            "line": place.as_ref().map(|(_, line, _)| line),
            "column": place.as_ref().map(|(.., column)| column),
            "help": error.help,
        })
    };
    errors.map(entry).collect()
}

/// An error without a place in a text.
pub fn plain_error(message: &str, file: Option<&str>, help: Option<&str>) -> Value {
    json!({ "message": message, "file": file, "line": null, "column": null, "help": help })
}

/// An error in the call for one file is about that file, if it has no other place.
pub fn about_file(mut error: Value, file: &str) -> Value {
    if error["file"].is_null() {
        error["file"] = file.into();
    }
    error
}

/// The document of a command under `--json` that has errors and nothing else to say.
pub fn errors_document(errors: Vec<Value>) -> Value {
    json!({ "errors": errors })
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::Span;

    #[test]
    fn errors_have_their_place_and_warnings_are_left_out() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.tm", "one\ntwo three");
        let message = |severity, labels, help: Option<&str>| Diagnostic {
            severity,
            message: "wrong".to_owned(),
            labels,
            help: help.map(str::to_owned),
        };
        let labels = vec![(Span::new(file, 8..13), "here".to_owned())];
        let messages = [
            message(Severity::Error, labels.clone(), Some("write it otherwise")),
            message(Severity::Warning, labels, None),
            message(Severity::Error, Vec::new(), None),
        ];
        let expected = [
            json!({ "message": "wrong", "file": "a.tm", "line": 2, "column": 5, "help": "write it otherwise" }),
            plain_error("wrong", None, None),
        ];
        assert_eq!(errors_json(&messages, &sources), expected);
    }
}
