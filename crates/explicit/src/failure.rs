//! Why a method has no answer.

use crate::outcome::Error;
use model::ComposeError;
use support::Stopped;

pub(crate) enum Failure {
    Stopped(Stopped),
    Error(Error),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
}

impl From<ComposeError> for Failure {
    fn from(error: ComposeError) -> Self {
        match error {
            ComposeError::NoComposableInit => Failure::Error(Error::NoComposableInit),
            ComposeError::Stopped(stopped) => Failure::Stopped(stopped),
        }
    }
}
