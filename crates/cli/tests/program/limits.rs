//! A limit that is reached is an answer: unknown, with its reason and status 3.

use crate::support::{counters, file, lamps, ring, run, run_on, stderr, stdout, tertium};
use std::time::{Duration, Instant};

const ALTERNATING: &str = "nu X. mu Y. [] (<a> X | <b> Y)";

#[test]
fn time_runs_out_while_playing() {
    let path = file("time.tm", &counters(14, 9));
    let started = Instant::now();
    let output = run(&["check", &path, "--method", "direct", "--timeout", "0.3"]);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("the time limit was reached"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
}

/// As they were asked for, whether or not the limit left time to read the files.
#[test]
fn answers_come_in_one_order() {
    let path = file("order.tm", &counters(2, 3));
    let call = ["check", &path, "--property", "live", "--property", "first", "--property", "live"];
    for limit in [&[][..], &["--timeout", "0"]] {
        let text = stdout(&run(&[&call[..], limit].concat()));
        let verdicts = text.lines().filter(|line| !line.starts_with(' '));
        let names: Vec<&str> = verdicts.filter_map(|line| line.split_whitespace().nth(1)).collect();
        assert_eq!(names, ["live", "first", "properties:"], "{text}");
    }
}

/// So many that they are not told apart one by one.
#[test]
fn initial_states_are_too_many_for_a_method() {
    let names: Vec<String> = (0..300).map(|state| format!("s{state}")).collect();
    let states: String = names.iter().map(|name| format!(" {name}: {{}} -> {name};")).collect();
    let part =
        |name: &str| format!("component {name} kripke {{ init {};{states} }}\n", names.join(", "));
    let text = format!("{}{}system A || B; property t: ctl EX true;", part("A"), part("B"));
    let path = file("starts.tm", text.as_bytes());
    let note = "Note: `direct` is used instead of `refine`: the system has more than 65536 initial states\n";
    // Groups of components as BDDs have no such limit.
    for (method, note) in [("compositional", ""), ("refine", note)] {
        let output = run(&["check", &path, "--method", method]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output), note);
    }
}

#[test]
fn limits_are_reached_while_combining() {
    let path = file("lamps.tm", &lamps(12, 9));
    for (limit, value, reason) in [("--timeout", "0.3", "time"), ("--memory", "40M", "memory")] {
        // With an order, products are combined.
        let products = ["check", &path, "--method", "compositional", "--order", "C0,C1"];
        let output = run(&[&products[..], &[limit, value]].concat());
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let wanted = format!("the {reason} limit was reached");
        assert!(stdout(&output).contains(&wanted), "{}", stdout(&output));
        // `auto` has BDDs as well, which may be done before the limit.
        let output = run(&["check", &path, limit, value]);
        let is_decided = output.status.code() == Some(0);
        assert!(is_decided || stdout(&output).contains(&wanted), "{}", stdout(&output));
    }
}

