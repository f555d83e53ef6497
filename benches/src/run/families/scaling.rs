//! Properties of one component or two, as the others become more: the product grows exponentially,
//! the cost should be linear.

use super::super::Bench;
use super::super::process::measure;
use super::super::table::{Table, exponent, milliseconds, seconds};
use super::{Member, Sample, Score, Way, ask};
use crate::families::{Family, Question, Sort};
use clap::ValueEnum;
use std::io;

const SIZES: [u32; 7] = [4, 8, 16, 32, 64, 128, 256];

/// The last of those that the bars speak of.
const MIDDLE: u32 = 64;

const MOST_EXPONENT: f64 = 1.2;
const MOST_SECONDS: f64 = 1.0;

pub fn table(bench: &Bench) -> io::Result<Table> {
    let mut head = vec!["family", "property", "kind"];
    head.extend(["n = 4", "8", "16", "32", "64", "128", "256", "process, n = 64"]);
    head.extend(["nodes, n = 4", "n = 64", "exponent to 64", "from 64", "bars"]);
    let mut table = Table::new("Families: one component and two, as n grows", &head);
    let mut score = Score::default();
    let floor = floor(bench)?;
    for &family in Family::value_variants() {
        for broken in [false, true] {
            fill(bench, (family, broken), floor, &mut table, &mut score)?;
        }
    }
    table.note(format!("Within the bars: {score}."));
    table.note(format!("A process that does nothing takes {}.", milliseconds(floor)));
    table.note(EXPLANATION);
    Ok(table)
}

fn fill(
    bench: &Bench,
    (family, broken): (Family, bool),
    floor: f64,
    table: &mut Table,
    score: &mut Score,
) -> io::Result<()> {
    let members: Vec<Member> = sizes(bench)
        .iter()
        .map(|&size| Member::new(bench, family, size, broken))
        .collect::<io::Result<_>>()?;
    for question in members[0].questions().iter().filter(|q| q.sort != Sort::Global) {
        let growth = Growth::measure(bench, &members, question, floor)?;
        score.count(growth.failed().is_empty());
        table.row(growth.row(&members[0], question));
        if let Some(reason) = growth.reason(family, question) {
            table.note_once(reason);
        }
    }
    Ok(())
}

const EXPLANATION: &str = "\
`--method compositional`. The times by size are processor time of the whole process, reading included, of \
all threads together, the least of five runs: other work goes on next to them, and changes that least. Next \
to them how long the process takes at n = 64. The exponents are fitted on what is above the time of a process \
that does nothing. Nodes are those of the lifted components that were coloured and of the products. The \
bars: exponent at most 1.2, less than a second at n = 64. Reading, which is linear, is part of the work, so \
the exponents of checking alone can be higher. No answer: 10 s and 4 GB were not enough.";

/// Less than this cannot be measured.
const SMALLEST: f64 = 1e-4;

/// The processor time of a process that does nothing.
pub fn floor(bench: &Bench) -> io::Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..20 {
        least = least.min(measure(&bench.tools.tertium, &["--version"])?.cpu_seconds);
    }
    Ok(least)
}

/// Of processor time in sizes, above that of a process that does nothing; two points at least.
pub fn exponent_above(floor: f64, points: impl Iterator<Item = (u32, f64)>) -> Option<f64> {
    let points: Vec<(f64, f64)> =
        points.map(|(size, cpu)| (f64::from(size), (cpu - floor).max(SMALLEST))).collect();
    (points.len() > 1).then(|| exponent(&points))
}

const HIDDEN_TURNS: &str = "\
Why there is no answer in the arbiter tree: a node has no choice, and what it grants next hangs on whose \
turn it is, which no wire shows. So of a user's steps, with the grant and without, one is sure to come and \
neither is certain by itself: a must transition cannot say that. It is the same with what the node asks of \
its parent and what its parent grants, until the whole tree is in the product.";

const CACHES_BEHIND: &str = "\
Why the exponent of msi up to 64 is too high: the cost is linear, with an offset. Every cache that is not \
in the product and reads the bus is asked whether it can block a step, so it grows like n - 3, and n = 4 is \
cheaper than its share.";

fn sizes(bench: &Bench) -> &'static [u32] {
    if bench.divisor == 1 { &SIZES } else { &SIZES[..4] }
}

struct Growth {
    /// By size; an answer that is not definite is the last.
    samples: Vec<(u32, Sample)>,
    /// The processor time of a process that does nothing.
    floor: f64,
}

impl Growth {
    fn measure(
        bench: &Bench,
        members: &[Member],
        question: &Question,
        floor: f64,
    ) -> io::Result<Self> {
        let (limit, runs) = if bench.divisor == 1 { (10, 5) } else { (1, 1) };
        let way = Way { method: "compositional", limit, runs };
        let mut samples = Vec::new();
        for member in members {
            let sample = ask(bench, &member.path, question, way)?;
            let is_definite = sample.is_definite();
            samples.push((member.size, sample));
            if !is_definite {
                break;
            }
        }
        Ok(Self { samples, floor })
    }

