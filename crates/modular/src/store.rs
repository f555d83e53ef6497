//! Storage of results that are not in memory.
//!
//! A record is found by its question: [`RecordKey`] is a digest of the part of the program and of the assumption on its
//! exits. So a record that is found is always valid, one that is lost is computed again, and an interrupted run is
//! resumed by starting it again.

use rustc_hash::FxHashMap;
use std::sync::Mutex;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// The key of a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RecordKey(pub u128);

impl RecordKey {
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }

    pub fn joined(parts: impl IntoIterator<Item = u128>) -> Self {
        let mut hasher = Xxh3::new();
        for part in parts {
            hasher.update(&part.to_le_bytes());
        }
        Self(hasher.digest128())
    }
}

/// Keeps records. It may lose them, and must not change them.
pub trait Store: Sync {
    fn get(&self, key: RecordKey) -> Option<Vec<u8>>;
    fn put(&self, key: RecordKey, bytes: &[u8]);
}

/// Records in memory.
#[derive(Default)]
pub struct InMemory(Mutex<FxHashMap<RecordKey, Box<[u8]>>>);

impl Store for InMemory {
    fn get(&self, key: RecordKey) -> Option<Vec<u8>> {
        let records = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        records.get(&key).map(|record| record.to_vec())
    }

    fn put(&self, key: RecordKey, bytes: &[u8]) {
        let mut records = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        records.insert(key, bytes.into());
    }
}
