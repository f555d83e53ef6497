//! The abstract initial states of the composition.
//!
//! What is said about the start can relate components in any way. So it is asked of the composition: a tuple of
//! sets is initial if an initial state of the composition is in all of them. Then `false` in a tuple is `false` in
//! a state in which the machine does start.

use crate::component::EncodedComponent;
use crate::joint::{Values, by_values};
use bdd::{Bdd, Manager, Stop};
use rustc_hash::FxHashMap;

/// The tuples of blocks, one for each joint label, behind which the machine can start; `None` if there are
/// more than so many.
pub(crate) fn tuples(
    init: &Bdd,
    parts: &[EncodedComponent],
    blocks: &[Vec<(Values, Bdd)>],
    most: usize,
    manager: &mut Manager,
) -> Result<Option<Vec<Vec<u32>>>, Stop> {
    let mut found: Vec<(Vec<u32>, Bdd)> = vec![(Vec::new(), init.clone())];
    found.retain(|(_, set)| !set.is_empty());
    for (part, blocks) in parts.iter().zip(blocks) {
        let numbers: FxHashMap<&Values, u32> =
            blocks.iter().map(|(values, _)| values).zip(0..).collect();
        let mut longer = Vec::with_capacity(found.len());
        for (tuple, set) in found {
            for (values, set) in by_values(&set, &part.joint, manager)? {
                let Some(&number) = numbers.get(&values) else { continue };
                let mut tuple = tuple.clone();
                tuple.push(number);
                longer.push((tuple, set));
            }
            if longer.len() > most {
                return Ok(None);
            }
        }
        found = longer;
    }
    Ok(Some(found.into_iter().map(|(tuple, _)| tuple).collect()))
}

/// Whether an initial state of the composition is in all of these.
pub(crate) fn is_common<'s>(
    init: &Bdd,
    sets: impl Iterator<Item = &'s Bdd>,
    manager: &mut Manager,
) -> Result<bool, Stop> {
    let mut all = init.clone();
    for set in sets {
        all = manager.and(&all, set)?;
    }
    Ok(!all.is_empty())
}
