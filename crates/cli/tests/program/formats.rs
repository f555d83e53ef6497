//! Traces in the formats that other programs read, by the ending of the file.

use crate::support::{file, folder, run, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const COUNTER: &[u8] = b"MODULE main
VAR x : 0..5; busy : boolean; mode : {idle, run};
IVAR coin : boolean;
ASSIGN
  init(x) := 0; next(x) := case coin : (x + 1) mod 6; TRUE : x; esac;
  init(busy) := FALSE; next(busy) := coin;
  init(mode) := idle; next(mode) := case coin : run; TRUE : idle; esac;
SPEC AG x < 3
";

fn explained(name: &str) -> String {
    let model = file("counter.smv", COUNTER);
    let path = folder().join(name);
    let output = run(&["explain", &model, "--shortest", "-o", path.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{name}");
    fs::read_to_string(path).expect("it is written")
}

/// The rules of Apalache's ADR 015: the keys, that all states have all variables, and the forms of values. Under `#meta`
/// stand texts, which readers expect there.
fn keeps_to_itf(itf: &Value) {
    assert_eq!(itf["#meta"]["format"], "ITF");
    let vars: BTreeSet<&str> =
        itf["vars"].as_array().expect("vars").iter().map(|v| v.as_str().expect("a name")).collect();
    let states = itf["states"].as_array().expect("states");
    for (index, state) in states.iter().enumerate() {
        let own = state.as_object().expect("an object");
        let meta = own["#meta"].as_object().expect("an object");
        assert_eq!(meta["index"], index);
        assert!(meta.iter().all(|(key, value)| key == "index" || value.is_string()), "{state}");
        let names: BTreeSet<&str> = own.keys().map(|k| &**k).filter(|k| *k != "#meta").collect();
        assert_eq!(names, vars, "{state}");
        for (_, value) in own.iter().filter(|(name, _)| *name != "#meta") {
            let is_number = |text: &Value| text.as_str().is_some_and(|t| t.parse::<i128>().is_ok());
            let is_value = match value {
                Value::Bool(_) | Value::String(_) => true,
                Value::Object(tagged) if tagged.len() == 1 => {
                    tagged.get("#bigint").is_some_and(is_number)
                        || tagged.get("#unserializable").is_some_and(Value::is_string)
                }
                _ => false,
            };
            assert!(is_value, "{value}");
        }
    }
    if let Some(start) = itf.get("loop") {
        assert!(start.as_u64().is_some_and(|start| (start as usize) < states.len()), "{itf}");
    }
    let keys = ["#meta", "params", "vars", "states", "loop"];
    let object = itf.as_object().expect("an object");
    assert!(object.keys().all(|key| keys.contains(&&**key)), "{itf}");
}

#[test]
fn all_examples_that_have_traces_keep_to_the_formats() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut written = 0;
    for (name, property) in [
        ("peterson.smv", "3"),
        ("ring.smv", "quiet"),
        ("alternating-bit.tm", "delivery is certain"),
        ("arbiter.tm", "a grant can come"),
        ("promela/mutex-broken.pml", "assertions"),
    ] {
        let model = root.join(name);
        let model = model.to_str().expect("UTF-8");
        let reported = |format: &str| {
            let output = run(&["explain", model, "--property", property, "--format", format, "-q"]);
            let is_none = stderr(&output).contains("no single path");
            assert_eq!(output.status.code() == Some(2), is_none, "{name}: {}", stderr(&output));
            (!is_none).then(|| stdout(&output))
        };
        let Some(itf) = reported("itf") else { continue };
        let itf = serde_json::from_str(&itf).expect("JSON");
        keeps_to_itf(&itf);
        let vcd = reported("vcd").expect("a trace");
        let times = vcd.lines().filter(|line| line.starts_with('#')).count();
        let states = itf["states"].as_array().expect("states").len();
        assert_eq!(times, states + 1, "{name}");
        let nodes = reported("nusmv-xml").expect("a trace").matches("<node>").count();
        assert_eq!(nodes, states + usize::from(itf.get("loop").is_some()), "{name}");
        written += 1;
    }
    assert!(written >= 3, "{written}");
}

#[test]
fn the_ending_chooses_the_format() {
    let vcd = explained("a.vcd");
    assert!(vcd.contains("$var wire 1") && vcd.contains("$enddefinitions"), "{vcd}");
    let itf: Value = serde_json::from_str(&explained("a.itf.json")).expect("JSON");
    keeps_to_itf(&itf);
    let states = itf["states"].as_array().expect("states");
    assert_eq!(states[1]["#meta"]["inputs"], "coin = true");
    let x: Vec<&str> =
        states.iter().map(|state| state["x"]["#bigint"].as_str().expect("x")).collect();
    assert_eq!(x, ["0", "1", "2", "3"]);
    let json: Value = serde_json::from_str(&explained("a.json")).expect("JSON");
    let steps = json["trace"]["steps"].as_array().expect("steps");
    let x: Vec<i64> = steps.iter().map(|step| step["state"]["x"].as_i64().expect("x")).collect();
    assert_eq!(x, [0, 1, 2, 3]);
    assert_eq!(steps[1]["inputs"]["coin"], true);
    assert_eq!(json["trace"]["loop_start"], Value::Null);
    let xml = explained("a.xml");
    assert!(xml.contains("<value variable=\"x\">3</value>"), "{xml}");
    assert_eq!(xml.matches("<node>").count(), 4);
    assert!(explained("a.html").contains("<html"));
    assert!(explained("a.svg").contains("<svg"));
    assert!(explained("a.txt").contains("AG x < 3"));
}

#[test]
fn an_unknown_ending_is_an_error() {
    let model = file("counter.smv", COUNTER);
    for name in ["a.pdf", "a"] {
        let path = folder().join(name);
        let output = run(&["explain", &model, "-o", path.to_str().expect("UTF-8")]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(".itf.json"), "{}", stderr(&output));
        assert!(!path.exists(), "{name}");
    }
}

#[test]
fn nusmv_and_spin_have_their_words() {
    let model = file("counter.smv", COUNTER);
    let reported = |format: &str| {
        let output = run(&["explain", &model, "--shortest", "--format", format]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stdout(&output)
    };
    let nusmv = reported("nusmv");
    assert!(
        nusmv.starts_with("Trace Description: CTL Counterexample \nTrace Type: Counterexample \n"),
        "{nusmv}"
    );
    assert!(nusmv.contains("  -> Input: 1.2 <-\n    coin = TRUE\n  -> State: 1.2 <-\n"), "{nusmv}");
    let spin = reported("spin");
    assert!(spin.ends_with("spin: trail ends after 3 steps\n"), "{spin}");
}

#[test]
fn evidence_that_branches_has_no_trace() {
    let model = file("both.tm", b"component A kripke { props p, q; init s; s: {p} -> t, u; t: {p} -> t; u: {p, q} -> u; }\nproperty both: ctl AG p;\n");
    let output = run(&["explain", &model, "--format", "vcd"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no single path"), "{}", stderr(&output));
}
