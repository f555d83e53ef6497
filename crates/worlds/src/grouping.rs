//! Which conjuncts of a machine are one component here.
//!
//! The machine says how it is divided. Some of its components have to be one all the same: those that read
//! the same input, because inputs are no part of a state on which components could agree; those that share
//! so much that abstract states, one for each joint label to begin with, would be too many; and those of
//! which a proposition of the question speaks together. A word of eight bits is too much already, so that it
//! does not depend on the width of data what is divided and what is not.

pub use machine::Division;

use machine::{Component, Conjunct, InstanceId, Kind, Machine, Moment, Property, Slice, VarId};
use std::collections::BTreeSet;

/// More bits than this are not shared by a component with all others: each joint label is an abstract state,
/// and products grow with their squares. Ten bits were tried, and take minutes where six take seconds.
const MOST_SHARED: u32 = 6;

/// A component, before it is encoded.
pub(crate) struct Group {
    pub name: String,
    pub own: BTreeSet<VarId>,
    pub conjuncts: Vec<Conjunct>,
    /// Its state variables: its own and those that it reads.
    pub vars: BTreeSet<VarId>,
    inputs: BTreeSet<VarId>,
    pub is_missing: bool,
}

impl Group {
    fn new(component: Component, machine: &Machine) -> Self {
        let is_input = |var: &VarId| machine.vars[*var].kind == Kind::Input;
        let (inputs, vars) = component.vars().partition(is_input);
        let Component { name, own, conjuncts, is_missing, .. } = component;
        Self { name, own: own.into_iter().collect(), conjuncts, vars, inputs, is_missing }
    }

    /// What a machine without variables is.
    fn empty() -> Self {
        Self {
            name: "main".to_owned(),
            own: BTreeSet::new(),
            conjuncts: Vec::new(),
            vars: BTreeSet::new(),
            inputs: BTreeSet::new(),
            is_missing: false,
        }
    }

    pub fn inputs(&self) -> impl Iterator<Item = VarId> {
        self.inputs.iter().copied()
    }

    pub fn has_all(&self, vars: &[VarId]) -> bool {
        vars.iter().all(|var| self.vars.contains(var))
    }

    fn absorb(&mut self, other: Group) {
        self.name = format!("{}+{}", self.name, other.name);
        self.own.extend(other.own);
        self.conjuncts.extend(other.conjuncts);
        self.vars.extend(other.vars);
        self.inputs.extend(other.inputs);
    }
}

/// What is said about the start by those who are there.
pub(crate) fn start_conjuncts<'s>(
    machine: &'s Machine,
    slice: &'s Slice,
    missing: &'s [InstanceId],
) -> impl Iterator<Item = &'s Conjunct> {
    let is_unwritten = |conjunct: &Conjunct| {
        let mut writers = conjunct.writers.iter();
        writers.any(|&writer| missing.iter().any(|&outer| machine.is_within(writer, outer)))
    };
    let of_start = slice.conjuncts.iter().filter(|conjunct| conjunct.moment == Moment::Start);
    of_start.filter(move |conjunct| !is_unwritten(conjunct))
}

/// The components; `None` if those that are there share too much with those that are missing.
pub(crate) fn groups(
    machine: &Machine,
    slice: &Slice,
    labels: &[Property],
    division: &Division,
    missing: &[InstanceId],
) -> Option<Vec<Group>> {
    let components = machine.components(slice, division, missing);
    let groups = components.into_iter().map(|component| Group::new(component, machine));
    let mut groups: Vec<Group> = groups.collect();
    if groups.is_empty() {
        groups.push(Group::empty());
    }
    let mut grouping = Grouping { machine, groups };
    grouping.share_starts(slice, missing);
    for label in labels {
        grouping.bring_together(&machine.access([label.node]).now);
    }
    grouping.give_away_the_silent();
    grouping.merge_all().then_some(grouping.groups)
}

struct Grouping<'m> {
    machine: &'m Machine,
    groups: Vec<Group>,
}

