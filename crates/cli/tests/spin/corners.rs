//! Small models of which a reader of Promela easily gets the meaning wrong.

use super::{METHODS, Question, compare, folder, has_spin};

/// The verdicts of both on assertions and on end states.
fn verdicts(folder: &std::path::Path, text: &str, methods: &[&str]) -> [bool; 2] {
    [Question::Assertions, Question::EndStates].map(|question| {
        compare(folder, text, question, methods).expect("Spin takes the model").holds
    })
}

pub(super) fn hold(name: &str, models: &[(&str, [bool; 2])]) {
    hold_by(METHODS, name, models);
}

pub(super) fn hold_by(methods: &[&str], name: &str, models: &[(&str, [bool; 2])]) {
    if !has_spin() {
        return;
    }
    let folder = folder(name);
    for (text, holds) in models {
        assert_eq!(verdicts(&folder, text, methods), *holds, "{text}");
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

#[test]
fn escapes_are_tried_first() {
    hold(
        "escapes",
        &[
            (
                "byte x; active proctype P() { { x = 1; x = 2; x = 3 } unless { x == 2 -> x = 9 }; \
                 assert(x != 3) }",
                [true, true],
            ),
            (
                "byte x; active proctype P() { { x = 1; x = 2; x = 3 } unless { x == 3 -> x = 9 }; \
                 assert(x == 3) }",
                [true, true],
            ),
            (
                "byte x; active proctype P() { { d_step { x = 1; x = 2; x = 3 }; x = 4 } unless { x \
                 == 2 -> x = 9 }; assert(x == 4) }",
                [true, true],
            ),
            (
                "byte x; active proctype P() { do :: x < 3 -> x++ od unless { x == 2 -> assert(false) \
                 } }",
                [false, true],
            ),
            (
                "byte x; active proctype P() { { { x = 1; false } unless { x == 1 -> x = 5 } } unless \
                 { x == 1 -> x = 6 }; assert(x == 6) }",
                [true, true],
            ),
            (
                "byte x; active proctype P() { { if :: x == 1 -> skip :: else -> x = 3 fi } unless { \
                 x == 3 -> assert(false) } }",
                [true, true],
            ),
        ],
    );
}

#[test]
fn messages_out_of_order() {
    hold(
        "orders",
        &[
            (
                "chan c = [3] of { byte }; active proctype P() { byte x; c!3; c!1; c!2; c??2; c?x; \
                 assert(x == 3); c?x; assert(x == 1) }",
                [true, true],
            ),
            (
                "chan c = [3] of { byte }; active proctype P() { byte x; c!!3; c!!1; c!!2; c?x; \
                 assert(x == 1); c?x; assert(x == 2) }",
                [true, true],
            ),
            (
                "chan c = [4] of { byte, byte }; active proctype P() { byte x, y; c!!1,2; c!!0,3; \
                 c!!1,1; c!!1,2; c?x,y; assert(x == 0); c?x,y; assert(y == 1); assert(len(c) == 2) }",
                [true, true],
            ),
            (
                "chan c = [2] of { byte }; active proctype P() { byte x; c!1; c!2; assert(c??[2] && \
                 !c??[3]); c??<2>; assert(len(c) == 2); c??x; assert(x == 1) }",
                [true, true],
            ),
            ("chan c = [2] of { byte }; active proctype P() { c!1; c??2 }", [true, false]),
            (
                "chan c = [0] of { byte }; active proctype P() { c!!1 } active proctype Q() { c??1 }",
                [true, true],
            ),
        ],
    );
}

#[test]
fn processes_with_a_condition() {
    hold(
        "providers",
        &[
            ("bool go; active proctype P() provided (go) { assert(false) }", [true, false]),
            (
                "bool go; active proctype P() provided (go) { assert(false) } active proctype Q() { \
                 go = true }",
                [false, true],
            ),
            (
                "byte x; active proctype P() provided (x != 1) { x = 1; x = 2 } active proctype Q() { \
                 x == 1 -> assert(x == 1); x = 3 }",
                [true, true],
            ),
        ],
    );
}

#[test]
fn channels_and_structures_in_messages() {
    hold(
        "channels",
        &[
            (
                "chan c = [1] of { byte }; chan d = [1] of { chan }; active proctype P() { chan e; \
                 d?e; e!7 } active proctype Q() { byte x; d!c; c?x; assert(x == 7) }",
                [true, true],
            ),
            (
                "chan c[2] = [1] of { byte }; byte i; proctype P(chan e) { e!1 } init { if :: i = 0 \
                 :: i = 1 fi; run P(c[i]); c[1]?1; assert(i == 1) }",
                [true, false],
            ),
            (
                "chan d = [0] of { byte, chan }; active proctype P() { chan own = [0] of { byte }; \
                 byte x; d!1, own; own?x; assert(x == 2) } active proctype Q() { chan e; byte n; d?n, \
                 e; e!n + 1 }",
                [true, true],
            ),
            (
                "typedef T { byte a; bit b[2] }; chan c = [1] of { T, byte }; active proctype P() { T \
                 t, u; byte n; t.a = 3; t.b[1] = 1; c!t, 4; c?u, n; assert(u.a == 3 && u.b[1] == 1 && \
                 u.b[0] == 0 && n == 4) }",
                [true, true],
            ),
            (
                "chan c = [1] of { byte }; active proctype P() { chan e; e = c; e!1; assert(c?[1] && \
                 e == c) }",
                [true, true],
            ),
        ],
    );
}

#[test]
fn structures_within_structures() {
    hold(
        "structures",
        &[
            (
                "typedef B { byte c[2] } typedef A { B b[2]; byte n } A a[2]; active proctype P() { \
                 byte i = 1; a[1].b[i].c[0] = 5; assert(a[i].b[1].c[0] == 5 && a[0].b[1].c[0] == 0 && \
                 a[1].b[0].c[1] == 0) }",
                [true, true],
            ),
            (
                "byte a[3]; active proctype P() { byte i, n; for (i in a) { n = n + i } assert(n == 3 \
                 && i == 3) }",
                [true, true],
            ),
        ],
    );
}

#[test]
fn the_end_of_a_line_ends_a_statement() {
    hold(
        "lines",
        &[
            (
                "byte x; active proctype P() {\n x = 1\n x = 2\n if\n :: x == 2 -> x = 3\n :: else x \
                 = 9\n fi\n assert(x == 3)\n}",
                [true, true],
            ),
            (
                "byte x; chan c = [1] of { byte }; active proctype P() {\n c!1\n (len(c) == 1)\n \
                 c?x\n (x == 1)\n x = x\n -1 != 0\n assert(x == 1)\n}",
                [true, true],
            ),
            (
                "#define N 2\n#if N > 1 && defined(N)\nbyte x = 1;\n#elif 1\nbyte x = \
                 2;\n#endif\nactive proctype P() { assert(x == 1) }",
                [true, true],
            ),
        ],
    );
}
