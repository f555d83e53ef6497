//! A child process of the explorer: it reads one order, and then runs a command on the texts of the order, or answers
//! questions about them until nobody asks any more.

use crate::Status;
use crate::flags::{Flags, Limits};
use crate::input::Files;
use crate::supervisor::{self, Session};
use crate::{allocator, status};
use clap::Parser;
use explorer::protocol::{Call, Order, Query, Views};
use explorer::{Inspector, MOST_STATES, Texts};
use report::Colour;
use serde_json::json;
use std::io::{BufRead, Read, Write, stderr, stdin};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use tertium::{Error, StopReason, Stopped};

pub fn run() -> Status {
    let order = match read_order() {
        Ok(order) => order,
        Err(message) => {
            let _ = writeln!(stderr(), "Error: {message}");
            return Status::Wrong;
        }
    };
    let mut texts = Texts::default();
    order.texts.into_iter().for_each(|text| texts.add(&text.name, text.text));
    let files: Files = Arc::new(texts);
    match order.call {
        Call::Command(arguments) => command(arguments, &files),
        Call::Views(views) => answer_all(views, files),
    }
}

fn read_order() -> Result<Order, String> {
    let mut line = String::new();
    stdin().lock().read_line(&mut line).map_err(|error| error.to_string())?;
    serde_json::from_str(&line).map_err(|error| format!("this is for the explorer only: {error}"))
}

/// Runs a command as if it had been called, until standard input ends.
fn command(arguments: Vec<String>, files: &Files) -> Status {
    let watcher = thread::Builder::new().spawn(|| {
        allocator::exempt_this_thread();
        let _ = stdin().lock().read_to_end(&mut Vec::new());
        // The client has disconnected.
        std::process::exit(Status::Wrong as i32)
    });
    let program = std::iter::once("tertium".to_owned());
    match (watcher, Flags::try_parse_from(program.chain(arguments))) {
        (Ok(_), Ok(flags)) => crate::run(flags.command, files),
        (Ok(_), Err(error)) => {
            let _ = write!(stderr(), "{error}");
            Status::Wrong
        }
        (Err(error), _) => {
            let _ = writeln!(stderr(), "Error: cannot start a thread: {error}");
            Status::Wrong
        }
    }
}

/// Answers questions as they come.
fn answer_all(views: Views, files: Files) -> Status {
    let limits =
        Limits { timeout: None, memory: Some(views.memory), quiet: true, no_progress: true };
    let (ended, mut console) = supervisor::run(
        &limits,
        move |session: &Session<String>| answer_each(views, files, &questions(), session),
        |answer, console| console.out(&answer),
    );
    ended.unwrap_or_else(|stopped| {
        console.out(&stop(stopped));
        Status::Unknown
    })
}

/// The lines of standard input. When there are no more the process ends, whatever it is doing.
fn questions() -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        allocator::exempt_this_thread();
        for line in stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
        std::process::exit(Status::Good as i32)
    });
    receiver
}

fn answer_each(
    views: Views,
    files: Files,
    questions: &Receiver<String>,
    session: &Session<String>,
) -> Result<Status, Stopped> {
    let mut inspector = Inspector::new(views, files);
    for line in questions {
        let answer = match serde_json::from_str::<Query>(&line) {
            Ok(query) => inspector.answer(query, &session.cancel),
            Err(error) => Err(Error::wrong(format!("this is not a request: {error}"), "")),
        };
        session.tell(match answer {
            Ok(text) => format!("200 {}\n", text.trim_end()),
            // The monitor goes on: it was not the one that stopped it.
            Err(Error::Stopped(stopped @ Stopped(StopReason::States))) => stop(stopped),
            Err(Error::Stopped(stopped)) => return Err(stopped),
            Err(error) => refuse(&error),
        });
    }
    Ok(Status::Good)
}

/// The line that says that a limit was reached.
fn stop(stopped: Stopped) -> String {
    let message = match stopped.0 {
        // The limit is not one of the command line here.
        StopReason::States => {
            format!("there are more than {MOST_STATES} states, too many for the explorer")
        }
        _ => stopped.to_string(),
    };
    let error = json!({"kind": "limit", "message": message, "help": null, "text": null});
    format!("422 {}\n", json!({ "error": error }))
}

/// The line that says what is wrong.
fn refuse(error: &Error) -> String {
    let found = error.diagnostics();
    let first = found.messages.first();
    let message = first.map_or(status::REPORT, |diagnostic| &diagnostic.message);
    let help = first.and_then(|diagnostic| diagnostic.help.as_deref());
    let text = report::render(&found.messages, &found.sources, Colour::Off);
    let error = json!({"kind": "text", "message": message, "help": help, "text": text});
    format!("422 {}\n", json!({ "error": error }))
}
