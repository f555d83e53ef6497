//! Ctrl-C, and readers that go away.
use crate::support::{beside_counters, counters, file, folder, ring, stderr, stdout, tertium};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

/// Waits until the handler of Ctrl-C is there: before, the signal ends the process.
fn settle() {
    std::thread::sleep(Duration::from_millis(500));
}

#[test]
fn ctrl_c_while_playing() {
    let path = file("busy.tm", &counters(14, 9));
    let child =
        tertium(&["check", &path, "--property", "live", "--method", "direct", "--memory", "3G"])
            .spawn()
            .unwrap();
    settle();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("unknown  live"), "{}", stdout(&output));
    assert!(stdout(&output).contains("interrupted"), "{}", stdout(&output));
}

/// The assumption at that time is written, and is sound.
#[test]
fn ctrl_c_leaves_an_assumption() {
    let path = file("many.tm", &beside_counters(12, 9));
    let made = folder().join("made.tm");
    let _ = std::fs::remove_file(&made);
    let child = tertium(&["assume", &path, "--process", "N", "--method", "abstract", "-o"])
        .arg(&made)
        .spawn()
        .unwrap();
    settle();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let status = output.status.code().unwrap();
    assert!([0, 3].contains(&status), "{status}: {}", stderr(&output));
    assert!(stdout(&output).contains("interrupted"), "{}", stdout(&output));
    let written = std::fs::read_to_string(&made).unwrap();
    assert!(written.contains("component N lts"), "{written}");
}

#[test]
fn ctrl_c_while_waiting_for_input() {
    let mut child = tertium(&["check", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    let pipe = child.stdin.take();
    settle();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    drop(pipe);
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("interrupted"), "{}", stdout(&output));
}

#[test]
fn the_second_ctrl_c_ends_at_once() {
    let mut child = tertium(&["check", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    let pipe = child.stdin.take();
    settle();
    let started = Instant::now();
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(100));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    drop(pipe);
    assert!(started.elapsed() < Duration::from_millis(900), "it did not wait");
    assert_eq!((output.status.code(), stdout(&output)), (Some(130), String::new()));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let path = file("piped.aut", &ring(20_000));
    for arguments in [
        vec!["check", &path, "--mu", "<a> true", "--values"],
        vec!["check", &path, "--mu", "<a> true", "--values", "--json"],
        vec!["convert", &path, "-", "--to", "dot"],
        vec!["completions", "bash"],
        vec!["man", "check"],
        vec!["check", "--help"],
    ] {
        let mut child = tertium(&arguments).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(stderr(&output), "", "{arguments:?}");
        assert!(output.status.code().is_some(), "{arguments:?} was killed");
    }
}

#[test]
fn a_reader_that_has_seen_enough() {
    let path = file("head.aut", &ring(20_000));
    let mut child = tertium(&["check", &path, "--mu", "<a> true", "--values"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("true     <a> true"), "{line}");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(141), String::new()));
}

#[test]
fn a_full_disk_is_an_error() {
    let path = file("full.aut", &ring(1000));
    let check = ["check", &path, "--mu", "true"];
    for call in [&check[..], &["--help"], &["help", "check"], &["--version"], &["man"]] {
        let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
        let output = tertium(call).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{call:?}");
        assert!(stderr(&output).starts_with("Error: cannot write to standard output"), "{call:?}");
    }
}
