//! While-programs over integers: what each construct becomes, what is refused, and that steps mean what the text says.

mod meaning;
mod random;
mod refusals;
mod robustness;
mod suite;

use front::Form;
use smt::{IntegerValue, LinearFormula, Variable};
use std::sync::Arc;
use support::FileId;
use testkit::{IntegerDocument, read_either, read_integers};
use transition::integers::{IntegerStep, Proposition};

fn document(text: &str) -> IntegerDocument {
    let text: Arc<str> = text.into();
    read_integers(FileId(0), &text).unwrap_or_else(|errors| panic!("{text}: {errors:#?}"))
}

fn formula(document: &IntegerDocument, formula: &LinearFormula) -> String {
    formula.show(&|variable| document.program.variables[variable.0 as usize].clone())
}

/// A value that is no sum is shown by what it is for some values of the first variable.
fn value(document: &IntegerDocument, value: &IntegerValue) -> String {
    let name = |variable: Variable| document.program.variables[variable.0 as usize].clone();
    let at = |first: i128| value.value(&|_| first).expect("a small number").to_string();
    match value.as_term() {
        Some(term) => term.show(&name),
        None => format!("[{}]", [-3, -2, -1, 0, 1, 2, 3].map(at).join(" ")),
    }
}

/// `line1 -> line2: x > 0, y := y + 1`
fn shown(document: &IntegerDocument, step: &IntegerStep) -> String {
    let program = &document.program;
    let place = |place: u32| &program.locations[place as usize];
    let guard =
        (step.guard != LinearFormula::Constant(true)).then(|| formula(document, &step.guard));
    let changes = step.changes.iter().map(|(variable, new)| {
        let name = &program.variables[variable.0 as usize];
        match step.free.is_empty() {
            true => format!("{name} := {}", value(document, new)),
            false => format!("{name} := any"),
        }
    });
    let parts: Vec<String> = guard.into_iter().chain(changes).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{} -> {}{parts}", place(step.source), place(step.target))
}

/// All steps but those of `error`.
fn steps(document: &IntegerDocument) -> Vec<String> {
    let error = document.program.locations.len() as u32 - 1;
    let steps = document.program.steps.iter().filter(|step| step.source != error);
    steps.map(|step| shown(document, step)).collect()
}

/// Texts and their steps; declarations stand on the first line.
const STEPS: &[(&str, &[&str])] = &[
    ("var x : int;\nx := x + 1", &["line2 -> line2_2: x := x + 1", "line2_2 -> line2_2"]),
    (
        "var x : int;\nwhile x > 0 do\nx := x - 1\nod;\nfin",
        &[
            "line2 -> line3: x > 0",
            "line2 -> line5: x <= 0",
            "line3 -> line2: x := x - 1",
            "line5 -> line5",
        ],
    ),
    (
        "var x : int;\nif x = 0\nthen x := any\nfi;\nfin",
        &[
            "line2 -> line3: x = 0",
            "line2 -> line4: x != 0",
            "line3 -> line5: x := any",
            "line5 -> line5",
            "line4 -> line5",
        ],
    ),
    (
        "var x : int;\nassume x mod 2 = 1;\nx := {x / 2, -x};\nfin",
        &[
            "line2 -> line3: x >= 0 & x mod 2 != 0",
            "line3 -> line4: x := [-1 -1 0 0 0 1 1]",
            "line3 -> line4: x := -x",
            "line4 -> line4",
        ],
    ),
    // What a variable cannot be leads to `error`; what it surely can be does not.
    (
        "var x : int; var r, s : 0..3;\nr := x;\nr := s;\nr := 7 mod 4;\nr := s + 1;\nfin",
        &[
            "line2 -> line3: x >= 0 & x <= 3, r := x",
            "line2 -> error: x < 0 | x >= 4",
            "line3 -> line4: r := s",
            "line4 -> line5: r := 3",
            "line5 -> line6: s <= 2, r := s + 1",
            "line5 -> error: s >= 3",
            "line6 -> line6",
        ],
    ),
    // Truth values are 0 and 1.
    (
        "var x : int; var b, c : bool;\nb := x > 0;\nb := c;\nb := true;\nb := any;\nassume b = c & b -> x = 1;\nfin",
        &[
            "line2 -> line3: x > 0, b := 1",
            "line2 -> line3: x <= 0, b := 0",
            "line3 -> line4: b := c",
            "line4 -> line5: b := 1",
            "line5 -> line6: b := 0",
            "line5 -> line6: b := 1",
            "line6 -> line7: x = 1 | b != 1 | b != c",
            "line7 -> line7",
        ],
    ),
    // A number that is 1 is no truth value that is true.
    (
        "var x : int; var b : bool;\nb := b = (x = 1);\nfin",
        &[
            "line2 -> line3: (b = 1 & x = 1) | (b != 1 & x != 1), b := 1",
            "line2 -> line3: (b != 1 | x != 1) & (b = 1 | x = 1), b := 0",
            "line3 -> line3",
        ],
    ),
    (
        "var x : int; var m : {idle, busy}; var n : {busy, done};\nm := busy;\nn := m;\nm := any;\nfin",
        &[
            "line2 -> line3: m := 1",
            "line3 -> line4: m = 1 | m = 2, n := m",
            "line3 -> error: m != 1 & m != 2",
            "line4 -> line5: m := 0",
            "line4 -> line5: m := 1",
            "line5 -> line5",
        ],
    ),
    // Division by zero always goes wrong, unless something else decides.
    ("var x : int;\nx := x / 0;\nassume x = 1 | x mod 0 = 1;\nfin", &["line2 -> error"]),
    (
        "var x : int;\nassume x = 1 | x mod 0 = 1;\nfin",
        &["line2 -> line3: x = 1", "line2 -> error: x != 1", "line3 -> line3"],
    ),
    // The steps of a call are at the call.
    (
        "var x : int; proc p(in v : int, out r : int) { var t : int := v;\nr := t + 1 }\np(x, x);\nfin",
        &[
            "line3 -> line3_2: p.v := x",
            "line3_2 -> line3_3: p.r := any",
            "line3_3 -> line2: p.t := p.v",
            "line2 -> line3_4: p.r := p.t + 1",
            "line3_4 -> line4: x := p.r",
            "line4 -> line4",
        ],
    ),
    // Twice the same process.
    (
        "var x : int;\nprocess P { var y : int;\nx := y }\nprocess Q {\nassume x > 0 }",
        &[
            "line3,line5 -> line3_2,line5: x := P.y",
            "line3,line5 -> line3,line5_2: x > 0",
            "line3,line5_2 -> line3_2,line5_2: x := P.y",
            "line3_2,line5 -> line3_2,line5_2: x > 0",
            "line3_2,line5_2 -> line3_2,line5_2",
        ],
    ),
];

