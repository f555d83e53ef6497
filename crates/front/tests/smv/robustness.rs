//! No text makes the reader panic, overflow the stack or lose its way.

use crate::generate::program;
use crate::support::{compact, compile, read};
use logic::Fairness;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use support::{Monitor, StopReason};
use testkit::Rng;
use transition::{StepError, enumerate};

/// A value, or at least one error, and places that can be shown; what was read can be used.
fn feed(text: &str) {
    match read(text) {
        Err(errors) => {
            assert!(errors.iter().any(|error| error.is_error()), "{text:?}");
            compact(text, &errors);
        }
        Ok(document) => {
            compact(text, &document.warnings);
            for specification in &document.specifications {
                let _ = compile(&document, specification, &Fairness::default());
            }
            let whole = document.machine.unsliced();
            let monitor = Monitor::new();
            let states =
                enumerate(&document.machine, &whole, &document.propositions, 200, &monitor);
            if let Err(StepError::Fault(fault)) = states {
                compact(text, &[fault.diagnostic(&document.machine)]);
            }
        }
    }
}

const SEED: &str =
    "-- all there is\nMODULE main\nCONSTANTS low, high;\nVAR x : 0..3; y : {a, b, 1};
  w : word[3]; s : signed word[2]; t : array -1..1 of array 0..1 of boolean;
  m : part(x, self); p : process part(y, 1);\nIVAR i : boolean;\nFROZENVAR f : boolean;
DEFINE d := x + 1; l := [1, 2];\nASSIGN init(x) := {0, 1} union 2..3;
  next(x) := case x = 0 & next(f) : 1; i : l[0]; TRUE : x; esac; t[0][1] := FALSE;
INIT w[1:0] :: 0b1_0 = resize(w, 3); TRANS next(w) = w << 1 | s >= - 0sd2_1; INVAR x in {0, 1, 2, 3}
FAIRNESS p.running\nSPEC NAME q := AG (x = 1 -> AF (y = a)) & E [TRUE U count(f, f) = 2];
INVARSPEC d > 0; LTLSPEC G x = 1\nMUSPEC nu Z. mu Y. <> Y & [] Z | toint(w) > 1
MODULE part(u, v) VAR z : boolean; ASSIGN next(z) := u = 1 ? !z : z; SPEC EF z\n";

const CHUNKS: [&str; 60] = [
    "MODULE",
    "VAR",
    "IVAR",
    "DEFINE",
    "ASSIGN",
    "INIT",
    "TRANS",
    "INVAR",
    "SPEC",
    "INVARSPEC",
    "MUSPEC",
    "LTLSPEC",
    "FAIRNESS",
    "ISA",
    "main",
    "part",
    "process",
    "array",
    "of",
    "boolean",
    "word",
    "signed",
    "case",
    "esac",
    "next(",
    "init(",
    "union",
    "in",
    "mod",
    "xor",
    "self",
    "running",
    "AG",
    "A [",
    "U",
    "mu Z.",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ":=",
    ";",
    ",",
    ".",
    "..",
    "->",
    "<->",
    "=",
    "<",
    "<<",
    "::",
    "!",
    "-",
    "0",
    "99",
    "0ud3_5",
    "--",
];

