//! What is wrong is said, and where.

use base::FileId;
use front::promela::read_promela;

/// The message and the text that it is about.
fn refusal(text: &str) -> (String, String) {
    let errors = read_promela(FileId(0), text).expect_err("something is wrong");
    let span = errors[0].labels[0].0;
    (errors[0].message.clone(), text[span.range()].to_owned())
}

fn refused(text: &str, message: &str, place: &str) {
    assert_eq!(refusal(text), (message.to_owned(), place.to_owned()), "{text}");
}

#[test]
fn constructs_are_named() {
    for word in ["ltl", "never", "trace", "notrace"] {
        let message = format!("`{word}` is not supported");
        refused(&format!("{word} {{ true }} init {{ skip }}"), &message, word);
    }
    refused("init { { skip } unless { skip } }", "`unless` is not supported", "unless");
    refused("init { c_code { x } }", "`c_code` is not supported", "c_code");
    refused(
        "active proctype P() provided (true) { skip }",
        "`provided` is not supported",
        "provided",
    );
    refused("active proctype P() priority 2 { skip }", "`priority` is not supported", "priority");
    refused("chan c = [1] of { byte }; init { c!!1 }", "`!!` is not supported", "!!");
    refused("chan c = [1] of { byte }; init { c??1 }", "`??` is not supported", "??");
    refused("init { _nr_pr == 1 }", "`_nr_pr` is not supported", "_nr_pr");
    refused("init { int x; for (x in a) { skip } }", "`for (x in …)` is not supported", "in");
}

#[test]
fn names_have_to_be_there() {
    refused("init { x = 1 }", "`x` is not declared", "x");
    refused("init { goto L }", "there is no label `L`", "L");
    refused("init { break }", "`break` outside of a loop", "break");
    refused("init { run P() }", "there is no proctype `P`", "P");
    refused("byte x; byte x; init { skip }", "`x` is declared twice", "x");
    refused("init { L: skip; L: skip }", "the label `L` stands in two places", "L");
    refused("T t; init { skip }", "there is no type `T`", "T");
    refused("init { P@L }", "there is no process `P`", "P");
}

#[test]
fn uses_have_to_fit() {
    refused("byte a[2]; init { a = 1 }", "`a` cannot be used like this", "a");
    refused("byte a; init { a[0] = 1 }", "`a` cannot be used like this", "a[0]");
    refused("byte a; init { a!1 }", "`a` is no channel", "a");
    refused("mtype = { m }; init { m = 1 }", "`m` cannot be assigned to", "m");
    refused("chan c; init { skip }", "a channel that is not there", "c");
    refused("byte n; byte a[n]; init { skip }", "expected a constant", "n");
    let text = "chan c = [0] of { byte }; byte x; init { if :: c?x :: else fi }";
    refused(text, "`else` beside a rendezvous is not supported", "else");
    let text = "chan c = [0] of { byte }; init { d_step { c!1 } }";
    refused(text, "a rendezvous within `d_step`", "c!1");
    refused("proctype P() { skip }", "no process is there at the start", "P");
    let text = "proctype P() { skip } init { do :: run P() od }";
    refused(text, "a process that is started again and again", "run P()");
}

#[test]
fn messages_point_at_the_use_of_a_macro() {
    refused("#define TWO(a) (a + b)\ninit { TWO(1) == 2 }", "`b` is not declared", "TWO");
}

#[test]
fn several_errors_come_together() {
    let text = "init { x = 1; y = 2; if :: z == 1 :: u == 2 fi }";
    let errors = read_promela(FileId(0), text).expect_err("something is wrong");
    assert_eq!(errors.len(), 4);
}
