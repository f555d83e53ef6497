//! The `tertium` command. One file a command; the flags of all of them are in [`flags`].

mod allocator;
mod check;
mod compare;
mod console;
mod convert;
mod flags;
mod input;
mod load;
mod manual;
mod output;
mod progress;
mod solve;
mod status;
mod supervisor;
mod values;

use clap::Parser;
use flags::{Command, Flags};
use status::Status;
use std::process::ExitCode;

fn main() -> ExitCode {
    allocator::trust_this_thread();
    status::explain_panics();
    let flags = Flags::parse();
    status::of(|| match flags.command {
        Command::Check(flags) => check::run(flags),
        Command::Solve(flags) => solve::run(flags),
        Command::Compare(flags) => compare::run(flags),
        Command::Convert(flags) => convert::run(flags),
        Command::Completions(flags) => manual::completions(&flags),
        Command::Man(flags) => manual::page(&flags),
    })
}
