//! Expressions with `div` and `mod` by constants, and how comparisons of them become formulas over the
//! same variables.
//!
//! A quotient is kept until something is compared. Where it stands alone it goes into the inequality
//! (⌊u/c⌋ ≤ s is u ≤ c·s + c − 1), and a remainder compared with a constant is a divisibility. What else there
//! is gets divided into cases by remainder: f(⌊u/c⌋) is ∨ᵣ c | u − r ∧ f((u − r)/c). Cases exclude each other
//! and cover everything, so the negation of the formula is that of the comparison.

use crate::number::{ceiling, floor, gcd};
use crate::term::kept;
use crate::{Comparison, Excess, LinearFormula, Term, Variable};
use std::sync::Arc;

/// How many cases one comparison is divided into at most.
const CASES: usize = 4096;

/// Where a quotient that is no whole number goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// To the next whole number below: the remainder is never negative if the divisor is positive.
    Down,
    /// As most machines do: the remainder has the sign of the dividend.
    TowardsZero,
}

/// A whole number that depends on variables: a term, quotients in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerValue {
    term: Term,
    quotients: Vec<(i64, Arc<Quotient>)>,
    /// All of it is divided by this, which is positive; nothing remains wherever the value is looked at.
    denominator: i64,
}

#[derive(PartialEq, Eq, Hash, Debug)]
struct Quotient {
    of: IntegerValue,
    /// Positive.
    by: i64,
    rounding: Rounding,
}

impl From<Term> for IntegerValue {
    fn from(term: Term) -> Self {
        Self { term, quotients: Vec::new(), denominator: 1 }
    }
}

impl IntegerValue {
    pub fn plus(&self, other: &IntegerValue) -> Result<IntegerValue, Excess> {
        self.plus_times(1, other)
    }

    pub fn minus(&self, other: &IntegerValue) -> Result<IntegerValue, Excess> {
        self.plus_times(-1, other)
    }

    pub fn times(&self, factor: i64) -> Result<IntegerValue, Excess> {
        IntegerValue::from(Term::default()).plus_times(factor, self)
    }

    /// The quotient by a constant.
    pub fn divided(&self, by: i64, rounding: Rounding) -> Result<IntegerValue, Excess> {
        match (by, rounding) {
            (0, _) => Err(Excess::Divisor),
            (1.., _) => Ok(quotient(self.clone(), by, rounding)),
            (_, Rounding::Down) => Ok(quotient(self.times(-1)?, kept(by.into())?.abs(), rounding)),
            (_, Rounding::TowardsZero) => {
                quotient(self.clone(), kept(by.into())?.abs(), rounding).times(-1)
            }
        }
    }

    /// The remainder of the quotient, rounded like this.
    pub fn modulo(&self, by: i64, rounding: Rounding) -> Result<IntegerValue, Excess> {
        self.plus_times(kept(-i128::from(by))?, &self.divided(by, rounding)?)
    }

    /// The value as a term, if nothing is divided in it.
    pub fn as_term(&self) -> Option<&Term> {
        (self.quotients.is_empty() && self.denominator == 1).then_some(&self.term)
    }

    /// The value, if it is the same everywhere.
    pub fn as_constant(&self) -> Option<i64> {
        self.as_term()?.as_constant()
    }

    /// The value where the variables have these; `None` if a number does not fit.
    pub fn value(&self, of: &dyn Fn(Variable) -> i128) -> Option<i128> {
        let mut sum = self.term.value(of)?;
        for (factor, quotient) in &self.quotients {
            let (dividend, by) = (quotient.of.value(of)?, i128::from(quotient.by));
            let integer = match quotient.rounding {
                Rounding::Down => dividend.div_euclid(by),
                Rounding::TowardsZero => dividend / by,
            };
            sum = sum.checked_add(integer.checked_mul(i128::from(*factor))?)?;
        }
        Some(sum / i128::from(self.denominator))
    }

