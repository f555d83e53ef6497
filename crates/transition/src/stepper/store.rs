//! The states that have been found, each once.

use super::search::SearchError;
use hashbrown::HashTable;
use std::hash::BuildHasher;
use support::{Monitor, Reservation, StopReason, Stopped};

pub(super) struct Store {
    words: usize,
    states: Vec<u64>,
    table: HashTable<u32>,
    hasher: rustc_hash::FxBuildHasher,
    room: Reservation,
}

impl Store {
    pub fn new(words: usize) -> Self {
        let hasher = rustc_hash::FxBuildHasher;
        let room = Reservation::default();
        Self { words, states: Vec::new(), table: HashTable::new(), hasher, room }
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn get(&self, state: u32) -> &[u64] {
        &self.states[state as usize * self.words..][..self.words]
    }

    /// The number of a state, new if it was not there and if there may be one more.
    pub fn insert(
        &mut self,
        state: &[u64],
        most: usize,
        monitor: &Monitor,
    ) -> Result<u32, SearchError> {
        let Self { words, states, table, hasher, room } = self;
        let at = |index: u32| &states[index as usize * *words..][..*words];
        let hash = hasher.hash_one(state);
        if let Some(&found) = table.find(hash, |&index| at(index) == state) {
            return Ok(found);
        }
        let index = table.len();
        if index >= most {
            return Err(SearchError::TooMany);
        }
        if index >= u32::MAX as usize {
            return Err(Stopped(StopReason::Size).into());
        }
        if states.len() + *words > states.capacity() {
            // Both double; a state is also marked.
            room.cover((states.capacity() * 16 + table.capacity() * 18) as u64, monitor)?;
        }
        table.insert_unique(hash, index as u32, |&index| hasher.hash_one(at(index)));
        states.extend_from_slice(state);
        Ok(index as u32)
    }

    /// The states, and the memory that they take.
    pub fn into_states(mut self, monitor: &Monitor) -> Result<(Vec<u64>, Reservation), Stopped> {
        self.room.cover(self.states.capacity() as u64 * 8, monitor)?;
        Ok((self.states, self.room))
    }
}
