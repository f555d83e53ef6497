//! `tertium simulate`, driven by scripts.

use crate::support::{file, run, run_on, stderr, stdout};
use serde_json::Value;
use std::path::Path;

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    root.join(name).to_str().expect("a path in UTF-8").to_owned()
}

/// The output of a script, whose exit status is 0.
fn simulated(arguments: &[&str], script: &str) -> String {
    let output = run_on(&[&["simulate"], arguments].concat(), script.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}\n{}", stdout(&output), stderr(&output));
    stdout(&output)
}

const PARTIAL: &str = "component Door kmts { props open; init shut;
  shut: {!open} -> shut ?> ajar; ajar: {open?} -> shut; }";

#[test]
fn a_may_step_is_shown_as_such_and_taking_it_is_noted() {
    let path = file("door.tm", PARTIAL.as_bytes());
    let text = simulated(&[&path], "2\ntrace\nundo\n1\ntrace\n");
    assert!(text.starts_with("state 0: Door = shut, open = false\n"), "{text}");
    assert!(text.contains("  1: nothing changes\n"), "{text}");
    assert!(text.contains("  2: may step; Door = ajar, open = unknown\n"), "{text}");
    assert!(text.contains("note: step 1 may be there or not\nstate 1: Door = ajar"), "{text}");
    assert!(text.contains("note: 1 step of the walk may be there or not\n"), "{text}");
    assert!(text.ends_with("0: Door = shut, open = false\n1: nothing changes\n"), "{text}");
    let output = run_on(&["simulate", &path, "--json"], b"2\n1\n");
    let document: Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
    let steps = document["trace"]["steps"].as_array().expect("a list");
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[1]["is_may_only"], true);
    assert_eq!(
        (&steps[1]["state"]["Door"], &steps[1]["state"]["open"]),
        (&"ajar".into(), &Value::Null)
    );
    assert!(steps[2].get("is_may_only").is_none());
}

#[test]
fn components_with_actions_are_composed_on_the_fly() {
    let text = simulated(&[&example("assume/mutex.tm")], "1\nr 3\ntrace\n");
    assert!(text.contains("state 4: "), "{text}");
    let a = file("a.aut", b"des (0,2,2)\n(0,\"send\",1)\n(1,\"tick\",0)\n");
    let b = file("b.aut", b"des (0,1,1)\n(0,\"send\",0)\n");
    let text = simulated(&["--compose", &a, &b], "1\n");
    assert!(text.contains("state 0: a = 0, b = 0\n  1: send (a, b); a = 1\n"), "{text}");
    assert!(text.contains("state 1: a = 1, b = 0\n  1: tick (a); a = 0\n"), "{text}");
}

#[test]
fn smv_shows_inputs_and_takes_steps_by_them() {
    let path = file(
        "counter.smv",
        b"MODULE main VAR x : 0..3; IVAR go : boolean;
          ASSIGN init(x) := 0; next(x) := go ? (x + 1) mod 4 : x;",
    );
    let text =
        simulated(&[&path, "--watch", "EF x = 3", "--watch", "x = 1"], "1 go=TRUE\ngoto x=3\n");
    assert!(text.contains("  watch EF x = 3: true\n  watch x = 1: false\n"), "{text}");
    assert!(text.contains("input go = true; x = 1\n"), "{text}");
    assert!(
        text.contains("state 1: x = 1\n  watch EF x = 3: true\n  watch x = 1: true\n"),
        "{text}"
    );
    assert!(text.contains("2 steps taken\nstate 3: x = 3\n"), "{text}");
}

#[test]
fn promela_shows_processes_and_statements() {
    let path = example("promela/handshake.pml");
    let text = simulated(&[&path], "1\nr 4\ntrace\n");
    assert!(text.contains("Giver: "), "{text}");
    assert!(text.contains("handshake.pml:"), "{text}");
    assert!(!text.contains("_nobody") && !text.contains("@"), "{text}");
}

#[test]
fn while_programs_show_lines_and_holes_are_may_steps() {
    let text = simulated(&[&example("while/retry.while")], "1\n1\n1\n");
    assert!(text.contains("at line 10: while state = sending do"), "{text}");
    assert!(text.contains("at line 12: hole network(ack)"), "{text}");
    assert!(text.contains("may step; "), "{text}");
}

