//! Asking Tertium: `tertium check --json`, and what it tells.

use super::Bench;
use super::process::{Run, measure};
use super::table::exponent;
use crate::inputs::families::{self, Family, Question, Wish};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// How to ask.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    pub method: &'a str,
    /// Seconds.
    pub limit: u32,
    pub runs: usize,
}

/// Several runs that gave one answer. The times are the least of all: other work goes on next to them.
#[derive(Clone, Default)]
pub struct Sample {
    /// The result of the last run for the property.
    pub reported: Value,
    /// Without reading.
    pub checking: f64,
    /// The whole process.
    pub process: f64,
    /// The work of the whole process.
    pub cpu: f64,
    /// The memory of the last run.
    pub peak_bytes: u64,
}

impl Sample {
    pub fn verdict(&self) -> &str {
        self.reported["verdict"].as_str().unwrap_or("unknown")
    }

    pub fn is_definite(&self) -> bool {
        self.verdict() != "unknown"
    }

    /// If there is an answer.
    pub fn definite(self) -> Option<Self> {
        self.is_definite().then_some(self)
    }

    pub fn method(&self) -> &str {
        self.reported["method"].as_str().unwrap_or_default()
    }

    /// A figure by its name; of a list the sum.
    pub fn figure(&self, name: &str) -> Option<f64> {
        let figure = &self.reported["stats"][name];
        let sum = |all: &Vec<Value>| all.iter().filter_map(Value::as_f64).sum();
        figure.as_f64().or_else(|| figure.as_array().map(sum))
    }

    /// A figure of the last run; 0 if it is not there.
    pub fn count(&self, name: &str) -> u64 {
        self.figure(name).unwrap_or(0.0) as u64
    }

    /// Of all components that a refinement has looked at: how many, their abstract and their concrete states.
    pub fn looked_at(&self) -> (usize, u64, u64) {
        let parts = self.reported["stats"]["abstract_states"].as_array();
        let sum =
            |name: &str| parts.into_iter().flatten().filter_map(|part| part[name].as_u64()).sum();
        (parts.map_or(0, Vec::len), sum("abstract_states"), sum("concrete_states"))
    }
}

impl Bench {
    /// Runs Tertium to its end.
    pub fn tertium(&self, args: &[&str]) -> io::Result<Run> {
        measure(&self.tertium, args, Duration::MAX, false)?
            .ok_or_else(|| io::Error::other("it went on forever"))
    }

    /// Checks within a limit of seconds, after which it should end by itself: what is told of each property.
    pub fn check(&self, args: &[&str], limit: u32) -> io::Result<Option<(Vec<Value>, Run)>> {
        let seconds = limit.to_string();
        let common = ["check", "--json", "--quiet", "--timeout", &seconds];
        let args = [&common, args].concat();
        let patience = Duration::from_secs(20 + 2 * u64::from(limit));
        let Some(run) = measure(&self.tertium, &args, patience, false)? else { return Ok(None) };
        let wrong = |what: String| io::Error::other(format!("{}: {what}", args.join(" ")));
        let mut json: Value =
            serde_json::from_str(&run.output).map_err(|error| wrong(error.to_string()))?;
        match json["results"].take() {
            Value::Array(all) if !all.is_empty() => Ok(Some((all, run))),
            _ => Err(wrong("no results".to_owned())),
        }
    }

    /// Asks about one property. A limit that is reached once is not tried again; a wrong answer is an error.
    pub fn ask(&self, input: &[&str], holds: bool, setup: Setup) -> io::Result<Sample> {
        let args = [input, &["--method", setup.method, "--memory", "4G"]].concat();
        let never = f64::INFINITY;
        let mut sample =
            Sample { checking: never, process: never, cpu: never, ..Sample::default() };
        for _ in 0..setup.runs {
            let Some((mut reported, run)) = self.check(&args, setup.limit)? else {
                return Ok(Sample { reported: Value::Null, ..sample });
            };
            sample.reported = reported.swap_remove(0);
            let seconds = sample.reported["seconds"].as_f64().unwrap_or(0.0);
            sample.checking = sample.checking.min(seconds);
            sample.process = sample.process.min(run.seconds);
            sample.cpu = sample.cpu.min(run.cpu);
            sample.peak_bytes = run.peak_bytes;
            if !sample.is_definite() {
                break;
            }
            if sample.verdict() != holds.to_string() {
                let (input, verdict) = (input.join(" "), sample.verdict());
                return Err(io::Error::other(format!("{input}: {verdict}")));
            }
        }
        Ok(sample)
    }

