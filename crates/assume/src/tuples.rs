//! Numbers for tuples of states: rows of one flat array, found by a table of their numbers.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// In place of the first state of a tuple that is gone.
const GONE: u32 = u32::MAX;

pub(crate) struct Tuples {
    width: usize,
    rows: Vec<u32>,
    table: HashTable<u32>,
    /// Numbers of tuples that are gone.
    free: Vec<u32>,
}

fn hash(row: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    row.iter().for_each(|&state| hasher.write_u32(state));
    hasher.finish()
}

impl Tuples {
    pub fn new(width: usize) -> Tuples {
        Tuples { width, rows: Vec::new(), table: HashTable::new(), free: Vec::new() }
    }

    /// How many numbers are in use or were.
    pub fn len(&self) -> usize {
        self.rows.len() / self.width
    }

    /// The memory that they take.
    pub fn bytes(&self) -> u64 {
        self.rows.len() as u64 * 4 + self.len() as u64 * 8
    }

    /// How many tuples there are.
    pub fn live(&self) -> usize {
        self.len() - self.free.len()
    }

    pub fn of(&self, number: u32) -> &[u32] {
        &self.rows[number as usize * self.width..(number as usize + 1) * self.width]
    }

    pub fn is_gone(&self, number: u32) -> bool {
        self.of(number)[0] == GONE
    }

    /// A number for something that is no tuple.
    pub fn reserve(&mut self) -> u32 {
        self.rows.resize(self.rows.len() + self.width, GONE);
        self.len() as u32 - 1
    }

    pub fn find(&self, row: &[u32]) -> Option<u32> {
        self.table.find(hash(row), |&other| self.of(other) == row).copied()
    }

    /// The number of a tuple, and whether it is new. `None` if there are no numbers left.
    pub fn number(&mut self, row: &[u32]) -> Option<(u32, bool)> {
        if let Some(number) = self.find(row) {
            return Some((number, false));
        }
        let number = match self.free.pop() {
            Some(number) => number,
            None if self.len() >= GONE as usize => return None,
            None => self.reserve(),
        };
        let at = number as usize * self.width;
        self.rows[at..at + self.width].copy_from_slice(row);
        let (rows, width) = (&self.rows, self.width);
        let of = |number: u32| &rows[number as usize * width..(number as usize + 1) * width];
        self.table.insert_unique(hash(row), number, |&other| hash(of(other)));
        Some((number, true))
    }

    pub fn remove(&mut self, number: u32) {
        let hash = hash(self.of(number));
        if let Ok(found) = self.table.find_entry(hash, |&other| other == number) {
            found.remove();
            self.rows[number as usize * self.width] = GONE;
            self.free.push(number);
        }
    }
}
