//! The experiment of X §6: a program of n blocks seen through predicates, under both semantics, in the layout of Fig. 3
//! with the paper's figures beside ours, at the paper's sizes and beyond them.

use super::Bench;
use super::process::Clock;
use super::table::{NOTHING, Table, exponent, median, or, ratio, row};
use bdd::Policy;
use cegar::abstraction::blocks::{self, PROPERTIES};
use logic::{Family, Formula, Logic, PropId, Signature, Truth};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{io, thread};
use support::{FileId, Interner, Monitor, StopReason};
use symbolic::mixed::{IterationOrder, Mixed, MixedSemantics, Reduction};

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let rows = measure(bench)?;
    Ok(vec![sizes(&rows), properties(&rows), growth(&rows)])
}

/// X Fig. 3: blocks, and nodes of the model under SIS and RIS.
const PAPER_SIZES: [(u32, u64, u64); 3] =
    [(100, 370_070, 216_689), (200, 1_460_270, 853_389), (250, 2_275_196, 1_329_215)];

/// X Fig. 3: property and blocks; under SIS seconds, iterations and the verdicts for I1 and I2; the same under RIS, with
/// the seconds in ABSREDU, if they are more than a ten-thousandth.
type PaperRow = ((usize, u32), (f64, u64, &'static str), (f64, Option<f64>, u64, &'static str));

const PAPER: [PaperRow; 9] = [
    ((0, 100), (2.20, 301, "TU"), (3.60, Some(0.74), 401, "TT")),
    ((0, 200), (15.36, 601, "TU"), (27.77, Some(6.45), 801, "TT")),
    ((0, 250), (28.92, 751, "TU"), (55.19, Some(13.40), 1001, "TT")),
    ((1, 100), (3.60, 203, "TU"), (0.03, None, 2, "TT")),
    ((1, 200), (27.16, 403, "TU"), (0.12, None, 2, "TT")),
    ((1, 250), (54.62, 503, "TU"), (0.19, None, 2, "TT")),
    ((2, 100), (33.96, 400, "FF"), (21.24, Some(4.5), 400, "FF")),
    ((2, 200), (395.24, 800, "FF"), (258.72, Some(42.44), 800, "FF")),
    ((2, 250), (1108.67, 1000, "FF"), (546.88, Some(101.20), 1000, "FF")),
];

fn paper(property: usize, blocks: u32) -> Option<&'static PaperRow> {
    PAPER.iter().find(|(key, ..)| *key == (property, blocks))
}

/// The result of one run, in processor time.
#[derive(Clone)]
struct Trial {
    /// Nodes of the relations.
    model: usize,
    /// Most nodes at a time.
    peak: usize,
    iterations: u64,
    /// In the states of I1 and of I2: `T`, `F` or `U`.
    verdicts: String,
    /// Making the tables, and making BDDs of them.
    encoding: f64,
    /// The evaluation alone.
    analysis: f64,
    /// All of it by the clock on the wall.
    wall: f64,
    /// Of the evaluation, the share within ABSREDU.
    share: f64,
}

impl Trial {
    fn in_all(&self) -> f64 {
        self.encoding + self.analysis
    }
}

/// One property of one program under both semantics. `None` for what takes too long.
struct Row {
    property: usize,
    blocks: u32,
    /// Standard and reduced.
    halves: [Option<Trial>; 2],
}

const SEMANTICS: [&str; 2] = ["SIS", "RIS"];

impl Row {
    /// How many times as much of something the reduced semantics takes.
    fn ratio(&self, of: impl Fn(&Trial) -> f64) -> Option<f64> {
        let [standard, reduced] = self.halves.each_ref().map(|half| half.as_ref().map(&of));
        Some(reduced? / standard?)
    }

    fn ratio_an_iteration(&self) -> Option<f64> {
        self.ratio(|trial| trial.analysis / trial.iterations as f64)
    }

    fn property(&self) -> &'static str {
        PROPERTIES[self.property].0
    }
}

/// The sizes of the paper, and those beyond them for each property.
const SIZES: [u32; 3] = [100, 200, 250];
const LARGER: [&[u32]; 3] = [&[500, 1000, 2000], &[500, 1000, 2000], &[500, 1000]];

fn measure(bench: &Bench) -> io::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (property, larger) in LARGER.into_iter().enumerate() {
        for &blocks in SIZES.iter().chain(bench.either(larger, &[500])) {
            rows.push(measure_row(bench, property, blocks)?);
        }
    }
    Ok(rows)
}

