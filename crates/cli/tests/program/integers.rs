//! Certificates about programs over integers: written, and re-checked with the solver of one's choice.

use crate::support::{file, folder, run, stderr, stdout};
use std::path::Path;

const DOWN: &str = "\
var x, y : int;
while x > 0 do choose: y := any; while y > 0 do y := y - 1 od; x := x - 1 od;
done: fin
property ends: ctl AF at_done;
property \"may stay high\": ctl EG x > 0;
property \"can choose\": ctl AG (at_choose -> EF y = x + 7);
";

/// The program, and what shows its verdicts.
fn certified(text: &str, asked: &[&str]) -> (String, String) {
    let program = file("program.while", text.as_bytes());
    let certificate = folder().join("program.cert").display().to_string();
    let call = [&["check", &program, "--certificate", &certificate, "--audit"][..], asked].concat();
    let output = run(&call);
    // Three are asked each time.
    assert_eq!(stderr(&output).matches(": audited, steps ").count(), 3, "{output:?}");
    (program, certificate)
}

fn certify(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(&[&["certify"], arguments].concat());
    (output.status.code(), stdout(&output) + &stderr(&output))
}

const VALID: &str = "\
valid    ends  is true
valid    may stay high  is false
valid    can choose  is true
";

#[test]
fn what_shows_the_verdicts_is_valid() {
    let (program, certificate) = certified(DOWN, &[]);
    assert_eq!(certify(&[&program, &certificate]), (Some(0), VALID.to_owned()));
}

#[test]
fn every_solver_agrees() {
    let (program, certificate) = certified(DOWN, &[]);
    for solver in ["z3", "cvc5"] {
        let (status, said) = certify(&["--solver", solver, &program, &certificate]);
        if said.contains("there is no solver") {
            assert_eq!(status, Some(2));
            eprintln!("skipped: there is no {solver}");
            continue;
        }
        assert_eq!((status, &*said), (Some(0), VALID), "{solver}");
        let both = certify(&["--solver", solver, "--cross-check", &program, &certificate]);
        assert_eq!(both, (Some(0), VALID.to_owned()), "{solver}");
    }
}

/// No claim is valid because of a faulty solver.
#[test]
fn a_solver_that_fails_makes_nothing_valid() {
    if !Path::new("/bin/sh").exists() {
        eprintln!("skipped: there is no /bin/sh");
        return;
    }
    let (program, certificate) = certified(DOWN, &[]);
    let fakes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solver/fakes");
    for fake in ["unknown", "exits", "garbage", "broken_model", "wrong_model", "endless"] {
        let fake = fakes.join(format!("{fake}.sh")).display().to_string();
        let (status, said) = certify(&["--solver", &fake, &program, &certificate]);
        assert_eq!(status, Some(1), "{fake}: {said}");
        let beginning = "invalid  ends  the solver does not know whether this can be: ";
        assert!(said.starts_with(beginning), "{fake}: {said}");
        // What only one of two knows is not confirmed.
        let (status, said) = certify(&["--solver", &fake, "--cross-check", &program, &certificate]);
        assert_eq!(status, Some(1), "{fake}: {said}");
        assert!(said.starts_with("invalid  ends  "), "{fake}: {said}");
    }
}

/// Who cannot be talked to finds nothing, and users are told.
#[test]
fn a_solver_that_does_not_answer_is_refused() {
    if !Path::new("/bin/sh").exists() {
        eprintln!("skipped: there is no /bin/sh");
        return;
    }
    let program = file("program.while", DOWN.as_bytes());
    let fakes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solver/fakes");
    for fake in ["unknown", "exits", "garbage", "endless"] {
        let fake = fakes.join(format!("{fake}.sh")).display().to_string();
        for command in [&["check"][..], &["explain", "--property", "ends"]] {
            for more in [&[][..], &["--cross-check"]] {
                let output = run(&[command, &[&program, "--solver", &fake], more].concat());
                assert_eq!(output.status.code(), Some(2), "{fake}: {output:?}");
                assert!(stderr(&output).contains("does not answer: "), "{fake}: {output:?}");
            }
        }
    }
}

#[test]
fn what_changes_nothing_is_refused() {
    let program = file("program.while", DOWN.as_bytes());
    let flags: [&[&str]; 8] = [
        &["--deadlock", "stutter"],
        &["--deadlock", "error"],
        &["--order", "A"],
        &["--unknown", "A"],
        &["--semantics", "sis"],
        &["--emit-abstraction", "abstractions"],
        &["--lazy"],
        &["--assume", "h: AF end"],
    ];
    for given in flags {
        let output = run(&[&["check", &program][..], given].concat());
        assert_eq!(output.status.code(), Some(2), "{given:?}: {output:?}");
        let said = format!("`{}` is not supported for programs over integers", given[0]);
        assert!(stderr(&output).contains(&said), "{output:?}");
    }
}

