//! The direct method: compose the whole system, play the game on it (C §2.1).

use crate::{Error, Outcome, Request};

pub(crate) fn run(request: &Request) -> Result<Outcome, Error> {
    Err(Error::NotAvailable(request.method))
}
