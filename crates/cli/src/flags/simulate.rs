//! The flags of `tertium simulate`.

use super::examples::SIMULATE_EXAMPLES;
use super::{Limits, Reading};
use clap::Args;
use std::path::PathBuf;

/// Walk through the model, step by step
#[derive(Args, Debug)]
#[command(after_help = SIMULATE_EXAMPLES)]
pub(crate) struct Simulate {
    /// Model: .tm, .aut, .smv, .pml or .while
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Seed of random steps
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Take this many random steps and end [default: read commands]
    #[arg(long, value_name = "N")]
    pub steps: Option<usize>,

    /// First follow the trace in this file, as written by `check --json` or `simulate --json`
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,

    /// Show the value of a formula or property in every state (may be repeated)
    #[arg(long, value_name = "EXPR")]
    pub watch: Vec<String>,

    /// Print the walk as one JSON object at the end, and nothing else
    #[arg(long)]
    pub json: bool,

    /// Print lines, not a full-screen view [default: lines unless input and output are terminals]
    #[arg(long)]
    pub plain: bool,

    /// Search at most this many states, for `goto` and for temporal operators
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub states: usize,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub limits: Limits,
}
