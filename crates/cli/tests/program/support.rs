//! Runs the program, and makes inputs that are too large to be kept.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub fn tertium(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tertium"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn run(arguments: &[&str]) -> Output {
    tertium(arguments).output().expect("the program starts")
}

/// With this on standard input.
pub fn run_on(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = tertium(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // It may have seen enough before the end.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8 on standard output")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8 on standard error")
}

/// A folder that no other test has.
pub fn folder() -> PathBuf {
    let test = std::thread::current().name().unwrap_or("main").replace("::", "-");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// A file that no other test has.
pub fn file(name: &str, content: &[u8]) -> String {
    let path = folder().join(name);
    std::fs::write(&path, content).expect("a file can be written");
    path.into_os_string().into_string().expect("a path in UTF-8")
}

/// A ring of `states` states with four edges out of each.
pub fn ring(states: usize) -> Vec<u8> {
    let mut text = format!("des (0,{},{states})\n", 4 * states);
    for state in 0..states {
        for (step, label) in [(1, 'a'), (7, 'b'), (40, 'c'), (301, 'd')] {
            writeln!(text, "({state},\"{label}\",{})", (state + step) % states).expect("memory");
        }
    }
    text.into_bytes()
}

/// Counters that run independently of each other: `size` to the power of `count` states.
pub fn counters(count: usize, size: usize) -> Vec<u8> {
    let mut text = String::new();
    for counter in 0..count {
        write!(text, "component C{counter} lts {{ actions t{counter}; init s0;").expect("memory");
        for state in 0..size {
            write!(text, " s{state}: -t{counter}-> s{};", (state + 1) % size).expect("memory");
        }
        text.push_str(" }\n");
    }
    let names: Vec<String> = (0..count).map(|counter| format!("C{counter}")).collect();
    writeln!(text, "system {};", names.join(" || ")).expect("memory");
    text.push_str("property first: mu <t0> true;\nproperty live: mu nu Z. <> true & [] Z;\n");
    text.into_bytes()
}

/// A process N beside such counters, and a safety property that all of them keep.
pub fn beside_counters(count: usize, size: usize) -> Vec<u8> {
    let mut text = String::from_utf8(counters(count, size)).expect("a text");
    text = text.replace("system C0", "system N || C0");
    text.push_str("component N lts { init s0;");
    for state in 0..30 {
        write!(text, " s{state}: -t0-> s{} -t1-> s{state};", (state * 7 + 1) % 30).expect("memory");
    }
    text.push_str(" }\nsafety calm lts { actions t0, t1; init a; a: -t0-> b -t1-> a;");
    text.push_str(" b: -t0-> a -t1-> b; }\n");
    text.into_bytes()
}

/// Counters with a lamp on the last state of each, and a property of all lamps.
pub fn lamps(count: usize, size: usize) -> Vec<u8> {
    let mut text = String::new();
    for lamp in 0..count {
        write!(text, "component C{lamp} kripke {{ props p{lamp}; init s0;").expect("memory");
        for state in 0..size {
            let (next, on) = ((state + 1) % size, if state + 1 == size { "p" } else { "!p" });
            write!(text, " s{state}: {{{on}{lamp}}} -> s{state}, s{next};").expect("memory");
        }
        text.push_str(" }\n");
    }
    let names = |letter: char, between: &str| -> String {
        let names: Vec<String> = (0..count).map(|lamp| format!("{letter}{lamp}")).collect();
        names.join(between)
    };
    writeln!(text, "system {};", names('C', " || ")).expect("memory");
    writeln!(text, "property all: ctl AG EF ({});", names('p', " & ")).expect("memory");
    text.into_bytes()
}