    /// The variables in it, in order, each once.
    pub fn variables(&self) -> Vec<Variable> {
        let own = self.term.coefficients().iter().map(|&(variable, _)| variable);
        let within = self.quotients.iter().flat_map(|(_, quotient)| quotient.of.variables());
        let mut found: Vec<Variable> = own.chain(within).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The comparison as a formula over the same variables.
    pub fn compared(
        &self,
        relation: Comparison,
        other: &IntegerValue,
    ) -> Result<LinearFormula, Excess> {
        let difference = self.minus(other)?;
        let one = |value: IntegerValue| value.plus(&Term::constant(1)?.into());
        match relation {
            Comparison::Equal => Cases::default().zero(&difference),
            Comparison::Different => Ok(Cases::default().zero(&difference)?.negated()),
            Comparison::AtMost => Cases::default().at_most(&difference),
            Comparison::Less => Cases::default().at_most(&one(difference)?),
            Comparison::AtLeast => Cases::default().at_most(&difference.times(-1)?),
            Comparison::Greater => Cases::default().at_most(&one(difference.times(-1)?)?),
        }
    }

    /// `self + factor · other`.
    fn plus_times(&self, factor: i64, other: &IntegerValue) -> Result<IntegerValue, Excess> {
        let (a, b) = (self.denominator, other.denominator);
        let common = i64::try_from(gcd(a.unsigned_abs().into(), b.unsigned_abs().into()));
        let common = common.map_err(|_| Excess::Number)?;
        let denominator = scaled(a, b / common)?;
        let (mine, theirs) = (b / common, scaled(factor, a / common)?);
        let term = self.term.times(mine)?.plus_times(theirs, &other.term)?;
        let mut result = IntegerValue { term, quotients: Vec::new(), denominator };
        for (part, times) in [(self, mine), (other, theirs)] {
            for (factor, quotient) in &part.quotients {
                result.add_quotient(scaled(*factor, times)?, quotient.clone())?;
            }
        }
        Ok(result)
    }

    fn add_quotient(&mut self, factor: i64, quotient: Arc<Quotient>) -> Result<(), Excess> {
        match self.quotients.iter().position(|(_, known)| *known == quotient) {
            None => self.quotients.push((factor, quotient)),
            Some(place) => {
                let sum = i128::from(self.quotients[place].0) + i128::from(factor);
                self.quotients[place].0 = kept(sum)?;
            }
        }
        self.quotients.retain(|&(factor, _)| factor != 0);
        Ok(())
    }

    /// A quotient in it that has none inside.
    fn innermost(&self) -> Option<Arc<Quotient>> {
        let (_, first) = self.quotients.first()?;
        first.of.innermost().or_else(|| Some(first.clone()))
    }

    /// Replaces a quotient by another value.
    fn replace(&self, quotient: &Quotient, by: &IntegerValue) -> Result<IntegerValue, Excess> {
        let mut sum = IntegerValue::from(self.term.clone());
        for (factor, part) in &self.quotients {
            let replaced = match **part == *quotient {
                true => by.clone(),
                false => self::quotient(part.of.replace(quotient, by)?, part.by, part.rounding),
            };
            sum = sum.plus_times(*factor, &replaced)?;
        }
        sum.denominator = scaled(sum.denominator, self.denominator)?;
        Ok(sum)
    }
}

fn quotient(of: IntegerValue, by: i64, rounding: Rounding) -> IntegerValue {
    let quotient = Arc::new(Quotient { of, by, rounding });
    IntegerValue { term: Term::default(), quotients: vec![(1, quotient)], denominator: 1 }
}

fn scaled(a: i64, b: i64) -> Result<i64, Excess> {
    kept(i128::from(a) * i128::from(b))
}

#[derive(Clone, Copy)]
enum Kind {
    AtMost,
    Zero,
}

/// Divides a comparison into cases, and counts them.
#[derive(Default)]
struct Cases(usize);

impl Cases {
    fn at_most(&mut self, value: &IntegerValue) -> Result<LinearFormula, Excess> {
        self.resolve(Kind::AtMost, value)
    }

    fn zero(&mut self, value: &IntegerValue) -> Result<LinearFormula, Excess> {
        self.resolve(Kind::Zero, value)
    }

    fn resolve(&mut self, kind: Kind, value: &IntegerValue) -> Result<LinearFormula, Excess> {
        let Some(quotient) = value.innermost() else {
            return Ok(match kind {
                Kind::AtMost => LinearFormula::at_most(&value.term),
                Kind::Zero => LinearFormula::zero(&value.term),
            });
        };
        if quotient.rounding == Rounding::TowardsZero {
            return self.by_sign(kind, value, &quotient);
        }
        match Lone::of(value, &quotient)? {
            Some(lone) if lone.factor.abs() == 1 => lone.inequality(kind),
            Some(Lone { remainder: Some(remainder), dividend, divisor, .. }) => {
                self.by_remainder(kind, remainder, &dividend, divisor)
            }
            _ => self.by_all_remainders(kind, value, &quotient),
        }
    }

    fn count(&mut self, cases: i128) -> Result<(), Excess> {
        self.0 = usize::try_from(cases).map_or(usize::MAX, |cases| self.0.saturating_add(cases));
        if self.0 > CASES { Err(Excess::Cases) } else { Ok(()) }
    }

    /// Towards zero is down above zero and up below.
    fn by_sign(
        &mut self,
        kind: Kind,
        value: &IntegerValue,
        q: &Quotient,
    ) -> Result<LinearFormula, Excess> {
        self.count(2)?;
        let opposite = q.of.times(-1)?;
        let down = quotient(q.of.clone(), q.by, Rounding::Down);
        let up = quotient(opposite.clone(), q.by, Rounding::Down).times(-1)?;
        let above = self.resolve(kind, &value.replace(q, &down)?)?;
        let below = self.resolve(kind, &value.replace(q, &up)?)?;
        if above == below {
            return Ok(above);
        }
        let is_above = LinearFormula::at_most(&opposite.term);
        let is_below = is_above.negated();
        Ok(LinearFormula::or([
            LinearFormula::and([is_above, above]),
            LinearFormula::and([is_below, below]),
        ]))
    }

