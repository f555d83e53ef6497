//! A solver of the user's choice as a process: found, started, talked to within a time limit, and ended.
//!
//! A thread writes and a thread reads, so that a solver that reads nothing, or prints without end, holds up
//! neither the question nor the memory.

use smt::{END_OF_ANSWER, Pipe, PipeFault};
use std::env;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer answers are not read.
const LONGEST_ANSWER: usize = 1 << 20;
/// How much a solver may print ahead, in chunks.
const AHEAD: usize = 16;
const CHUNK: usize = 1 << 14;

/// Where the programs of Python's packages may be.
const PYTHON_PLACES: &str = "import os, sys, sysconfig\n\
    for scheme in sysconfig.get_scheme_names(): print(sysconfig.get_path('scripts', scheme))\n\
    for place in sys.path: print(os.path.join(place or '.', 'bin'))";

/// The program that a user means: a path, or a name that is looked for where programs are, and where Python's
/// package `z3-solver` puts its own.
pub fn find(name: &str) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    in_one_of(env::split_paths(&path), name).or_else(|| in_one_of(python_places(), name))
}

fn in_one_of(places: impl IntoIterator<Item = PathBuf>, name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    places.into_iter().map(|place| place.join(&name)).find(|path| path.is_file())
}

fn python_places() -> Vec<PathBuf> {
    let asked = Command::new("python3").args(["-c", PYTHON_PLACES]).stderr(Stdio::null()).output();
    let stdout = asked.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&stdout).lines().map(PathBuf::from).collect()
}

/// Arguments that make a program read SMT-LIB commands one by one.
fn arguments(program: &Path) -> &'static [&'static str] {
    let name = program.file_stem().map(|name| name.to_string_lossy().to_lowercase());
    match name.as_deref() {
        Some("z3") => &["-in", "-smt2"],
        Some("cvc5" | "cvc4") => &["--lang", "smt2", "--incremental", "--quiet"],
        Some("yices-smt2") => &["--incremental"],
        _ => &[],
    }
}

/// A solver that runs when it is asked.
pub struct Process {
    program: PathBuf,
    timeout: Duration,
    running: Option<Running>,
}

impl Process {
    /// `timeout` is for each exchange.
    pub fn new(program: PathBuf, timeout: Duration) -> Self {
        Self { program, timeout, running: None }
    }
}

impl Pipe for Process {
    fn exchange(&mut self, text: &str) -> Result<String, PipeFault> {
        let running = self.running.as_mut().ok_or(PipeFault::Ended)?;
        let answer = running.exchange(text, self.timeout);
        if answer.is_err() {
            self.running = None;
        }
        answer
    }

    fn restart(&mut self) -> Result<(), PipeFault> {
        self.running = None;
        self.running = Some(Running::start(&self.program).map_err(|error| {
            PipeFault::Broken(format!("cannot run `{}`: {error}", self.program.display()))
        })?);
        Ok(())
    }
}

/// A solver that runs; it is ended with this.
struct Running {
    child: Child,
    to_solver: Sender<String>,
    from_solver: Receiver<Vec<u8>>,
    /// Printed and not given to anybody yet.
    printed: Vec<u8>,
}

impl Running {
    fn start(program: &Path) -> std::io::Result<Self> {
        let mut child = Command::new(program)
            .args(arguments(program))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (to_solver, texts) = channel();
        let (chunks, from_solver) = sync_channel(AHEAD);
        if let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) {
            thread::spawn(move || write_all(input, &texts));
            thread::spawn(move || read_all(output, &chunks));
        }
        Ok(Self { child, to_solver, from_solver, printed: Vec::new() })
    }

    fn exchange(&mut self, text: &str, timeout: Duration) -> Result<String, PipeFault> {
        // A limit that no clock reaches is none.
        let deadline = Instant::now().checked_add(timeout);
        self.to_solver.send(text.to_owned()).map_err(|_| PipeFault::Ended)?;
        loop {
            if let Some(answer) = self.take_answer() {
                return Ok(answer);
            }
            if self.printed.len() > LONGEST_ANSWER {
                return Err(PipeFault::Broken("its output does not end".to_owned()));
            }
            let left = |end: Instant| end.saturating_duration_since(Instant::now());
            let left = deadline.map_or(timeout, left);
            match self.from_solver.recv_timeout(left) {
                Ok(chunk) => self.printed.extend(chunk),
                Err(RecvTimeoutError::Timeout) => return Err(PipeFault::Late),
                Err(RecvTimeoutError::Disconnected) => return Err(PipeFault::Ended),
            }
        }
    }

    /// The output before the line with the end of an answer, if that is there.
    fn take_answer(&mut self) -> Option<String> {
        let end = END_OF_ANSWER.as_bytes();
        let start = self.printed.windows(end.len()).position(|window| window == end)?;
        let line = self.printed[start..].iter().position(|&byte| byte == b'\n')?;
        let answer = String::from_utf8_lossy(&self.printed[..start]).into_owned();
        self.printed.drain(..=start + line);
        Some(answer.trim_end_matches('"').to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself, and there is nothing else that could be done.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends when the other end of a channel is closed.
fn write_all(mut input: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_all(mut output: ChildStdout, chunks: &SyncSender<Vec<u8>>) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(length @ 1..) = output.read(&mut chunk) {
        if chunks.send(chunk[..length].to_vec()).is_err() {
            return;
        }
    }
}
