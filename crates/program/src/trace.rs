//! What was found out about every node, for those who want to know why.

use crate::assumption::Assumption;
use crate::sets::{Sets, Written};
use crate::store::{Key, Store};
use flow::{Closure, PlaceId, TemporalId};
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// The untils of one level at the beginning of a node.
#[derive(Clone, Debug)]
pub struct Claim {
    pub place: PlaceId,
    pub sets: Vec<(TemporalId, Written)>,
}

#[derive(Default)]
struct Told {
    /// By level, in an order in which each follows from those before.
    claims: Vec<Vec<Claim>>,
    /// What was told last of a place and a level.
    last: FxHashMap<(PlaceId, usize), u128>,
}

/// Collects claims, and keeps in a store what is known of every place in the end.
pub struct Trace<'a> {
    told: Mutex<Told>,
    store: &'a dyn Store,
}

impl<'a> Trace<'a> {
    pub fn new(store: &'a dyn Store) -> Self {
        Self { told: Mutex::default(), store }
    }

    pub fn tell<S: Sets>(
        &self,
        place: PlaceId,
        found: &Assumption<S::Set>,
        level: usize,
        closure: &Closure,
        sets: &S,
    ) {
        for at in 0..=level {
            let digest = found.digest(at, closure, sets);
            let mut told = self.told.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if told.last.insert((place, at), digest) == Some(digest) {
                continue;
            }
            self.store.put(self.key(place, at), &found.write(&closure.levels[at], sets));
            let untils = closure.levels[at].iter().filter(|&&id| closure.temporals[id].is_until());
            let sets = untils.filter_map(|&id| Some((id, sets.list(found.get(id)?)))).collect();
            if told.claims.len() <= at {
                told.claims.resize(at + 1, Vec::new());
            }
            told.claims[at].push(Claim { place, sets });
        }
    }

    /// What is known of the beginning of a node in the end.
    pub fn known<S: Sets>(
        &self,
        place: PlaceId,
        found: &mut Assumption<S::Set>,
        closure: &Closure,
        sets: &mut S,
    ) -> Result<bool, base::Stopped> {
        for (at, ids) in closure.levels.iter().enumerate() {
            let Some(record) = self.store.get(self.key(place, at)) else { return Ok(false) };
            if !found.read(ids, &record, sets)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All claims, level by level.
    pub fn claims(self) -> Vec<Vec<Claim>> {
        self.told.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).claims
    }

    fn key(&self, place: PlaceId, level: usize) -> Key {
        Key::joined([u128::MAX, u128::from(place.0), level as u128])
    }
}
