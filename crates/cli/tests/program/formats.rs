//! Traces in the formats that other programs read, by the ending of the file.

use crate::support::{file, folder, run, stderr, stdout};
use serde_json::Value;
use std::fs;

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

#[test]
fn the_ending_chooses_the_format() {
    let vcd = explained("a.vcd");
    assert!(vcd.contains("$var wire 1") && vcd.contains("$enddefinitions"), "{vcd}");
    let itf: Value = serde_json::from_str(&explained("a.itf.json")).expect("JSON");
    assert_eq!(itf["#meta"]["format"], "ITF");
    let states = itf["states"].as_array().expect("states");
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
    assert!(xml.contains("<value variable=\"mode\">idle</value>"), "{xml}");
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
    let told = |format: &str| {
        let output = run(&["explain", &model, "--shortest", "--format", format]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stdout(&output)
    };
    let nusmv = told("nusmv");
    assert!(
        nusmv.starts_with("Trace Description: CTL Counterexample \nTrace Type: Counterexample \n"),
        "{nusmv}"
    );
    assert!(nusmv.contains("  -> Input: 1.2 <-\n    coin = TRUE\n  -> State: 1.2 <-\n"), "{nusmv}");
    let spin = told("spin");
    assert!(spin.ends_with("spin: trail ends after 3 steps\n"), "{spin}");
}

#[test]
fn evidence_that_branches_has_no_trace() {
    let model = file("both.tm", b"component A kripke { props p, q; init s; s: {p} -> t, u; t: {p} -> t; u: {p, q} -> u; }\nproperty both: ctl AG p;\n");
    let output = run(&["explain", &model, "--format", "vcd"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no single path"), "{}", stderr(&output));
}
