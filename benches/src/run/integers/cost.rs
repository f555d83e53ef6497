//! The cost of abstracting a command as predicates are added.

use crate::run::Bench;
use crate::run::table::{self, exponent, row};
use cegar::abstraction::{Decider, SolverDecider, StepTable};
use smt::{
    Comparison, Embedded, Excess, IntegerValue, LinearFormula, Rounding, Solver, Term, Variable,
};
use std::io;
use support::Monitor;
use transition::integers::IntegerStep;

const SIZES: [usize; 8] = [2, 4, 6, 8, 10, 12, 14, 16];

/// Of a command and predicates on what it changes, so many of them: what they are called, what changes, and the predicates by
/// number.
type Family = (
    &'static str,
    fn(usize) -> Result<Vec<(u32, IntegerValue)>, Excess>,
    fn(usize) -> Result<LinearFormula, Excess>,
);

const FAMILIES: [Family; 5] = [
    (
        "`x := x + 1`; x > 0, x > 1, …",
        |_| Ok(vec![(0, variable(0).plus(&number(1)?)?)]),
        |i| above(variable(0), i),
    ),
    (
        "`x := x + y`; x > 0, y > 0, x > 1, y > 1, …",
        |_| Ok(vec![(0, variable(0).plus(&variable(1))?)]),
        |i| above(variable(i as u32 % 2), i / 2),
    ),
    (
        "`x, y := x + 1, y + 2`; x - y > 0, x + y > 0, x - y > 1, …",
        |_| Ok(vec![(0, variable(0).plus(&number(1)?)?), (1, variable(1).plus(&number(2)?)?)]),
        |i| match i % 2 {
            0 => above(variable(0).minus(&variable(1))?, i / 2),
            _ => above(variable(0).plus(&variable(1))?, i / 2),
        },
    ),
    (
        "`x := x + 3`; x > 0, x mod 2 = 0, x > 1, x mod 3 = 0, x > 2, x mod 4 = 0, …",
        |_| Ok(vec![(0, variable(0).plus(&number(3)?)?)]),
        |i| match i % 2 {
            0 => above(variable(0), i / 2),
            _ => {
                let divisor = [2, 3, 4, 6, 8, 12, 24, 48][i / 2];
                let rest = variable(0).modulo(divisor, Rounding::TowardsZero)?;
                rest.compared(Comparison::Equal, &number(0)?)
            }
        },
    ),
    (
        "`x1, x2, … := x1 + 1, x2 + 1, …`; x1 > 0, x2 > 0, …",
        |n| (0..n as u32).map(|i| Ok((i, variable(i).plus(&number(1)?)?))).collect(),
        |i| above(variable(i as u32), 0),
    ),
];

fn variable(number: u32) -> IntegerValue {
    Term::variable(Variable(number)).into()
}

fn number(value: usize) -> Result<IntegerValue, Excess> {
    Ok(Term::constant(value as i64)?.into())
}

fn above(value: IntegerValue, bound: usize) -> Result<LinearFormula, Excess> {
    value.compared(Comparison::Greater, &number(bound)?)
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
            let point = |(n, found): (&usize, &Option<(u64, StepTable)>)| {
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
fn cost((_, changes, predicate): Family, size: usize) -> Option<(u64, StepTable)> {
    let changes = changes(size).ok()?.into_iter();
    let changes = changes.map(|(variable, value)| (Variable(variable), Some(value)));
    let step = IntegerStep::new((0, 1), LinearFormula::Constant(true), changes, size);
    let predicates: Vec<LinearFormula> = (0..size).map(predicate).collect::<Result<_, _>>().ok()?;
    let mut solver = Embedded::new();
    let mut decider = SolverDecider::new(&mut solver);
    let asked: Vec<&LinearFormula> = predicates.iter().collect();
    let table = decider.decide(&step, &asked, &Monitor::new()).ok()?;
    Some((solver.counters().queries, table))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Queries grow with the number of satisfiable minterms, all of which are found: of a chain of n comparisons
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
