//! While-programs through the program: what the examples say of themselves, by the methods that know machines.

use crate::support::{file, run, run_on, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The examples without holes, each with the verdicts of its properties.
const EXAMPLES: [(&str, &[bool]); 7] = [
    ("figure1", &[true, true, true, true]),
    ("buffer", &[true, true, true, true]),
    ("sort", &[true, true, true]),
    ("division", &[false, true, true]),
    ("mutex", &[true, true, true]),
    ("gcd", &[true, true, true]),
    ("elevator", &[true, true, false, true]),
];

fn example(name: &str) -> String {
    format!("{}/../../examples/while/{name}.while", env!("CARGO_MANIFEST_DIR"))
}

fn verdicts(arguments: &[&str]) -> Vec<bool> {
    let output = run(&[&["check"], arguments, &["--json"]].concat());
    let said: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{arguments:?}: {}", stderr(&output)));
    let results = said["results"].as_array().expect("results");
    results.iter().map(|result| result["verdict"] == "true").collect()
}

#[test]
fn examples_have_their_verdicts() {
    for (name, wanted) in EXAMPLES {
        for method in ["direct", "symbolic", "auto"] {
            let found = verdicts(&[&example(name), "--method", method]);
            assert_eq!(found, wanted, "{name}, {method}");
        }
    }
}

#[test]
fn small_examples_by_the_other_methods() {
    for (name, wanted) in
        EXAMPLES.into_iter().filter(|(name, _)| ["gcd", "division"].contains(name))
    {
        for method in ["compositional", "refine"] {
            assert_eq!(verdicts(&[&example(name), "--method", method]), wanted, "{name}, {method}");
        }
    }
}

#[test]
fn all_examples_are_laid_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/while");
    for entry in std::fs::read_dir(folder).expect("examples") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a program");
        let output = run(&["convert", &path.display().to_string(), "-", "--to", "while"]);
        assert_eq!(stdout(&output), text, "{}", path.display());
    }
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("imperative");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

/// The example as SMV.
fn as_smv(name: &str, into: &str) -> String {
    let path = scratch(into).display().to_string();
    let output = run(&["convert", &example(name), &path]);
    assert!(output.status.success(), "{}", stderr(&output));
    path
}

#[test]
fn written_as_smv_they_mean_the_same() {
    for (name, wanted) in EXAMPLES {
        let path = as_smv(name, &format!("{name}.smv"));
        assert_eq!(verdicts(&[&path]), wanted, "{name}");
    }
}

