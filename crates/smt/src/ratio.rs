//! Fractions in 128 bits. Whatever does not fit is `None`.

use crate::number::{gcd, product};
use std::cmp::Ordering;

/// In lowest terms; the denominator is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };
    pub const ONE: Ratio = Ratio { numerator: 1, denominator: 1 };

    pub fn integer(value: i128) -> Self {
        Self { numerator: value, denominator: 1 }
    }

    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 1 {
            return Some(Self::integer(numerator));
        }
        let common = i128::try_from(gcd(numerator.unsigned_abs(), denominator.unsigned_abs()));
        let common = common.ok().filter(|_| denominator != 0)?;
        let common = if denominator < 0 { -common } else { common };
        Some(Self {
            numerator: numerator.checked_div(common)?,
            denominator: denominator.checked_div(common)?,
        })
    }

    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub fn is_integer(self) -> bool {
        self.denominator == 1
    }

    /// The greatest whole number that is not more.
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    pub fn signum(self) -> i128 {
        self.numerator.signum()
    }

    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        let a = product(self.numerator, other.denominator)?;
        let b = product(other.numerator, self.denominator)?;
        Self::new(a.checked_add(b)?, product(self.denominator, other.denominator)?)
    }

    pub fn minus(self, other: Ratio) -> Option<Ratio> {
        self.plus(other.negated()?)
    }

    pub fn times(self, other: Ratio) -> Option<Ratio> {
        Self::new(
            product(self.numerator, other.numerator)?,
            product(self.denominator, other.denominator)?,
        )
    }

    /// Nothing if the other one is 0.
    pub fn over(self, other: Ratio) -> Option<Ratio> {
        self.times(Self::new(other.denominator, other.numerator)?)
    }

    pub fn negated(self) -> Option<Ratio> {
        Some(Self { numerator: self.numerator.checked_neg()?, ..self })
    }

    /// Its product with a multiple of its denominator.
    pub fn scaled(self, factor: i128) -> Option<i128> {
        product(self.numerator, factor / self.denominator)
    }

    pub fn compared(self, other: Ratio) -> Option<Ordering> {
        Some(self.minus(other)?.numerator.cmp(&0))
    }
}

/// The least number that all denominators divide.
pub fn common_denominator(all: impl IntoIterator<Item = Ratio>) -> Option<i128> {
    all.into_iter().try_fold(1i128, |common, ratio| {
        let shared = gcd(common.unsigned_abs(), ratio.denominator.unsigned_abs());
        product(common, ratio.denominator / i128::try_from(shared).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms() {
        let half = Ratio::new(-3, -6).expect("it fits");
        assert_eq!(half, Ratio::new(1, 2).expect("it fits"));
        assert_eq!(half.plus(half), Some(Ratio::ONE));
        assert_eq!(half.negated().map(Ratio::floor), Some(-1));
        assert_eq!(half.over(Ratio::ZERO), None);
        assert_eq!(Ratio::integer(3).over(Ratio::integer(-6)), half.negated());
        assert_eq!(half.minus(Ratio::ONE).map(Ratio::signum), Some(-1));
    }

    #[test]
    fn what_does_not_fit_is_nothing() {
        let large = Ratio::integer(i128::MAX);
        assert_eq!(large.plus(Ratio::ONE), None);
        assert_eq!(large.times(large), None);
        assert_eq!(Ratio::integer(i128::MIN).negated(), None);
        assert_eq!(Ratio::new(1, 0), None);
    }

    #[test]
    fn the_common_denominator_is_the_least() {
        let all = [(1, 4), (5, 6), (2, 1)].map(|(a, b)| Ratio::new(a, b).expect("it fits"));
        assert_eq!(common_denominator(all), Some(12));
        assert_eq!(all[1].scaled(12), Some(10));
    }
}