    fn at(&self, size: u32) -> Option<&Sample> {
        let found = self.samples.iter().find(|(at, sample)| *at == size && sample.is_definite());
        found.map(|(_, sample)| sample)
    }

    /// Of the work above the floor, over some sizes.
    fn exponent(&self, sizes: impl Fn(u32) -> bool) -> Option<f64> {
        let points = self
            .samples
            .iter()
            .filter(|(size, sample)| sizes(*size) && sample.is_definite())
            .map(|(size, sample)| (*size, sample.cpu));
        exponent_above(self.floor, points)
    }

    /// The bars that are not met.
    fn failed(&self) -> Vec<String> {
        let Some(middle) = self.at(MIDDLE) else {
            let last = self.samples.last().map_or(0, |(size, _)| *size);
            return vec![format!("no answer at n = {last}")];
        };
        let mut failed = Vec::new();
        if middle.process >= MOST_SECONDS {
            failed.push(seconds(middle.process));
        }
        for exponent in self.exponents().into_iter().flatten().filter(|&e| e > MOST_EXPONENT) {
            failed.push(format!("exponent {exponent:.2}"));
        }
        failed
    }

    /// Up to the size that the bars speak of, and from there.
    fn exponents(&self) -> [Option<f64>; 2] {
        [self.exponent(|size| size <= MIDDLE), self.exponent(|size| size >= MIDDLE)]
    }

    /// Why bars are not met, where that is known.
    fn reason(&self, family: Family, question: &Question) -> Option<&'static str> {
        let is_unanswered = self.at(MIDDLE).is_none();
        let is_steep = self.exponents()[0].is_some_and(|exponent| exponent > MOST_EXPONENT);
        match family {
            Family::ArbiterTree if is_unanswered && question.needs_musts() => Some(HIDDEN_TURNS),
            Family::Msi if is_steep => Some(CACHES_BEHIND),
            _ => None,
        }
    }

    fn row(&self, member: &Member, question: &Question) -> Vec<String> {
        let mut row = vec![member.family.name(), member.name(question), question.kind()];
        for size in SIZES {
            let time = self.at(size).map(|sample| milliseconds(sample.cpu));
            let is_over = self.samples.iter().any(|(at, _)| *at == size) && time.is_none();
            row.push(time.unwrap_or_else(|| if is_over { "no answer" } else { "" }.to_owned()));
        }
        row.push(self.at(MIDDLE).map_or(String::new(), |sample| milliseconds(sample.process)));
        for size in [SIZES[0], MIDDLE] {
            let nodes = |sample: &Sample| {
                (sample.figures.component_nodes + sample.figures.product_nodes).to_string()
            };
            row.push(self.at(size).map_or(String::new(), nodes));
        }
        row.extend(
            self.exponents().map(|exponent| exponent.map_or(String::new(), |e| format!("{e:.2}"))),
        );
        let failed = self.failed();
        row.push(if failed.is_empty() { "met".to_owned() } else { failed.join(", ") });
        row
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::figures::Figures;
    use super::*;

    fn growth(times: &[(u32, f64)]) -> Growth {
        let sample = |seconds: f64| {
            let verdict = if seconds.is_finite() { "true" } else { "unknown" }.to_owned();
            let figures = Figures { verdict, ..Figures::default() };
            Sample {
                figures,
                checking: seconds,
                process: seconds + 0.1,
                cpu: seconds,
                peak_bytes: 0,
            }
        };
        Growth {
            samples: times.iter().map(|&(size, time)| (size, sample(time))).collect(),
            floor: 0.0,
        }
    }

    #[test]
    fn linear_growth_meets_the_bars() {
        let linear: Vec<(u32, f64)> = SIZES.map(|n| (n, f64::from(n) * 1e-4)).to_vec();
        assert_eq!(growth(&linear).failed(), Vec::<String>::new());
        let square: Vec<(u32, f64)> = SIZES.map(|n| (n, f64::from(n * n) * 1e-5)).to_vec();
        assert_eq!(growth(&square).failed(), ["exponent 2.00", "exponent 2.00"]);
        let slow: Vec<(u32, f64)> = SIZES.map(|n| (n, f64::from(n) * 0.1)).to_vec();
        assert_eq!(growth(&slow).failed(), ["6.500 s"]);
        let raised = linear.iter().map(|&(n, time)| (n, time + 0.5)).collect::<Vec<_>>();
        let above = Growth { floor: 0.5, ..growth(&raised) };
        assert!(above.exponents().into_iter().flatten().all(|e| (e - 1.0).abs() < 1e-9));
        let stuck = [(4, 0.1), (8, f64::INFINITY)];
        assert_eq!(growth(&stuck).failed(), ["no answer at n = 8"]);
    }
}