/// The medians of some runs each, which take turns, so that what else goes on is the same for both.
fn measure_row(bench: &Bench, property: usize, blocks: u32) -> io::Result<Row> {
    let limit = Duration::from_secs(bench.either(240, 20));
    let questions = [MixedSemantics::Standard, MixedSemantics::Reduced].map(|semantics| Question {
        blocks,
        property,
        semantics,
    });
    let mut trials: [Option<Vec<Trial>>; 2] = [Some(Vec::new()), Some(Vec::new())];
    let (mut runs, mut spent) = (0, 0.0);
    while runs < bench.either(5, 1) && spent < 10.0 {
        for (question, trials) in questions.iter().zip(&mut trials) {
            let Some(known) = trials else { continue };
            match question.run(limit, false)? {
                Some(trial) => {
                    spent += trial.wall;
                    known.push(trial);
                }
                None => *trials = None,
            }
        }
        runs += 1;
    }
    let mut halves = trials.map(|trials| {
        let mut trials = trials?;
        trials.sort_by(|a, b| a.analysis.total_cmp(&b.analysis));
        trials.get(trials.len() / 2).cloned()
    });
    if let Some(trial) = &mut halves[1] {
        // Of ABSREDU, in runs of their own, since looking at the clock takes time.
        let mut shares = Vec::new();
        for _ in 0..runs {
            shares.extend(questions[1].run(limit, true)?.map(|trial| trial.share));
        }
        trial.share = median(shares);
    }
    Ok(Row { property, blocks, halves })
}

/// A property of a program.
#[derive(Clone, Copy, Debug)]
struct Question {
    blocks: u32,
    /// By number.
    property: usize,
    semantics: MixedSemantics,
}

impl Question {
    /// `None` if it takes longer than that. Looking at the clock takes time by itself, so only a run that `watches`
    /// knows the share of ABSREDU.
    fn run(self, limit: Duration, watches: bool) -> io::Result<Option<Trial>> {
        let monitor = Monitor::new();
        let (sender, receiver) = channel();
        // BDDs are computed by recursion along the variables, of which a predicate has at most four.
        let variables = 2 * self.blocks as usize * 4 + 1;
        let policy = Policy { reorder_at: None, most_vars: variables, ..Policy::default() };
        let theirs = monitor.clone();
        let thread = thread::Builder::new()
            .stack_size((8 << 20) + variables * Policy::STACK_A_VAR)
            // Nobody listens any more if it has taken too long.
            .spawn(move || drop(sender.send(self.compute(policy, &theirs, watches))))?;
        let done = receiver.recv_timeout(limit);
        monitor.stop(StopReason::Timeout);
        let is_broken = thread.join().is_err();
        match done {
            Ok(trial) => trial.map(Some),
            Err(RecvTimeoutError::Timeout) if !is_broken => Ok(None),
            Err(_) => Err(io::Error::other("the engine broke down")),
        }
    }

    fn compute(self, policy: Policy, monitor: &Monitor, watches: bool) -> io::Result<Trial> {
        let (whole, clock) = (Clock::start(), Clock::start());
        let program = blocks::abstracted(self.blocks, monitor).map_err(io::Error::other)?;
        let mut props: Interner<PropId> = Interner::new();
        for (name, _) in &program.propositions {
            props.intern(name);
        }
        let formula = formula(&props, PROPERTIES[self.property].1)?;
        let encoded = Mixed::of_program(&program, self.semantics, policy, monitor);
        let mut mixed = encoded.map_err(io::Error::other)?;
        let encoding = clock.seconds();
        // Time in ABSREDU: the engine says when it begins and when it ends, and has no clock.
        let (mut since, mut total) = (None, Duration::ZERO);
        let mut watch = |event| match event {
            Reduction::Begins if watches => since = Some(Instant::now()),
            Reduction::Ends => {
                total += since.take().map_or(Duration::ZERO, |since| since.elapsed())
            }
            Reduction::Begins => {}
        };
        let clock = Clock::start();
        let evaluated = mixed
            .evaluate(&formula, IterationOrder::Together, &mut watch)
            .map_err(io::Error::other)?;
        let (analysis, elapsed, wall) = (clock.seconds(), clock.wall(), whole.wall());
        let mut verdicts = String::new();
        for start in program.starts.iter().take(2) {
            let found = mixed.within(&evaluated, start).map_err(io::Error::other)?;
            verdicts.push(match found.verdict() {
                Some(Truth::True) => 'T',
                Some(Truth::False) => 'F',
                Some(Truth::Unknown) => 'U',
                None => return Err(io::Error::other("a contradiction")),
            });
        }
        let (model, peak) = (mixed.relation_nodes(), mixed.peak_nodes());
        let (iterations, share) = (evaluated.iterations, total.as_secs_f64() / elapsed);
        Ok(Trial { model, peak, iterations, verdicts, encoding, analysis, wall, share })
    }
}

fn formula(props: &Interner<PropId>, text: &str) -> io::Result<Formula> {
    let text: Arc<str> = text.into();
    let wrong = |errors| io::Error::other(format!("{text}: {errors:?}"));
    let surface =
        front::parse_formula(Logic::Mu, FileId(0), &text, 0..text.len()).map_err(wrong)?;
    let signature = Signature { family: Family::Props, props, actions: &[] };
    logic::compile(&surface, &signature, &mut Vec::new()).map_err(wrong)
}

/// As precisely as it matters.
fn in_seconds(value: f64) -> String {
    match value {
        _ if value < 1e-4 => "< 10⁻⁴".to_owned(),
        _ if value < 0.1 => format!("{value:.4}"),
        _ => format!("{value:.2}"),
    }
}

