//! The one table of commands and flags. Help texts, the man pages and the shell completions all come
//! from here.

mod examples;
pub mod modular;
mod refining;

pub use modular::Modular;
pub use refining::Refining;

use crate::values::{self, Question};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use examples::{
    ASSUME_EXAMPLES, CERTIFY_EXAMPLES, CHECK_EXAMPLES, COMPARE_EXAMPLES, CONVERT_EXAMPLES,
    EXPLAIN_EXAMPLES, EXPLORE_EXAMPLES, MAIN_EXAMPLES, SOLVE_EXAMPLES,
};
use std::path::PathBuf;
use std::time::Duration;
use tertium::{Logic, MOST_STATES};

/// What `convert --to` can name.
const TARGETS: [&str; 11] =
    ["tm", "aut", "dot", "smv", "while", "kripke", "kmts", "mixts", "gkmts", "lts", "mts"];

/// A model checker that answers true, false or unknown
///
/// Tertium checks properties of systems that are known only in part. `unknown` always comes with its
/// reason: what the model does not say, or which limit was reached.
#[derive(Parser, Debug)]
#[command(name = "tertium", version, after_help = MAIN_EXAMPLES, max_term_width = 100)]
pub struct Flags {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    Check(Box<Check>),
    Explain(Box<Explain>),
    Assume(Assume),
    Certify(Certify),
    Solve(Solve),
    Compare(Compare),
    Convert(Convert),
    Explore(Explore),
    /// A question of the explorer, from standard input
    #[command(name = explorer::protocol::COMMAND, hide = true)]
    Answer,
    Completions(Completions),
    Man(Man),
}

/// Check every property in the files
#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// Components, systems and properties: .tm, .aut, .smv, .pml, .while, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub questions: Questions,

    /// Check only the property of this name (may be repeated)
    #[arg(long, value_name = "NAME", conflicts_with_all = Questions::FLAGS)]
    pub property: Vec<String>,

    /// Check this safety property, and nothing else
    #[arg(long, value_name = "P", conflicts_with_all = Questions::FLAGS, conflicts_with = "property")]
    pub safety: Option<String>,

    /// With --safety: make an assumption for this process on the way, and use it; auto takes the largest.
    /// For a while-program: assume this of a hole (may be repeated)
    #[arg(long, value_name = "N|auto|HOLE: FORMULA")]
    pub assume: Vec<String>,

    /// How to check
    #[arg(long, value_parser = values::method(), default_value = "auto", hide_default_value = true)]
    pub method: String,

    /// Take these components first, in this order (compositional, refine)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub order: Vec<String>,

    /// The components of an SMV file: auto, none, recursive, these instances, or a file that lists them
    /// (compositional, refine)
    #[arg(long, value_name = "auto|none|recursive|A,B,…|FILE")]
    pub components: Option<String>,

    /// Take these instances of an SMV file for missing: they can do anything (compositional, refine)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub unknown: Vec<String>,

    /// What a state of the whole means that nothing follows
    #[arg(long, value_enum, default_value = "warn")]
    pub deadlock: Deadlock,

    /// Synchronisation vectors and hidden actions of the components
    #[arg(long, value_name = "FILE")]
    pub sync: Option<PathBuf>,

    /// How states that cover others are read
    #[arg(long, value_enum)]
    pub semantics: Option<Semantics>,

    /// Also give the value in every state
    #[arg(long)]
    pub values: bool,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,

    /// Print what happens when it happens, a JSON object a line: the plan, progress, rounds, answers
    #[arg(long, conflicts_with_all = ["json", "safety", "verbose"])]
    pub events: bool,

    /// How the verdicts are worded
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

    /// Tell the method, its figures and the rounds of a refinement on standard error
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,

    /// Write what shows the definite verdicts, for `tertium certify`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Check what shows the definite verdicts at once, as `tertium certify` would
    #[arg(long)]
    pub audit: bool,

    /// Enumerate at most this many states of an SMV file
    #[arg(long, value_name = "N", default_value_t = MOST_STATES)]
    pub states: usize,

    /// The language of the files, whatever their endings: tm, aut, smv, promela or while
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub refining: Refining,

    #[command(flatten)]
    pub modular: Modular,
}

