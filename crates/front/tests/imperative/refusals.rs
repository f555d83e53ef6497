//! Programs that are refused, with message and place.

use front::read_assumption;
use std::sync::Arc;
use support::{Diagnostic, FileId, SourceMap};
use testkit::read_while;

/// `line:column: message [what is underlined] (help)`
fn describe(text: &str, diagnostic: &Diagnostic) -> String {
    let mut sources = SourceMap::new();
    sources.add("a.while", text);
    let span = diagnostic.labels[0].0;
    let (line, column) = sources.position(span);
    let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{line}:{column}: {} [{}]{help}", diagnostic.message, sources.text(span))
}

fn refused(text: &str) -> Vec<String> {
    let shared: Arc<str> = text.into();
    match read_while(FileId(0), &shared) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(|error| describe(text, error)).collect(),
    }
}

/// Behind the declarations that the tests share.
#[rustfmt::skip]
const BODIES: &[(&str, &[&str])] = &[
    ("x = 1", &[
        "2:3: expected `:=`, found `=` [=] (an assignment is written `x := e`)",
    ]),
    ("x := 1 y := 2", &[
        "2:8: expected `;`, found `y` [y] (commands are separated by `;`)",
    ]),
    ("x := ; y := 3", &[
        "2:6: expected an expression, found `;` [;] (for example a number, a variable or an expression in parentheses)",
    ]),
    ("z := 1", &[
        "2:1: there is no variable or constant `z` [z]",
    ]),
    ("if x then skip fi", &[
        "2:4: expected a truth value, found a number [x] (compare it: `x != 0`)",
    ]),
    ("if x > 1 then fi", &[
        "2:15: expected a command, found `fi` [fi] (to do nothing, write `skip`)",
    ]),
    ("if b then skip else skip", &[
        "2:25: expected `;` or `fi`, found the end of the file []",
    ]),
    ("while b do skip fi", &[
        "2:17: expected `;` or `od`, found `fi` [fi]",
    ]),
    ("while b skip od", &[
        "2:9: expected an operator or `do`, found `skip` [skip] (operators are `+ - * / mod`, `= != < <= > >=`, `! & | -> <->`)",
    ]),
    ("x := m", &[
        "2:6: `x` is a number, not a constant of an enumeration [m]",
    ]),
    ("m := unknown", &[
        "2:6: there is no variable or constant `unknown` [unknown]",
    ]),
    ("m := 1", &[
        "2:6: `m` is a constant of an enumeration, not a number [1]",
    ]),
    ("b := x = m", &[
        "2:10: `=` compares values of one kind [m]",
    ]),
    ("x := x + b", &[
        "2:10: expected a number, found a truth value [b]",
    ]),
    ("x := a", &[
        "2:6: `a` is an array [a] (name one of its elements: `a[0]`)",
    ]),
    ("a := 1", &[
        "2:1: `a` is an array [a] (assign its elements one by one: `a[i] := …`)",
    ]),
    ("a[b] := 1", &[
        "2:3: expected a number, found a truth value [b]",
    ]),
    ("x[1] := 1", &[
        "2:1: `x` is no array [x]",
    ]),
    ("busy := 1", &[
        "2:1: `busy` is a constant [busy]",
    ]),
    ("fin; skip", &[
        "2:1: `fin` stands only at the end of the program [fin] (an infinite loop is `while true do skip od`)",
    ]),
    ("if b then fin fi", &[
        "2:11: `fin` stands only at the end of the program [fin] (an infinite loop is `while true do skip od`)",
    ]),
    ("l: skip; l: skip", &[
        "2:10: the label `l` is declared twice [l]",
    ]),
    ("p(x)", &[
        "2:1: there is no procedure `p` [p]",
    ]),
    ("hole h(x); hole h(y)", &[
        "2:17: the hole `h` has other variables here [h] (name it differently, or name the same variables)",
    ]),
    ("hole h(z)", &[
        "2:8: there is no variable or constant `z` [z]",
    ]),
    ("hole h", &[
        "2:7: expected `(`, found the end of the file [] (name the variables that it may read and change: `hole net(x, b)`)",
    ]),
    ("x := (x + 1", &[
        "2:12: expected an operator or `)`, found the end of the file []",
    ]),
    ("x := x + 1)", &[
        "2:11: expected `;`, found `)` [)] (this parenthesis was never opened)",
    ]),
    ("x < y < 3", &[
        "2:3: expected `:=`, found `<` [<] (a command is for example `x := 1`, `p(x)`, `skip` or `while … do … od`)",
    ]),
    ("x := any + 1", &[
        "2:10: expected `;`, found `+` [+] (commands are separated by `;`)",
    ]),
    ("x := {1, any}", &[
        "2:10: expected an expression, found `any` [any] (`any` stands alone on the right of an assignment: `x := any`)",
    ]),
    ("x := {}", &[
        "2:7: expected an expression, found `}` [}] (for example a number, a variable or an expression in parentheses)",
    ]),
    ("b := error", &[
        "2:6: expected an expression, found `error` [error] (this belongs to formulas: write a `property`)",
    ]),
    ("b := AG b", &[
        "2:6: expected an expression, found `AG` [AG] (this belongs to formulas: write a `property`)",
    ]),
    ("skip; var z : bool;", &[
        "2:7: expected `property`, `proc` or the end of the file, found `var` [var] (variables are declared before the first command)",
    ]),
    ("skip property p: ctl AG at_nowhere;", &[
        "2:25: there is no label `nowhere` [at_nowhere]",
    ]),
    ("skip property p: ctl AG a[x] = 0;", &[
        "2:25: what a formula says of a state must have a value in every state [a[x] = 0] (compute it in the program, or say where it is right: `i <= 3 & a[i] = 0`)",
    ]),
    ("skip property p: ctl AG x;", &[
        "2:25: expected a truth value, found a number [x] (compare it: `x != 0`)",
    ]),
    ("skip property p: ctl AG (AF b) = b;", &[
        "2:25: a formula where a value is expected [(AF b) = b] (formulas are joined by `!`, `&`, `|`, `->` and `<->`)",
    ]),
    ("skip property p: ctl mu Z. Z;", &[
        "2:22: expected a formula, found `mu` [mu] (this belongs to the logic `mu`)",
    ]),
    ("skip property p: mu AG b;", &[
        "2:21: expected a formula, found `AG` [AG] (this operator belongs to `ctl`; `AG p` is `nu Z. p & [] Z`)",
    ]),
    ("skip property p: ctlstar A G b;", &[
        "2:18: expected `ctl`, `ltl` or `mu`, found `ctlstar` [ctlstar] (write for example `property safe: ctl AG !error;`)",
    ]),
    ("skip property p ctl AG b;", &[
        "2:17: expected `:`, found `ctl` [ctl] (write for example `property safe: ctl AG !error;`)",
    ]),
    ("skip property p: ctl A b U b;", &[
        "2:24: expected `[` and a path formula, found `b` [b] (write `A[f U g]`, or `AG f`, `AF f`, `AX f`)",
    ]),
    ("skip property p: ctl AG b", &[
        "2:26: expected an operator or `;`, found the end of the file [] (does a `;` follow?)",
    ]),
    ("begin x := 1 end", &[
        "2:7: expected `:=`, found `x` [x] (the commands simply follow the declarations)",
    ]),
    ("x := 99999999999999999999", &[
        "2:6: the number is too large [99999999999999999999] (numbers go up to 2^61)",
    ]),
    ("b := x < 1 < 2", &[
        "2:12: expected one comparison, found `<` [<] (compare two at a time: `a < b & b < c`)",
    ]),
    ("x := x * 4611686018427387904 * x", &[
        "2:10: the number is too large [4611686018427387904] (numbers go up to 2^61)",
    ]),
    ("x := y § 1", &[
        "2:8: expected `;`, found `§` [§] (this character has no meaning here: take it out)",
    ]),
    ("/* never closed", &[
        "2:1: expected a command, found a comment that is not closed [/* never closed] (close it with `*/`)",
    ]),
    ("if b & then skip fi; while x > do skip od; y := q", &[
        "2:8: expected an expression, found `then` [then] (for example a number, a variable or an expression in parentheses)",
        "2:32: expected an expression, found `do` [do] (for example a number, a variable or an expression in parentheses)",
    ]),
    ("skip fi; x := 1; fin", &[
        "2:6: expected `property`, `proc` or the end of the file, found `fi` [fi] (nothing that this could belong to is open)",
    ]),
    ("skip; fi", &[
        "2:7: expected `property`, `proc` or the end of the file, found `fi` [fi] (nothing that this could belong to is open)",
    ]),
];

