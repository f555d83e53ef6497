//! Properties of one module or two, as the others become more: the cost should be linear, and only a small
//! part of the states should matter.

use super::super::Bench;
use super::super::families::{Score, exponent_above, floor};
use super::super::smv::{OPTIONS, Options};
use super::super::table::{Table, megabytes, percent, readable};
use super::{Case, Cost, NOTHING, SIZES, met, name, questions, sizes, states, time};
use crate::families::{Family, Question, Sort};
use clap::ValueEnum;
use front::{SmvDocument, SmvQuestion};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::sync::Arc;
use support::FileId;

const MOST_EXPONENT: f64 = 1.3;

/// Of the states that can be reached, those that are relevant for a local property.
const MOST_SHARE: f64 = 0.05;

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let (mut times, mut shares) = (times(), shares());
    let (mut linear, mut small) = (Score::default(), Score::default());
    let floor = floor(bench)?;
    for &family in Family::value_variants() {
        for (broken, question) in questions(family) {
            if question.sort == Sort::Global {
                continue;
            }
            let row = Row::measure(bench, (family, broken), &question, floor)?;
            times.row(row.times());
            linear.count(row.is_linear());
            shares.row(row.shares());
            row.is_small().into_iter().for_each(|is_small| small.count(is_small));
        }
    }
    times.note(format!("Within the bar: {linear}."));
    times.note(format!(
        "Processor time of the whole process, reading included; {} s and 4 GB at most. First that of \
         `--method compositional` by size; of the others that at the largest size with an answer. NuSMV \
         with the best of its options, and only of what is in CTL. Exponents are fitted on what is above \
         the {} of a process that does nothing. The bar: an answer at every size, and an exponent of at \
         most {MOST_EXPONENT}.",
        bench.limit,
        readable(floor)
    ));
    shares.note(format!("Within the bar: {small}."));
    shares.note(
        "Memory at the largest size with an answer. Relevant states are those that the composition had \
         to look at after the modules were checked, reachable ones those that `--method symbolic` finds, \
         all those that the variables have, at the largest size at which they are told. The bar, for \
         local properties: at most 5 % of the reachable states are relevant. Where it says `cone` there \
         are modules on which the property does not depend at all, and the reachable states are those \
         of the others.",
    );
    Ok(vec![times, shares])
}

fn times() -> Table {
    let mut head = vec!["family", "property", "kind"];
    head.extend(["n = 4", "8", "16", "32", "64", "128", "exponent"]);
    head.extend(["symbolic", "exponent", "auto", "exponent", "NuSMV", "exponent", "bar"]);
    Table::new("Composition: one module and two, as n grows", &head)
}

fn shares() -> Table {
    let head = [
        "family",
        "property",
        "memory, compositional",
        "symbolic",
        "auto",
        "NuSMV",
        "states, at n =",
        "relevant",
        "reachable",
        "all",
        "relevant / reachable",
        "bar",
    ];
    Table::new("Composition: memory and relevant states", &head)
}

/// One question by all ways.
struct Row<'a> {
    family: Family,
    broken: bool,
    question: &'a Question,
    floor: f64,
    /// The sizes that were tried.
    sizes: &'static [u32],
    compositional: Growth,
    /// Symbolic, auto, NuSMV.
    others: [Growth; 3],
    counts: Counts,
}

/// States at the largest size at which they are known, or at the largest of all.
struct Counts {
    size: u32,
    relevant: Option<f64>,
    reachable: Option<f64>,
    all: Option<f64>,
    /// Whether every module is in the cone of influence: otherwise the reachable states are not those of
    /// the whole, but of what nobody would leave out.
    is_whole: bool,
}

impl Counts {
    fn of(cases: &[Case], compositional: &Growth, symbolic: &Growth) -> Option<Self> {
        let counts = |case: &Case| {
            let figures = |growth: &Growth| Some(growth.at(case.size)?.figures.clone());
            let (all, is_whole) = extent(case).unzip();
            Self {
                size: case.size,
                all,
                is_whole: is_whole.unwrap_or(true),
                relevant: figures(compositional).and_then(|figures| figures.relevant_states),
                reachable: figures(symbolic).and_then(|figures| figures.states),
            }
        };
        let all = || cases.iter().rev().map(counts);
        all().find(|counts| counts.share().is_some()).or_else(|| all().next())
    }

    /// Of the relevant states in the reachable ones.
    fn share(&self) -> Option<f64> {
        Some(self.relevant? / self.reachable?)
    }
}

/// What one way costs by size, up to the largest with an answer.
struct Growth {
    costs: Vec<(u32, Cost)>,
}

impl Growth {
    fn measure(
        cases: &[Case],
        mut ask: impl FnMut(&Case) -> io::Result<Option<Cost>>,
    ) -> io::Result<Self> {
        let mut costs = Vec::new();
        for case in cases {
            let Some(cost) = ask(case)? else { break };
            costs.push((case.size, cost));
        }
        Ok(Self { costs })
    }

    fn at(&self, size: u32) -> Option<&Cost> {
        self.costs.iter().find(|(at, _)| *at == size).map(|(_, cost)| cost)
    }

    fn exponent(&self, floor: f64) -> Option<f64> {
        exponent_above(floor, self.costs.iter().map(|(size, cost)| (*size, cost.cpu)))
    }