/// A loop that is left by counting continues otherwise than it iterates.
#[test]
fn runs_without_end_are_reported_to_where_they_come_back() {
    let text =
        "var x : int := 0; while x < 5 do x := x + 1 od; done: fin property p: ctl AF x < 0;";
    let output = run(&["explain", &file("program.while", text.as_bytes()), "--property", "p"]);
    let reported = stdout(&output);
    assert!(reported.contains("fin\n") && reported.contains("loop back to step "), "{reported}");
    assert!(!reported.contains("infinite continuation"), "{reported}");
}

/// One look at each command is enough for what follows each other.
#[test]
fn long_programs_without_loops_are_decided() {
    let steps = "x := x + 1;\n".repeat(400);
    let text = format!("var x : int := 0;\n{steps}d: fin property q: ctl AG (at_d -> x = 400);");
    let output = run(&["check", &file("program.while", text.as_bytes())]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_formula_of_the_command_line_is_its_own_name() {
    let asked = ["--ctl", "AG EF at_done", "--ctl", "AF y = 3", "--mu", "nu Z. <> Z"];
    let (program, certificate) = certified(DOWN, &asked);
    let said = "valid    AG EF at_done  is true\nvalid    AF y = 3  is false\nvalid    nu Z. <> Z  is true\n";
    let required = asked.map(|word| if word.starts_with("--") { "--require" } else { word });
    let call = [&[&*program, &*certificate][..], &required].concat();
    assert_eq!(certify(&call), (Some(0), said.to_owned()));
}

#[test]
fn it_is_about_this_program_and_this_property() {
    let (_, certificate) = certified(DOWN, &[]);
    let other = |from: &str, to: &str| {
        let changed = file("changed.while", DOWN.replace(from, to).as_bytes());
        certify(&[&changed, &certificate])
    };
    let about_another = "invalid  the certificate is about another program\n".to_owned();
    assert_eq!(other("x - 1", "x - 2"), (Some(1), about_another));
    let (status, said) = other("AF at_done", "AF at_done | x > 9");
    assert_eq!(status, Some(1));
    assert!(said.starts_with("invalid  ends  the certificate is about the formula"), "{said}");
    let missing = "invalid  ends  there is no property of this name in the file\n".to_owned();
    assert_eq!(other("ends", "stops"), (Some(1), missing));
    // Comments and names of places do not matter.
    assert_eq!(other("var", "// a comment\nvar"), (Some(0), VALID.to_owned()));
    let finite = file("finite.while", b"var x : 0..3 := 0; fin");
    let (status, said) = certify(&[&finite, &certificate]);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("the certificate is about a program over integers"), "{said}");
    let model = file("model.tm", b"component A kripke { props p; init s; s: {p} -> s; }");
    assert_eq!(certify(&[&model, &certificate]).0, Some(2));
}

#[test]
fn what_was_torn_is_refused() {
    let (program, certificate) = certified(DOWN, &[]);
    let bytes = std::fs::read(&certificate).expect("a certificate");
    for length in (0..bytes.len()).step_by(97) {
        let torn = file("torn.cert", &bytes[..length]);
        let (status, said) = certify(&[&program, &torn]);
        assert!(matches!(status, Some(1 | 2)), "{length}: {said}");
    }
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 4;
    assert_eq!(certify(&[&program, &file("changed.cert", &changed)]).0, Some(1));
}

#[test]
fn block_by_block_it_is_the_same() {
    for partition in ["auto", "whole", "statement"] {
        let by_pieces = ["--method", "modular", "--partition", partition];
        let (program, certificate) = certified(DOWN, &by_pieces);
        assert_eq!(certify(&[&program, &certificate]), (Some(0), VALID.to_owned()), "{partition}");
    }
}

#[test]
fn what_is_for_finitely_many_values_is_refused() {
    let program = file("program.while", DOWN.as_bytes());
    for flags in
        [["--sets", "bits"], ["--threads", "2"], ["--resume", "kept"], ["--partition", "p"]]
    {
        let output = run(&[&["check", &program][..], &flags].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        let said = stderr(&output);
        assert!(said.contains("for programs whose variables have finitely many values"), "{said}");
        assert!(said.contains("`--partition auto`, `whole` or `statement`"), "{said}");
    }
}

#[test]
fn every_method_that_finds_predicates_explains() {
    let program = file("program.while", DOWN.as_bytes());
    for method in ["auto", "refine", "compositional", "modular"] {
        let output = run(&["explain", &program, "--property", "may stay high", "--method", method]);
        assert_eq!(output.status.code(), Some(1), "{method}: {output:?}");
        assert!(stdout(&output).starts_with("may stay high is false: EG x > 0\n"), "{output:?}");
    }
    let explain = |method| run(&["explain", &program, "--property", "ends", "--method", method]);
    let output = explain("direct");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("finite domains"), "{output:?}");
    let output = explain("symbolic");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(stdout(&output).contains("The given predicates do not decide it"), "{output:?}");
}