#[rustfmt::skip]
const FILES: &[(&str, &[&str])] = &[
    ("var x 0..7; fin", &[
        "1:7: expected `,`, or `:` and a type, found `0` [0] (write for example `var x : 0..7;` or `var b, c : bool;`)",
    ]),
    ("var x : 7..0; fin", &[
        "1:9: the range is empty [7..0] (write `0..7`)",
    ]),
    ("var x : int; fin", &[
        "1:9: `int` has no bounds, and here all must have some [int] (say from where to where: `0..255`)",
    ]),
    ("var x : boolean; fin", &[
        "1:9: expected a type, found `boolean` [boolean] (truth values are `bool`)",
    ]),
    ("var if : bool; fin", &[
        "1:5: `if` cannot be a name [if] (choose another name)",
    ]),
    ("var at_x : bool; fin", &[
        "1:5: `at_x` cannot be a name [at_x] (choose another name)",
    ]),
    ("var A : bool; fin", &[
        "1:5: `A` cannot be a name [A] (choose another name)",
    ]),
    ("var x : bool; var x : 0..1; fin", &[
        "1:19: the variable `x` is declared twice [x]",
    ]),
    ("var x : {x, y}; fin", &[
        "1:5: `x` is a constant of an enumeration [x] (choose another name)",
    ]),
    ("var x : {a, a}; fin", &[
        "1:13: the constant `a` is declared twice [a]",
    ]),
    ("var m : {a}; var a : bool; fin", &[
        "1:18: `a` is a constant of an enumeration [a] (choose another name)",
    ]),
    ("var x : 0..7 := 9; fin", &[
        "1:17: `x` cannot be 9 [9]",
    ]),
    ("var x : 0..7 := y; fin", &[
        "1:17: there is no variable or constant `y` [y]",
    ]),
    ("var x : 0..7 := true; fin", &[
        "1:17: `x` is a number, not a truth value [true]",
    ]),
    ("var x : bool := x; fin", &[
        "1:17: the initial value is no constant [x] (assign it by the first command of the program)",
    ]),
    ("var a : array 0..9999 of bool; fin", &[
        "1:9: the array has more than 4096 elements [array 0..9999 of bool] (every element is a variable of its own: take fewer)",
    ]),
    ("var a : array 0..1 of array 0..1 of bool; fin", &[
        "1:23: expected a type, found `array` [array] (arrays of arrays are not supported)",
    ]),
    ("var x : bool; proc p() { p() } hole h(x); p()", &[
        "1:37: a program with recursive calls has no holes [h] (say what may happen: `x := any`)",
    ]),
    ("var a : array 0..1 of bool; var i : 0..1; proc p(out r : bool) { p(a[i]) } p(a[i])", &[
        "1:68: a recursive call needs a variable for its result [a[i]] (put a variable here, and assign it to the element afterwards)",
        "1:78: a recursive call needs a variable for its result [a[i]] (put a variable here, and assign it to the element afterwards)",
    ]),
    ("proc p() { skip } proc p() { skip } p()", &[
        "1:24: the procedure `p` is declared twice [p]",
    ]),
    ("proc p(x : bool) { skip } p(true)", &[
        "1:8: expected `in` or `out`, found `x` [x] (write for example `proc p(in x : 0..7, out y : bool) { … }`)",
    ]),
    ("proc p(in a : array 0..1 of bool) { skip } fin", &[
        "1:15: an array cannot be a parameter [array 0..1 of bool] (procedures can use all variables of the program)",
    ]),
    ("proc p(in x : bool := true) { skip } fin", &[
        "1:23: a parameter has no initial value [true] (procedures can use all variables of the program)",
    ]),
    ("proc p(in x : bool) { skip } p()", &[
        "1:30: `p` has 1 parameter and not 0 [p]",
    ]),
    ("proc p(in x : bool) { skip } p(3)", &[
        "1:32: `p.x` is a truth value, not a number [3]",
    ]),
    ("proc p(out x : bool) { skip } p(true)", &[
        "1:33: a result needs a variable [true] (put a variable or an element of an array here)",
    ]),
    ("var y : 0..1; proc p(out x : bool) { x := true } p(y)", &[
        "1:52: `y` is a number, not a truth value [y]",
    ]),
    ("proc p() { } p()", &[
        "1:12: expected a command, found `}` [}] (to do nothing, write `skip`)",
    ]),
    ("proc p() { skip p()", &[
        "1:17: expected `;`, found `p` [p] (commands are separated by `;`)",
        "1:20: expected `;` or `}`, found the end of the file []",
    ]),
    ("proc p() { fin } p()", &[
        "1:12: `fin` stands only at the end of the program [fin] (an infinite loop is `while true do skip od`)",
    ]),
    ("proc pass() { skip } pas()", &[
        "1:6: the procedure `pass` is never called [pass]",
        "1:22: there is no procedure `pas` [pas] (did you mean `pass`?)",
    ]),
    ("property p: ctl AG !error;", &[
        "1:27: expected a command, found the end of the file [] (the least that a program does is `fin`)",
    ]),
    ("", &[
        "1:1: expected a command, found the end of the file [] (the least that a program does is `fin`)",
    ]),
    ("property p: ctl true;", &[
        "1:22: expected a command, found the end of the file [] (the least that a program does is `fin`)",
    ]),
];

