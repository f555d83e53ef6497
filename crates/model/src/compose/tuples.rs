//! Numbering tuples: one flat array and a table of numbers, no allocation a tuple.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use support::{Monitor, Reservation};

pub(super) struct Tuples {
    width: usize,
    flat: Vec<u32>,
    table: HashTable<u32>,
    room: Reservation,
    pub monitor: Monitor,
}

fn hash(tuple: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    tuple.hash(&mut hasher);
    hasher.finish()
}

impl Tuples {
    pub fn new(width: usize, monitor: &Monitor) -> Self {
        let (flat, table, room) = (Vec::new(), HashTable::new(), Reservation::default());
        Self { width, flat, table, room, monitor: monitor.clone() }
    }

    pub fn len(&self) -> u32 {
        self.table.len() as u32
    }

    pub fn get(&self, number: u32) -> &[u32] {
        &self.flat[number as usize * self.width..][..self.width]
    }

    /// The number of a tuple, the next one if it is new. If there is no memory for more, the monitor says stop.
    pub fn intern(&mut self, tuple: &[u32]) -> u32 {
        let (flat, width) = (&self.flat, self.width);
        let at = |number: u32| &flat[number as usize * width..][..width];
        let entry = self.table.entry(hash(tuple), |&n| at(n) == tuple, |&number| hash(at(number)));
        match entry {
            hashbrown::hash_table::Entry::Occupied(known) => *known.get(),
            hashbrown::hash_table::Entry::Vacant(free) => {
                let number = (flat.len() / width.max(1)) as u32;
                free.insert(number);
                if flat.len() + width > flat.capacity() {
                    let bytes = flat.capacity() * 8 + number as usize * 12;
                    let _ = self.room.cover(bytes as u64, &self.monitor);
                }
                self.flat.extend_from_slice(tuple);
                number
            }
        }
    }

    /// The number of a tuple, if it has one.
    pub fn find(&self, tuple: &[u32]) -> Option<u32> {
        self.table.find(hash(tuple), |&number| self.get(number) == tuple).copied()
    }

    /// All tuples one after the other.
    pub fn flat(&self) -> &[u32] {
        &self.flat
    }

    /// All tuples one after the other, with the reservation of their memory.
    pub fn into_flat(self) -> (Vec<u32>, Reservation) {
        (self.flat, self.room)
    }
}