    /// The processor time of a process that does nothing.
    pub fn floor(&self) -> io::Result<f64> {
        let mut least = f64::INFINITY;
        for _ in 0..20 {
            least = least.min(self.tertium(&["--version"])?.cpu);
        }
        Ok(least)
    }
}

/// One member of a family, in a file.
pub struct Member<'a> {
    pub bench: &'a Bench,
    pub family: Family,
    pub size: u32,
    pub broken: bool,
    pub path: String,
}

impl<'a> Member<'a> {
    pub fn new(bench: &'a Bench, family: Family, size: u32, broken: bool) -> io::Result<Self> {
        Self::written(bench, &Wish::new(family, size, broken), "", families::make)
    }

    /// With a text of its own.
    pub fn written(
        bench: &'a Bench,
        wish: &Wish,
        end: &str,
        text: impl FnOnce(&Wish) -> String,
    ) -> io::Result<Self> {
        let &Wish { family, size, broken, .. } = wish;
        let end = format!("{end}{}", if broken { "-broken" } else { "" });
        let path: PathBuf = bench.inputs.join(format!("{}-{size}{end}.tm", family.name()));
        fs::write(&path, text(wish))?;
        Ok(Self { bench, family, size, broken, path: path.to_string_lossy().into_owned() })
    }

    /// All of a sound member; of a broken one those whose verdict the fault turns round.
    pub fn questions(&self) -> Vec<Question> {
        let mut questions = families::questions(self.family, self.size, self.broken);
        questions.retain(|question| !self.broken || question.sees_the_fault);
        questions
    }

    pub fn ask(&self, question: &Question, setup: Setup) -> io::Result<Sample> {
        self.ask_with(question, setup, &[])
    }

    pub fn ask_with(
        &self,
        question: &Question,
        setup: Setup,
        flags: &[&str],
    ) -> io::Result<Sample> {
        let input = [&[&*self.path, "--property", question.name], flags].concat();
        self.bench.ask(&input, question.holds, setup)
    }

    /// The largest member that `direct` can do in a short time.
    pub fn largest(bench: &'a Bench, family: Family) -> io::Result<u32> {
        let most = if bench.quick { 0.01 } else { 1.5 };
        let mut size = 2;
        loop {
            let next = Self::new(bench, family, size + 1, false)?;
            let setup = Setup { method: "direct", limit: 3, runs: 1 };
            let sample = next.ask(&next.questions()[0], setup)?;
            if !sample.is_definite() || sample.checking > most {
                return Ok(size);
            }
            size += 1;
        }
    }
}

/// How a table names a property.
pub fn title(broken: bool, question: &Question) -> String {
    format!("{}{}", question.name, if broken { " (broken)" } else { "" })
}

/// The cost of one method by size, up to the largest with an answer.
#[derive(Default)]
pub struct Growth {
    pub costs: Vec<(u32, Sample)>,
    /// The first size without an answer.
    pub stuck: Option<u32>,
}

impl Growth {
    pub fn measure(
        sizes: &[u32],
        mut ask: impl FnMut(usize) -> io::Result<Option<Sample>>,
    ) -> io::Result<Self> {
        let mut growth = Self::default();
        for (place, &size) in sizes.iter().enumerate() {
            match ask(place)? {
                Some(sample) => growth.costs.push((size, sample)),
                None => {
                    growth.stuck = Some(size);
                    break;
                }
            }
        }
        Ok(growth)
    }

    pub fn at(&self, size: u32) -> Option<&Sample> {
        self.costs.iter().find(|(at, _)| *at == size).map(|(_, sample)| sample)
    }

    /// Of processor time in some sizes, above that of a process that does nothing.
    pub fn exponent(&self, floor: f64, sizes: impl Fn(u32) -> bool) -> Option<f64> {
        // Less than this cannot be measured.
        const SMALLEST: f64 = 1e-4;
        let points = self.costs.iter().filter(|(size, _)| sizes(*size));
        let above = points.map(|(size, cost)| (f64::from(*size), (cost.cpu - floor).max(SMALLEST)));
        exponent(&above.collect::<Vec<_>>())
    }
}
