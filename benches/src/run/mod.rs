//! Measurements: one command, one machine, one run, rivals included where they are found.
//!
//! Inputs are generated into a folder and kept for the next run. A rival that is not on PATH is named
//! and left out.

mod assume;
mod check;
mod composition;
mod enumerate;
mod evidence;
mod families;
mod figures;
mod growth;
mod integers;
mod mixed;
mod process;
mod program;
mod refine;
mod results;
mod smv;
mod solve;
mod table;

use clap::{Args, ValueEnum};
use process::Tools;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use table::Table;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Topic {
    /// Formulas on an Aldebaran file with random targets, against mCRL2
    Check,
    /// The same on a grid
    Grid,
    /// Parity games, against Oink
    Solve,
    /// Time as the game grows to fifty million positions
    Growth,
    /// Families of systems: properties of one component or two while others are added
    Families,
    /// Families of systems: every property by the components against the whole
    Whole,
    /// Families of systems: networks of Aldebaran files, against mCRL2
    Networks,
    /// Abstraction and refinement: what it looks at, what its parts save, and when it is the best method
    Refine,
    /// What it costs to show verdicts, and to check what shows them
    Evidence,
    /// SMV files, against NuSMV
    Smv,
    /// Designs of many modules in SMV, module by module, against the whole and against NuSMV
    Composition,
    /// Of that only: designs with words that do not matter
    Words,
    /// Of that only: SMV files as they are found
    Modules,
    /// Assumption synthesis, against checking outright and against learning
    Assume,
    /// While-programs in pieces, against the whole and against NuSMV
    Program,
    /// The experiment of paper X (Fig. 3): programs seen through predicates, under both semantics
    Mixed,
    /// Programs over unbounded integers: the suite, what abstraction costs, and our solver against others
    Integers,
    All,
}

#[derive(Args)]
pub struct Wish {
    #[arg(value_enum, default_value = "all")]
    pub topic: Topic,
    /// A tenth of the size, for a first look
    #[arg(long)]
    pub quick: bool,
    /// Also write the tables to this file; other tables that are there are kept
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Where inputs are kept between runs
    #[arg(long, value_name = "DIR", default_value = "target/bench-inputs")]
    pub inputs: PathBuf,
    /// A folder with SMV files
    #[arg(long, value_name = "DIR", default_value = "../shared/corpus/smv")]
    pub smv: PathBuf,
    /// How many seconds a run on an SMV file has [default: 30, or 5 with --quick], or one on a program over integers
    /// [default: 60]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,
}

pub struct Bench {
    pub tools: Tools,
    pub inputs: PathBuf,
    /// 1, or 10 in a quick run.
    pub divisor: u32,
    /// Of a run on an SMV file, in seconds.
    pub limit: u32,
    /// What was asked for.
    wished_limit: Option<u32>,
}

impl Bench {
    /// A generated input, made by `gen` with these arguments unless it is there already. That is a process
    /// of its own: the peak that is measured of a program is never below that of who started it.
    pub fn input(&self, name: &str, args: &[String]) -> io::Result<PathBuf> {
        let path = self.inputs.join(name);
        if !path.exists() {
            let unfinished = path.with_extension("unfinished");
            let status = Command::new(env::current_exe()?)
                .arg("gen")
                .args(args)
                .stdout(fs::File::create(&unfinished)?)
                .stderr(Stdio::null())
                .status()?;
            if !status.success() {
                return Err(io::Error::other(format!("`gen {}` failed", args.join(" "))));
            }
            fs::rename(&unfinished, &path)?;
        }
        Ok(path)
    }

    /// How long a run may take that may take long.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.limit.into())
    }

    /// How long it may take if nothing else was asked for.
    pub fn patience_or(&self, usual: Duration) -> Duration {
        self.wished_limit.map_or(usual, |seconds| Duration::from_secs(seconds.into()))
    }

    /// A labelled transition system with five transitions a state.
    pub fn lts(&self, shape: &str, states: u32) -> io::Result<PathBuf> {
        let args = ["lts", shape, &states.to_string(), "5", "--seed", "1"].map(str::to_owned);
        self.input(&format!("{shape}-{states}.aut"), &args)
    }
}

