//! While-programs: what checking one piece after the other takes, against the whole and against NuSMV.

mod calls;
mod memory;
mod nested;
mod rival;
mod times;
mod width;
mod within;

use super::Bench;
use super::figures::Figures;
use super::process::measure_within;
use super::table::Table;
use crate::programs::{self, Program};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

type Tables = fn(&Bench) -> io::Result<Vec<Table>>;

/// One after the other: some take long.
pub const TABLES: [Tables; 7] = [
    memory::tables,
    within::tables,
    times::tables,
    nested::tables,
    calls::tables,
    width::tables,
    rival::tables,
];

/// One program in a file.
struct Case<'a> {
    bench: &'a Bench,
    program: Program,
    size: u32,
    bits: Option<u32>,
    path: PathBuf,
}

/// What one call costs.
#[derive(Clone)]
struct Cost {
    figures: Figures,
    /// Of the whole process, reading included.
    seconds: f64,
    resident: u64,
}

impl Cost {
    fn is_decided(&self) -> bool {
        self.figures.verdict != "unknown"
    }
}

impl<'a> Case<'a> {
    fn new(bench: &'a Bench, program: Program, size: u32, bits: Option<u32>) -> io::Result<Self> {
        let mut args = vec!["program".to_owned(), program.name(), size.to_string()];
        let mut name = format!("{}-{size}", program.name());
        if let Some(bits) = bits {
            args.extend(["--bits".to_owned(), bits.to_string()]);
            name += &format!("-{bits}");
        }
        let path = bench.input(&format!("{name}.while"), &args)?;
        Ok(Self { bench, program, size, bits, path })
    }

    /// Checks all properties with these flags; `None` if it does not end in the time that it has. A wrong verdict is
    /// an error.
    fn ask(&self, flags: &[&str]) -> io::Result<Option<Cost>> {
        let (path, limit) = (self.path.to_string_lossy(), self.bench.limit.to_string());
        let mut args = vec!["check", &*path, "--json", "--quiet", "--timeout", &limit];
        args.extend(flags);
        // It should end by itself long before.
        let patience = Duration::from_secs(20 + 2 * u64::from(self.bench.limit));
        let Some(run) = measure_within(&self.bench.tools.tertium, &args, patience)? else {
            return Ok(None);
        };
        let wrong = |what: &str| io::Error::other(format!("{}: {what}", args.join(" ")));
        let all = Figures::read_all(&run.output).map_err(|error| wrong(&error.to_string()))?;
        let stated = programs::verdicts(self.program);
        if all.len() != stated.len() {
            return Err(wrong("some properties have no answer"));
        }
        let is_wrong = |(figures, holds): (&Figures, &bool)| {
            figures.verdict != "unknown" && figures.verdict != holds.to_string()
        };
        if all.iter().zip(&stated).any(is_wrong) {
            return Err(wrong("a verdict is wrong"));
        }
        // All have been answered together, or else some may have been and others not.
        let is_unknown = |figures: &Figures| figures.verdict == "unknown";
        let seconds = all.iter().map(|figures| figures.seconds).fold(0.0, f64::max);
        let figures = all.iter().find(|figures| is_unknown(figures)).unwrap_or(&all[0]).clone();
        let figures = Figures { seconds, ..figures };
        Ok(Some(Cost { figures, seconds: run.seconds, resident: run.peak_bytes }))
    }

    /// The same, if there is an answer: the median run by the time of checking.
    fn median(&self, flags: &[&str]) -> io::Result<Option<Cost>> {
        let mut costs: Vec<Cost> = Vec::new();
        let mut spent = 0.0;
        while costs.len() < runs(self.bench) && spent < PATIENCE {
            let Some(cost) = self.ask(flags)?.filter(Cost::is_decided) else { return Ok(None) };
            spent += cost.seconds;
            costs.push(cost);
        }
        costs.sort_by(|a, b| a.figures.seconds.total_cmp(&b.figures.seconds));
        Ok(costs.get(costs.len() / 2).cloned())
    }

    /// How a table names it.
    fn name(&self) -> String {
        let width = self.bits.map_or(String::new(), |bits| format!(" ({bits} bits)"));
        format!("{} {}{width}", self.program.name(), self.size)
    }
}

/// As many runs, unless they take more seconds than [`PATIENCE`].
fn runs(bench: &Bench) -> usize {
    if bench.divisor == 1 { 5 } else { 1 }
}

const PATIENCE: f64 = 10.0;

/// What has no answer in the time or memory that there is.
const NO_ANSWER: &str = "–";

fn shown(cost: Option<&Cost>, show: impl Fn(&Cost) -> String) -> String {
    cost.map_or(NO_ANSWER.to_owned(), show)
}

/// How often as much the first is as the second.
fn ratio(a: Option<f64>, b: Option<f64>) -> String {
    a.zip(b).map_or(NO_ANSWER.to_owned(), |(a, b)| format!("{:.2}", a / b))
}

/// The time of checking, without reading.
fn checking(cost: &Cost) -> f64 {
    cost.figures.seconds
}
