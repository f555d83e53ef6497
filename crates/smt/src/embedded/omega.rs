//! The Omega test (Pugh, 1991): elimination of one column after the other.
//!
//! Each lower bound β ≤ b·x and upper bound a·x ≤ α together say a·β ≤ b·α without x: the real shadow. If a or
//! b is 1 in all pairs, a whole number lies between the bounds wherever the shadow holds, and nothing is lost.
//! Otherwise the shadow may have solutions that x has no value for. Those of the dark shadow
//! a·β + (a − 1)(b − 1) ≤ b·α always leave room for one; what it misses lies close above a lower bound (or close
//! below an upper one), where x is determined by an equation: the splinters.

use super::origin::Origin;
use super::row::{Column, Row};
use super::stop::{Budget, Stop, fits};
use super::system::{Step, System, between};
use crate::number::{ceiling, product};

/// Values for all columns, or why there are none.
pub fn solve(mut system: System, budget: &mut Budget) -> Result<Vec<i128>, Stop> {
    system.settle(budget)?;
    let mut values = loop {
        let Some(choice) = choose(&system) else { break Vec::new() };
        if !choice.is_exact {
            break inexact(&system, choice.column, budget)?;
        }
        let bounds = take_bounds(&mut system.rows, choice.column);
        for row in shadow(choice.column, &bounds, Shadow::Real, budget)? {
            system.add_at_most(row);
        }
        system.trail.push(Step::Between(choice.column, bounds));
        system.settle(budget)?;
    };
    system.complete(&mut values)?;
    Ok(values)
}

/// A column to eliminate.
struct Choice {
    column: Column,
    is_exact: bool,
}

/// The bounds of a column.
#[derive(Clone, Default)]
struct Bounds {
    lower: usize,
    upper: usize,
    largest_lower: u128,
    largest_upper: u128,
}

impl Bounds {
    fn is_exact(&self) -> bool {
        self.largest_lower <= 1 || self.largest_upper <= 1
    }

    /// Exact first, then by how many rows there are more, then by how far from exact it is.
    fn cost(&self) -> (bool, usize, u128) {
        let more = (self.lower * self.upper + 100).saturating_sub(self.lower + self.upper);
        (!self.is_exact(), more, self.largest_lower.min(self.largest_upper))
    }
}

/// The column that is eliminated at the least cost, `None` if there are no rows.
fn choose(system: &System) -> Option<Choice> {
    let mut all = vec![Bounds::default(); system.columns as usize];
    for &(column, factor) in system.rows.iter().flat_map(|row| &row.coefficients) {
        let bounds = &mut all[column as usize];
        let size = factor.unsigned_abs();
        if factor > 0 {
            bounds.upper += 1;
            bounds.largest_upper = bounds.largest_upper.max(size);
        } else {
            bounds.lower += 1;
            bounds.largest_lower = bounds.largest_lower.max(size);
        }
    }
    let used = all.iter().enumerate().filter(|(_, bounds)| bounds.lower + bounds.upper > 0);
    let (column, bounds) = used.min_by_key(|(_, bounds)| bounds.cost())?;
    Some(Choice { column: column as Column, is_exact: bounds.is_exact() })
}

fn take_bounds(rows: &mut Vec<Row>, column: Column) -> Vec<Row> {
    let (bounds, others) =
        std::mem::take(rows).into_iter().partition(|row| row.coefficient(column) != 0);
    *rows = others;
    bounds
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shadow {
    Real,
    Dark,
}

/// The shadow: each lower bound combined with each upper bound.
fn shadow(
    column: Column,
    bounds: &[Row],
    kind: Shadow,
    budget: &mut Budget,
) -> Result<Vec<Row>, Stop> {
    let (upper, lower): (Vec<&Row>, Vec<&Row>) =
        bounds.iter().partition(|row| row.coefficient(column) > 0);
    budget.spend(upper.len() * lower.len())?;
    let mut rows = Vec::with_capacity(upper.len() * lower.len());
    for low in &lower {
        let b = fits(low.coefficient(column).checked_neg())?;
        for high in &upper {
            let a = high.coefficient(column);
            let row = fits(low.combined(a, high, b))?;
            rows.push(match kind {
                Shadow::Real => row,
                Shadow::Dark => fits(row.plus(fits(product(a - 1, b - 1))?))?,
            });
        }
    }
    Ok(rows)
}

/// Values for the rows of a system when no column can be eliminated exactly.
fn inexact(system: &System, column: Column, budget: &mut Budget) -> Result<Vec<i128>, Stop> {
    let mut others = system.rows.clone();
    let bounds = take_bounds(&mut others, column);
    let under = |kind: Shadow, budget: &mut Budget| {
        let mut rows = others.clone();
        rows.extend(shadow(column, &bounds, kind, budget)?);
        solve(System::fresh(system.columns, rows), budget)
    };
    let mut values = under(Shadow::Real, budget)?;
    if let Some(value) = between(column, &bounds, &mut values)? {
        values[column as usize] = value;
        return Ok(values);
    }
    match under(Shadow::Dark, budget) {
        Ok(mut values) => {
            let value = between(column, &bounds, &mut values)?.ok_or(Stop::Defect)?;
            values[column as usize] = value;
            Ok(values)
        }
        Err(Stop::Conflict(dark)) => {
            let all = dark | System::origin(&bounds);
            splinters(system, column, &bounds, all, budget)
        }
        Err(stop) => Err(stop),
    }
}

/// Tries the solutions that the dark shadow misses. `origin` is where it comes from that there are no others.
fn splinters(
    system: &System,
    column: Column,
    bounds: &[Row],
    mut origin: Origin,
    budget: &mut Budget,
) -> Result<Vec<i128>, Stop> {
    for (row, last) in nearest_bounds(column, bounds)? {
        for distance in 0..=last {
            budget.spend(1)?;
            let mut splinter = System::fresh(system.columns, system.rows.clone());
            let mut equation = fits(row.clone().plus(distance))?;
            // Which one is tried follows from nothing; that one of them is the case, from `origin`.
            equation.origin = Origin::default();
            splinter.add_zero(equation);
            match solve(splinter, budget) {
                Err(Stop::Conflict(found)) => origin = origin | found,
                ended => return ended,
            }
        }
    }
    Err(Stop::Conflict(origin))
}

/// The bounds of one side, and how far from each a value that the dark shadow misses may be: (a·b − a − b) / a
/// for the lower bound b·x ≥ β where a is the largest factor of an upper bound, and the other way round. The
/// side with fewer such places.
fn nearest_bounds(column: Column, bounds: &[Row]) -> Result<Vec<(&Row, i128)>, Stop> {
    let side = |is_upper: bool| {
        let is_there = |row: &&Row| (row.coefficient(column) > 0) == is_upper;
        let size = |row: &Row| fits(row.coefficient(column).checked_abs());
        let mut opposite = 0;
        for row in bounds.iter().filter(|row| !is_there(row)) {
            opposite = opposite.max(size(row)?);
        }
        let mut found = Vec::new();
        let mut places: i128 = 0;
        for row in bounds.iter().filter(is_there) {
            let b = size(row)?;
            // (a·b − a − b) / a is b − 1 − b/a.
            let last = b - 1 - ceiling(b, opposite.max(1));
            places = places.saturating_add(last.saturating_add(1));
            found.push((row, last));
        }
        Ok((places, found))
    };
    let (lower, upper) = (side(false)?, side(true)?);
    Ok(if lower.0 <= upper.0 { lower.1 } else { upper.1 })
}
