//! Certificates: right ones, changed ones, and right ones of other files.

use super::{NO_ERROR_PROGRAM, over_integers, verdicts, with_ranges};
use crate::smv_integers::random_integers::text;
use crate::support::{file, folder, run, stderr, stdout};
use audit::format::{CertificateKind, Checksum};
use std::cell::Cell;
use std::path::Path;
use testkit::{Rng, for_seeds};

/// The result of `certify`: the status, and names and verdicts of the claims that are valid.
fn certified(
    program: &str,
    certificate: &str,
    more: &[&str],
) -> (Option<i32>, Vec<(String, String)>) {
    let output = run(&[&["certify", program, certificate], more].concat());
    let said = stdout(&output);
    assert!(!stderr(&output).contains("panic"), "{}", stderr(&output));
    let valid = said.lines().filter_map(|line| line.strip_prefix("valid "));
    let claims = valid.filter_map(|line| line.trim_start().rsplit_once("  is "));
    let claims = claims.map(|(name, verdict)| (name.to_owned(), verdict.to_owned()));
    (output.status.code(), claims.collect())
}

/// The file, and a certificate of all that is decided: with names and verdicts.
struct Made {
    program: String,
    bytes: Vec<u8>,
    decided: Vec<(String, String)>,
}

/// Nothing if something goes wrong.
fn made(text: &str) -> Option<Made> {
    let program = file("program.smv", text.as_bytes());
    let path = folder().join("program.cert").display().to_string();
    let mut decided = verdicts(text, &["--certificate", &path])?;
    decided.retain(|(_, verdict)| verdict != "unknown");
    Some(Made { program, bytes: std::fs::read(&path).expect("a certificate"), decided })
}

/// Behind the head: what the certificate is about, and the claims.
fn head() -> usize {
    CertificateKind::Integers.header(0).len()
}

fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    Checksum::seal(&mut bytes);
    bytes
}

/// One bit changed, not in the head, and sealed again.
fn forged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut forged = bytes[..bytes.len() - 8].to_vec();
    let place = rng.between(head(), forged.len() - 1);
    forged[place] ^= 1 << rng.below(8);
    sealed(&forged)
}

/// A certificate that pretends to be about what another one is about.
fn disguised(bytes: &[u8], other: &[u8]) -> Vec<u8> {
    sealed(&[&other[..head()], &bytes[head()..bytes.len() - 8]].concat())
}

/// Whether nothing is said that ranges contradict.
fn are_right(said: &[(String, String)], truth: &[(String, String)]) -> Result<(), String> {
    let is_wrong = |(name, verdict): &&(String, String)| {
        truth.iter().any(|(other, right)| other == name && right != verdict)
    };
    match said.iter().find(is_wrong) {
        Some(wrong) => Err(format!("{wrong:?} is said to be valid, and {truth:?} is so")),
        None => Ok(()),
    }
}

#[test]
fn the_examples_are_certified_by_every_solver() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/integers");
    for entry in std::fs::read_dir(folder).expect("the examples are there") {
        let path = entry.expect("it can be listed").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let expected: Vec<(String, String)> = text
            .lines()
            .filter_map(|line| line.strip_prefix("-- expect: ")?.split_once(" = "))
            .map(|(name, verdict)| (name.to_owned(), verdict.to_owned()))
            .collect();
        let Made { program, bytes, .. } = made(&text).expect("no run-time error occurs");
        let certificate = file("example.cert", &bytes);
        for more in [&[][..], &["--solver", "z3", "--cross-check"], &["--solver", "cvc5"]] {
            let output = run(&[&["certify", &program, &certificate], more].concat());
            if stderr(&output).contains("there is no solver") {
                eprintln!("skipped: {more:?}");
                continue;
            }
            let said = certified(&program, &certificate, more);
            assert_eq!(said, (Some(0), expected.clone()), "{path:?} {more:?}");
        }
    }
}

/// All that is decided is certified; what was changed is refused, or right.
#[test]
fn random_files_are_certified() {
    let [valid, refused] = [const { Cell::new(0) }; 2];
    for_seeds("certificates of SMV with integers", 0..60, |rng, case| {
        let template = text(rng, 3);
        case.note(&template);
        let Some(Made { program, bytes, decided }) = made(&over_integers(&template)) else {
            return Ok(());
        };
        let Some(truth) = verdicts(&with_ranges(&template), &[]) else { return Ok(()) };
        let (_, mut said) = certified(&program, &file("right.cert", &bytes), &[]);
        said.retain(|(name, _)| name != "no run-time error occurs");
        if said != decided {
            return Err(format!("{decided:?} was decided, and {said:?} is certified"));
        }
        are_right(&said, &truth)?;
        valid.set(valid.get() + said.len());
        for _ in 0..4 {
            let forged = forged(&bytes, rng);
            let (status, said) = certified(&program, &file("forged.cert", &forged), &[]);
            are_right(&said, &truth)?;
            refused.set(refused.get() + usize::from(!matches!(status, Some(0 | 3))));
        }
        Ok(())
    });
    println!("{valid:?} are valid, {refused:?} that were changed are refused");
    assert!(valid.get() > 60 && refused.get() > 100, "{valid:?} {refused:?}");
}