/// Replaces, inserts and removes a few pieces.
fn mutate(text: &str, changes: &[(Index, u8, &str)]) -> String {
    let mut text = text.to_owned();
    for (place, action, chunk) in changes {
        let mut at = place.index(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        match action % 3 {
            0 => text.insert_str(at, &format!(" {chunk} ")),
            1 => {
                let end = text[at..].find([' ', '\n', ';']).map_or(text.len(), |end| at + end);
                text.replace_range(at..end, chunk);
            }
            _ => {
                let end = (at + 7).min(text.len());
                let end = (end..=text.len()).find(|&end| text.is_char_boundary(end));
                text.replace_range(at..end.unwrap_or(at), "");
            }
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn mutated_files(changes in prop::collection::vec((any::<Index>(), any::<u8>(), select(&CHUNKS[..])), 1..6)) {
        feed(&mutate(SEED, &changes));
    }

    #[test]
    fn mutated_programs(seed in any::<u64>(), changes in prop::collection::vec((any::<Index>(), any::<u8>(), select(&CHUNKS[..])), 0..3)) {
        feed(&mutate(&program(&mut Rng::new(seed)), &changes));
    }

    #[test]
    fn chunks(words in prop::collection::vec(select(&CHUNKS[..]), 0..40)) {
        feed(&words.join(" "));
        feed(&format!("MODULE main VAR x : boolean; INIT {}", words.join(" ")));
    }

    #[test]
    fn anything(text in any::<String>()) {
        feed(&text);
    }
}

#[test]
fn the_seed_is_right() {
    assert!(read(SEED).is_ok(), "{}", compact(SEED, &read(SEED).unwrap_err()));
}

#[test]
fn depth_and_length() {
    let deep = |open: &str, close: &str, depth: usize| {
        format!("MODULE main VAR x : boolean; INIT {}x{}", open.repeat(depth), close.repeat(depth))
    };
    for depth in [100, 200, 100_000] {
        feed(&deep("(", ")", depth));
        feed(&deep("!", "", depth));
        feed(&deep("AG ", "", depth));
        feed(&deep("x -> ", "", depth));
        feed(&deep("x ? x : ", "", depth));
        feed(&deep("case x : ", "; esac", depth));
        feed(&deep("{", "}", depth));
        feed(&deep("next(", ")", depth));
        feed(&deep("- ", "", depth));
        feed(&deep("self.", "", depth));
    }
    assert!(read(&deep("(", ")", 200)).is_ok());
    let long = format!("MODULE main VAR x : boolean; INIT x{}", " & x".repeat(100_000));
    assert!(read(&long).is_ok());
    let sum = format!("MODULE main VAR x : 0..1; INIT x{} > 3", " + x".repeat(20_000));
    assert!(read(&sum).is_ok());
    let definitions: String = (1..20_000).map(|n| format!("d{n} := d{} & x;", n - 1)).collect();
    assert!(
        read(&format!("MODULE main VAR x : boolean; DEFINE {definitions} d0 := x; INIT d19999"))
            .is_ok()
    );
    let modules: String =
        (0..30).map(|n| format!("MODULE m{n} VAR a : m{}; b : m{};\n", n + 1, n + 1)).collect();
    feed(&format!("MODULE main VAR a : m0;\n{modules}MODULE m30 VAR x : boolean;"));
    let arrays = "MODULE main VAR x : array 0..99999 of array 0..99999 of boolean;";
    assert!(read(arrays).is_err());
}

#[test]
fn faults_are_reported_where_they_can_be_reached() {
    let reports = [
        (
            "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := x + 1;",
            "1:48 `x` is assigned 4, which is out of range | in the reachable state x=3 | 1:17 declared here | widen its type, or guard the assignment with a `case`",
        ),
        (
            "MODULE main VAR x : 0..3; ASSIGN init(x) := 2; next(x) := case x = 2 : 1; esac;",
            "1:59 no condition of this `case` holds | in the reachable state x=1 | end the `case` with `TRUE : …;` for whatever is left",
        ),
        (
            "MODULE main VAR x : 0..3; ASSIGN init(x) := 2; next(x) := x > 0 ? x - 1 : 0; SPEC AG 4 / x > 0",
            "1:86 a division by zero | in the reachable state x=0 | guard it by a `case` that asks first whether the divisor is 0",
        ),
        (
            "MODULE main VAR x : 0..3; a : array 0..2 of boolean; ASSIGN init(x) := 2; next(x) := 3; INVAR a[x]",
            "1:97 an index is outside of the array's bounds, 0..2 | in the reachable state x=2,a[0]=FALSE,a[1]=FALSE,a[2]=TRUE | guard the access by a `case`",
        ),
        (
            "MODULE main VAR x : 0..3; w : word[2]; ASSIGN init(x) := 3; INIT w << x = w;",
            "1:66 a word is shifted by more bits than it has, or by less than none | in an initial state | guard the shift by a `case`",
        ),
    ];
    for (text, wanted) in reports {
        let document = read(text).unwrap_or_else(|errors| panic!("{}", compact(text, &errors)));
        let whole = document.machine.unsliced();
        let halt =
            enumerate(&document.machine, &whole, &document.propositions, 100, &Monitor::new());
        let Err(StepError::Fault(fault)) = halt else { panic!("{text}: {halt:?}") };
        assert_eq!(compact(text, &[fault.diagnostic(&document.machine)]), wanted, "{text}");
    }
    // What cannot be reached, and what another operand decides, is no mistake.
    for fine in [
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := case x = 0 : 1; x = 1 : 0; esac;",
        "MODULE main VAR x : 0..3; SPEC AG (x != 0 -> 6 / x > 1); SPEC AG (x = 0 | 6 / x > 1);",
        "MODULE main VAR x : 0..3; a : array 0..2 of boolean; SPEC EF (a[x] & x < 3)",
    ] {
        let document = read(fine).unwrap_or_else(|errors| panic!("{}", compact(fine, &errors)));
        let whole = document.machine.unsliced();
        let found =
            enumerate(&document.machine, &whole, &document.propositions, 100, &Monitor::new());
        assert!(found.is_ok(), "{fine}: {found:?}");
    }
}

#[test]
fn an_enumeration_can_be_stopped() {
    let text = "MODULE main VAR x : word[40]; y : word[40];";
    let document = read(text).unwrap_or_else(|errors| panic!("{}", compact(text, &errors)));
    let whole = document.machine.unsliced();
    let monitor = Monitor::new();
    monitor.stop(StopReason::Timeout);
    let halted = enumerate(&document.machine, &whole, &[], usize::MAX, &monitor);
    assert!(matches!(halted, Err(StepError::Stopped(_))));
    let halted = enumerate(&document.machine, &whole, &[], 1000, &Monitor::new());
    assert!(matches!(halted, Err(StepError::TooMany(1000))));
}
