//! Promela through the program: what the examples say of themselves, by every method.

use crate::support::{run, run_on, stderr, stdout};
use serde_json::Value;

/// A model, a formula about it, and whether it holds.
const CLAIMS: [(&str, &str, bool); 22] = [
    ("peterson", "AG !(P[0]@crit & P[1]@crit)", true),
    ("peterson", "AG (P[0]@wait -> AF P[0]@crit)", true),
    ("peterson", "AG AF P[0]@crit", false),
    ("peterson", "AG (turn <= 1 & inside <= 1)", true),
    ("alternating-bit", "AG AF Receiver@take", false),
    ("alternating-bit", "AG EF Receiver@take", true),
    ("philosophers", "EF invalid_end", true),
    ("philosophers-fixed", "AG EF Philosopher[1]@eat", true),
    ("philosophers-fixed", "AG (Philosopher[1]@hungry -> AF Philosopher[1]@eat)", false),
    ("leader", "AF leaders == 1", true),
    ("client-server", "AG (Client[2]@waiting -> EF Client[2]@served)", true),
    ("client-server", "AG Client[2]:rounds <= 2", true),
    ("client-server", "AG len(request) == 0", false),
    ("mutex-broken", "AG !(P[0]@critical & P[1]@critical)", false),
    ("mutex-atomic", "AG !(P[0]@critical & P[1]@critical)", true),
    ("handshake", "AF Taker@done", true),
    ("counter", "AF finished == 2", true),
    ("counter", "E[counter < 4 U finished == 2]", true),
    ("token-ring", "AG AF Station[1]@work", true),
    ("watchdog", "AF alarms == 3", true),
    ("sort", "A[!Sort@sorted U Sort@sorted & a[0] <= a[1]]", true),
    ("readers-writers", "AG !(Writer@writing & Reader[2]@reading)", true),
];

fn verdict(model: &str, formula: [&str; 2], method: &str) -> String {
    let path = format!("{}/../../examples/promela/{model}.pml", env!("CARGO_MANIFEST_DIR"));
    let output = run(&["check", &path, "--json", "--method", method, formula[0], formula[1]]);
    let said: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{model}: {}", String::from_utf8_lossy(&output.stderr)));
    said["results"][0]["verdict"].as_str().expect("a verdict").to_owned()
}

#[test]
fn what_is_claimed_of_the_examples() {
    for (model, formula, holds) in CLAIMS {
        for method in ["auto", "direct", "symbolic"] {
            let found = verdict(model, ["--ctl", formula], method);
            assert_eq!(found, holds.to_string(), "{model}, {formula}, {method}");
        }
    }
}

#[test]
fn small_examples_by_the_other_methods() {
    for (model, formula, holds) in CLAIMS {
        if ["peterson", "mutex-broken", "mutex-atomic", "handshake"].contains(&model) {
            for method in ["compositional", "refine"] {
                let found = verdict(model, ["--ctl", formula], method);
                assert_eq!(found, holds.to_string(), "{model}, {formula}, {method}");
            }
        }
    }
}

#[test]
fn fixpoints_say_the_same_as_ctl() {
    let pairs = [
        ("peterson", "AG !(P[0]@crit & P[1]@crit)", "nu Z. !(P[0]@crit & P[1]@crit) & [] Z"),
        ("counter", "AF finished == 2", "mu Z. finished == 2 | <> true & [] Z"),
        ("token-ring", "EF working == 1", "mu Z. working == 1 | <> Z"),
    ];
    for (model, ctl, mu) in pairs {
        for method in ["direct", "symbolic"] {
            let by_ctl = verdict(model, ["--ctl", ctl], method);
            assert_eq!(by_ctl, verdict(model, ["--mu", mu], method), "{model}, {mu}");
        }
    }
}

#[test]
fn standard_input_is_known_by_how_it_begins() {
    let model = "/* x */\n#define N 2\nbyte x;\nactive proctype P() { L: x = N }\n";
    let of_file = |arguments: &[&str]| {
        let output = run_on(arguments, model.as_bytes());
        assert_eq!(stderr(&output), "", "{arguments:?}");
        stdout(&output)
    };
    let checked = of_file(&["check", "-", "--ctl", "AF (x == N & !P@L)"]);
    assert!(checked.starts_with("true"), "{checked}");
    let explained = of_file(&["explain", "-", "--ctl", "EF x == 2"]);
    assert!(explained.starts_with("true"), "{explained}");
    let assumed = of_file(&["assume", "-", "--process", "P"]);
    assert!(assumed.starts_with("true     assertions"), "{assumed}");
    let converted = of_file(&["convert", "-", "-", "--to", "smv"]);
    assert!(converted.starts_with("MODULE"), "{converted}");
}
