//! Nothing makes the reader panic, take long or run out of stack, and laying a text out changes nothing else.

use proptest::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::{Diagnostic, FileId};
use testkit::{IntegerDocument, read_either, read_integers, write_while};

const SEEDS: &[&str] = &[
    "// all of it\nvar x, y : int := {0, 2}; var b : bool; var m : {idle, busy} := idle; var r : -1..7;\n\
     predicates x > 0, x mod 2 = 1 & b, q.t < 3; /* two */\n\
     proc q(in v : int, out w : bool) { var t : 0..7 := v; w := t > 3 | b; assume !w }\n\
     s: while x < 7 & !b -> m = busy do x := x + 1 mod 2; q(2 * y - 1, b) od;\n\
     if b <-> true then skip else r := {1, r / 2} fi; y := any; assume (x + 1) * 3 > y; e: fin\n\
     property p: ctl AG (at_s -> A[x = 0 U !error & r >= 0]) | AF end;\n\
     property \"two words\": mu nu Z. (m != idle | <> Z) & [] Z;\n",
    "var x : int := 0; proc inc(in v : int, out w : int) { w := v + 1 }\n\
     process P { var n : int; l: while true do n := any; assume n > 0; inc(x, x) od }\n\
     process Q { while x > 0 do x := x - 1 od; k: fin }\n\
     predicates P.n > x; property p: ctl AG (P.inc.v = Q.n -> EF at_k & !at_l);",
];

fn read(text: &str) -> Result<IntegerDocument, Vec<Diagnostic>> {
    let text: Arc<str> = text.into();
    let _ = read_either(FileId(0), &text);
    read_integers(FileId(0), &text)
}

/// Runs on a small stack, as other threads have.
fn errors(text: &str) -> Vec<String> {
    read(text).err().unwrap_or_default().into_iter().map(|error| error.message).collect()
}

#[test]
fn the_first_seed_is_fine() {
    assert!(errors(SEEDS[0]).is_empty(), "{:?}", errors(SEEDS[0]));
    assert_eq!(errors(SEEDS[1]).len(), 2, "{:?}", errors(SEEDS[1]));
}

#[test]
fn size_has_a_limit_and_not_the_stack() {
    let many = |part: &str, count: usize| part.repeat(count);
    let different = |part: &str, count: usize| -> String {
        (0..count).map(|number| part.replace('N', &number.to_string())).collect()
    };
    let texts = [
        format!("var x : int; x := {}1", many("x + ", 100_000)),
        format!("var x : int; x := x{}", many(" mod 2", 100_000)),
        format!("var x : int; x := {}x", many("-", 100_000)),
        format!("var x : int; x := {}x{}", many("(", 100_000), many(")", 100_000)),
        format!("var b : bool; var x : int; assume {}b", different("x > N <-> ", 10_000)),
        format!("var b : bool; var x : int; assume {}b", different("x = N & 1 / 0 = 1 | ", 10_000)),
        format!("var b : bool; {}skip{}", many("while b do ", 100_000), many(" od", 100_000)),
    ];
    for text in texts {
        let found = errors(&text);
        let is_said =
            |message: &String| message.contains("too large") || message.contains("nested");
        assert!(found.iter().any(is_said), "{found:?}: {:.80}", text);
    }
    let fine = [
        format!("var x : int; x := {}1", many("x + ", 5000)),
        format!("var b : bool; var x : int; assume {}b", many("x > 0 & ", 2000)),
        format!("var b : bool; assume {}b", many("b <-> b = (b | b) <-> ", 10_000)),
        format!("var b : bool; assume {}b", many("b & 1 / 0 = 1 & ", 10_000)),
    ];
    for text in fine {
        let document = read(&text).expect("not too large");
        let values = |_: smt::Variable| 1;
        for step in &document.program.steps {
            assert!(step.guard.clone().holds(&values).is_some());
        }
    }
}