impl Grouping<'_> {
    fn owner(&self, var: VarId) -> Option<usize> {
        self.groups.iter().position(|group| group.own.contains(&var))
    }

    /// What the start says of a missing part and of others together is shared: whichever initial state the
    /// missing part has, the others have to know.
    fn share_starts(&mut self, slice: &Slice, missing: &[InstanceId]) {
        if missing.is_empty() {
            return;
        }
        let starts: Vec<Vec<VarId>> = start_conjuncts(self.machine, slice, missing)
            .map(|conjunct| conjunct.access.now.clone())
            .collect();
        for vars in starts {
            let is_there = |owner: &usize| !self.groups[*owner].is_missing;
            let mut owners = vars.iter().filter_map(|&var| self.owner(var));
            if let Some(reader) = owners.find(is_there) {
                self.groups[reader].vars.extend(vars);
            }
        }
    }

    /// Makes a component that has all of these variables. What is missing stays by itself.
    fn bring_together(&mut self, vars: &[VarId]) {
        if self.groups.iter().any(|group| group.has_all(vars)) {
            return;
        }
        let mut owners: Vec<usize> = vars.iter().filter_map(|&var| self.owner(var)).collect();
        owners.sort_by_key(|&owner| (self.groups[owner].is_missing, owner));
        owners.dedup();
        let Some((&first, others)) = owners.split_first() else { return };
        let there = others.iter().filter(|&&owner| !self.groups[owner].is_missing);
        for owner in there.copied().collect::<Vec<_>>().into_iter().rev() {
            self.merge(first, owner);
        }
        self.groups[first].vars.extend(vars);
    }

    /// Who says nothing belongs to who reads him.
    fn give_away_the_silent(&mut self) {
        let mut index = 0;
        while index < self.groups.len() {
            let group = &self.groups[index];
            let is_silent = group.conjuncts.is_empty() && !group.is_missing;
            match self.nearest(index).filter(|_| is_silent) {
                Some(reader) => self.merge(reader, index),
                None => index += 1,
            }
        }
    }

    /// Merges until nobody shares too much. Whether that can be done.
    fn merge_all(&mut self) -> bool {
        while let Some((a, b)) = self.closest_pair() {
            self.merge(a, b);
        }
        while let Some(crowded) =
            (0..self.groups.len()).find(|&group| self.shared_by(group) > MOST_SHARED)
        {
            let Some(other) = self.nearest(crowded) else { return false };
            self.merge(crowded, other);
        }
        true
    }

    fn bits(&self, var: VarId) -> u32 {
        self.machine.vars[var].domain.bits()
    }

    fn is_shared(&self, group: usize, var: VarId) -> bool {
        let others = self.groups.iter().enumerate().filter(|(other, _)| *other != group);
        others.into_iter().any(|(_, other)| other.vars.contains(&var))
    }

    /// How many bits a component has in common with others.
    fn shared_by(&self, group: usize) -> u32 {
        let vars = self.groups[group].vars.iter();
        vars.filter(|&&var| self.is_shared(group, var)).map(|&var| self.bits(var)).sum()
    }

    fn in_common(&self, a: usize, b: usize) -> u32 {
        let vars = self.groups[a].vars.intersection(&self.groups[b].vars);
        vars.map(|&var| self.bits(var)).sum()
    }

    /// Who of those that are there shares most with this one; nobody with one that is missing.
    fn nearest(&self, group: usize) -> Option<usize> {
        let others = (0..self.groups.len()).filter(|&other| {
            let is_missing = self.groups[group].is_missing || self.groups[other].is_missing;
            other != group && !is_missing && self.in_common(group, other) > 0
        });
        others.max_by_key(|&other| (self.in_common(group, other), std::cmp::Reverse(other)))
    }

    /// Those that have to be one and share most.
    fn closest_pair(&self) -> Option<(usize, usize)> {
        let mut closest: Option<(u32, usize, usize)> = None;
        for a in 0..self.groups.len() {
            for b in a + 1..self.groups.len() {
                if self.are_one(a, b) {
                    let common = self.in_common(a, b);
                    if closest.is_none_or(|(most, ..)| common > most) {
                        closest = Some((common, a, b));
                    }
                }
            }
        }
        closest.map(|(_, a, b)| (a, b))
    }

    fn are_one(&self, a: usize, b: usize) -> bool {
        let [one, other] = [&self.groups[a], &self.groups[b]];
        if one.is_missing || other.is_missing {
            return false;
        }
        !one.inputs.is_disjoint(&other.inputs) || self.in_common(a, b) > MOST_SHARED
    }

    /// Puts the second into the first; the order of the others stays.
    fn merge(&mut self, first: usize, second: usize) {
        let other = self.groups.remove(second);
        let first = if first > second { first - 1 } else { first };
        self.groups[first].absorb(other);
    }
}
