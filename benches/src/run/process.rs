//! Running a program and measuring it from outside.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use wait4::Wait4;

/// One run: how long, how much memory at most, what it printed.
pub struct Run {
    pub seconds: f64,
    pub peak_bytes: u64,
    pub output: String,
}

/// Runs a program to its end. What it says on standard error is passed on.
pub fn measure(program: &Path, args: &[&str]) -> io::Result<Run> {
    let start = Instant::now();
    let mut child = Command::new(program).args(args).stdout(Stdio::piped()).spawn()?;
    let mut stdout = child.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
    let output = io::read_to_string(&mut stdout)?;
    let used = child.wait4()?;
    Ok(Run { seconds: start.elapsed().as_secs_f64(), peak_bytes: used.rusage.maxrss, output })
}

/// The programs that take part.
pub struct Tools {
    pub tertium: PathBuf,
    pub lts2pbes: Option<PathBuf>,
    pub pbessolve: Option<PathBuf>,
    pub oink: Option<PathBuf>,
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
            oink: on_path("oink"),
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
        found("mCRL2 (`lts2pbes`, `pbessolve`)", self.mcrl2().is_some())
            + &found("Oink (`oink`)", self.oink.is_some())
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
