//! The states of a program near its start.

use front::{IntegerDomain, IntegerVariable};
use rustc_hash::FxHashMap;
use smt::{LinearFormula, Variable};
use testkit::IntegerDocument;
use transition::integers::IntegerStep;

/// The states that were looked at, with all that is known of their successors.
pub struct Explored {
    /// The place and the values.
    pub states: Vec<(u32, Vec<i64>)>,
    pub successors: Vec<Vec<usize>>,
    /// Whether more follows than is known.
    pub leaves: Vec<bool>,
    pub starts: Vec<usize>,
}

/// More states than this are not looked at.
pub const MOST_STATES: usize = 20_000;
const FARTHEST: i64 = 1 << 40;
/// Tuples of values for what begins with any.
const MOST_STARTS: usize = 2_000;

/// Goes breadth first, so that all starts get their share. `near` is what is tried where a variable can be anything.
pub fn explore(document: &IntegerDocument, near: &[i64]) -> Explored {
    let mut search = Search { found: Explored::default(), numbers: FxHashMap::default() };
    for values in starts(document, near) {
        let number = search.enter((document.start.location, values));
        search.found.starts.extend(number);
    }
    while search.found.successors.len() < search.found.states.len() {
        let (place, values) = search.found.states[search.found.successors.len()].clone();
        let (mut successors, mut leaves) = (Vec::new(), false);
        for step in document.program.steps.iter().filter(|step| step.source == place) {
            leaves |= !step.free.is_empty();
            for next in results(step, &values, near) {
                match next.and_then(|next| search.enter((step.target, next))) {
                    Some(number) => successors.push(number),
                    None => leaves = true,
                }
            }
        }
        search.found.successors.push(successors);
        search.found.leaves.push(leaves);
    }
    search.found
}

impl Default for Explored {
    fn default() -> Self {
        let (states, successors) = (Vec::new(), Vec::new());
        Self { states, successors, leaves: Vec::new(), starts: Vec::new() }
    }
}

struct Search {
    found: Explored,
    numbers: FxHashMap<(u32, Vec<i64>), usize>,
}

impl Search {
    /// The number of a state; none if there are enough of them.
    fn enter(&mut self, state: (u32, Vec<i64>)) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&state) {
            return Some(number);
        }
        let number = self.found.states.len();
        (number < MOST_STATES).then(|| {
            self.numbers.insert(state.clone(), number);
            self.found.states.push(state);
            number
        })
    }
}

/// Tuples with which the program can begin, the smallest numbers first.
fn starts(document: &IntegerDocument, near: &[i64]) -> Vec<Vec<i64>> {
    let begins = &document.start.condition;
    let values: Vec<Vec<i64>> = (0..)
        .zip(&document.variables)
        .map(|(number, variable)| values_of(number, variable, begins, near))
        .collect();
    let mut shared = near.len();
    let size = |shared: usize| values.iter().map(|own| own.len().min(shared)).product::<usize>();
    while size(shared) > MOST_STARTS && shared > 1 {
        shared -= 1;
    }
    let mut tuples = vec![Vec::new()];
    for own in &values {
        let longer = |tuple: &Vec<i64>| {
            let tuple = tuple.clone();
            own.iter().take(shared).map(move |&value| [&tuple[..], &[value]].concat())
        };
        tuples = tuples.iter().flat_map(longer).collect();
    }
    tuples.retain(|values| {
        begins.holds(&|variable: Variable| values[variable.0 as usize].into()) == Some(true)
    });
    tuples
}

/// The initial values of a variable, as far as conditions on it alone tell.
fn values_of(
    number: u32,
    variable: &IntegerVariable,
    begins: &LinearFormula,
    near: &[i64],
) -> Vec<i64> {
    let all: Vec<i64> = match &variable.domain {
        IntegerDomain::Int => near.to_vec(),
        IntegerDomain::Range(low, high) => (*low..=*high).collect(),
        IntegerDomain::Bool => vec![0, 1],
        IntegerDomain::Constants(constants) => constants.iter().map(|(value, _)| *value).collect(),
    };
    let mut own = Vec::new();
    conditions_on(number, begins, &mut own);
    let fits =
        |value: i64| own.iter().all(|condition| condition.holds(&|_| value.into()) == Some(true));
    all.into_iter().filter(|&value| fits(value)).collect()
}

fn conditions_on<'a>(
    number: u32,
    condition: &'a LinearFormula,
    found: &mut Vec<&'a LinearFormula>,
) {
    match condition {
        LinearFormula::And(parts) => {
            parts.iter().for_each(|part| conditions_on(number, part, found));
        }
        _ if condition.variables() == [Variable(number)] => found.push(condition),
        _ => {}
    }
}

/// The successors of some values by a step; `None` for those beyond the bound.
fn results(step: &IntegerStep, values: &[i64], near: &[i64]) -> Vec<Option<Vec<i64>>> {
    // A free variable is behind those of the program.
    let of = |chosen: i64| {
        move |variable: Variable| i128::from(*values.get(variable.0 as usize).unwrap_or(&chosen))
    };
    if step.guard.holds(&of(0)) != Some(true) {
        return Vec::new();
    }
    let Some((changed, value)) = step.changes.first() else { return vec![Some(values.to_vec())] };
    assert_eq!(step.changes.len(), 1);
    let with = |&chosen: &i64| {
        let value = value.value(&of(chosen)).expect("a small number") as i64;
        let mut next = values.to_vec();
        next[changed.0 as usize] = value;
        (value.abs() <= FARTHEST).then_some(next)
    };
    match step.free.is_empty() {
        true => vec![with(&0)],
        false => near.iter().map(with).collect(),
    }
}