pub fn run(wish: &Wish) -> io::Result<()> {
    fs::create_dir_all(&wish.inputs)?;
    let bench = Bench {
        tools: Tools::find()?,
        inputs: wish.inputs.clone(),
        divisor: if wish.quick { 10 } else { 1 },
        limit: wish.limit.unwrap_or(if wish.quick { 5 } else { 30 }),
        wished_limit: wish.limit,
    };
    let mut tables: Vec<Table> = Vec::new();
    let wanted = |topic| wish.topic == topic || wish.topic == Topic::All;
    if wanted(Topic::Check) {
        tables.extend(show(check::tables(&bench, "uniform")?));
    }
    if wanted(Topic::Grid) {
        tables.extend(show(check::tables(&bench, "grid")?));
    }
    if wanted(Topic::Solve) {
        tables.extend(show(solve::tables(&bench)?));
    }
    if wanted(Topic::Growth) {
        tables.extend(show(growth::tables(&bench)?));
    }
    if wanted(Topic::Families) {
        tables.extend(show(vec![families::scaling(&bench)?]));
    }
    if wanted(Topic::Whole) {
        tables.extend(show(families::whole(&bench)?));
    }
    if wanted(Topic::Networks) {
        tables.extend(show(vec![families::networks(&bench)?]));
    }
    if wanted(Topic::Refine) {
        tables.extend(show(refine::tables(&bench)?));
    }
    if wanted(Topic::Evidence) {
        tables.extend(show(vec![evidence::table(&bench)?]));
    }
    if wanted(Topic::Smv) {
        tables.extend(show(vec![enumerate::table(&bench)?, smv::table(&bench, &wish.smv)?]));
    }
    if wanted(Topic::Composition) {
        tables.extend(show(composition::growth(&bench)?));
        tables.extend(show(vec![composition::global(&bench)?]));
    }
    if wanted(Topic::Composition) || wish.topic == Topic::Words {
        tables.extend(show(vec![composition::width(&bench)?]));
    }
    if wanted(Topic::Composition) || wish.topic == Topic::Modules {
        tables.extend(show(vec![composition::files(&bench, &wish.smv)?]));
    }
    if wanted(Topic::Assume) {
        tables.extend(show(assume::tables(&bench)?));
    }
    if wanted(Topic::Program) {
        for measured in program::TABLES {
            tables.extend(show(measured(&bench)?));
        }
    }
    if wanted(Topic::Mixed) {
        tables.extend(show(mixed::tables(&bench)?));
    }
    if wanted(Topic::Integers) {
        let programs = integers::programs();
        for measured in integers::TABLES {
            tables.extend(show(measured(&bench, &programs)));
        }
    }
    match &wish.write {
        Some(path) => write(path, &bench, &tables),
        None => Ok(()),
    }
}

fn show(tables: Vec<Table>) -> Vec<Table> {
    tables.iter().for_each(|table| println!("{table}"));
    tables
}

/// Tables that were measured before and not now are kept.
fn write(path: &Path, bench: &Bench, tables: &[Table]) -> io::Result<()> {
    let old = if path.exists() { fs::read_to_string(path)? } else { head(bench) };
    let date = command("date", &["+%Y-%m-%d"]);
    fs::write(path, results::merge(&old, tables, &format!("Measured on {date}.")))
}

fn head(bench: &Bench) -> String {
    let mut text = format!("# Measurements\n\nMachine: {}.\n", machine());
    text += "Made by `cargo build --release && cargo run --release -p benches -- run --write \
             benches/RESULTS.md`; wins and losses as they fell. Compare ratios: the seconds are those \
             of one noisy machine.\n\n";
    text + &bench.tools.description()
}

fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(": unknown");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{cores} cores of {}", model.trim_start_matches([' ', '\t', ':']))
}

fn command(name: &str, args: &[&str]) -> String {
    let output = Command::new(name).args(args).output();
    output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).unwrap_or_default()
}
