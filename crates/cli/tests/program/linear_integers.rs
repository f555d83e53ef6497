//! LTL on programs over unbounded integers: the patterns of the literature (absence, existence, precedence, response,
//! chains, recurrence, persistence), on loops that end, diverge or go on for ever.

use crate::support::{file, run, stderr, stdout};
use std::fmt::Write;

/// Programs with formulas and their verdicts. `F G p` stays unknown where a ranking function is needed: its least
/// fixpoint has a greatest one within, and such fixpoints are not ranked.
const PROGRAMS: [(&str, &[(&str, &str)]); 30] = [
    // Countdown.
    (
        "var x : int;\n\
     while x > 0 do x := x - 1 od;\n\
     done: fin",
        &[
            ("F at_done", "true"),
            ("G F x <= 0", "true"),
            ("F G x <= 0", "unknown"),
            ("G (x > 5 -> F x = 5)", "true"),
            ("F x = 0", "false"),
            ("(x > 0) W at_done", "false"),
        ],
    ),
    // Countup.
    (
        "var x : int := 0;\n\
     while true do x := x + 1 od",
        &[
            ("G x >= 0", "true"),
            ("F x = 3", "true"),
            ("G F x = 0", "false"),
            ("F G x > 10", "true"),
            ("G (x = 1 -> O x = 0)", "true"),
        ],
    ),
    // Two counters.
    (
        "var x : int; var y : int;\n\
     while x > 0 do x := x - 1; y := x; while y > 0 do y := y - 1 od od;\n\
     done: fin",
        &[
            ("F at_done", "true"),
            ("G (x > 0 & y > 0 -> F y <= 0)", "true"),
            ("G F y <= 0", "false"),
        ],
    ),
    // Toggle.
    (
        "var y : int := 0;\n\
     while true do y := 1 - y od",
        &[
            ("G F y = 0", "true"),
            ("G F y = 1", "true"),
            ("F G y = 0", "false"),
            ("G (y = 0 -> X y = 0)", "false"),
            ("G F y = 0 -> G F y = 1", "true"),
        ],
    ),
    // Request.
    (
        "var r : int := 0; var n : int;\n\
     while true do n := any; r := 1; while n > 0 do n := n - 1 od; r := 0 od",
        &[
            ("G (r = 1 -> F r = 0)", "true"),
            ("G F r = 1", "true"),
            ("G F r = 0", "true"),
            ("F G r = 0", "false"),
            ("G (r = 1 -> r = 1 U r = 0)", "true"),
        ],
    ),
    // Lost.
    (
        "var r : int := 0; var n : int;\n\
     while true do n := any; r := 1; while n != 0 do n := n - 1 od; r := 0 od",
        &[("G (r = 1 -> F r = 0)", "false"), ("G F r = 0", "false"), ("G (r = 0 | r = 1)", "true")],
    ),
    // Gcd.
    (
        "var a : int; var b : int;\n\
     assume a > 0 & b > 0;\n\
     while a != b do if a > b then a := a - b else b := b - a fi od;\n\
     done: fin",
        &[("F at_done", "true"), ("X G a > 0", "true"), ("G (at_done -> a = b)", "true")],
    ),
    // Phases.
    (
        "var p : int := 0; var n : int;\n\
     while n > 0 do n := n - 1 od;\n\
     p := 1;\n\
     n := any;\n\
     while n > 0 do n := n - 1 od;\n\
     p := 2;\n\
     done: fin",
        &[
            ("F p = 2", "true"),
            ("G (p = 2 -> O p = 1)", "true"),
            ("(p = 0) U (p = 1)", "true"),
            ("G (p = 1 -> X p = 2)", "false"),
            ("F G p = 2", "unknown"),
        ],
    ),
    // Absence.
    (
        "var x : int := 1; var e : int := 0;\n\
     while x < 100 do x := x + x od;\n\
     e := 1;\n\
     finish: fin",
        &[
            ("G (e = 1 -> x >= 100)", "true"),
            ("!(e = 1) U (x >= 100)", "true"),
            ("F e = 1", "true"),
        ],
    ),
    // Precedence.
    (
        "var a : int := 0; var b : int := 0; var n : int;\n\
     if n > 3 then a := 1 else skip fi;\n\
     if a = 1 then b := 1 else skip fi;\n\
     l: fin",
        &[
            ("(b != 1) W (a = 1)", "true"),
            ("F b = 1", "false"),
            ("G (b = 1 -> n > 3)", "true"),
            ("F at_l", "true"),
        ],
    ),
    // Bounce.
    (
        "var x : int := 0; var d : int := 1;\n\
     while true do x := x + d; if x >= 10 then d := 0 - 1 else skip fi; if x <= 0 then d := 1 else skip fi od",
        &[("G x <= 10", "true"), ("G F x = 10", "true"), ("G F x = 0", "true")],
    ),
    // Fair choice.
    (
        "var c : int; var x : int := 5;\n\
     while x > 0 do c := any; if c > 0 then x := x - 1 else skip fi od;\n\
     done: fin",
        &[("F at_done", "false"), ("(G F c > 0) -> F at_done", "true"), ("G (x >= 0)", "true")],
    ),
    // Buffer.
    (
        "var n : int := 0; var c : int;\n\
     while true do c := any; if c > 0 then n := n + 1 else if n > 0 then n := n - 1 else skip fi fi od",
        &[("G n >= 0", "true"), ("G F n = 0", "false"), ("G (n = 3 -> O n = 2)", "true")],
    ),
    // Nested until.
    (
        "var x : int := 10;\n\
     while x > 0 do x := x - 1 od;\n\
     while x < 5 do x := x + 1 od;\n\
     done: fin",
        &[
            ("(x > 0) U ((x = 0) & F x = 5)", "true"),
            ("F (x = 0 & X F x = 5)", "true"),
            ("G (x = 5 -> F x = 0)", "false"),
        ],
    ),
    // Mono.
    (
        "var x : int; var y : int;\n\
     assume x < y;\n\
     while x < y do x := x + 1 od;\n\
     done: fin",
        &[("F at_done", "true"), ("G x <= y", "true")],
    ),
    // Diverge.
    (
        "var x : int;\n\
     while x != 7 do x := x + 1 od;\n\
     done: fin",
        &[
            ("F at_done", "false"),
            ("G (x > 7 -> G x > 7)", "true"),
            ("(x <= 7) & X X x<=7 -> F x = 7", "true"),
        ],
    ),
    // Watchdog.
    (
        "var t : int := 0; var k : int;\n\
     while true do k := any; if k > 0 then t := 0 else t := t + 1 fi; if t > 3 then t := 0 else skip fi od",
        &[("G t <= 4", "true"), ("G F t = 0", "true")],
    ),
    // Alternate.
    (
        "var a : int := 0; var b : int := 0;\n\
     while true do a := a + 1; b := b + 1 od",
        &[
            ("G (a >= b)", "true"),
            ("G (a = b | a = b + 1)", "true"),
            ("G F a = b", "true"),
            ("F G a > b", "false"),
        ],
    ),
    // Terminate either.
    (
        "var x : int; var y : int;\n\
     while x > 0 & y > 0 do x := x - 1; y := y - 1 od;\n\
     done: fin",
        &[("F at_done", "true"), ("F (x <= 0 | y <= 0)", "true"), ("F x <= 0", "false")],
    ),
    // Lexicographic.
    (
        "var x : int; var y : int;\n\
     while x > 0 & y > 0 do if y > 1 then y := y - 1 else x := x - 1; y := any fi od;\n\
     done: fin",
        &[("F at_done", "true")],
    ),
    // Sawtooth.
    (
        "var x : int := 0; var n : int;\n\
     while true do n := any; x := n; while x > 0 do x := x - 1 od od",
        &[("G F x <= 0", "true"), ("G (x > 0 -> F x = 0)", "true"), ("F G x <= 0", "false")],
    ),
    // Once.
    (
        "var x : int := 0; var f : int := 0;\n\
     while x < 20 do x := x + 1; if x = 10 then f := 1 else skip fi od;\n\
     e: fin",
        &[("F f = 1", "true"), ("G (f = 1 -> x >= 10)", "true"), ("G (f = 1 -> G f = 1)", "true")],
    ),
    // Weak.
    (
        "var x : int;\n\
     while x > 0 do x := x - 1 od;\n\
     while true do skip od",
        &[("(x > 0) W (x <= 0)", "true"), ("F G x <= 0", "unknown"), ("F x = 0", "false")],
    ),
    // Strict response.
    (
        "var q : int := 0; var s : int := 0; var n : int;\n\
     while true do q := 1; n := 3; while n > 0 do n := n - 1 od; s := 1; q := 0; s := 0 od",
        &[
            ("G (q = 1 -> F s = 1)", "true"),
            ("G (s = 1 -> X q = 0)", "true"),
            ("G (q = 1 -> (q = 1 U s = 1))", "true"),
        ],
    ),
    // Drain.
    (
        "var a : int; var b : int := 0;\n\
     while a > 0 do a := a - 1; b := b + 1 od;\n\
     while b > 0 do b := b - 1 od;\n\
     e: fin",
        &[("F at_e", "true"), ("G b >= 0", "true"), ("F (a <= 0 & F b = 0)", "true")],
    ),
    // Recur.
    (
        "var x : int := 0;\n\
     while true do if x > 4 then x := 0 else x := x + 1 fi od",
        &[
            ("G F x = 5", "true"),
            ("G F x = 3", "true"),
            ("G (x = 5 -> X X x <= 5)", "true"),
            ("G x <= 5", "true"),
        ],
    ),
    // Escape.
    (
        "var x : int; var c : int;\n\
     while x > 0 do c := any; if c = 0 then x := 0 - 1 else x := x + 1 fi od;\n\
     e: fin",
        &[("F at_e", "false"), ("G (x <= 0 -> F at_e)", "true"), ("(F at_e) | G x > 0", "true")],
    ),
    // Handshake.
    (
        "var req : int := 0; var ack : int := 0;\n\
     while true do req := 1; ack := 1; req := 0; ack := 0 od",
        &[
            ("G (req = 1 -> F ack = 1)", "true"),
            ("G (ack = 1 -> O req = 1)", "true"),
            ("G F (req = 0 & ack = 0)", "true"),
            ("G !(req = 0 & ack = 1)", "false"),
        ],
    ),
    // Chain.
    (
        "var a : int := 0; var b : int := 0; var c : int := 0; var n : int;\n\
     a := 1; while n > 0 do n := n - 1 od; b := 1; c := 1;\n\
     e: fin",
        &[
            ("G (a = 1 -> F (b = 1 & F c = 1))", "true"),
            ("(c != 1) W (b = 1)", "true"),
            ("F (c = 1)", "true"),
        ],
    ),
    // Half.
    (
        "var x : int;\n\
     assume x > 0;\n\
     while x > 1 do x := x - 2 od;\n\
     e: fin",
        &[("F at_e", "true"), ("F x = 1", "false"), ("F (x = 0 | x = 1)", "true")],
    ),
];

#[test]
fn linear_time_over_integers() {
    for (number, (program, asked)) in PROGRAMS.iter().enumerate() {
        let mut text = format!("{program}\n");
        for (formula, _) in *asked {
            let _ = writeln!(text, "property \"{formula}\": ltl {formula};");
        }
        let path = file(&format!("linear{number}.while"), text.as_bytes());
        let output = run(&["check", &path, "--no-trace", "--audit"]);
        let said = stdout(&output);
        let verdicts = said.lines().filter_map(|line| line.split_whitespace().next());
        let is_verdict = |word: &&str| matches!(*word, "true" | "false" | "unknown");
        let verdicts: Vec<&str> = verdicts.filter(is_verdict).collect();
        let expected: Vec<&str> = asked.iter().map(|(_, verdict)| *verdict).collect();
        let notes = stderr(&output);
        assert_eq!(verdicts, expected, "{text}{said}{notes}");
        let audited = notes.matches("`: audited, ").count();
        let definite = expected.iter().filter(|verdict| **verdict != "unknown").count();
        assert_eq!(audited, definite, "{text}{notes}");
    }
}
