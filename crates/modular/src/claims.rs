//! Log of the values of every node, for evidence.

use crate::assumption::Assumption;
use crate::sets::ValuationSets;
use crate::store::{RecordKey, Store};
use audit::modular::ListedSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, MutexGuard};
use support::{StopReason, Stopped};
use transition::cfg::{Closure, TemporalId, UnfoldedId};

/// The untils of one level at the beginning of a node.
#[derive(Clone, Debug)]
pub struct NodeClaim {
    pub node: UnfoldedId,
    pub sets: Vec<(TemporalId, ListedSet)>,
}

#[derive(Default)]
struct RecordedClaims {
    /// By level, in an order in which each follows from those before.
    claims: Vec<Vec<NodeClaim>>,
    /// Digest of the last entry of a node and a level.
    last: FxHashMap<(UnfoldedId, usize), u128>,
    /// Graphs all of whose nodes have been recorded, under their assumptions.
    complete: FxHashSet<RecordKey>,
}

/// Collects claims, and keeps the final values of every location in a store.
pub struct ClaimLog<'a> {
    records: Mutex<RecordedClaims>,
    store: &'a dyn Store,
    question: u128,
    /// Whether claims are recorded, for a certificate.
    collects: bool,
}

impl<'a> ClaimLog<'a> {
    pub fn new(store: &'a dyn Store, question: u128, collects: bool) -> Self {
        Self { records: Mutex::default(), store, question, collects }
    }

    fn records(&self) -> MutexGuard<'_, RecordedClaims> {
        self.records.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Whether all nodes of a graph have been recorded.
    pub fn is_recorded(&self, key: RecordKey) -> bool {
        self.records().complete.contains(&key)
    }

    pub fn note(&self, key: RecordKey) {
        self.records().complete.insert(key);
    }

    pub fn record<S: ValuationSets>(
        &self,
        node: UnfoldedId,
        found: &Assumption<S::Set>,
        level: usize,
        closure: &Closure,
        sets: &S,
    ) {
        for at in 0..=level {
            let digest = found.digest(at, closure, sets);
            let mut records = self.records();
            if records.last.insert((node, at), digest) == Some(digest) {
                continue;
            }
            self.store.put(self.key(node, at), &found.write(&closure.levels[at], sets));
            if !self.collects {
                continue;
            }
            let untils = closure.levels[at].iter().filter(|&&id| closure.temporals[id].is_until());
            let sets = untils.filter_map(|&id| Some((id, sets.list(found.get(id)?)))).collect();
            if records.claims.len() <= at {
                records.claims.resize(at + 1, Vec::new());
            }
            records.claims[at].push(NodeClaim { node, sets });
        }
    }

    /// Final values at the entry of a node. A store may lose them: then there are none.
    pub fn known<S: ValuationSets>(
        &self,
        node: UnfoldedId,
        found: &mut Assumption<S::Set>,
        closure: &Closure,
        sets: &mut S,
    ) -> Result<(), Stopped> {
        const LOST: Stopped = Stopped(StopReason::Memory);
        for (at, ids) in closure.levels.iter().enumerate() {
            let record = self.store.get(self.key(node, at)).ok_or(LOST)?;
            if !found.read(ids, &record, sets)? {
                return Err(LOST);
            }
        }
        Ok(())
    }

    /// Takes all claims, level by level.
    pub fn claims(&self) -> Vec<Vec<NodeClaim>> {
        std::mem::take(&mut self.records().claims)
    }

    fn key(&self, node: UnfoldedId, level: usize) -> RecordKey {
        RecordKey::joined([self.question, u128::MAX, u128::from(node.0), level as u128])
    }
}
