//! Messages about wrong models, with their places.

use front::GivenQuestion;
use front::promela::read_promela;
use logic::Logic;
use support::FileId;
use testkit::read_promela_asking;

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
    refused("inline f() { f() } init { f() }", "the inline `f` stands within itself", "f");
    refused("init { int x; for (x in a) { skip } }", "`for (x in …)` is not supported", "in");
}

#[test]
fn names_have_to_be_there() {
    refused("init { x = 1 }", "`x` is not declared", "x");
    refused("init { goto L }", "there is no label `L`", "L");
    refused("init { break }", "`break` outside of a loop", "break");
    refused("init { run P() }", "there is no proctype `P`", "P");
    refused("byte x; byte x; init { skip }", "`x` is declared twice", "x");
    refused("init { L: skip; L: skip }", "the label `L` is defined twice", "L");
    refused("T t; init { skip }", "there is no type `T`", "T");
    refused("init { P@L }", "there is no process `P`", "P");
}

#[test]
fn names_are_declared_before_they_are_used() {
    refused("init { x = 1 } byte x;", "`x` is used before it is declared", "x");
    refused("init { c!1 } chan c = [1] of { byte };", "`c` is used before it is declared", "c");
    refused("byte x; init { x = m } mtype = { m };", "`m` is used before it is declared", "m");
    refused("init { T t; t.f = 1 } typedef T { byte f }", "`T` is used before it is declared", "T");
    let inlined = "inline f() { x = 1 } byte x; init { f() }";
    assert!(read_promela(FileId(0), inlined).is_ok());
    let own = "init { byte x; x = 1 } byte x;";
    assert!(read_promela(FileId(0), own).is_ok());
}

#[test]
fn names_mean_one_thing() {
    for text in [
        "byte x; init { byte x; skip }",
        "init { byte x; { byte x; skip } }",
        "init { byte x; do :: byte x; skip od }",
        "init { if :: byte x; skip :: byte x; skip fi }",
        "inline f() { byte x; x = 1 } init { byte x; f() }",
        "mtype = { x }; init { byte x; skip }",
        "byte x; active proctype P(byte x) { skip }",
        "active proctype P(byte x) { { byte x; skip } }",
        "active proctype P(byte x; byte x) { skip }",
    ] {
        let (message, _) = refusal(text);
        assert_eq!(message, "`x` is declared twice", "{text}");
    }
    let beside = "init { { byte x; x = 1 }; { byte x; x = 2 }; byte x; x = 3 }";
    assert!(read_promela(FileId(0), beside).is_ok());
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
    let text = "chan c = [0] of { byte }; init { if :: c?[1] -> skip fi }";
    refused(text, "`?[…]` of a rendezvous channel is not supported", "c");
    let text = "chan c = [0] of { byte }; init { d_step { c!1 } }";
    refused(text, "a rendezvous within `d_step`", "c!1");
    refused("proctype P() { skip }", "no process is active at the start", "P");
    let text = "proctype P() { skip } init { do :: run P() od }";
    refused(text, "a process that is started again and again", "run P()");
}

#[test]
fn arrays_are_declared_first() {
    let message = "an array that is declared behind a statement or within a block is not supported";
    for text in ["skip; byte a[2]", "{ byte a[2]; skip }", "do :: byte a[2] = 1; skip od"] {
        refused(&format!("init {{ {text} }}"), message, "a");
    }
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

#[test]
fn a_refused_condition_is_closed_all_the_same() {
    let text = "#if X > 3\nbyte x;\n#else\nbool x;\n#endif\ninit { x = 1 }";
    let errors = read_promela(FileId(0), text).expect_err("it is refused");
    let messages: Vec<&str> = errors.iter().map(|error| &*error.message).collect();
    assert_eq!(messages, ["an `#if` with an expression is not supported"]);
}

const MODEL: &str = "#define N 2
byte a[2], x; chan c[2] = [1] of { byte };
active proctype Peer() { byte own[3]; L: x = 1 }";

/// The message about a formula on the model, if it is refused, and the text that it is about.
fn asked(formula: &str) -> Option<(String, String)> {
    let question = GivenQuestion { logic: Logic::Ctl, file: FileId(1), text: formula.into() };
    let error = read_promela_asking(FileId(0), &MODEL.into(), &[question]).err()?.swap_remove(0);
    Some((error.message, formula[error.labels[0].0.range()].to_owned()))
}

#[test]
fn formulas_are_not_certainly_wrong() {
    let outside = |index: i32| format!("the index {index} is outside of the array");
    let zero = || "a division by zero".to_owned();
    for (formula, message, place) in [
        ("EF a[9]", outside(9), "a[9]"),
        ("EF a[N]", outside(2), "a[N]"),
        ("EF a[-1] == 1", outside(-1), "a[-1]"),
        ("AG (x == 1 & a[a[2]] == 0)", outside(2), "a[2]"),
        ("EF Peer:own[3] == 1", outside(3), "Peer:own[3]"),
        ("EF len(c[2]) == 1", outside(2), "c[2]"),
        ("EF c[2]?[1]", outside(2), "c[2]"),
        ("EF x / 0 == 1", zero(), "0"),
        ("EF x % (N - 2) == 1", zero(), "(N - 2)"),
        ("EF (x == 1 | a[1 / 0] == 1)", zero(), "0"),
    ] {
        assert_eq!(asked(formula), Some((message, place.to_owned())), "{formula}");
    }
    for formula in ["EF a[1]", "EF a[x]", "EF 1 / x == 1", "EF (N > 9 & a[9])", "EF c[x]?[1]"] {
        assert_eq!(asked(formula), None, "{formula}");
    }
}

#[test]
fn formulas_name_processes_that_are_there() {
    for formula in ["EF Per@L", "EF Per[0]@L", "EF Per:own[0] == 1", "EF (x == 1 & Per[0]:own[0])"]
    {
        let message = "there is no process `Per`".to_owned();
        assert_eq!(asked(formula), Some((message, "Per".to_owned())), "{formula}");
    }
}
