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
    let embedded = "the model has embedded C code, which is not supported";
    refused("init { c_code { x } }", embedded, "c_code { x }");
    refused("init { c_expr { x } -> skip }", embedded, "c_expr { x }");
    refused("init { enabled(0) }", "`enabled` is not supported", "enabled(0)");
    refused("init { pc_value(0) == 1 }", "`pc_value` is not supported", "pc_value(0)");
    refused("init { _last == 1 }", "`_last` is not supported", "_last");
    refused("inline f() { f() } init { f() }", "the inline `f` stands within itself", "f");
}

/// The reasons of all properties of a model of which nothing is known.
fn unknown(text: &str) -> Vec<(String, String)> {
    let document = read_promela_asking(FileId(0), &text.into(), &[]).expect("it is read");
    let reason = |property: &front::Specification| {
        Some((property.title().to_owned(), property.formula.as_ref().err()?.to_string()))
    };
    document.specifications.iter().filter_map(reason).collect()
}

#[test]
fn an_unsupported_construct_makes_all_properties_unknown() {
    let names = ["assertions", "invalid end states", "run-time errors"];
    // What the construct would have declared is not missed.
    let why = "the model has embedded C code, which is not supported";
    let all = names.map(|name| (name.to_owned(), why.to_owned())).to_vec();
    assert_eq!(unknown("c_decl { int x; } init { c_code { x = 1; }; assert(c_expr { x }) }"), all);
    // No process comes to it.
    let text = "c_decl { int x; } c_state \"int y\" \"Global\" proctype P() { c_code { x = 1; } } init { skip }";
    assert_eq!(unknown(text), []);
}

#[test]
fn mistakes_with_processes() {
    refused("init { run }", "expected the name of a proctype, found `}`", "}");
    refused("init { run P() }", "there is no proctype `P`", "P");
    let text = "proctype P(byte n) { skip } init { run P() }";
    refused(text, "`P` has 1 parameters and is given 0 arguments", "P");
    let text = "proctype P() { skip } init { (run P() && true) }";
    refused(text, "`run` within a condition is not supported", "run P()");
    refused(
        "proctype P() { skip } init { byte x = P() }",
        "expected `@` and a label, or `:` and a variable, found `(`",
        "(",
    );
    refused("init { _nr_pr = 2 }", "expected `;` or `->`, found `=`", "=");
    refused(
        "byte _nr_pr; init { skip }",
        "expected the name of a variable, found `_nr_pr`",
        "_nr_pr",
    );
    refused("byte x = _pid; init { skip }", "`_pid` outside of a process", "_pid");
    refused("init { _pid = 2 }", "expected `;` or `->`, found `=`", "=");
    refused(
        "active proctype P() { skip } active proctype Q() { Q[0]@L }",
        "there is no process `Q[0]`",
        "Q",
    );
    refused(
        "active proctype P() { skip } active proctype Q() { P@L }",
        "`P` has no label `L` that can be reached",
        "L",
    );
    refused(
        "active proctype P() { skip } active proctype Q() { P:x == 1 }",
        "`P` has no variable `x`",
        "x",
    );
    refused("active proctype Q() { R:x == 1 }", "`x` is not declared", "x");
    refused(
        "active proctype P() { skip } active proctype Q() { P:x = 1 }",
        "expected `;` or `->`, found `=`",
        "=",
    );
}

#[test]
fn mistakes_with_priorities_and_prints() {
    let there_is_none = "a priority that there is not";
    refused("active proctype P() priority 0 { skip }", there_is_none, "0");
    refused("active proctype P() priority 256 { skip }", there_is_none, "256");
    refused("init { set_priority(1) }", "expected `,` and the priority, found `)`", ")");
    refused("init { get_priority == 1 }", "expected `(` and a pid, found `==`", "==");
    refused("byte x = _priority; init { skip }", "`_priority` outside of a process", "_priority");
    let text = "chan c = [0] of { bit }; active proctype P() priority 2 { c!1 }";
    refused(text, "priorities and a rendezvous channel in one model", "c");
    refused("init { printf(1) }", "expected a text in quotes, found `1`", "1");
    refused("init { printf \"x\" }", "expected `(`, found `\"x\"`", "\"x\"");
    refused("init { printf(\"%d\", x) }", "`x` is not declared", "x");
    refused("init { printf(\"a\" \"b\") }", "expected `,` or `)`, found `\"b\"`", "\"b\"");
    refused("init { printm(\"x\") }", "expected an expression, found `\"x\"`", "\"x\"");
}

#[test]
fn claims_are_unknown_by_themselves() {
    let text = "bool b; ltl p { [] <> b } ltl { <> b } ltl q { [] (_last == 1) }\n\
                never n { do :: b od } never m { bool c; c } notrace { c!1 } init { b = true }";
    let changes = "a `never` claim that declares variables or changes something is not supported";
    let expected = [
        ("q", "`_last` is not supported"),
        ("m", changes),
        ("trace_5", "a `trace` assertion is not supported"),
    ];
    let expected = expected.map(|(name, why)| (name.to_owned(), why.to_owned()));
    assert_eq!(unknown(text), expected);
}

#[test]
fn names_in_claims_are_those_of_the_model() {
    for claim in ["ltl p { [] c }", "never { do :: c od }"] {
        let text = format!("bit b; {claim} init {{ b = 1 }}");
        let errors = read_promela_asking(FileId(0), &text.into(), &[]).expect_err("no `c`");
        assert_eq!(errors[0].message, "`c` is not declared", "{claim}");
    }
}

