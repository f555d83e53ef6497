//! `--resume`: runs that are killed at any moment and started again answer as if nothing had happened.

use serde_json::Value;
use std::cell::Cell;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use testkit::for_seeds;

/// So many times a run is killed.
const KILLS: usize = 200;

/// Loops in loops, one after the other, with properties that need several levels.
fn program(loops: usize) -> String {
    let mut text = String::from("var x, y, z : 0..7;\nvar b : bool := false;\n");
    for number in 0..loops {
        let low = number % 3;
        write!(
            text,
            "while x > 0 do x := x - 1; y := {{y, x}};\n  while y > {low} do y := y - 1;\n    \
             if y = {low} then b := true else z := {{z, y}} fi od od;\nx := any;\n"
        )
        .expect("memory");
    }
    text.push_str("done: fin\nproperty ends: ctl AF at_done;\n");
    text.push_str(
        "property back: ctl AG (b -> EF (at_done & !b));\nproperty calm: ctl AG !error;\n",
    );
    text.push_str("property low: ctl AG (at_done -> y <= 1);\n");
    text.push_str("property \"may fall\": ctl EF (at_done & z = 0);\n");
    text
}

/// A place of its own for each test, with nothing in it.
fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("resume").join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).expect("a folder can be made");
    place
}

struct Runs {
    file: PathBuf,
    folder: PathBuf,
}

impl Runs {
    fn new(name: &str, text: &str) -> Self {
        let place = place(name);
        let (file, folder) = (place.join("program.while"), place.join("results"));
        fs::write(&file, text).expect("a file can be written");
        Self { file, folder }
    }

    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tertium"));
        command.arg("check").arg(&self.file).args([
            "--json",
            "--no-trace",
            "--partition",
            "statement",
        ]);
        command.arg("--resume").arg(&self.folder).args(more);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, more: &[&str]) -> Output {
        self.command(more).output().expect("the program starts")
    }

    fn start(&self, more: &[&str]) -> Child {
        self.command(more).spawn().expect("the program starts")
    }

    /// Starts a run and kills it after a while; what it said, if it was faster.
    fn killed_after(&self, delay: Duration, more: &[&str]) -> Option<Output> {
        let mut child = self.start(more);
        let started = Instant::now();
        let is_over = |child: &mut Child| child.try_wait().expect("it can be asked").is_some();
        while !is_over(&mut child) && started.elapsed() < delay {
            std::thread::sleep(Duration::from_micros(500));
        }
        child.kill().expect("it can be killed");
        let output = child.wait_with_output().expect("it is over");
        output.status.code().is_some().then_some(output)
    }

    /// The file with results of a question; there is one at a time.
    fn results(&self) -> PathBuf {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut paths = files.map(|file| file.path());
        let is_ours = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "tertium");
        paths.find(is_ours).unwrap_or_else(|| self.folder.join("none"))
    }
}

/// The verdicts, and how many blocks were checked.
fn said(output: &Output) -> (Vec<String>, u64) {
    let said: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let results = said["results"].as_array().expect("results");
    let verdicts = results.iter().map(|result| result["verdict"].to_string()).collect();
    (verdicts, results[0]["stats"]["checked_blocks"].as_u64().expect("a number"))
}

/// Notes are on standard error, and errors an object on standard output, since JSON was asked for.
fn message(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stderr) + &text(&output.stdout)
}

/// Two hundred kills, at moments from before the first result to after the last.
#[test]
fn killed_at_any_time() {
    const SETTINGS: [&[&str]; 3] =
        [&["--sets", "bits"], &["--sets", "diagrams"], &["--sets", "bits", "--threads", "2"]];
    let runs = Runs::new("killed", &program(12));
    let started = Instant::now();
    let fresh = SETTINGS.map(|setting| said(&runs.run(setting)));
    let usual = started.elapsed() / SETTINGS.len() as u32;
    let (kills, spared, begun) = (Cell::new(0), Cell::new(0), Cell::new(0));
    // A run may end before it is killed: then further ones are begun.
    for_seeds("resume", 0..2 * KILLS as u64, |rng, case| {
        if begun.get() >= KILLS && kills.get() >= KILLS {
            return Ok(());
        }
        begun.set(begun.get() + 1);
        let number = rng.below(SETTINGS.len());
        let (setting, fresh) = (SETTINGS[number], &fresh[number]);
        case.note(setting.join(" "));
        let mut has_begun = false;
        let output = loop {
            if kills.get() >= KILLS {
                break runs.run(setting);
            }
            let delay = usual.mul_f64(rng.below(1000) as f64 / 1500.0);
            case.note(format!("killed after {delay:?}"));
            match runs.killed_after(delay, setting) {
                Some(output) => break output,
                None => kills.set(kills.get() + 1),
            }
            has_begun = runs.results().metadata().is_ok_and(|file| file.len() > 1000);
        };
        let (verdicts, checked) = said(&output);
        if verdicts != fresh.0 || !matches!(output.status.code(), Some(0 | 1)) {
            return Err(format!("{verdicts:?} and not {:?}: {}", fresh.0, message(&output)));
        }
        if has_begun && checked >= fresh.1 {
            return Err(format!("{checked} blocks were checked, and {} from the start", fresh.1));
        }
        spared.set(spared.get() + usize::from(has_begun));
        match runs.results().exists() {
            true => Err("the results are still there".to_owned()),
            false => Ok(()),
        }
    });
    println!("{} kills in {:?}, {} runs went on", kills.get(), started.elapsed(), spared.get());
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert_eq!(kills.get(), KILLS);
        assert!(spared.get() > 20, "{} runs went on", spared.get());
    }
}

