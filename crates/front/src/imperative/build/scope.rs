//! Scopes of names.

use rustc_hash::FxHashMap;
use transition::{Machine, VarId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    Var(VarId),
    Array(Array),
}

/// The elements are variables that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Array {
    /// The index of the first one.
    pub low: i64,
    pub first: VarId,
    pub len: u32,
}

impl Array {
    pub fn high(self) -> i64 {
        self.low + i64::from(self.len) - 1
    }

    /// The element with this index, which is there.
    pub fn element(self, index: i64) -> VarId {
        VarId(self.first.0 + (index - self.low) as u32)
    }

    pub fn elements(self) -> impl Iterator<Item = VarId> {
        (self.first.0..self.first.0 + self.len).map(VarId)
    }
}

/// The variables of a program by their names; those of a procedure `p` are called `p.x`.
#[derive(Default)]
pub(super) struct Scope(FxHashMap<String, Entry>);

impl Scope {
    /// The names that a program has: elements of arrays are variables called `a[0]`.
    pub fn of(machine: &Machine) -> Self {
        let mut scope = Self::default();
        for (var, described) in machine.vars.iter() {
            match element_name(&described.name) {
                None => {
                    scope.0.insert(described.name.clone(), Entry::Var(var));
                }
                Some((name, index)) => {
                    let begun = Entry::Array(Array { low: index, first: var, len: 0 });
                    let entry = scope.0.entry(name.to_owned()).or_insert(begun);
                    if let Entry::Array(array) = entry {
                        array.len += 1;
                    }
                }
            }
        }
        scope
    }

    pub fn get(&self, name: &str) -> Option<Entry> {
        self.0.get(name).copied()
    }

    pub fn insert(&mut self, name: String, entry: Entry) {
        self.0.insert(name, entry);
    }

    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|name| &**name)
    }
}

/// `a[0]` as a name and an index.
fn element_name(name: &str) -> Option<(&str, i64)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}
