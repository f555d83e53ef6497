//! Output for terminals only: colours and the progress bar.
//!
//! `script` gives the program a terminal. Where it is missing these tests say so and pass.

use crate::support::{counters, file, tertium};
use std::process::{Command, Stdio};

/// Everything that the program writes to its terminal.
fn on_a_terminal(arguments: &[&str], environment: &[(&str, &str)]) -> Option<String> {
    let line = [&[env!("CARGO_BIN_EXE_tertium")], arguments].concat().join(" ");
    let output = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(_) => {
            eprintln!("skipped: `script` is not on this machine");
            None
        }
    }
}

const RED: &str = "\u{1b}[31m";
const ESCAPE: char = '\u{1b}';

#[test]
fn colours_by_option() {
    let path =
        file("red.tm", b"component A kripke { props p; init s; s: {} -> s; } property p: mu p;");
    let Some(text) = on_a_terminal(&["check", &path], &[]) else { return };
    assert!(text.contains(RED), "{text:?}");
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let text = on_a_terminal(&["check", &path], &[(name, value)]).unwrap();
        assert!(text.starts_with("false    p") && !text.contains(ESCAPE), "{name}: {text:?}");
    }
    let text = on_a_terminal(&["check", &path, "--json"], &[]).unwrap();
    assert!(text.starts_with('{') && !text.contains(ESCAPE), "{text:?}");
}

#[test]
fn errors_in_colour() {
    let path = file("wrong.tm", b"component A kripke { props p; init s; s: {q} -> s; }");
    let Some(text) = on_a_terminal(&["check", &path], &[]) else { return };
    assert!(text.contains(ESCAPE) && text.contains("wrong.tm"), "{text:?}");
}

#[test]
fn a_bar_for_what_takes_long() {
    let long = file("long.tm", &counters(14, 9));
    let Some(text) =
        on_a_terminal(&["check", &long, "--method", "direct", "--timeout", "1.5"], &[])
    else {
        return;
    };
    assert!(text.contains("composing"), "{text:?}");
    for flag in ["--quiet", "--no-progress"] {
        let text =
            on_a_terminal(&["check", &long, "--method", "direct", "--timeout", "1.5", flag], &[])
                .unwrap();
        assert!(text.contains("unknown") && !text.contains("composing"), "{flag}: {text:?}");
    }
    let short = file("short.tm", &counters(2, 3));
    let text = on_a_terminal(&["check", &short], &[]).unwrap();
    assert!(text.contains("true") && !text.contains("composing"), "{text:?}");
    let piped =
        tertium(&["check", &long, "--method", "direct", "--timeout", "1"]).output().unwrap();
    assert!(piped.stderr.is_empty());
}
