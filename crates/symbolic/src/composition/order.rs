//! The groups of components in the order in which they are checked.
//!
//! First each component that the formula mentions by itself, if they are few, then all of them together. Then those
//! come in that own what the group reads, or that say something of what it owns, most shared bits first; each time as
//! many as there are, so that all groups together cost little more than the last. The last is the composition.

use super::Composition;
use rustc_hash::FxHashMap;
use transition::{MachineComponent, VarId};

/// A formula that mentions more components is not likely to be decided by one of them.
const ALONE: usize = 8;

/// A group that grows to a larger part of the composition than one in so many, in components or in bits, is not worth
/// the trouble.
const NOT_FAR: usize = 8;
const NOT_SMALL: usize = 3;

/// So many bits are no trouble.
const FEW_BITS: usize = 24;

impl Composition {
    /// The groups for a question about these variables.
    pub(super) fn groups(&self, asked: &[VarId]) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> =
            asked.iter().filter_map(|var| self.owner[var.0 as usize]).collect();
        group.sort_unstable();
        group.dedup();
        let mut groups = Vec::new();
        if group.len() > 1 && group.len() <= ALONE {
            groups.extend(group.iter().map(|&member| vec![member]));
        }
        if group.len() > 1 {
            group = self.or_all(group);
        }
        loop {
            if !group.is_empty() || self.components.is_empty() {
                groups.push(group.clone());
            }
            if group.len() >= self.components.len() {
                return groups;
            }
            group = self.larger(group);
        }
    }

    /// Twice as many, or all if that is not far.
    fn larger(&self, mut group: Vec<usize>) -> Vec<usize> {
        let all = self.components.len();
        let wanted = 2 * group.len().max(1);
        if wanted * NOT_FAR > all {
            return (0..all).collect();
        }
        while group.len() < wanted {
            let mut neighbours = self.neighbours(&group);
            neighbours.truncate(wanted - group.len());
            if neighbours.is_empty() {
                return (0..all).collect();
            }
            group.extend(neighbours);
        }
        group.sort_unstable();
        self.or_all(group)
    }

    /// The group, or all if they own not much more.
    fn or_all(&self, group: Vec<usize>) -> Vec<usize> {
        let all: Vec<usize> = (0..self.components.len()).collect();
        let (bits, of_all) = (self.bits(&group), self.bits(&all));
        if bits > FEW_BITS && bits * NOT_SMALL > of_all { all } else { group }
    }

    /// How many bits components own.
    fn bits(&self, group: &[usize]) -> usize {
        let own = group.iter().flat_map(|&member| &self.components[member].own);
        own.map(|&var| self.layout.bits(var).len()).sum()
    }

    /// Who has something to do with a group, most shared bits first.
    fn neighbours(&self, group: &[usize]) -> Vec<usize> {
        let mut shared: FxHashMap<usize, usize> = FxHashMap::default();
        let mut count = |component: usize, var: VarId| {
            if !group.contains(&component) {
                *shared.entry(component).or_default() += self.layout.bits(var).len();
            }
        };
        for var in self.vars_of(group) {
            if let Some(owner) = self.owner[var.0 as usize] {
                count(owner, var);
            }
            for &reader in self.readers.get(&var).into_iter().flatten() {
                count(reader, var);
            }
        }
        let mut found: Vec<(usize, usize)> = shared.into_iter().collect();
        found.sort_unstable_by_key(|&(component, bits)| (std::cmp::Reverse(bits), component));
        found.into_iter().map(|(component, _)| component).collect()
    }

    /// Variables that a group owns or reads, each once.
    fn vars_of(&self, group: &[usize]) -> Vec<VarId> {
        let components = group.iter().map(|&member| &self.components[member]);
        let mut vars: Vec<VarId> = components.flat_map(|component| component.vars()).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }
}

/// By variable: the components without variables of their own that say something of it.
pub(super) fn readers(components: &[MachineComponent]) -> FxHashMap<VarId, Vec<usize>> {
    let mut readers: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    for (index, component) in components.iter().enumerate() {
        if component.own.is_empty() {
            for var in component.vars() {
                let of = readers.entry(var).or_default();
                if of.last() != Some(&index) {
                    of.push(index);
                }
            }
        }
    }
    readers
}
