//! Conjunctions of equations and inequalities. Equations are solved at once, so that what is left are
//! inequalities between columns that are free.

use super::origin::Origin;
use super::row::{Column, Row};
use super::stop::{Budget, Stop, fits};
use crate::number::{ceiling, floor, remainder};

/// How a column gets its value once the later ones have theirs.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// It is this sum.
    Is(Column, Row),
    /// It lies between these rows, which are at most 0.
    Between(Column, Vec<Row>),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    /// How many columns there are.
    pub columns: Column,
    /// In the order in which columns went out of the rows.
    pub trail: Vec<Step>,
    /// Sums that are at most 0: tightened, no two with the same direction, none with a column of the trail.
    pub rows: Vec<Row>,
    /// Not looked at yet.
    equations: Vec<Row>,
    inequalities: Vec<Row>,
}

impl System {
    /// An empty system with as many columns.
    pub fn fresh(columns: Column, rows: Vec<Row>) -> Self {
        Self { columns, inequalities: rows, ..Self::default() }
    }

    pub fn new_column(&mut self) -> Column {
        self.columns += 1;
        self.columns - 1
    }

    pub fn add_zero(&mut self, row: Row) {
        self.equations.push(row);
    }

    pub fn add_at_most(&mut self, row: Row) {
        self.inequalities.push(row);
    }

    /// Takes in everything that was added.
    pub fn settle(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        loop {
            budget.spend(1)?;
            if let Some(row) = self.equations.pop() {
                let row = self.resolved(row)?;
                self.solve_equation(row)?;
            } else if let Some(row) = self.inequalities.pop() {
                let row = self.resolved(row)?;
                self.insert(row)?;
            } else {
                return Ok(());
            }
        }
    }

    /// The row without columns that have a sum of their own.
    fn resolved(&self, mut row: Row) -> Result<Row, Stop> {
        for step in &self.trail {
            if let Step::Is(column, sum) = step
                && row.coefficient(*column) != 0
            {
                row = fits(row.substituted(*column, sum))?;
            }
        }
        Ok(row)
    }

    /// Solves an equation for a column with the coefficient 1. If there is none, the smallest coefficient
    /// divides the others with a remainder, and a new column makes the equation one of remainders: Euclid's
    /// algorithm on the coefficients.
    fn solve_equation(&mut self, mut row: Row) -> Result<(), Stop> {
        loop {
            let content = row.content();
            if content == 0 {
                return if row.constant == 0 { Ok(()) } else { Err(Stop::Conflict(row.origin)) };
            }
            if row.constant % content != 0 {
                return Err(Stop::Conflict(row.origin));
            }
            row.coefficients.iter_mut().for_each(|c| c.1 /= content);
            row.constant /= content;
            let smallest = row.coefficients.iter().min_by_key(|c| c.1.unsigned_abs());
            let Some(&(column, factor)) = smallest else { return Ok(()) };
            if factor < 0 {
                row = fits(row.negated())?;
            }
            if factor.unsigned_abs() == 1 {
                row.coefficients.retain(|&(c, _)| c != column);
                return self.define(column, fits(row.negated())?);
            }
            row = self.rest_by(column, fits(factor.checked_abs())?, row)?;
        }
    }

    /// The equation with `new = column + Σ ⌊aᵢ / factor⌋ · columnᵢ` in the place of the column. Whatever the
    /// values are there is such a new one, so it has no origin.
    fn rest_by(&mut self, column: Column, factor: i128, mut row: Row) -> Result<Row, Stop> {
        let new = self.new_column();
        let mut sum = Row::default();
        for (other, a) in &mut row.coefficients {
            if *other != column {
                sum.coefficients.push((*other, -floor(*a, factor)));
                *a = remainder(*a, factor);
            }
        }
        row.coefficients.retain(|&(c, a)| a != 0 && c != column);
        sum.coefficients.retain(|c| c.1 != 0);
        // The newest column comes last.
        row.coefficients.push((new, factor));
        sum.coefficients.push((new, 1));
        self.define(column, sum)?;
        Ok(row)
    }

    fn define(&mut self, column: Column, sum: Row) -> Result<(), Stop> {
        let mut place = 0;
        while place < self.rows.len() {
            if self.rows[place].coefficient(column) == 0 {
                place += 1;
                continue;
            }
            let row = self.rows.swap_remove(place);
            self.inequalities.push(fits(row.substituted(column, &sum))?);
        }
        self.trail.push(Step::Is(column, sum));
        Ok(())
    }

    /// Adds an inequality over free columns.
    fn insert(&mut self, mut row: Row) -> Result<(), Stop> {
        row.tighten();
        if row.coefficients.is_empty() {
            return if row.constant <= 0 { Ok(()) } else { Err(Stop::Conflict(row.origin)) };
        }
        let mut place = 0;
        let mut is_needed = true;
        while place < self.rows.len() {
            let known = &self.rows[place];
            if known.has_direction_of(&row) {
                if known.constant >= row.constant {
                    is_needed = false;
                } else {
                    self.rows.swap_remove(place);
                    continue;
                }
            } else if known.is_opposite_of(&row) {
                let gap = fits(known.constant.checked_add(row.constant))?;
                if gap > 0 {
                    return Err(Stop::Conflict(known.origin | row.origin));
                }
                if gap == 0 && is_needed {
                    row.origin = known.origin | row.origin;
                    self.rows.swap_remove(place);
                    self.equations.push(row);
                    return Ok(());
                }
            }
            place += 1;
        }
        if is_needed {
            self.rows.push(row);
        }
        Ok(())
    }

    /// Gives every column of the trail its value, the last first.
    pub fn complete(&self, values: &mut Vec<i128>) -> Result<(), Stop> {
        values.resize(values.len().max(self.columns as usize), 0);
        for step in self.trail.iter().rev() {
            match step {
                Step::Is(column, sum) => values[*column as usize] = fits(sum.value(values))?,
                Step::Between(column, rows) => {
                    let value = between(*column, rows, values)?.ok_or(Stop::Defect)?;
                    values[*column as usize] = value;
                }
            }
        }
        Ok(())
    }

    /// The union of the origins of all rows.
    pub fn origin(rows: &[Row]) -> Origin {
        rows.iter().fold(Origin::default(), |all, row| all | row.origin)
    }
}

/// The value nearest to 0 that a column can have where the others have these.
pub fn between(column: Column, rows: &[Row], values: &mut [i128]) -> Result<Option<i128>, Stop> {
    values[column as usize] = 0;
    let (mut low, mut high) = (i128::MIN, i128::MAX);
    for row in rows {
        let factor = row.coefficient(column);
        let rest = fits(row.value(values))?;
        // factor · column ≤ −rest.
        if factor > 0 {
            high = high.min(floor(fits(rest.checked_neg())?, factor));
        } else {
            let factor = fits(factor.checked_neg())?;
            low = low.max(ceiling(rest, factor));
        }
    }
    Ok((low <= high).then(|| 0.clamp(low, high)))
}
