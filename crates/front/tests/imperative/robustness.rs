//! Nothing makes the reader panic, take long or run out of stack, and laying a text out changes nothing else.

use front::read_assumption;
use proptest::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::FileId;
use testkit::{read_while, write_while};

const TEXT: &str = "// all of the language\n\
    var x, y : -1..7 := {0, 2}; var b : bool; var m : {idle, busy} := idle;\n\
    var a : array 0..3 of 0..7 := 0; /* a comment */\n\
    property p: ctl AG (at_s -> A[x = 0 U !error & a[1] >= 0]);\n\
    proc q(in v : 0..7, out r : bool) { var t : 0..7 := v; r := t > 3 | b; hole h(a, b) }\n\
    s: while x < 7 & !b -> m = busy do x := x + 1 mod 2; q(y * 2 - 1, b) od;\n\
    if b <-> true then skip else a[x] := {1, a[y] / x} fi; y := any; // behind\n\
    e: fin\n\
    property \"two words\": mu nu Z. (m != idle | <> Z) & [] Z;\n";

fn read(text: &str) -> Result<testkit::WhileDocument, Vec<support::Diagnostic>> {
    let text: Arc<str> = text.into();
    read_while(FileId(0), &text)
}

#[test]
fn the_text_is_fine() {
    assert!(read(TEXT).is_ok(), "{:#?}", read(TEXT).err());
}

