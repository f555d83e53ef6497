//! The one table of commands and flags. Help texts, the man pages and the shell completions all come
//! from here.

mod assume;
mod check;
mod examples;
mod explain;
mod formats;
pub mod modular;
mod refining;
mod simulate;

pub(crate) use assume::{Assume, Construction, Direction};
pub(crate) use check::{Check, Format};
pub(crate) use explain::Explain;
pub(crate) use formats::{ExplainFormat, Form};
pub(crate) use modular::Modular;
pub(crate) use refining::Refining;
pub(crate) use simulate::Simulate;

use crate::values::{self, Question};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use examples::{
    CERTIFY_EXAMPLES, COMPARE_EXAMPLES, CONVERT_EXAMPLES, EXPLORE_EXAMPLES, MAIN_EXAMPLES,
    MINIMISE_EXAMPLES, SOLVE_EXAMPLES,
};
use std::path::PathBuf;
use std::time::Duration;
use tertium::{Logic, NO_NON_PROGRESS_CYCLE, ProcessEquivalence};

/// Formats and kinds of model that `convert --to` accepts.
const TARGETS: [&str; 11] =
    ["tm", "aut", "dot", "smv", "while", "kripke", "kmts", "mixts", "gkmts", "lts", "mts"];

/// A model checker that answers true, false or unknown
///
/// Checks temporal properties of complete and partial models. An `unknown` has a reason: what the model leaves open,
/// an unsupported construct, or a limit.
#[derive(Parser, Debug)]
#[command(name = "tertium", version, after_help = MAIN_EXAMPLES, max_term_width = 100)]
pub(crate) struct Flags {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Check(Box<Check>),
    Explain(Box<Explain>),
    Assume(Assume),
    Certify(Certify),
    Solve(Solve),
    Compare(Compare),
    Convert(Convert),
    #[command(visible_alias = "minimize")]
    Minimise(Minimise),
    Simulate(Simulate),
    Explore(Explore),
    /// A question of the explorer, from standard input
    #[command(name = explorer::protocol::COMMAND, hide = true)]
    Answer,
    Completions(Completions),
    Man(Man),
}

/// Check a certificate that `check` or `assume` wrote, without trusting the engine that found the verdict
#[derive(Args, Debug)]
#[command(after_help = CERTIFY_EXAMPLES)]
pub(crate) struct Certify {
    /// The files that were checked: .tm, .aut, .smv, .pml, .while, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Certificate that `tertium check` or `tertium assume` wrote with `--certificate`
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,

    /// Property that has to be certified; may be repeated [default: all of the files]
    #[arg(long, value_name = "NAME")]
    pub require: Vec<String>,

    #[command(flatten)]
    pub solving: Solving,

    #[command(flatten)]
    pub fair: Fair,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub limits: Limits,
}

/// The solver of linear integer arithmetic.
#[derive(Args, Debug)]
pub(crate) struct Solving {
    /// SMT solver for programs over integers: z3, cvc5 or a path [default: the built-in one]
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,

    /// Ask the built-in solver and the external one, and stop where they disagree
    #[arg(long, requires = "solver")]
    pub cross_check: bool,
}

/// Solve a parity game in PGSolver's format
#[derive(Args, Debug)]
#[command(after_help = SOLVE_EXAMPLES)]
pub(crate) struct Solve {
    /// Parity game, or - for standard input
    #[arg(value_name = "GAME.pg")]
    pub file: PathBuf,

    /// Algorithm [default: auto]
    #[arg(long, value_enum, default_value = "auto", hide_default_value = true)]
    pub algorithm: Algorithm,

    /// Verify winning regions and strategies independently of the solver
    #[arg(long)]
    pub verify: bool,

    /// Print the times for reading and solving to standard error
    #[arg(long)]
    pub stats: bool,

    /// Print a summary as one JSON object instead of the solution
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub limits: Limits,
}

/// Compare two models by mixed simulation or by bisimulation
#[derive(Args, Debug)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(crate) struct Compare {
    /// Concrete model (.tm, .aut, .smv, .pml or .while)
    pub concrete: PathBuf,

    /// Abstract model (.tm, .aut, .smv, .pml or .while)
    #[arg(value_name = "ABSTRACT")]
    pub abstraction: PathBuf,

    /// Compare only this component (of both models, if the abstract one has several)
    #[arg(long, value_name = "NAME")]
    pub component: Option<String>,

    /// Relation to decide
    #[arg(long, value_enum, default_value = "auto")]
    pub relation: Relation,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,

    /// Language of the files: tm, aut, smv, promela or while [default: by file ending]
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub limits: Limits,
}

