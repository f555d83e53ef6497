//! Linear arithmetic over unbounded integers, with division by constants.
//!
//! Values are computed in 64 bits. What does not fit has no value, and whoever asks has to do without.

/// A number that depends on variables, which are numbered.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    Constant(i64),
    Variable(u32),
    Add(Box<Term>, Box<Term>),
    Sub(Box<Term>, Box<Term>),
    Times(i64, Box<Term>),
    /// Towards zero, as everywhere in while-programs; no value if the divisor is 0.
    Div(Box<Term>, i64),
    /// With the sign of the dividend.
    Mod(Box<Term>, i64),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    Constant(bool),
    Compare(Term, Relation, Term),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Term {
    pub fn variable(variable: u32) -> Self {
        Term::Variable(variable)
    }

    #[must_use]
    pub fn plus(self, other: Term) -> Self {
        Term::Add(Box::new(self), Box::new(other))
    }

    #[must_use]
    pub fn minus(self, other: Term) -> Self {
        Term::Sub(Box::new(self), Box::new(other))
    }

    #[must_use]
    pub fn divided_by(self, divisor: i64) -> Self {
        Term::Div(Box::new(self), divisor)
    }

    #[must_use]
    pub fn modulo(self, divisor: i64) -> Self {
        Term::Mod(Box::new(self), divisor)
    }

    pub fn compared(self, relation: Relation, other: Term) -> Condition {
        Condition::Compare(self, relation, other)
    }

    /// Its value, if it has one that fits.
    pub fn value(&self, of: &dyn Fn(u32) -> i64) -> Option<i64> {
        match self {
            Term::Constant(value) => Some(*value),
            Term::Variable(variable) => Some(of(*variable)),
            Term::Add(a, b) => a.value(of)?.checked_add(b.value(of)?),
            Term::Sub(a, b) => a.value(of)?.checked_sub(b.value(of)?),
            Term::Times(factor, a) => factor.checked_mul(a.value(of)?),
            Term::Div(a, divisor) => a.value(of)?.checked_div(*divisor),
            Term::Mod(a, divisor) => a.value(of)?.checked_rem(*divisor),
        }
    }

    /// Tells all variables, some of them more than once.
    pub fn each_variable(&self, found: &mut dyn FnMut(u32)) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(variable) => found(*variable),
            Term::Add(a, b) | Term::Sub(a, b) => {
                a.each_variable(found);
                b.each_variable(found);
            }
            Term::Times(_, a) | Term::Div(a, _) | Term::Mod(a, _) => a.each_variable(found),
        }
    }

    /// As it is written in while-programs.
    pub fn shown(&self, names: &[String]) -> String {
        let part = |term: &Term| match term {
            Term::Constant(_) | Term::Variable(_) => term.shown(names),
            _ => format!("({})", term.shown(names)),
        };
        // Products and quotients bind more tightly than sums.
        let summand = |term: &Term| match term {
            Term::Add(..) | Term::Sub(..) => part(term),
            _ => term.shown(names),
        };
        match self {
            Term::Constant(value) => value.to_string(),
            Term::Variable(variable) => {
                names.get(*variable as usize).cloned().unwrap_or_else(|| format!("v{variable}"))
            }
            Term::Add(a, b) => format!("{} + {}", a.shown(names), summand(b)),
            Term::Sub(a, b) => format!("{} - {}", a.shown(names), summand(b)),
            Term::Times(factor, a) => format!("{factor} * {}", part(a)),
            Term::Div(a, divisor) => format!("{} / {divisor}", part(a)),
            Term::Mod(a, divisor) => format!("{} mod {divisor}", part(a)),
        }
    }
}

impl Relation {
    fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Relation::Equal => a == b,
            Relation::Different => a != b,
            Relation::Less => a < b,
            Relation::AtMost => a <= b,
            Relation::Greater => a > b,
            Relation::AtLeast => a >= b,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Relation::Equal => "=",
            Relation::Different => "!=",
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
        }
    }
}

impl Condition {
    #[must_use]
    pub fn negated(self) -> Self {
        Condition::Not(Box::new(self))
    }

    #[must_use]
    pub fn and(self, other: Condition) -> Self {
        Condition::And(Box::new(self), Box::new(other))
    }

    #[must_use]
    pub fn or(self, other: Condition) -> Self {
        Condition::Or(Box::new(self), Box::new(other))
    }

    /// Whether it holds, if the terms in it have values.
    pub fn holds(&self, of: &dyn Fn(u32) -> i64) -> Option<bool> {
        match self {
            Condition::Constant(value) => Some(*value),
            Condition::Compare(a, relation, b) => Some(relation.holds(a.value(of)?, b.value(of)?)),
            Condition::Not(a) => Some(!a.holds(of)?),
            Condition::And(a, b) => Some(a.holds(of)? & b.holds(of)?),
            Condition::Or(a, b) => Some(a.holds(of)? | b.holds(of)?),
        }
    }

    /// Tells all variables, some of them more than once.
    pub fn each_variable(&self, found: &mut dyn FnMut(u32)) {
        match self {
            Condition::Constant(_) => {}
            Condition::Compare(a, _, b) => {
                a.each_variable(found);
                b.each_variable(found);
            }
            Condition::Not(a) => a.each_variable(found),
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.each_variable(found);
                b.each_variable(found);
            }
        }
    }

    /// As it is written in while-programs.
    pub fn shown(&self, names: &[String]) -> String {
        let part = |condition: &Condition| match condition {
            Condition::And(..) | Condition::Or(..) => format!("({})", condition.shown(names)),
            _ => condition.shown(names),
        };
        match self {
            Condition::Constant(value) => value.to_string(),
            Condition::Compare(a, relation, b) => {
                format!("{} {} {}", a.shown(names), relation.sign(), b.shown(names))
            }
            Condition::Not(a) => format!("!({})", a.shown(names)),
            Condition::And(a, b) => format!("{} & {}", part(a), part(b)),
            Condition::Or(a, b) => format!("{} | {}", part(a), part(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_texts() {
        let names = ["x".to_owned(), "y".to_owned()];
        let [x, y] = [0, 1].map(Term::variable);
        let term = Term::Constant(1).minus(x.clone().divided_by(2));
        assert_eq!(term.shown(&names), "1 - x / 2");
        let at = |value: i64| term.value(&|_| value);
        assert_eq!([-3, -2, -1, 0, 1, 2, 3].map(at), [2, 2, 1, 1, 1, 0, 0].map(Some));
        let nested = Term::Times(3, Box::new(x.clone().plus(y.clone()))).minus(x.clone().minus(y));
        assert_eq!(nested.shown(&names), "3 * (x + y) - (x - y)");
        let odd = x.clone().modulo(2).compared(Relation::Different, Term::Constant(0));
        let both = odd.clone().and(odd.negated().or(Condition::Constant(true)));
        assert_eq!(both.shown(&names), "x mod 2 != 0 & (!(x mod 2 != 0) | true)");
        assert_eq!(both.holds(&|_| -5), Some(true));
    }

    #[test]
    fn what_does_not_fit_has_no_value() {
        let x = Term::variable(0);
        assert_eq!(x.clone().plus(Term::Constant(1)).value(&|_| i64::MAX), None);
        assert_eq!(x.clone().divided_by(0).value(&|_| 1), None);
        assert_eq!(x.clone().divided_by(-1).value(&|_| i64::MIN), None);
        let condition = x.modulo(0).compared(Relation::Equal, Term::Constant(0));
        assert_eq!(condition.or(Condition::Constant(true)).holds(&|_| 1), None);
    }
}
