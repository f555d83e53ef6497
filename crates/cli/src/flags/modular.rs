//! The flags of `--method modular`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Each of them asks for the method: `auto` chooses it then, and the other methods refuse them.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "While-programs (--method modular)")]
pub(crate) struct Modular {
    /// Partition of the program into blocks, of which one is in memory at a time: one block, a block per
    /// statement, as large as memory allows, or from a file [default: auto]
    #[arg(long, value_name = "whole|statement|auto|FILE")]
    pub partition: Option<String>,

    /// Representation of sets of valuations [default: by the number of valuations]
    #[arg(long, value_enum)]
    pub sets: Option<SetsFlag>,

    /// Keep results of blocks in this directory, and resume from those of an earlier run
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,

    /// Check this many blocks at once, each on its own thread [default: number of cores, at most 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub threads: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum SetsFlag {
    /// a bit vector, one bit per valuation
    Bits,
    /// BDDs
    #[value(alias = "diagrams")]
    Bdds,
}

impl From<SetsFlag> for tertium::SetRepresentation {
    fn from(sets: SetsFlag) -> Self {
        match sets {
            SetsFlag::Bits => Self::Bits,
            SetsFlag::Bdds => Self::Bdds,
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
