//! Why a certificate is not accepted.

use bdd::Stop;
use model::ComposeError;
use std::fmt;
use std::io;
use support::{StopReason, Stopped};

#[derive(Debug)]
pub enum Fault {
    Io(io::Error),
    Stopped(Stopped),
    /// The bytes are no certificate, or none that this version reads.
    Foreign(String),
    /// It does not show what it claims, or not of this system.
    Invalid(String),
    /// A solver does not know whether it does.
    Undecided(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Io(error) => write!(f, "cannot read the certificate: {error}"),
            Fault::Stopped(stopped) => stopped.fmt(f),
            Fault::Foreign(problem) | Fault::Invalid(problem) | Fault::Undecided(problem) => {
                f.write_str(problem)
            }
        }
    }
}

impl std::error::Error for Fault {}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Io(error)
    }
}

impl From<ComposeError> for Fault {
    fn from(error: ComposeError) -> Self {
        match error {
            ComposeError::Stopped(stopped) => Fault::Stopped(stopped),
            ComposeError::NoComposableInit => {
                Fault::Invalid("the components of the system cannot start together".to_owned())
            }
        }
    }
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Stopped(stopped) => Fault::Stopped(stopped),
            Stop::Full | Stop::Crowded => Fault::Stopped(Stopped(StopReason::Nodes)),
        }
    }
}

impl From<Stopped> for Fault {
    fn from(stopped: Stopped) -> Self {
        Fault::Stopped(stopped)
    }
}
