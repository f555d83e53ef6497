//! The states that have been found, each once, in the order in which they were found.
//!
//! Rows of packed states stand one behind the other; a hash table with open addressing has the number of a state and
//! 32 bits of its hash in each slot, so that a row is looked at only where these agree.

use support::{Monitor, Reservation, StopReason, Stopped};

pub struct StateStore {
    words: usize,
    rows: Vec<u64>,
    /// The upper half of the hash, and the number of the state from 1; 0 if the slot is empty.
    slots: Vec<u64>,
    len: u32,
    /// The memory of the rows and of the slots.
    room: [Reservation; 2],
}

/// The slots of an empty table.
const FIRST_SLOTS: usize = 1 << 10;

impl StateStore {
    pub fn new(words: usize) -> Self {
        let slots = vec![0; FIRST_SLOTS];
        Self { words, rows: Vec::new(), slots, len: 0, room: Default::default() }
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn get(&self, state: u32) -> &[u64] {
        &self.rows[state as usize * self.words..][..self.words]
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.rows.capacity() + self.slots.capacity()) as u64 * 8
    }

    /// The number of a state, and whether it is new.
    #[inline]
    pub fn insert(&mut self, row: &[u64], monitor: &Monitor) -> Result<(u32, bool), Stopped> {
        let hash = hash(row);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            if slot >> 32 == hash >> 32 && self.get(slot as u32 - 1) == row {
                return Ok((slot as u32 - 1, false));
            }
            at = (at + 1) & mask;
        }
        let number = self.len;
        if number >= u32::MAX - 1 {
            return Err(Stopped(StopReason::Size));
        }
        if self.rows.len() + self.words > self.rows.capacity() {
            self.room[0].make_room(&mut self.rows, self.words, monitor)?;
        }
        self.rows.extend_from_slice(row);
        self.slots[at] = hash >> 32 << 32 | u64::from(number + 1);
        self.len += 1;
        if self.len as usize > self.slots.len() / 4 * 3 {
            self.grow(monitor)?;
        }
        Ok((number, true))
    }

    /// The number of a state that is there.
    pub fn find(&self, row: &[u64]) -> Option<u32> {
        let hash = hash(row);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            let slot = self.slots[at];
            if slot >> 32 == hash >> 32 && self.get(slot as u32 - 1) == row {
                return Some(slot as u32 - 1);
            }
            at = (at + 1) & mask;
        }
        None
    }

    fn grow(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        let size = self.slots.len() * 2;
        // The old table is still there while the new one is filled.
        self.room[1].cover((size + self.slots.len()) as u64 * 8, monitor)?;
        let mut slots = vec![0; size];
        for (number, row) in (1u64..).zip(self.rows.chunks_exact(self.words)) {
            let hash = hash(row);
            let mut at = hash as usize & (size - 1);
            while slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            slots[at] = hash >> 32 << 32 | number;
        }
        self.slots = slots;
        self.room[1].cover(size as u64 * 8, monitor)
    }
}

/// A hash of a row: folded products, as in wyhash.
#[inline]
pub(crate) fn hash(row: &[u64]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let mixed = row.iter().fold(0x2545_f491_4f6c_dd1d, |hash, &word| fold(hash ^ word, FACTOR));
    fold(mixed, 0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_one_number() {
        let monitor = Monitor::new();
        let mut store = StateStore::new(2);
        let row = |number: u64| [number % 977, number * number % 1009];
        let mut known: Vec<[u64; 2]> = Vec::new();
        for number in 0..20_000 {
            let row = row(number);
            let place = known.iter().position(|other| *other == row);
            assert_eq!(store.find(&row), place.map(|place| place as u32));
            let (found, is_new) = store.insert(&row, &monitor).unwrap();
            assert_eq!((found as usize, is_new), (place.unwrap_or(known.len()), place.is_none()));
            if is_new {
                known.push(row);
            }
            if known.len() > 3000 {
                break;
            }
        }
        assert_eq!(store.len() as usize, known.len());
    }
}