#[test]
fn mistakes_in_what_is_read_as_spin_reads_it() {
    // Claims
    refused("ltl p { [] b", "expected `}`, found the end of the text", "");
    refused("ltl p [] b; init { skip }", "expected `{`, found `[`", "[");
    refused("ltl p q { b } init { skip }", "expected `{`, found `q`", "q");
    refused("never { { skip }", "expected `;`, `->` or `}`, found the end of the text", "");
    refused("init { ltl p { true } }", "expected a name, found `ltl`", "ltl");
    // Separators
    refused("byte x; init { x = 1 x = 2 }", "expected `;` or `->`, found `x`", "x");
    refused("byte x; init { x = (1\n x = 2) }", "expected `)`, found `x`", "x");
    refused("byte x; init { x =\n}", "expected an expression, found `}`", "}");
    refused("init { skip skip }", "expected `;` or `->`, found `skip`", "skip");
    refused("init { if :: skip skip fi }", "expected `;` or `->`, found `skip`", "skip");
    // `provided` and `priority`
    refused("active proctype P() provided { skip }", "expected `(`, found `{`", "{");
    refused("active proctype P() provided (x) { skip }", "`x` is not declared", "x");
    refused("init provided (true) { skip }", "expected `{`, found `provided`", "provided");
    let message = "expected the number of the priority, found `x`";
    refused("active proctype P() priority x { skip }", message, "x");
    let message = "expected the number of the priority, found `(`";
    refused("active proctype P() priority (1) { skip }", message, "(");
    // `unless`
    refused("init { unless { skip } }", "expected a name, found `unless`", "unless");
    refused("init { { skip } unless }", "expected an expression, found `}`", "}");
    refused("init { { skip } unless { x } }", "`x` is not declared", "x");
    refused("init { skip; unless { skip } }", "expected a name, found `unless`", "unless");
    let text = "chan c = [0] of { bit }; init { { skip } unless { c!1 } }";
    refused(text, "`unless` before `else` or a rendezvous is not supported", "c!1");
    // `!!` and `??`
    refused("byte c; init { c!!1 }", "`c` is no channel", "c");
    refused("byte c; init { c??1 }", "`c` is no channel", "c");
    let model = |text: &str| format!("chan c = [1] of {{ byte }}; init {{ {text} }}");
    let message = "a message of 2 fields, and the channel has 1";
    refused(&model("c!!1, 2"), message, "c!!1, 2");
    refused(&model("c??1, 2"), message, "c??1, 2");
    refused(&model("c??[1"), "expected `,` or `]`, found `}`", "}");
    // `for (x in a)`
    refused("init { byte x; for (x in a) { skip } }", "`a` is not declared", "a");
    let text = "byte a; init { byte x; for (x in a) { skip } }";
    refused(text, "`a` cannot be used like this", "a");
    refused("byte a[2]; init { for (x in a) { skip } }", "`x` is not declared", "x");
    refused("byte a[2]; init { byte x; for (x of a) { skip } }", "expected `:`, found `of`", "of");
    refused("byte a[2]; init { byte x; for (x in a { skip } }", "expected `)`, found `{`", "{");
    // Structures within structures, and in messages
    let message = "there is no type `B` before `A`";
    refused("typedef A { B b } typedef B { bit c } init { skip }", message, "B");
    refused("typedef A { A a } init { skip }", "there is no type `A` before `A`", "A");
    let nested = "typedef B { bit c[2] } typedef A { B b[2] } A a; chan d = [1] of { B };";
    let nested = |text: &str| format!("{nested} init {{ {text} }}");
    refused(&nested("a.b.c[0] = 1"), "`b` cannot be used like this", "b.c[0]");
    refused(&nested("a.b[0].d = 1"), "there is no field `d`", "d");
    refused(&nested("d!a"), "a message of 4 fields, and the channel has 2", "d!a");
    // Channels in variables
    refused("chan c; init { c = x }", "`x` is not declared", "x");
    // The preprocessor
    refused("#if (1\ninit { skip }\n#endif", "expected `)`, found the end of the text", "if");
    refused("#elif 1\ninit { skip }", "`#elif` without `#if`", "#elif");
    refused(
        "#if 1 1\ninit { skip }\n#endif",
        "expected an operator or the end of the line, found `1`",
        "1",
    );
    refused("#error no\ninit { skip }", "an `#error` that is reached", "#error");
    refused("#define f(a, b) a ## b\ninit { skip }", "`##` within a macro is not supported", "##");
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
    refused("byte n; byte a[n]; init { skip }", "expected a constant", "n");
    let text = "chan c = [0] of { byte }; byte x; init { if :: c?x :: else fi }";
    refused(text, "`else` beside a rendezvous is not supported", "else");
    let text = "chan c = [0] of { byte }; init { if :: c?[1] -> skip fi }";
    refused(text, "`?[…]` of a rendezvous channel is not supported", "c");
    let text = "chan c = [0] of { byte }; init { d_step { c!1 } }";
    refused(text, "a rendezvous within `d_step`", "c!1");
    refused("proctype P() { skip }", "no process is active at the start", "P");
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
fn conditions_of_the_preprocessor_are_computed() {
    for (condition, is_bool) in [
        ("X > 3", false),
        ("X", false),
        ("!X", true),
        ("defined(Y) && Y == 2", true),
        ("defined X || Y - 2", false),
        ("(Y > 1 -> 1 : 0)", true),
    ] {
        let text = format!(
            "#define Y 2\n#if {condition}\nbool x;\n#elif 1\nbyte x;\n#else\n!\n#endif\ninit {{ x = 1 }}"
        );
        let model = read_promela(FileId(0), &text).expect("a model");
        let ty = model.vars.values().next().expect("a variable").ty;
        assert_eq!(ty == front::promela::VarType::Bool, is_bool, "{condition}");
    }
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
