//! Against machine-check, which also refines 3-valued abstractions, on systems that both can express.

use super::super::Bench;
use super::super::figures::Figures;
use super::super::process::{measure, measure_quietly};
use super::super::table::{Table, seconds};
use crate::machine_check::{self, Pair, Question};
use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The folder with the built programs of `gen machine-check`.
const FOLDER: &str = "MACHINE_CHECK_SYSTEMS";

/// Its strategies; the best is taken.
const STRATEGIES: [&str; 3] = ["default", "decay", "naive"];

pub fn table(bench: &Bench) -> io::Result<Table> {
    let head = [
        "system",
        "property",
        "verdict",
        "Tertium, refine",
        "auto",
        "decided by",
        "rounds",
        "abstract states",
        "machine-check",
        "its strategy",
        "its refinements",
        "its states",
        "machine-check / refine",
        "/ auto",
    ];
    let mut table = Table::new("Refinement: against machine-check", &head);
    let folder = env::var_os(FOLDER).map(PathBuf::from);
    let mut rows = Vec::new();
    for pair in machine_check::pairs() {
        let round = Round::new(bench, &pair, folder.as_ref())?;
        for question in &pair.questions {
            let row = round.measure(question)?;
            table.row(row.cells(&pair, question, limit(bench)));
            rows.push(row);
        }
        table.note_once(&format!("`{}`: {}.", pair.name, pair.about));
    }
    table.note(match folder {
        Some(_) => score(&rows, limit(bench)),
        None => format!("machine-check was left out: {FOLDER} is not set."),
    });
    table.note(format!(
        "Whole processes, reading included, {} s at most. `gen machine-check DIR` makes the programs, \
         which are built there and found through {FOLDER}. machine-check is its best strategy of three, \
         with `--assume-inherent`; its states are those of its last abstraction, of the whole system, \
         those of Tertium the sum over the components that were looked at.",
        limit(bench).as_secs()
    ));
    Ok(table)
}

fn limit(bench: &Bench) -> Duration {
    Duration::from_secs(if bench.divisor == 1 { 10 } else { 2 })
}

struct Round<'a> {
    bench: &'a Bench,
    file: PathBuf,
    /// The rival, if it is there.
    program: Option<PathBuf>,
}

/// One question to both; `None` where nobody answered in time.
struct Row {
    refine: Option<Ours>,
    auto: Option<Ours>,
    rival: Option<Theirs>,
    is_rival_there: bool,
}

struct Ours {
    seconds: f64,
    figures: Figures,
}

struct Theirs {
    seconds: f64,
    strategy: &'static str,
    refinements: u64,
    states: u64,
}

impl<'a> Round<'a> {
    fn new(bench: &'a Bench, pair: &Pair, folder: Option<&PathBuf>) -> io::Result<Self> {
        let file = bench.inputs.join(format!("{}.tm", pair.name));
        fs::write(&file, &pair.tm)?;
        let program = folder.map(|folder| folder.join(&pair.name)).filter(|path| path.is_file());
        Ok(Self { bench, file, program })
    }

    fn measure(&self, question: &Question) -> io::Result<Row> {
        let mut best: Option<Theirs> = None;
        for strategy in STRATEGIES {
            let found = self.rival(question, strategy)?;
            let least = |theirs: &Theirs| best.as_ref().is_none_or(|b| theirs.seconds < b.seconds);
            if let Some(theirs) = found.filter(least) {
                best = Some(theirs);
            }
        }
        Ok(Row {
            refine: self.ask("refine", question)?,
            auto: self.ask("auto", question)?,
            rival: best,
            is_rival_there: self.program.is_some(),
        })
    }

    fn ask(&self, method: &str, question: &Question) -> io::Result<Option<Ours>> {
        let (file, limit) = (self.file.to_string_lossy(), limit(self.bench).as_secs().to_string());
        let mut args = vec!["check", &file, "--property", question.name, "--method", method];
        args.extend(["--json", "--quiet", "--timeout", &limit]);
        let run = measure(&self.bench.tools.tertium, &args)?;
        let figures = Figures::read(&run.output)?;
        if figures.verdict == "unknown" {
            return Ok(None);
        }
        agree(question, &figures.verdict)?;
        Ok(Some(Ours { seconds: run.seconds, figures }))
    }

