//! Measurements: one command, one machine, one run, peers included where they are found.
//!
//! Inputs are generated into a folder and kept for the next run. A peer that is not on PATH is named
//! and left out.

mod ask;
mod assume;
mod composition;
mod evidence;
mod families;
mod integers;
mod mixed;
mod peers;
mod process;
mod program;
mod refine;
mod single;
mod smv;
mod table;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use table::Table;

type Tables = fn(&Bench) -> io::Result<Vec<Table>>;

/// Of a topic: its name, what it is about, and what is measured, one after the other, since some take long.
const TOPICS: [(&str, &str, &[Tables]); 15] = [
    (
        "check",
        "Formulas on an Aldebaran file with random targets, against mCRL2",
        &[|b| single::formulas(b, "uniform")],
    ),
    ("grid", "The same on a grid", &[|b| single::formulas(b, "grid")]),
    ("solve", "Parity games, against Oink", &[single::games, single::game_files]),
    ("growth", "Time as the game grows to fifty million positions", &[single::growth]),
    (
        "families",
        "Families of systems: properties of one component or two while others are added",
        &[families::scaling],
    ),
    (
        "whole",
        "Families of systems: every property by the components against the whole",
        &[families::whole],
    ),
    (
        "networks",
        "Families of systems: networks of Aldebaran files, against mCRL2",
        &[families::networks],
    ),
    (
        "refine",
        "Abstraction and refinement: what it looks at, what its parts save, and when it is the best method",
        &refine::TABLES,
    ),
    (
        "evidence",
        "What it costs to show verdicts, and to check what shows them",
        &[evidence::tables],
    ),
    ("smv", "SMV files, against NuSMV", &[single::enumeration, smv::tables]),
    (
        "composition",
        "Designs of many modules in SMV, module by module, against the whole and against NuSMV",
        &[composition::growth, composition::global, composition::width, smv::by_modules],
    ),
    ("assume", "Assumption synthesis, against checking outright", &assume::TABLES),
    ("program", "While-programs in pieces, against the whole and against NuSMV", &program::TABLES),
    (
        "mixed",
        "The experiment of paper X (Fig. 3): programs seen through predicates, under both semantics",
        &[mixed::tables],
    ),
    (
        "integers",
        "Programs over unbounded integers: the suite, and the cost of abstraction",
        &integers::TABLES,
    ),
];

fn topics() -> PossibleValuesParser {
    let topics = TOPICS.iter().map(|(name, about, _)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(topics.chain([PossibleValue::new("all")]))
}

#[derive(Args)]
pub struct Wish {
    #[arg(value_parser = topics(), default_value = "all")]
    topic: String,
    /// A tenth of the size, for a first look
    #[arg(long)]
    quick: bool,
    /// Where inputs are kept between runs
    #[arg(long, value_name = "DIR", default_value = "target/bench-inputs")]
    inputs: PathBuf,
    /// A folder with SMV files
    #[arg(long, value_name = "DIR", default_value = "../shared/corpus/smv")]
    smv: PathBuf,
    /// A folder with parity games (solve)
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// How many seconds a run on an SMV file has [default: 30, or 5 with --quick], or one on a program over integers
    /// [default: 60]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// The program that is measured [default: the one beside this, or target/release/tertium]
    #[arg(long, value_name = "FILE")]
    tertium: Option<PathBuf>,
}

pub struct Bench {
    pub tertium: PathBuf,
    pub inputs: PathBuf,
    /// A folder with SMV files.
    pub smv: PathBuf,
    /// A folder with parity games.
    pub games: Option<PathBuf>,
    pub quick: bool,
    /// Of a run that may take long, in seconds.
    pub limit: u32,
    /// The limit on the command line, in seconds.
    wished_limit: Option<u32>,
}

impl Bench {
    /// A generated input, made by `gen` with these arguments unless it is there already. That is a process
    /// of its own: the peak that is measured of a program is never below that of who started it.
    pub fn input(&self, name: &str, args: &str) -> io::Result<String> {
        let path = self.inputs.join(name);
        if !path.exists() {
            let unfinished = path.with_extension("unfinished");
            let status = Command::new(env::current_exe()?)
                .arg("gen")
                .args(args.split(' '))
                .stdout(fs::File::create(&unfinished)?)
                .stderr(Stdio::null())
                .status()?;
            if !status.success() {
                return Err(io::Error::other(format!("`gen {args}` failed")));
            }
            fs::rename(&unfinished, &path)?;
        }
        Ok(path.to_string_lossy().into_owned())
    }

    /// A size, or a tenth of it.
    pub fn scaled(&self, size: u32) -> u32 {
        if self.quick { size / 10 } else { size }
    }

    /// One of two numbers: for a proper run, and for a quick one.
    pub fn either<T>(&self, properly: T, quickly: T) -> T {
        if self.quick { quickly } else { properly }
    }

    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.limit.into())
    }

    /// How long it may take if nothing else was asked for.
    pub fn patience_or(&self, usual: u64) -> Duration {
        Duration::from_secs(self.wished_limit.map_or(usual, u64::from))
    }
}

/// The program beside this one, or where the other workspace puts it.
fn find_tertium() -> io::Result<PathBuf> {
    let places = [env::current_exe()?.with_file_name("tertium"), "target/release/tertium".into()];
    places.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        io::Error::other("target/release/tertium is not there: run `cargo build --release` first")
    })
}

pub fn run(wish: Wish) -> io::Result<()> {
    fs::create_dir_all(&wish.inputs)?;
    let bench = Bench {
        tertium: wish.tertium.map_or_else(find_tertium, fs::canonicalize)?,
        inputs: wish.inputs,
        smv: wish.smv,
        games: wish.games,
        quick: wish.quick,
        limit: wish.limit.unwrap_or(if wish.quick { 5 } else { 30 }),
        wished_limit: wish.limit,
    };
    let is_wanted = |name: &str| wish.topic == "all" || wish.topic == name;
    for (_, _, tables) in TOPICS.into_iter().filter(|(name, ..)| is_wanted(name)) {
        for tables in tables {
            for table in tables(&bench)? {
                println!("{table}");
            }
        }
    }
    Ok(())
}
