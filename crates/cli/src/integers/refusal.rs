//! What there is for other files, and not where numbers have no bounds.

use crate::check::method;
use crate::flags::{Check, Deadlock};
use crate::input::Trouble;
use explicit::Method;

/// What numbers without bounds are in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum In {
    Program,
    Smv,
}

/// Refuses flags that would change nothing.
pub fn refuse_flags(flags: &Check, of: In) -> Result<(), Trouble> {
    let about_modules = flags.about_modules();
    let refining = flags.refining.first_given().filter(|&flag| flag != "--trace");
    let given = [
        ("--values", flags.values),
        ("--sync", flags.sync.is_some()),
        ("--order", !flags.order.is_empty()),
        ("--assume", !flags.assume.is_empty()),
        ("--semantics", flags.semantics.is_some() && method(flags) != Method::Symbolic),
        ("--trace", flags.refining.trace.is_some() && of == In::Smv),
        (refining.unwrap_or_default(), refining.is_some()),
        (about_modules.unwrap_or_default(), about_modules.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(not_there(flag, of)),
        None => refuse_deadlock(flags.deadlock, of),
    }
}

/// A state that nothing follows is what it is, whatever somebody wishes.
pub fn refuse_deadlock(asked: Deadlock, of: In) -> Result<(), Trouble> {
    match asked {
        Deadlock::Warn => Ok(()),
        _ => Err(not_there("--deadlock", of)),
    }
}

fn not_there(flag: &str, of: In) -> Trouble {
    let of = match of {
        In::Program => "programs over integers",
        In::Smv => "SMV files with unbounded integers",
    };
    Trouble::message(format!("`{flag}` is not there for {of}"))
        .with_help("give all variables ranges, or leave it out")
}
