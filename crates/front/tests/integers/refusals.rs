//! Programs that are refused, with message and place.

use std::sync::Arc;
use support::{Diagnostic, FileId, SourceMap};
use testkit::read_integers;

/// `line:column: message [what is underlined] (help)`
fn describe(text: &str, diagnostic: &Diagnostic) -> String {
    let mut sources = SourceMap::new();
    sources.add("a.while", text);
    let span = diagnostic.labels[0].0;
    let (line, column) = sources.position(span);
    let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{line}:{column}: {} [{}]{help}", diagnostic.message, sources.text(span))
}

fn messages(text: &str) -> Vec<String> {
    let shared: Arc<str> = text.into();
    let diagnostics = match read_integers(FileId(0), &shared) {
        Ok(document) => document.warnings,
        Err(errors) => errors,
    };
    diagnostics.iter().map(|diagnostic| describe(text, diagnostic)).collect()
}

#[rustfmt::skip]
const BODIES: &[(&str, &[&str])] = &[
    ("x := x * y", &[
        "2:6: a product of two variables is not linear [x * y] (programs over integers multiply by constants only: add in a loop, or give all variables bounds)",
    ]),
    ("x := 2 * x * 3 / y", &[
        "2:18: `/` by what is no constant [y] (programs over integers divide by constants only: subtract in a loop, or give all variables bounds)",
    ]),
    ("x := x mod (y + 1)", &[
        "2:12: `mod` by what is no constant [(y + 1)] (programs over integers divide by constants only: subtract in a loop, or give all variables bounds)",
    ]),
    ("x := 2305843009213693952 * 2", &[
        "2:6: the number is too large [2305843009213693952 * 2] (numbers go up to 2^61)",
    ]),
    ("hole h(x, large)", &[
        "2:11: any value of `large` is one of more than 256 [large] (make it `int`, and say behind it: `assume 0 <= x & x <= 1000`)",
    ]),
    ("assume x", &[
        "2:8: expected a truth value, found a number [x] (compare it: `x != 0`)",
    ]),
    ("assume", &[
        "2:7: expected an expression, found the end of the file [] (for example a number, a variable or an expression in parentheses)",
    ]),
    ("assume x > 0 skip", &[
        "2:14: expected `;`, found `skip` [skip] (commands are separated by `;`)",
    ]),
    ("x := b", &[
        "2:6: `x` is a number, not a truth value [b]",
    ]),
    ("b := x = m", &[
        "2:10: `=` compares values of one kind [m]",
    ]),
    ("b := m < idle", &[
        "2:6: expected a number, found a constant of an enumeration [m]",
        "2:10: expected a number, found a constant of an enumeration [idle]",
    ]),
    ("z := unknown + x * x", &[
        "2:1: there is no variable or constant `z` [z]",
        "2:6: there is no variable or constant `unknown` [unknown]",
        "2:16: a product of two variables is not linear [x * x] (programs over integers multiply by constants only: add in a loop, or give all variables bounds)",
    ]),
    ("idle := 1", &[
        "2:1: `idle` is a constant [idle]",
    ]),
    ("fin; skip", &[
        "2:1: `fin` stands only at the end of the program [fin] (an infinite loop is `while true do skip od`)",
    ]),
    ("l: skip; l: skip", &[
        "2:10: the label `l` is declared twice [l]",
    ]),
    ("p(x)", &[
        "2:1: there is no procedure `p` [p]",
    ]),
    ("large := any", &[
        "2:10: any value of `large` is one of more than 256 [any] (make it `int`, and say behind it: `assume 0 <= x & x <= 1000`)",
    ]),
    // Warnings.
    ("r := 9; x := x / (1 - 1)", &[
        "2:6: this is always a run-time error [9] (the program goes to the location `error` here)",
        "2:14: this is always a run-time error [x / (1 - 1)] (the program goes to the location `error` here)",
    ]),
];