#[test]
fn commands_and_formulas() {
    for (text, wanted) in BODIES {
        assert_eq!(refused(&format!("{}\n{text}", super::SHARED)), *wanted, "{text}");
    }
}

#[test]
fn declarations_and_procedures() {
    for (text, wanted) in FILES {
        assert_eq!(refused(text), *wanted, "{text}");
    }
}

#[test]
fn what_is_read_with_a_warning() {
    let warned = |text: &str| -> Vec<String> {
        let text = format!("{}\n{text}", super::SHARED);
        let document = super::document(&text);
        document.warnings.iter().map(|warning| describe(&text, warning)).collect()
    };
    let wrong = "this is always a run-time error";
    let help = "(the program goes to the location `error` here)";
    assert_eq!(
        warned("x := 8; y := 9 / 0; a[4] := 1"),
        [
            format!("2:6: {wrong} [8] {help}"),
            format!("2:14: {wrong} [9 / 0] {help}"),
            format!("2:23: {wrong} [4] {help}"),
        ]
    );
    assert_eq!(warned("proc p() { skip } fin"), ["2:6: the procedure `p` is never called [p]"]);
    assert!(warned("x := x + 1; a[x] := 3").is_empty());
}

#[test]
fn assumptions() {
    let refused = |text: &str| {
        let mut program = super::body("hole net(x, b)");
        match read_assumption(FileId(0), text, &mut program) {
            Ok(_) => String::new(),
            Err(errors) => describe(text, &errors[0]),
        }
    };
    for text in [
        "net: AG x < 3",
        "net: AF end",
        "net: AG (b -> x = 0 | end) & AF end & AG !error",
        "net: EF x < 3",
        "net: x < 3 -> !AG EX E[b W end & AF error]",
        "net: AG AF b <-> A[b R end]",
    ] {
        assert_eq!(refused(text), "");
    }
    let starts = |text: &str, wanted: &str| {
        let found = refused(text);
        assert!(found.starts_with(wanted), "{text}: {found}");
    };
    starts("nett: AG x < 3", "1:1: there is no hole `nett` [nett] (did you mean `net`?)");
    starts("AG x < 3", "1:4: expected `:` after the name of the hole, found `x` [x]");
    starts("net: AG at_l", "1:9: this cannot be assumed of a hole [at_l] (it is a formula of CTL");
    let many: Vec<String> =
        (0..9).map(|n| format!("(EF x = {n} | AG (b -> EX x = {n}))")).collect();
    let many = format!("net: {}", many.join(" & "));
    starts(&many, "1:6: the assumption is too large");
    starts("net: AG a[x] = 0", "1:9: what a formula says of a state must have a value");
    starts("net: AG z", "1:9: there is no variable or constant `z`");
}

#[test]
fn what_an_assumption_says_at_each_moment() {
    let mut program = super::body("hole net(x, b)");
    let text = "net: AG (x = 0 | end & b) & AG (error -> x = 1) & AF end";
    let assumed = read_assumption(FileId(0), text, &mut program).expect("an assumption");
    let holds = |node, values: &[(&str, i64)]| super::value(&program, node, values) != 0;
    let [stage] = assumed.stages.values().as_slice() else { panic!("{assumed:?}") };
    let [case] = &stage.cases[..] else { panic!("{assumed:?}") };
    assert!(case.some.is_empty() && case.all.to.0 == 0 && case.all.postponed.len() == 1);
    for inside in [assumed.applies, case.guard, case.all.inside] {
        assert!(holds(inside, &[]) && !holds(inside, &[("x", 1), ("b", 1)]));
    }
    assert!(!holds(assumed.applies_not, &[]) && holds(assumed.applies_not, &[("x", 1)]));
    let exit = case.all.exit;
    assert!(holds(exit, &[("x", 3), ("b", 1)]) && !holds(exit, &[("x", 3)]));
    assert!(!holds(case.all.error, &[]));
}
