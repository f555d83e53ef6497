//! The subset construction: a deterministic LTS with the language of a nondeterministic one.
//!
//! A §2 asks for deterministic properties. All states of an LTS accept, so a set of states stands for the runs that
//! lead to one of them, and an action that leads from none of them is an error.

use crate::lts::Lts;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// More sets than this, or sets with more states in all than [`MEMBERS`], are not made: there can be exponentially
/// many.
const SETS: usize = 1 << 16;
const MEMBERS: usize = 1 << 22;

/// Whether there is at most one initial state, and at most one step by each action.
pub(crate) fn is_deterministic(lts: &Lts) -> bool {
    let one = |state| lts.out.of(state).windows(2).all(|pair| pair[0].0 != pair[1].0);
    lts.init.len() <= 1 && (0..lts.states() as u32).all(one)
}

/// A deterministic LTS of the same language, whose states are the reachable sets; `None` if they are too many.
pub(crate) fn determinise(lts: &Lts) -> Option<Lts> {
    let mut sets: Vec<Rc<[u32]>> = Vec::new();
    let mut numbers: FxHashMap<Rc<[u32]>, u32> = FxHashMap::default();
    let mut members = 0;
    let mut number = |sets: &mut Vec<Rc<[u32]>>, mut states: Vec<u32>| {
        states.sort_unstable();
        states.dedup();
        let set: Rc<[u32]> = states.into();
        if let Some(&number) = numbers.get(&set) {
            return Some(number);
        }
        members += set.len();
        let is_room = sets.len() < SETS && members <= MEMBERS;
        numbers.insert(set.clone(), sets.len() as u32);
        sets.push(set);
        is_room.then(|| sets.len() as u32 - 1)
    };
    let initial = number(&mut sets, lts.init.clone())?;
    let (mut triples, mut next) = (Vec::new(), 0);
    while let Some(set) = sets.get(next).cloned() {
        let mut after: Vec<(u32, u32)> =
            set.iter().flat_map(|&state| lts.out.of(state)).copied().collect();
        after.sort_unstable();
        for by_action in after.chunk_by(|a, b| a.0 == b.0) {
            let targets = by_action.iter().map(|&(_, target)| target).collect();
            triples.push((next as u32, by_action[0].0, number(&mut sets, targets)?));
        }
        next += 1;
    }
    Some(Lts::from_triples(sets.len(), lts.actions, vec![initial], triples))
}
