//! Things that are met again and again, numbered.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::rc::Rc;

pub(super) struct Numbered<T> {
    numbers: FxHashMap<Rc<T>, u32>,
    items: Vec<Rc<T>>,
}

impl<T: Eq + Hash> Numbered<T> {
    /// The number of something, and whether it is new.
    pub fn number(&mut self, item: T) -> (u32, bool) {
        let next = self.items.len() as u32;
        match self.numbers.entry(Rc::new(item)) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(free) => {
                self.items.push(free.key().clone());
                free.insert(next);
                (next, true)
            }
        }
    }

    pub fn get(&self, item: &T) -> Option<u32> {
        self.numbers.get(item).copied()
    }

    /// By number.
    pub fn items(&self) -> &[Rc<T>] {
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
