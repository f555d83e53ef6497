//! What shows verdicts on SMV files with unbounded integers, against the same texts with ranges: certificates, and runs that are
//! told.

use crate::smv_integers::random_integers::{HIGH, LOW, TYPE, text};
use crate::support::{file, folder, run, run_on, stderr, stdout};
use audit::format::{Checksum, MAGIC};
use serde_json::Value;
use std::cell::Cell;
use std::path::Path;
use testkit::{Rng, for_seeds};

fn over_integers(template: &str) -> String {
    template.replace(TYPE, "integer")
}

fn with_ranges(template: &str) -> String {
    template.replace(TYPE, &format!("{LOW}..{HIGH}"))
}

/// Names and verdicts, by `check`; nothing if something goes wrong.
fn verdicts(text: &str, more: &[&str]) -> Option<Vec<(String, String)>> {
    let call = [&["check", "-", "-q", "--json", "--timeout", "4"], more].concat();
    let document: Value = serde_json::from_slice(&run_on(&call, text.as_bytes()).stdout).ok()?;
    let text = |value: &Value| Some(value.as_str()?.to_owned());
    let results = document["results"].as_array()?.iter();
    results.map(|result| Some((text(&result["property"])?, text(&result["verdict"])?))).collect()
}

/// What `certify` says: the status, and names and verdicts of the claims that are valid.
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
const HEAD: usize = MAGIC.len() + 9;

fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    Checksum::seal(&mut bytes);
    bytes
}

/// One bit changed, not in the head, and sealed again.
fn forged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut forged = bytes[..bytes.len() - 8].to_vec();
    let place = rng.between(HEAD, forged.len() - 1);
    forged[place] ^= 1 << rng.below(8);
    sealed(&forged)
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
        let Made { program, bytes, .. } = made(&text).expect("nothing goes wrong");
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
        said.retain(|(name, _)| name != "nothing goes wrong");
        if said != decided {
            return Err(format!("{decided:?} was decided, and {said:?} is certified"));
        }
        are_right(&said, &truth)?;
        valid.set(valid.get() + said.len());
        for _ in 0..4 {
            let forged = forged(&bytes, rng);
            let (status, said) = certified(&program, &file("forged.cert", &forged), &[]);
            are_right(&said, &truth)?;
            refused.set(refused.get() + usize::from(status != Some(0)));
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
        case.note(&format!("{template}\n-- and now:\n{other}"));
        let [Some(ours), Some(theirs)] = [&template, &other].map(|text| made(&over_integers(text)))
        else {
            return Ok(());
        };
        let Some(truth) = verdicts(&with_ranges(&other), &[]) else { return Ok(()) };
        let bytes = ours.bytes;
        let mut disguised = bytes[..bytes.len() - 8].to_vec();
        disguised[..HEAD].copy_from_slice(&theirs.bytes[..HEAD]);
        for bytes in [bytes, sealed(&disguised)] {
            let (status, said) = certified(&theirs.program, &file("other.cert", &bytes), &[]);
            are_right(&said, &truth)?;
            let which = if status == Some(0) { &kept } else { &refused };
            which.set(which.get() + 1);
        }
        Ok(())
    });
    println!("{kept:?} are still right, {refused:?} are refused");
    assert!(kept.get() > 5 && refused.get() > 50, "{kept:?} {refused:?}");
}

const ASSURED: &str = "\
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

#[test]
fn what_a_claim_means_is_read_from_the_file() {
    let Made { bytes, .. } = made(ASSURED).expect("nothing goes wrong");
    let certificate = file("assured.cert", &bytes);
    let certify = |from: &str, to: &str| {
        assert!(ASSURED.contains(from), "{from}");
        let changed = file("changed.smv", ASSURED.replace(from, to).as_bytes());
        let output = run(&["certify", &changed, &certificate]);
        (output.status.code(), stdout(&output))
    };
    let valid =
        "valid    nothing goes wrong  is true\nvalid    up  is true\nvalid    seven  is true\n";
    assert_eq!(certify("MODULE main", "-- A comment\nMODULE main"), (Some(0), valid.to_owned()));
    // Another order of what is asked does not matter, nor do other questions.
    let up = "SPEC NAME up := AG (low & r >= 0);\n";
    let last = format!("SPEC NAME other := AG (m = a | r < 5);\n{}", ASSURED.replace(up, "") + up);
    let last = last.replace(
        "SPEC NAME other := AG (m = a | r < 5);\nMODULE main",
        "MODULE main\nSPEC NAME other := AG (m = a | r < 5);",
    );
    let moved = run(&["certify", &file("moved.smv", last.as_bytes()), &certificate]);
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

/// What all claims rest on cannot be left out.
#[test]
fn that_nothing_goes_wrong_is_shown_first() {
    let of = |property: &str| {
        let program = file("program.smv", ASSURED.as_bytes());
        let path = folder().join("one.cert").display().to_string();
        run(&["check", &program, "--certificate", &path, "--property", property]);
        (program, std::fs::read(&path).expect("a certificate"))
    };
    let ((program, one), (_, other)) = (of("up"), of("seven"));
    // The claims have names of different length: before that, both are the same.
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let without = sealed(&[&one[..HEAD], &one[same - 1..one.len() - 8]].concat());
    let output = run(&["certify", &program, &file("without.cert", &without)]);
    let said = "invalid  up  it is not shown before that nothing goes wrong\n";
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(1), said));
}