impl From<Semantics> for tertium::Semantics {
    fn from(semantics: Semantics) -> Self {
        match semantics {
            Semantics::Sis => Self::Sis,
            Semantics::Ris => Self::Ris,
        }
    }
}

impl Check {
    /// Whether what shows a verdict is of use.
    pub fn asks_for_evidence(&self) -> bool {
        self.certificate.is_some() || self.audit
    }

    /// Whether somebody wants to hear of every round of a refinement.
    pub fn watches_rounds(&self) -> bool {
        self.verbose || self.events || self.refining.trace.is_some()
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

/// Explain a verdict: a counterexample, a witness, or what is missing
#[derive(Args, Debug)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub struct Explain {
    /// Components, systems and properties: .tm, .aut, .smv, .pml, .while, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub questions: Questions,

    /// The property to explain; need not be given if there is only one
    #[arg(long, value_name = "NAME", conflicts_with_all = Questions::FLAGS)]
    pub property: Option<String>,

    #[command(flatten)]
    pub form: Form,

    /// Write it to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// As few steps as possible, where the evidence is a path
    #[arg(long)]
    pub shortest: bool,

    /// Look at no more than this many positions, states with a subformula
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub positions: usize,

    /// How to check
    #[arg(long, value_parser = values::method(), default_value = "auto", hide_default_value = true)]
    pub method: String,

    /// Assume this of a hole of a while-program (may be repeated)
    #[arg(long, value_name = "HOLE: FORMULA")]
    pub assume: Vec<String>,

    /// What a state of the whole means that nothing follows
    #[arg(long, value_enum, default_value = "warn")]
    pub deadlock: Deadlock,

    /// Synchronisation vectors and hidden actions of the components
    #[arg(long, value_name = "FILE")]
    pub sync: Option<PathBuf>,

    /// How states that cover others are read
    #[arg(long, value_enum)]
    pub semantics: Option<Semantics>,

    /// Enumerate at most this many states of an SMV file
    #[arg(long, value_name = "N", default_value_t = MOST_STATES)]
    pub states: usize,

    #[command(flatten)]
    pub solving: Solving,

    /// The language of the files, whatever their endings: tm, aut, smv, promela or while
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub limits: Limits,
}

/// The form of an explanation; text if none is given.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct Form {
    /// A page for a browser, in one file
    #[arg(long)]
    pub html: bool,

    /// A drawing
    #[arg(long)]
    pub svg: bool,

    /// A graph for Graphviz
    #[arg(long)]
    pub dot: bool,

    /// One JSON object
    #[arg(long)]
    pub json: bool,

    /// The part of the model that it speaks of, as a model in the native language
    #[arg(long)]
    pub tm: bool,

    /// The same as an Aldebaran file
    #[arg(long)]
    pub aut: bool,
}

impl Form {
    pub fn is_other_than_text(&self) -> bool {
        self.html || self.svg || self.dot || self.json || self.tm || self.aut
    }
}

/// Make an assumption: a small stand-in for a process, as far as a safety property goes
#[derive(Args, Debug)]
#[command(after_help = ASSUME_EXAMPLES)]
pub struct Assume {
    /// Components with actions and safety properties: .tm, .aut, or - for standard input; or a Promela
    /// model (.pml), and .tm files with safety properties about it
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The process to stand for; several are replaced one after the other, `all` the largest first
    #[arg(long, value_name = "N,…", value_delimiter = ',', required = true)]
    pub process: Vec<String>,

    /// The safety property, by its name; it sees the actions that it declares. Need not be given if there
    /// is only one; of a Promela model it is `assertions` then
    #[arg(long, value_name = "P")]
    pub safety: Option<String>,

    /// From the other processes themselves (basic), from abstractions of them that are refined step by
    /// step (abstract), or whichever fits their size
    #[arg(long, value_enum, default_value = "auto")]
    pub method: Construction,

