//! SMV with unbounded integers through the program: what works, and what says that it does not.

#[path = "../../../front/tests/smv/random_integers.rs"]
pub mod random_integers;

use crate::support::{folder, run, run_on};
use random_integers::{HIGH, LOW, TYPE, text};
use std::cell::Cell;
use std::process::Output;
use testkit::for_seeds;

const COUNTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/integers/counter.smv");

fn reported(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8(both).expect("a text")
}

/// Exit status 2, with a message that has this in it.
fn refused(arguments: &[&str], wanted: &str) {
    let output = run(arguments);
    let reported = reported(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {reported}");
    assert!(reported.contains(wanted) && !reported.contains("panic"), "{arguments:?}: {reported}");
}

fn on(text: &str, flags: &[&str]) -> (Option<i32>, String) {
    let output = run_on(&[&["check", "-"], flags].concat(), text.as_bytes());
    (output.status.code(), reported(&output))
}

#[test]
fn what_is_asked_on_the_command_line() {
    let check = |flags: &[&str]| run(&[&["check", COUNTER], flags].concat());
    let asked = check(&["--ctl", "AG (n > 2 -> EX n = 0)", "--mu", "nu Z. n >= 0 & [] Z"]);
    assert_eq!(asked.status.code(), Some(1), "{}", reported(&asked));
    let one = check(&["--property", "can_be_reset", "--method", "refine", "-v"]);
    assert_eq!(one.status.code(), Some(0), "{}", reported(&one));
    assert!(reported(&one).contains("round 1:"), "{}", reported(&one));
    let json: serde_json::Value = serde_json::from_slice(&check(&["--json"]).stdout).expect("JSON");
    assert_eq!(json["results"][3]["verdict"], "false");
    assert_eq!(json["results"][0]["logic"], "ctl");
}

#[test]
fn what_wants_ranges_says_so() {
    let out = folder().join("counter.tm");
    let out = out.to_str().expect("a text");
    let finite = "this needs variables with finite domains";
    refused(&["convert", COUNTER, out], finite);
    refused(&["compare", COUNTER, COUNTER], finite);
    for method in ["direct", "modular"] {
        refused(&["check", COUNTER, "--method", method], "");
    }
    refused(&["check", COUNTER, "--unknown", "main"], "`--unknown` is not supported");
    refused(&["check", COUNTER, "--deadlock", "stutter"], "`--deadlock` is not supported");
    refused(&["check", COUNTER, "--values"], "`--values` is not supported");
    refused(&["check", COUNTER, "--property", "no such"], "no such");
}

#[test]
fn what_goes_wrong_is_found_first() {
    let text = |guard: &str| {
        format!(
            "MODULE main VAR x : integer; r : 0..99; ASSIGN init(x) := 0; next(x) := {guard};\n\
             init(r) := 0; next(r) := x;\nSPEC AG r >= 0"
        )
    };
    let (status, fine) = on(&text("x < 50 ? x + 1 : x"), &[]);
    assert_eq!(status, Some(0), "{fine}");
    let (status, wrong) = on(&text("x - 1"), &[]);
    assert_eq!(status, Some(2), "{wrong}");
    assert!(wrong.contains("a value out of range"), "{wrong}");
}

/// The model with a range instead of the integer, as an oracle.
fn as_with_ranges(text: &str) -> Option<i32> {
    let [unbounded, ranged] =
        ["integer", "0..3"].map(|domain| on(&text.replace("DOMAIN", domain), &[]));
    assert_eq!(unbounded.0, ranged.0, "{text}: {unbounded:?} {ranged:?}");
    unbounded.0
}

/// An invariant that has no value somewhere goes wrong there, and only if one can be there.
#[test]
fn invariants_go_wrong_where_ranges_do() {
    let begin = "MODULE main VAR x : -50..50; y : DOMAIN; z : 0..20;";
    let partial = "INVAR case x > 1 : TRUE; x < 0 : TRUE; esac";
    let stays = "TRANS next(x) = x & next(y) = y";
    let ask = "SPEC AG y = 0";
    let wrong = format!("{begin} INIT y = 0; {partial} {stays} {ask}");
    assert_eq!(as_with_ranges(&wrong), Some(2));
    for fine in [
        format!("{begin} INIT y = 0 & x = 5 {partial} {stays} {ask}"),
        format!("{begin} {stays} INIT y = 0 & x = 5 {partial} {ask}"),
        format!(
            "{begin} INIT y = 0 & x = 5 INVAR x >= 0 & x <= 20 ASSIGN next(x) := {{-1, 0, 1}}; \
             next(z) := next(x); next(y) := y; {ask}"
        ),
    ] {
        assert_eq!(as_with_ranges(&fine), Some(0));
    }
}

#[test]
fn what_is_not_supported_is_unknown() {
    let text = "MODULE main VAR x : integer; PSLSPEC always x = x; SPEC AG x = x";
    let (status, reported) = on(text, &[]);
    assert_eq!(status, Some(3), "{reported}");
    assert!(reported.contains("PSL is not supported"), "{reported}");
    let (status, reported) = on("MODULE main VAR x : integer;", &[]);
    assert_eq!(status, Some(2), "{reported}");
    assert!(reported.contains("there is no specification to check"), "{reported}");
}

#[test]
fn linear_time_is_about_fair_paths() {
    let text = "MODULE main VAR x : integer; b : boolean; \
                ASSIGN init(x) := 0; next(x) := case b : x + 1; TRUE : x; esac; FAIRNESS b \
                LTLSPEC F x = 3 LTLSPEC F G x < 0 LTLSPEC G (x = 2 -> O x = 1)";
    let (_, reported) = on(text, &["--no-trace"]);
    let verdicts: Vec<&str> =
        reported.lines().filter_map(|line| line.split_whitespace().next()).take(3).collect();
    assert_eq!(verdicts, ["true", "false", "true"], "{reported}");
}

/// Only infinite paths count, as everywhere in SMV.
#[test]
fn paths_that_end_do_not_count() {
    let text = "MODULE main VAR x : integer; INIT x > 0; TRANS next(x) = x - 1 & x > 0; \
                SPEC EF x = 0; SPEC AF x = 7; INVARSPEC x >= 0";
    let (_, reported) = on(text, &[]);
    let verdicts: Vec<&str> =
        reported.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(verdicts[..3], ["true", "true", "true"], "{reported}");
}

/// The verdicts, nothing if something goes wrong.
fn verdicts(text: &str) -> Option<Vec<String>> {
    let output = run_on(&["check", "-", "-q", "--json", "--timeout", "4"], text.as_bytes());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let results = document["results"].as_array()?;
    results.iter().map(|result| Some(result["verdict"].as_str()?.to_owned())).collect()
}

/// Definite verdicts over integers agree with those over ranges.
#[test]
fn random_files_have_the_verdicts_of_ranges() {
    let decided = Cell::new(0);
    for_seeds("SMV with integers through the program", 0..40, |rng, case| {
        let text = text(rng, 3);
        case.note(&text);
        let finite = verdicts(&text.replace(TYPE, &format!("{LOW}..{HIGH}")));
        let Some(found) = verdicts(&text.replace(TYPE, "integer")) else { return Ok(()) };
        let Some(finite) = finite else { return Ok(()) };
        for (found, finite) in found.iter().zip(&finite) {
            if found != "unknown" {
                decided.set(decided.get() + 1);
                if found != finite {
                    return Err(format!("{found} and {finite}"));
                }
            }
        }
        Ok(())
    });
    assert!(decided.get() > 40, "{decided:?}");
}