/// Skipped where NuSMV is neither named by `NUSMV` nor on the path.
#[test]
fn nusmv_agrees() {
    let nusmv = std::env::var_os("NUSMV").unwrap_or_else(|| "NuSMV".into());
    for (name, wanted) in EXAMPLES {
        let path = as_smv(name, &format!("{name}-peer.smv"));
        let Ok(output) = Command::new(&nusmv).arg(&path).output() else {
            println!("skipped: NuSMV is neither on the path nor named by NUSMV");
            return;
        };
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = said.lines().filter(|line| line.starts_with("-- specification"));
        let found: Vec<bool> = lines.map(|line| line.trim_end().ends_with("is true")).collect();
        assert_eq!(found, wanted, "{name}: {said}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn names_that_smv_has_no_place_for() {
    let path = scratch("names.while");
    let text = "var next, count : 0..1 := 0; var größe : {case, line1, schön} := case; \
                proc init(in esac : 0..1) { next := esac } \
                init(count); größe := schön; fin \
                property \"two words\": ctl AF (größe = schön & next = 0);";
    std::fs::write(&path, text).expect("a file");
    let smv = scratch("names.smv").display().to_string();
    assert!(run(&["convert", &path.display().to_string(), &smv]).status.success());
    assert_eq!(verdicts(&[&smv]), [true]);
}

#[test]
fn a_hole_is_for_the_modular_method() {
    for method in ["direct", "symbolic", "refine", "compositional"] {
        let output = run(&["check", &example("retry"), "--method", method]);
        assert_eq!(output.status.code(), Some(2), "{method}");
        assert!(stderr(&output).contains("`network` is not specified"), "{}", stderr(&output));
    }
}

/// By `auto` and `modular`, for any depth of the stack, and CTL only.
#[test]
fn recursion_is_for_the_modular_method() {
    for method in ["auto", "modular"] {
        let output = run(&["check", &example("visit"), "--method", method, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{method}: {}", stderr(&output));
    }
    assert_eq!(verdicts(&[&example("visit")]), [true, true, false, true]);
    for method in ["direct", "symbolic", "refine", "compositional"] {
        let output = run(&["check", &example("visit"), "--method", method]);
        assert_eq!(output.status.code(), Some(2), "{method}");
        assert!(stderr(&output).contains("recursive call"), "{}", stderr(&output));
    }
    let output = run(&["check", &example("visit"), "--ltl", "F at_done"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let output = run(&["explain", &example("visit"), "--property", "comes back"]);
    let explained = stdout(&output);
    assert!(explained.contains("visit()   (return)"), "{explained}");
    assert!(explained.contains("loop back to step"), "{explained}");
}

#[test]
fn standard_input_begins_with_a_declaration() {
    let program = "// a\nvar x : 0..1;\nx := x + 1\n";
    let output =
        run_on(&["check", "-", "--method", "direct", "--ctl", "EF error"], program.as_bytes());
    assert!(stdout(&output).starts_with("false    EF error"), "{}", stdout(&output));
    let output = run_on(&["convert", "-", "-", "--to", "while"], program.as_bytes());
    assert_eq!(stdout(&output), program);
}

#[test]
fn only_programs_are_written_as_programs() {
    let smv = format!("{}/../../examples/ring.smv", env!("CARGO_MANIFEST_DIR"));
    let output = run(&["convert", &smv, "-", "--to", "while"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("only a while-program can"), "{}", stderr(&output));
}

#[test]
fn certificates_of_programs() {
    let certificate = scratch("gcd.cert").display().to_string();
    let path = example("gcd");
    let written = run(&[
        "check",
        &path,
        "--method",
        "direct",
        "--property",
        "ends",
        "--certificate",
        &certificate,
    ]);
    assert!(written.status.success(), "{}", stderr(&written));
    let looked = run(&["certify", &path, &certificate, "--require", "ends"]);
    assert!(looked.status.success(), "{}", stderr(&looked));
}

#[test]
fn certificates_of_recursive_programs() {
    let certificate = scratch("visit.cert").display().to_string();
    let path = example("visit");
    let written = run(&["check", &path, "--certificate", &certificate, "--audit"]);
    assert_eq!(written.status.code(), Some(1), "{}", stderr(&written));
    let looked = run(&["certify", &path, &certificate]);
    assert!(looked.status.success(), "{}{}", stdout(&looked), stderr(&looked));
    assert_eq!(stdout(&looked).matches("valid").count(), 4, "{}", stdout(&looked));
    let text = std::fs::read_to_string(&path).expect("the example");
    let other = file("visit-other.while", text.replace("more := any", "more := false").as_bytes());
    let refused = run(&["certify", &other, &certificate]);
    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    assert!(stdout(&refused).contains("about another program"), "{}", stdout(&refused));
}

const LINEAR: &str = "\
var x : 0..3 := 0;
while x < 3 do x := x + 1 od;
done: fin
property ends: ltl F at_done;
property passes: ltl (x < 2) U (x = 2 & X (x = 2 & O x = 1));
property small: ltl G x < 2;
";

#[test]
fn linear_time_is_for_the_finite_methods() {
    let path = file("linear.while", LINEAR.as_bytes());
    for method in ["auto", "direct", "symbolic"] {
        let output = run(&["check", &path, "--method", method, "--no-trace"]);
        let said = stdout(&output);
        let verdicts: Vec<&str> =
            said.lines().filter_map(|line| line.split_whitespace().next()).take(3).collect();
        assert_eq!(verdicts, ["true", "true", "false"], "{method}: {said}{}", stderr(&output));
    }
    let given = run(&["check", &path, "--ltl", "G F at_done", "--ltl", "X = 1"]);
    assert_eq!(given.status.code(), Some(2));
    assert!(stderr(&given).contains("there is no variable or constant `X`"), "{}", stderr(&given));
    let modular = run(&["check", &path, "--method", "modular"]);
    assert_eq!(modular.status.code(), Some(2), "{}", stdout(&modular));
    let unbounded = file("unbounded.while", LINEAR.replace("0..3", "int").as_bytes());
    let output = run(&["check", &unbounded]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}
