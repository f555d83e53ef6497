//! The flags of `--method refine`.

use clap::Args;
use std::path::PathBuf;

/// Each of them asks for the method: `auto` chooses it then, and the other methods refuse them.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Refinement (--method refine)")]
pub(crate) struct Refining {
    /// Abstract these components, or `all`; the others stay concrete [default: all]
    #[arg(long = "abstract", value_name = "A,B,…", value_delimiter = ',')]
    pub abstracted: Vec<String>,

    /// Write the refinement rounds as JSON to this file (- for standard output)
    #[arg(long, alias = "trace", value_name = "FILE")]
    pub log_refinement: Option<PathBuf>,

    /// Write the final abstraction of each component into this directory, as .tm
    #[arg(long, value_name = "DIR")]
    pub emit_abstraction: Option<PathBuf>,

    /// Begin with the abstractions that --emit-abstraction wrote for one property
    #[arg(long, value_name = "DIR")]
    pub from_abstraction: Option<PathBuf>,

    /// Keep must transitions as must hyper-transitions when their target is split
    #[arg(long)]
    pub hyper: bool,

    /// Compute transitions only when a failure cause needs them, as in the papers
    #[arg(long)]
    pub lazy: bool,

    /// Leave out what goes beyond the papers: interface summaries, eager transitions, several causes a round
    #[arg(long)]
    pub paper: bool,

    /// Ablation: discard verdicts of earlier rounds
    #[arg(long, alias = "no-remember")]
    pub no_keep_colours: bool,

    /// Ablation: keep moves of a component that no product has
    #[arg(long)]
    pub no_drop: bool,

    /// Ablation: do not propagate colours of a product to its components
    #[arg(long)]
    pub no_take_over: bool,

    /// Ablation: refine all components that a failure cause depends on, not one at a time
    #[arg(long)]
    pub both_sides: bool,
}

impl Refining {
    /// One of these flags that was given.
    pub fn first_given(&self) -> Option<&'static str> {
        let flags = [
            (!self.abstracted.is_empty(), "--abstract"),
            (self.log_refinement.is_some(), "--log-refinement"),
            (self.emit_abstraction.is_some(), "--emit-abstraction"),
            (self.from_abstraction.is_some(), "--from-abstraction"),
            (self.hyper, "--hyper"),
            (self.lazy, "--lazy"),
            (self.paper, "--paper"),
            (self.no_keep_colours, "--no-keep-colours"),
            (self.no_drop, "--no-drop"),
            (self.no_take_over, "--no-take-over"),
            (self.both_sides, "--both-sides"),
        ];
        flags.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}
