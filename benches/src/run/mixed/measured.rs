//! All runs of the experiment.

use super::trial::{Question, Trial};
use crate::run::Bench;
use std::io;
use std::time::Duration;
use symbolic::mixed::Semantics;

/// One property of one program under both semantics. `None` for what takes too long.
pub struct Row {
    pub property: usize,
    pub blocks: u32,
    pub standard: Option<Trial>,
    pub reduced: Option<Trial>,
}

/// The sizes of the paper, and those beyond them for each property.
pub const SIZES: [u32; 3] = [100, 200, 250];
const LARGER: [&[u32]; 3] = [&[500, 1000, 2000], &[500, 1000, 2000], &[500, 1000]];
const LARGER_QUICKLY: &[u32] = &[500];

/// A run has so many seconds, on the wall.
const LIMIT: u64 = 240;
const LIMIT_QUICKLY: u64 = 20;
/// Each is run so often, unless that takes more seconds than there are.
const RUNS: usize = 5;
const PATIENCE: f64 = 10.0;

impl Row {
    pub fn halves(&self) -> [&Option<Trial>; 2] {
        [&self.standard, &self.reduced]
    }

    /// How many times as long the reduced semantics takes.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.reduced.as_ref()?.analysis / self.standard.as_ref()?.analysis)
    }

    /// The same for one iteration.
    pub fn ratio_an_iteration(&self) -> Option<f64> {
        let (standard, reduced) = (self.standard.as_ref()?, self.reduced.as_ref()?);
        Some(self.ratio()? * standard.iterations as f64 / reduced.iterations as f64)
    }

    pub fn has_equal_iterations(&self) -> bool {
        let [standard, reduced] = self.halves().map(|half| half.as_ref().map(|it| it.iterations));
        standard.is_some() && standard == reduced
    }
}

pub fn measure(bench: &Bench) -> io::Result<Vec<Row>> {
    let is_quick = bench.divisor > 1;
    let mut rows = Vec::new();
    for (property, larger) in LARGER.into_iter().enumerate() {
        let larger = if is_quick { LARGER_QUICKLY } else { larger };
        for &blocks in SIZES.iter().chain(larger) {
            rows.push(row(property, blocks, is_quick)?);
        }
    }
    Ok(rows)
}

/// The medians of some runs each, which take turns, so that what else goes on is the same for both.
fn row(property: usize, blocks: u32, is_quick: bool) -> io::Result<Row> {
    let limit = Duration::from_secs(if is_quick { LIMIT_QUICKLY } else { LIMIT });
    let question = |semantics| Question { blocks, property, semantics };
    let questions = [Semantics::Standard, Semantics::Reduced].map(question);
    let mut trials: [Option<Vec<Trial>>; 2] = [Some(Vec::new()), Some(Vec::new())];
    let (mut runs, mut spent) = (0, 0.0);
    while runs < if is_quick { 1 } else { RUNS } && spent < PATIENCE {
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
    let [standard, mut reduced] = trials.map(|trials| trials.and_then(median));
    if let Some(trial) = &mut reduced {
        trial.share = share(questions[1], limit, runs)?;
    }
    Ok(Row { property, blocks, standard, reduced })
}

/// Of ABSREDU, in runs of their own, since looking at the clock takes time.
fn share(question: Question, limit: Duration, runs: usize) -> io::Result<f64> {
    let mut shares = Vec::new();
    for _ in 0..runs {
        shares.extend(question.run(limit, true)?.map(|trial| trial.share));
    }
    shares.sort_by(f64::total_cmp);
    Ok(shares.get(shares.len() / 2).copied().unwrap_or(f64::NAN))
}

fn median(mut trials: Vec<Trial>) -> Option<Trial> {
    trials.sort_by(|a, b| a.analysis.total_cmp(&b.analysis));
    trials.get(trials.len() / 2).cloned()
}