/// Convert between formats, by file ending, and between kinds of model
#[derive(Args, Debug)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct Convert {
    /// Model (.tm, .aut, .smv, .pml or .while), or - for standard input
    pub input: PathBuf,

    /// Output file (.tm, .aut, .smv, .while or .dot), or - for standard output
    pub output: PathBuf,

    /// Output format, or kind of model that is at least as expressive (may be repeated) [default: by file ending]
    #[arg(long, value_name = "KIND", value_parser = TARGETS)]
    pub to: Vec<String>,

    /// Write the partition graph of a while-program: as a graph (.dot), or as a file for `check --partition`
    #[arg(long, value_name = "whole|statement|auto|FILE", conflicts_with = "to")]
    pub partition: Option<String>,

    /// Language of the files: tm, aut, smv, promela or while [default: by file ending]
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub limits: Limits,
}

/// Write the smallest model that is equivalent
#[derive(Args, Debug)]
#[command(after_help = MINIMISE_EXAMPLES)]
pub(crate) struct Minimise {
    /// Complete model (.tm, .aut, .smv, .pml or .while), or - for standard input
    pub input: PathBuf,

    /// Output file (.tm, .aut or .dot), or - for standard output
    pub output: PathBuf,

    /// Equivalence that is kept; all but `strong` are about actions
    #[arg(long, value_name = "NAME", default_value = "strong", value_parser = values::equivalence())]
    pub equivalence: ProcessEquivalence,

    /// Output format [default: by file ending]
    #[arg(long, value_name = "FORMAT", value_parser = ["tm", "aut", "dot"])]
    pub to: Option<String>,

    /// Language of the files: tm, aut, smv, promela or while [default: by file ending]
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub limits: Limits,
}

/// Open the explorer in a browser: model, properties, evidence, diagnoses and games
#[derive(Args, Debug)]
#[command(after_help = EXPLORE_EXAMPLES)]
pub(crate) struct Explore {
    /// Components, systems and properties: .tm, .aut, .smv, .pml, .while
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub joining: Joining,

    /// Port of 127.0.0.1 to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,

    /// Print the address and open no browser
    #[arg(long)]
    pub no_open: bool,

    /// Time limit of each check in seconds, unless the page sets another
    #[arg(long, value_name = "S", default_value = "60", value_parser = values::seconds)]
    pub timeout: Duration,

    /// Memory limit of each check (500M, 2G: powers of 1024)
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = values::bytes)]
    pub memory: u64,
}

/// Print the completions for a shell
#[derive(Args, Debug)]
pub(crate) struct Completions {
    pub shell: clap_complete::Shell,
}

/// Print the man page of tertium, or of one of its commands
#[derive(Args, Debug)]
pub(crate) struct Man {
    pub command: Option<String>,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct Limits {
    /// Time limit in seconds [default: none]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = values::seconds)]
    pub timeout: Option<Duration>,

    /// Memory limit (500M, 2G: powers of 1024) [default: none]
    #[arg(long, value_name = "BYTES", value_parser = values::bytes)]
    pub memory: Option<u64>,

    /// Print no warnings and no progress bar
    #[arg(long, short)]
    pub quiet: bool,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,
}

impl Limits {
    pub fn wants_progress(&self) -> bool {
        !self.quiet && !self.no_progress
    }
}

const PROGRESS: &str = "progress";

/// The composition of several files.
#[derive(Args, Debug)]
pub(crate) struct Joining {
    /// Join several files into one system
    #[arg(long)]
    pub compose: bool,

