//! Systems of many components: what it costs to decide by the components, against the whole.

mod rivals;
mod scaling;
mod whole;

use super::Bench;
use super::figures::Figures;
use super::process::measure;
use super::table::{Table, median};
use crate::families::{self, Family, Question};
use clap::ValueEnum;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut tables = Vec::new();
    for &family in Family::value_variants() {
        tables.push(scaling::table(bench, family)?);
    }
    tables.extend(whole::tables(bench)?);
    tables.push(rivals::table(bench)?);
    Ok(tables)
}

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
        let wish = families::Wish { family, size, seed: 1, broken, aut: None };
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
struct Way<'a> {
    method: &'a str,
    /// Seconds.
    limit: u32,
    runs: usize,
}

/// Several runs that gave one answer.
struct Sample {
    /// Those of one run; the seconds are the median of all.
    figures: Figures,
    /// The whole process, the median of all runs.
    process: f64,
}

impl Sample {
    fn is_definite(&self) -> bool {
        self.figures.verdict != "unknown"
    }
}

/// Asks Tertium. A limit that is reached once is not tried again; a wrong answer is an error.
fn ask(bench: &Bench, path: &Path, question: &Question, way: Way) -> io::Result<Sample> {
    let path = path.to_string_lossy();
    ask_about(bench, &[&path, "--property", question.name], question, way)
}

/// The same with any arguments that lead to the question.
fn ask_about(bench: &Bench, input: &[&str], question: &Question, way: Way) -> io::Result<Sample> {
    let limit = way.limit.to_string();
    let mut args = vec!["check"];
    args.extend(input);
    args.extend(["--method", way.method, "--json", "--quiet", "--timeout", &limit]);
    args.extend(["--memory", "4G"]);
    let (mut checking, mut process) = (Vec::new(), Vec::new());
    loop {
        let run = measure(&bench.tools.tertium, &args)?;
        let figures = Figures::read(&run.output)?;
        checking.push(figures.seconds);
        process.push(run.seconds);
        let is_stopped = figures.verdict == "unknown";
        if !is_stopped && figures.verdict != question.holds.to_string() {
            let (name, verdict) = (question.name, &figures.verdict);
            return Err(io::Error::other(format!("{}: {name}: {verdict}", input.join(" "))));
        }
        if is_stopped || checking.len() == way.runs {
            let figures = Figures { seconds: median(checking), ..figures };
            return Ok(Sample { figures, process: median(process) });
        }
    }
}
