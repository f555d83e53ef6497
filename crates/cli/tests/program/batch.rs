//! Several files: each by itself, with reports for servers of continuous integration, and as one system only with
//! `--compose`.

use crate::support::{file, folder, run, stderr, stdout};
use serde_json::Value;
use std::fs;

const HOLDS: &[u8] =
    b"component A kripke { props p; init s; s: {p} -> s; }\nproperty yes: ctl AG p;\n";
const FAILS: &[u8] =
    b"component B kripke { props q; init s; s: {} -> s; }\nproperty no: ctl EF q;\n";
const OPEN: &[u8] =
    b"component C kmts { props r; init s; s: {r?} -> s; }\nproperty maybe: ctl r;\n";
const WRONG: &[u8] = b"component D kripke { props p; init t; s: {p} -> s; }\n";

/// Files of all outcomes, and the folder that they are in.
fn files() -> [String; 4] {
    let files = [("a.tm", HOLDS), ("b.tm", FAILS), ("c.tm", OPEN), ("d.tm", WRONG)];
    files.map(|(name, content)| file(name, content))
}

fn status(arguments: &[&str]) -> Option<i32> {
    run(&[&["check"], arguments].concat()).status.code()
}

#[test]
fn the_worst_status_counts() {
    let [holds, fails, open, wrong] = &files();
    assert_eq!(status(&[holds, holds]), Some(0));
    assert_eq!(status(&[holds, open]), Some(3));
    assert_eq!(status(&[holds, open, fails]), Some(1));
    assert_eq!(status(&[wrong, open, fails]), Some(2));
    assert_eq!(status(&[holds, "no-such-file.tm"]), Some(2));
}

#[test]
fn a_wrong_file_does_not_stop_the_others() {
    let [holds, fails, open, wrong] = &files();
    for jobs in ["1", "3"] {
        let output = run(&["check", "--jobs", jobs, wrong, holds, fails, open]);
        assert_eq!(output.status.code(), Some(2));
        let text = stdout(&output);
        let places: Vec<usize> = [wrong, holds, fails, open]
            .map(|name| text.find(&format!("{name}\n")).unwrap_or_else(|| panic!("{name}: {text}")))
            .to_vec();
        assert!(places.is_sorted(), "{text}");
        assert!(
            text.ends_with("4 files, 3 properties: 1 holds, 1 fails, 1 is unknown; 1 error\n"),
            "{text}"
        );
        assert!(stderr(&output).contains("d.tm"), "{}", stderr(&output));
    }
}

#[test]
fn a_directory_is_all_its_models() {
    let folder = folder().join("models");
    fs::create_dir_all(folder.join("deeper")).expect("a folder");
    for (name, content) in
        [("b.tm", HOLDS), ("a.tm", HOLDS), ("deeper/c.tm", FAILS), ("notes.md", b"# notes")]
    {
        fs::write(folder.join(name), content).expect("a file");
    }
    let path = folder.to_str().expect("UTF-8");
    let output = run(&["check", "--json", path]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let document: Value = serde_json::from_str(&stdout(&output)).expect("one object");
    let reported: Vec<(&str, &str)> = document["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| {
            (
                result["file"].as_str().expect("a file"),
                result["verdict"].as_str().expect("a verdict"),
            )
        })
        .map(|(file, verdict)| (file.strip_prefix(path).expect("in the folder"), verdict))
        .collect();
    assert_eq!(reported, [("/a.tm", "true"), ("/b.tm", "true"), ("/deeper/c.tm", "false")]);
    let empty = folder.join("empty");
    fs::create_dir_all(&empty).expect("a folder");
    assert_eq!(status(&[empty.to_str().expect("UTF-8")]), Some(2));
}

/// The counts of a JUnit report, in any order.
fn has_counts(xml: &str, counts: [&str; 4]) {
    let all = xml.lines().find(|line| line.contains("<testsuites")).expect("a summary");
    assert!(counts.iter().all(|count| all.contains(count)), "{xml}");
}

#[test]
fn reports_have_every_file() {
    let [holds, fails, open, wrong] = &files();
    let (junit, sarif) = (folder().join("junit.xml"), folder().join("log.sarif"));
    let flags =
        ["--junit", junit.to_str().expect("UTF-8"), "--sarif", sarif.to_str().expect("UTF-8")];
    assert_eq!(
        status(&[&[holds, fails, open, wrong].map(String::as_str)[..], &flags].concat()),
        Some(2)
    );
    let xml = fs::read_to_string(&junit).expect("written");
    has_counts(&xml, ["tests=\"4\"", "failures=\"1\"", "errors=\"2\"", "skipped=\"0\""]);
    let log: Value =
        serde_json::from_str(&fs::read_to_string(&sarif).expect("written")).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<&str> =
        results.iter().map(|one| one["ruleId"].as_str().expect("a rule")).collect();
    assert_eq!(rules, ["property-fails", "property-unknown", "input-error"]);
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], *fails.as_str());
    assert_eq!(place["region"]["startLine"], 2);
    // One file has them too.
    assert_eq!(status(&[&[fails.as_str()][..], &flags].concat()), Some(1));
    let xml = fs::read_to_string(&junit).expect("written");
    has_counts(&xml, ["tests=\"1\"", "failures=\"1\"", "errors=\"0\"", "skipped=\"0\""]);
}

