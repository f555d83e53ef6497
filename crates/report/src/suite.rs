//! The answers about many files together: one document, a line that counts them, and the reports that servers of
//! continuous integration read.

use crate::errors::about_file;
use crate::json::document;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

const NOTHING: &Vec<Value> = &Vec::new();

fn list<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    document[key].as_array().unwrap_or(NOTHING)
}

fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap_or_default()
}

/// One document of the answers and errors of several.
pub fn joined_documents(version: &str, files: &[String], documents: Vec<Value>) -> Value {
    let results = documents.iter().flat_map(|one| list(one, "results")).cloned();
    let errors = files.iter().zip(&documents).flat_map(|(file, one)| {
        list(one, "errors").iter().map(|error| about_file(error.clone(), file))
    });
    let mut joined = document(version, files);
    joined["results"] = results.collect();
    joined["errors"] = errors.collect();
    joined
}

/// `3 files, 7 properties: 5 hold, 1 fails, 1 is unknown; 1 error`
pub fn count_line(joined: &Value) -> String {
    let files = list(joined, "files").len();
    let results = list(joined, "results");
    let count =
        |verdict: &str| results.iter().filter(|one| text(one, "verdict") == verdict).count();
    let number =
        |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let verdicts = [
        (count("true"), "holds", "hold"),
        (count("false"), "fails", "fail"),
        (count("unknown"), "is unknown", "are unknown"),
    ];
    let verdicts = verdicts.into_iter().filter(|(n, ..)| *n > 0);
    let verdicts: Vec<String> = verdicts.map(|(n, one, many)| number(n, one, many)).collect();
    let mut line = number(files, "file", "files");
    _ = write!(line, ", {}", number(results.len(), "property", "properties"));
    if !verdicts.is_empty() {
        _ = write!(line, ": {}", verdicts.join(", "));
    }
    let errors = list(joined, "errors").len();
    if errors > 0 {
        _ = write!(line, "; {}", number(errors, "error", "errors"));
    }
    line + "\n"
}

/// The file of an answer or an error, as far as it is known.
fn file_of<'a>(entry: &'a Value, joined: &'a Value) -> &'a str {
    let only = match list(joined, "files") {
        [only] => only.as_str(),
        _ => None,
    };
    entry["file"].as_str().or(only).unwrap_or("tertium")
}