#[test]
fn a_formula_of_the_command_line_is_certified() {
    let program = file("program.smv", ASSURED.as_bytes());
    let path = folder().join("asked.cert").display().to_string();
    let asked = ["--ctl", "AF x  = 9", "--mu", "nu Z. <> Z & x < 99"];
    let call = [&["check", &program, "--certificate", &path, "--audit"][..], &asked].concat();
    let output = run(&call);
    assert_eq!(stderr(&output).matches(": audited, steps ").count(), 3, "{output:?}");
    let said =
        [("nothing goes wrong", "true"), ("AF x = 9", "true"), ("nu Z. <> Z & x < 99", "true")];
    let said = said.map(|(name, verdict)| (name.to_owned(), verdict.to_owned())).to_vec();
    assert_eq!(certified(&program, &path, &[]), (Some(0), said));
}

#[test]
fn what_there_is_no_evidence_of_says_so() {
    let program = file("program.smv", ASSURED.as_bytes());
    let refused = |arguments: &[&str], wanted: &str| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(wanted), "{arguments:?}: {}", stderr(&output));
    };
    let path = folder().join("none.cert").display().to_string();
    let symbolic = ["check", &program, "--method", "symbolic", "--certificate", &path];
    refused(&symbolic, "the method `symbolic` shows nothing");
    refused(&["explain", &program, "--property", "up", "--html"], "has no drawing");
    refused(&["explain", &program, "--property", "up", "--method", "direct"], "finitely many");
    refused(
        &["explain", &program, "--property", "up", "--deadlock", "stutter"],
        "`--deadlock` is not",
    );
    refused(&["explain", &program], "one property is explained at a time");
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
    refused(&["explain", &file("wrong.smv", wrong.as_bytes())], "a value that cannot be");
}

/// More states are not asked about.
const LONG: usize = 40;

/// A formula that is true if somebody can go a told way, with what is said on it. `None` if nothing is told.
struct Way {
    story: Value,
    /// Whether formulas speak of all paths: none ends, and all are fair.
    is_total: bool,
}

impl Way {
    fn told(text: &str, property: usize, is_total: bool) -> Option<Self> {
        let number = property.to_string();
        let call = ["explain", "-", "-q", "--json", "--timeout", "4", "--property", &number];
        let story: Value = serde_json::from_slice(&run_on(&call, text.as_bytes()).stdout).ok()?;
        (story["verdict"] != "unknown").then_some(Self { story, is_total })
    }

    fn steps(&self) -> &[Value] {
        self.story["steps"].as_array().map_or(&[], |steps| steps)
    }

    /// Whether it is asked by modalities, which all steps count for, or by operators that speak of infinite fair paths.
    fn is_in_mu(&self) -> bool {
        self.story["logic"] != "ctl" || !self.is_total
    }

    /// Whether remarks can be asked, too.
    fn is_remarked(&self) -> bool {
        self.story["logic"] == "invar" || !self.is_in_mu()
    }

    /// The values of a state, those of the inputs of the step before it, and what is said of it.
    fn state(&self, number: usize, inputs: &Value) -> String {
        let equations = |values: &Value, mark: &str| -> Vec<String> {
            let all = values.as_object().into_iter().flatten();
            all.map(|(name, value)| format!("({mark}{name} = {})", value.as_str().expect("a text")))
                .collect()
        };
        let step = &self.steps()[number];
        let mut parts = equations(&step["values"], "");
        parts.extend(equations(inputs, "was_"));
        let remarks = step["remarks"].as_array().into_iter().flatten().filter_map(Value::as_str);
        parts.extend(remarks.filter(|_| self.is_remarked()).map(remarked));
        parts.join(" & ")
    }

    fn formula(&self) -> Option<String> {
        let (steps, next) = (self.steps(), if self.is_in_mu() { "<>" } else { "EX" });
        let back = self.story["back_to"].as_u64().map(|back| back as usize);
        // Of a long way the beginning is enough.
        let is_long = steps.len() > LONG;
        let argument = self.argument().filter(|_| !is_long);
        let numbers: Vec<usize> = (0..steps.len()).chain(back).take(LONG).collect();
        let mut formula = match (steps.len(), argument) {
            (0, argument) => return argument.map(|argument| format!("!!({argument})")),
            (_, argument) => argument.unwrap_or("TRUE".to_owned()),
        };
        for (place, &number) in numbers.iter().enumerate().rev() {
            let inputs =
                place.checked_sub(1).map_or(&Value::Null, |before| &steps[before]["inputs"]);
            formula = format!("{} & ({formula})", self.state(number, inputs));
            if place > 0 {
                formula = format!("{next} ({formula})");
            }
        }
        Some(formula)
    }

