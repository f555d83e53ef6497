//! What components have to agree on, bit by bit.

use diagrams::{Diagrams, Set, Stop, Var};

/// Values of some truth variables, in their order.
pub(crate) type Values = Vec<bool>;

/// A bit of a variable that several components have: a joint proposition.
#[derive(Clone, Debug)]
pub(crate) struct JointBit {
    pub var: Var,
    /// What no expression is called.
    pub name: String,
}

/// The values of some variables within a set, each with the part of the set that has them.
pub(crate) fn by_values(
    set: &Set,
    vars: impl IntoIterator<Item = Var>,
    diagrams: &mut Diagrams,
) -> Result<Vec<(Values, Set)>, Stop> {
    let mut found = match set.is_empty() {
        true => Vec::new(),
        false => vec![(Values::new(), set.clone())],
    };
    for var in vars {
        let one = diagrams.var(var)?;
        let mut parts = Vec::with_capacity(found.len());
        for (values, set) in found {
            for (value, literal) in [(false, one.not()), (true, one.clone())] {
                let part = diagrams.and(&set, &literal)?;
                if !part.is_empty() {
                    let mut values = values.clone();
                    values.push(value);
                    parts.push((values, part));
                }
            }
        }
        found = parts;
    }
    Ok(found)
}
