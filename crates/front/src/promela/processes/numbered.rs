//! Things that are met again and again, numbered.

use rustc_hash::FxHashMap;
use std::hash::Hash;

#[derive(Clone, Debug)]
pub(super) struct Numbered<T> {
    numbers: FxHashMap<T, u32>,
    items: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    /// The number of something, and whether it is new.
    pub fn number(&mut self, item: T) -> (u32, bool) {
        let next = self.items.len() as u32;
        match self.numbers.entry(item) {
            std::collections::hash_map::Entry::Occupied(known) => (*known.get(), false),
            std::collections::hash_map::Entry::Vacant(free) => {
                self.items.push(free.key().clone());
                free.insert(next);
                (next, true)
            }
        }
    }

    pub fn get(&self, item: &T) -> Option<u32> {
        self.numbers.get(item).copied()
    }

    pub fn items(&self) -> &[T] {
        &self.items
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { numbers: FxHashMap::default(), items: Vec::new() }
    }
}
