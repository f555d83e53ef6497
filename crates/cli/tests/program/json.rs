//! The JSON documents.

use crate::support::{file, run, stderr, stdout};
use serde_json::Value;

const DOOR: &[u8] = b"component A kmts { props p, q; init s; s: {p, q?} -> t; t: {p, !q} -> s; }
component B kripke { props r; init u; u: {r} -> u; }
system A || B;
property yes: ctl AG p;
property \"no, never\": mu q & <> q;
property maybe: ctl AG !q;
";

fn check(arguments: &[&str], status: i32) -> Value {
    let path = file("door.tm", DOOR);
    let output = run(&[&["check", &path, "--json"], arguments].concat());
    assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    serde_json::from_str(&stdout(&output)).expect("one JSON document and nothing else")
}

fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    let mut keys: Vec<&str> = object.keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn one_object_with_a_result_for_each_property() {
    let document = check(&["--method", "direct"], 1);
    let expected = ["files", "format", "results", "shared_seconds", "tool", "version"];
    assert_eq!(keys(&document), expected);
    assert_eq!(document["tool"], "tertium");
    assert_eq!(document["format"], 2);
    assert_eq!(document["version"], env!("CARGO_PKG_VERSION"));
    assert!(document["files"][0].as_str().unwrap().ends_with("door.tm"));
    let results = document["results"].as_array().unwrap();
    let reported: Vec<(&str, &str)> = results
        .iter()
        .map(|result| (result["property"].as_str().unwrap(), result["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(reported, [("yes", "true"), ("no, never", "false"), ("maybe", "unknown")]);
    for result in results {
        let expected = [
            "column",
            "deadlock",
            "falsified_in",
            "file",
            "formula",
            "line",
            "logic",
            "method",
            "property",
            "reason",
            "seconds",
            "stats",
            "trace",
            "verdict",
        ];
        assert_eq!(keys(result), expected);
        assert_eq!(result["method"], "direct");
        assert!(result["deadlock"].is_null());
        assert!(result["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0));
        assert_eq!(result["reason"].is_string(), result["verdict"] == "unknown");
        for figure in ["states", "transitions", "game_nodes", "game_edges", "peak_bytes"] {
            assert!(result["stats"][figure].is_u64(), "{figure}");
        }
    }
    assert_eq!([&results[0]["falsified_in"], &results[2]["falsified_in"]], [&Value::Null; 2]);
    assert_eq!(results[1]["falsified_in"], "s,u");
    assert_eq!(results[1]["logic"], "mu");
    assert_eq!(results[1]["formula"], "q & <> q");
}

#[test]
fn the_compositional_method_has_figures_of_its_own() {
    let document = check(&["--method", "compositional"], 1);
    for result in document["results"].as_array().unwrap() {
        assert_eq!(result["method"], "compositional");
        let nodes = result["stats"]["component_nodes"].as_array().unwrap();
        assert!(!nodes.is_empty() && nodes.iter().all(Value::is_u64));
        assert!(result["stats"]["product_nodes"].is_u64());
        assert!(result["stats"].get("game_nodes").is_none());
    }
}

#[test]
fn the_method_of_refinement_has_figures_of_its_own() {
    let document = check(&["--method", "refine"], 1);
    for result in document["results"].as_array().unwrap() {
        assert_eq!(result["method"], "refine");
        assert!(result.get("known_values").is_none(), "no limit was reached");
        let stats = &result["stats"];
        assert!(stats["iterations"].is_u64() && stats["coloured_nodes"].is_u64());
        for size in stats["abstract_states"].as_array().unwrap() {
            assert_eq!(keys(size), ["abstract_states", "component", "concrete_states"]);
        }
        assert!(stats.get("component_nodes").is_none());
    }
}

/// The fact is there whatever the logic; the warning is for CTL only.
#[test]
fn a_deadlock_is_an_object() {
    let labels = b"component A kripke { props p; init s; s: {} -> t; t: {p} -> t; }
component B kripke { props p; init u; u: {} -> v; v: {p} -> w; w: {} -> w; }
system A || B;
property two: mu <> <> true;
property three: ctl AG EX true;
";
    let path = file("labels.tm", labels);
    for method in ["direct", "compositional"] {
        for (property, warning) in [("two", ""), ("three", "Warning: `three`")] {
            let output =
                run(&["check", &path, "--json", "--property", property, "--method", method]);
            let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
            let expected = serde_json::json!({ "state": "t,v", "blocked_components": [] });
            assert_eq!(document["results"][0]["deadlock"], expected, "{method}");
            assert!(stderr(&output).starts_with(warning), "{}", stderr(&output));
            assert_eq!(stderr(&output).is_empty(), warning.is_empty());
        }
    }
}

#[test]
fn values_by_state() {
    let document = check(&["--values", "--property", "maybe"], 3);
    let values = &document["results"][0]["values"];
    assert_eq!(values, &serde_json::json!({ "s,u": "unknown", "t,u": "unknown" }));
}

#[test]
fn a_limit_before_the_properties_are_read_keeps_the_types() {
    let document = check(&["--memory", "1"], 3);
    let result = &document["results"][0];
    for key in ["property", "logic", "formula", "verdict", "method", "reason"] {
        assert!(result[key].is_string(), "{key}: {result}");
    }
    assert!(result["seconds"].is_number() && result["stats"].is_object());
}

#[test]
fn exit_status_follows_the_verdicts() {
    check(&["--property", "yes"], 0);
    check(&["--property", "yes", "--property", "maybe"], 3);
    check(&["--property", "no, never", "--property", "maybe"], 1);
    check(&["--timeout", "0"], 3);
}

#[test]
fn errors_alone_are_on_standard_output_if_the_input_is_wrong() {
    let path = file("wrong.tm", b"component A kripke {");
    for arguments in [
        vec!["check", &path, "--json"],
        vec!["check", "nowhere.tm", "--json"],
        vec!["check", &path, "--json", "--method", "symbolic"],
        vec!["compare", &path, &path, "--json"],
        vec!["solve", &path, "--json"],
    ] {
        let output = run(&arguments);
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), String::new()));
        let document: Value = serde_json::from_str(&stdout(&output)).expect("one object");
        let keys: Vec<&String> = document.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["errors"]);
        let errors = document["errors"].as_array().expect("a list");
        assert!(!errors.is_empty());
        for error in errors {
            let keys: Vec<&String> = error.as_object().expect("an object").keys().collect();
            assert_eq!(keys, ["message", "file", "line", "column", "help"]);
        }
    }
}
