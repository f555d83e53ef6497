//! `tertium certify` on certificates about while-programs, written by hand.

use crate::support::{file, run, stderr, stdout};
use audit::modular::{About, ModularWriter, NamedFormula};
use support::FileId;
use transition::cfg::{Closure, Partition, Statements};

const PROGRAM: &str = "\
var x : 0..3 := 0;
hole net(x);
fin
property next: ctl AX x < 3;
property first: ctl x = 0;
";

/// A certificate of formulas without untils: what else there is the checker finds by itself.
fn certificate(
    properties: &[(&str, &str)],
    assumptions: &[&str],
    verdicts: &[Option<bool>],
) -> Vec<u8> {
    let text = PROGRAM.split_once("property").expect("properties").0;
    let asked = properties.iter().enumerate();
    let asked = asked.map(|(number, (_, formula))| format!("property p{number}: ctl {formula};\n"));
    let text = format!("{text}{}", asked.collect::<String>());
    let document = testkit::read_while(FileId(0), &text.into()).expect("a program");
    let surfaces: Vec<_> =
        document.properties.iter().map(|p| p.surface().unwrap().clone()).collect();
    let atom = |name: &str| {
        document.propositions.iter().find(|(known, _)| known == name).map(|(_, atom)| *atom)
    };
    let closure = Closure::new(&surfaces, false, atom).expect("CTL");
    let named = |(name, formula): &(&str, &str)| NamedFormula {
        name: (*name).to_owned(),
        formula: (*formula).to_owned(),
    };
    let vars = document.program.data.vars.ids();
    let order: Vec<_> = vars.flat_map(|var| [(var, 1), (var, 0)]).collect();
    let about = About {
        program: &document.program,
        closure: &closure,
        is_complete: false,
        properties: &properties.iter().map(named).collect::<Vec<_>>(),
        assumptions: &assumptions.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(),
        partition: &Partition::new(&document.program, &mut Statements),
    };
    let mut writer = ModularWriter::start(&about, &order);
    closure.levels.iter().for_each(|_| writer.end_level());
    writer.finish(verdicts)
}

fn certify(text: &str, certificate: &[u8]) -> (Option<i32>, String) {
    certify_requiring(&[], text, certificate)
}

fn certify_requiring(required: &[&str], text: &str, certificate: &[u8]) -> (Option<i32>, String) {
    let [program, certificate] =
        [file("nodes.while", text.as_bytes()), file("nodes.cert", certificate)];
    let output = run(&[&["certify", &program, &certificate], required].concat());
    (output.status.code(), stdout(&output) + &stderr(&output))
}

#[test]
fn verdicts_under_assumptions_name_them() {
    let both = [("next", "AX x < 3"), ("first", "x = 0")];
    let true_twice = [Some(true), Some(true)];
    let assuming = certificate(&both, &["net: AG x < 3"], &true_twice);
    let said = "valid    next  is true, assuming `net: AG x < 3`\n\
                valid    first  is true, assuming `net: AG x < 3`\n";
    assert_eq!(certify(PROGRAM, &assuming), (Some(3), said.to_owned()));
    let alone = certificate(&both, &[], &[None, Some(true)]);
    let first = "valid    first  is true\n";
    let said = format!("{first}missing  next  the certificate does not claim it\n");
    assert_eq!(certify(PROGRAM, &alone), (Some(3), said));
    let required = certify_requiring(&["--require", "first"], PROGRAM, &alone);
    assert_eq!(required, (Some(0), first.to_owned()));
    let wrong = certificate(&both, &[], &true_twice);
    let said = "invalid  it is not proved that `next` is true in all initial states\n";
    assert_eq!(certify(PROGRAM, &wrong), (Some(1), said.to_owned()));
    let nothing = certificate(&both, &[], &[None, None]);
    assert_eq!(certify(PROGRAM, &nothing).1, "invalid  the certificate has no claims\n");
}

#[test]
fn a_formula_of_the_command_line_is_its_own_name() {
    let given = certificate(&[("EX x < 9", "EX x < 9")], &[], &[Some(true)]);
    let required = certify_requiring(&["--require", "EX x < 9"], PROGRAM, &given);
    assert_eq!(required, (Some(0), "valid    EX x < 9  is true\n".to_owned()));
    let unknown = certificate(&[("other", "x = 0")], &[], &[Some(true)]);
    let said = "invalid  there is no property `other` in the file\n";
    assert_eq!(certify(PROGRAM, &unknown), (Some(1), said.to_owned()));
}

#[test]
fn it_needs_the_program_that_it_is_about() {
    let given = certificate(&[("first", "x = 0")], &[], &[Some(true)]);
    let (status, said) = certify(&PROGRAM.replace("0..3", "0..2"), &given);
    assert_eq!((status, &*said), (Some(1), "invalid  the certificate is about another program\n"));
    let output = run(&["certify", &file("a.smv", b"MODULE main\n"), &file("nodes.cert", &given)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("the certificate is about a while-program"));
    let (status, said) =
        certify(PROGRAM, &certificate(&[("first", "x = 0")], &["web: AF end"], &[Some(true)]));
    assert_eq!(status, Some(1));
    assert!(said.starts_with("invalid  its assumption does not fit this program: "), "{said}");
}

#[test]
fn a_certificate_of_before_is_refused() {
    let (status, said) = certify(PROGRAM, b"tertium certificate\n\x05\0\0\0\0\0\0\0\0");
    assert_eq!(status, Some(2));
    assert!(said.contains("create it again with `tertium check … --certificate FILE`"), "{said}");
}
