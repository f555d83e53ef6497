//! Why a method has no answer.

use crate::outcome::CheckError;
use model::ComposeError;
use support::Stopped;

pub(crate) enum Failure {
    Stopped(Stopped),
    Error(CheckError),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
}

impl From<ComposeError> for Failure {
    fn from(error: ComposeError) -> Self {
        match error {
            ComposeError::NoComposableInit => Failure::Error(CheckError::NoComposableInit),
            ComposeError::Stopped(stopped) => Failure::Stopped(stopped),
        }
    }
}
