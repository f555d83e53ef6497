//! `tertium explore`: a page in the browser. The server is the crate `explorer`; here is what it is started with, and
//! in [`answer`] what its child processes do.

pub mod answer;
mod desk;
mod files;
mod games;
mod outline;

use crate::Status;
use crate::flags::Explore;
use crate::input::Trouble;
use explicit::Method;
use explorer::Settings;
use std::io::{Write, stderr, stdout};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A connection says within this what it wants.
const PATIENCE: Duration = Duration::from_secs(15);

pub fn run(flags: Explore) -> Status {
    let settings = match settings(&flags) {
        Ok(settings) => settings,
        Err(trouble) => return refuse(&trouble),
    };
    let served = explorer::serve(settings, |address| {
        let mut out = stdout();
        let told = writeln!(out, "{address}").and_then(|()| out.flush());
        crate::console::or_exit(told);
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

fn settings(flags: &Explore) -> Result<Settings, Trouble> {
    let program = std::env::current_exe()
        .map_err(|error| Trouble::message(format!("cannot find the program itself: {error}")))?;
    Ok(Settings {
        program,
        version: env!("CARGO_PKG_VERSION"),
        port: flags.port,
        files: files::read(&flags.files, flags.sync.as_deref())?,
        sync: flags.sync.as_deref().map(files::name).transpose()?,
        methods: Method::ALL.map(Method::name).to_vec(),
        timeout: flags.timeout,
        memory: flags.memory,
        patience: PATIENCE,
    })
}

fn refuse(trouble: &Trouble) -> Status {
    if let Trouble::Faults(diagnostics, sources) = trouble {
        let colour = crate::console::colour_of_stderr();
        let _ = stderr().write_all(report::render(diagnostics, sources, colour).as_bytes());
    }
    Status::Wrong
}

/// Asks the desktop for a browser. Without one the user has the address.
fn open(address: &str) {
    const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];
    for opener in OPENERS {
        let mut command = Command::new(opener);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Ok(mut child) = command.spawn() {
            // Somebody has to hear that it has ended.
            std::thread::spawn(move || child.wait());
            return;
        }
    }
}