#[test]
fn a_file_that_cannot_be_read_has_its_name_in_reports() {
    let [holds, ..] = &files();
    let broken = file("broken.tm", b"component \xff");
    let missing = folder().join("missing.tm");
    let missing = missing.to_str().expect("UTF-8");
    let junit = folder().join("unread.xml");
    let output = run(&[
        "check",
        "--json",
        &broken,
        holds,
        missing,
        "--junit",
        junit.to_str().expect("UTF-8"),
    ]);
    assert_eq!(output.status.code(), Some(2));
    let document: Value = serde_json::from_str(&stdout(&output)).expect("one object");
    let errors = document["errors"].as_array().expect("errors");
    let files: Vec<&str> = errors.iter().map(|one| one["file"].as_str().expect("a file")).collect();
    assert_eq!(files, [broken.as_str(), missing]);
    let xml = fs::read_to_string(&junit).expect("written");
    for name in [broken.as_str(), missing] {
        assert!(xml.contains(&format!("<testsuite name=\"{name}\"")), "{xml}");
    }
    let found: Value =
        serde_json::from_str(&stdout(&run(&["check", "--json", missing]))).expect("one object");
    assert_eq!(found["errors"][0]["file"], missing);
}

#[test]
fn a_directory_of_one_file_can_have_a_certificate() {
    let folder = folder().join("single");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("a.tm"), HOLDS).expect("a file");
    let certificate = folder.join("proof");
    let [folder, path] = [&folder, &certificate].map(|path| path.to_str().expect("UTF-8"));
    assert_eq!(status(&[folder, "--certificate", path]), Some(0));
    assert!(certificate.exists());
}

#[test]
fn files_are_joined_only_if_that_is_asked_for() {
    let clock =
        file("clock.tm", b"component Clock kripke { props tick; init s; s: {tick} -> s; }\n");
    let only = file("only.tm", b"property ticks: ctl AG tick;\n");
    assert_eq!(status(&["--compose", &clock, &only]), Some(0));
    let output = run(&["check", &clock, &only]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--compose"), "{}", stderr(&output));
    let output = run(&["explain", &clock, &only]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`--compose` joins them"), "{}", stderr(&output));
    let certificate = folder().join("certificate");
    let output =
        run(&["check", &clock, &clock, "--certificate", certificate.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`--certificate` is about one system"), "{}", stderr(&output));
}

#[test]
fn errors_among_events_have_their_places() {
    let [holds, ..] = &files();
    let output = run(&["check", "--events", holds, "--ctl", "AG (p"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = stdout(&output);
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object"));
    let errors: Vec<Value> =
        events.filter_map(|event| event["errors"].as_array().cloned()).flatten().collect();
    let places: Vec<[&Value; 2]> =
        errors.iter().map(|error| [&error["file"], &error["column"]]).collect();
    assert_eq!(places, [[&Value::from("<--ctl>"), &Value::from(6)]], "{text}");
}

#[test]
fn errors_are_json_if_answers_would_be() {
    let [holds, _, _, wrong] = &files();
    let errors = |arguments: &[&str]| -> Value {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stderr(&output), "", "{arguments:?}");
        let mut document: Value = serde_json::from_str(&stdout(&output)).expect("one object");
        let object = document.as_object().expect("an object");
        assert_eq!(object.keys().collect::<Vec<_>>(), ["errors"], "{arguments:?}");
        document["errors"].take()
    };
    let found = errors(&["check", "--json", wrong]);
    let error = &found[0];
    assert!(error["file"].as_str().is_some_and(|name| name.ends_with("d.tm")), "{error}");
    assert_eq!((&error["line"], &error["column"]), (&1.into(), &36.into()), "{error}");
    assert!(error["message"].as_str().is_some_and(|text| text.contains('t')), "{error}");
    for call in [
        &["check", "--json", "no-such-file.tm"][..],
        &["explain", "--json", wrong],
        &["compare", "--json", wrong, holds],
        &["assume", "--json", wrong, "--process", "D", "--safety", "p"],
        &["check", "--json", "--no-such-flag", holds],
        &["check", "--json", holds, "--method", "direct", "--order", "A"],
    ] {
        let found = errors(call);
        assert!(found[0]["message"].is_string(), "{call:?}: {found}");
    }
}
