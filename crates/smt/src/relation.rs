//! Comparisons of terms.

use crate::{Excess, Formula, Term};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Relation {
    pub const ALL: [Relation; 6] = [
        Relation::Equal,
        Relation::Different,
        Relation::Less,
        Relation::AtMost,
        Relation::Greater,
        Relation::AtLeast,
    ];

    pub fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Relation::Equal => a == b,
            Relation::Different => a != b,
            Relation::Less => a < b,
            Relation::AtMost => a <= b,
            Relation::Greater => a > b,
            Relation::AtLeast => a >= b,
        }
    }

    /// The comparison as a formula.
    pub fn between(self, a: &Term, b: &Term) -> Result<Formula, Excess> {
        Ok(match self {
            Relation::Equal => Formula::zero(&a.minus(b)?),
            Relation::Different => Formula::zero(&a.minus(b)?).negated(),
            Relation::AtMost => Formula::at_most(&a.minus(b)?),
            Relation::Less => Formula::at_most(&a.minus(b)?.plus_constant(1)?),
            Relation::AtLeast => Formula::at_most(&b.minus(a)?),
            Relation::Greater => Formula::at_most(&b.minus(a)?.plus_constant(1)?),
        })
    }
}
