//! Sets of points that linear equations describe (Karr 1976).
//!
//! A set is a point and the directions in which it goes on, each of them with an entry that is not 0 and that all
//! others and the point have at 0. So a set has one form, and what is not the same looks different.

use crate::ratio::{Ratio, common_denominator};
use crate::term::kept;
use crate::{Term, Variable};

type Vector = Vec<Ratio>;

/// All points over some variables that satisfy some equations; there is at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    point: Vector,
    /// By the entry that is 1 in it and 0 elsewhere, rising.
    directions: Vec<(usize, Vector)>,
}

impl Affine {
    /// All points over the first so many variables.
    pub fn everything(variables: usize) -> Self {
        let unit = |own| {
            let entry = |other| if other == own { Ratio::ONE } else { Ratio::ZERO };
            (own, (0..variables).map(entry).collect())
        };
        Self { point: vec![Ratio::ZERO; variables], directions: (0..variables).map(unit).collect() }
    }

    /// Where a term is 0, too. Without a point in common, or if a number does not fit, the set as it is.
    #[must_use]
    pub fn with_zero(self, term: &Term) -> Self {
        self.cut(term).unwrap_or(self)
    }

    fn cut(&self, term: &Term) -> Option<Self> {
        let rises = |(_, direction): &(usize, Vector)| slope(term, direction);
        let (place, by) = self.directions.iter().enumerate().find_map(|(place, direction)| {
            rises(direction).filter(|by| !by.is_zero()).map(|by| (place, by))
        })?;
        let along = &self.directions[place].1;
        let value = slope(term, &self.point)?.plus(Ratio::integer(term.offset().into()))?;
        let mut cut = Self::only(plus_times(&self.point, value.over(by)?.negated()?, along)?);
        for (other, (_, direction)) in self.directions.iter().enumerate() {
            if other != place {
                let back = slope(term, direction)?.over(by)?.negated()?;
                cut.stretch(plus_times(direction, back, along)?)?;
            }
        }
        Some(cut)
    }

    /// The set after a simultaneous assignment of terms over the old values; `None` stands for any value.
    /// Gives nothing if a number does not fit.
    pub fn after(&self, changes: &[(Variable, Option<Term>)]) -> Option<Self> {
        let moved = |old: &Vector, of: &dyn Fn(&Term) -> Option<Ratio>| {
            let mut new = old.clone();
            for (variable, value) in changes {
                let entry = new.get_mut(variable.0 as usize)?;
                *entry = value.as_ref().map_or(Some(Ratio::ZERO), of)?;
            }
            Some(new)
        };
        let offset = |term: &Term| Ratio::integer(term.offset().into());
        let value = |term: &Term| slope(term, &self.point)?.plus(offset(term));
        let mut after = Self::only(moved(&self.point, &value)?);
        for (_, direction) in &self.directions {
            after.stretch(moved(direction, &|term| slope(term, direction))?)?;
        }
        for (variable, _) in changes.iter().filter(|(_, value)| value.is_none()) {
            let mut unit = vec![Ratio::ZERO; self.point.len()];
            *unit.get_mut(variable.0 as usize)? = Ratio::ONE;
            after.stretch(unit)?;
        }
        Some(after)
    }

    /// The smallest set with the points of both; nothing if a number does not fit.
    pub fn join(&self, other: &Self) -> Option<Self> {
        let mut both = self.clone();
        both.stretch(plus_times(&other.point, Ratio::ONE.negated()?, &self.point)?)?;
        for (_, direction) in &other.directions {
            both.stretch(direction.clone())?;
        }
        Some(both)
    }

    /// Terms that are 0 everywhere in the set, and nowhere else if all of them are.
    pub fn equations(&self) -> Vec<Term> {
        let is_own = |variable: &usize| self.directions.iter().any(|(own, _)| own == variable);
        let bound = (0..self.point.len()).filter(|variable| !is_own(variable));
        bound.filter_map(|variable| self.equation(variable)).collect()
    }

    /// The term that equals a variable, as far as the entries of the directions tell it.
    fn equation(&self, variable: usize) -> Option<Term> {
        let shares = self.directions.iter().map(|(own, direction)| (*own, direction[variable]));
        let shares: Vec<(usize, Ratio)> = shares.collect();
        let constant = self.point[variable];
        let common = common_denominator(shares.iter().map(|share| share.1).chain([constant]))?;
        let mut products = vec![(Variable(variable as u32), kept(-common).ok()?)];
        for (own, share) in shares {
            products.push((Variable(own as u32), kept(share.scaled(common)?).ok()?));
        }
        Term::sum(products, kept(constant.scaled(common)?).ok()?).ok()
    }

    fn only(point: Vector) -> Self {
        Self { point, directions: Vec::new() }
    }

    /// Lets the set go on in one more direction.
    fn stretch(&mut self, mut direction: Vector) -> Option<()> {
        for (own, known) in &self.directions {
            direction = plus_times(&direction, direction[*own].negated()?, known)?;
        }
        let Some(own) = direction.iter().position(|entry| !entry.is_zero()) else {
            return Some(());
        };
        let scale = direction[own];
        for entry in &mut direction {
            *entry = entry.over(scale)?;
        }
        for (_, known) in &mut self.directions {
            *known = plus_times(known, known[own].negated()?, &direction)?;
        }
        self.directions.push((own, direction));
        self.directions.sort_by_key(|known| known.0);
        for (own, direction) in &self.directions {
            self.point = plus_times(&self.point, self.point[*own].negated()?, direction)?;
        }
        Some(())
    }
}

/// How much a term rises in a direction.
fn slope(term: &Term, direction: &[Ratio]) -> Option<Ratio> {
    term.coefficients().iter().try_fold(Ratio::ZERO, |sum, &(variable, factor)| {
        let entry = direction.get(variable.0 as usize).copied()?;
        sum.plus(entry.times(Ratio::integer(factor.into()))?)
    })
}

fn plus_times(a: &[Ratio], factor: Ratio, b: &[Ratio]) -> Option<Vector> {
    a.iter().zip(b).map(|(a, b)| a.plus(factor.times(*b)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(products: [i64; 3], constant: i64) -> Term {
        let products = (0..).zip(products).map(|(variable, factor)| (Variable(variable), factor));
        Term::sum(products, constant).expect("small")
    }

    #[test]
    fn doubling_keeps_a_sum() {
        // x := n; y := 0, and then x := x - 1; y := y + 2 for ever.
        let [n, x, y] = [0, 1, 2].map(Variable);
        let zero = Term::constant(0).expect("small");
        let start = [(x, Some(Term::variable(n))), (y, Some(zero))];
        let mut known = Affine::everything(3).after(&start).expect("small");
        assert_eq!(known.equations(), [term([1, -1, 0], 0), term([0, 0, -1], 0)]);
        let around = [(x, Some(term([0, 1, 0], -1))), (y, Some(term([0, 0, 1], 2)))];
        for _ in 0..3 {
            known = known.join(&known.after(&around).expect("small")).expect("small");
        }
        assert_eq!(known.equations(), [term([2, -2, -1], 0)]);
        assert_eq!(known.clone().with_zero(&term([0, 1, 0], 0)).equations().len(), 2);
        let chosen = known.after(&[(y, None)]).expect("small");
        assert_eq!(chosen, Affine::everything(3));
    }
}
