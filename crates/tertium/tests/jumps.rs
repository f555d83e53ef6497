//! `assert`, `break`, `continue` and `return` in while-programs.

use tertium::{Model, Options, Verdict};
use testkit::{Rng, for_seeds};

fn model(text: &str) -> Model {
    Model::read("while", "program.while", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// All methods for programs, `modular` with several partitions.
fn methods() -> Vec<Options> {
    let modular = || Options::default().method("modular");
    vec![
        Options::default().method("direct"),
        Options::default().method("symbolic"),
        modular(),
        modular().partition("statement"),
        modular().partition("whole"),
    ]
}

const SEARCH: &str = "\
var found : bool := false;
var i : 0..5 := 0;
var steps : 0..7 := 0;
proc look(in wanted : 0..4) {
  while true do
    if i = 5 then break fi;
    i := i + 1;
    if i = 2 then continue fi;
    steps := steps + 1;
    if i = wanted then found := true; return fi
  od;
  MISSED: skip
}
look(4);
assert i = 4 | !found;
END: fin
property ends: ctl AF at_END;
property found: ctl AG (at_END -> found & i = 4 & steps = 3);
property returned: ctl AG !at_MISSED;
property asserted: ctl AG !error;
property wrong: ctl AF steps = 4;
";

#[test]
fn loops_are_left_and_procedures_return() {
    let model = model(SEARCH);
    for options in methods() {
        let check = |property| model.check(property, &options).expect("a verdict").verdict();
        let verdicts: Vec<Verdict> = model.properties().iter().map(check).collect();
        use Verdict::{False, True};
        assert_eq!(verdicts, [True, True, True, True, False], "{options:?}");
    }
}

#[test]
fn an_assertion_that_fails_is_a_run_time_error() {
    for (condition, expected) in [("x < 3", Verdict::False), ("x <= 3", Verdict::True)] {
        let text = format!("var x : 0..3; assert {condition}; fin property p: ctl AG !error;");
        for options in methods() {
            let model = model(&text);
            let found = model.check(&model.properties()[0], &options).expect("a verdict").verdict();
            assert_eq!(found, expected, "{condition}, {options:?}");
        }
        let text = text.replace("0..3;", "int; assume 0 <= x & x <= 3;");
        let model = model(&text);
        let options = Options::default().method("refine");
        let found = model.check(&model.properties()[0], &options).expect("a verdict").verdict();
        assert_eq!(found, expected, "{condition} over integers");
    }
}

#[test]
fn jumps_that_lead_nowhere_are_refused() {
    for (text, message) in [
        ("var x : 0..3; break; fin", "`break` stands outside of every loop"),
        ("proc p() { continue } while true do p() od", "`continue` stands outside of every loop"),
        ("var x : 0..3; if x = 1 then return fi", "`return` stands outside of every procedure"),
        ("process P { return }", "`return` stands outside of every procedure"),
    ] {
        let error = Model::read("while", "program.while", text).expect_err("refused").to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// M Def. A.3: a program that is nowhere taken apart is one node.
#[test]
fn an_empty_partition_is_one_node() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program.while");
    std::fs::write(&program, SEARCH).expect("a file");
    let model = Model::open(&program).expect("a program");
    for (number, text) in ["", "// nothing\n", "\n"].into_iter().enumerate() {
        let file = folder.path().join(format!("{number}.partition"));
        std::fs::write(&file, text).expect("a file");
        let options = Options::default().method("modular").partition(file.display().to_string());
        let answer = model.check(&model.properties()[0], &options).expect("a verdict");
        assert_eq!(
            (answer.verdict(), answer.figures().blocks),
            (Verdict::True, Some(1)),
            "{text:?}"
        );
    }
}

/// Programs with jumps, written down with them or with a variable that says which jump is being made.
enum Command {
    Assign(String),
    Assert(String),
    Jump(&'static str),
    If(String, Vec<Command>, Vec<Command>),
    While(String, Vec<Command>),
}

fn condition(rng: &mut Rng) -> String {
    let (variable, sign) = (*rng.pick(&["x", "y"]), *rng.pick(&["<", "=", ">"]));
    match rng.below(6) {
        0 => "true".to_owned(),
        1 => format!("1 / {variable} {sign} 1"),
        _ => format!("{variable} {sign} {}", rng.below(4)),
    }
}

fn block(rng: &mut Rng, depth: usize, in_loop: bool) -> Vec<Command> {
    (0..rng.between(1, 3)).map(|_| command(rng, depth, in_loop)).collect()
}

fn command(rng: &mut Rng, depth: usize, in_loop: bool) -> Command {
    match rng.below(if depth == 0 { 5 } else { 9 }) {
        0 if in_loop => Command::Jump("break"),
        1 if in_loop => Command::Jump("continue"),
        2 => Command::Jump("return"),
        3 => Command::Assert(condition(rng)),
        5 | 6 => Command::If(
            condition(rng),
            block(rng, depth - 1, in_loop),
            block(rng, depth - 1, in_loop),
        ),
        7 | 8 => Command::While(condition(rng), block(rng, depth - 1, true)),
        _ => {
            let value = *rng.pick(&["x + 1", "y - 1", "0", "{x, y}", "3 - x"]);
            Command::Assign(format!("{} := {value}", rng.pick(&["x", "y"])))
        }
    }
}

fn with_jumps(block: &[Command]) -> String {
    let one = |command: &Command| match command {
        Command::Assign(text) => text.clone(),
        Command::Assert(condition) => format!("assert {condition}"),
        Command::Jump(word) => (*word).to_owned(),
        Command::If(condition, then, otherwise) => {
            format!("if {condition} then {} else {} fi", with_jumps(then), with_jumps(otherwise))
        }
        Command::While(condition, body) => format!("while {condition} do {} od", with_jumps(body)),
    };
    block.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn with_variable(block: &[Command]) -> String {
    let Some((first, rest)) = block.split_first() else { return "skip".to_owned() };
    let first = match first {
        Command::Assign(text) => text.clone(),
        Command::Assert(condition) => format!("if {condition} then skip else x := x + 9 fi"),
        Command::Jump(word) => format!("jump := {word}s"),
        Command::If(condition, then, otherwise) => {
            let [then, otherwise] = [then, otherwise].map(|block| with_variable(block));
            format!("if {condition} then {then} else {otherwise} fi")
        }
        Command::While(condition, body) => format!(
            "while jump = none & {condition} do {}; if jump = continues then jump := none fi od; \
             if jump = breaks then jump := none fi",
            with_variable(body)
        ),
    };
    format!("{first}; if jump = none then {} fi", with_variable(rest))
}

fn program(body: &str, more: &str, property: &str) -> String {
    format!(
        "var x, y : 0..3;\n{more}proc p() {{ {body} }}\np(); END: fin\nproperty p: ctl {property};\n"
    )
}

fn property(rng: &mut Rng) -> String {
    let atom = |rng: &mut Rng| match rng.below(4) {
        0 => "error".to_owned(),
        1 => "at_END".to_owned(),
        _ => format!("{} = {}", rng.pick(&["x", "y"]), rng.below(4)),
    };
    let (p, q) = (atom(rng), atom(rng));
    match rng.below(5) {
        0 => format!("AF ({p} | {q})"),
        1 => format!("EF ({p} & {q})"),
        2 => format!("AG ({p} -> EF {q})"),
        3 => format!("E[!({p}) U {q}]"),
        _ => format!("EG !({p})"),
    }
}

/// The steps of the variable change nothing that the properties speak of, which have no `X`.
#[test]
fn jumps_are_what_a_variable_can_do() {
    for_seeds("jumps", 0..120, |rng, case| {
        let (body, property) = (block(rng, 3, false), property(rng));
        let text = program(&with_jumps(&body), "", &property);
        let declared = "var jump : {none, breaks, continues, returns} := none;\n";
        let other = program(&with_variable(&body), declared, &property);
        case.note(format!("{text}\n{other}"));
        let check = |text: &str, options: &Options| {
            let model = Model::read("while", "program.while", text).map_err(|e| e.to_string())?;
            let answer = model.check(&model.properties()[0], options);
            answer.map(|answer| answer.verdict()).map_err(|error| error.to_string())
        };
        let expected = check(&other, &Options::default().method("direct"))?;
        for options in methods() {
            let found = check(&text, &options)?;
            if found != expected {
                return Err(format!("{found} and not {expected}: {options:?}"));
            }
        }
        Ok(())
    });
}
