//! Linear sums over columns, in 128 bits. Whatever does not fit is `None`.

use super::origin::Origin;
use crate::number::{ceiling, gcd, product};

pub(crate) type Column = u32;

/// A sum of coefficient · column, and a constant, that is at most 0 or is 0: who keeps the row knows which.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// Sorted by column, without zeros.
    pub coefficients: Vec<(Column, i128)>,
    pub constant: i128,
    pub origin: Origin,
}

impl Row {
    pub fn coefficient(&self, column: Column) -> i128 {
        self.coefficients.iter().find(|&&(c, _)| c == column).map_or(0, |&(_, factor)| factor)
    }

    /// `factor · self + other_factor · other`.
    pub fn combined(&self, factor: i128, other: &Row, other_factor: i128) -> Option<Row> {
        let (mine, theirs) = (&self.coefficients, &other.coefficients);
        let mut coefficients = Vec::with_capacity(mine.len() + theirs.len());
        let (mut i, mut j) = (0, 0);
        while i < mine.len() || j < theirs.len() {
            let a = mine.get(i).map_or(Column::MAX, |c| c.0);
            let b = theirs.get(j).map_or(Column::MAX, |c| c.0);
            let mut sum = 0;
            if a <= b {
                sum = product(mine[i].1, factor)?;
                i += 1;
            }
            if b <= a {
                sum = product(theirs[j].1, other_factor)?.checked_add(sum)?;
                j += 1;
            }
            if sum != 0 {
                coefficients.push((a.min(b), sum));
            }
        }
        let constant =
            product(self.constant, factor)?.checked_add(product(other.constant, other_factor)?)?;
        Some(Row { coefficients, constant, origin: self.origin | other.origin })
    }

    /// Substitutes a sum for a column.
    pub fn substituted(&self, column: Column, sum: &Row) -> Option<Row> {
        let factor = self.coefficient(column);
        let mut without = self.clone();
        without.coefficients.retain(|&(c, _)| c != column);
        without.combined(1, sum, factor)
    }

    pub fn plus(mut self, value: i128) -> Option<Row> {
        self.constant = self.constant.checked_add(value)?;
        Some(self)
    }

    pub fn negated(mut self) -> Option<Row> {
        for (_, factor) in &mut self.coefficients {
            *factor = factor.checked_neg()?;
        }
        self.constant = self.constant.checked_neg()?;
        Some(self)
    }

    /// More than 0, as a row that is at most 0.
    pub fn above(self) -> Option<Row> {
        self.negated()?.plus(1)
    }

    /// Its value where the columns have these.
    pub fn value(&self, values: &[i128]) -> Option<i128> {
        self.coefficients.iter().try_fold(self.constant, |sum, &(column, factor)| {
            sum.checked_add(product(factor, values[column as usize])?)
        })
    }

    /// The greatest common divisor of the coefficients, 0 if there are none.
    pub fn content(&self) -> i128 {
        let mut common = 0;
        for &(_, factor) in &self.coefficients {
            common = gcd(factor.unsigned_abs(), common);
            if common == 1 {
                return 1;
            }
        }
        // Only the negation of the least number does not fit, and then 1 is a common divisor too.
        i128::try_from(common).unwrap_or(1)
    }

    /// As an inequality: divided by the content, the constant rounded up since columns are whole numbers.
    pub fn tighten(&mut self) {
        let content = self.content();
        if content > 1 {
            self.coefficients.iter_mut().for_each(|c| c.1 /= content);
            self.constant = ceiling(self.constant, content);
        }
    }

    pub fn has_direction_of(&self, other: &Row) -> bool {
        self.coefficients == other.coefficients
    }

    pub fn is_opposite_of(&self, other: &Row) -> bool {
        let (mine, theirs) = (&self.coefficients, &other.coefficients);
        mine.len() == theirs.len()
            && mine.iter().zip(theirs).all(|(a, b)| a.0 == b.0 && a.1.checked_neg() == Some(b.1))
    }
}