#[test]
fn what_commands_become() {
    for (text, wanted) in STEPS {
        assert_eq!(steps(&document(text)), *wanted, "{text}");
    }
}

#[test]
fn where_it_starts() {
    let text = "var x, y : int := {1, 2}; var r : 0..7; var q : 0..7 := 3; var b : bool := true; \
                var m : {idle, busy}; fin";
    let found = document(text);
    let condition = formula(&found, &found.start.condition);
    assert_eq!(
        condition,
        "(x = 1 | x = 2) & (y = 1 | y = 2) & r >= 0 & r <= 7 & q = 3 & q >= 0 & q <= 7 & \
         b = 1 & b >= 0 & b <= 1 & (m = 0 | m = 1)"
    );
    let invariant = formula(&found, &found.invariant);
    assert!(invariant.contains("q >= 0") && !invariant.contains('x'), "{invariant}");
    let shown = |number: usize, value| found.variables[number].domain.shown(value);
    assert_eq!([shown(0, 5), shown(4, 1), shown(5, 1)], ["5", "true", "busy"]);
}

#[test]
fn what_formulas_are_about() {
    let text = "var x : int; var b : bool; process P { var t : int; l: t := 1; m: fin } \
                process Q { n: skip } predicates P.t > 0, x mod 2 = 1 & b; \
                property p: ctl AG (at_l -> x > 0 & !(b | P.t < 3)) & AF end | error; \
                property q: mu nu Z. (true <-> b) & [] Z;";
    let found = document(text);
    let propositions: Vec<String> = found
        .propositions
        .iter()
        .map(|(name, proposition)| match proposition {
            Proposition::At(places) => format!("{name}: {places:?}"),
            Proposition::Holds(condition) => format!("{name}: {}", formula(&found, condition)),
        })
        .collect();
    let wanted =
        ["at_l: [0, 1]", "x > 0: x > 0", "b: b = 1", "P.t < 3: P.t <= 2", "end: [3]", "error: [4]"];
    assert_eq!(propositions, wanted);
    let predicates: Vec<String> = found
        .predicates
        .iter()
        .map(|p| format!("{}: {}", p.name, formula(&found, &p.condition)))
        .collect();
    assert_eq!(predicates, ["P.t > 0: P.t > 0", "x mod 2 = 1 & b: x >= 0 & x mod 2 != 0 & b = 1"]);
    assert_eq!(found.processes, ["P", "Q"]);
    let interned: Vec<String> = found.names().names().map(str::to_owned).collect();
    assert_eq!(interned, ["at_l", "x > 0", "b", "P.t < 3", "end", "error"]);
    assert_eq!(found.properties.len(), 2);
}