    /// `times · (dividend mod divisor) + offset` is at most 0, or is 0.
    fn by_remainder(
        &mut self,
        kind: Kind,
        (times, offset): (i128, i128),
        dividend: &Term,
        divisor: i64,
    ) -> Result<LinearFormula, Excess> {
        let last = i128::from(divisor) - 1;
        let (low, high) = match kind {
            Kind::Zero if offset % times != 0 => return Ok(LinearFormula::Constant(false)),
            Kind::Zero => (-offset / times, -offset / times),
            Kind::AtMost if times > 0 => (0, floor(-offset, times)),
            Kind::AtMost => (ceiling(offset, -times), last),
        };
        let (low, high) = (low.max(0), high.min(last));
        if low > high {
            return Ok(LinearFormula::Constant(false));
        }
        if 2 * (high - low + 1) <= last + 1 {
            return self.one_of(low..=high, dividend, divisor);
        }
        let below = self.one_of(0..=low - 1, dividend, divisor)?;
        let above = self.one_of(high + 1..=last, dividend, divisor)?;
        Ok(LinearFormula::or([below, above]).negated())
    }

    fn one_of(
        &mut self,
        remainders: std::ops::RangeInclusive<i128>,
        dividend: &Term,
        divisor: i64,
    ) -> Result<LinearFormula, Excess> {
        self.count((remainders.end() - remainders.start() + 1).max(0))?;
        let each = remainders.map(|remainder| leaves(dividend, divisor, remainder));
        Ok(LinearFormula::or(each.collect::<Result<Vec<_>, _>>()?))
    }

    fn by_all_remainders(
        &mut self,
        kind: Kind,
        value: &IntegerValue,
        q: &Quotient,
    ) -> Result<LinearFormula, Excess> {
        let divisor = scaled(q.by, q.of.denominator)?;
        self.count(divisor.into())?;
        let case = |remainder: i64| {
            let term = q.of.term.plus_constant(-remainder)?;
            let exact = IntegerValue { term, quotients: Vec::new(), denominator: divisor };
            let rest = self.resolve(kind, &value.replace(q, &exact)?)?;
            Ok(LinearFormula::and([leaves(&q.of.term, divisor, remainder.into())?, rest]))
        };
        Ok(LinearFormula::or((0..divisor).map(case).collect::<Result<Vec<_>, Excess>>()?))
    }
}

fn leaves(dividend: &Term, divisor: i64, remainder: i128) -> Result<LinearFormula, Excess> {
    let term = dividend.plus_constant(kept(-remainder)?)?;
    Ok(LinearFormula::divides(divisor.unsigned_abs(), &term))
}

/// A value with one quotient: `rest + factor · ⌊dividend / divisor⌋`.
struct Lone {
    rest: Term,
    factor: i64,
    dividend: Term,
    divisor: i64,
    /// It is also `.0 · (dividend mod divisor) + .1`.
    remainder: Option<(i128, i128)>,
}

impl Lone {
    fn of(value: &IntegerValue, quotient: &Arc<Quotient>) -> Result<Option<Self>, Excess> {
        let [(factor, only)] = &value.quotients[..] else { return Ok(None) };
        if only != quotient {
            return Ok(None);
        }
        let divisor = scaled(quotient.by, quotient.of.denominator)?;
        let (rest, dividend) = (value.term.clone(), quotient.of.term.clone());
        let remainder = as_remainder(&rest, *factor, &dividend, divisor);
        Ok(Some(Self { rest, factor: *factor, dividend, divisor, remainder }))
    }

    /// For a factor of 1 or −1.
    fn inequality(&self, kind: Kind) -> Result<LinearFormula, Excess> {
        // rest + ⌊u/c⌋ ≤ 0 is u + c·rest − c + 1 ≤ 0; rest − ⌊u/c⌋ ≤ 0 is c·rest − u ≤ 0.
        let at_most = |rest: &Term, is_positive: bool| {
            let scaled = rest.times(self.divisor)?;
            Ok(LinearFormula::at_most(&match is_positive {
                true => scaled.plus(&self.dividend)?.plus_constant(1 - self.divisor)?,
                false => scaled.minus(&self.dividend)?,
            }))
        };
        let is_positive = self.factor > 0;
        let first = at_most(&self.rest, is_positive)?;
        match kind {
            Kind::AtMost => Ok(first),
            Kind::Zero => {
                Ok(LinearFormula::and([first, at_most(&self.rest.negated(), !is_positive)?]))
            }
        }
    }
}

/// `rest + factor · ⌊u/c⌋` is `k · (u mod c) + e` if the factor is −k·c and the rest is k·u + e.
fn as_remainder(rest: &Term, factor: i64, u: &Term, c: i64) -> Option<(i128, i128)> {
    if factor % c != 0 {
        return None;
    }
    let k = -(factor / c);
    let without = rest.plus_times(-k, u).ok()?.as_constant()?;
    Some((k.into(), without.into()))
}
