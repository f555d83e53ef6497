//! Text with an assumption in it.

use crate::support::{apart, component, fails, quotient, read};
use front::promela::write_with_assumption;
use support::Diagnostic;

/// The text with a component replaced by itself, or by its quotient with one class.
fn written(text: &str, name: &str, is_coarse: bool) -> Result<String, Diagnostic> {
    let apart = apart(text);
    let component = component(&apart, name);
    let model = &apart.system.components[component].model;
    let merged = quotient(model, &vec![0; model.states()]);
    let assumption = if is_coarse { &merged } else { model };
    let comments: Vec<String> = (0..assumption.states()).map(|n| format!("class {n} */")).collect();
    write_with_assumption(text, &read(text), &apart, component, assumption, &comments)
}

fn both(text: &str, name: &str) -> [String; 2] {
    [false, true].map(|is_coarse| written(text, name, is_coarse).expect("it can be written"))
}

fn refused(text: &str, name: &str) -> String {
    let error = written(text, name, false).expect_err("refused");
    let (span, label) = &error.labels[0];
    format!("{} [{}: {label}]", error.message, &text[span.range()])
}

const HANDSHAKE: &str = "// A comment { that stays.
mtype = { ask, answer }; chan link = [0] of { mtype, byte };
byte got;
active proctype Client() { byte n;  do :: link!ask,1; link?answer,n; assert(n == 2) od } /* ; */
active proctype Server() { byte n;
  do :: link?ask,n; link!answer,(n + 1) od }
";

#[test]
fn everything_else_stays_as_it_was() {
    let [itself, merged] = both(HANDSHAKE, "Server");
    for text in [&itself, &merged] {
        let (start, end) = HANDSHAKE.split_once("Server() {").expect("it is there");
        assert!(text.starts_with(&format!("{start}Server() {{")));
        assert!(text.ends_with(&end[end.len() - 2..]));
    }
    assert_eq!(
        merged.split_once("Server() {").expect("it is there").1,
        "
  /* What the others and a safety property can notice of `Server`, and no more.
     Every class has an `end` label: nothing is said of where it may wait for ever. */
  /* class 0 * / */
endC0:
  if
  :: link?ask,1 -> goto endC0
  :: link!answer,2 -> goto endC0
  fi;
}
"
    );
}

#[test]
fn what_is_written_means_the_same() {
    for text in [itself(HANDSHAKE, "Client"), itself(HANDSHAKE, "Server"), itself(BUFFERS, "P")] {
        assert!(!fails(&apart(&text).system), "{text}");
    }
    let slip = HANDSHAKE.replace("n == 2", "n == 3");
    assert!(fails(&apart(&itself(&slip, "Client")).system));
    assert!(fails(&apart(&itself(&slip, "Server")).system));
}

fn itself(text: &str, name: &str) -> String {
    written(text, name, false).expect("it can be written")
}

const BUFFERS: &str = "byte x; chan c = [2] of { byte }; bit a[2];
active proctype P() { byte i; do :: atomic { c!1; a[1] = 1; x = 1 } :: c?i; x = 0 :: x == 1 && len(c) >= 1 -> a[0] = 1 od }
active proctype Q() { do :: c?1 :: nempty(c) -> c!1 :: assert(x < 2) od }";

#[test]
fn what_is_read_is_a_guard() {
    let text = itself(BUFFERS, "P");
    for option in [
        ":: atomic { c!1 -> x = 1; a[1] = 1; goto endC",
        ":: c?1 -> goto endC",
        ":: x == 1 && len(c) >= 1 -> goto endC",
        ":: x = 0 -> goto endC",
    ] {
        assert!(text.contains(option), "{option}\n{text}");
    }
}

#[test]
fn steps_that_differ_in_a_value_are_one() {
    let text =
        "byte x; bit y; active proctype P() { atomic { x++; y = 1 }; x--; assert(x != 7); x < 2 }";
    let written = itself(text, "P");
    for option in [
        ":: atomic { y = 1 -> x = x + 1; goto endC1 }",
        ":: x = x - 1 -> goto endC2",
        ":: x != 7 -> goto endC3",
        ":: atomic { x == 7 -> assert(false) }",
        ":: (x == 0 || x == 1) -> goto endC5",
    ] {
        assert!(written.contains(option), "{option}\n{written}");
    }
}

