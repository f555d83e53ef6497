//! What it costs to abstract a command as predicates grow.

use crate::run::table::{self, exponent};
use cegar::abstraction::{Decider, SolverDecider, StepTable};
use smt::{Embedded, Excess, Formula, Relation, Rounding, Solver, Term, Value, Variable};
use support::Monitor;
use transition::integers::IntegerStep;

const SIZES: [usize; 8] = [2, 4, 6, 8, 10, 12, 14, 16];

/// A command and predicates on what it changes, so many of them.
struct Family {
    name: &'static str,
    changes: fn(usize) -> Result<Vec<(u32, Value)>, Excess>,
    predicate: fn(usize) -> Result<Formula, Excess>,
}

const FAMILIES: [Family; 5] = [
    Family {
        name: "`x := x + 1`; x > 0, x > 1, …",
        changes: |_| Ok(vec![(0, variable(0).plus(&number(1)?)?)]),
        predicate: |i| above(variable(0), i),
    },
    Family {
        name: "`x := x + y`; x > 0, y > 0, x > 1, y > 1, …",
        changes: |_| Ok(vec![(0, variable(0).plus(&variable(1))?)]),
        predicate: |i| above(variable(i as u32 % 2), i / 2),
    },
    Family {
        name: "`x, y := x + 1, y + 2`; x - y > 0, x + y > 0, x - y > 1, …",
        changes: |_| {
            Ok(vec![(0, variable(0).plus(&number(1)?)?), (1, variable(1).plus(&number(2)?)?)])
        },
        predicate: |i| match i % 2 {
            0 => above(variable(0).minus(&variable(1))?, i / 2),
            _ => above(variable(0).plus(&variable(1))?, i / 2),
        },
    },
    Family {
        name: "`x := x + 3`; x > 0, x mod 2 = 0, x > 1, x mod 3 = 0, x > 2, x mod 4 = 0, …",
        changes: |_| Ok(vec![(0, variable(0).plus(&number(3)?)?)]),
        predicate: |i| match i % 2 {
            0 => above(variable(0), i / 2),
            _ => {
                let rest = variable(0).modulo(DIVISORS[i / 2], Rounding::TowardsZero)?;
                rest.compared(Relation::Equal, &number(0)?)
            }
        },
    },
    Family {
        name: "`x1, x2, … := x1 + 1, x2 + 1, …`; x1 > 0, x2 > 0, …",
        changes: |n| (0..n as u32).map(|i| Ok((i, variable(i).plus(&number(1)?)?))).collect(),
        predicate: |i| above(variable(i as u32), 0),
    },
];

const DIVISORS: [i64; 8] = [2, 3, 4, 6, 8, 12, 24, 48];

fn variable(number: u32) -> Value {
    Term::variable(Variable(number)).into()
}

fn number(value: usize) -> Result<Value, Excess> {
    Ok(Term::constant(value as i64)?.into())
}

fn above(value: Value, bound: usize) -> Result<Formula, Excess> {
    value.compared(Relation::Greater, &number(bound)?)
}

pub fn table() -> table::Table {
    let mut table = table::Table::new(
        "Integers: queries to abstract a command as predicates grow",
        &["command; predicates", "2", "4", "6", "8", "10", "12", "14", "16", "grows as"],
    );
    for family in &FAMILIES {
        let found = SIZES.map(|size| Some((size, cost(family, size)?)));
        let cell = |found: &Option<(usize, Cost)>| match found {
            Some((_, cost)) => format!("{} ({})", cost.queries, cost.table.may.len()),
            None => "too many states".to_owned(),
        };
        let points: Vec<(usize, f64)> =
            found.iter().flatten().map(|(size, cost)| (*size, cost.queries as f64)).collect();
        let cells = found.iter().map(cell);
        let row = std::iter::once(family.name.to_owned()).chain(cells).chain([growth(&points)]);
        table.row(row.collect());
    }
    let all = SIZES.map(|size| 3u64.pow(size as u32).to_string());
    let row = std::iter::once("all monomials of n predicates, 3ⁿ".to_owned()).chain(all);
    table.row(row.chain(["3ⁿ".to_owned()]).collect());
    table.note(
        "All may and all must transitions of one command between the minterms of n predicates, by the embedded solver; in brackets \
         how many may transitions there are, and a list of them cannot be shorter. Where predicates have nothing to do with each other \
         and a command changes them all, that is 3ⁿ by itself. Fitted: as a power of n, and as a power with the exponent n.",
    );
    table
}

struct Cost {
    queries: u64,
    table: StepTable,
}

/// Nothing if there are too many states.
fn cost(family: &Family, size: usize) -> Option<Cost> {
    let changes = (family.changes)(size).ok()?.into_iter();
    let changes = changes.map(|(variable, value)| (Variable(variable), Some(value)));
    let step = IntegerStep::new((0, 1), Formula::Constant(true), changes, size);
    let predicates: Vec<Formula> =
        (0..size).map(family.predicate).collect::<Result<_, _>>().ok()?;
    let mut solver = Embedded::new();
    let mut decider = SolverDecider::new(&mut solver);
    let asked: Vec<&Formula> = predicates.iter().collect();
    let table = decider.decide(&step, &asked, &Monitor::new()).ok()?;
    Some(Cost { queries: solver.counters().queries, table })
}

fn growth(points: &[(usize, f64)]) -> String {
    let power: Vec<(f64, f64)> = points.iter().map(|&(n, queries)| (n as f64, queries)).collect();
    let base: Vec<(f64, f64)> =
        points.iter().map(|&(n, queries)| ((n as f64).exp(), queries)).collect();
    format!("n^{:.1}, {:.2}ⁿ", exponent(&power), exponent(&base).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked for grows with what is possible, and all that is possible is found: of a chain of n comparisons
    /// there are n + 1 minterms, from each of which one leads on, and from one to both sides of the first.
    #[test]
    fn chains_cost_little() {
        for size in SIZES {
            let cost = cost(&FAMILIES[0], size).expect("few states");
            assert_eq!(cost.table.may.len(), size + 2);
            assert_eq!(cost.table.must.len(), size + 1);
            assert!(cost.queries < 20 * size as u64, "{} for {size}", cost.queries);
        }
    }
}
