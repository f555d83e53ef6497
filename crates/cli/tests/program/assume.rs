//! `tertium assume` and `check --safety` from outside: files that are written and read again, limits,
//! certificates, and what scripts rely on.

use crate::support::{beside_counters, file, folder, run, run_on, stderr, stdout, tertium};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assume").join(name);
    path.into_os_string().into_string().expect("a path in UTF-8")
}

/// A path in the folder of the test.
fn new_file(name: &str) -> String {
    let path = folder().join(name);
    let _ = fs::remove_file(&path);
    path.into_os_string().into_string().expect("a path in UTF-8")
}

fn json(arguments: &[&str], status: i32) -> Value {
    let output = run(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("one JSON document and nothing else")
}

fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    let mut keys: Vec<&str> = object.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// The states of each class, by JSON.
fn classes(document: &Value) -> Vec<String> {
    let classes = document["assumptions"][0]["classes"].as_array().expect("classes");
    let states = |class: &Value| -> String {
        let states = class["states"].as_array().expect("states");
        states.iter().map(|state| state.as_str().expect("a name")).collect()
    };
    classes.iter().map(states).collect()
}

#[test]
fn mutual_exclusion_has_the_classes_of_the_paper() {
    let path = example("mutex.tm");
    for method in ["auto", "basic", "abstract"] {
        let document = json(&["assume", &path, "--process", "N", "--method", method], 0);
        assert_eq!(classes(&document), ["j", "klmnop", "qr"], "{method}");
        assert_eq!(document["verdict"], "true");
    }
}

#[test]
fn the_sliding_window_has_its_sizes() {
    let path = example("sliding-window.tm");
    for (safety, size, status) in [("A", 13, 0), ("B", 1, 0), ("C", 13, 0), ("D", 1, 1)] {
        for method in ["basic", "abstract"] {
            let arguments = ["assume", &path, "--process", "Receiver", "--safety", safety];
            let document = json(&[&arguments[..], &["--method", method]].concat(), status);
            let made = &document["assumptions"][0];
            assert_eq!(made["states"], 108);
            assert_eq!(made["assumption_states"], size, "{safety} {method}");
            assert_eq!(made["complete"], true);
        }
    }
}

/// The paper has 8, 1, 8 and 1. The sizes of a curve never increase, and its last one is that of the assumption.
#[test]
fn selective_repeat_has_the_sizes_of_the_paper_but_for_one() {
    let path = example("selective-repeat.tm");
    for (safety, both, auto, status) in
        [("A", 8, 8, 0), ("B", 1, 1, 0), ("C", 8, 2, 0), ("D", 2, 1, 1)]
    {
        let asked = ["assume", &path, "--process", "Receiver", "--safety", safety];
        let made = json(&asked, status);
        assert_eq!(made["assumptions"][0]["assumption_states"], both, "{safety}");
        let certificate = new_file("auto.cert");
        let more = ["--equivalence", "auto", "--curve", "--certificate", &certificate];
        let made = json(&[&asked[..], &more].concat(), status);
        let made = &made["assumptions"][0];
        assert_eq!(made["assumption_states"], auto, "{safety}");
        let curve = made["curve"].as_array().expect("a curve").iter();
        let sizes: Vec<u64> = curve.map(|point| point[1].as_u64().expect("a size")).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{safety}: {sizes:?}");
        assert_eq!(sizes.last(), Some(&auto), "{safety}");
        let audited = stdout(&run(&["certify", &path, &certificate]));
        assert!(audited.starts_with("valid"), "{audited}");
    }
}

#[test]
fn a_nondeterministic_safety_property_is_determinised() {
    let path = file(
        "either.tm",
        b"component M lts { init s; s: -a-> t; t: -b-> s -c-> s; }
         component N lts { init u; u: -a-> v -d-> u; v: -b-> u -c-> u; }
         system M || N;
         safety either lts { init p; p: -a-> q, r; q: -b-> p; r: -c-> p; }
         safety no_c lts { actions a, b, c; init p, q; p: -a-> q; q: -a-> p -b-> q; }",
    );
    for (safety, status) in [("either", 0), ("no_c", 1)] {
        assert_eq!(run(&["check", &path, "--safety", safety]).status.code(), Some(status));
        let certificate = new_file("either.cert");
        let asked = ["assume", &path, "--process", "N", "--process", "M", "--safety", safety];
        let made = json(&[&asked[..], &["--certificate", &certificate]].concat(), status);
        let names = made["assumptions"].as_array().expect("assumptions").iter();
        assert_eq!(names.map(|made| &made["process"]).collect::<Vec<_>>(), ["N", "M"]);
        let audited = stdout(&run(&["certify", &path, &certificate]));
        assert!(audited.starts_with("valid"), "{audited}");
    }
}

#[test]
fn what_the_documents_say_is_in_the_object() {
    let path = example("log.tm");
    let asked = ["assume", &path, "--process", "Station1", "--safety"];
    let document = json(&[&asked[..], &["idle", "--curve"]].concat(), 1);
    let expected = [
        "assumptions",
        "files",
        "format",
        "logic",
        "method",
        "property",
        "reason",
        "seconds",
        "stats",
        "tool",
        "trace",
        "verdict",
        "version",
    ];
    assert_eq!(keys(&document), expected);
    assert_eq!(document["logic"], "safety");
    assert_eq!(document["method"], "assume");
    let trace = document["trace"]["steps"].as_array().expect("a trace");
    assert!(trace[0]["action"].is_null() && document["trace"]["loop_start"].is_null());
    let states: Vec<&serde_json::Value> =
        trace[0]["state"].as_object().expect("states").values().collect();
    assert_eq!(states, ["has", "hasnt0"]);
    assert_eq!(trace[2]["action"], "use1");
    let made = &document["assumptions"][0];
    let expected = [
        "actions",
        "assumption_states",
        "classes",
        "complete",
        "curve",
        "process",
        "states",
        "status",
        "steps",
    ];
    assert_eq!(keys(made), expected);
    let curve = made["curve"].as_array().expect("a curve");
    assert_eq!(curve.len() as u64, made["steps"].as_u64().expect("steps") + 1);
    assert_eq!(keys(&made["actions"]), ["constrained", "unconstrained"]);
    let document = json(&[&asked[..], &["turns"]].concat(), 0);
    assert!(document["trace"].is_null() && document["stats"]["states"].is_u64());
    assert!(document["assumptions"][0].get("curve").is_none());
}

#[test]
fn a_safety_property_has_a_result_like_other_properties() {
    let path = example("log.tm");
    let plain = json(&["check", &path, "--safety", "turns"], 0);
    let result = &plain["results"][0];
    let expected = [
        "column", "file", "formula", "line", "logic", "method", "property", "reason", "seconds",
        "stats", "trace", "verdict",
    ];
    assert_eq!(keys(result), expected);
    assert_eq!([&result["method"], &result["logic"]], ["direct", "safety"]);
    assert_eq!(keys(&result["stats"]), ["assumption_states", "iterations", "states"]);
    let assumed = json(&["check", &path, "--safety", "turns", "--assume", "auto"], 0);
    let result = &assumed["results"][0];
    assert_eq!(result["method"], "assume");
    assert!(result["stats"]["assumption_states"].is_u64());
    let failed = json(&["check", &path, "--safety", "idle", "--assume", "Station1"], 1);
    assert_eq!(failed["results"][0]["trace"]["steps"][2]["action"], "use1");
}

#[test]
fn a_limit_before_anything_is_made_keeps_to_json() {
    let path = example("mutex.tm");
    let made = json(&["assume", &path, "--process", "N", "--timeout", "0"], 3);
    assert_eq!([&made["verdict"], &made["reason"]], ["unknown", "the time limit was reached"]);
    let checked = json(&["check", &path, "--safety", "exclusion", "--timeout", "0"], 3);
    assert_eq!(checked["results"][0]["verdict"], "unknown");
}

/// Each format says what the others say, and the system with the assumption in it has the same verdict.
#[test]
fn what_is_written_can_be_read() {
    for (name, process, safety) in [
        ("mutex.tm", "N", "exclusion"),
        ("log.tm", "Station1", "idle"),
        ("peterson.tm", "Process1", "exclusion"),
        ("client-server.tm", "Server", "one_at_a_time"),
    ] {
        let path = example(name);
        let [alone, drawn, flat, whole] =
            ["alone.tm", "drawn.dot", "flat.aut", "whole.tm"].map(new_file);
        let asked = ["assume", &path, "--process", process, "--safety", safety];
        let made = run(&[&asked[..], &["-o", &alone, "-o", &drawn, "-o", &flat]].concat());
        let again = run(&[&asked[..], &["-o", &whole, "--whole"]].concat());
        assert_eq!(made.status, again.status);
        let compared = run(&["compare", &alone, &flat, "--relation", "bisimulation"]);
        assert_eq!(compared.status.code(), Some(0), "{name}: {}", stderr(&compared));
        let checked = run(&["check", &whole, "--safety", safety]);
        assert_eq!(checked.status, made.status, "{name}: {}", stderr(&checked));
        assert!(fs::read_to_string(&drawn).expect("a drawing").starts_with("digraph"));
    }
}

/// The model with the assumption in it is a model like the one that it was made from.
#[test]
fn promela_in_and_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    for (name, process) in [("peterson.pml", "P_0"), ("mutex-broken.pml", "P_1")] {
        let path = folder.join(name).into_os_string().into_string().expect("a path in UTF-8");
        let [small, whole] = ["small.pml", "whole.tm"].map(new_file);
        let made = run(&["assume", &path, "--process", process, "-o", &small]);
        let status = made.status.code();
        assert!([Some(0), Some(1)].contains(&status), "{}", stderr(&made));
        let checked = run(&["check", &small, "--safety", "assertions"]);
        assert_eq!(checked.status.code(), status, "{name}: {}", stderr(&checked));
        let made = run(&["assume", &path, "--process", process, "-o", &whole, "--whole"]);
        assert_eq!(made.status.code(), status);
        let checked = run(&["check", &whole, "--safety", "assertions"]);
        assert_eq!(checked.status.code(), status, "{name}: {}", stderr(&checked));
    }
}

