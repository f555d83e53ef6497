//! Processes that are started, that die, that are asked for by others, and that have priorities.

use super::Question;
use super::corners::{hold, hold_by};
use super::{ask_tertium, folder, has_spin, run};

#[test]
fn pids_and_counts() {
    hold(
        "counts",
        &[
            (
                "proctype A() { skip } init { byte n = _nr_pr; run A(); (n == _nr_pr); assert(_nr_pr == 1) }",
                [true, true],
            ),
            (
                "proctype A() { assert(_pid == 1) } init { run A(); (_nr_pr == 1); run A() }",
                [true, true],
            ),
            ("proctype A() { assert(_pid == 1) } init { run A(); run A() }", [false, true]),
            (
                "proctype A() { end: false } init { pid p; p = run A(); assert(p == 1); p = run A(); \
                 assert(p == 2 && _nr_pr == 3) }",
                [true, true],
            ),
            (
                "proctype A() { skip } init { pid p; run A(); p = run A(); assert(p == 2) }",
                [false, true],
            ),
            (
                "proctype A() { skip } init { pid p; atomic { run A(); p = run A() } assert(p == 2) }",
                [true, true],
            ),
            (
                "byte x; proctype A() { x = _pid } proctype B() { run A() } init { run B(); run A(); \
                 (x > 0); assert(x != 3) }",
                [false, true],
            ),
            (
                "active proctype A() { end: (_nr_pr == 1) -> assert(false) } active proctype B() { skip }",
                [false, true],
            ),
            (
                "active proctype A() { skip } active proctype B() { end: (_nr_pr == 1) -> assert(false) }",
                [true, true],
            ),
        ],
    );
}

/// BDDs of pools of 16 processes take too long.
#[test]
fn a_run_in_a_loop() {
    hold_by(
        &["direct"],
        "loops",
        &[
            (
                "byte x; proctype A() { x++; x-- } init { do :: (_nr_pr == 1) -> run A(); assert(x < 2) od }",
                [true, true],
            ),
            (
                "byte x; proctype A(byte n) { byte l = n; x = l } init { byte i; do :: (_nr_pr == 1) -> \
                 assert(x == 0 || x == (i + 2) % 3 + 1); run A(i + 1); i = (i + 1) % 3 od }",
                [true, true],
            ),
            (
                "proctype fact(byte n; chan p) { chan c = [1] of { byte }; byte r; if :: n <= 1 -> p!1 :: \
                 else -> run fact(n - 1, c); c?r; p!n * r fi } init { chan c = [1] of { byte }; byte r; \
                 run fact(4, c); c?r; assert(r == 24) }",
                [true, true],
            ),
            (
                "chan c = [2] of { byte }; proctype A(byte n) { c!n } init { byte r; do :: _nr_pr < 3 -> \
                 run A(_nr_pr) :: c?r -> assert(r == 1) od }",
                [false, true],
            ),
        ],
    );
}

/// Each process of a sieve starts the next one. It takes a minute:
/// `cargo test -p tertium-cli --test spin sieve -- --ignored`.
#[test]
#[ignore = "a minute"]
fn a_sieve_of_processes() {
    hold(
        "sieve",
        &[(
            "mtype = { number, eof }; chan root = [0] of { mtype, int };\n\
                 proctype sieve(chan c; int prime) { chan child = [0] of { mtype, int }; bool has; int n;\n\
                 end: do :: c?number(n) -> if :: (n % prime) == 0 -> skip :: else -> if :: !has -> has = \
                 true; assert(n != 5); run sieve(child, n) :: else -> child!number(n) fi fi :: c?eof(0) -> \
                 break od; if :: has -> child!eof(0) :: else fi }\n\
                 init { int n = 2; run sieve(root, n); do :: n < 5 -> n++; root!number(n) :: n >= 5 -> \
                 root!eof(0); break od }",
            [false, true],
        )],
    );
}

/// Where more processes run than a pool has, nothing is claimed.
#[test]
fn too_many_processes_are_unknown() {
    if !has_spin() {
        return;
    }
    let folder = folder("too-many");
    let text = "proctype A() { end: false } init { do :: run A() od }";
    std::fs::write(folder.join("model.pml"), text).expect("the model");
    // BDDs of all 16 processes take more than a minute.
    let flags = ["check", "model.pml", "--property", "assertions", "--method", "direct"];
    let output = run(&folder, env!("CARGO_BIN_EXE_tertium"), &flags);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("more than 16 processes"), "{said}");
}

#[test]
fn remote_references_in_a_process() {
    hold(
        "remotes",
        &[
            (
                "active [2] proctype A() { L: skip } active proctype B() { assert(!A@L) }",
                [false, true],
            ),
            (
                "active proctype A() { byte x = 3; end: x = 4; false } active proctype B() { \
                 assert(A:x != 5); (A:x == 4) -> assert(A[0]:x == 4) }",
                [true, false],
            ),
            (
                "proctype A(byte n) { byte x = n; end: false } init { pid p; run A(1); p = run A(2); \
                 assert(A[p]:x == 2 && A[1]:x == 1 && A:x == 1) }",
                [true, true],
            ),
        ],
    );
}

#[test]
fn priorities_decide() {
    let manual = "byte cnt; active proctype medium() priority 5 { set_priority(0, 8); cnt++ } active proctype \
                  high() priority 10 { _priority = 9; cnt++ } active proctype low() priority 1 { \
                  assert(_priority == 1 && cnt == 2) }";
    hold(
        "priorities",
        &[
            (manual, [true, true]),
            (
                "byte x; proctype A() { assert(x == 1) } proctype B() { x = 1 } init { atomic { run A() \
                 priority 2; run B() priority 5 } }",
                [false, true],
            ),
            (
                "byte x; active proctype A() priority 3 { x == 1 -> x = 2 } active proctype B() { x = 1; \
                 assert(x == 2) }",
                [true, true],
            ),
            (
                "active proctype A() priority 4 { assert(get_priority(_pid) == 4 && get_priority(1) == 1 \
                 && get_priority(7) == 0) } active proctype B() { skip }",
                [true, true],
            ),
        ],
    );
}

#[test]
fn a_deterministic_process() {
    hold(
        "deterministic",
        &[(
            "byte x; active D_proctype A() { if :: x == 0 -> x = 1 :: x == 1 -> x = 2 fi }",
            [true, true],
        )],
    );
}

#[test]
fn arrays_and_structures_declared_late() {
    hold(
        "late",
        &[
            (
                "active proctype P() { byte n; do :: n < 3 -> n++; byte b[3]; assert(b[0] == 0 && (n == 1 || \
                 b[1] == 7)); b[0] = 7; b[1] = 7 :: else -> break od }",
                [true, true],
            ),
            (
                "active proctype P() { byte n = 1; n = 2; byte b[3] = 4; n = 3; assert(b[0] == 4 && b[2] == 0) }",
                [true, true],
            ),
            (
                "typedef S { byte a = 4; byte b[2] = 5 }; active proctype P() { S s = 3; assert(s.a == 4 && \
                 s.b[1] == 5) }",
                [true, true],
            ),
        ],
    );
}

/// Embedded C where no process comes to it.
#[test]
fn embedded_c_that_is_not_executed() {
    if !has_spin() {
        return;
    }
    let folder = folder("embedded");
    let text = "c_decl { int k; }\nproctype Unused() { c_code { k++; } }\nactive proctype P() { assert(true) }";
    std::fs::write(folder.join("model.pml"), text).expect("the model");
    assert_eq!(ask_tertium(&folder, Question::Assertions, "direct"), Some(true));
}
