//! From labels to equivalences: states that are in the same labels are in one class.
//!
//! A §3 sorts the states by their decoration with an AVL tree and merges equal ones on the way. Here the
//! classes are split by one label after the other, which touches each state of each label once: the
//! order is the same, the cost is that of reading the labels, without the factor log |N_F|.

use crate::set::StateSet;

/// Classes of the states 0, 1, …; numbered from 0 in the order of their first states when asked for.
pub(crate) struct Classes {
    class_of: Vec<u32>,
    sizes: Vec<u32>,
}

impl Classes {
    pub fn new(states: u32) -> Classes {
        Classes { class_of: vec![0; states as usize], sizes: vec![states] }
    }

    /// Keeps apart the states that are in the label and those that are not.
    pub fn split_by(&mut self, label: &StateSet) {
        let states = self.class_of.len() as u32;
        // By class: how many of it are in the label, and where they go.
        let mut hit: rustc_hash::FxHashMap<u32, (u32, u32)> = rustc_hash::FxHashMap::default();
        let within = |state: u32| state < states;
        label.for_each(|state| {
            if within(state) {
                hit.entry(self.class_of[state as usize]).or_insert((0, u32::MAX)).0 += 1;
            }
        });
        hit.retain(|&class, (count, _)| *count < self.sizes[class as usize]);
        if hit.is_empty() {
            return;
        }
        label.for_each(|state| {
            if within(state)
                && let Some((count, new)) = hit.get_mut(&self.class_of[state as usize])
            {
                if *new == u32::MAX {
                    *new = self.sizes.len() as u32;
                    self.sizes.push(*count);
                    self.sizes[self.class_of[state as usize] as usize] -= *count;
                }
                self.class_of[state as usize] = *new;
            }
        });
    }

    /// A state of its own class: one between the bounds is equivalent to itself only.
    pub fn isolate(&mut self, state: u32) {
        let class = self.class_of[state as usize] as usize;
        if self.sizes[class] > 1 {
            self.sizes[class] -= 1;
            self.class_of[state as usize] = self.sizes.len() as u32;
            self.sizes.push(1);
        }
    }

    /// The class of each state, and how many there are.
    pub fn finish(self) -> (Vec<u32>, u32) {
        let mut names = vec![u32::MAX; self.sizes.len()];
        let mut count = 0;
        let mut name = |class: u32| {
            let name = &mut names[class as usize];
            if *name == u32::MAX {
                *name = count;
                count += 1;
            }
            *name
        };
        let classes = self.class_of.iter().map(|&class| name(class)).collect();
        (classes, count)
    }
}

/// A §5: two states are equivalent if each label has both for certain, or neither for certain.
pub(crate) fn between_bounds<'s>(
    states: u32,
    bounds: impl Iterator<Item = (&'s StateSet, &'s StateSet)>,
) -> (Vec<u32>, u32) {
    let mut classes = Classes::new(states);
    let mut between = StateSet::new(states);
    for (lower, upper) in bounds {
        classes.split_by(lower);
        if lower.len() < upper.len() {
            upper.for_each(|state| {
                if state < states && !lower.contains(state) {
                    between.insert(state);
                }
            });
        }
    }
    between.for_each(|state| classes.isolate(state));
    classes.finish()
}