#[test]
fn several_assumptions_in_one_file_and_in_their_places() {
    let path = example("philosophers.tm");
    let whole = new_file("whole.tm");
    let certificate = new_file("all.cert");
    let made = json(
        &[
            "assume",
            &path,
            "--process",
            "Phil1,Fork1,Fork0",
            "--safety",
            "fork",
            "--whole",
            "-o",
            &whole,
            "--certificate",
            &certificate,
        ],
        0,
    );
    let names: Vec<&str> = made["assumptions"]
        .as_array()
        .expect("assumptions")
        .iter()
        .map(|part| part["process"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["Phil1", "Fork1", "Fork0"]);
    assert_eq!(run(&["check", &whole, "--safety", "fork"]).status.code(), Some(0));
    let audited = run(&["certify", &path, &certificate]);
    assert!(stdout(&audited).contains("`Phil1`, `Fork1`, `Fork0` are as they were"));
}

/// The result at the time limit is an assumption.
#[test]
fn a_time_limit_leaves_a_sound_assumption() {
    let path = file("many.tm", &beside_counters(7, 9));
    let made = new_file("made.tm");
    let output = tertium(&["assume", &path, "--process", "N", "--safety", "calm", "-o", &made])
        .args(["--method", "abstract", "--curve", "--timeout", "0.3"])
        .output()
        .expect("the program starts");
    let status = output.status.code().expect("a status");
    assert!([0, 3].contains(&status), "{status}: {}", stderr(&output));
    let written = fs::read_to_string(&made).expect("an assumption");
    assert!(written.contains("actions t0, t1;"), "{written}");
    let read = run(&["check", &made, "--mu", "true"]);
    assert_eq!(read.status.code(), Some(0), "{}", stderr(&read));
}

#[test]
fn a_certificate_that_was_tampered_with() {
    let path = example("log.tm");
    for (safety, status) in [("turns", 0), ("idle", 1)] {
        let certificate = new_file(&format!("{safety}.cert"));
        let asked = ["assume", &path, "--process", "Station1", "--safety", safety];
        let made = run(&[&asked[..], &["--certificate", &certificate]].concat());
        assert_eq!(made.status.code(), Some(status));
        assert_eq!(run(&["certify", &path, &certificate]).status.code(), Some(0));
        let bytes = fs::read(&certificate).expect("a certificate");
        for at in (20..bytes.len()).step_by(7) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let output = run(&["certify", &path, &file("changed.cert", &changed)]);
            let ended = output.status.code();
            assert!([Some(1), Some(2)].contains(&ended), "byte {at}: {}", stdout(&output));
        }
        let cut = run(&["certify", &path, &file("cut.cert", &bytes[..bytes.len() / 2])]);
        assert_eq!(cut.status.code(), Some(1), "{}{}", stdout(&cut), stderr(&cut));
    }
}

