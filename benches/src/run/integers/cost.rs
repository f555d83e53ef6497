//! What it costs to abstract a command as predicates grow.

use crate::run::Bench;
use crate::run::table::{self, exponent, row};
use smt::{Embedded, Solver};
use std::io;
use support::Monitor;
use transition::predicates::{
    Change, Condition, Decider, Relation, Solving, Step, Table, Term, Value,
};

const SIZES: [usize; 8] = [2, 4, 6, 8, 10, 12, 14, 16];

/// Of a command and predicates on what it changes, so many of them: what they are called, what changes, the predicates by
/// number, and how many variables there are.
type Family =
    (&'static str, fn(usize) -> Vec<(u32, Term)>, fn(usize) -> Condition, fn(usize) -> usize);

const FAMILIES: [Family; 5] = [
    (
        "`x := x + 1`; x > 0, x > 1, …",
        |_| vec![(0, variable(0).plus(number(1)))],
        |i| above(variable(0), i),
        |_| 1,
    ),
    (
        "`x := x + y`; x > 0, y > 0, x > 1, y > 1, …",
        |_| vec![(0, variable(0).plus(variable(1)))],
        |i| above(variable(i as u32 % 2), i / 2),
        |_| 2,
    ),
    (
        "`x, y := x + 1, y + 2`; x - y > 0, x + y > 0, x - y > 1, …",
        |_| vec![(0, variable(0).plus(number(1))), (1, variable(1).plus(number(2)))],
        |i| match i % 2 {
            0 => above(variable(0).minus(variable(1)), i / 2),
            _ => above(variable(0).plus(variable(1)), i / 2),
        },
        |_| 2,
    ),
    (
        "`x := x + 3`; x > 0, x mod 2 = 0, x > 1, x mod 3 = 0, x > 2, x mod 4 = 0, …",
        |_| vec![(0, variable(0).plus(number(3)))],
        |i| match i % 2 {
            0 => above(variable(0), i / 2),
            _ => {
                let divisor = [2, 3, 4, 6, 8, 12, 24, 48][i / 2];
                variable(0).modulo(divisor).compared(Relation::Equal, number(0))
            }
        },
        |_| 1,
    ),
    (
        "`x1, x2, … := x1 + 1, x2 + 1, …`; x1 > 0, x2 > 0, …",
        |n| (0..n as u32).map(|i| (i, variable(i).plus(number(1)))).collect(),
        |i| above(variable(i as u32), 0),
        |n| n,
    ),
];

fn variable(number: u32) -> Term {
    Term::Variable(number)
}

fn number(value: usize) -> Term {
    Term::Constant(value as i64)
}

fn above(term: Term, bound: usize) -> Condition {
    term.compared(Relation::Greater, number(bound))
}

pub fn tables(_: &Bench) -> io::Result<Vec<table::Table>> {
    let mut table = table::Table::new("Integers: queries to abstract a command as predicates grow");
    for family in FAMILIES {
        let found = SIZES.map(|size| cost(family, size));
        let mut cells = row![family.0];
        cells.extend(found.iter().map(|found| match found {
            Some((queries, table)) => format!("{queries} ({})", table.may.len()),
            None => "too many states".to_owned(),
        }));
        let points = |scale: fn(f64) -> f64| -> Vec<(f64, f64)> {
            let known = SIZES.iter().zip(&found);
            let point = |(n, found): (&usize, &Option<(u64, Table)>)| {
                Some((scale(*n as f64), found.as_ref()?.0 as f64))
            };
            known.filter_map(point).collect()
        };
        let fitted = |scale| exponent(&points(scale)).unwrap_or(f64::NAN);
        cells.push(format!("n^{:.1}, {:.2}ⁿ", fitted(|n| n), fitted(f64::exp).exp()));
        table.row(cells);
    }
    let mut cells = row!["all monomials of n predicates, 3ⁿ"];
    cells.extend(SIZES.map(|size| 3u64.pow(size as u32).to_string()));
    cells.push("3ⁿ".to_owned());
    table.row(cells);
    Ok(vec![table])
}

/// The queries and what they give; nothing if there are too many states.
fn cost((_, changes, predicate, variables): Family, size: usize) -> Option<(u64, Table)> {
    let change = |(variable, term)| Change { variable, value: Value::Of(term) };
    let changes = changes(size).into_iter().map(change).collect();
    let step = Step { source: 0, target: 1, guard: Condition::Constant(true), changes };
    let predicates: Vec<Condition> = (0..size).map(predicate).collect();
    let mut solver = Embedded::new();
    let mut decider = Solving::new(&mut solver, variables(size));
    let asked: Vec<&Condition> = predicates.iter().collect();
    let table = decider.decide(&step, &asked, &Monitor::new()).ok()?;
    Some((solver.counters().queries, table))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked for grows with what is possible, and all that is possible is found: of a chain of n comparisons
    /// there are n + 1 minterms, from each of which one leads on, and from one to both sides of the first.
    #[test]
    fn chains_cost_little() {
        for size in SIZES {
            let (queries, table) = cost(FAMILIES[0], size).expect("few states");
            assert_eq!((table.may.len(), table.must.len()), (size + 2, size + 1));
            assert!(queries < 20 * size as u64, "{queries} for {size}");
        }
    }
}