/// JUnit's XML: a suite for each file, a case for each property. A property that fails is a failure; one that is
/// unknown and a file that cannot be read are errors.
pub fn junit(joined: &Value) -> String {
    let mut suites: Vec<(&str, Vec<TestCase>)> = Vec::new();
    let mut add = |file, case| match suites.iter_mut().find(|(name, _)| *name == file) {
        Some((_, cases)) => cases.push(case),
        None => suites.push((file, vec![case])),
    };
    for result in list(joined, "results") {
        let file = file_of(result, joined);
        let reason = result["reason"].as_str();
        let status = match text(result, "verdict") {
            "true" => TestCaseStatus::success(),
            "false" => wrong(NonSuccessKind::Failure, "false", "the property fails"),
            _ => {
                wrong(NonSuccessKind::Error, "unknown", reason.unwrap_or("the verdict is unknown"))
            }
        };
        let mut case = TestCase::new(text(result, "property"), status);
        case.set_classname(file);
        let seconds = result["seconds"].as_f64().unwrap_or(0.0);
        case.set_time(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        add(file, case);
    }
    for error in list(joined, "errors") {
        let file = file_of(error, joined);
        let mut status = wrong(NonSuccessKind::Error, "input", text(error, "message"));
        status.set_description(described(error));
        let mut case = TestCase::new("input", status);
        case.set_classname(file);
        add(file, case);
    }
    let mut report = Report::new("tertium");
    for (file, cases) in suites {
        let mut suite = TestSuite::new(file);
        suite.add_test_cases(cases);
        report.add_test_suite(suite);
    }
    report.to_string().expect("strings are written to a string") + "\n"
}

fn wrong(kind: NonSuccessKind, of: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(of).set_message(message);
    status
}

/// `a.tm:3:7: message (help)`
fn described(error: &Value) -> String {
    let mut line = String::new();
    if let (Some(file), Some(at)) = (error["file"].as_str(), error["line"].as_u64()) {
        _ = write!(line, "{file}:{at}:{}: ", error["column"].as_u64().unwrap_or(1));
    }
    line += text(error, "message");
    if let Some(help) = error["help"].as_str() {
        _ = write!(line, " ({help})");
    }
    line
}

/// The rules of a SARIF log: an identifier, its level, and what it means.
const RULES: [(&str, &str, &str); 3] = [
    ("property-fails", "error", "A property of the model is false."),
    ("property-unknown", "warning", "The verdict on a property is unknown."),
    ("input-error", "error", "A file or a call is wrong."),
];

/// A log in the Static Analysis Results Interchange Format 2.1.0: what fails, what is unknown, what is wrong.
pub fn sarif(joined: &Value) -> Value {
    let result = |rule: usize, message: String, entry: &Value| {
        let uri = file_of(entry, joined).replace('\\', "/");
        let mut place = json!({ "artifactLocation": { "uri": uri } });
        if let Some(line) = entry["line"].as_u64() {
            let column = entry["column"].as_u64().unwrap_or(1);
            place["region"] = json!({ "startLine": line.max(1), "startColumn": column.max(1) });
        }
        let (id, level, _) = RULES[rule];
        json!({
            "ruleId": id,
            "ruleIndex": rule,
            "level": level,
            "message": { "text": message },
            "locations": [{ "physicalLocation": place }],
        })
    };
    let answers = list(joined, "results").iter().filter_map(|entry| {
        let property = text(entry, "property");
        match text(entry, "verdict") {
            "true" => None,
            "false" => Some(result(0, format!("`{property}` fails"), entry)),
            _ => {
                let reason =
                    entry["reason"].as_str().map_or(String::new(), |why| format!(": {why}"));
                Some(result(1, format!("`{property}` is unknown{reason}"), entry))
            }
        }
    });
    let errors = list(joined, "errors").iter().map(|entry| {
        let help = entry["help"].as_str().map_or(String::new(), |help| format!(" ({help})"));
        result(2, format!("{}{help}", text(entry, "message")), entry)
    });
    let rules = RULES.map(|(id, level, about)| {
        json!({
            "id": id,
            "shortDescription": { "text": about },
            "defaultConfiguration": { "level": level },
        })
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tertium", "version": joined["version"], "rules": rules,
            } },
            "results": answers.chain(errors).collect::<Value>(),
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Value {
        let result = |file: &str, property: &str, verdict: &str, line: Value| {
            json!({
                "property": property, "verdict": verdict, "seconds": 0.5, "file": file,
                "reason": (verdict == "unknown").then_some("a <limit>"), "line": line, "column": 3,
            })
        };
        let first = json!({ "results": [
            result("a.tm", "p", "true", json!(1)),
            result("a.tm", "q & r", "false", json!(7)),
        ] });
        let second = json!({
            "results": [result("b.tm", "u", "unknown", Value::Null)],
            "errors": [{ "message": "wrong", "file": "b.tm", "line": 2, "column": 5, "help": "mend it" }],
        });
        let third = json!({ "errors": [{ "message": "no file", "file": null, "line": null, "column": null, "help": null }] });
        let files = ["a.tm", "b.tm", "c.tm"].map(str::to_owned);
        joined_documents("1.2.3", &files, vec![first, second, third])
    }

    #[test]
    fn all_is_counted() {
        let expected = "3 files, 3 properties: 1 holds, 1 fails, 1 is unknown; 2 errors\n";
        assert_eq!(count_line(&sample()), expected);
        let none = joined_documents("1", &["a.tm".to_owned()], Vec::new());
        assert_eq!(count_line(&none), "1 file, 0 properties\n");
    }

    #[test]
    fn junit_has_a_suite_for_each_file() {
        let text = junit(&sample());
        let report = Report::deserialize_from_str(&text).expect("it is read back");
        let suites: Vec<(&str, usize, usize, usize)> = report
            .test_suites
            .iter()
            .map(|suite| (suite.name.as_str(), suite.tests, suite.failures, suite.errors))
            .collect();
        assert_eq!(suites, [("a.tm", 2, 1, 0), ("b.tm", 2, 0, 2), ("c.tm", 1, 0, 1)]);
        assert!(text.contains("b.tm:2:5: wrong (mend it)"), "{text}");
        assert!(
            text.contains("message=\"a &lt;limit>\"") || text.contains("a &lt;limit&gt;"),
            "{text}"
        );
    }

    #[test]
    fn sarif_is_read_back() {
        let log: serde_sarif::sarif::Sarif =
            serde_json::from_value(sarif(&sample())).expect("a log");
        let results = log.runs[0].results.as_ref().expect("results");
        let found: Vec<(&str, Option<i64>)> = results
            .iter()
            .map(|result| {
                let place = &result.locations.as_ref().expect("a place")[0];
                let region = place.physical_location.as_ref().expect("a file").region.as_ref();
                (result.rule_id.as_deref().expect("a rule"), region.and_then(|r| r.start_line))
            })
            .collect();
        let expected = [
            ("property-fails", Some(7)),
            ("property-unknown", None),
            ("input-error", Some(2)),
            ("input-error", None),
        ];
        assert_eq!(found, expected);
    }
}
