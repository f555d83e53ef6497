//! The flags of `--method modular`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Each of them asks for the method: `auto` chooses it then, and the other methods refuse them.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "While-programs (--method modular)")]
pub struct Modular {
    /// What is in memory together: everything, one statement, as much as there is room for, or what a file says
    #[arg(long, value_name = "whole|statement|auto|FILE")]
    pub partition: Option<String>,

    /// How sets of valuations are kept [default: what suits the number of valuations]
    #[arg(long, value_enum)]
    pub sets: Option<SetsFlag>,

    /// Keep results in this folder while the run lasts, and go on from what an earlier run left there
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,

    /// How many pieces may be in memory at once, each on a thread of its own [default: the cores, at most 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub threads: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum SetsFlag {
    /// One bit for each valuation
    Bits,
    /// Decision diagrams
    Diagrams,
}

impl From<SetsFlag> for tertium::Sets {
    fn from(sets: SetsFlag) -> Self {
        match sets {
            SetsFlag::Bits => Self::Bits,
            SetsFlag::Diagrams => Self::Bdds,
        }
    }
}

impl Modular {
    /// One of these flags that was given.
    pub fn first_given(&self) -> Option<&'static str> {
        let flags = [
            (self.partition.is_some(), "--partition"),
            (self.sets.is_some(), "--sets"),
            (self.resume.is_some(), "--resume"),
            (self.threads.is_some(), "--threads"),
        ];
        flags.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}
