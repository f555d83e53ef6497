//! Where the value of each part of a formula counts, and what is known of it beforehand (C §6.2).

use bdd::{Bdd, Manager, Stop};
use logic::{Formula, NodeId};
use support::IdVec;

/// Of one part of a formula.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Where its value counts: RS.
    pub care: Bdd,
    /// Of these, where it is known to be true, and where it is known to be false: TS and FS.
    pub tt: Bdd,
    pub ff: Bdd,
    /// Of these, where it is not known: US.
    pub open: Bdd,
}

impl Scope {
    pub fn new(care: Bdd, tt: &Bdd, ff: &Bdd, manager: &mut Manager) -> Result<Self, Stop> {
        let tt = manager.and(tt, &care)?;
        let ff = manager.and(ff, &care)?;
        let open = manager.minus(&care, &tt)?;
        let open = manager.minus(&open, &ff)?;
        Ok(Self { care, tt, ff, open })
    }
}

/// By part of the formula.
#[derive(Clone)]
pub(crate) struct Scopes {
    of: IdVec<NodeId, Scope>,
    /// Whether everything counts in the same states and nothing is known.
    is_plain: bool,
}

impl Scopes {
    /// Nothing is known, and everything counts in the same states.
    pub fn plain(formula: &Formula, care: &Bdd, manager: &Manager) -> Self {
        let none = manager.constant(false);
        let scope = Scope { care: care.clone(), tt: none.clone(), ff: none, open: care.clone() };
        Self { of: formula.nodes().map(|_| scope.clone()).collect(), is_plain: true }
    }

    pub fn new(of: IdVec<NodeId, Scope>) -> Self {
        Self { of, is_plain: false }
    }

    pub fn of(&self, id: NodeId) -> &Scope {
        &self.of[id]
    }

    pub fn care(&self, id: NodeId) -> &Bdd {
        &self.of[id].care
    }

    /// Where something counts that is not known.
    pub fn open(&self, manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut all = manager.constant(false);
        for scope in self.of.values() {
            all = manager.or(&all, &scope.open)?;
        }
        Ok(all)
    }

    /// The value, if it is known wherever it counts.
    pub fn given(&self, id: NodeId) -> Option<Bdd> {
        let Scope { tt, open, .. } = &self.of[id];
        (!self.is_plain && open.is_empty()).then(|| tt.clone())
    }

    /// `([ψ] ∪ TS) \ FS`, where it counts.
    pub fn clamped(&self, id: NodeId, value: Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
        if self.is_plain {
            return Ok(value);
        }
        let Scope { tt, open, .. } = &self.of[id];
        let new = manager.and(&value, open)?;
        manager.or(&new, tt)
    }
}