    fn rival(&self, question: &Question, strategy: &'static str) -> io::Result<Option<Theirs>> {
        let Some(program) = &self.program else { return Ok(None) };
        let args = ["--batch", "--assume-inherent", "--strategy", strategy];
        let args = [&args[..], &["--property", question.property]].concat();
        let Some(run) = measure_quietly(program, &args, limit(self.bench))? else {
            return Ok(None);
        };
        let json: serde_json::Value = serde_json::from_str(&run.output)?;
        let verdict = json["result"]["Ok"].as_str().unwrap_or("none").to_lowercase();
        agree(question, &verdict)?;
        let number = |name: &str| json["stats"][name].as_u64().unwrap_or(0);
        Ok(Some(Theirs {
            seconds: run.seconds,
            strategy,
            refinements: number("num_refinements"),
            states: number("num_final_states"),
        }))
    }
}

fn agree(question: &Question, verdict: &str) -> io::Result<()> {
    if verdict == question.holds.to_string() {
        return Ok(());
    }
    Err(io::Error::other(format!("{}: {verdict}", question.name)))
}

impl Row {
    fn cells(&self, pair: &Pair, question: &Question, limit: Duration) -> Vec<String> {
        let over = format!("over {} s", limit.as_secs());
        let time = |time: Option<f64>| time.map_or(over.clone(), seconds);
        let figures = self.refine.as_ref().map(|ours| &ours.figures);
        let number = |number: Option<u64>| number.map_or(String::new(), |n| n.to_string());
        let mut row = vec![pair.name.clone(), question.name.to_owned(), question.holds.to_string()];
        row.extend([&self.refine, &self.auto].map(|ours| time(ours.as_ref().map(|o| o.seconds))));
        row.push(self.auto.as_ref().map_or(String::new(), |ours| ours.figures.method.clone()));
        row.push(number(figures.map(|figures| figures.iterations)));
        row.push(number(figures.map(|figures| figures.abstract_states)));
        row.push(match self.is_rival_there {
            true => time(self.rival.as_ref().map(|theirs| theirs.seconds)),
            false => "not there".to_owned(),
        });
        row.push(self.rival.as_ref().map_or(String::new(), |theirs| theirs.strategy.to_owned()));
        row.push(number(self.rival.as_ref().map(|theirs| theirs.refinements)));
        row.push(number(self.rival.as_ref().map(|theirs| theirs.states)));
        row.extend([&self.refine, &self.auto].map(|ours| self.compared(ours.as_ref(), limit)));
        row
    }

    /// How many times as long the rival takes.
    fn compared(&self, ours: Option<&Ours>, limit: Duration) -> String {
        match (ours, &self.rival) {
            (Some(ours), Some(theirs)) => format!("{:.2}", theirs.seconds / ours.seconds),
            (Some(ours), None) if self.is_rival_there => {
                format!("> {:.0}", limit.as_secs_f64() / ours.seconds)
            }
            (None, Some(theirs)) => format!("< {:.2}", theirs.seconds / limit.as_secs_f64()),
            _ => String::new(),
        }
    }
}

/// `` `refine` is faster in 3 of 4, slower in 1 ``
fn score(rows: &[Row], limit: Duration) -> String {
    let count = |name: &str, ours: fn(&Row) -> &Option<Ours>| {
        let there = || rows.iter().filter(|row| row.is_rival_there);
        let time = |row: &Row| ours(row).as_ref().map_or(limit.as_secs_f64(), |o| o.seconds);
        let rival = |row: &Row| row.rival.as_ref().map_or(limit.as_secs_f64(), |t| t.seconds);
        let faster = there().filter(|row| time(row) < rival(row)).count();
        let slower = there().filter(|row| time(row) > rival(row)).count();
        format!(
            "`{name}` is faster than machine-check in {faster} of {}, slower in {slower}",
            there().count()
        )
    };
    format!("{}; {}.", count("refine", |row| &row.refine), count("auto", |row| &row.auto))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(refine: Option<f64>, rival: Option<f64>, is_rival_there: bool) -> Row {
        let ours = |seconds| Ours { seconds, figures: Figures::default() };
        let theirs = |seconds| Theirs { seconds, strategy: "default", refinements: 1, states: 2 };
        let rival = rival.map(theirs);
        Row { refine: refine.map(ours), auto: None, rival, is_rival_there }
    }

    #[test]
    fn wins_losses_and_limits() {
        let limit = Duration::from_secs(20);
        let rows = [
            row(Some(1.0), Some(2.0), true),
            row(Some(1.0), None, true),
            row(None, Some(5.0), true),
            row(Some(1.0), None, false),
        ];
        let compared = rows.each_ref().map(|row| row.compared(row.refine.as_ref(), limit));
        assert_eq!(compared, ["2.00", "> 20", "< 0.25", ""]);
        let score = score(&rows, limit);
        assert!(
            score.starts_with("`refine` is faster than machine-check in 2 of 3, slower in 1"),
            "{score}"
        );
    }
}
