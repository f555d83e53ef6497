//! Joint labels of components, bit by bit.

use bdd::{Bdd, Manager, Stop};

/// Values of some bits, in their order.
pub(crate) type Values = Vec<bool>;

/// A bit of the number of the class that the value of a shared variable is in: a joint proposition.
#[derive(Clone, Debug)]
pub(crate) struct JointBit {
    /// Where it is true.
    pub set: Bdd,
    /// A name that no expression has.
    pub name: String,
}

/// The values of some bits within a set, each with the part of the set that has them.
pub(crate) fn by_values(
    set: &Bdd,
    bits: &[JointBit],
    manager: &mut Manager,
) -> Result<Vec<(Values, Bdd)>, Stop> {
    let mut found = match set.is_empty() {
        true => Vec::new(),
        false => vec![(Values::new(), set.clone())],
    };
    for bit in bits {
        let mut parts = Vec::with_capacity(found.len());
        for (values, set) in found {
            let [one, zero] = [manager.and(&set, &bit.set)?, manager.minus(&set, &bit.set)?];
            for (value, part) in [(false, zero), (true, one)] {
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
