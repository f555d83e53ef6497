//! Small models of which a reader of Promela easily gets the meaning wrong.

use super::{Question, compare, folder, has_spin};

/// The verdicts of both on assertions and on end states.
fn verdicts(folder: &std::path::Path, text: &str) -> [bool; 2] {
    [Question::Assertions, Question::EndStates]
        .map(|question| compare(folder, text, question).expect("Spin takes the model").holds)
}

fn hold(name: &str, models: &[(&str, [bool; 2])]) {
    if !has_spin() {
        return;
    }
    let folder = folder(name);
    for (text, holds) in models {
        assert_eq!(verdicts(&folder, text), *holds, "{text}");
    }
}

#[test]
fn a_declaration_is_a_statement() {
    let looped = |body: &str| {
        format!("active proctype P() {{ byte n; do :: n < 2 -> {body} :: else -> break od }}")
    };
    let own = "byte i; i++; assert(i == 1); n++";
    let called = "inline f(k) { byte t; t = t + k; assert(t == 1) }\n";
    hold(
        "declarations",
        &[
            (&looped(own), [true, true]),
            (&looped(&format!("{{ {own} }}")), [true, true]),
            (&looped(&format!("atomic {{ {own} }}")), [true, true]),
            (&looped(&format!("d_step {{ {own} }}")), [true, true]),
            (&format!("{called}{}", looped("f(1); n++")), [true, true]),
            ("active proctype P() { L: skip; byte i; i++; assert(i < 2); goto L }", [true, true]),
            ("active proctype P() { goto L; byte i = 5; L: assert(i == 0) }", [true, true]),
            (
                "byte x; active proctype P() { skip; if :: byte i; x == 1 -> skip :: else -> skip fi }",
                [true, false],
            ),
            (
                "typedef S { byte f }; active proctype P() { S s; do :: S i; i.f++; assert(i.f < 2) od }",
                [false, true],
            ),
        ],
    );
}

#[test]
fn a_rendezvous_channel_is_never_full() {
    let asked = |question: &str| {
        format!(
            "chan c = [0] of {{ bit }}; active proctype P() {{ {question}(c) -> assert(false) }}"
        )
    };
    let models = [("full", [true, false]), ("nfull", [false, true]), ("empty", [false, true])];
    let models = models.map(|(question, holds)| (asked(question), holds));
    let models = models.each_ref().map(|(text, holds)| (text.as_str(), *holds));
    hold("full", &models);
}
