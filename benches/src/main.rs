//! Inputs for measurements. Everything is made from a seed, so that a measurement can be repeated:
//! the same call gives the same bytes.
//!
//! ```text
//! cargo run --release -p benches -- gen lts uniform 1000000 5 --seed 1 > uniform.aut
//! cargo run --release -p benches -- gen pg mc3 1000000 --seed 1 > mc3.pg
//! ```

mod games;
mod lts;
mod random;

use clap::{Parser, Subcommand};
use std::io::{self, ErrorKind};
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Makes inputs for measurements", version)]
struct Call {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a generated input to standard output
    #[command(subcommand)]
    Gen(Input),
}

#[derive(Subcommand)]
enum Input {
    /// A labelled transition system, as an Aldebaran file
    Lts(lts::Wish),
    /// A parity game in PGSolver's format
    Pg(games::Wish),
}

fn main() -> ExitCode {
    let Command::Gen(input) = Call::parse().command;
    match generate(&input) {
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
            front::write_aut(&model, &mut out).map_err(|error| match error {
                front::AutError::Io(error) => error,
                other => io::Error::other(other),
            })
        }
        Input::Pg(wish) => {
            let game = games::make(wish);
            eprintln!("{} nodes, {} edges", game.len(), game.sons.len());
            front::write_pg(&game, &mut out)
        }
    }
}
