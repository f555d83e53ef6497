//! Evidence for SMV files with unbounded integers, compared with the same texts over ranges.

mod certificates;
mod traces;

use crate::smv_integers::random_integers::{HIGH, LOW, TYPE};
use crate::support::{file, run, run_on, stderr};
use serde_json::Value;

/// Something may have no value, what holds always depends on the place, and not all paths are fair.
const NO_ERROR_PROGRAM: &str = "\
MODULE main
VAR x : integer; r : 0..99; m : {a, b};
DEFINE low := x < 60;
ASSIGN init(x) := 0; next(x) := x < 50 ? x + 1 : x;
init(r) := 0; next(r) := x;
INVAR m = a -> x >= 0;
INVAR x <= 1000;
FAIRNESS m = a;
SPEC NAME up := AG (low & r >= 0);
SPEC NAME seven := AF (x = 7 & AF m = a);
";

pub fn over_integers(template: &str) -> String {
    template.replace(TYPE, "integer")
}

pub fn with_ranges(template: &str) -> String {
    template.replace(TYPE, &format!("{LOW}..{HIGH}"))
}

/// Names and verdicts, by `check`; nothing if something goes wrong.
pub fn verdicts(text: &str, more: &[&str]) -> Option<Vec<(String, String)>> {
    let call = [&["check", "-", "-q", "--json", "--timeout", "4"], more].concat();
    let document: Value = serde_json::from_slice(&run_on(&call, text.as_bytes()).stdout).ok()?;
    let text = |value: &Value| Some(value.as_str()?.to_owned());
    let results = document["results"].as_array()?.iter();
    results.map(|result| Some((text(&result["property"])?, text(&result["verdict"])?))).collect()
}

#[test]
fn what_there_is_no_evidence_of_says_so() {
    let program = file("program.smv", NO_ERROR_PROGRAM.as_bytes());
    let refused = |arguments: &[&str], wanted: &str| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(wanted), "{arguments:?}: {}", stderr(&output));
    };
    refused(&["explain", &program, "--property", "up", "--html"], "cannot be drawn");
    refused(&["explain", &program, "--property", "up", "--method", "direct"], "finite domains");
    refused(
        &["explain", &program, "--property", "up", "--deadlock", "stutter"],
        "`--deadlock` is not",
    );
    refused(
        &["explain", &program, "--property", "up", "--solver", "no such"],
        "no solver `no such`",
    );
    refused(&["explain", &program, "--property", "up", "--cross-check"], "--solver");
    let finite = file("finite.smv", b"MODULE main VAR b : boolean; SPEC AG b");
    for command in ["check", "explain"] {
        refused(&[command, &finite, "--solver", "z3"], "`--solver` is for programs over integers");
    }
    let model = file("model.tm", b"component A kripke { props p; init s; s: {p} -> s; } ");
    let asked = ["explain", &model, "--ctl", "AG p", "--solver", "z3"];
    refused(&asked, "`--solver` is for programs over integers");
    let wrong = "MODULE main VAR x : integer; r : 0..9; ASSIGN init(x) := 0; next(x) := x + 1; init(r) := 0; \
                 next(r) := x; SPEC AG r >= 0";
    refused(&["explain", &file("wrong.smv", wrong.as_bytes())], "a value out of range");
}
