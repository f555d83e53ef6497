//! `tertium simulate`: a walk through the model, by commands from standard input or in a full-screen view.

mod command;
mod screen;
mod text;

use crate::Status;
use crate::console::or_exit;
use crate::flags::Simulate;
use crate::input::{self, Files, is_dash, name_in_json, name_of};
use crate::supervisor::{self, Session};
use command::{Command, CommandEffect};
use std::io::{IsTerminal, Read, Write, stdin, stdout};
use std::path::Path;
use std::sync::Arc;
use tertium::{Error, SimulationOptions, Simulator};

pub fn run(flags: Simulate, loader: &Files) -> Status {
    let flags = Arc::new(flags);
    let (worker, loader, is_json) = (flags.clone(), loader.clone(), flags.json);
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session: &Session<()>| session.settle(simulate(&worker, &loader, session), is_json),
        |(), _| {},
    );
    ended.unwrap_or_else(|stopped| {
        console.err(&format!("unknown: {stopped}\n"));
        Status::Unknown
    })
}

fn simulate(flags: &Simulate, loader: &Files, session: &Session<()>) -> Result<Status, Error> {
    if flags.files.iter().any(|path| is_dash(path)) {
        let message = "standard input is for commands: the model has to be a file";
        return Err(Error::wrong(message, ""));
    }
    let model = input::system(&flags.files, &flags.reading, loader, &session.cancel)?.read()?;
    session.warn(&model.warnings(), &flags.limits);
    let options =
        SimulationOptions::default().seed(flags.seed).states(flags.states).cancel(&session.cancel);
    let mut simulator = model.simulator(&options)?;
    for expression in &flags.watch {
        simulator.watch(expression)?;
    }
    if let Some(path) = &flags.replay {
        simulator.replay(&read_trace(path, loader)?)?;
    }
    session.begin_writing();
    let status = match flags.steps {
        Some(steps) => random_walk(&mut simulator, steps, flags.json)?,
        None if is_full_screen(flags) => screen::run(&mut simulator)?,
        None => read_commands(&mut simulator, flags.json, session)?,
    };
    if flags.json {
        let files: Vec<String> = flags.files.iter().map(|path| name_in_json(path)).collect();
        let (version, trace) = (env!("CARGO_PKG_VERSION"), simulator.trace());
        let document = report::simulation_document(version, &files, &trace);
        print(&report::to_json(&document));
    }
    Ok(status)
}

/// Where the terminal can, and nothing asks for lines. A limit on time would leave the terminal as it is.
fn is_full_screen(flags: &Simulate) -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|name| name == "dumb");
    let wants_lines = flags.plain || flags.json || flags.limits.timeout.is_some();
    !wants_lines && !is_dumb && stdin().is_terminal() && stdout().is_terminal()
}

fn read_trace(path: &Path, loader: &Files) -> Result<tertium::Trace, Error> {
    let mut text = String::new();
    let read = loader.open(path)?.read_to_string(&mut text).map_err(|error| error.to_string());
    let trace = read.and_then(|_| report::read_trace(&text));
    trace.map_err(|why| Error::wrong(format!("`{}` is no trace: {why}", name_of(path)), ""))
}

fn print(text: &str) {
    or_exit(stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush()));
}

/// A random walk.
fn random_walk(simulator: &mut Simulator, steps: usize, is_quiet: bool) -> Result<Status, Error> {
    let is_to_begin = usize::from(simulator.state().is_none());
    let mut is_stuck = false;
    for _ in 0..steps + is_to_begin {
        is_stuck = !simulator.take_random()?;
        if is_stuck {
            break;
        }
    }
    if !is_quiet {
        print(&text::trace(simulator));
        if is_stuck {
            print("no step can be taken here\n");
        }
    }
    Ok(Status::Good)
}

/// Commands line by line. A wrong one does not end the walk; of a script it is told at the end, too.
fn read_commands(
    simulator: &mut Simulator,
    is_quiet: bool,
    session: &Session<()>,
) -> Result<Status, Error> {
    let is_script = !stdin().is_terminal();
    let say = |text: &str| {
        if !is_quiet {
            print(text);
        }
    };
    let mut status = Status::Good;
    say(&text::state(simulator));
    loop {
        if !is_script {
            say("> ");
        }
        let mut line = String::new();
        match stdin().read_line(&mut line) {
            Ok(0) => return Ok(status),
            Ok(_) => {}
            Err(error) => {
                return Err(Error::wrong(format!("cannot read standard input: {error}"), ""));
            }
        }
        let done = Command::parse(&line).and_then(|command| command.run(simulator));
        match done {
            Ok(CommandEffect::Say(text)) => say(&text),
            Ok(CommandEffect::Quit) => return Ok(status),
            Err(Error::Stopped(stopped)) if session.cancel.stopped().is_some() => {
                return Err(stopped.into());
            }
            Err(error) => {
                if is_script {
                    status = Status::Wrong;
                }
                session.remark(supervisor::rendered(&error.diagnostics()));
            }
        }
    }
}
