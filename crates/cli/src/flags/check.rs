//! The flags of `tertium check`.

use super::examples::CHECK_EXAMPLES;
use super::{Deadlock, Fair, Limits, Modular, Questions, Reading, Refining, Semantics, Solving};
use crate::values;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tertium::MOST_STATES;

/// Check every property in the files
#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct Check {
    /// Models with properties: .tm, .aut, .smv, .pml, .while, - for standard input, or directories of such files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Check this many of several files at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,

    /// Also write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Also write what fails, what is unknown and what is wrong as SARIF
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// The one of several files that this process checks
    #[arg(long, value_name = "FILE", hide = true)]
    pub only: Option<PathBuf>,

    /// Leave the JSON document in this file
    #[arg(long, value_name = "FILE", hide = true)]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub questions: Questions,

    /// Check only the property with this name (may be repeated) [default: all]
    #[arg(long, value_name = "NAME", conflicts_with_all = Questions::FLAGS)]
    pub property: Vec<String>,

    /// Check only this safety property
    #[arg(long, value_name = "P", conflicts_with_all = Questions::FLAGS, conflicts_with = "property")]
    pub safety: Option<String>,

    /// With --safety: replace this process by a synthesised assumption; `auto` takes the largest process.
    /// While-programs: assume this formula of a hole (may be repeated)
    #[arg(long, value_name = "N|auto|HOLE: FORMULA")]
    pub assume: Vec<String>,

    /// Checking method [default: auto]
    #[arg(long, value_parser = values::method(), default_value = "auto", hide_default_value = true)]
    pub method: String,

    /// Combine these components first, in this order (compositional, refine) [default: chosen by size]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub order: Vec<String>,

    /// Components of an SMV file: auto, none, recursive, module instances, or a file that lists them
    /// (compositional, refine) [default: auto]
    #[arg(long, value_name = "auto|none|recursive|A,B,…|FILE")]
    pub components: Option<String>,

    /// Treat these module instances of an SMV file as missing: their behaviour is unknown (compositional, refine)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub unknown: Vec<String>,

    /// How to treat deadlock states, states of the composition without a successor
    #[arg(long, value_enum, default_value = "warn")]
    pub deadlock: Deadlock,

    /// Semantics of partial models; sis and ris differ on `covers` lines (mixts, gkmts) [default: ris]
    #[arg(long, value_enum)]
    pub semantics: Option<Semantics>,

    /// Also print the value in every state (method direct)
    #[arg(long)]
    pub values: bool,

    /// Print up to N minimal sets of facts that would decide an unknown [default: 0]
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true)]
    pub causes: usize,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,

    /// Print events as they happen, one JSON object per line: plan, progress, refinement rounds, answers
    #[arg(long, conflicts_with_all = ["json", "safety", "verbose"])]
    pub events: bool,

    /// Format of the verdicts [default: text]
    #[arg(
        long,
        value_enum,
        default_value = "text",
        hide_default_value = true,
        conflicts_with_all = ["json", "events"]
    )]
    pub format: Format,

    #[command(flatten)]
    pub solving: Solving,

    /// Print the method, its statistics and the refinement rounds to standard error
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,

    /// Write a certificate of the definite verdicts, for `tertium certify`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Check the evidence of the definite verdicts at once, as `tertium certify` would
    #[arg(long)]
    pub audit: bool,

    /// Do not print the trace of a failing property
    #[arg(long)]
    pub no_trace: bool,

    /// Print at most this many lines of a trace, 0 for all of them
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub trace_lines: usize,

    /// Also print the trace that shows a true property, where it is one path
    #[arg(long, conflicts_with = "no_trace")]
    pub witness: bool,

    /// Print the values of definitions in traces (SMV)
    #[arg(long)]
    pub defines: bool,

    /// Enumerate at most this many states of an SMV or Promela file (method direct)
    #[arg(long, value_name = "N", default_value_t = MOST_STATES)]
    pub states: usize,

    /// Search all states of a Promela model, without partial-order reduction (method direct)
    #[arg(long)]
    pub no_reduction: bool,

    #[command(flatten)]
    pub fair: Fair,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub refining: Refining,

    #[command(flatten)]
    pub modular: Modular,
}

impl Check {
    /// Whether evidence of the verdicts is needed.
    pub fn asks_for_evidence(&self) -> bool {
        self.certificate.is_some() || self.audit
    }

    /// Whether the refinement rounds are printed or written.
    pub fn watches_rounds(&self) -> bool {
        self.verbose || self.events || self.refining.log_refinement.is_some()
    }

    /// A flag about the modules of an SMV file that was given.
    pub fn about_modules(&self) -> Option<&'static str> {
        match (&self.components, &self.unknown[..]) {
            (_, [_, ..]) => Some("--unknown"),
            (Some(_), []) => Some("--components"),
            (None, []) => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// one line for every property, with the reason of an unknown
    Text,
    /// NuSMV's format: `-- specification AG p  is true`
    Nusmv,
}
