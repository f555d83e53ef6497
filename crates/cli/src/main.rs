//! The `tertium` command. One file a command; the flags of all of them are in [`flags`].

mod allocator;
mod assume;
mod certify;
mod check;
mod compare;
mod console;
mod convert;
mod explain;
mod explore;
mod flags;
mod input;
mod manual;
mod output;
mod progress;
mod simulate;
mod solve;
mod status;
mod supervisor;
mod values;

use clap::Parser;
use flags::{Command, Flags};
use input::Files;
use status::Status;
use std::io::{Write, stdout};
use std::process::{ExitCode, exit};
use std::sync::Arc;
use tertium::FileSystem;

fn main() -> ExitCode {
    allocator::exempt_this_thread();
    status::explain_panics();
    let flags = Flags::try_parse().unwrap_or_else(|error| print_and_exit(&error));
    status::of(|| run(flags.command, &(Arc::new(FileSystem) as Files)))
}

fn run(command: Command, files: &Files) -> Status {
    match command {
        Command::Check(flags) => check::run(flags, files),
        Command::Explain(flags) => explain::run(flags, files),
        Command::Assume(flags) => assume::run(flags, files),
        Command::Certify(flags) => certify::run(flags, files),
        Command::Solve(flags) => solve::run(flags),
        Command::Compare(flags) => compare::run(flags, files),
        Command::Convert(flags) => convert::run(flags.into(), files),
        Command::Minimise(flags) => convert::run(flags.into(), files),
        Command::Simulate(flags) => simulate::run(flags, files),
        Command::Explore(flags) => explore::run(flags),
        Command::Answer => explore::answer::run(),
        Command::Completions(flags) => manual::completions(&flags),
        Command::Man(flags) => manual::page(&flags),
    }
}

/// The help that was asked for, or what is wrong with the flags.
fn print_and_exit(error: &clap::Error) -> ! {
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let text = error.to_string();
        let message = text.strip_prefix("error: ").unwrap_or(&text).trim();
        let (message, help) = message.split_once("\n\n").unwrap_or((message, ""));
        let help = Some(help.trim()).filter(|help| !help.is_empty());
        let document = report::errors_document(vec![report::plain_error(message, None, help)]);
        console::Console::new(false).out(&report::to_json(&document));
        exit(error.exit_code())
    }
    let written = error.print().and_then(|()| stdout().flush());
    if !error.use_stderr() {
        console::or_exit(written);
    }
    exit(error.exit_code())
}