#[test]
fn programs_over_integers_take_concrete_steps() {
    let text = simulated(&[&example("while/count.while")], "goto n=3\nr 5\ntrace\n");
    assert!(text.contains("0: n = 3, x = 0\n"), "{text}");
    assert!(text.contains("x := x + 2"), "{text}");
    let text = simulated(&[&example("integers/counter.smv")], "1\ngoto n=4\n");
    assert!(text.contains("n = 4"), "{text}");
    let any = file("any.while", b"var x : int := 0;\nx := any;\ndone: fin\n");
    let text = simulated(&[&any], "1 x=12345\n");
    assert!(text.contains("or another x"), "{text}");
    assert!(text.contains("state 1: x = 12345\n"), "{text}");
}

#[test]
fn a_walk_that_was_written_is_followed_again() {
    for name in ["peterson.smv", "promela/peterson.pml", "while/elevator.while", "c-4.9.tm"] {
        let path = example(name);
        let arguments = ["simulate", &path, "--steps", "12", "--seed", "4", "--json"];
        let written = run(&arguments);
        assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
        assert_eq!(stdout(&written), stdout(&run(&arguments)), "the seed determines it");
        let trace = file("walk.json", &written.stdout);
        let again = run(&["simulate", &path, "--replay", &trace, "--json"]);
        assert_eq!(again.status.code(), Some(0), "{name}: {}", stderr(&again));
        let states = |output: &std::process::Output| -> Vec<Value> {
            let document: Value = serde_json::from_str(&stdout(output)).expect("JSON");
            let steps = document["trace"]["steps"].as_array().expect("a list").clone();
            steps.iter().map(|step| step["state"].clone()).collect()
        };
        assert_eq!(states(&again), states(&written), "{name}");
    }
}

#[test]
fn a_trace_of_another_model_is_refused() {
    let trace = file(
        "other.json",
        br#"{"trace": {"loop_start": null, "steps": [{"state": {"x": 0}}, {"state": {"x": 2}}]}}"#,
    );
    let path = file("up.smv", b"MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := 1;");
    let output = run(&["simulate", &path, "--replay", &trace]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("no step leads from state 0 to state 1"),
        "{}",
        stderr(&output)
    );
    let output = run(&["simulate", &path, "--replay", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is no trace"), "{}", stderr(&output));
}

#[test]
fn wrong_commands_do_not_end_a_script_and_are_reported_by_its_status() {
    let path = file("door.tm", PARTIAL.as_bytes());
    for wrong in
        ["0", "9", "jump", "undo", "goto", "goto lid=1", "goto Door", "watch AG", "random x"]
    {
        let output = run_on(&["simulate", &path], format!("{wrong}\n1\n").as_bytes());
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(stderr(&output).contains("Error"), "{wrong}: {}", stderr(&output));
        assert!(stdout(&output).contains("state 1: "), "{wrong}: {}", stdout(&output));
    }
    let output = run_on(&["simulate", &path], b"# a comment\n\nquit\nnonsense\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(run(&["simulate", "-"]).status.code(), Some(2));
}

#[test]
fn an_initial_state_is_chosen_where_there_are_several() {
    let path = file("two.smv", b"MODULE main VAR x : 0..1; ASSIGN next(x) := x;");
    let text = simulated(&[&path], "2\nundo\n1\n");
    assert!(text.starts_with("choose an initial state:\n  1: x = 0\n  2: x = 1\n"), "{text}");
    assert!(text.contains("state 0: x = 1\n"), "{text}");
    assert!(text.ends_with("state 0: x = 0\n  1: nothing changes\n"), "{text}");
}

#[test]
fn a_deadlock_is_reported() {
    let path = file("end.aut", b"des (0,1,2)\n(0,\"a\",1)\n");
    let text = simulated(&[&path], "r 5\n");
    assert!(text.contains("no further step can be taken\n"), "{text}");
    assert!(text.ends_with("state 1: end = 1\n  no step can be taken here\n"), "{text}");
    let output = run(&["simulate", &path, "--steps", "3"]);
    assert!(
        stdout(&output).ends_with("1: a; end = 1\nno step can be taken here\n"),
        "{}",
        stdout(&output)
    );
}
