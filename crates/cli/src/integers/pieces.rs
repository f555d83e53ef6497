//! `--method modular` for programs over integers: how they are taken apart.

use super::Subject;
use crate::check::method;
use crate::flags::{Check, Modular};
use crate::input::Trouble;
use cegar::Pieces;
use explicit::Method;

/// Outside of loops, so many places are a piece.
const ROW: usize = 16;

/// What is looked at together at first, if it is not everything.
pub fn pieces(flags: &Check, subject: &Subject) -> Result<Option<Pieces>, Trouble> {
    match method(flags) {
        Method::Modular => taken_apart(&flags.modular, subject).map(Some),
        _ => Ok(None),
    }
}

/// Every loop is a piece.
pub fn loops(subject: &Subject) -> Pieces {
    Pieces::loops(&subject.document.program, ROW)
}

fn taken_apart(flags: &Modular, subject: &Subject) -> Result<Pieces, Trouble> {
    let others = [
        (flags.sets.is_some(), "--sets"),
        (flags.resume.is_some(), "--resume"),
        (flags.threads.is_some(), "--threads"),
    ];
    if let Some((_, flag)) = others.into_iter().find(|(is_given, _)| *is_given) {
        return Err(for_finite(&format!("`{flag}`")));
    }
    let program = &subject.document.program;
    match flags.partition.as_deref() {
        None | Some("auto") => Ok(loops(subject)),
        Some("whole") => Ok(Pieces::whole(program)),
        Some("statement") => Ok(Pieces::places(program)),
        Some(_) => Err(for_finite("a partition that a file gives")),
    }
}

fn for_finite(what: &str) -> Trouble {
    let message = format!("{what} is for programs whose variables have finitely many values");
    let help = "over integers, `--partition auto`, `whole` or `statement` says what is looked at together at first";
    Trouble::message(message).with_help(help)
}