    /// Something at the largest size, which is named if it is not the last of all.
    fn largest(&self, last: u32, shown: impl Fn(&Cost) -> String) -> String {
        match self.costs.last() {
            None => NOTHING.to_owned(),
            Some((size, cost)) if *size == last => shown(cost),
            Some((size, cost)) => format!("{} (n = {size})", shown(cost)),
        }
    }

    fn shown_exponent(&self, floor: f64) -> String {
        self.exponent(floor).map_or(String::new(), |value| format!("{value:.2}"))
    }
}

impl<'a> Row<'a> {
    fn measure(
        bench: &'a Bench,
        (family, broken): (Family, bool),
        question: &'a Question,
        floor: f64,
    ) -> io::Result<Self> {
        let sizes = sizes(bench);
        let cases: Vec<Case> = sizes
            .iter()
            .map(|&size| Case::new(bench, family, question, broken, size, None))
            .collect::<io::Result<_>>()?;
        let by = |method| Growth::measure(&cases, |case| case.ask(method));
        let mut options: Vec<Options> = OPTIONS.to_vec();
        let nusmv = Growth::measure(&cases, |case| case.ask_nusmv(&mut options))?;
        let (compositional, symbolic) = (by("compositional")?, by("symbolic")?);
        let counts = Counts::of(&cases, &compositional, &symbolic)
            .ok_or_else(|| io::Error::other("there are no sizes"))?;
        let others = [symbolic, by("auto")?, nusmv];
        Ok(Self { family, broken, question, floor, sizes, compositional, others, counts })
    }

    fn last(&self) -> u32 {
        self.sizes.last().copied().unwrap_or(0)
    }

    fn is_linear(&self) -> bool {
        let exponent = self.compositional.exponent(self.floor);
        self.compositional.at(self.last()).is_some()
            && exponent.is_some_and(|exponent| exponent <= MOST_EXPONENT)
    }

    fn times(&self) -> Vec<String> {
        let mut row = vec![self.family.name(), name(self.broken, self.question)];
        row.push(self.question.kind());
        row.extend(SIZES.map(|size| match self.sizes.contains(&size) {
            true => time(self.compositional.at(size)),
            false => String::new(),
        }));
        row.push(self.compositional.shown_exponent(self.floor));
        for other in &self.others {
            row.push(other.largest(self.last(), |cost| readable(cost.cpu)));
            row.push(other.shown_exponent(self.floor));
        }
        row.push(met(self.is_linear()));
        row
    }

    /// Whether a local property is within the bar.
    fn is_small(&self) -> Option<bool> {
        let is_asked = self.question.sort == Sort::Local && self.counts.is_whole;
        is_asked.then(|| self.counts.share().is_some_and(|share| share <= MOST_SHARE))
    }

    fn shares(&self) -> Vec<String> {
        let mut row = vec![self.family.name(), name(self.broken, self.question)];
        let memory =
            |growth: &Growth| growth.largest(self.last(), |cost| megabytes(cost.peak_bytes));
        row.extend([&self.compositional].into_iter().chain(&self.others).map(memory));
        let Counts { size, relevant, reachable, all, is_whole } = self.counts;
        row.push(size.to_string());
        row.extend([relevant, reachable, all].map(states));
        let share = self.counts.share().map(|share| percent(100.0 * share));
        row.push(share.unwrap_or_else(|| NOTHING.to_owned()));
        row.push(if is_whole {
            self.is_small().map_or(String::new(), met)
        } else {
            "cone".to_owned()
        });
        row
    }
}

/// How many states the variables of a design have, and whether the question depends on every module; `None`
/// if the file is not read.
fn extent(case: &Case) -> Option<(f64, bool)> {
    let text: Arc<str> = fs::read_to_string(&case.path).ok()?.into();
    let logic = if case.formula.is_ctl { logic::Logic::Ctl } else { logic::Logic::Mu };
    let question = SmvQuestion { logic, file: FileId(1), text: case.formula.text.as_str().into() };
    let SmvDocument { machine, propositions, .. } =
        front::read_smv_asking(FileId(0), &text, &[question]).ok()?;
    let cone = machine.cone(propositions.iter().map(|property| property.node));
    let (mut states, mut modules, mut dependent) = (1.0, HashSet::new(), HashSet::new());
    for var in machine.state_vars() {
        states *= machine.vars[var].domain.size() as f64;
        let name = machine.vars[var].name.split('.').next();
        modules.insert(name);
        dependent.extend(cone.contains(var).then_some(name));
    }
    Some((states, modules == dependent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_size_is_named_if_it_is_not_the_last() {
        let cost = |cpu| Cost { cpu, ..Cost::default() };
        let growth = Growth { costs: vec![(4, cost(0.004)), (8, cost(0.008))] };
        let shown = |growth: &Growth, last| growth.largest(last, |cost| readable(cost.cpu));
        assert_eq!([8, 16].map(|last| shown(&growth, last)), ["8.00 ms", "8.00 ms (n = 8)"]);
        assert_eq!(growth.shown_exponent(0.0), "1.00");
        let nothing = Growth { costs: Vec::new() };
        assert_eq!([shown(&nothing, 8), nothing.shown_exponent(0.0)], ["–", ""]);
    }
}
