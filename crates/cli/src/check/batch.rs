//! Several files, or a directory: each is checked by itself, in a process of its own, so that one that reaches a limit
//! or breaks down leaves the others alone.

use super::results::{VERSION, write_reports};
use crate::console::Console;
use crate::flags::Check;
use crate::input::{is_dash, name_in_json};
use crate::{Status, output};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::{env, fs, io, thread};
use tertium::Error;

/// Set by the first Ctrl-C: the files that have not begun are not checked.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The files of a call; of a directory, all in it that have the ending of a language, by name.
pub fn expanded(files: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    for file in files {
        if is_dash(file) || !file.is_dir() {
            all.push(file.clone());
            continue;
        }
        let (name, mut found) = (file.display(), Vec::new());
        let unreadable =
            |error| Error::wrong(format!("cannot read the directory `{name}`: {error}"), "");
        collect(file, &mut found).map_err(unreadable)?;
        if found.is_empty() {
            let message =
                format!("the directory `{name}` has no file with the ending of a language");
            return Err(Error::wrong(message, "`tertium check --help` lists the endings"));
        }
        found.sort();
        all.extend(found);
    }
    Ok(all)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // A link to a directory is not followed: it could lead back.
        if entry.file_type()?.is_dir() {
            collect(&path, found)?;
        } else if path.is_file() && tertium::language_of(&path).is_ok() {
            found.push(path);
        }
    }
    Ok(())
}

/// A flag that writes something about one system.
pub fn about_one_system(flags: &Check) -> Option<&'static str> {
    let given = [
        (flags.certificate.is_some(), "--certificate"),
        (flags.refining.log_refinement.is_some(), "--log-refinement"),
        (flags.refining.emit_abstraction.is_some(), "--emit-abstraction"),
        (flags.modular.resume.is_some(), "--resume"),
        (flags.events, "--events"),
    ];
    given.into_iter().find(|(is_given, _)| *is_given).map(|(_, flag)| flag)
}

/// The outcome of one file.
struct Checked {
    status: Status,
    /// Its text and its messages, unless they were printed at once.
    printed: [Vec<u8>; 2],
    /// The object that `--json` prints.
    document: Value,
}

/// Checks the files, some at a time, and tells of each in their order.
pub fn run(flags: &Check, files: &[PathBuf]) -> Result<Status, Error> {
    if let Some(flag) = about_one_system(flags) {
        let message = format!("`{flag}` is about one system, and there are {} files", files.len());
        let help = "check one file, or join the files into one system with `--compose`";
        return Err(Error::wrong(message, help));
    }
    if files.iter().filter(|file| is_dash(file)).count() > 1 {
        let message = "standard input is named twice, and can be read only once";
        return Err(Error::wrong(message, ""));
    }
    for path in flags.junit.iter().chain(&flags.sarif) {
        output::is_no_input(path, files)?;
    }
    let failed = |what: &str, error: io::Error| Error::wrong(format!("cannot {what}: {error}"), "");
    let folder = tempfile::tempdir().map_err(|e| failed("make a temporary directory", e))?;
    let program = env::current_exe().map_err(|e| failed("find the program", e))?;
    let _ = ctrlc::set_handler(|| {
        if IS_INTERRUPTED.swap(true, Relaxed) {
            std::process::exit(130);
        }
    });
    let jobs = usize::from(flags.jobs).clamp(1, files.len());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    let mut console = Console::new(false);
    let mut all = Vec::new();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, program, folder) = (sender.clone(), &next, &program, folder.path());
            scope.spawn(move || {
                let at =
                    || Some(next.fetch_add(1, Relaxed)).filter(|_| !IS_INTERRUPTED.load(Relaxed));
                while let Some((number, file)) = at().and_then(|at| Some((at, files.get(at)?))) {
                    let report = folder.join(number.to_string());
                    let checked = check(program, flags, file, &report, jobs == 1);
                    // Who listens is there as long as this thread is.
                    let _ = sender.send((number, checked));
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for (number, checked) in receiver {
            waiting.insert(number, checked);
            while let Some(checked) = waiting.remove(&all.len()) {
                tell(flags, &files[all.len()], &checked, jobs == 1, &mut console);
                all.push(checked);
            }
        }
    });
    finish(flags, files, &all, &mut console)
}

/// Checks one file by the same flags.
fn check(program: &Path, flags: &Check, file: &Path, report: &Path, is_alone: bool) -> Checked {
    let mut only = OsString::from("--only=");
    only.push(file);
    let mut leave = OsString::from("--report=");
    leave.push(report);
    let mut command = Command::new(program);
    command.arg("check").args([only, leave]).args(env::args_os().skip(2));
    let text = match (flags.json, is_alone) {
        (true, _) => Stdio::null(),
        (false, true) => Stdio::inherit(),
        (false, false) => Stdio::piped(),
    };
    command.stdout(text).stderr(if is_alone { Stdio::inherit() } else { Stdio::piped() });
    if is_alone && !flags.json {
        Console::new(false).out(&title(file));
    }
    let ended = command.spawn().and_then(|child| child.wait_with_output());
    let broken = |why: String| {
        let message = format!("the check of `{}` ended without an answer: {why}", file.display());
        report::errors_document(vec![report::plain_error(
            &message,
            Some(&name_in_json(file)),
            None,
        )])
    };
    let document = |why: String| {
        let left = fs::read(report).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        left.unwrap_or_else(|| broken(why))
    };
    match ended {
        Ok(ended) => Checked {
            status: ended.status.code().map_or(Status::Wrong, Status::from_code),
            document: document(ended.status.to_string()),
            printed: [ended.stdout, ended.stderr],
        },
        Err(error) => Checked {
            status: Status::Wrong,
            printed: Default::default(),
            document: broken(error.to_string()),
        },
    }
}

fn title(file: &Path) -> String {
    format!("{}\n", crate::input::name_of(file))
}

fn tell(flags: &Check, file: &Path, checked: &Checked, is_alone: bool, console: &mut Console) {
    let [text, messages] = checked.printed.each_ref().map(|bytes| String::from_utf8_lossy(bytes));
    if !flags.json && !is_alone {
        console.out(&title(file));
    }
    console.out(&text);
    console.err(&messages);
}

/// The summary and the reports, and the status of the worst file.
fn finish(
    flags: &Check,
    files: &[PathBuf],
    all: &[Checked],
    console: &mut Console,
) -> Result<Status, Error> {
    let names: Vec<String> = files.iter().map(|file| name_in_json(file)).collect();
    let documents: Vec<Value> = all.iter().map(|checked| checked.document.clone()).collect();
    let joined = report::joined_documents(VERSION, &names, documents);
    match flags.json {
        true => console.out(&report::to_json(&joined)),
        false => console.out(&report::count_line(&joined)),
    }
    let statuses = all.iter().map(|checked| checked.status);
    let left_out = (all.len() < files.len()).then_some(Status::Unknown);
    let worst = statuses.chain(left_out).max_by_key(|status| status.severity());
    write_reports(flags, &joined)?;
    Ok(worst.unwrap_or(Status::Good))
}
