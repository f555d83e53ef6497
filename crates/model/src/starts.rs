//! From the values in the initial states of the composition to the verdict.

use crate::system::System;
use std::collections::BTreeMap;

/// Values that an implementation chooses by itself, and the abstract states of one of its initial states.
type Start = (Vec<u32>, Vec<usize>);

impl System {
    /// Whether a formula is false of the system that is false in some of its initial states, which are given as
    /// tuples of the components' states.
    ///
    /// Of the initial states of a missing part an implementation has unknown ones: it is false only if false whichever
    /// it has. Where an initial state stands for several, an implementation begins in one or
    /// some of these: it has to be false in all that fit the rest.
    pub fn is_falsified(&self, initial: &[(Vec<u32>, bool)]) -> bool {
        self.falsified_starts(initial).is_some()
    }

    /// If it is: whatever the missing parts begin in, the initial states that together show it, as few as
    /// there are.
    pub fn falsified_starts(&self, initial: &[(Vec<u32>, bool)]) -> Option<Vec<Vec<usize>>> {
        let mut starts: BTreeMap<Start, Vec<usize>> = BTreeMap::new();
        for (index, (tuple, _)) in initial.iter().enumerate() {
            let missing = self.missing(tuple);
            for start in self.starts_of(tuple) {
                starts.entry((missing.clone(), start)).or_default().push(index);
            }
        }
        if starts.is_empty() {
            return None;
        }
        let starts: Vec<(Start, Vec<usize>)> = starts.into_iter().collect();
        let is_false = |members: &&Vec<usize>| members.iter().all(|&index| initial[index].1);
        let fewest = |group: &[(Start, Vec<usize>)]| {
            group
                .iter()
                .map(|(_, members)| members)
                .filter(is_false)
                .min_by_key(|m| m.len())
                .cloned()
        };
        starts.chunk_by(|(a, _), (b, _)| a.0 == b.0).map(fewest).collect()
    }

    /// The states of the parts that are declared `unknown`.
    pub fn missing(&self, tuple: &[u32]) -> Vec<u32> {
        let parts = tuple.iter().zip(&self.components);
        parts.filter(|(_, part)| part.is_unknown).map(|(&member, _)| member).collect()
    }

    /// The starts that a tuple belongs to, one of each part that is not missing.
    fn starts_of(&self, tuple: &[u32]) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for (&member, part) in tuple.iter().zip(&self.components).filter(|(_, p)| !p.is_unknown) {
            let own: Vec<usize> = match part.model.starts() {
                [] => vec![member as usize],
                starts => (0..starts.len()).filter(|&i| starts[i].contains(&member)).collect(),
            };
            let longer = |start: Vec<usize>| {
                own.iter().map(move |&next| [&start[..], &[next]].concat()).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    }
}
