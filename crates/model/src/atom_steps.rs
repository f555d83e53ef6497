//! Transitions between atoms that follow from those of states that cover them, found once for each state.

use crate::partial::PartialModel;
use crate::upsets::{Upsets, is_within};

pub(crate) struct AtomSteps<'a> {
    upsets: &'a Upsets,
    /// By state: the atoms that its may transitions lead to, rising.
    may: Vec<Vec<u32>>,
    /// By state: the atoms that each of its must transitions leads to, rising.
    must: Vec<Vec<Vec<u32>>>,
}

/// Every must transition of a state, to a set each.
pub(crate) fn musts(model: &PartialModel, state: u32) -> impl Iterator<Item = Vec<u32>> {
    let single = model.edges().out(state).filter(|(_, class)| class.mode.must);
    let single = single.map(|(target, _)| vec![target]);
    single.chain(model.hyper_from(state).iter().map(|hyper| hyper.targets.clone()))
}

impl<'a> AtomSteps<'a> {
    pub fn new(model: &PartialModel, upsets: &'a Upsets) -> Self {
        let may = |state: u32| {
            let may = model.edges().out(state).filter(|(_, class)| class.mode.may);
            upsets.of_all(may.map(|(target, _)| target))
        };
        let must = |state: u32| musts(model, state).map(|targets| upsets.of_all(targets)).collect();
        let states = 0..model.states() as u32;
        Self { upsets, may: states.clone().map(may).collect(), must: states.map(must).collect() }
    }

    /// The atoms that a concrete state for which `atom` stands may go to, rising: all above it allow them.
    pub fn allowed(&self, atom: u32) -> Vec<u32> {
        let by = |&state: &u32| &self.may[state as usize];
        let above = self.upsets.above(atom);
        let fewest = above.iter().map(by).min_by_key(|atoms| atoms.len());
        let is_allowed =
            |target: &u32| above.iter().map(by).all(|all| all.binary_search(target).is_ok());
        fewest.map_or(Vec::new(), |atoms| atoms.iter().copied().filter(is_allowed).collect())
    }

    /// The atoms that each must transition of a state leads to, in the order of `musts`.
    pub fn musts(&self, state: u32) -> &[Vec<u32>] {
        &self.must[state as usize]
    }

    /// The must transitions of these states together, without those that another one implies.
    pub fn strongest(&self, states: &[u32]) -> Vec<Vec<u32>> {
        let all = states.iter().flat_map(|&state| self.musts(state));
        let mut all: Vec<&Vec<u32>> = all.collect();
        all.sort_unstable_by_key(|set| (set.len(), *set));
        all.dedup();
        let mut kept: Vec<Vec<u32>> = Vec::new();
        for set in all {
            if !kept.iter().any(|smaller| is_within(smaller, set)) {
                kept.push(set.clone());
            }
        }
        kept
    }
}