/// A word of a text exchanged for another one.
fn changed(template: &str, rng: &mut Rng) -> String {
    let words = [
        ("0", "1"),
        ("1", "0"),
        ("2", "1"),
        ("+", "-"),
        ("<", "<="),
        (">", ">="),
        ("=", "!="),
        ("&", "|"),
        ("TRUE", "FALSE"),
        ("b", "!b"),
        ("x", "r"),
        ("INVAR", "INIT"),
        ("FAIRNESS", "INVAR"),
        ("AF", "AG"),
        ("init", "next"),
        (" a", " c"),
        ("EF", "EG"),
        ("INIT", "INVAR"),
    ];
    let (from, to) = *rng.pick(&words);
    let places: Vec<usize> = template.match_indices(from).map(|(place, _)| place).collect();
    match places.is_empty() {
        true => template.to_owned(),
        false => {
            let place = *rng.pick(&places);
            [&template[..place], to, &template[place + from.len()..]].concat()
        }
    }
}

/// A certificate about another file is refused, or right of this one, too: by what it is about, and without that.
#[test]
fn certificates_about_changed_files_are_refused_or_right() {
    let [kept, refused] = [const { Cell::new(0) }; 2];
    for_seeds("certificates of changed SMV with integers", 0..90, |rng, case| {
        let template = text(rng, 2);
        let other = changed(&template, rng);
        case.note(format!("{template}\n-- and now:\n{other}"));
        let [Some(ours), Some(theirs)] = [&template, &other].map(|text| made(&over_integers(text)))
        else {
            return Ok(());
        };
        let Some(truth) = verdicts(&with_ranges(&other), &[]) else { return Ok(()) };
        let bytes = ours.bytes;
        let disguised = disguised(&bytes, &theirs.bytes);
        for bytes in [bytes, disguised] {
            let (status, said) = certified(&theirs.program, &file("other.cert", &bytes), &[]);
            are_right(&said, &truth)?;
            let which = if matches!(status, Some(0 | 3)) { &kept } else { &refused };
            which.set(which.get() + 1);
        }
        Ok(())
    });
    println!("{kept:?} are still right, {refused:?} are refused");
    assert!(kept.get() > 5 && refused.get() > 50, "{kept:?} {refused:?}");
}

#[test]
fn what_a_claim_means_is_read_from_the_file() {
    let Made { bytes, .. } = made(NO_ERROR_PROGRAM).expect("no run-time error occurs");
    let certificate = file("no-error.cert", &bytes);
    let certify = |from: &str, to: &str| {
        assert!(NO_ERROR_PROGRAM.contains(from), "{from}");
        let changed = file("changed.smv", NO_ERROR_PROGRAM.replace(from, to).as_bytes());
        let output = run(&["certify", &changed, &certificate]);
        (output.status.code(), stdout(&output))
    };
    let valid = "valid    no run-time error occurs  is true\nvalid    up  is true\nvalid    seven  is true\n";
    assert_eq!(certify("MODULE main", "-- A comment\nMODULE main"), (Some(0), valid.to_owned()));
    // Another order of what is asked does not matter, nor do other questions.
    let up = "SPEC NAME up := AG (low & r >= 0);\n";
    let last = format!(
        "SPEC NAME other := AG (m = a | r < 5);\n{}",
        NO_ERROR_PROGRAM.replace(up, "") + up
    );
    let last = last.replace(
        "SPEC NAME other := AG (m = a | r < 5);\nMODULE main",
        "MODULE main\nSPEC NAME other := AG (m = a | r < 5);",
    );
    let moved = file("moved.smv", last.as_bytes());
    let moved = run(&["certify", &moved, &certificate, "--require", "up", "--require", "seven"]);
    assert_eq!(stdout(&moved), valid, "{}", stderr(&moved));
    let wrong = [
        ("low := x < 60", "low := x < 50"),
        ("FAIRNESS m = a;", ""),
        ("FAIRNESS m = a;", "FAIRNESS m = b;"),
        ("x < 50 ?", "x < 49 ?"),
        ("r : 0..99", "r : 0..98"),
        ("AF m = a", "AG m = a"),
        ("NAME up", "NAME down"),
        ("INVAR x <= 1000", "INVAR x <= 999"),
        ("init(r) := 0", "init(r) := 1"),
        ("r : 0..99", "r : integer"),
        ("{a, b}", "{a, b, c}"),
    ];
    for (from, to) in wrong {
        let (status, said) = certify(from, to);
        assert_eq!(status, Some(1), "{from}, {to}: {said}");
    }
    assert_eq!(certify("integer", "0..50").0, Some(2));
}

