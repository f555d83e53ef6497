//! Designs that are blown up with data on which nothing depends that is asked: what an abstraction looks at
//! should not grow with the width of words.

use super::super::Bench;
use super::super::families::Score;
use super::super::table::Table;
use super::{Case, Cost, NO_ANSWER, met, name, questions, time};
use crate::families::{Family, Question};
use clap::ValueEnum;
use std::io;

const WIDTHS: [u32; 4] = [8, 16, 32, 64];

pub fn table(bench: &Bench) -> io::Result<Table> {
    let head = [
        "family",
        "n",
        "property",
        "kind",
        "abstract states, rounds: 8 bits",
        "16",
        "32",
        "64",
        "bar",
        "refine, 8 bits",
        "64",
        "symbolic, 8 bits",
        "64",
    ];
    let mut table = Table::new("Composition: words that do not matter", &head);
    let mut score = Score::default();
    let size = if bench.divisor == 1 { 4 } else { 3 };
    for &family in Family::value_variants() {
        for (broken, question) in questions(family).into_iter().filter(|(broken, _)| !broken) {
            let row = Row::measure(bench, family, size, &question)?;
            score.count(row.is_the_same());
            let mut cells = vec![family.name(), size.to_string(), name(broken, &question)];
            cells.push(question.kind());
            cells.extend(row.cells());
            table.row(cells);
        }
    }
    table.note(format!("Within the bar: {score}."));
    table.note(format!(
        "Each part has a counter that never stops, and in one place does one thing or another while it is \
         zero; in the pipeline a word goes with the datum (`gen family NAME n --smv --data BITS`). \
         `--method refine`: abstract states of all parts together, and rounds. Processor time; {} s at \
         most. The bar: an answer at every width, with the same number of abstract states and of rounds. \
         `--method symbolic` is asked at 64 bits only if it has an answer at 8.",
        bench.limit
    ));
    Ok(table)
}

struct Row {
    /// By width.
    refined: [Option<Cost>; 4],
    /// At the smallest and at the largest width.
    symbolic: [Option<Cost>; 2],
}

impl Row {
    fn measure(bench: &Bench, family: Family, size: u32, question: &Question) -> io::Result<Self> {
        let ask = |method: &str, width| {
            Case::new(bench, family, question, false, size, Some(width))?.ask(method)
        };
        let mut refined = [const { None }; 4];
        for (cost, width) in refined.iter_mut().zip(WIDTHS) {
            *cost = ask("refine", width)?;
            // What is too much now will not be less.
            if cost.is_none() {
                break;
            }
        }
        let small = ask("symbolic", WIDTHS[0])?;
        let large = if small.is_some() { ask("symbolic", WIDTHS[3])? } else { None };
        Ok(Self { refined, symbolic: [small, large] })
    }

    fn is_the_same(&self) -> bool {
        let counts = self.refined.each_ref().map(|cost| cost.as_ref().map(counts));
        counts[0].is_some() && counts.iter().all(|count| *count == counts[0])
    }

    fn cells(&self) -> Vec<String> {
        let shown = |cost: &Option<Cost>| match cost.as_ref().map(counts) {
            None => NO_ANSWER.to_owned(),
            Some((states, rounds)) => format!("{states}, {rounds}"),
        };
        let mut cells: Vec<String> = self.refined.iter().map(shown).collect();
        cells.push(met(self.is_the_same()));
        let [small, .., large] = &self.refined;
        cells.extend([small, large].map(|cost| time(cost.as_ref())));
        cells.extend(self.symbolic.each_ref().map(|cost| time(cost.as_ref())));
        cells
    }
}

/// Abstract states and rounds.
fn counts(cost: &Cost) -> (u64, u64) {
    (cost.figures.abstract_states, cost.figures.iterations)
}

#[cfg(test)]
mod tests {
    use super::super::super::figures::Figures;
    use super::*;

    #[test]
    fn the_same_at_every_width() {
        let cost = |abstract_states| {
            let figures = Figures { abstract_states, iterations: 2, ..Figures::default() };
            Some(Cost { figures, ..Cost::default() })
        };
        let row = |last| Row { refined: [cost(7), cost(7), cost(7), last], symbolic: [None, None] };
        assert!(row(cost(7)).is_the_same());
        assert!(!row(cost(8)).is_the_same());
        assert!(!row(None).is_the_same());
        assert_eq!(row(None).cells()[..5], ["7, 2", "7, 2", "7, 2", "no answer", "missed"]);
    }
}