/// Definite values so far are printed, a few lines or all, and the rounds so far are written.
#[test]
fn limits_are_reached_while_refining() {
    let path = file("lamps.tm", &lamps(16, 9));
    let trace = file("trace.json", b"");
    for (limit, value, reason) in [("--timeout", "0.5", "time"), ("--memory", "30M", "memory")] {
        let call = [
            "check",
            &path,
            "--method",
            "refine",
            "--abstract",
            "all",
            "--log-refinement",
            &trace,
            limit,
        ];
        let output = run(&[&call[..], &[value]].concat());
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let text = stdout(&output);
        assert!(text.contains(&format!("the {reason} limit was reached")), "{text}");
        let known: Vec<&str> = text.lines().filter(|line| line.contains(" known: ")).collect();
        // Without memory there may be no room for it.
        if reason == "time" || !known.is_empty() {
            assert_eq!(known.len(), 6, "{text}");
            assert!(known[5].ends_with("more (-v shows them)"), "{text}");
        }
        let document = std::fs::read_to_string(&trace).unwrap();
        let document: serde_json::Value = serde_json::from_str(&document).expect("one document");
        assert!(!document["results"][0]["rounds"].as_array().unwrap().is_empty());
    }
    let output = run(&["check", &path, "--method", "refine", "--timeout", "0.5", "--json", "-v"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let known = document["results"][0]["known_values"].as_array().expect("a list");
    assert!(known.len() > 6 && known.iter().all(|known| known["count"].as_u64() > Some(0)));
    assert!(stderr(&output).starts_with("round 1, C"), "{}", stderr(&output));
}

#[test]
fn time_runs_out_while_reading() {
    // This pipe has no writer.
    let mut child = tertium(&["check", "-", "--ctl", "AG p", "--timeout", "0.1", "--json"])
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let pipe = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(pipe);
    assert_eq!(output.status.code(), Some(3));
    let json = stdout(&output);
    assert!(json.contains(r#""property":"AG p""#), "{json}");
    assert!(json.contains(r#""verdict":"unknown""#), "{json}");
    assert!(json.contains(r#""reason":"the time limit was reached""#), "{json}");
}

#[test]
fn memory_runs_out_while_reading() {
    let path = file("reading.aut", &ring(400_000));
    let output = run(&["check", &path, "--mu", ALTERNATING, "--memory", "6M"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("the memory limit was reached"), "{}", stdout(&output));
}

#[test]
fn memory_runs_out_while_playing() {
    let path = file("playing.tm", &counters(14, 9));
    let output = run(&["check", &path, "--method", "direct", "--memory", "40M", "--json"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let json = stdout(&output);
    assert!(json.contains(r#""reason":"the memory limit was reached""#), "{json}");
    let peaks = json.split(r#""peak_bytes":"#).skip(1);
    for peak in peaks.map(|rest| rest.split('}').next().unwrap().parse::<u64>().unwrap()) {
        assert!(peak < 48 << 20, "{peak}");
    }
}

#[test]
fn memory_runs_out_on_a_text_without_end() {
    let endless =
        [b"component A kripke { props p; init s; s: {} -> s; } /* ".to_vec(), vec![b'x'; 30 << 20]];
    let output = run_on(&["check", "-", "--mu", "p", "--memory", "8M"], &endless.concat());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("the memory limit was reached"));
}

/// A cycle of states, which takes less memory to read than to play a game on.
fn cycle(states: usize) -> Vec<u8> {
    let mut text = format!("des (0,{states},{states})\n");
    for state in 0..states {
        let label = if state % 2 == 0 { 'a' } else { 'b' };
        text.push_str(&format!("({state},\"{label}\",{})\n", (state + 1) % states));
    }
    text.into_bytes()
}

#[test]
fn what_was_decided_before_the_limit_is_reported() {
    let path = file("both.aut", &cycle(300_000));
    let output = run(&["check", &path, "--mu", "true", "--mu", ALTERNATING, "--memory", "8M"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{text}{}", stderr(&output));
    assert!(text.starts_with("true     true"), "{text}");
    assert!(text.contains("unknown  nu X."), "{text}");
    assert!(text.contains("2 properties: 1 holds, 1 is unknown"), "{text}");
}

#[test]
fn what_fails_before_the_limit_fails() {
    let path = file("fails.aut", &cycle(300_000));
    let output = run(&["check", &path, "--mu", "false", "--mu", ALTERNATING, "--memory", "8M"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("false    false"), "{text}");
    assert!(text.contains("unknown  nu X."), "{text}");
}

#[test]
fn games_and_comparisons_have_limits_too() {
    let mut game = String::from("parity 399999;\n");
    for node in 0..400_000 {
        game.push_str(&format!(
            "{node} {} {} {},{};\n",
            node % 9,
            node % 2,
            (node * 7 + 1) % 400_000,
            (node + 1) % 400_000
        ));
    }
    let path = file("large.pg", game.as_bytes());
    let output = run(&["solve", &path, "--memory", "4M"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(3), String::new()));
    assert_eq!(stderr(&output), "unknown: the memory limit was reached\n");

    let path = file("large.aut", &ring(200_000));
    let output = run(&["compare", &path, &path, "--relation", "simulation", "--memory", "1G"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(stdout(&output), "unknown  the memory limit was reached\n");

    let target = file("kept.tm", b"kept");
    let output = run(&["convert", &path, &target, "--memory", "4M"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(std::fs::read(target).unwrap(), b"kept");
}

/// The machine itself has no more: the worker is left where it asked in vain.
#[cfg(target_os = "linux")]
#[test]
fn an_exhausted_machine_is_a_limit() {
    let path = file("exhausted.tm", &counters(14, 9));
    let line = format!(
        "ulimit -v 450000; exec {} check {path} --method direct",
        env!("CARGO_BIN_EXE_tertium")
    );
    let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stdout(&output).contains("the memory limit was reached"), "{}", stdout(&output));
}