    /// What holds on all runs, in words of the file.
    fn argument(&self) -> Option<String> {
        let places = self.story["argument"]["places"].as_array()?;
        let all = |list: &Value| -> Vec<String> {
            list.as_array()
                .into_iter()
                .flatten()
                .filter_map(|one| Some(format!("({})", one.as_str()?)))
                .collect()
        };
        let held = |held: &Value| {
            let place = held["place"].as_str().expect("a text").replace(", ", " & ");
            let mut parts = all(&held["always"]);
            parts.push(if place == "always" { "TRUE".to_owned() } else { place });
            let cases: Vec<String> = held["cases"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|c| all(c).join(" & "))
                .collect();
            parts.extend((!cases.is_empty()).then(|| format!("({})", cases.join(" | "))));
            format!("({})", parts.join(" & "))
        };
        let places: Vec<String> = places.iter().map(held).collect();
        let one = places.join(" | ");
        Some(match self.is_in_mu() {
            true => format!("nu Z. (({one}) & [] Z)"),
            false => format!("AG ({one})"),
        })
    }
}

/// `here F holds`, `here F does not hold`.
fn remarked(remark: &str) -> String {
    let remark = remark.strip_prefix("here ").expect("a remark");
    match (remark.strip_suffix(" does not hold"), remark.strip_suffix(" holds")) {
        (Some(formula), _) => format!("!({formula})"),
        (None, Some(formula)) => format!("({formula})"),
        (None, None) => panic!("{remark}"),
    }
}

/// The text with ranges, which remembers the inputs of the step before.
fn remembering(template: &str) -> String {
    let text = with_ranges(template);
    match text.contains("IVAR i") {
        true => format!("{text}VAR was_i : {LOW}..{HIGH};\nASSIGN next(was_i) := i;\n"),
        false => text,
    }
}

/// Whether ranges know the way: from some initial state, or all if it is no way but what holds on all.
fn is_known(template: &str, way: &Way) -> Option<bool> {
    let formula = way.formula()?;
    let flag = if way.is_in_mu() { "--mu" } else { "--ctl" };
    let (asked, wanted) = match formula.strip_prefix("!!") {
        Some(formula) => (formula.to_owned(), "true"),
        None => (format!("!({formula})"), "false"),
    };
    let found = verdicts(&remembering(template), &[flag, &asked]);
    let (_, verdict) = found.unwrap_or_else(|| panic!("{asked}")).into_iter().next()?;
    Some(verdict == wanted)
}

/// Runs that are told are runs of the file with ranges, and what is remarked is so.
#[test]
fn told_runs_are_runs_of_the_file() {
    let [told, steps, arguments, cut, caught, changes] = [const { Cell::new(0) }; 6];
    let count = |which: &Cell<usize>, more: usize| which.set(which.get() + more);
    for_seeds("runs of SMV with integers", 0..80, |rng, case| {
        let template = text(rng, 3);
        case.note(&template);
        let finite = run_on(&["check", "-"], remembering(&template).as_bytes());
        if !matches!(finite.status.code(), Some(0 | 1)) {
            return Ok(());
        }
        let ends = stderr(&finite).contains("paths that end do not count");
        let is_total = !ends && !template.contains("FAIRNESS");
        for property in 1..=3 {
            let Some(way) = Way::told(&over_integers(&template), property, is_total) else {
                continue;
            };
            match is_known(&template, &way) {
                Some(false) => return Err(format!("{} is not so", way.story)),
                Some(true) => count(&told, 1),
                None => continue,
            }
            count(&cut, usize::from(way.story["complete"] == false));
            count(&steps, way.steps().len());
            count(&arguments, usize::from(way.argument().is_some()));
            // Whoever tells something else is found out, mostly: it may be so, too.
            if let Some(other) = tampered(&way, rng) {
                count(&changes, 1);
                count(&caught, usize::from(is_known(&template, &other) == Some(false)));
            }
        }
        Ok(())
    });
    println!(
        "{told:?} are told, {steps:?} steps, {arguments:?} arguments, {cut:?} cut; {caught:?} of {changes:?} changes are seen"
    );
    assert!(
        told.get() > 100 && steps.get() > 150 && arguments.get() > 20,
        "{told:?} {steps:?} {arguments:?}"
    );
    assert!(caught.get() * 2 > changes.get(), "{caught:?} of {changes:?}");
}

/// The same with another value somewhere.
fn tampered(way: &Way, rng: &mut Rng) -> Option<Way> {
    let mut story = way.story.clone();
    let steps = story["steps"].as_array_mut()?;
    let number = rng.below(steps.len().max(1));
    let value = steps.get_mut(number)?["values"].get_mut("x")?;
    let old: i64 = value.as_str()?.parse().ok()?;
    *value = (if old == HIGH { LOW } else { old + 1 }).to_string().into();
    Some(Way { story, is_total: way.is_total })
}
