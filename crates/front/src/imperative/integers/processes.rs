//! Processes run interleaved: where the whole is, is where each of them is.

use super::build::Builder;
use super::command::LARGEST_PROGRAM;
use super::graph::{Graph, Step as Local, Target};
use super::{IntegerPlace, Mover};
use crate::sink::Parsed;
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Diagnostic, Span};
use transition::predicates::{Condition, Step};

/// More places of the whole than this are not supported.
const MOST_PLACES: usize = 1 << 16;

/// One process of a program.
pub(super) struct Process {
    /// Empty if it is the whole program.
    pub name: String,
    pub span: Span,
    pub graph: Graph,
}

/// The whole.
#[derive(Default)]
pub(super) struct Product {
    /// Of the places.
    pub names: Vec<String>,
    pub places: Vec<IntegerPlace>,
    pub steps: Vec<Step>,
    pub movers: Vec<Option<Mover>>,
    pub start: u32,
    pub error: u32,
    /// Where all processes have ended, if they can get there.
    pub end: Option<u32>,
    /// The places by the numbers of their labels.
    labels: FxHashMap<u32, Vec<u32>>,
}

/// Where each process is.
type Tuple = Vec<u32>;

impl Product {
    pub fn at_label(&self, label: u32) -> Vec<u32> {
        self.labels.get(&label).cloned().unwrap_or_default()
    }

    /// Nothing happens here any more.
    fn stay(&mut self, place: u32) {
        self.steps.push(Step::test(place, Condition::Constant(true), place));
        self.movers.push(None);
    }
}

impl Builder<'_, '_> {
    /// Variables of procedures that several processes call become variables of each of these.
    pub(super) fn separate(&mut self, processes: &mut [Process]) {
        let mut users: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (number, process) in processes.iter().enumerate() {
            process.graph.each_variable(&mut |variable| {
                let users = users.entry(variable).or_default();
                if users.last() != Some(&number) {
                    users.push(number);
                }
            });
        }
        let mut shared: Vec<(u32, Vec<usize>)> = users
            .into_iter()
            .filter(|(variable, users)| users.len() > 1 && self.is_of_procedure(*variable))
            .collect();
        shared.sort_unstable();
        let mut renamed: Vec<FxHashMap<u32, u32>> = vec![FxHashMap::default(); processes.len()];
        for (variable, users) in shared {
            let old = self.names[variable as usize].clone();
            self.scope.remove(&old);
            let name = |user: usize| format!("{}.{old}", processes[user].name);
            // The first one keeps the number.
            self.names[variable as usize] = name(users[0]);
            self.scope.insert(name(users[0]), variable);
            for &user in &users[1..] {
                let described = self.variables[variable as usize].clone();
                if let Ok(copy) = self.variable(name(user), described.domain, described.span) {
                    renamed[user].insert(variable, copy);
                }
            }
        }
        for (process, renamed) in processes.iter_mut().zip(renamed) {
            if !renamed.is_empty() {
                process.graph.rename(&|old| renamed.get(&old).copied().unwrap_or(old));
            }
        }
    }

    fn is_of_procedure(&self, variable: u32) -> bool {
        let owner = self.names[variable as usize].split_once('.');
        owner.is_some_and(|(owner, _)| self.procedures.contains_key(owner))
    }

    /// Makes the whole of the processes. What is wrong is in the sink.
    pub(super) fn multiply(&mut self, processes: &[Process], text: &str) {
        let leaving: Vec<Vec<Vec<&Local>>> =
            processes.iter().map(|process| steps_by_source(&process.graph)).collect();
        let Ok(tuples) = self.tuples(processes, &leaving) else { return };
        let numbers: FxHashMap<&Tuple, u32> = tuples.iter().zip(0..).collect();
        let names = place_names(processes, text);
        let mut product = Product { error: tuples.len() as u32, ..Product::default() };
        product.start = numbers[&vec![0; processes.len()]];
        let mut size = 0;
        for (tuple, number) in tuples.iter().zip(0..) {
            product.places(processes, &names, tuple, number);
            for (process, at) in tuple.iter().enumerate() {
                for local in &leaving[process][*at as usize] {
                    size += local.size();
                    let mut next = tuple.clone();
                    let target = match local.target {
                        Target::Place(target) => {
                            next[process] = target;
                            numbers[&next]
                        }
                        Target::Error | Target::Next => product.error,
                    };
                    let (guard, changes) = (local.guard.clone(), local.changes.clone());
                    product.steps.push(Step { source: number, target, guard, changes });
                    let span = processes[process].graph.places[*at as usize].span;
                    product.movers.push(Some(Mover { process: process as u32, span }));
                }
            }
            if size > LARGEST_PROGRAM {
                self.product_too_large(processes);
                return;
            }
        }
        product.names.push("error".to_owned());
        product.places.push(IntegerPlace { next: Vec::new() });
        product.stay(product.error);
        self.product = product;
    }

