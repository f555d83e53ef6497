//! Terms and conditions with constants folded, negations at the comparisons, and long chains as balanced trees: who
//! reads them is recursive.

use transition::LARGEST;
use transition::predicates::{Condition, Relation, Term};

pub(crate) fn truth(value: bool) -> Condition {
    Condition::Constant(value)
}

pub(crate) fn number(value: i64) -> Option<Term> {
    (-LARGEST..=LARGEST).contains(&value).then_some(Term::Constant(value))
}

/// A sum; nothing if it is a constant that is too large, here and below.
pub(crate) fn add(a: Term, b: Term) -> Option<Term> {
    match (&a, &b) {
        (Term::Constant(a), Term::Constant(b)) => number(a.checked_add(*b)?),
        (Term::Constant(0), _) => Some(b),
        (_, Term::Constant(0)) => Some(a),
        _ => Some(a.plus(b)),
    }
}

pub(crate) fn subtract(a: Term, b: Term) -> Option<Term> {
    match (&a, &b) {
        (Term::Constant(a), Term::Constant(b)) => number(a.checked_sub(*b)?),
        (_, Term::Constant(0)) => Some(a),
        _ => Some(a.minus(b)),
    }
}

pub(crate) fn times(factor: i64, a: Term) -> Option<Term> {
    match (factor, a) {
        (_, Term::Constant(value)) => number(value.checked_mul(factor)?),
        (0, _) => Some(Term::Constant(0)),
        (1, a) => Some(a),
        (_, Term::Times(inner, a)) => match number(inner.checked_mul(factor)?)? {
            Term::Constant(product) => times(product, *a),
            _ => None,
        },
        (_, a) => Some(Term::Times(factor, Box::new(a))),
    }
}

/// The divisor is not 0.
pub(crate) fn divide(a: Term, divisor: i64) -> Option<Term> {
    match (a, divisor) {
        (Term::Constant(value), _) => number(value.checked_div(divisor)?),
        (a, 1) => Some(a),
        (a, _) => Some(a.divided_by(divisor)),
    }
}

/// The divisor is not 0.
pub(crate) fn modulo(a: Term, divisor: i64) -> Option<Term> {
    match (a, divisor) {
        (Term::Constant(value), _) => number(value.checked_rem(divisor)?),
        (_, 1 | -1) => Some(Term::Constant(0)),
        (a, _) => Some(a.modulo(divisor)),
    }
}

/// Up to this length chains stay as they are written.
const SHORT: usize = 16;

/// The sum of all, those that are marked subtracted.
pub(crate) fn sum(mut parts: Vec<(bool, Term)>) -> Option<Term> {
    if parts.len() > SHORT {
        let rest = parts.split_off(parts.len() / 2);
        return add(sum(parts)?, sum(rest)?);
    }
    let mut parts = parts.into_iter();
    let first = match parts.next()? {
        (false, term) => term,
        (true, term) => times(-1, term)?,
    };
    parts.try_fold(first, |sum, (is_subtracted, term)| match is_subtracted {
        false => add(sum, term),
        true => subtract(sum, term),
    })
}

pub(crate) fn compare(a: Term, relation: Relation, b: Term) -> Condition {
    let condition = a.compared(relation, b);
    match &condition {
        Condition::Compare(Term::Constant(_), _, Term::Constant(_)) => {
            condition.holds(&|_| 0).map_or(condition, truth)
        }
        _ => condition,
    }
}

pub(crate) fn not(condition: Condition) -> Condition {
    match condition {
        Condition::Constant(value) => truth(!value),
        Condition::Compare(a, relation, b) => Condition::Compare(a, opposite(relation), b),
        Condition::Not(a) => *a,
        Condition::And(a, b) => not(*a).or(not(*b)),
        Condition::Or(a, b) => not(*a).and(not(*b)),
    }
}

fn opposite(relation: Relation) -> Relation {
    match relation {
        Relation::Equal => Relation::Different,
        Relation::Different => Relation::Equal,
        Relation::Less => Relation::AtLeast,
        Relation::AtMost => Relation::Greater,
        Relation::Greater => Relation::AtMost,
        Relation::AtLeast => Relation::Less,
    }
}

pub(crate) fn and(a: Condition, b: Condition) -> Condition {
    match (&a, &b) {
        (Condition::Constant(false), _) | (_, Condition::Constant(true)) => a,
        (Condition::Constant(true), _) | (_, Condition::Constant(false)) => b,
        _ => a.and(b),
    }
}

pub(crate) fn or(a: Condition, b: Condition) -> Condition {
    match (&a, &b) {
        (Condition::Constant(true), _) | (_, Condition::Constant(false)) => a,
        (Condition::Constant(false), _) | (_, Condition::Constant(true)) => b,
        _ => a.or(b),
    }
}

pub(crate) fn all(conditions: impl IntoIterator<Item = Condition>) -> Condition {
    joined(conditions.into_iter().collect(), and).unwrap_or(truth(true))
}

pub(crate) fn some(conditions: impl IntoIterator<Item = Condition>) -> Condition {
    joined(conditions.into_iter().collect(), or).unwrap_or(truth(false))
}

fn joined(
    mut conditions: Vec<Condition>,
    join: fn(Condition, Condition) -> Condition,
) -> Option<Condition> {
    if conditions.len() > SHORT {
        let rest = conditions.split_off(conditions.len() / 2);
        return Some(join(joined(conditions, join)?, joined(rest, join)?));
    }
    conditions.into_iter().reduce(join)
}

pub(crate) fn within(term: &Term, low: i64, high: i64) -> Condition {
    let above = compare(term.clone(), Relation::AtLeast, Term::Constant(low));
    and(above, compare(term.clone(), Relation::AtMost, Term::Constant(high)))
}

pub(crate) fn among(term: &Term, values: impl Iterator<Item = i64>) -> Condition {
    some(values.map(|value| compare(term.clone(), Relation::Equal, Term::Constant(value))))
}

/// How many nodes something has, and on how many levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Size {
    pub nodes: usize,
    pub depth: usize,
}

impl Size {
    fn around(parts: &[Size]) -> Self {
        Self {
            nodes: 1 + parts.iter().map(|part| part.nodes).sum::<usize>(),
            depth: 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0),
        }
    }

    pub fn of_term(term: &Term) -> Self {
        match term {
            Term::Constant(_) | Term::Variable(_) => Size::around(&[]),
            Term::Add(a, b) | Term::Sub(a, b) => {
                Size::around(&[Size::of_term(a), Size::of_term(b)])
            }
            Term::Times(_, a) | Term::Div(a, _) | Term::Mod(a, _) => {
                Size::around(&[Size::of_term(a)])
            }
        }
    }

    pub fn of_condition(condition: &Condition) -> Self {
        match condition {
            Condition::Constant(_) => Size::around(&[]),
            Condition::Compare(a, _, b) => Size::around(&[Size::of_term(a), Size::of_term(b)]),
            Condition::Not(a) => Size::around(&[Size::of_condition(a)]),
            Condition::And(a, b) | Condition::Or(a, b) => {
                Size::around(&[Size::of_condition(a), Size::of_condition(b)])
            }
        }
    }
}
