//! Inputs for measurements, and the measurements. Every input is made from a seed, so that a
//! measurement can be repeated: the same call gives the same bytes.
//!
//! ```text
//! cargo run --release -p benches -- gen lts uniform 1000000 5 --seed 1 > uniform.aut
//! cargo run --release -p benches -- gen pg mc3 1000000 --seed 1 > mc3.pg
//! cargo run --release -p benches -- gen family token-ring 4 > token-ring.tm
//! cargo run --release -p benches -- gen family philosophers 4 --aut philosophers
//! cargo run --release -p benches -- gen family token-ring 4 --smv > token-ring.smv
//! cargo run --release -p benches -- gen detail token-ring 4 1000 > detail.tm
//! cargo run --release -p benches -- gen protocol sliding-window 3 > sliding-window.tm
//! cargo run --release -p benches -- gen program loops 1000 > loops.while
//! cargo run --release -p benches -- gen mixed 2 --tm > blocks.tm
//! cargo run --release -p benches -- gen machine-check DIR
//! cargo build --release && cargo run --release -p benches -- run --write benches/RESULTS.md
//! ```

mod detail;
mod families;
mod games;
mod learning;
mod lts;
mod machine_check;
mod mixed;
mod network;
mod programs;
mod protocols;
mod random;
mod run;

use clap::{Parser, Subcommand};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Makes inputs for measurements, and measures", version)]
struct Call {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a generated input to standard output
    #[command(subcommand)]
    Gen(Input),
    /// Measure Tertium, and its rivals where they are on PATH
    Run(run::Wish),
}

#[derive(Subcommand)]
enum Input {
    /// A labelled transition system, as an Aldebaran file
    Lts(lts::Wish),
    /// A parity game in PGSolver's format
    Pg(games::Wish),
    /// A system of components of the same size, as a `.tm` or `.smv` file with properties
    Family(families::Wish),
    /// The same with components that carry values along which do not matter
    Detail(detail::Wish),
    /// A protocol with safety properties, as a `.tm` file, for assumption synthesis
    Protocol(protocols::Wish),
    /// A while-program with properties, as a `.while` file
    Program(programs::Wish),
    /// The program of the experiment on mixed transition systems, or its abstraction as a `.tm` file
    Mixed(mixed::Wish),
    /// Systems for the crate machine-check, as a cargo project in a folder
    MachineCheck(machine_check::Wish),
}

fn main() -> ExitCode {
    let done = match Call::parse().command {
        Command::Gen(input) => generate(&input),
        Command::Run(wish) => run::run(&wish),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn generate(input: &Input) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match input {
        Input::Lts(wish) => {
            let model = lts::make(wish);
            eprintln!("{} states, {} transitions", model.states(), model.edges().len());
            write_lts(&model, &mut out)
        }
        Input::Pg(wish) => {
            let game = games::make(wish);
            eprintln!("{} nodes, {} edges", game.len(), game.sons.len());
            front::write_pg(&game, &mut out)
        }
        Input::Family(wish) => match &wish.aut {
            Some(folder) => write_network(wish, folder),
            None => out.write_all(families::write(wish).as_bytes()),
        },
        Input::Detail(wish) => out.write_all(detail::make(wish).as_bytes()),
        Input::Protocol(wish) => out.write_all(protocols::make(wish).as_bytes()),
        Input::Program(wish) => out.write_all(programs::make(wish).as_bytes()),
        Input::Mixed(wish) => out.write_all(mixed::make(wish)?.as_bytes()),
        Input::MachineCheck(wish) => machine_check::write(&wish.folder),
    }
}

fn write_network(wish: &families::Wish, folder: &Path) -> io::Result<()> {
    let (system, _) = families::read(&families::make(wish));
    if system.family() == logic::Family::Props {
        let name = wish.family.name();
        return Err(io::Error::other(format!(
            "{name} has propositions, an Aldebaran file has none"
        )));
    }
    network::write(&system, folder).map(|_| ())
}

fn write_lts(model: &model::Model, out: &mut impl io::Write) -> io::Result<()> {
    front::write_aut(model, out).map_err(|error| match error {
        front::AutError::Io(error) => error,
        other => io::Error::other(other),
    })
}
