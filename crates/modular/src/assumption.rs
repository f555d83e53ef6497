//! Assumption functions (M Def. 2.4): for the states of one location, where each formula of the closure holds.
//!
//! A value that is not there is the paper's ⊥. Only formulas with a temporal operator in front are kept: what atoms
//! say of a location is known from its labels, and the rest are truth functions of both.

use crate::sets::ValuationSets;
use crate::store::RecordKey;
use std::cell::OnceCell;
use support::{Id, Stopped};
use transition::cfg::{Closure, LabelId, TemporalId};

#[derive(Clone)]
pub struct StoredSet<S> {
    pub set: S,
    digest: OnceCell<u128>,
}

#[derive(Clone)]
pub struct Assumption<S> {
    /// The labels of the location.
    pub labels: Vec<LabelId>,
    sets: Vec<Option<StoredSet<S>>>,
}

impl<S: Clone> Assumption<S> {
    /// Nothing is known of a location but its labels.
    pub fn unknown(labels: Vec<LabelId>, closure: &Closure) -> Self {
        Self { labels, sets: vec![None; closure.temporals.len()] }
    }

    pub fn get(&self, id: TemporalId) -> Option<&S> {
        self.sets[id.index()].as_ref().map(|sets| &sets.set)
    }

    pub fn set(&mut self, id: TemporalId, set: S) {
        self.sets[id.index()] = Some(StoredSet { set, digest: OnceCell::new() });
    }

    /// Only what is of this level and below.
    pub fn up_to(&self, level: usize, closure: &Closure) -> Self {
        let mut part = Self::unknown(self.labels.clone(), closure);
        for id in closure.up_to(level) {
            part.sets[id.index()] = self.sets[id.index()].clone();
        }
        part
    }

    pub fn sets(&self) -> impl Iterator<Item = &S> {
        self.sets.iter().flatten().map(|sets| &sets.set)
    }

    /// Digest of the assumption, restricted to formulas of this level.
    pub fn digest<E: ValuationSets<Set = S>>(
        &self,
        level: usize,
        closure: &Closure,
        sets: &E,
    ) -> u128 {
        let labels = self.labels.iter().map(|label| u128::from(label.0));
        let sets = closure.up_to(level).map(|id| self.digest_of(id, sets));
        let counts = [self.labels.len() as u128, level as u128];
        RecordKey::joined(counts.into_iter().chain(labels).chain(sets)).0
    }

    fn digest_of<E: ValuationSets<Set = S>>(&self, id: TemporalId, sets: &E) -> u128 {
        match &self.sets[id.index()] {
            Some(held) => *held.digest.get_or_init(|| RecordKey::of(&sets.write(&held.set)).0),
            None => 0,
        }
    }

    /// The sets of one level, as bytes.
    pub fn write<E: ValuationSets<Set = S>>(&self, ids: &[TemporalId], sets: &E) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &id in ids {
            let set = self.get(id).map(|set| sets.write(set)).unwrap_or_default();
            bytes.extend((set.len() as u32).to_le_bytes());
            bytes.extend(set);
        }
        bytes
    }

    /// Takes them in again; whether they are what was written, and nothing else.
    pub fn read<E: ValuationSets<Set = S>>(
        &mut self,
        ids: &[TemporalId],
        mut bytes: &[u8],
        sets: &mut E,
    ) -> Result<bool, Stopped> {
        Ok(self.read_next(ids, &mut bytes, sets)? && bytes.is_empty())
    }

    /// Reads the assumption of something that may be followed by something else, which is left unread.
    pub fn read_next<E: ValuationSets<Set = S>>(
        &mut self,
        ids: &[TemporalId],
        bytes: &mut &[u8],
        sets: &mut E,
    ) -> Result<bool, Stopped> {
        for &id in ids {
            let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return Ok(false) };
            let length = u32::from_le_bytes(*length) as usize;
            let Some((own, rest)) = rest.split_at_checked(length) else { return Ok(false) };
            let Some(set) = sets.read(own)? else { return Ok(false) };
            self.set(id, set);
            *bytes = rest;
        }
        Ok(true)
    }

    /// Whether both say something of these formulas, and the other says at least as much.
    pub fn is_within<E: ValuationSets<Set = S>>(
        &self,
        other: &Self,
        ids: &[TemporalId],
        sets: &mut E,
    ) -> Result<bool, Stopped> {
        for &id in ids {
            let (Some(own), Some(more)) = (self.get(id), other.get(id)) else { return Ok(false) };
            let lost = sets.minus(own, more)?;
            if !sets.is_empty(&lost) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
