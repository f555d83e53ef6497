//! Inputs for measurements, made from a seed, so that a measurement can be repeated: the same call gives the
//! same bytes.

pub mod families;
pub mod games;
pub mod lts;
pub mod mixed;
pub mod programs;
pub mod protocols;
mod sliding_window;
pub mod smv;
pub mod system;
#[cfg(test)]
mod tests;

use clap::{Subcommand, ValueEnum};
use std::io::{self, BufWriter, Write};

#[derive(Subcommand)]
pub enum Input {
    /// A labelled transition system, as an Aldebaran file
    Lts(lts::Wish),
    /// A parity game in PGSolver's format
    Pg(games::Wish),
    /// A system of components of the same size, as a `.tm` or `.smv` file with properties
    Family(families::Wish),
    /// A family whose components also carry values that no property depends on
    Detail {
        family: families::Family,
        /// How many stations, philosophers, stages, clients, leaves or caches
        #[arg(value_parser = clap::value_parser!(u32).range(2..))]
        size: u32,
        /// How many values
        #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        domain: u32,
        #[arg(long, value_enum, default_value = "counter")]
        detail: system::Detail,
    },
    /// A protocol with safety properties, as a `.tm` file, for assumption synthesis
    Protocol {
        protocol: protocols::Protocol,
        /// Of what, the protocol says
        #[arg(value_parser = clap::value_parser!(u32).range(2..))]
        size: u32,
    },
    /// A while-program with properties, as a `.while` file
    Program {
        program: programs::Program,
        /// Of what, the program says
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        size: u32,
        /// How many bits its numbers have [default: 3, or 2 in `calls`]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=30))]
        bits: Option<u32>,
    },
    /// The program of the experiment on mixed transition systems, or its abstraction as a `.tm` file
    Mixed(mixed::Wish),
}

pub fn generate(input: &Input) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let text = match input {
        Input::Lts(wish) => {
            let lts = lts::make(wish);
            eprintln!("{} states, {} transitions", lts.states, lts.edges.len());
            return lts.write(&mut out).and_then(|()| out.flush());
        }
        Input::Pg(wish) => {
            let game = games::make(wish);
            eprintln!("{} nodes, {} edges", game.len(), game.successors.len());
            return game.write(&mut out).and_then(|()| out.flush());
        }
        Input::Family(wish) => match &wish.aut {
            Some(folder) => {
                return system::Network::write(&families::system(wish), folder).map(|_| ());
            }
            None => families::make(wish),
        },
        &Input::Detail { family, size, domain, detail } => {
            families::make_detailed(&families::Wish::new(family, size, false), detail, domain)
        }
        Input::Protocol { protocol, size } => protocol.make(*size),
        Input::Program { program, size, bits } => program.make(*size, *bits),
        Input::Mixed(wish) => mixed::make(wish)?,
    };
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// As the command line knows it.
pub fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Of a text that has several, each after a line such as `== name`.
pub fn section(text: &'static str, name: &str) -> &'static str {
    let named = |part: &'static str| part.split_once('\n').filter(|(known, _)| *known == name);
    let found = text.split("\n== ").find_map(|part| named(part.trim_start_matches("== ")));
    found.unwrap_or_else(|| panic!("there is no section `{name}`")).1
}
