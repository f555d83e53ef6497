//! Whether rows can hold together for fractions, and why not: the simplex method with bounds on rows
//! (Dutertre, de Moura 2006). A row that misses its bound and that no column can help is, with what holds the columns,
//! a combination of rows that says that a positive number is at most 0 (Farkas).

use crate::embedded::Budget;
use crate::ratio::{Ratio, common_denominator};
use crate::term::kept;
use crate::{Term, Variable};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A term that is at most 0, or is 0 if it is an equation.
#[derive(Clone, Copy)]
pub(crate) struct Row<'t> {
    pub term: &'t Term,
    pub is_equation: bool,
}

pub(crate) enum Rational {
    /// The rows times these numbers add up to a positive constant. Those of inequalities are not negative.
    Contradiction(Vec<(usize, Ratio)>),
    /// All rows hold here.
    Values(BTreeMap<Variable, Ratio>),
}

/// A variable of the question, or the value of a row without its constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Column {
    Own(Variable),
    Row(usize),
}

type Sum = BTreeMap<Column, Ratio>;

struct Tableau<'r> {
    rows: &'r [Row<'r>],
    /// The basic variables, as sums of the others.
    basic: BTreeMap<Column, Sum>,
    values: BTreeMap<Column, Ratio>,
}

/// Nothing if a number does not fit or the budget is used up.
pub fn solve(rows: &[Row], budget: &mut Budget) -> Option<Rational> {
    let mut tableau = Tableau::new(rows);
    // The first that misses its bound, and the first that can help: so it comes to an end (Bland).
    while let Some((row, wanted, is_below)) = tableau.missed()? {
        budget.spend(1 + tableau.basic.len()).ok()?;
        match tableau.helper(row, is_below)? {
            Some(column) => tableau.exchange(row, column, wanted, budget)?,
            None => return tableau.contradiction(row, is_below).map(Rational::Contradiction),
        }
    }
    let own = tableau.values.iter().filter_map(|(column, &value)| match column {
        Column::Own(variable) => Some((*variable, value)),
        Column::Row(_) => None,
    });
    Some(Rational::Values(own.collect()))
}

/// Whole numbers that are in proportion to fractions for which terms are at most 0, and others 0; 0 for variables that
/// are not among them. Nothing if there are none, or after so many steps; those that are left come back.
pub fn in_proportion(
    at_most: &[Term],
    zero: &[Term],
    steps: &mut u64,
) -> Option<BTreeMap<Variable, i64>> {
    let row = |is_equation| move |term| Row { term, is_equation };
    let rows = at_most.iter().map(row(false)).chain(zero.iter().map(row(true)));
    let rows: Vec<Row> = rows.collect();
    let mut budget = Budget(*steps);
    let solved = solve(&rows, &mut budget);
    *steps = budget.0;
    let Rational::Values(values) = solved? else { return None };
    let common = common_denominator(values.values().copied())?;
    let integer = |(&variable, value): (&Variable, &Ratio)| {
        Some((variable, kept(value.scaled(common)?).ok()?))
    };
    values.iter().map(integer).collect()
}

impl<'r> Tableau<'r> {
    fn new(rows: &'r [Row<'r>]) -> Self {
        let (mut basic, mut values) = (BTreeMap::new(), BTreeMap::new());
        for (number, row) in rows.iter().enumerate() {
            let products = row.term.coefficients().iter();
            let products = products.map(|&(v, c)| (Column::Own(v), Ratio::integer(c.into())));
            let sum: Sum = products.collect();
            values.extend(sum.keys().map(|&column| (column, Ratio::ZERO)));
            values.insert(Column::Row(number), Ratio::ZERO);
            basic.insert(Column::Row(number), sum);
        }
        Self { rows, basic, values }
    }

    /// The upper and the lower bound of a column.
    fn bounds(&self, column: Column) -> [Option<Ratio>; 2] {
        let Column::Row(number) = column else { return [None, None] };
        let row = &self.rows[number];
        let bound = Some(Ratio::integer(-i128::from(row.term.offset())));
        [bound, bound.filter(|_| row.is_equation)]
    }

    /// A row that is not within its bounds, the bound that it misses, and whether it is below that.
    fn missed(&self) -> Option<Option<(Column, Ratio, bool)>> {
        for &column in self.basic.keys() {
            let value = self.values[&column];
            let [most, least] = self.bounds(column);
            if let Some(most) = most
                && value.compared(most)? == Ordering::Greater
            {
                return Some(Some((column, most, false)));
            }
            if let Some(least) = least
                && value.compared(least)? == Ordering::Less
            {
                return Some(Some((column, least, true)));
            }
        }
        Some(None)
    }

    /// A column that can be moved so that a row gets larger, or smaller.
    fn helper(&self, row: Column, is_to_rise: bool) -> Option<Option<Column>> {
        for (&column, factor) in &self.basic[&row] {
            let rises = (factor.signum() > 0) == is_to_rise;
            let [most, least] = self.bounds(column);
            let value = self.values[&column];
            let is_free = match (rises, most, least) {
                (true, Some(most), _) => value.compared(most)? == Ordering::Less,
                (false, _, Some(least)) => value.compared(least)? == Ordering::Greater,
                _ => true,
            };
            if is_free {
                return Some(Some(column));
            }
        }
        Some(None)
    }

    /// Gives a row its bound by moving a column, which depends on the row from now on.
    fn exchange(
        &mut self,
        row: Column,
        column: Column,
        wanted: Ratio,
        budget: &mut Budget,
    ) -> Option<()> {
        let mut sum = self.basic.remove(&row)?;
        let factor = sum.remove(&column)?;
        let by = wanted.minus(self.values[&row])?.over(factor)?;
        for (&other, sum) in &self.basic {
            if let Some(&factor) = sum.get(&column) {
                let value = self.values[&other].plus(factor.times(by)?)?;
                self.values.insert(other, value);
            }
        }
        self.values.insert(row, wanted);
        self.values.insert(column, self.values[&column].plus(by)?);
        let mut solved: Sum = BTreeMap::from([(row, Ratio::ONE.over(factor)?)]);
        for (other, share) in sum {
            solved.insert(other, share.over(factor)?.negated()?);
        }
        for sum in self.basic.values_mut() {
            if let Some(factor) = sum.remove(&column) {
                budget.spend(solved.len()).ok()?;
                add_times(sum, factor, &solved)?;
            }
        }
        self.basic.insert(column, solved);
        Some(())
    }

    fn contradiction(&self, row: Column, is_below: bool) -> Option<Vec<(usize, Ratio)>> {
        let own = if is_below { Ratio::ONE.negated()? } else { Ratio::ONE };
        let mut found = Vec::new();
        let others = self.basic[&row].iter().map(|(&column, &factor)| (column, factor));
        for (column, factor) in [(row, Ratio::ONE.negated()?)].into_iter().chain(others) {
            // Columns of the question have no bounds, so none of them is left here.
            let Column::Row(number) = column else { return None };
            found.push((number, factor.times(own)?.negated()?));
        }
        Some(found)
    }
}

/// Adds a multiple of another sum.
fn add_times(sum: &mut Sum, factor: Ratio, other: &Sum) -> Option<()> {
    for (&column, &share) in other {
        let value = sum.get(&column).copied().unwrap_or(Ratio::ZERO);
        let value = value.plus(factor.times(share)?)?;
        match value.is_zero() {
            true => _ = sum.remove(&column),
            false => _ = sum.insert(column, value),
        }
    }
    Some(())
}
