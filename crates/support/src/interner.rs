//! Names to dense ids and back.

use crate::Id;
use rustc_hash::FxHashMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// A set of names numbered in the order of their first appearance.
#[derive(Clone)]
pub struct Interner<I> {
    ids: FxHashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
    _id: PhantomData<I>,
}

impl<I: Id> Interner<I> {
    pub fn new() -> Self {
        Self { ids: FxHashMap::default(), names: Vec::new(), _id: PhantomData }
    }

    /// The id of `name`, new if it was not there.
    pub fn intern(&mut self, name: &str) -> I {
        if let Some(&id) = self.ids.get(name) {
            return I::from_index(id as usize);
        }
        let shared: Arc<str> = name.into();
        let id = self.names.len();
        self.names.push(shared.clone());
        self.ids.insert(shared, id as u32);
        I::from_index(id)
    }

    pub fn get(&self, name: &str) -> Option<I> {
        self.ids.get(name).map(|&id| I::from_index(id as usize))
    }

    pub fn name(&self, id: I) -> &str {
        &self.names[id.index()]
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub fn names(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        self.names.iter().map(|name| &**name)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &str)> + ExactSizeIterator {
        self.names.iter().enumerate().map(|(i, name)| (I::from_index(i), &**name))
    }
}

impl<I: Id> Default for Interner<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id> std::fmt::Debug for Interner<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl<'a, I: Id> FromIterator<&'a str> for Interner<I> {
    fn from_iter<T: IntoIterator<Item = &'a str>>(names: T) -> Self {
        let mut interner = Self::new();
        for name in names {
            interner.intern(name);
        }
        interner
    }
}