    /// Where the whole can be, as far as the graphs tell, in order.
    fn tuples(
        &mut self,
        processes: &[Process],
        leaving: &[Vec<Vec<&Local>>],
    ) -> Parsed<Vec<Tuple>> {
        let start: Tuple = vec![0; processes.len()];
        let mut seen: FxHashSet<Tuple> = [start.clone()].into_iter().collect();
        let mut open = vec![start];
        while let Some(tuple) = open.pop() {
            for (process, at) in tuple.iter().enumerate() {
                for local in &leaving[process][*at as usize] {
                    let Target::Place(target) = local.target else { continue };
                    let mut next = tuple.clone();
                    next[process] = target;
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            if seen.len() > MOST_PLACES {
                return Err(self.product_too_large(processes));
            }
        }
        let mut tuples: Vec<Tuple> = seen.into_iter().collect();
        tuples.sort_unstable();
        Ok(tuples)
    }

    fn product_too_large(&mut self, processes: &[Process]) -> crate::sink::Reported {
        let last = processes.last().map(|process| process.span);
        let places: Vec<String> =
            processes.iter().map(|process| process.graph.places.len().to_string()).collect();
        self.sink.error(|| {
            let span = last.unwrap_or(Span::new(support::FileId(0), 0..0));
            let message = "the program has too many places";
            let label = format!("{} places in all processes", places.join(" × "));
            Diagnostic::error(message, span, label)
                .with_help("every command is a place, and what is counted is the product: write fewer or shorter processes")
        })
    }
}

impl Product {
    /// The place of this number.
    fn places(&mut self, processes: &[Process], names: &[Vec<String>], tuple: &Tuple, number: u32) {
        let here = || processes.iter().zip(tuple).map(|(p, at)| &p.graph.places[*at as usize]);
        let named: Vec<&str> =
            names.iter().zip(tuple).map(|(names, at)| &*names[*at as usize]).collect();
        self.names.push(named.join(","));
        self.places.push(IntegerPlace { next: here().map(|place| place.span).collect() });
        for label in here().flat_map(|place| &place.labels) {
            self.labels.entry(*label).or_default().push(number);
        }
        if here().all(|place| place.is_end) {
            self.end = Some(number);
            self.stay(number);
        }
    }
}

fn steps_by_source(graph: &Graph) -> Vec<Vec<&Local>> {
    let mut steps: Vec<Vec<&Local>> = vec![Vec::new(); graph.places.len()];
    for step in &graph.steps {
        steps[step.source as usize].push(step);
    }
    steps
}

/// Places are called by their lines, in the order of the text.
fn place_names(processes: &[Process], text: &str) -> Vec<Vec<String>> {
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut order: Vec<(u32, usize, usize)> = Vec::new();
    for (number, process) in processes.iter().enumerate() {
        let places = process.graph.places.iter().enumerate();
        order.extend(places.map(|(place, described)| (described.span.start, number, place)));
    }
    order.sort_unstable();
    let mut names: Vec<Vec<String>> =
        processes.iter().map(|process| vec![String::new(); process.graph.places.len()]).collect();
    let mut copies: FxHashMap<usize, u32> = FxHashMap::default();
    for (start, process, place) in order {
        let line = lines.partition_point(|&begin| begin <= start as usize);
        let copy = copies.entry(line).or_insert(0);
        *copy += 1;
        names[process][place] = match *copy {
            1 => format!("line{line}"),
            copy => format!("line{line}_{copy}"),
        };
    }
    names
}