#[test]
fn places_and_movers_know_the_text() {
    let text = "var x : int; process P { x := 1 } process Q { while x > 0 do skip od }";
    let found = document(text);
    let text_of = |span: support::Span| &text[span.range()];
    let start = &found.locations[found.start.location as usize];
    let next: Vec<&str> = start.next.iter().map(|&span| text_of(span)).collect();
    assert_eq!(next, ["x := 1", "while x > 0 do skip od"]);
    assert_eq!(found.locations.len(), found.program.locations.len());
    assert_eq!(found.movers.len(), found.program.steps.len());
    for (step, mover) in found.program.steps.iter().zip(&found.movers) {
        let here = &found.locations[step.source as usize];
        match mover {
            Some(mover) => assert_eq!(here.next[mover.process as usize], mover.span),
            None => assert_eq!(step.source, step.target),
        }
    }
}

#[test]
fn each_process_calls_with_variables_of_its_own() {
    let text = "var x, y : int; proc p(in v : int, out r : int) { r := v + 1 } proc q() { p(1, x) } \
                process P { p(x, x) } process Q { p(y, y) } process S { q() } property a: ctl AG P.p.v > 0;";
    let found = document(text);
    let wanted = ["x", "y", "P.p.v", "P.p.r", "Q.p.v", "S.p.v", "Q.p.r", "S.p.r"];
    assert_eq!(found.program.variables, wanted);
    for (step, mover) in found.program.steps.iter().zip(&found.movers) {
        let Some(mover) = mover else { continue };
        let owner = &found.processes[mover.process as usize];
        for variable in step.variables() {
            let name = &found.program.variables[variable.0 as usize];
            assert!(!name.contains('.') || name.starts_with(&**owner), "{name} in {owner}");
        }
    }
    let alone = document("var x : int; proc p() { var t : int; x := t } process P { p() }");
    assert_eq!(alone.program.variables, ["x", "p.t"]);
}

#[test]
fn a_text_is_read_as_what_it_is() {
    let kinds = [
        ("var x : 0..3; x := 1", "sequential"),
        ("var x : int; x := 1", "integers"),
        ("var x : 0..3; if x = 1 then while true do assume x = 1 od fi", "processes"),
        ("var x : 0..3; proc p(in v : int) { skip } fin", "integers"),
        ("var x : 0..3; proc p() { assume x > 1 } fin", "processes"),
        ("process P { skip }", "processes"),
        ("process P { var x : int; skip }", "integers"),
        ("var x : 0..3; predicates x > 1; process P { skip }", "integers"),
    ];
    for (text, expected) in kinds {
        let shared: Arc<str> = text.into();
        let read = read_either(FileId(0), &shared).expect(text);
        let kind = match read.form {
            Form::Integers(_) => "integers",
            Form::Machine(_) => "processes",
            _ => "sequential",
        };
        assert_eq!(kind, expected, "{text}");
    }
}

#[test]
fn something_is_always_asked() {
    let found = document("var x : int; fin");
    assert_eq!(found.properties[0].name.as_deref(), Some("no run-time error occurs"));
    assert_eq!(found.propositions, [("error".to_owned(), Proposition::At(vec![1]))]);
}

/// The elements of an array are variables; an index that is none leads to `error`.
#[test]
fn arrays_are_variables_by_index() {
    let text = "var i : int; var a : array 0..1 of int := 0;\na[i] := a[1 - i] + 1;\nfin \
                property p: ctl AG (i >= 0 & i <= 1 -> a[1] >= 0);";
    let found = document(text);
    assert_eq!(found.program.variables, ["i", "a[0]", "a[1]"]);
    let targets: Vec<u32> = found.program.steps.iter().map(|step| step.target).collect();
    let error = found.program.locations.iter().position(|name| name == "error");
    assert!(targets.contains(&(error.expect("a location") as u32)), "{targets:?}");
    let changed = |step: &transition::integers::IntegerStep| {
        step.changed().map(|variable| variable.0).collect::<Vec<_>>()
    };
    let all: Vec<Vec<u32>> = found.program.steps.iter().map(changed).collect();
    assert!(all.contains(&vec![1]) && all.contains(&vec![2]), "{all:?}");
}