/// Changes after which the contrary is true. What finds them out: where steps may lead, where they must, the start, the
/// measure, the condition of a step, fairness, and inputs.
const CONTRARIES: [(&str, &str, &str); 7] = [
    ("n + 1", "n - 1", "AG n >= 0"),
    ("n + 1", "n + 2", "EF n = 3"),
    ("n + 1", "n", "AF n > 3"),
    ("init(n) := 0", "init(n) := -1", "AG n >= 0"),
    ("n < 8", "n < 4", "EF n = 8"),
    ("FAIRNESS b", "FAIRNESS n < 5", "AF n > 3"),
    ("next(m) := go ? n : 0", "next(m) := go ? 0 : n", "AG (!b -> m = 0)"),
];

#[test]
fn a_certificate_shows_nothing_of_a_file_where_the_contrary_is_true() {
    let text = "MODULE main VAR n : integer; m : integer; b : boolean; IVAR go : boolean;\n\
                ASSIGN init(n) := 0; next(n) := b & n < 8 ? n + 1 : n; next(b) := go;\n\
                init(m) := 0; next(m) := go ? n : 0;\nINVAR n < 9; FAIRNESS b;\n";
    for (from, to, formula) in CONTRARIES {
        let text = format!("{text}SPEC {formula};\n");
        let other = text.replacen(from, to, 1);
        let [ours, theirs] =
            [&text, &other].map(|text| made(text).expect("no run-time error occurs"));
        assert_ne!(ours.decided, theirs.decided, "{from}, {to}: {formula}");
        assert_eq!((ours.decided.len(), theirs.decided.len()), (1, 1), "{from}, {to}: {formula}");
        let bytes = disguised(&ours.bytes, &theirs.bytes);
        let (status, said) = certified(&theirs.program, &file("other.cert", &bytes), &[]);
        assert_eq!((status, said), (Some(1), Vec::new()), "{from}, {to}: {formula}");
    }
}

/// The claim that all others depend on cannot be omitted.
#[test]
fn that_nothing_goes_wrong_is_shown_first() {
    let of = |property: &str| {
        let program = file("program.smv", NO_ERROR_PROGRAM.as_bytes());
        let path = folder().join("one.cert").display().to_string();
        run(&["check", &program, "--certificate", &path, "--property", property]);
        (program, std::fs::read(&path).expect("a certificate"))
    };
    let ((program, one), (_, other)) = (of("up"), of("seven"));
    // The claims have names of different length: before that, both are the same.
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let without = sealed(&[&one[..head()], &one[same - 1..one.len() - 8]].concat());
    let output = run(&["certify", &program, &file("without.cert", &without)]);
    let said = "invalid  up  the absence of run-time errors is not proved first\n";
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(1), said));
}

#[test]
fn a_formula_of_the_command_line_is_certified() {
    let program = file("program.smv", NO_ERROR_PROGRAM.as_bytes());
    let path = folder().join("asked.cert").display().to_string();
    let asked = ["--ctl", "AF x  = 9", "--mu", "nu Z. <> Z & x < 99"];
    let call = [&["check", &program, "--certificate", &path, "--audit"][..], &asked].concat();
    let output = run(&call);
    assert_eq!(stderr(&output).matches(": audited, steps ").count(), 3, "{output:?}");
    let said = [
        ("no run-time error occurs", "true"),
        ("AF x = 9", "true"),
        ("nu Z. <> Z & x < 99", "true"),
    ];
    let said = said.map(|(name, verdict)| (name.to_owned(), verdict.to_owned())).to_vec();
    let required = ["--require", "AF x = 9", "--require", "nu Z. <> Z & x < 99"];
    assert_eq!(certified(&program, &path, &required), (Some(0), said));
}

/// Nothing is trusted, the reading neither: with a solver that answers unknown no claim is valid.
#[test]
fn a_solver_that_does_not_know_makes_nothing_valid() {
    if !Path::new("/bin/sh").exists() {
        eprintln!("skipped: there is no /bin/sh");
        return;
    }
    let Made { program, bytes, .. } = made(NO_ERROR_PROGRAM).expect("no run-time error occurs");
    let certificate = file("right.cert", &bytes);
    let fakes = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solver/fakes");
    for fake in ["unknown", "exits", "garbage"] {
        let fake = fakes.join(format!("{fake}.sh")).display().to_string();
        let output = run(&["certify", &program, &certificate, "--solver", &fake]);
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{fake}: {said}");
        assert!(said.starts_with("invalid  the solver does not know"), "{fake}: {said}");
        // What only one of two knows is not confirmed.
        let both = run(&["certify", &program, &certificate, "--solver", &fake, "--cross-check"]);
        assert_eq!(both.status.code(), Some(1), "{fake}: {both:?}");
    }
}
