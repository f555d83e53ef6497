//! What is saved by keeping, from round to round, what the solver has said.

use super::case::Program;
use super::{PATIENCE, cases};
use crate::run::Bench;
use crate::run::table::{Table, geometric_mean};
use cegar::Limits;
use smt::Embedded;
use std::ops::RangeInclusive;

/// A case that was decided both ways.
struct Pair {
    rounds: u32,
    queries: [u64; 2],
}

const ROUNDS: [(&str, RangeInclusive<u32>); 5] = [
    ("1", 1..=1),
    ("2 to 3", 2..=3),
    ("4 to 7", 4..=7),
    ("8 to 15", 8..=15),
    ("16 and more", 16..=u32::MAX),
];

pub fn table(bench: &Bench, programs: &[Program]) -> Table {
    let mut table = Table::new(
        "Integers: going on against starting afresh after each round",
        &["rounds", "cases", "queries", "starting afresh", "ratio", "mean of the cases' ratios"],
    );
    let pairs: Vec<Pair> = cases(bench, programs)
        .filter_map(|(program, property)| Pair::new(bench, program, property))
        .collect();
    for (name, rounds) in ROUNDS {
        let some: Vec<&Pair> = pairs.iter().filter(|pair| rounds.contains(&pair.rounds)).collect();
        table.row(row(name, &some));
    }
    table.row(row("2 and more", &pairs.iter().filter(|pair| pair.rounds > 1).collect::<Vec<_>>()));
    table.row(row("all", &pairs.iter().collect::<Vec<_>>()));
    table.note(
        "Cases of the suite that are decided both ways, with the embedded solver. Who starts afresh asks everything anew when \
         predicates are added, and finds the same ones. The bar is at most half the queries.",
    );
    table
}

impl Pair {
    fn new(bench: &Bench, program: &Program, property: usize) -> Option<Self> {
        let run = |remember: bool| {
            let limits = Limits { remember, ..Limits::default() };
            let (patience, mut solver) = (bench.patience_or(PATIENCE), Embedded::new());
            let answer = program.answer(property, None, limits, patience, &mut solver).ok()?;
            answer.verdict.is_definite().then_some((answer.rounds, answer.counters.queries))
        };
        let ((rounds, kept), (_, afresh)) = (run(true)?, run(false)?);
        Some(Self { rounds, queries: [kept, afresh] })
    }

    fn ratio(&self) -> f64 {
        // A case that the text decides asks nothing.
        self.queries[0].max(1) as f64 / self.queries[1].max(1) as f64
    }
}

fn row(name: &str, pairs: &[&Pair]) -> Vec<String> {
    let sum = |which: usize| pairs.iter().map(|pair| pair.queries[which]).sum::<u64>();
    let ratio =
        |value: f64| if pairs.is_empty() { "–".to_owned() } else { format!("{value:.2}") };
    let ratios: Vec<f64> = pairs.iter().map(|pair| pair.ratio()).collect();
    vec![
        name.to_owned(),
        pairs.len().to_string(),
        sum(0).to_string(),
        sum(1).to_string(),
        ratio(sum(0) as f64 / sum(1) as f64),
        ratio(geometric_mean(&ratios)),
    ]
}
