//! The groups of components in the order in which they are checked.
//!
//! First each component that the formula mentions by itself, if they are few, then all of them together. Then those
//! come in that own what the group reads, or that say something of what it owns, most shared bits first; each time as
//! many as there are, so that all groups together cost little more than the last. The last is the composition.

use super::Composition;
use super::decomposition::Decomposition;
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

/// The groups for a question that mentions these components.
pub(super) fn groups(of: &impl Decomposition, mentioned: Vec<usize>) -> Vec<Vec<usize>> {
    let mut group = mentioned;
    let mut groups = Vec::new();
    if group.len() > 1 && group.len() <= ALONE {
        groups.extend(group.iter().map(|&member| vec![member]));
    }
    if group.len() > 1 {
        group = or_all(of, group);
    }
    loop {
        if !group.is_empty() || of.count() == 0 {
            groups.push(group.clone());
        }
        if of.is_all(&group) {
            return groups;
        }
        group = larger(of, group);
    }
}

/// Twice as many, or all if that is not far.
fn larger(of: &impl Decomposition, mut group: Vec<usize>) -> Vec<usize> {
    let all = of.count();
    let wanted = 2 * group.len().max(1);
    if wanted * NOT_FAR > all {
        return (0..all).collect();
    }
    while group.len() < wanted {
        let mut neighbours = of.neighbours(&group);
        neighbours.truncate(wanted - group.len());
        if neighbours.is_empty() {
            return (0..all).collect();
        }
        group.extend(neighbours);
    }
    group.sort_unstable();
    or_all(of, group)
}

/// The group, or all if they own not much more.
fn or_all(of: &impl Decomposition, group: Vec<usize>) -> Vec<usize> {
    let all: Vec<usize> = (0..of.count()).collect();
    let bits = |group: &[usize]| group.iter().map(|&member| of.bits(member)).sum::<usize>();
    if bits(&group) > FEW_BITS && bits(&group) * NOT_SMALL > bits(&all) { all } else { group }
}

impl Composition {
    /// The components that own these variables.
    pub(super) fn mentioned(&self, asked: &[VarId]) -> Vec<usize> {
        let mut owners: Vec<usize> =
            asked.iter().filter_map(|var| self.owner[var.0 as usize]).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    /// Who has something to do with a group, most shared bits first.
    pub(super) fn sharing_bits(&self, group: &[usize]) -> Vec<usize> {
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