/// An `mts` in which nothing is open is an `lts`, for everybody.
#[test]
fn a_complete_mts_is_a_process() {
    let text: &[u8] = b"component A mts { init s; s: -a-> t; t: -b-> s; }
component B lts { init s; s: -a-> s -b-> s; }
system A || B;
safety P lts { actions a, b; init s; s: -a-> t; t: -b-> s; }
";
    let [path, certificate] = [file("mts.tm", text), new_file("mts.cert")];
    let made = run(&["assume", &path, "--process", "A", "--certificate", &certificate]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let audited = run(&["certify", &path, &certificate]);
    assert_eq!(audited.status.code(), Some(0), "{}", stdout(&audited));
}

/// The first scenario of the paper: the process changes, and its assumption may stand or not.
#[test]
fn a_process_that_has_changed() {
    let path = example("mutex.tm");
    let certificate = new_file("mutex.cert");
    let made = run(&["assume", &path, "--process", "N", "--certificate", &certificate]);
    assert_eq!(made.status.code(), Some(0));
    let text = fs::read_to_string(&path).expect("the example");
    let certify = |name: &str, old: &str, new: &str| {
        assert!(text.contains(old));
        let changed = file(name, text.replace(old, new).as_bytes());
        let output = run(&["certify", &changed, &certificate]);
        (output.status.code(), stdout(&output))
    };
    let (status, said) = certify("less.tm", "q: -r1-> m -c2-> r -n2-> j;", "q: -r1-> m -c2-> r;");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("`N` has changed, and its assumption still stands"), "{said}");
    let (status, said) = certify("more.tm", "l: -n1-> j; ", "l: -n1-> j -c2-> p; ");
    assert_eq!(status, Some(1));
    assert!(said.contains("`l` can do `c2`, and class `k` of the assumption cannot"), "{said}");
    let (status, said) = certify("beside.tm", "c: -n2-> a; ", "c: -n2-> a -r1-> e; ");
    assert_eq!(status, Some(1));
    assert!(said.contains("other processes"), "{said}");
    let (status, said) = certify("rule.tm", "free: -c1-> one -c2-> two", "free: -c1-> one");
    assert_eq!(status, Some(1));
    assert!(said.contains("another safety property"), "{said}");
}

