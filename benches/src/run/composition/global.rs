//! Properties that hang on all modules: what it costs to have tried the modules first.

use super::super::Bench;
use super::super::families::Score;
use super::super::smv::OPTIONS;
use super::super::table::{Table, megabytes, readable};
use super::{Case, Cost, NOTHING, met, name, questions, sizes, time};
use crate::families::{Family, Question, Sort};
use clap::ValueEnum;
use std::io;

/// The time of `compositional`, in those of `symbolic`.
const MOST_RATIO: f64 = 1.5;

/// The time of `auto`, in those of the better of the two.
const MOST_OF_AUTO: f64 = 1.2;

pub fn table(bench: &Bench) -> io::Result<Table> {
    let head = [
        "family",
        "property",
        "kind",
        "n",
        "symbolic",
        "compositional",
        "compositional / symbolic",
        "bar",
        "auto",
        "auto / better",
        "bar",
        "NuSMV",
        "memory, symbolic",
        "compositional",
    ];
    let mut table = Table::new("Composition: global properties against the whole", &head);
    let (mut composed, mut chosen) = (Score::default(), Score::default());
    for &family in Family::value_variants() {
        for (broken, question) in questions(family) {
            if question.sort != Sort::Global {
                continue;
            }
            let row = Row::measure(bench, family, broken, &question)?;
            composed.count(row.ratio().is_some_and(|ratio| ratio <= MOST_RATIO));
            chosen.count(row.ratio_of_auto().is_some_and(|ratio| ratio <= MOST_OF_AUTO));
            table.row(row.cells(family, broken, &question));
        }
    }
    table.note(format!("Within the bars: {composed}, of `auto` {chosen}."));
    table.note(format!(
        "At the largest n that `symbolic` decides within a tenth of the limit of {} s, up to {}. \
         Processor time of the whole process, reading included. The bars: `compositional` takes at most \
         {MOST_RATIO} times as long as `symbolic`, `auto` {MOST_OF_AUTO} times as long as the better of \
         the two. NuSMV with the best of its options, and only of what is in CTL.",
        bench.limit,
        sizes(bench).last().copied().unwrap_or(0)
    ));
    Ok(table)
}

struct Row {
    size: u32,
    symbolic: Option<Cost>,
    compositional: Option<Cost>,
    auto: Option<Cost>,
    nusmv: Option<Cost>,
}

impl Row {
    fn measure(
        bench: &Bench,
        family: Family,
        broken: bool,
        question: &Question,
    ) -> io::Result<Self> {
        let of = |size| Case::new(bench, family, question, broken, size, None);
        let (mut case, mut symbolic) = (of(sizes(bench)[0])?, None);
        for &size in sizes(bench) {
            let larger = of(size)?;
            let cost = larger.ask("symbolic")?;
            let is_short = cost.as_ref().is_some_and(|c| c.cpu <= f64::from(bench.limit) / 10.0);
            if !is_short && symbolic.is_some() {
                break;
            }
            (case, symbolic) = (larger, cost);
        }
        let nusmv = case.ask_nusmv(&mut OPTIONS.to_vec())?;
        let (compositional, auto) = (case.ask("compositional")?, case.ask("auto")?);
        Ok(Self { size: case.size, symbolic, compositional, auto, nusmv })
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.compositional.as_ref()?.cpu / self.symbolic.as_ref()?.cpu)
    }

    fn ratio_of_auto(&self) -> Option<f64> {
        let both = [&self.symbolic, &self.compositional].into_iter().flatten();
        let better = both.map(|cost| cost.cpu).min_by(f64::total_cmp)?;
        Some(self.auto.as_ref()?.cpu / better)
    }

    fn cells(&self, family: Family, broken: bool, question: &Question) -> Vec<String> {
        let mut row = vec![family.name(), name(broken, question), question.kind()];
        row.push(self.size.to_string());
        row.extend([time(self.symbolic.as_ref()), time(self.compositional.as_ref())]);
        row.extend(compared(self.ratio(), MOST_RATIO));
        row.push(time(self.auto.as_ref()));
        row.extend(compared(self.ratio_of_auto(), MOST_OF_AUTO));
        let of_nusmv = self.nusmv.as_ref().map(|cost| readable(cost.cpu));
        row.push(of_nusmv.unwrap_or_else(|| NOTHING.to_owned()));
        let memory = |cost: &Option<Cost>| cost.as_ref().map(|cost| megabytes(cost.peak_bytes));
        row.extend([&self.symbolic, &self.compositional].map(|c| memory(c).unwrap_or_default()));
        row
    }
}

/// The ratio, and whether it is within the bar.
fn compared(ratio: Option<f64>, most: f64) -> [String; 2] {
    let shown = ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
    [shown, met(ratio.is_some_and(|ratio| ratio <= most))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_is_compared_with_the_better() {
        let cost = |cpu| Some(Cost { cpu, ..Cost::default() });
        let row = |symbolic, compositional, auto| Row {
            size: 4,
            symbolic,
            compositional,
            auto,
            nusmv: None,
        };
        let both = row(cost(2.0), cost(1.0), cost(1.5));
        assert_eq!((both.ratio(), both.ratio_of_auto()), (Some(0.5), Some(1.5)));
        let one = row(None, cost(1.0), cost(1.1));
        assert_eq!((one.ratio(), one.ratio_of_auto()), (None, Some(1.1)));
        assert_eq!(compared(Some(1.1), 1.2), ["1.10", "met"]);
        assert_eq!(compared(None, 1.2), ["", "missed"]);
    }
}