    /// Which equivalence: of what is reached, of what leads to an error, or one after the other
    #[arg(long, value_enum, default_value = "both")]
    pub equivalence: Direction,

    /// Make at most this many refinement steps (abstract)
    #[arg(long, value_name = "K")]
    pub steps: Option<u32>,

    /// Tell the size of the assumption after every step (abstract; this takes much longer)
    #[arg(long)]
    pub curve: bool,

    /// Write the assumption (.tm, .aut or .dot; may be repeated), or the Promela model with it (.pml)
    #[arg(long, short, value_name = "FILE")]
    pub output: Vec<PathBuf>,

    /// Write the whole system, with the assumption in place, instead of the assumption alone (.tm)
    #[arg(long, requires = "output")]
    pub whole: bool,

    /// Write down why the verdict is right, for `tertium certify`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    pub json: bool,

    /// Synchronisation vectors and hidden actions of the components
    #[arg(long, value_name = "FILE")]
    pub sync: Option<PathBuf>,

    /// The language of the files, whatever their endings: tm, aut, smv, promela or while
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub limits: Limits,
}

/// How an assumption is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Construction {
    Auto,
    Abstract,
    Basic,
}

/// Which of the two equivalences of the method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Direction {
    Both,
    Forward,
    Backward,
}

/// Re-check a certificate without trusting the checker that made it
#[derive(Args, Debug)]
#[command(after_help = CERTIFY_EXAMPLES)]
pub struct Certify {
    /// The files that were checked: .tm, .aut, .smv, .pml, .while, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What `--certificate` of `tertium check` or `tertium assume` wrote
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,

    /// Synchronisation vectors and hidden actions of the components
    #[arg(long, value_name = "FILE")]
    pub sync: Option<PathBuf>,

    #[command(flatten)]
    pub solving: Solving,

    /// The language of the files, whatever their endings: tm, aut, smv, promela or while
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub limits: Limits,
}

/// Who decides arithmetic.
#[derive(Args, Debug)]
pub struct Solving {
    /// Who decides arithmetic in programs over integers: z3, cvc5 or a path, instead of Tertium itself
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,

    /// Ask both Tertium and the solver, and stop where they differ
    #[arg(long, requires = "solver")]
    pub cross_check: bool,
}

/// Solve a parity game in PGSolver's format
#[derive(Args, Debug)]
#[command(after_help = SOLVE_EXAMPLES)]
pub struct Solve {
    /// The game, or - for standard input
    #[arg(value_name = "GAME.pg")]
    pub file: PathBuf,

    /// How to solve it
    #[arg(long, value_enum, default_value = "auto", hide_default_value = true)]
    pub algorithm: Algorithm,

    /// Check the winners and the strategies independently of the solver
    #[arg(long)]
    pub verify: bool,

    /// Tell the times for reading and for solving on standard error
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
pub struct Compare {
    /// The more concrete model (.tm, .aut, .smv, .pml or .while)
    pub concrete: PathBuf,

    /// The more abstract model (.tm, .aut, .smv, .pml or .while)
    #[arg(value_name = "ABSTRACT")]
    pub abstraction: PathBuf,

    /// Compare only this component of the concrete model, and of an abstract one that has several
    #[arg(long, value_name = "NAME")]
    pub component: Option<String>,

    /// What has to hold between them
    #[arg(long, value_enum, default_value = "auto")]
    pub relation: Relation,

    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,

    /// The language of the files, whatever their endings: tm, aut, smv, promela or while
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub limits: Limits,
}

/// Convert between formats, by file ending, and between kinds of model
#[derive(Args, Debug)]
#[command(after_help = CONVERT_EXAMPLES)]
pub struct Convert {
    /// The model (.tm, .aut, .smv, .pml or .while), or - for standard input
    pub input: PathBuf,

    /// Where to write it (.tm, .aut, .smv or .dot), or - for standard output
    pub output: PathBuf,

    /// A format, or a kind of model that says at least as much; may be repeated
    #[arg(long, value_name = "KIND", value_parser = TARGETS)]
    pub to: Vec<String>,

