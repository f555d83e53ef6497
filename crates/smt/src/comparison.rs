//! Comparisons of terms.

use crate::{Excess, LinearFormula, Term};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    pub const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::Different,
        Comparison::Less,
        Comparison::AtMost,
        Comparison::Greater,
        Comparison::AtLeast,
    ];

    pub fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Different => a != b,
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::Greater => a > b,
            Comparison::AtLeast => a >= b,
        }
    }

    /// The comparison as a formula.
    pub fn between(self, a: &Term, b: &Term) -> Result<LinearFormula, Excess> {
        Ok(match self {
            Comparison::Equal => LinearFormula::zero(&a.minus(b)?),
            Comparison::Different => LinearFormula::zero(&a.minus(b)?).negated(),
            Comparison::AtMost => LinearFormula::at_most(&a.minus(b)?),
            Comparison::Less => LinearFormula::at_most(&a.minus(b)?.plus_constant(1)?),
            Comparison::AtLeast => LinearFormula::at_most(&b.minus(a)?),
            Comparison::Greater => LinearFormula::at_most(&b.minus(a)?.plus_constant(1)?),
        })
    }
}