#[rustfmt::skip]
const FILES: &[(&str, &[&str])] = &[
    ("var x : integer; fin", &[
        "1:9: expected a type, found `integer` [integer] (numbers without bounds are `int`)",
    ]),
    ("var x : int; var x : bool; fin", &[
        "1:18: the variable `x` is declared twice [x]",
    ]),
    ("var m : {p, q, p}; fin", &[
        "1:16: the constant `p` is declared twice [p]",
    ]),
    ("var m : {p, q}; var p : int; fin", &[
        "1:21: `p` is a constant of an enumeration [p] (choose another name)",
    ]),
    ("var p : int; var m : {p, q}; fin", &[
        "1:23: `p` is a variable [p] (choose another name)",
    ]),
    ("var x : int := y; var y : int; fin", &[
        "1:16: the initial value is no constant [y] (assign it by the first command of the program)",
    ]),
    ("var x : 0..3 := 5; var m : {p, q} := r; var n : {r}; var k : {p} := q; fin", &[
        "1:17: `x` cannot be 5 [5]",
        "1:38: `m` cannot be r [r]",
        "1:69: `k` cannot be q [q]",
    ]),
    ("var process : int; fin", &[
        "1:5: `process` cannot be a name [process] (choose another name)",
    ]),
    ("var x : int; process P { skip } skip", &[
        "1:33: expected `property`, `proc` or the end of the file, found `skip` [skip] (the commands of a program stand together, with `;` between them, or in processes)",
    ]),
    ("var x : int; skip; process P { skip }", &[
        "1:20: expected `property`, `proc` or the end of the file, found `process` [process] (a program has commands or processes, and not both)",
    ]),
    ("process P { skip } process P { skip }", &[
        "1:28: the process `P` is declared twice [P]",
    ]),
    ("process P { skip } var x : int;", &[
        "1:20: expected `property`, `proc` or the end of the file, found `var` [var] (variables are declared before the first command)",
    ]),
    ("proc P() { skip } process P { P() }", &[
        "1:27: `P` is a procedure [P] (choose another name)",
    ]),
    ("process P { var x : int; x := 1 } process Q { x := 1 }", &[
        "1:47: there is no variable or constant `x` [x]",
    ]),
    ("process P { skip ", &[
        "1:17: expected `;` or `}`, found the end of the file []",
    ]),
    ("process { skip }", &[
        "1:9: expected the name of the process, found `{` [{]",
    ]),
    ("var x : int; predicates x > 0, x; fin", &[
        "1:32: expected a truth value, found a number [x] (compare it: `x != 0`)",
    ]),
    ("var x : int; predicates x > 0 fin", &[
        "1:31: expected an operator, `,` or `;`, found `fin` [fin] (operators are `+ - * / mod`, `= != < <= > >=`, `! & | -> <->`)",
    ]),
    ("var x : int; predicates AG x > 0; fin", &[
        "1:25: expected an expression, found `AG` [AG] (this belongs to formulas: write a `property`)",
    ]),
    ("var x : int; predicates x / 0 = 1; fin", &[
        "1:25: this is always a run-time error [x / 0] (the program goes to the location `error` here)",
        "1:25: what a formula says of a state must have a value in every state [x / 0 = 1] (take out what is divided by zero, and give an index a range)",
    ]),
    ("var x : int; here: fin property p: ctl AF at_her;", &[
        "1:43: there is no label `her` [at_her] (did you mean `here`?)",
    ]),
    ("var x : int; fin property p: ctl AF (x & end);", &[
        "1:38: expected a truth value, found a number [x] (compare it: `x != 0`)",
    ]),
    ("var x : int; fin property p: ctl AF (x + (end));", &[
        "1:37: a formula where a value is expected [(x + (end))] (formulas are joined by `!`, `&`, `|`, `->` and `<->`)",
    ]),
    ("var x : int; proc p() { q() } proc q() { p() } p()", &[
        "1:19: the procedure `p` calls itself [p] (a program with `process`, `assume` or `int` has no recursion: use a loop)",
    ]),
    ("proc p(in x : int) { skip } proc q(out r : int) { skip } p(); q(3)", &[
        "1:58: `p` has 1 parameter and not 0 [p]",
        "1:65: a result needs a variable [3] (put a variable or an element of an array here)",
    ]),
    ("proc p(in x : int) { skip } fin", &[
        "1:6: the procedure `p` is never called [p]",
    ]),
];

#[test]
fn commands() {
    let declared =
        "var x, y : int; var b : bool; var m : {idle, busy}; var r : 0..7; var large : 0..1000;";
    for (body, wanted) in BODIES {
        assert_eq!(messages(&format!("{declared}\n{body}")), *wanted, "{body}");
    }
}

#[test]
fn files() {
    for (text, wanted) in FILES {
        assert_eq!(messages(text), *wanted, "{text}");
    }
}