#[test]
fn one_of_several_gets_a_proctype_of_its_own() {
    let text = "byte x; active [3] proctype P() { x = x + 1; assert(x < 4) } active proctype Q() { x == 3 }";
    for (name, parts) in [
        (
            "P_0",
            ["active proctype P_assumption() {", "active [2] proctype P() { x = x + 1"].as_slice(),
        ),
        (
            "P_1",
            &[
                "active [1] proctype P() { x = x + 1",
                "active proctype P_assumption() {",
                "active [1] proctype P_rest() { x = x + 1; assert(x < 4) } active proctype Q()",
            ],
        ),
        ("P_2", &["active [2] proctype P() { x = x + 1", "active proctype P_assumption() {"]),
    ] {
        let written = itself(text, name);
        let places: Vec<Option<usize>> = parts.iter().map(|part| written.find(part)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}\n{written}");
        let program = read(&written);
        assert_eq!(program.processes.len(), 4, "{written}");
        assert!(!fails(&apart(&written).system), "{written}");
    }
}

#[test]
fn a_process_that_is_run_is_run_by_its_new_name() {
    let text =
        "byte x; proctype P(byte x_; byte n) { x = n } init { run P(0, 1); run P(0, 2); x < 3 }";
    let written = itself(text, "P_2");
    assert!(written.contains("run P(0, 1); run P_assumption(0, 2);"), "{written}");
    assert!(written.contains("proctype P_assumption(byte x_; byte n) {"), "{written}");
    assert_eq!(read(&written).processes.len(), 3);
}

#[test]
fn parameters_do_not_hide_what_is_global() {
    let text =
        "proctype Q(byte x) { run P(x) } byte x; proctype P(byte n) { x = n } init { run Q(2) }";
    // `P` writes the global `x`.
    assert!(itself(text, "P").contains("proctype P(byte n) {"));
    let text =
        text.replace("proctype P(byte n) { x = n }", "proctype P(byte y) { x = y; y = 1 } byte y;");
    assert!(itself(&text, "P").contains("proctype P(byte y) {"));
}

#[test]
fn a_rendezvous_that_depends_on_a_variable_has_a_gate() {
    let text = "bit x; chan r = [0] of { bit, byte };
        active proctype S() { r!x,3 } active proctype T() { r?_,_; x = 1 } active proctype U() { r?1,3 }";
    let written = itself(text, "S");
    for part in [
        "chan gate_0_closed = [0] of { bit, byte };",
        "chan gate_0[2];",
        "d_step { gate_0[0] = gate_0_closed; gate_0[1] = r };",
        ":: gate_0[x == 0]!0,3 -> goto endC1",
        ":: gate_0[x == 1]!1,3 -> goto endC1",
    ] {
        assert!(written.contains(part), "{part}\n{written}");
    }
}

#[test]
fn what_cannot_be_written_is_said() {
    let local = "proctype P(chan c) { c!1 } init { chan d = [1] of { bit }; run P(d) }";
    assert_eq!(
        refused(local, "P"),
        "`init:d` has no name in the assumption of `P` [d: declared within a process]"
    );
    let directive = "bit x; active proctype P() {\n#define Y 1\n x = Y }";
    assert_eq!(
        refused(directive, "P"),
        "the text of `P` cannot be replaced [P: there is a directive within it]"
    );
    let deep = "chan c = [2] of { bit }; active proctype P() { c!1; c!1; atomic { c?1; c?1 } }";
    assert_eq!(
        refused(deep, "P"),
        "one step of `P` depends on more than the first message in `c` [c: Promela has no word for the second message]"
    );
    let part = apart("bit x; active proctype P() { x = 1 }");
    let program = read("bit x; active proctype P() { x = 1 }");
    let model = &part.system.components[1].model;
    assert!(write_with_assumption("", &program, &part, 1, model, &[]).is_err());
    assert!(write_with_assumption("", &program, &part, 0, model, &[]).is_err());
}
