//! The flags of `--method refine`.

use clap::Args;
use std::path::PathBuf;

/// Each of them asks for the method: `auto` chooses it then, and the other methods refuse them.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Refinement (--method refine)")]
pub struct Refining {
    /// Abstract these components, or `all`, and take the others as they are [default: all]
    #[arg(long = "abstract", value_name = "A,B,…", value_delimiter = ',')]
    pub abstracted: Vec<String>,

    /// Write how the answers were found, round by round, as JSON (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// Write the last abstraction of each component into this directory, as .tm
    #[arg(long, value_name = "DIR")]
    pub emit_abstraction: Option<PathBuf>,

    /// Keep must transitions as hyper-transitions when their target is split
    #[arg(long)]
    pub hyper: bool,

    /// Look at transitions only when a cause of doubt asks for them, as the papers do
    #[arg(long)]
    pub lazy: bool,

    /// To measure: forget what earlier rounds have decided
    #[arg(long)]
    pub no_remember: bool,

    /// To measure: keep moves of a component that no product has
    #[arg(long)]
    pub no_drop: bool,

    /// To measure: give no colours of a product back to its components
    #[arg(long)]
    pub no_take_over: bool,

    /// To measure: refine all components that leave a step open, not one after the other
    #[arg(long)]
    pub both_sides: bool,
}

impl Refining {
    /// One of these flags that was given.
    pub fn first_given(&self) -> Option<&'static str> {
        let flags = [
            (!self.abstracted.is_empty(), "--abstract"),
            (self.trace.is_some(), "--trace"),
            (self.emit_abstraction.is_some(), "--emit-abstraction"),
            (self.hyper, "--hyper"),
            (self.lazy, "--lazy"),
            (self.no_remember, "--no-remember"),
            (self.no_drop, "--no-drop"),
            (self.no_take_over, "--no-take-over"),
            (self.both_sides, "--both-sides"),
        ];
        flags.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}
