//! Sums of variables with coefficients.

use crate::Excess;
use crate::number::product;

support::define_id!(
    /// A variable that stands for a whole number.
    Variable,
    "x"
);

/// A sum of coefficient · variable, and a constant. Numbers have 64 bits, and their negations fit too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Term {
    /// Sorted by variable, without zeros.
    coefficients: Vec<(Variable, i64)>,
    constant: i64,
}

impl Term {
    /// The constant, if its negation is a number of 64 bits too.
    pub fn constant(value: i64) -> Result<Self, Excess> {
        Ok(Self { coefficients: Vec::new(), constant: kept(value.into())? })
    }

    pub fn variable(variable: Variable) -> Self {
        Self { coefficients: vec![(variable, 1)], constant: 0 }
    }

    /// The sum of all products; a variable may occur more than once.
    pub fn sum(
        products: impl IntoIterator<Item = (Variable, i64)>,
        constant: i64,
    ) -> Result<Self, Excess> {
        let mut products: Vec<(Variable, i64)> = products.into_iter().collect();
        products.sort_unstable();
        let mut coefficients: Vec<(Variable, i64)> = Vec::with_capacity(products.len());
        for (variable, factor) in products {
            match coefficients.last_mut() {
                Some(last) if last.0 == variable => last.1 = added(last.1, factor)?,
                _ => coefficients.push((variable, kept(factor.into())?)),
            }
        }
        coefficients.retain(|&(_, factor)| factor != 0);
        Ok(Self { coefficients, constant: kept(constant.into())? })
    }

    /// Coefficient by variable, in the order of variables, without zeros.
    pub fn coefficients(&self) -> &[(Variable, i64)] {
        &self.coefficients
    }

    pub fn offset(&self) -> i64 {
        self.constant
    }

    pub fn coefficient(&self, variable: Variable) -> i64 {
        let place = self.coefficients.binary_search_by_key(&variable, |&(v, _)| v);
        place.map_or(0, |place| self.coefficients[place].1)
    }

    /// Its value, if it is the same everywhere.
    pub fn as_constant(&self) -> Option<i64> {
        self.coefficients.is_empty().then_some(self.constant)
    }

    pub fn plus(&self, other: &Term) -> Result<Term, Excess> {
        self.plus_times(1, other)
    }

    pub fn minus(&self, other: &Term) -> Result<Term, Excess> {
        self.plus_times(-1, other)
    }

    pub fn plus_constant(&self, value: i64) -> Result<Term, Excess> {
        let constant = added(self.constant, value)?;
        Ok(Self { coefficients: self.coefficients.clone(), constant })
    }

    pub fn times(&self, factor: i64) -> Result<Term, Excess> {
        Term::default().plus_times(factor, self)
    }

    #[must_use]
    pub fn negated(&self) -> Term {
        self.map(|number| -number)
    }

    /// `self + factor · other`.
    pub fn plus_times(&self, factor: i64, other: &Term) -> Result<Term, Excess> {
        if factor == 0 {
            return Ok(self.clone());
        }
        let (mut mine, mut theirs) = (&self.coefficients[..], &other.coefficients[..]);
        let mut coefficients = Vec::with_capacity(mine.len() + theirs.len());
        while let Some(next) =
            [mine.first(), theirs.first()].into_iter().flatten().map(|p| p.0).min()
        {
            let a = take(&mut mine, next);
            let b = take(&mut theirs, next);
            let sum = combined(a, factor, b)?;
            if sum != 0 {
                coefficients.push((next, sum));
            }
        }
        Ok(Self { coefficients, constant: combined(self.constant, factor, other.constant)? })
    }

    /// Replaces variables by terms, all at once.
    pub fn substitute(&self, by: &dyn Fn(Variable) -> Option<Term>) -> Result<Term, Excess> {
        let mut result = Self { coefficients: Vec::new(), constant: self.constant };
        for &(variable, factor) in &self.coefficients {
            let replaced = by(variable).unwrap_or_else(|| Term::variable(variable));
            result = result.plus_times(factor, &replaced)?;
        }
        Ok(result)
    }

    /// Its value where the variables have these, if that fits.
    pub fn value(&self, of: &dyn Fn(Variable) -> i128) -> Option<i128> {
        self.coefficients.iter().try_fold(self.constant.into(), |sum: i128, &(variable, factor)| {
            sum.checked_add(product(factor.into(), of(variable))?)
        })
    }

    /// Changes every number by a function that keeps zeros and nothing else at zero, and numbers in 64 bits.
    pub(crate) fn map(&self, change: impl Fn(i64) -> i64) -> Term {
        let changed = |&(variable, factor): &(Variable, i64)| (variable, change(factor));
        Self {
            coefficients: self.coefficients.iter().map(changed).collect(),
            constant: change(self.constant),
        }
    }

    /// Replaces the constant by one that is more than `i64::MIN`.
    pub(crate) fn with_offset(mut self, constant: i64) -> Term {
        self.constant = constant;
        self
    }
}

/// The coefficient of the variable if it comes next, and goes on.
fn take(list: &mut &[(Variable, i64)], variable: Variable) -> i64 {
    match list.split_first() {
        Some((&(first, factor), rest)) if first == variable => {
            *list = rest;
            factor
        }
        _ => 0,
    }
}

fn combined(a: i64, factor: i64, b: i64) -> Result<i64, Excess> {
    kept(i128::from(a) + i128::from(factor) * i128::from(b))
}

fn added(a: i64, b: i64) -> Result<i64, Excess> {
    kept(i128::from(a) + i128::from(b))
}

/// A number that fits, and whose negation does.
pub(crate) fn kept(number: i128) -> Result<i64, Excess> {
    match i64::try_from(number) {
        Ok(number) if number != i64::MIN => Ok(number),
        _ => Err(Excess::Number),
    }
}
