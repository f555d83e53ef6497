//! How the process ends.

use std::io::{Write, stderr};
use std::panic::{UnwindSafe, catch_unwind};
use std::process::ExitCode;
use tertium::Verdict;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// Everything holds; the work is done.
    Good = 0,
    /// Something fails.
    Bad = 1,
    /// The input or the call is wrong, or there is a mistake in the program.
    Wrong = 2,
    /// Nothing fails and something is unknown or not certified; a limit was reached.
    Unknown = 3,
}

impl Status {
    /// The status of a process that ended with this code.
    pub fn from_code(code: i32) -> Self {
        [Status::Good, Status::Bad, Status::Unknown]
            .into_iter()
            .find(|status| *status as i32 == code)
            .unwrap_or(Status::Wrong)
    }

    /// Which of several statuses counts: the greatest.
    pub fn severity(self) -> u8 {
        match self {
            Status::Good => 0,
            Status::Unknown => 1,
            Status::Bad => 2,
            Status::Wrong => 3,
        }
    }

    /// That of a command that has found these verdicts.
    pub fn of(verdicts: &[Verdict]) -> Self {
        if verdicts.contains(&Verdict::False) {
            Status::Bad
        } else if verdicts.contains(&Verdict::Unknown) {
            Status::Unknown
        } else {
            Status::Good
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

/// The status of a command, whatever happens in it.
pub fn of(command: impl FnOnce() -> Status + UnwindSafe) -> ExitCode {
    catch_unwind(command).unwrap_or(Status::Wrong).into()
}

pub const REPORT: &str = "this is a bug in tertium, not in your input: please report it, with \
                          the input and the command line";

/// The message of a panic: it is a bug, and the message says how to report it.
pub fn explain_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(stderr(), "Error: internal error: {panic}\n  Help: {REPORT}",);
    }));
}
