//! Approximations of every fixpoint variable in the order in which they were computed. They are a strategy: that a
//! state is in one of them follows from earlier ones.

use crate::record::Step;
use bdd::{Bdd, Manager, Stop};
use logic::VarId;
use rustc_hash::FxHashMap;

/// One approximation of a variable: the states that it adds.
pub(crate) struct Entry {
    /// Its time: the number of a proof step.
    pub at: usize,
    /// The states follow from what was known before this time. Later than `at` if they were assumed.
    pub due: usize,
    pub states: Bdd,
    /// These and all before.
    pub all: Bdd,
}

/// The entries of every variable, in the order of time.
#[derive(Default)]
pub(crate) struct Plan {
    entries: FxHashMap<VarId, Vec<Entry>>,
}

/// After all steps.
pub(crate) const END: usize = usize::MAX;

impl Plan {
    pub fn new(steps: &[Step], manager: &mut Manager) -> Result<Self, Stop> {
        let closes = closes(steps);
        let mut plan = Plan::default();
        let mut open: Vec<usize> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            match step {
                Step::Prove(var, states) => plan.add(*var, at, at, states, manager)?,
                Step::Assume(var, states) => {
                    let due = open.last().map_or(at, |&bracket| closes[&bracket]);
                    plan.add(*var, at, due, states, manager)?;
                }
                Step::Open(_) => open.push(at),
                Step::Close => drop(open.pop()),
            }
        }
        Ok(plan)
    }

    fn add(
        &mut self,
        var: VarId,
        at: usize,
        due: usize,
        states: &Bdd,
        manager: &mut Manager,
    ) -> Result<(), Stop> {
        let entries = self.entries.entry(var).or_default();
        let all = match entries.last() {
            Some(last) => manager.or(&last.all, states)?,
            None => states.clone(),
        };
        entries.push(Entry { at, due, states: states.clone(), all });
        Ok(())
    }

    pub fn of(&self, var: VarId) -> &[Entry] {
        self.entries.get(&var).map_or(&[], |entries| entries)
    }

    pub fn has(&self, var: VarId) -> bool {
        self.entries.contains_key(&var)
    }

    /// Last approximation of a variable before some time.
    pub fn known(&self, var: VarId, before: usize) -> Option<&Bdd> {
        let entries = self.of(var);
        let count = entries.partition_point(|entry| entry.at < before);
        entries[..count].last().map(|entry| &entry.all)
    }
}

/// By step that opens a bracket, the one that closes it.
fn closes(steps: &[Step]) -> FxHashMap<usize, usize> {
    let mut closes = FxHashMap::default();
    let mut open = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Open(_) => open.push(at),
            Step::Close => closes.extend(open.pop().map(|opened| (opened, at))),
            Step::Prove(..) | Step::Assume(..) => {}
        }
    }
    closes
}
