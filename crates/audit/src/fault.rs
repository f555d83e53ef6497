//! What can be wrong with a certificate.

use base::Stopped;
use std::fmt;
use std::io;

#[derive(Debug)]
pub enum Fault {
    Io(io::Error),
    Stopped(Stopped),
    /// The bytes are no certificate, or none that this version reads.
    Foreign(String),
    /// The bytes are none of the form, from this one on.
    Malformed {
        at: u64,
        problem: &'static str,
    },
    /// The claim is not about what it is checked against.
    Claim(String),
    /// A step that breaks a rule, counted from 1.
    Step {
        step: u64,
        problem: String,
    },
    /// All steps are right, and what they show is not the claim.
    NotShown(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Io(error) => write!(f, "cannot read the certificate: {error}"),
            Fault::Stopped(stopped) => stopped.fmt(f),
            Fault::Foreign(problem) | Fault::Claim(problem) | Fault::NotShown(problem) => {
                f.write_str(problem)
            }
            Fault::Malformed { at, problem } => {
                write!(f, "byte {at} of the certificate: {problem}")
            }
            Fault::Step { step, problem } => write!(f, "step {step}: {problem}"),
        }
    }
}

impl std::error::Error for Fault {}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Io(error)
    }
}

impl From<Stopped> for Fault {
    fn from(stopped: Stopped) -> Self {
        Fault::Stopped(stopped)
    }
}
