//! `tertium explore`: a page in the browser. The server is the crate `explorer`; here is what it is started with, and
//! in [`answer`] what its child processes do.

pub mod answer;

use crate::flags::Explore;
use crate::supervisor::rendered;
use crate::{Status, input};
use explorer::{ServerSettings, files};
use std::io::{Write, stderr, stdout};
use std::process::{Command, Stdio};
use std::time::Duration;
use tertium::{Error, Options};

/// The time limit for reading a request.
const PATIENCE: Duration = Duration::from_secs(15);

pub fn run(flags: Explore) -> Status {
    let settings = match settings(&flags) {
        Ok(settings) => settings,
        Err(error) => return refuse(&error),
    };
    let served = explorer::serve(settings, |address| {
        let mut out = stdout();
        let written = writeln!(out, "{address}").and_then(|()| out.flush());
        crate::console::or_exit(written);
        if !flags.no_open {
            open(address);
        }
    });
    match served {
        Ok(()) => Status::Good,
        Err(error) => {
            let _ = writeln!(stderr(), "Error: cannot listen on 127.0.0.1:{}: {error}", flags.port);
            Status::Wrong
        }
    }
}

fn settings(flags: &Explore) -> Result<ServerSettings, Error> {
    input::is_one_system(&flags.files, &flags.joining)?;
    let sync = flags.joining.sync.as_deref();
    let program = std::env::current_exe()
        .map_err(|error| Error::wrong(format!("cannot find the program itself: {error}"), ""))?;
    Ok(ServerSettings {
        program,
        version: env!("CARGO_PKG_VERSION"),
        port: flags.port,
        files: files::read(&flags.files, sync)?,
        sync: sync.map(files::name).transpose()?,
        methods: Options::methods().iter().map(|method| method.name).collect(),
        timeout: flags.timeout,
        memory: flags.memory,
        patience: PATIENCE,
    })
}

fn refuse(error: &Error) -> Status {
    let _ = stderr().write_all(rendered(&error.diagnostics()).as_bytes());
    Status::Wrong
}

/// Asks the desktop for a browser. Without one the user has the address.
fn open(address: &str) {
    const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];
    for opener in OPENERS {
        let mut command = Command::new(opener);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Ok(mut child) = command.spawn() {
            // The parent waits for the message that it has ended.
            std::thread::spawn(move || child.wait());
            return;
        }
    }
}
