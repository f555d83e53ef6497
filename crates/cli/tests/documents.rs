//! The sessions in the documents are real: every block marked `console` is run by a shell, command by
//! command, and prints what stands there. Times may differ.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One `$ command` and the text below it.
struct Step {
    line: usize,
    command: String,
    output: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The sessions of a document, one for each block.
fn sessions(text: &str) -> Vec<Vec<Step>> {
    let mut sessions: Vec<Vec<Step>> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        match (inside, line) {
            (false, "```console") => {
                sessions.push(Vec::new());
                inside = true;
            }
            (true, "```") => inside = false,
            (true, _) => add_line(sessions.last_mut().expect("begun"), number + 1, line),
            (false, _) => {}
        }
    }
    sessions
}

fn add_line(session: &mut Vec<Step>, line: usize, text: &str) {
    if let Some(command) = text.strip_prefix("$ ") {
        session.push(Step { line, command: command.to_owned(), output: String::new() });
    } else {
        let step = session.last_mut().expect("a session begins with a command");
        step.output.push_str(text);
        step.output.push('\n');
    }
}

/// A directory with the examples in it, where documents may write.
fn playground(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(name);
    for folder in ["", "/assume", "/integers", "/mixed", "/promela", "/templates", "/while"] {
        let folder = format!("examples{folder}");
        copy_files(&root().join(&folder), &directory.join(&folder));
    }
    directory
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("examples") {
        let entry = entry.expect("an entry");
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
        }
    }
}

/// Runs a command after one that ended with `status`; what it prints, and how it ends.
fn run(command: &str, directory: &Path, status: i32) -> (String, i32) {
    let program = Path::new(env!("CARGO_BIN_EXE_tertium"));
    let path = format!(
        "{}:{}",
        program.parent().expect("a directory").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let script = format!("exec 2>&1; (exit {status}); {command}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).env("PATH", path).current_dir(directory);
    let output = shell.output().expect("a shell");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1))
}

/// Without trailing white space, and with all times alike.
fn comparable(text: &str) -> String {
    let line = |line: &str| {
        let words: Vec<&str> = line.trim_end().split(' ').collect();
        let time = |i: usize| words.get(i + 1) == Some(&"s") && words[i].parse::<f64>().is_ok();
        let word = |i: usize| if time(i) { "0.00" } else { words[i] };
        (0..words.len()).map(word).collect::<Vec<_>>().join(" ")
    };
    text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}

fn check_document(path: &Path) -> usize {
    let text = fs::read_to_string(path).expect("a document");
    let name = path.file_name().expect("a name").to_string_lossy();
    let directory = playground(&name);
    let mut count = 0;
    for session in sessions(&text) {
        let mut status = 0;
        for Step { line, command, output } in session {
            let (printed, ended) = run(&command, &directory, status);
            assert_eq!(comparable(&printed), comparable(&output), "{name}:{line}: $ {command}");
            status = ended;
            count += 1;
        }
    }
    count
}

#[test]
fn the_readme_prints_what_it_says() {
    assert!(check_document(&root().join("README.md")) >= 4);
}

#[test]
fn the_book_prints_what_it_says() {
    let chapters = fs::read_dir(root().join("docs/src")).expect("the book");
    let count: usize = chapters.map(|chapter| check_document(&chapter.expect("one").path())).sum();
    assert!(count >= 10);
}

#[test]
fn times_are_alike_and_other_things_are_not() {
    assert_eq!(comparable("true  safe  0.13 s \n\n"), comparable("true  safe  0.00 s"));
    assert_ne!(comparable("true  safe  0.13 s"), comparable("false  safe  0.13 s"));
    let (printed, status) = run("echo $?; exit 4", Path::new("."), 3);
    assert_eq!((printed.as_str(), status), ("3\n", 4));
}
