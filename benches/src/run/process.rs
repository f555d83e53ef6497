//! Running a program and measuring it from outside.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// One run: how long, how much work, how much memory at most, what it printed.
pub struct Run {
    pub seconds: f64,
    /// Of all its threads, which other programs hardly change.
    pub cpu_seconds: f64,
    pub peak_bytes: u64,
    pub output: String,
}

/// Runs a program to its end. What it says on standard error is passed on.
pub fn measure(program: &Path, args: &[&str]) -> io::Result<Run> {
    let forever = Duration::MAX;
    measure_within(program, args, forever)?.ok_or_else(|| io::Error::other("it went on forever"))
}

/// Runs a program for some time at most; `None` if it was ended. What it says on standard error is
/// passed on.
pub fn measure_within(program: &Path, args: &[&str], limit: Duration) -> io::Result<Option<Run>> {
    run_within(Command::new(program).args(args), limit)
}

/// The same for a program that talks too much: what it says on standard error is lost.
pub fn measure_quietly(program: &Path, args: &[&str], limit: Duration) -> io::Result<Option<Run>> {
    run_within(Command::new(program).args(args).stderr(Stdio::null()), limit)
}

fn run_within(command: &mut Command, limit: Duration) -> io::Result<Option<Run>> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut stdout = child.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
    let (sender, receiver) = mpsc::channel();
    // It ends when the program does, and then nobody may be listening any more.
    thread::spawn(move || sender.send(io::read_to_string(&mut stdout)).ok());
    let Ok(output) = receiver.recv_timeout(limit) else {
        child.kill()?;
        child.wait()?;
        return Ok(None);
    };
    let used = child.wait4()?;
    let seconds = start.elapsed().as_secs_f64();
    let cpu_seconds = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok(Some(Run { seconds, cpu_seconds, peak_bytes: used.rusage.maxrss, output: output? }))
}

/// The programs that take part.
pub struct Tools {
    pub tertium: PathBuf,
    pub lts2pbes: Option<PathBuf>,
    pub pbessolve: Option<PathBuf>,
    /// Those that make one LTS of several.
    pub combiners: Option<Combiners>,
    pub oink: Option<PathBuf>,
    pub nusmv: Option<PathBuf>,
    pub spin: Option<PathBuf>,
}

/// What mCRL2 needs for a network of Aldebaran files.
pub struct Combiners {
    pub mcrl22lps: PathBuf,
    pub ltsconvert: PathBuf,
    pub ltscombine: PathBuf,
}

impl Combiners {
    fn find() -> Option<Self> {
        Some(Self {
            mcrl22lps: on_path("mcrl22lps")?,
            ltsconvert: on_path("ltsconvert")?,
            ltscombine: on_path("ltscombine")?,
        })
    }
}

impl Tools {
    pub fn find() -> io::Result<Self> {
        let beside = env::current_exe()?.with_file_name("tertium");
        if !beside.exists() {
            return Err(io::Error::other(format!(
                "{} is not there: run `cargo build --release` first",
                beside.display()
            )));
        }
        Ok(Self {
            tertium: beside,
            lts2pbes: on_path("lts2pbes"),
            pbessolve: on_path("pbessolve"),
            combiners: Combiners::find(),
            oink: on_path("oink"),
            nusmv: on_path("NuSMV"),
            spin: on_path("spin"),
        })
    }

    /// Both programs that mCRL2 needs.
    pub fn mcrl2(&self) -> Option<(&Path, &Path)> {
        Some((self.lts2pbes.as_deref()?, self.pbessolve.as_deref()?))
    }

    /// Who takes part and who does not.
    pub fn description(&self) -> String {
        let found = |name: &str, there: bool| {
            format!("{name}: {}\n", if there { "on PATH" } else { "not on PATH, left out" })
        };
        let combines = self.combiners.is_some();
        found("mCRL2 (`lts2pbes`, `pbessolve`)", self.mcrl2().is_some())
            + &found("its `mcrl22lps`, `ltsconvert`, `ltscombine`", combines)
            + &found("Oink (`oink`)", self.oink.is_some())
            + &found("NuSMV (`NuSMV`)", self.nusmv.is_some())
            + &found("Spin (`spin`)", self.spin.is_some())
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_ended() {
        let shell = Path::new("/bin/sh");
        let quick = measure_within(shell, &["-c", "echo out"], Duration::from_secs(60));
        assert_eq!(quick.unwrap().expect("it ends").output, "out\n");
        let start = Instant::now();
        let slow = measure_within(shell, &["-c", "exec sleep 60"], Duration::from_millis(50));
        assert!(slow.unwrap().is_none());
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
