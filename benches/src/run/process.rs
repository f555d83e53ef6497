//! Running programs and measuring them from outside; work in this process is timed by [`Clock`].

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use support::{Monitor, StopReason};
use wait4::Wait4;

/// One run: how long, how much work, how much memory at most, what it printed.
pub struct Run {
    pub seconds: f64,
    /// Of all its threads, which other programs hardly change.
    pub cpu: f64,
    pub peak_bytes: u64,
    pub output: String,
}

/// Runs a program for some time at most; `None` if it was ended. What it says on standard error is passed on, unless
/// it talks too much.
pub fn measure(
    program: &Path,
    args: &[&str],
    limit: Duration,
    is_quiet: bool,
) -> io::Result<Option<Run>> {
    let mut command = Command::new(program);
    if is_quiet {
        command.stderr(Stdio::null());
    }
    let start = Instant::now();
    let mut child = command.args(args).stdout(Stdio::piped()).spawn()?;
    let mut stdout = child.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
    let (sender, receiver) = channel();
    // It ends when the program does, and then nobody may be listening any more.
    thread::spawn(move || sender.send(io::read_to_string(&mut stdout)).ok());
    let Ok(output) = receiver.recv_timeout(limit) else {
        child.kill()?;
        child.wait()?;
        return Ok(None);
    };
    let used = child.wait4()?;
    let cpu = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    let (seconds, peak_bytes) = (start.elapsed().as_secs_f64(), used.rusage.maxrss);
    Ok(Some(Run { seconds, cpu, peak_bytes, output: output? }))
}

/// A peer, if it is there.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Stops work in this process that takes longer, as soon as it looks at the monitor.
pub fn within<T>(limit: Duration, work: impl FnOnce(&Monitor) -> T) -> T {
    let monitor = Monitor::new();
    let (done, end) = channel::<()>();
    thread::scope(|scope| {
        let monitor = &monitor;
        scope.spawn(move || {
            if end.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                monitor.stop(StopReason::Timeout);
            }
        });
        let result = work(monitor);
        drop(done);
        result
    })
}

/// The time that a thread has had a processor for, which other programs hardly change. It is told to the tick, so a
/// short time is taken from the wall, and so is all where the system tells nothing.
pub struct Clock {
    wall: Instant,
    used: Option<Duration>,
}

impl Clock {
    pub fn start() -> Self {
        Self { wall: Instant::now(), used: used() }
    }

    pub fn wall(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }

    /// Since the start, in the same thread.
    pub fn seconds(&self) -> f64 {
        let wall = self.wall.elapsed();
        let used = self.used.zip(used()).map(|(before, now)| now.saturating_sub(before));
        used.filter(|_| wall > Duration::from_millis(20)).unwrap_or(wall).as_secs_f64()
    }
}

/// By Linux, in nanoseconds.
fn used() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_ended() {
        let run = |script: &str, limit| {
            measure(Path::new("/bin/sh"), &["-c", script], Duration::from_millis(limit), false)
        };
        assert_eq!(run("echo out", 60_000).unwrap().expect("it ends").output, "out\n");
        let start = Instant::now();
        assert!(run("exec sleep 60", 50).unwrap().is_none());
        assert!(start.elapsed() < Duration::from_secs(30));
        let monitor = within(Duration::from_millis(10), |monitor| {
            while monitor.check().is_ok() {}
            monitor.clone()
        });
        assert!(monitor.check().is_err());
        assert_eq!(within(Duration::from_secs(600), |_| 1), 1);
    }
}