fn in_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn sizes(rows: &[Row]) -> Table {
    let mut table = Table::new("Mixed transition systems: model size (X Fig. 3)");
    for (blocks, standard, reduced) in PAPER_SIZES {
        let Some(row) = rows.iter().find(|row| row.blocks == blocks) else { continue };
        let nodes = |half: usize| or(row.halves[half].as_ref().map(|trial| trial.model), NOTHING);
        let ours = ratio(row.ratio(|trial| trial.model as f64), NOTHING);
        let theirs = format!("{:.2}", reduced as f64 / standard as f64);
        table.row(row![blocks, nodes(0), nodes(1), ours, standard, reduced, theirs]);
    }
    table
}

/// The parts of Fig. 3 as it is printed, each row followed by the paper's.
fn properties(rows: &[Row]) -> Table {
    let mut table = Table::new("Mixed transition systems: both semantics (X Fig. 3)");
    for row in rows.iter().filter(|row| SIZES.contains(&row.blocks)) {
        let mut cells = row![row.property(), row.blocks, "ours"];
        for (number, half) in row.halves.iter().enumerate() {
            let shown = |show: &dyn Fn(&Trial) -> String| or(half.as_ref().map(show), NOTHING);
            cells.push(shown(&|trial| in_seconds(trial.analysis)));
            if number == 1 {
                cells.push(shown(&|trial| in_seconds(trial.analysis * trial.share)));
                cells.push(shown(&|trial| in_percent(trial.share)));
            }
            cells.push(shown(&|trial| trial.iterations.to_string()));
            cells.extend([0, 1].map(|i| shown(&|trial| trial.verdicts[i..i + 1].to_owned())));
        }
        table.row(cells);
        let Some((_, standard, reduced)) = paper(row.property, row.blocks) else { continue };
        let letters = |verdicts: &str| [0, 1].map(|i| verdicts[i..i + 1].to_owned());
        let mut cells = row!["", "", "the paper's", standard.0, standard.1];
        cells.extend(letters(standard.2));
        cells.push(reduced.0.to_string());
        cells.push(or(reduced.1, "< 10⁻⁴"));
        cells.push(or(reduced.1.map(|seconds| in_percent(seconds / reduced.0)), NOTHING));
        cells.push(reduced.2.to_string());
        cells.extend(letters(reduced.3));
        table.row(cells);
    }
    table
}

/// The program of the paper with more blocks.
fn growth(rows: &[Row]) -> Table {
    let mut table = Table::new("Mixed transition systems: growth in n");
    for row in rows {
        let mut cells = row![row.property(), row.blocks];
        for half in &row.halves {
            let figures = |trial: &Trial| {
                let times = [trial.analysis, trial.in_all(), trial.wall].map(in_seconds);
                [&times[..], &row![trial.iterations, trial.peak]].concat()
            };
            cells.extend(half.as_ref().map_or(vec![NOTHING.to_owned(); 5], figures));
        }
        cells.push(or(row.halves[1].as_ref().map(|trial| in_percent(trial.share)), NOTHING));
        cells.push(ratio(row.ratio(|trial| trial.analysis), NOTHING));
        cells.push(ratio(row.ratio_an_iteration(), NOTHING));
        table.row(cells);
    }
    for (property, (name, _)) in PROPERTIES.into_iter().enumerate() {
        // Of the time in the number of blocks, over all sizes and over the larger half of them.
        let [standard, reduced] = [0, 1].map(|half| {
            let own = rows.iter().filter(|row| row.property == property);
            let time =
                |row: &Row| Some((f64::from(row.blocks), row.halves[half].as_ref()?.analysis));
            let points: Vec<(f64, f64)> = own.filter_map(time).collect();
            let (all, larger) = (exponent(&points), exponent(&points[points.len() / 2..]));
            let (all, larger) = (ratio(all, NOTHING), ratio(larger, NOTHING));
            format!("{} {all} ({larger} from the larger half)", SEMANTICS[half])
        });
        table.note(format!(
            "Fitted exponents of the analysis time in n for {name}: {standard}, {reduced}."
        ));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_programs_have_the_verdicts_of_the_paper() {
        for (property, row) in [["TU", "TT"], ["TU", "TT"], ["FF", "FF"]].into_iter().enumerate() {
            let both = [MixedSemantics::Standard, MixedSemantics::Reduced].into_iter().zip(row);
            for (semantics, verdicts) in both {
                let question = Question { blocks: 5, property, semantics };
                let trial = question.run(Duration::from_secs(60), true).expect("a run");
                let trial = trial.unwrap_or_else(|| panic!("{question:?} takes too long"));
                assert_eq!(trial.verdicts, verdicts, "{question:?}");
                assert!((0.0..1.0).contains(&trial.share), "{question:?}");
            }
        }
        let question = Question { blocks: 200, property: 0, semantics: MixedSemantics::Standard };
        assert!(question.run(Duration::from_millis(1), false).expect("no error").is_none());
    }
}
