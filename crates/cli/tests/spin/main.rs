//! Promela models, checked by Spin and by `tertium`: the verdicts are the same.
//!
//! Skipped where there is no `spin` or no C compiler. `SPIN_PROGRAMS` says how many random programs there are,
//! `SPIN_SEED` where their seeds begin.
#![cfg(unix)]

mod assumptions;
mod corners;
mod linear;
mod started;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use testkit::promela::{self as generator, Generated};

/// The results that Spin and Tertium both have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Assertions,
    EndStates,
}

/// Whether a question holds, and how many states were looked at.
#[derive(Clone, Copy, Debug)]
struct Verdict {
    holds: bool,
    states: u64,
}

fn is_there(program: &str, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok_and(|output| output.status.success())
}

/// Says so and returns false where the test cannot be run.
fn has_spin() -> bool {
    let is_there = is_there("spin", "-V") && is_there("gcc", "--version");
    if !is_there {
        eprintln!("skipped: `spin` or `gcc` is not installed");
    }
    is_there
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("spin").join(name);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Output {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    output.unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// Makes Spin's verifier for a model, without partial-order reduction; `None` if Spin refuses the model.
fn compile(folder: &Path, text: &str) -> Option<()> {
    fs::write(folder.join("model.pml"), text).expect("the model");
    let mut said = String::new();
    // Spin calls the preprocessor of C, which now and then fails on a busy machine.
    for _ in 0..5 {
        let made = run(folder, "spin", &["-a", "-o1", "-o2", "-o3", "model.pml"]);
        said = String::from_utf8_lossy(&made.stdout).into_owned();
        if !said.contains("preprocessing failed") {
            break;
        }
    }
    if said.contains("Error") || said.contains("preprocessing failed") {
        println!("  refused: {said}");
        return None;
    }
    let flags = ["-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"];
    let made = run(folder, "gcc", &flags);
    assert!(made.status.success(), "gcc: {}", String::from_utf8_lossy(&made.stderr));
    Some(())
}

/// `None` if the verifier does not like the model.
fn ask_spin(folder: &Path, question: Question) -> Option<Verdict> {
    let flag = match question {
        Question::Assertions => "-E",
        Question::EndStates => "-A",
    };
    ask_spin_with(folder, &[flag])
}

fn ask_spin_with(folder: &Path, flags: &[&str]) -> Option<Verdict> {
    let output = run(folder, "timeout", &[&["20", "./pan", "-m100000"], flags].concat());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = |before: &str, after: &str| {
        let line = said.lines().find(|line| line.contains(after));
        let words = line.map(|line| line.split(before).last().unwrap_or_default());
        words.and_then(|words| words.split_whitespace().next()?.parse::<u64>().ok())
    };
    // Spin does not notice that a loop within `atomic` comes back to where it was.
    if said.contains("max search depth too small") {
        return None;
    }
    let errors = number("errors:", "errors:")?;
    let states = number("\u{0}", "states, stored").unwrap_or(0);
    Some(Verdict { holds: errors == 0, states })
}

/// Constructs that are not supported, and that generated programs have.
const REFUSED: [&str; 2] =
    ["`else` beside a rendezvous", "the pid of a process in a model with priorities"];

/// `None` if the model is refused for what is documented.
fn ask_tertium(folder: &Path, question: Question, method: &str) -> Option<bool> {
    let property = match question {
        Question::Assertions => "assertions",
        Question::EndStates => "invalid end states",
    };
    let tertium = env!("CARGO_BIN_EXE_tertium");
    let flags = ["check", "model.pml", "--property", property, "--method", method];
    let output = run(folder, tertium, &flags);
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => Some(true),
        Some(1) => Some(false),
        Some(3) if REFUSED.iter().any(|construct| said.contains(construct)) => None,
        other => panic!("{other:?}: {said}"),
    }
}

/// The method that lists states and the one that does not.
const METHODS: &[&str] = &["direct", "symbolic"];

/// Asks both, us by these methods.
fn compare(folder: &Path, text: &str, question: Question, methods: &[&str]) -> Option<Verdict> {
    compile(folder, text)?;
    let spin = ask_spin(folder, question)?;
    for method in methods {
        let holds = ask_tertium(folder, question, method)?;
        assert_eq!(holds, spin.holds, "{question:?} by {method}:\n{text}");
    }
    Some(spin)
}

/// Both find the same number of states where every state of one is a state of the other.
fn compare_states(folder: &Path, program: &Generated) -> Option<()> {
    compile(folder, &program.without)?;
    let spin = ask_spin_with(folder, &["-A", "-E", "-c0"])?;
    // The formula speaks of everything, so that nothing is left out.
    let locals = program.locals.iter().map(|local| format!("{local} == 1"));
    let shared = "x == 1 | y == 1 | b | a[0] == 1 | a[1] == 1 | c?[0] | m?[go, 0] | m?[halt, 0] | m?[_, 0] \
                  | d[0]?[0] | d[1]?[0] | o.i.v[0] == 1 | o.i.v[1] == 1 | o.k == 1";
    let all: Vec<String> = locals.chain([shared.to_owned()]).collect();
    let formula = format!("EF ({})", all.join(" | "));
    let flags =
        ["check", "model.pml", "--method", "direct", "--values", "--json", "--ctl", &formula];
    let output = run(folder, env!("CARGO_BIN_EXE_tertium"), &flags);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let states = said["results"][0]["stats"]["states"].as_u64();
    assert_eq!(states, Some(spin.states), "states of\n{}", program.without);
    Some(())
}

/// All Promela examples, in order.
fn examples() -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let mut models: Vec<PathBuf> = fs::read_dir(examples)
        .expect("the examples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "pml"))
        .collect();
    models.sort();
    assert!(!models.is_empty());
    models
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn random_programs_are_the_same_to_spin() {
    if !has_spin() {
        return;
    }
    let first = number("SPIN_SEED", 1);
    let folder = folder(&format!("random{first}"));
    let seeds = first..first + number("SPIN_PROGRAMS", 12);
    testkit::for_seeds("spin", seeds, |rng, case| {
        let program = generator::program(rng);
        case.note(&program.with_assertions);
        let asserted = compare(&folder, &program.with_assertions, Question::Assertions, METHODS);
        let ended = compare(&folder, &program.without, Question::EndStates, METHODS);
        if program.is_plain {
            compare_states(&folder, &program);
        }
        for (question, verdict) in [("assertions", asserted), ("ends", ended)] {
            if let Some(Verdict { holds, states }) = verdict {
                println!("{question}: {holds}, {states} states");
            }
        }
        Ok(())
    });
}

#[test]
fn the_examples_are_the_same_to_spin() {
    if !has_spin() {
        return;
    }
    let folder = folder("examples");
    for model in examples() {
        let text = fs::read_to_string(&model).expect("a model");
        for question in [Question::Assertions, Question::EndStates] {
            let spin = compare(&folder, &text, question, METHODS).expect("Spin takes the model");
            let (holds, states) = (spin.holds, spin.states);
            println!("{} {question:?}: {holds}, {states} states", model.display());
        }
    }
}
