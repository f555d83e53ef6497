//! Why a certificate is not accepted.

use bdd::Stop;
use model::ComposeError;
use smt::Excess;
use std::fmt::{self, Display};
use std::io;
use support::{StopReason, Stopped};

#[derive(Debug)]
pub enum AuditError {
    Io(io::Error),
    Stopped(Stopped),
    /// The bytes are no certificate, or none that this version reads.
    Foreign(String),
    /// It does not prove what it claims, or not of this system.
    Invalid(String),
    /// A solver does not know whether it does.
    Undecided(String),
}

impl AuditError {
    pub fn invalid(problem: impl Display) -> Self {
        AuditError::Invalid(problem.to_string())
    }
}

/// A condition that a valid certificate fulfils.
pub(crate) fn ensure(holds: bool, problem: impl Display) -> Result<(), AuditError> {
    if holds { Ok(()) } else { Err(AuditError::invalid(problem)) }
}

impl Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Io(error) => write!(f, "cannot read the certificate: {error}"),
            AuditError::Stopped(stopped) => stopped.fmt(f),
            AuditError::Foreign(problem)
            | AuditError::Invalid(problem)
            | AuditError::Undecided(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for AuditError {}

impl From<io::Error> for AuditError {
    fn from(error: io::Error) -> Self {
        AuditError::Io(error)
    }
}

impl From<ComposeError> for AuditError {
    fn from(error: ComposeError) -> Self {
        match error {
            ComposeError::Stopped(stopped) => AuditError::Stopped(stopped),
            ComposeError::NoComposableInit => {
                AuditError::invalid("the components of the system cannot start together")
            }
        }
    }
}

impl From<Stop> for AuditError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Stopped(stopped) => AuditError::Stopped(stopped),
            Stop::Full | Stop::Crowded => AuditError::Stopped(Stopped(StopReason::Nodes)),
        }
    }
}

impl From<Stopped> for AuditError {
    fn from(stopped: Stopped) -> Self {
        AuditError::Stopped(stopped)
    }
}

impl From<Excess> for AuditError {
    fn from(excess: Excess) -> Self {
        AuditError::invalid(format_args!("it cannot be validated: {excess}"))
    }
}
