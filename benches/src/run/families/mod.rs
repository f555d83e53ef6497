//! Systems of many components: what it costs to decide by the components, against the whole.

mod rivals;
mod scaling;
mod whole;

use super::Bench;
use super::figures::Figures;
use super::process::measure_within;
use crate::families::{self, Family, Question};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use rivals::table as networks;
pub use scaling::{exponent_above, floor, table as scaling};
pub use whole::tables as whole;

/// One member of a family, in a file.
struct Member {
    family: Family,
    size: u32,
    broken: bool,
    path: PathBuf,
}

impl Member {
    fn new(bench: &Bench, family: Family, size: u32, broken: bool) -> io::Result<Self> {
        let end = if broken { "-broken" } else { "" };
        let path = bench.inputs.join(format!("{}-{size}{end}.tm", family.name()));
        let wish = families::Wish::new(family, size, broken);
        fs::write(&path, families::make(&wish))?;
        Ok(Self { family, size, broken, path })
    }

    /// All of a sound member; of a broken one those whose verdict the fault turns round.
    fn questions(&self) -> Vec<Question> {
        let mut questions = families::questions(self.family, self.size, self.broken);
        questions.retain(|question| !self.broken || question.sees_the_fault);
        questions
    }

    /// How a table names a property of it.
    fn name(&self, question: &Question) -> String {
        format!("{}{}", question.name, if self.broken { " (broken)" } else { "" })
    }
}

/// How to ask.
#[derive(Clone, Copy)]
pub struct Way<'a> {
    pub method: &'a str,
    /// Seconds.
    pub limit: u32,
    pub runs: usize,
}

/// Several runs that gave one answer. The times are the least of all: other work goes on next to them.
pub struct Sample {
    /// Those of the last run.
    pub figures: Figures,
    /// Without reading.
    checking: f64,
    /// The whole process.
    process: f64,
    /// The work of the whole process.
    pub cpu: f64,
    /// The memory of the last run.
    pub peak_bytes: u64,
}

impl Sample {
    /// Of a run that had to be ended.
    fn unanswered() -> Self {
        let figures = Figures { verdict: "unknown".to_owned(), ..Figures::default() };
        let never = f64::INFINITY;
        Self { figures, checking: never, process: never, cpu: never, peak_bytes: 0 }
    }

    pub fn is_definite(&self) -> bool {
        self.figures.verdict != "unknown"
    }

    /// For checking, if there is an answer.
    fn time(&self) -> Option<f64> {
        self.is_definite().then_some(self.checking)
    }
}

/// Asks Tertium. A limit that is reached once is not tried again; a wrong answer is an error.
fn ask(bench: &Bench, path: &Path, question: &Question, way: Way) -> io::Result<Sample> {
    let path = path.to_string_lossy();
    ask_about(bench, &[&path, "--property", question.name], question, way)
}

/// The same with any arguments that lead to the question.
pub fn ask_about(
    bench: &Bench,
    input: &[&str],
    question: &Question,
    way: Way,
) -> io::Result<Sample> {
    let limit = way.limit.to_string();
    let mut args = vec!["check"];
    args.extend(input);
    args.extend(["--method", way.method, "--json", "--quiet", "--timeout", &limit]);
    args.extend(["--memory", "4G"]);
    // It should end by itself long before.
    let patience = Duration::from_secs(10 + 2 * u64::from(way.limit));
    let mut least = [f64::INFINITY; 3];
    let mut runs = 0;
    loop {
        runs += 1;
        let Some(run) = measure_within(&bench.tools.tertium, &args, patience)? else {
            return Ok(Sample::unanswered());
        };
        let figures = Figures::read(&run.output)
            .map_err(|error| io::Error::other(format!("{}: {error}", args.join(" "))))?;
        for (least, time) in least.iter_mut().zip([figures.seconds, run.seconds, run.cpu_seconds]) {
            *least = least.min(time);
        }
        let is_stopped = figures.verdict == "unknown";
        if !is_stopped && figures.verdict != question.holds.to_string() {
            let (name, verdict) = (question.name, &figures.verdict);
            return Err(io::Error::other(format!("{}: {name}: {verdict}", input.join(" "))));
        }
        if is_stopped || runs == way.runs {
            let [checking, process, cpu] = least;
            return Ok(Sample { figures, checking, process, cpu, peak_bytes: run.peak_bytes });
        }
    }
}

/// How many rows are within a bar.
#[derive(Default)]
pub struct Score {
    within: usize,
    all: usize,
}

impl Score {
    pub fn count(&mut self, is_within: bool) {
        self.within += usize::from(is_within);
        self.all += 1;
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.within, self.all)
    }
}
