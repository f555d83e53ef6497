//! The two streams that the user reads, and the bar on one of them.

use crate::allocator;
use crate::progress::Progress;
use report::Colour;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::exit;
use std::time::{Duration, Instant};
use tertium::Cancel;

/// As a shell reports a process that wrote into a closed pipe.
const STATUS_OF_BROKEN_PIPE: i32 = 141;

pub(crate) struct Console {
    pub progress: Progress,
    /// If all that is said is said in events on standard output.
    events: Option<Events>,
}

/// How often progress is told.
const BEAT: Duration = Duration::from_millis(200);

struct Events {
    began: Instant,
    reported: Instant,
}

impl Console {
    pub fn new(wants_progress: bool) -> Self {
        Self { progress: Progress::new(wants_progress), events: None }
    }

    /// One for programs.
    pub fn of_events() -> Self {
        let now = Instant::now();
        let events = Some(Events { began: now, reported: now });
        Self { progress: Progress::new(false), events }
    }

    /// Time has passed, and something is being done.
    pub fn look_at(&mut self, cancel: &Cancel) {
        let Some(Events { began, reported }) = &mut self.events else {
            return self.progress.update(cancel);
        };
        if reported.elapsed() >= BEAT {
            *reported = Instant::now();
            let (phase, done, total) = cancel.progress();
            let (seconds, memory) = (began.elapsed().as_secs_f64(), allocator::bytes_in_use());
            self.out(&report::progress_event(phase, done, total, seconds, memory));
        }
    }

    /// Writes to standard output.
    pub fn out(&mut self, text: &str) {
        self.progress.clear();
        or_exit(io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()));
    }

    /// Writes to standard error, and ignores failures.
    pub fn err(&mut self, text: &str) {
        if self.events.is_some() {
            if !text.is_empty() {
                self.out(&report::note_event(text));
            }
            return;
        }
        self.progress.clear();
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

/// Ends the process if standard output takes nothing more: quietly if its reader has gone.
pub fn or_exit(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit(STATUS_OF_BROKEN_PIPE),
        Err(error) => {
            let _ = writeln!(io::stderr(), "Error: cannot write to standard output: {error}");
            exit(crate::Status::Wrong as i32)
        }
    }
}

pub fn colour_of_stdout() -> Colour {
    colour(io::stdout().is_terminal())
}

pub fn colour_of_stderr() -> Colour {
    colour(io::stderr().is_terminal())
}

fn colour(is_terminal: bool) -> Colour {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    if is_terminal && !refused && !dumb { Colour::On } else { Colour::Off }
}
