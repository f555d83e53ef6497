//! Programs with holes: what is said to decide a property does.

use crate::support::{file, run, stderr};
use serde_json::Value;

const TWO_HOLES: &str = r#"
var x : 0..3 := 0;
var busy : bool := false;
var sent : 0..3 := 0;
while sent < 3 do
  hole prepare(x);
  busy := true;
  hole send(busy);
  sent := sent + 1
od;
done: fin

property ends: ctl AF at_done;
property small: ctl AG (at_done -> x <= 2);
property calm: ctl AG !error;
property free: ctl AG (at_done -> !busy);
property "never done": ctl AG !at_done;
"#;

const IN_A_PROCEDURE: &str = "
var level : 0..5 := 0;
var open : bool := false;
proc measure() { hole sensor(level) }
while level < 5 do
  measure();
  if level >= 3 then open := true else open := false fi
od;
done: fin

property dry: ctl AG (at_done -> open);
property low: ctl AG level <= 2;
property full: ctl AF level = 5;
property back: ctl AG EF at_done;
";

fn results(arguments: &[&str]) -> Vec<Value> {
    let output = run(&[&["check"], arguments, &["--json"]].concat());
    let said: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{arguments:?}: {}", stderr(&output)));
    said["results"].as_array().expect("results").clone()
}

/// The verdict that a reason promises, and the assumptions for it.
fn promised(reason: &str) -> Option<(&str, Vec<&str>)> {
    let (_, promise) = reason.split_once("; it is ")?;
    let (verdict, assumptions) = promise.split_once(" under the assumption ")?;
    Some((verdict, assumptions.split('`').skip(1).step_by(2).collect()))
}

/// Takes the program at its word; how many promises there were.
fn keep_promises(path: &str) -> usize {
    let mut count = 0;
    for result in results(&[path]) {
        let Some((verdict, assumptions)) = result["reason"].as_str().and_then(promised) else {
            continue;
        };
        count += 1;
        let name = result["property"].as_str().expect("a name");
        for partition in ["whole", "statement", "auto"] {
            let mut arguments = vec![path, "--property", name, "--partition", partition];
            arguments.extend(assumptions.iter().flat_map(|text| ["--assume", text]));
            let found = results(&arguments);
            assert_eq!(found[0]["verdict"], verdict, "{arguments:?}");
        }
    }
    count
}

#[test]
fn assumptions_that_are_named_decide() {
    let retry = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/while/retry.while");
    assert_eq!(keep_promises(retry), 2);
    assert_eq!(keep_promises(&file("two.while", TWO_HOLES.as_bytes())), 5);
    assert_eq!(keep_promises(&file("procedure.while", IN_A_PROCEDURE.as_bytes())), 3);
}

/// A needed assumption besides those that are given.
#[test]
fn assumptions_that_are_given_count() {
    let path = file("half.while", TWO_HOLES.as_bytes());
    let found = results(&[&path, "--property", "ends", "--assume", "prepare: AF end"]);
    let reason = found[0]["reason"].as_str().expect("a reason");
    assert_eq!(promised(reason), Some(("true", vec!["send: AF end"])), "{reason}");
}