/// Kills a run when it has written something.
fn interrupted(runs: &Runs) -> u64 {
    let mut child = runs.start(&[]);
    loop {
        let length = runs.results().metadata().map_or(0, |file| file.len());
        if length > 20_000 {
            child.kill().expect("it can be killed");
            child.wait().expect("it is over");
            return length;
        }
        let status = child.try_wait().expect("it can be asked");
        assert!(status.is_none(), "it was over before it could be killed");
    }
}

#[test]
fn what_is_known_is_not_checked_again() {
    let runs = Runs::new("known", &program(30));
    let fresh = said(&runs.run(&[]));
    assert!(!runs.folder.exists(), "a folder that was made for it is removed");
    interrupted(&runs);
    let resumed = runs.run(&[]);
    assert!(
        message(&resumed).contains("results of an earlier run are reused"),
        "{}",
        message(&resumed)
    );
    let (verdicts, checked) = said(&resumed);
    assert_eq!(verdicts, fresh.0);
    assert!(checked < fresh.1, "{checked} of {}", fresh.1);
    assert!(!runs.results().exists());
}

/// Results of another program, of other formulas and of another partition are left alone.
#[test]
fn results_of_another_question_do_no_harm() {
    let runs = Runs::new("another", &program(30));
    let length = interrupted(&runs);
    let kept = fs::read(runs.results()).expect("results");
    assert!(kept.len() as u64 >= length);
    let others: [(&str, &[&str]); 3] = [
        (&program(30).replace("y := y - 1", "y := {y - 1, y}"), &[]),
        (&program(30), &["--ctl", "AF (at_done & b)"]),
        (&program(30), &["--sets", "diagrams", "--property", "low"]),
    ];
    for (text, flags) in others {
        let fresh = Runs::new("fresh", text);
        let wanted = said(&fresh.run(flags));
        fs::write(&runs.file, text).expect("a file can be written");
        fs::write(runs.results(), &kept).expect("a file can be written");
        assert_eq!(said(&runs.run(flags)), wanted, "{flags:?}");
        assert_eq!(fs::read(runs.results()).expect("they are still there"), kept);
    }
}

#[test]
fn two_runs_at_once_are_refused() {
    let runs = Runs::new("twice", &program(60));
    let mut first = runs.start(&[]);
    while runs.results().metadata().map_or(0, |file| file.len()) < 1000 {
        assert!(first.try_wait().expect("it can be asked").is_none(), "it was too fast");
    }
    let second = runs.run(&[]);
    assert_eq!(second.status.code(), Some(2), "{}", message(&second));
    assert!(message(&second).contains("another run is using"), "{}", message(&second));
    let first = first.wait_with_output().expect("it ends");
    assert_eq!(said(&first).0.len(), 5);
}

#[test]
fn a_file_of_something_else_is_refused() {
    let runs = Runs::new("foreign", &program(30));
    interrupted(&runs);
    for content in ["notes of mine", "tertium\u{1}and more", "tertium\u{3}and more"] {
        fs::write(runs.results(), content).expect("a file can be written");
        let output = runs.run(&[]);
        assert_eq!(output.status.code(), Some(2), "{}", message(&output));
        assert!(
            message(&output).contains("has no results of this version"),
            "{}",
            message(&output)
        );
        let left = fs::read_to_string(runs.results()).expect("it is still there");
        assert_eq!(left, content);
    }
}
