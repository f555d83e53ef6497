//! The flags of `tertium assume`.

use super::examples::ASSUME_EXAMPLES;
use super::{Limits, Reading};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Synthesise an assumption: a small LTS that can replace a process for a safety property
#[derive(Args, Debug)]
#[command(after_help = ASSUME_EXAMPLES)]
pub(crate) struct Assume {
    /// Components with actions and safety properties: .tm, .aut, or - for standard input; or a Promela
    /// model (.pml), and .tm files with safety properties about it
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Process to replace (may be repeated); several are refined alternately, `all` starts with the largest
    #[arg(long, value_name = "N,…", value_delimiter = ',', required = true)]
    pub process: Vec<String>,

    /// Name of the safety property, over the actions that it declares; optional if there is only one
    /// [default for Promela: assertions]
    #[arg(long, value_name = "P")]
    pub safety: Option<String>,

    /// Construction from the other processes (basic), from stepwise refined abstractions of them
    /// (abstract), or chosen by their size (auto)
    #[arg(long, value_enum, default_value = "auto")]
    pub method: Construction,

    /// Equivalence of states: by prefixes (forward), by continuations into an error (backward), both in turn, or the
    /// smallest result of all of these, which may preserve only this verdict (auto)
    #[arg(long, value_enum, default_value = "both")]
    pub equivalence: Direction,

    /// Make at most this many refinement steps (abstract) [default: no limit]
    #[arg(long, value_name = "K")]
    pub steps: Option<u32>,

    /// Print the size of the assumption after every refinement step (abstract; much slower)
    #[arg(long)]
    pub curve: bool,

    /// Write the assumption (.tm, .aut or .dot; may be repeated), or the Promela model with it (.pml)
    #[arg(long, short, value_name = "FILE")]
    pub output: Vec<PathBuf>,

    /// Write the system with the assumption in place of the process, not the assumption alone (.tm)
    #[arg(long = "system", alias = "whole", requires = "output")]
    pub system: bool,

    /// Write a certificate of the verdict, for `tertium certify`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub limits: Limits,
}

/// The construction of an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Construction {
    Auto,
    Abstract,
    Basic,
}

/// The equivalence that merges states of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Direction {
    Auto,
    Both,
    Forward,
    Backward,
}
