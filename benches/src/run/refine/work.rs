//! What it saves to remember definite nodes and to prune: nodes coloured over all rounds, with and
//! without.

use super::super::Bench;
use super::super::table::Table;
use super::{Case, Way, ask, coloured};
use crate::families::Family;
use clap::ValueEnum;
use explicit::Refinement;
use std::io;
use std::time::Duration;

/// Of the work without the incremental part.
const MOST_SHARE: f64 = 0.5;

const VARIANTS: usize = 7;

/// A way to refine, and what a table calls it.
struct Variant {
    name: &'static str,
    refinement: Refinement,
}

/// The first has everything, the second is not incremental.
fn variants() -> [Variant; VARIANTS] {
    let all = Refinement::default;
    let variant = |name, refinement| Variant { name, refinement };
    [
        variant("everything", all()),
        variant("nothing remembered", Refinement { remember: false, ..all() }),
        variant("absent nodes kept", Refinement { drop_absent: false, ..all() }),
        variant("no colours from products", Refinement { take_over: false, ..all() }),
        variant("all sides at once", Refinement { one_side_first: false, ..all() }),
        variant("looking when asked", Refinement { eager: false, ..all() }),
        variant("hyper-transitions", Refinement { hyper: true, ..all() }),
    ]
}

pub fn table(bench: &Bench) -> io::Result<Table> {
    let mut head = vec!["family", "n", "properties"];
    head.extend(variants().iter().map(|variant| variant.name));
    head.extend(["everything / nothing remembered", "bar"]);
    let mut table = Table::new("Refinement: nodes coloured over all rounds", &head);
    let mut total = Work::default();
    for &family in Family::value_variants() {
        for &size in if bench.divisor == 1 { &[2, 3, 4][..] } else { &[2] } {
            let work = Work::measure(bench, &Case::new(family, size, false))?;
            table.row(work.row(family.name(), size.to_string()));
            if !work.unanswered.is_empty() {
                let names = work.unanswered.join("; ");
                table.note(format!("Left out: {} {size}: {names}.", family.name()));
            }
            total.add(&work);
        }
    }
    table.row(total.row("all".to_owned(), String::new()));
    table.note(
        "Sums over the properties that every variant decides in two seconds. The bar: with everything \
         at most half of what is coloured when nothing is remembered. A property that is left out is \
         decided by no variant, or not by those in brackets.",
    );
    Ok(table)
}

#[derive(Default)]
struct Work {
    answered: usize,
    /// By variant.
    coloured: [u64; VARIANTS],
    /// Properties, with the variants that do not decide them.
    unanswered: Vec<String>,
}

impl Work {
    fn measure(bench: &Bench, case: &Case) -> io::Result<Self> {
        let limit = Duration::from_secs(if bench.divisor == 1 { 2 } else { 1 });
        let mut work = Self::default();
        for asked in &case.questions {
            let (mut nodes, mut without) = (Vec::new(), Vec::new());
            for Variant { name, refinement } in variants() {
                match ask(case, asked, &Way::refine(refinement, limit))? {
                    Some(outcome) => nodes.push(coloured(&outcome)),
                    None => without.push(name),
                }
            }
            match <[u64; VARIANTS]>::try_from(nodes) {
                Ok(nodes) => work.count(&nodes),
                Err(none) if none.is_empty() => {
                    work.unanswered.push(format!("`{}`", asked.question.name));
                }
                Err(_) => {
                    let (name, without) = (asked.question.name, without.join(", "));
                    work.unanswered.push(format!("`{name}` ({without})"));
                }
            }
        }
        Ok(work)
    }

    fn count(&mut self, coloured: &[u64; VARIANTS]) {
        self.answered += 1;
        self.coloured.iter_mut().zip(coloured).for_each(|(sum, nodes)| *sum += nodes);
    }

    fn add(&mut self, other: &Work) {
        self.answered += other.answered;
        self.coloured.iter_mut().zip(other.coloured).for_each(|(sum, nodes)| *sum += nodes);
    }

    fn share(&self) -> f64 {
        self.coloured[0] as f64 / self.coloured[1] as f64
    }

    fn row(&self, family: String, size: String) -> Vec<String> {
        let mut row = vec![family, size, self.answered.to_string()];
        row.extend(self.coloured.map(|nodes| nodes.to_string()));
        row.push(format!("{:.2}", self.share()));
        row.push(if self.share() <= MOST_SHARE { "met" } else { "missed" }.to_owned());
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_is_enough() {
        let mut work = Work::default();
        work.count(&[3, 6, 4, 4, 4, 4, 4]);
        assert_eq!(work.row(String::new(), String::new())[10..], ["0.50", "met"]);
        let mut total = Work::default();
        total.add(&work);
        total.count(&[4, 5, 0, 0, 0, 0, 0]);
        assert_eq!((total.answered, total.coloured[1]), (2, 11));
        assert_eq!(total.row(String::new(), String::new())[10..], ["0.64", "missed"]);
    }
}