    /// Write how a while-program is taken apart: drawn (.dot), or as a file for `check --partition`
    #[arg(long, value_name = "whole|statement|auto|FILE", conflicts_with = "to")]
    pub partition: Option<String>,

    /// The language of the files, whatever their endings: tm, aut, smv, promela or while
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,

    #[command(flatten)]
    pub limits: Limits,
}

/// Open a page in the browser: the model, its properties, their reasons and their games
#[derive(Args, Debug)]
#[command(after_help = EXPLORE_EXAMPLES)]
pub struct Explore {
    /// Components, systems and properties: .tm, .aut, .smv, .pml, .while
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Synchronisation vectors and hidden actions of the components
    #[arg(long, value_name = "FILE")]
    pub sync: Option<PathBuf>,

    /// Listen at this port of 127.0.0.1 [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,

    /// Print the address only, and open no browser
    #[arg(long)]
    pub no_open: bool,

    /// Stop each check after this many seconds, if the page does not say otherwise
    #[arg(long, value_name = "S", default_value = "60", value_parser = values::seconds)]
    pub timeout: Duration,

    /// Let each check use at most this much memory
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = values::bytes)]
    pub memory: u64,
}

/// Print the completions for a shell
#[derive(Args, Debug)]
pub struct Completions {
    pub shell: clap_complete::Shell,
}

/// Print the man page of tertium, or of one of its commands
#[derive(Args, Debug)]
pub struct Man {
    pub command: Option<String>,
}

#[derive(Args, Debug, Clone)]
pub struct Limits {
    /// Stop after this many seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = values::seconds)]
    pub timeout: Option<Duration>,

    /// Use at most this much memory (500M, 2G: powers of 1024)
    #[arg(long, value_name = "BYTES", value_parser = values::bytes)]
    pub memory: Option<u64>,

    /// Say nothing but the answer: no warnings, no progress bar
    #[arg(long, short)]
    pub quiet: bool,

    /// Draw no progress bar
    #[arg(long)]
    pub no_progress: bool,
}

impl Limits {
    pub fn wants_progress(&self) -> bool {
        !self.quiet && !self.no_progress
    }
}

/// The formulas given on the command line, in their order.
#[derive(Debug, Default)]
pub struct Questions(pub Vec<Question>);

impl Questions {
    pub const FLAGS: [&str; 3] = ["mu", "ctl", "mcf"];
}

impl clap::FromArgMatches for Questions {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let mut found = Vec::new();
        for (logic, flag) in Logic::ALL.into_iter().zip(Self::FLAGS) {
            let places = matches.indices_of(flag).into_iter().flatten();
            let formulas = matches.get_many::<String>(flag).into_iter().flatten();
            found.extend(places.zip(formulas).map(|(place, f)| (place, (logic, f.clone()))));
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
            "The same for a CTL formula",
            "The same for a modal formula of mCRL2, without data",
        ];
        Self::FLAGS.into_iter().zip(texts).fold(command, |command, (flag, text)| {
            let arg = clap::Arg::new(flag).long(flag).value_name("F").help(text);
            command.arg(arg.action(ArgAction::Append))
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Semantics {
    /// each by what it says itself: the standard inductive semantics
    Sis,
    /// also by what is known of all that it covers: the reduced one, where there are `covers` lines
    Ris,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Deadlock {
    /// it has no successors; a warning where a CTL property meets one
    Warn,
    /// it follows itself
    Stutter,
    /// the input is wrong if one can be reached
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
pub enum Format {
    /// a line for every property, and why
    Text,
    /// as NuSMV does: `-- specification AG p  is true`
    Nusmv,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Algorithm {
    /// the one that suits the game
    Auto,
    /// McNaughton's and Zielonka's recursion
    Zielonka,
    /// the same, one strongly connected component at a time
    Components,
    /// tangle learning, one strongly connected component at a time
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
pub enum Relation {
    /// bisimulation between complete models, else mixed simulation
    Auto,
    /// mixed simulation: what the abstract model says for certain is so in the concrete one
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