#[test]
fn products_have_a_limit() {
    let mut text = "var x : int; proc p0() { x := 0 } ".to_owned();
    for index in 1..40 {
        text.push_str(&format!("proc p{index}() {{ p{0}(); p{0}() }} ", index - 1));
    }
    let start = Instant::now();
    assert_eq!(errors(&format!("{text} p39()")), ["the program is too large"]);
    let process = |name: usize| format!("process P{name} {{ {}fin }}", "x := x + 1; ".repeat(100));
    let processes: String = (0..4).map(process).collect();
    assert_eq!(
        errors(&format!("var x : int; {processes}")),
        ["the program has too many locations"]
    );
    let two: String = (0..2).map(process).collect();
    let document = read(&format!("var x : int; {two}")).expect("10,201 places");
    assert_eq!(document.program.locations.len(), 101 * 101 + 1);
    let branches = "if x > 0 then skip fi; ".repeat(20_000);
    let long = read(&format!("var x : int; {branches} fin")).expect("long");
    assert_eq!(long.program.locations.len(), 60_002);
    // Generous: the machine may be busy.
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// The program without positions in the text.
fn structure(text: &str) -> Option<String> {
    let document = read(text).ok()?;
    let targets: Vec<_> = document
        .program
        .steps
        .iter()
        .map(|step| (step.source, step.target, &step.guard, &step.changes))
        .collect();
    let formulas: Vec<_> =
        document.properties.iter().map(|p| (&p.name, p.surface().unwrap().root)).collect();
    let names: Vec<_> = document.propositions.iter().map(|(_, meaning)| meaning).collect();
    let conditions: Vec<_> = document.predicates.iter().map(|p| &p.condition).collect();
    Some(format!("{targets:?} {formulas:?} {names:?} {conditions:?} {:?}", document.start))
}

#[test]
fn laid_out_means_the_same() {
    for text in [SEEDS[0], &SEEDS[1].replace("P.inc.v = Q.n", "P.n = 1")] {
        let once = write_while(text);
        assert_eq!(write_while(&once), once, "laid out twice");
        assert_eq!(structure(&once), structure(text), "{once}");
        assert!(structure(text).is_some(), "{:?}", errors(text));
    }
}

#[test]
fn layout() {
    let text = "var x:int;predicates x>0,x mod 2=1;process P{var n:int;while x>0 do assume(n>1);x:=x-1 od}process Q{skip}property p:ctl AG end;";
    let wanted = "\
var x : int;
predicates x > 0, x mod 2 = 1;
process P {
  var n : int;
  while x > 0 do
    assume (n > 1);
    x := x - 1
  od
}
process Q {
  skip
}
property p: ctl AG end;
";
    assert_eq!(write_while(text), wanted);
}

fn chunks() -> impl Strategy<Value = String> {
    let words: Vec<&str> = SEEDS.iter().flat_map(|seed| seed.split_whitespace()).collect();
    proptest::collection::vec(proptest::sample::select(words), 0..40)
        .prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_chunks_are_read_or_refused(text in chunks()) {
        let _ = read(&text);
        let _ = read(&format!("var x, y : int; {text}"));
        let _ = read(&write_while(&text));
    }

    #[test]
    fn a_text_with_something_missing(seed in 0..SEEDS.len(), start in 0usize..700, length in 1usize..60) {
        let whole = SEEDS[seed];
        let start = start % whole.len();
        let end = (start + length).min(whole.len());
        let text = format!("{}{}", &whole[..start], &whole[end..]);
        match read(&text) {
            Ok(_) => prop_assert_eq!(structure(&write_while(&text)), structure(&text)),
            Err(errors) => prop_assert!(errors.iter().any(Diagnostic::is_error)),
        }
    }

    #[test]
    fn a_text_with_something_else(seed in 0..SEEDS.len(), at in 0usize..700, word in chunks()) {
        let whole = SEEDS[seed];
        let (before, after) = whole.split_at(at % whole.len());
        let _ = read(&format!("{before} {word} {after}"));
    }
}