#[test]
fn with_and_without_an_assumption_the_verdict_is_the_same() {
    for (name, safeties) in [
        ("alternating-bit.tm", ["order", "silence"]),
        ("client-server.tm", ["one_at_a_time", "zero_first"]),
        ("peterson.tm", ["exclusion", "zero_first"]),
        ("philosophers.tm", ["fork", "zero_first"]),
    ] {
        let path = example(name);
        for safety in safeties {
            let certificate = new_file("checked.cert");
            let outright = run(&["check", &path, "--safety", safety]);
            let asked = ["check", &path, "--safety", safety, "--assume", "auto"];
            let assumed = run(&[&asked[..], &["--certificate", &certificate]].concat());
            assert_eq!(outright.status, assumed.status, "{name} {safety}");
            let audited = run(&["certify", &path, &certificate]);
            assert_eq!(audited.status.code(), Some(0), "{name} {safety}: {}", stdout(&audited));
        }
    }
}

#[test]
fn standard_input_is_a_file_too() {
    let text = fs::read(example("mutex.tm")).expect("the example");
    let output = run_on(&["assume", "-", "--process", "N"], &text);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("3 states in place of 9 states"));
}

/// Found out before the work is done, and nothing is left behind.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_reported_first() {
    let path = example("mutex.tm");
    let asked = ["assume", &path, "--process", "N"];
    for place in [["-o", "/proc/no.tm"], ["--certificate", "/proc/no.cert"], ["-o", "nowhere/a.tm"]]
    {
        let output = run(&[&asked[..], &place].concat());
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stdout(&output), "");
        assert!(stderr(&output).starts_with("Error: cannot write `"), "{}", stderr(&output));
    }
    let before = fs::read(&path).expect("the example");
    let output = run(&[&asked[..], &["-o", &path]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(&path).expect("the example"), before);
}