    /// File with synchronisation vectors and hidden actions of the components
    #[arg(long, value_name = "FILE")]
    pub sync: Option<PathBuf>,
}

impl Joining {
    /// Whether several files are one system: if that was asked for, or if a `--sync` file defines how they run
    /// together.
    pub fn is_given(&self) -> bool {
        self.compose || self.sync.is_some()
    }
}

/// Which runs count.
#[derive(Args, Debug)]
pub(crate) struct Fair {
    /// Count only runs that are fair to every process (Promela, SMV, while-programs) or component with actions
    #[arg(long, value_name = "KIND", value_enum)]
    fair: Option<Fairness>,
}

impl Fair {
    pub fn of(&self, input: tertium::Input) -> tertium::Input {
        match self.fair {
            Some(Fairness::Weak) => input.process_fairness(tertium::ProcessFairness::Weak),
            Some(Fairness::Strong) => input.process_fairness(tertium::ProcessFairness::Strong),
            None => input,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Fairness {
    /// a process that is enabled continuously from some point on takes infinitely many steps (Spin's `-f`)
    Weak,
    /// a process that is enabled infinitely often takes infinitely many steps; linear time only
    Strong,
}

/// How files are read as one system.
#[derive(Args, Debug)]
pub(crate) struct Reading {
    #[command(flatten)]
    pub joining: Joining,

    /// Language of the files: tm, aut, smv, promela or while [default: by file ending]
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,
}

/// The formulas given on the command line, in their order.
#[derive(Debug, Default)]
pub(crate) struct Questions(pub Vec<Question>);

impl Questions {
    pub const FLAGS: [&str; 5] = ["mu", "ctl", "mcf", "ltl", "ctlstar"];
}

/// The formula itself, or the text of the file in `@FILE`.
fn text_of(formula: &str) -> Result<String, clap::Error> {
    let Some(file) = formula.strip_prefix('@') else { return Ok(formula.to_owned()) };
    std::fs::read_to_string(file).map_err(|error| {
        let message = format!("cannot read the formula in {file}: {error}\n");
        clap::Error::raw(clap::error::ErrorKind::Io, message)
    })
}

impl clap::FromArgMatches for Questions {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let mut found = Vec::new();
        for (logic, flag) in Logic::ALL.into_iter().zip(Self::FLAGS) {
            let places = matches.indices_of(flag).into_iter().flatten();
            let formulas = matches.get_many::<String>(flag).into_iter().flatten();
            for (place, formula) in places.zip(formulas) {
                found.push((place, (logic, text_of(formula)?)));
            }
        }
        if matches.get_flag(PROGRESS) {
            let (logic, formula) = NO_NON_PROGRESS_CYCLE;
            found.push((usize::MAX, (logic, formula.to_owned())));
        }
        found.sort_by_key(|(place, _)| *place);
        Ok(Self(found.into_iter().map(|(_, question)| question).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Questions {
    fn augment_args(command: clap::Command) -> clap::Command {
        let texts = [
            "Check this µ-calculus formula instead of the properties in the files (may be repeated)",
            "Check this CTL formula instead of the properties in the files (may be repeated)",
            "Check this mCRL2 modal formula, or the one in the file @FILE, instead of the properties in the files (may be repeated)",
            "Check this LTL formula instead of the properties in the files (may be repeated)",
            "Check this CTL* formula instead of the properties in the files (may be repeated)",
        ];
        let command = Self::FLAGS.into_iter().zip(texts).fold(command, |command, (flag, text)| {
            let arg = clap::Arg::new(flag).long(flag).value_name("F").help(text);
            command.arg(arg.action(ArgAction::Append))
        });
        let text =
            "Check a Promela model for non-progress cycles: the same as `--ltl '[] <> !np_'`";
        command.arg(clap::Arg::new(PROGRESS).long(PROGRESS).help(text).action(ArgAction::SetTrue))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Semantics {
    /// standard inductive semantics: every state by its own labels and transitions
    Sis,
    /// reduced inductive semantics: a state also has the value that all states it covers share
    Ris,
    /// thorough semantics: where the reduced one does not decide, what all refinements of the composition say
    Thorough,
}

impl From<Semantics> for tertium::Semantics {
    fn from(semantics: Semantics) -> Self {
        match semantics {
            Semantics::Sis => Self::Sis,
            Semantics::Ris => Self::Ris,
            Semantics::Thorough => Self::Thorough,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Deadlock {
    /// no successors; warn where a property about paths (CTL, LTL, CTL*) reaches one
    Warn,
    /// self-loop
    Stutter,
    /// reject the model if one is reachable
    Error,
}

impl From<Deadlock> for tertium::Deadlock {
    fn from(deadlock: Deadlock) -> Self {
        match deadlock {
            Deadlock::Warn => Self::Warn,
            Deadlock::Stutter => Self::Stutter,
            Deadlock::Error => Self::Error,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Algorithm {
    /// recursion and tangle learning in turns, with budgets that double
    Auto,
    /// McNaughton–Zielonka recursion
    Zielonka,
    /// McNaughton–Zielonka recursion, SCC by SCC
    Components,
    /// tangle learning, SCC by SCC
    Tangle,
}

impl From<Algorithm> for tertium::Algorithm {
    fn from(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Auto => Self::Auto,
            Algorithm::Zielonka => Self::Zielonka,
            Algorithm::Components => Self::Components,
            Algorithm::Tangle => Self::Tangle,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Relation {
    /// bisimulation between complete models, else mixed simulation
    Auto,
    /// mixed simulation: definite values of the abstract model hold in the concrete one
    Simulation,
    /// bisimulation, between complete models only
    Bisimulation,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_is_consistent() {
        Flags::command().debug_assert();
    }

    #[test]
    fn formulas_keep_their_order() {
        let line = ["tertium", "check", "a.tm", "--ctl", "AG p", "--mu", "p", "--ctl", "EF q"];
        let Command::Check(check) = Flags::parse_from(line).command else { panic!("a check") };
        let expected = [(Logic::Ctl, "AG p"), (Logic::Mu, "p"), (Logic::Ctl, "EF q")]
            .map(|(l, f)| (l, f.to_owned()));
        assert_eq!(check.questions.0, expected);
    }
}
