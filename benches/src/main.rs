//! Inputs for measurements, and the measurements. Every input is made from a seed, so that a
//! measurement can be repeated: the same call gives the same bytes. `BENCHES` is
//! `cargo run --release --manifest-path benches/Cargo.toml --`.
//!
//! ```text
//! BENCHES gen lts uniform 1000000 5 --seed 1 > uniform.aut
//! BENCHES gen pg mc3 1000000 --seed 1 > mc3.pg
//! BENCHES gen family token-ring 4 > token-ring.tm
//! BENCHES gen family philosophers 4 --aut philosophers
//! BENCHES gen family token-ring 4 --smv > token-ring.smv
//! BENCHES gen detail token-ring 4 1000 > detail.tm
//! BENCHES gen protocol sliding-window 3 > sliding-window.tm
//! BENCHES gen program loops 1000 > loops.while
//! BENCHES gen mixed 2 --tm > blocks.tm
//! cargo build --release && BENCHES run
//! ```

mod inputs;
mod random;
mod run;

use clap::{Parser, Subcommand};
use std::io::ErrorKind;
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
    Gen(inputs::Input),
    /// Measure Tertium, and its peers where they are on PATH
    Run(run::Wish),
}

fn main() -> ExitCode {
    let done = match Call::parse().command {
        Command::Gen(input) => inputs::generate(&input),
        Command::Run(wish) => run::run(wish),
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