#[test]
fn nesting_has_a_limit_and_not_the_stack() {
    let deep = |open: &str, inner: &str, close: &str, times: usize| {
        format!("var b : bool; {}{inner}{}", open.repeat(times), close.repeat(times))
    };
    assert!(read(&deep("if b then ", "skip", " fi", 150)).is_ok());
    assert!(
        read(&format!("var b : bool; b := {}", deep("(", "b", ")", 100).split_off(14))).is_ok()
    );
    for text in [
        deep("if b then ", "skip", " fi", 100_000),
        deep("while b do ", "skip", " od", 100_000),
        format!("var b : bool; b := {}b{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("var b : bool; b := {}b", "!".repeat(100_000)),
        format!("var b : bool; b := {}b", "b -> ".repeat(100_000)),
        format!("var x : 0..1; x := {}x", "-".repeat(100_000)),
        format!("var b : bool; fin property p: ctl {}b;", "AG ".repeat(100_000)),
        format!("var b : bool; fin property p: mu {}b;", "nu Z. ".repeat(100_000)),
    ] {
        let errors = read(&text).expect_err("too deep");
        assert!(errors.iter().any(|error| error.message.contains("nested")), "{errors:?}");
    }
}

#[test]
fn calls_have_a_limit_too() {
    let chain = |length: usize| {
        let mut text = "var x : 0..1; proc p0() { skip } ".to_owned();
        for index in 1..length {
            text.push_str(&format!("proc p{index}() {{ p{}() }} ", index - 1));
        }
        format!("{text} p{}()", length - 1)
    };
    let document = read(&chain(90)).expect("a chain of calls");
    assert!(document.machine().is_ok());
    let errors = read(&chain(50_000)).expect_err("too deep");
    assert!(errors[0].message.contains("nested too deep"), "{}", errors[0].message);
}

#[test]
fn doubling_calls_are_refused_where_they_would_be_written_out() {
    let mut text = "var x : 0..1; proc p0() { x := 0 } ".to_owned();
    for index in 1..40 {
        text.push_str(&format!("proc p{index}() {{ p{0}(); p{0}() }} ", index - 1));
    }
    let document = read(&format!("{text} p39()")).expect("small as a text");
    let errors = document.machine().expect_err("large as a machine");
    assert!(errors[0].message.contains("locations"), "{}", errors[0].message);
}

/// So many commands with loops, branches and divisions.
fn long(commands: usize) -> String {
    let mut text = "var x, y : 0..7; var a : array 0..3 of 0..7;\n".to_owned();
    for index in 0..commands / 5 {
        text.push_str(&format!(
            "l{index}: x := (y + {}) mod 8;\nwhile x > {} do x := x - 1 od;\nif x / y = 1 then a[x] := y fi;\n",
            index % 7,
            index % 5
        ));
    }
    text
}

#[test]
fn reading_is_linear() {
    let text = long(100_000);
    let start = Instant::now();
    let document = read(&text).expect("a long program");
    let reading = start.elapsed();
    let start = Instant::now();
    let machine = document.machine().expect("a machine");
    let encoding = start.elapsed();
    assert!(machine.machine.vars.len() > 6);
    let start = Instant::now();
    let written = write_while(&text);
    let writing = start.elapsed();
    assert!(written.len() > text.len());
    println!("read {reading:?}, encoded {encoding:?}, written {writing:?}");
    // Generous: the machine may be busy.
    assert!(reading + encoding + writing < Duration::from_secs(20));
}

fn laid_out(text: &str) -> String {
    let once = write_while(text);
    assert_eq!(write_while(&once), once, "laid out twice");
    once
}

#[test]
fn layout() {
    let text = "/* first */ var x,y:0..7:={0,2};var b:bool; // b\n\n\n// own\nproc p(in v:0..7,out r:bool){ var t:0..7; r:=v>-1 }\
        l:x:=x- -1;p(x+1,b) ;while !b&x<7 do /* inside */ x:=1\n// before the end\nod; if b then skip else y := any fi;\n\
        hole h(x , y); z : fin property \"a b\":ctl A [x=0 U at_l]; property q:mu nu Z.x=1&[]Z|<> Z; // last";
    let wanted = "\
/* first */
var x, y : 0..7 := {0, 2};
var b : bool;  // b

// own
proc p(in v : 0..7, out r : bool) {
  var t : 0..7;
  r := v > -1
}
l: x := x - -1;
p(x + 1, b);
while !b & x < 7 do  /* inside */
  x := 1
  // before the end
od;
if b then
  skip
else
  y := any
fi;
hole h(x, y);
z: fin
property \"a b\": ctl A[x = 0 U at_l];
property q: mu nu Z. x = 1 & [] Z | <> Z;  // last
";
    assert_eq!(laid_out(text), wanted);
}

/// The program without positions in the text.
fn structure(text: &str) -> Option<String> {
    let document = read(text).ok()?;
    let program = &document.program;
    let kinds: Vec<String> = program
        .commands
        .values()
        .map(|command| format!("{:?} {:?}", command.kind, command.labels))
        .collect();
    let texts: Vec<_> =
        document.properties.iter().map(|p| (&p.name, p.surface().unwrap().root)).collect();
    Some(format!("{kinds:?} {:?} {texts:?} {:?}", program.body, program.data.exprs))
}

#[test]
fn laid_out_means_the_same() {
    for text in [TEXT, &long(100)] {
        let once = laid_out(text);
        assert_eq!(structure(&once), structure(text), "{once}");
        assert!(structure(text).is_some());
    }
}

#[test]
fn comments_anywhere() {
    for (at, _) in TEXT.char_indices().filter(|&(at, _)| !in_comment(at)) {
        for comment in ["// x\n", "/* x */", "\n/* x\n y */\n", "\n\n// x\n\n"] {
            let text = format!("{}{comment}{}", &TEXT[..at], &TEXT[at..]);
            if let Some(meaning) = structure(&text) {
                let once = laid_out(&text);
                assert_eq!(structure(&once), Some(meaning), "{text}\n{once}");
                assert_eq!(once.matches('x').count(), text.matches('x').count(), "{once}");
            }
        }
    }
}

fn in_comment(at: usize) -> bool {
    let before = &TEXT[..at];
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    line.contains("//") || before.rfind("/*") > before.rfind("*/")
}

fn chunks() -> impl Strategy<Value = String> {
    let words = TEXT.split_whitespace().collect::<Vec<_>>();
    proptest::collection::vec(proptest::sample::select(words), 0..40)
        .prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = read(&text);
        let _ = write_while(&text);
    }

    #[test]
    fn any_chunks_are_read_or_refused(text in chunks()) {
        let _ = read(&text);
        let _ = read(&format!("var x, y : 0..7; {text}"));
        let once = write_while(&text);
        let _ = read(&once);
    }

    #[test]
    fn a_text_with_something_missing(start in 0..TEXT.len(), length in 1usize..60) {
        let end = (start + length).min(TEXT.len());
        let text = format!("{}{}", &TEXT[..start], &TEXT[end..]);
        match read(&text) {
            Ok(_) => {
                let once = laid_out(&text);
                prop_assert_eq!(structure(&once), structure(&text));
            }
            Err(errors) => prop_assert!(!errors.is_empty()),
        }
    }

    #[test]
    fn any_assumption_is_read_or_refused(text in "h: [A-Z ()&!|a-z0-9=]*") {
        let mut program = read(TEXT).expect("a program").form.program;
        let commands = program.commands.len();
        let _ = read_assumption(FileId(0), &text, &mut program);
        prop_assert_eq!(program.commands.len(), commands);
    }
}
