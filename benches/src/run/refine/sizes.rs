//! Abstract states at the verdict against concrete ones, and whether detail that does not matter makes
//! them more.

use super::super::Bench;
use super::super::table::Table;
use super::{Case, NO_ANSWER, Way, ask, coloured, looked_at};
use crate::detail::{Detail, blow_up};
use crate::families::Family;
use clap::ValueEnum;
use explicit::{Method, Outcome, Refinement};
use std::io;
use std::time::Duration;

pub fn of_families(bench: &Bench) -> io::Result<Table> {
    let head = [
        "family",
        "n",
        "property",
        "verdict",
        "components looked at",
        "abstract states",
        "concrete states",
        "share",
        "rounds",
        "states of the whole",
    ];
    let mut table = Table::new("Refinement: abstract states at the verdict", &head);
    for &family in Family::value_variants() {
        let case = Case::new(family, size(bench), false);
        for asked in &case.questions {
            let refined = ask(&case, asked, &refine(bench))?;
            let way = Way { method: Method::Direct, ..refine(bench) };
            let whole = ask(&case, asked, &way)?.and_then(|outcome| outcome.stats.states);
            let mut row = vec![family.name(), case.size.to_string()];
            row.extend([asked.question.name.to_owned(), asked.question.holds.to_string()]);
            row.extend(share(refined.as_ref()));
            row.push(whole.map_or(NO_ANSWER.to_owned(), |states| states.to_string()));
            table.row(row);
        }
    }
    table.note(
        "Abstract and concrete states are those of the components that were looked at, at the verdict; \
         the states of the whole are those that `direct` composes.",
    );
    Ok(table)
}

/// Components looked at, abstract states, concrete states, share, rounds.
fn share(outcome: Option<&Outcome>) -> [String; 5] {
    let Some(outcome) = outcome else { return [NO_ANSWER, "", "", "", ""].map(str::to_owned) };
    let (parts, few, many) = looked_at(outcome);
    let share = format!("{:.0} %", 100.0 * few as f64 / many as f64);
    let rounds = outcome.stats.iterations.unwrap_or(0);
    [parts.to_string(), few.to_string(), many.to_string(), share, rounds.to_string()]
}

/// The domain of the detail, before and after it has grown.
const SMALL: u32 = 10;
const LARGE: u32 = 1000;

pub fn with_detail(bench: &Bench) -> io::Result<Table> {
    let head = [
        "family",
        "n",
        "detail",
        "properties",
        "abstract states, without",
        "10 values",
        "1000 values",
        "concrete states, 10",
        "1000",
        "coloured nodes, 10",
        "1000",
        "the same number",
    ];
    let mut table = Table::new("Refinement: detail that does not matter", &head);
    for &family in Family::value_variants() {
        for &detail in Detail::value_variants() {
            let counts = Counts::measure(bench, family, detail)?;
            table.row(counts.row(family, detail));
            if !counts.failed.is_empty() {
                let (family, detail) = (family.name(), detail.name());
                table.note(format!("{family}, {detail}: {}.", counts.failed.join("; ")));
            }
        }
    }
    table.note(
        "Each component also carries a value that no property asks about (`gen detail`): a counter that \
         each of its steps moves on, or data that a step keeps, increments or doubles. Sums over the \
         properties that are decided with both domains. The bar: the same number of abstract states, \
         for each property, when the domain grows a hundred times.",
    );
    Ok(table)
}

/// Sums over the properties of a family.
#[derive(Default)]
struct Counts {
    same: usize,
    all: usize,
    abstract_states: [u64; 3],
    concrete_states: [u64; 3],
    coloured: [u64; 3],
    /// Properties and what went wrong.
    failed: Vec<String>,
}

impl Counts {
    fn measure(bench: &Bench, family: Family, detail: Detail) -> io::Result<Self> {
        let with = |domain| {
            Case::changed(family, DETAIL_SIZE, false, |system| blow_up(&system, detail, domain))
        };
        let cases = [Case::new(family, DETAIL_SIZE, false), with(SMALL), with(LARGE)];
        let mut counts = Self::default();
        for number in 0..cases[0].questions.len() {
            let mut outcomes = Vec::new();
            for case in &cases {
                outcomes.extend(ask(case, &case.questions[number], &refine(bench))?);
            }
            counts.add(cases[0].questions[number].question.name, &outcomes);
        }
        Ok(counts)
    }

    fn add(&mut self, name: &str, outcomes: &[Outcome]) {
        self.all += 1;
        let [_, small, large] = outcomes else {
            self.failed.push(format!("`{name}`: {NO_ANSWER}"));
            return;
        };
        for (place, outcome) in outcomes.iter().enumerate() {
            let (_, few, many) = looked_at(outcome);
            self.abstract_states[place] += few;
            self.concrete_states[place] += many;
            self.coloured[place] += coloured(outcome);
        }
        let [before, after] = [small, large].map(|outcome| looked_at(outcome).1);
        if before == after {
            self.same += 1;
        } else {
            self.failed.push(format!("`{name}`: {before} abstract states, then {after}"));
        }
    }

    fn row(&self, family: Family, detail: Detail) -> Vec<String> {
        let mut row = vec![family.name(), DETAIL_SIZE.to_string(), detail.name()];
        row.push(self.all.to_string());
        row.extend(self.abstract_states.map(|states| states.to_string()));
        row.extend([self.concrete_states[1], self.concrete_states[2]].map(|n| n.to_string()));
        row.extend([self.coloured[1], self.coloured[2]].map(|n| n.to_string()));
        row.push(format!("{} of {}", self.same, self.all));
        row
    }
}

const DETAIL_SIZE: u32 = 3;

fn size(bench: &Bench) -> u32 {
    if bench.divisor == 1 { 4 } else { 2 }
}

fn refine(bench: &Bench) -> Way {
    let limit = if bench.divisor == 1 { 3 } else { 1 };
    Way::refine(Refinement::default(), Duration::from_secs(limit))
}
