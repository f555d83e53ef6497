//! The flags of `tertium explain`.

use super::examples::EXPLAIN_EXAMPLES;
use super::{Deadlock, Fair, Form, Limits, Questions, Reading, Semantics, Solving};
use crate::values;
use clap::Args;
use std::path::PathBuf;
use tertium::MOST_STATES;

/// Explain a verdict: counterexample, witness, or diagnosis of an unknown
#[derive(Args, Debug)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct Explain {
    /// Components, systems and properties: .tm, .aut, .smv, .pml, .while, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub questions: Questions,

    /// Property to explain [default: every one that fails or is unknown, or the only one]
    #[arg(long, value_name = "NAME", conflicts_with_all = Questions::FLAGS)]
    pub property: Option<String>,

    #[command(flatten)]
    pub form: Form,

    /// Write to this file, in the format of its ending: .txt, .html, .svg, .dot, .json, .tm, .aut, .vcd,
    /// .itf.json, .xml (NuSMV's) [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Shortest counterexample or witness, where it is a path
    #[arg(long)]
    pub shortest: bool,

    /// Print the values of definitions in traces (SMV)
    #[arg(long)]
    pub defines: bool,

    /// Visit at most this many positions of the game (a state with a subformula)
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub positions: usize,

    /// Checking method [default: auto]
    #[arg(long, value_parser = values::method(), default_value = "auto", hide_default_value = true)]
    pub method: String,

    /// Treat these module instances of an SMV file as missing, and say what an unknown verdict depends on
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub unknown: Vec<String>,

    /// Assume this of a hole of a while-program (may be repeated)
    #[arg(long, value_name = "HOLE: FORMULA")]
    pub assume: Vec<String>,

    /// How to treat deadlock states, states of the composition without a successor
    #[arg(long, value_enum, default_value = "warn")]
    pub deadlock: Deadlock,

    /// Semantics of partial models; sis and ris differ on `covers` lines (mixts, gkmts) [default: ris]
    #[arg(long, value_enum)]
    pub semantics: Option<Semantics>,

    /// Enumerate at most this many states of an SMV or Promela file (method direct)
    #[arg(long, value_name = "N", default_value_t = MOST_STATES)]
    pub states: usize,

    #[command(flatten)]
    pub solving: Solving,

    #[command(flatten)]
    pub fair: Fair,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub limits: Limits,
}
