//! Which conjuncts of a machine are one component here.
//!
//! The machine says how it is divided. Some of its components have to be one all the same: those that read
//! the same input, because inputs are no part of a state on which components could agree; those that share
//! so much that abstract states, one for each joint label to begin with, would be too many; and those of
//! which a proposition of the question speaks together. A word of eight bits is too much already, so that it
//! does not depend on the width of data what is divided and what is not.

use crate::classes::{Classes, MOST_VALUES};
use crate::constraint::{EncodedConstraint, Writer};
use bdd::Stop;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use transition::{Machine, MachineComponent, VarId, VarKind};

/// More bits than this are not shared by a component with all others: each joint label is an abstract state,
/// and products grow with their squares. Six bits were tried, and take minutes where four take seconds.
const MOST_SHARED: u32 = 4;

/// A component, before its steps are put together.
pub(crate) struct Group {
    pub name: String,
    pub own: BTreeSet<VarId>,
    pub constraints: Vec<EncodedConstraint>,
    /// Its state variables: its own and those that it reads.
    pub vars: BTreeSet<VarId>,
    inputs: BTreeSet<VarId>,
    pub is_missing: bool,
}

impl Group {
    pub fn new(component: MachineComponent, writer: &mut Writer) -> Result<Self, Stop> {
        let machine = writer.machine;
        let is_input = |var: &VarId| machine.vars[*var].kind == VarKind::Input;
        let (inputs, vars) = component.vars().partition(is_input);
        let MachineComponent { name, own, conjuncts, is_missing, .. } = component;
        let constraints = conjuncts.iter().map(|conjunct| writer.conjunct(conjunct));
        let constraints = constraints.collect::<Result<_, _>>()?;
        Ok(Self { name, own: own.into_iter().collect(), constraints, vars, inputs, is_missing })
    }

    /// Grouping of a transition system without variables.
    pub fn empty() -> Self {
        Self {
            name: "main".to_owned(),
            own: BTreeSet::new(),
            constraints: Vec::new(),
            vars: BTreeSet::new(),
            inputs: BTreeSet::new(),
            is_missing: false,
        }
    }

    pub fn inputs(&self) -> impl Iterator<Item = VarId> {
        self.inputs.iter().copied()
    }

    fn has_all(&self, vars: &[VarId]) -> bool {
        vars.iter().all(|var| self.vars.contains(var))
    }

    fn absorb(&mut self, other: Group) {
        self.name = format!("{}+{}", self.name, other.name);
        self.own.extend(other.own);
        self.constraints.extend(other.constraints);
        self.vars.extend(other.vars);
        self.inputs.extend(other.inputs);
    }
}

/// Groups under construction, with the conjuncts about them.
pub(crate) struct Grouping<'m> {
    pub machine: &'m Machine,
    pub groups: Vec<Group>,
    /// Constraints on initial states.
    pub starts: Vec<EncodedConstraint>,
    /// Propositions of the property.
    pub labels: Vec<EncodedConstraint>,
    /// Whether wide variables can be left open.
    pub is_open: bool,
}

/// How many bits of each variable are shared; none of those that are not listed.
type Shared = FxHashMap<VarId, u32>;

impl Grouping<'_> {
    /// Whether there are few enough joint labels in the end.
    pub fn settle(&mut self) -> bool {
        self.share_starts();
        for label in 0..self.labels.len() {
            self.bring_together(&self.labels[label].vars.clone());
        }
        self.assign_unobserved_variables();
        self.merge_all()
    }

    fn owner(&self, var: VarId) -> Option<usize> {
        self.groups.iter().position(|group| group.own.contains(&var))
    }

    /// Of those that have all that a proposition speaks of the one that owns most of it.
    pub fn place(&self, label: &EncodedConstraint) -> usize {
        let owned = |group: &Group| label.vars.iter().filter(|var| group.own.contains(var)).count();
        let places = (0..self.groups.len()).filter(|&at| self.groups[at].has_all(&label.vars));
        places.max_by_key(|&at| (owned(&self.groups[at]), std::cmp::Reverse(at))).unwrap_or(0)
    }

    fn has_missing(&self) -> bool {
        self.groups.iter().any(|group| group.is_missing)
    }

    /// Makes joint whatever the initial constraint relates between a missing component and others: whichever
    /// initial state the missing component has, the others have to know.
    fn share_starts(&mut self) {
        if !self.has_missing() {
            return;
        }
        for start in 0..self.starts.len() {
            let vars = self.starts[start].vars.clone();
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
    fn assign_unobserved_variables(&mut self) {
        let mut index = 0;
        while index < self.groups.len() {
            let group = &self.groups[index];
            let is_silent = group.constraints.is_empty() && !group.is_missing;
            let reader = is_silent.then(|| self.reader_of(index)).flatten();
            match reader {
                Some(reader) => self.merge(reader, index),
                None => index += 1,
            }
        }
    }

    fn reader_of(&self, group: usize) -> Option<usize> {
        let common =
            |other: usize| self.groups[group].vars.intersection(&self.groups[other].vars).count();
        let others = (0..self.groups.len())
            .filter(|&other| other != group && !self.groups[other].is_missing && common(other) > 0);
        others.max_by_key(|&other| (common(other), std::cmp::Reverse(other)))
    }

    /// Merges groups until none shares too many bits; false if such a group has no other to merge with.
    fn merge_all(&mut self) -> bool {
        loop {
            let shared = self.shared();
            if let Some((a, b)) = self.closest_pair(&shared) {
                self.merge(a, b);
                continue;
            }
            let crowded =
                (0..self.groups.len()).find(|&group| self.bits(group, &shared) > MOST_SHARED);
            let Some(crowded) = crowded else { return true };
            let Some(other) = self.nearest(crowded, &shared) else { return false };
            self.merge(crowded, other);
        }
    }

    /// Which values of a variable its readers distinguish; `None` if they are too many or there is no reader.
    pub fn classes(&self, var: VarId) -> Option<Classes> {
        if self.machine.vars[var].domain.size() > MOST_VALUES {
            return None;
        }
        let owner = self.owner(var);
        let is_reader = |&at: &usize| Some(at) != owner && self.groups[at].vars.contains(&var);
        let readers: Vec<usize> = (0..self.groups.len()).filter(is_reader).collect();
        if readers.is_empty() {
            return None;
        }
        let said = readers.iter().flat_map(|&reader| &self.groups[reader].constraints);
        let asked = self.labels.iter().filter(|label| readers.contains(&self.place(label)));
        let is_missing = self.has_missing();
        let starts = self.starts.iter().filter(|_| is_missing);
        let classes = said.chain(asked).chain(starts).filter_map(|one| one.classes.get(&var));
        Some(classes.fold(Classes::one(self.machine, var), |all, one| all.and(one)))
    }

    /// Whether components do not have to agree on a wide variable: only its owner constrains its next value. Its
    /// readers then do not know its value, and formulas that depend on it may stay unknown.
    pub fn is_left_open(&self, var: VarId) -> bool {
        let is_wide = self.machine.vars[var].domain.size() > MOST_VALUES;
        let readers = self.groups.iter().filter(|group| !group.own.contains(&var));
        let mut said = readers.flat_map(|reader| &reader.constraints);
        self.is_open && is_wide && !said.any(|constraint| constraint.next.contains(&var))
    }

    fn shared(&self) -> Shared {
        let mut uses: FxHashMap<VarId, usize> = FxHashMap::default();
        for &var in self.groups.iter().flat_map(|group| &group.vars) {
            *uses.entry(var).or_default() += 1;
        }
        let shared = uses.into_iter().filter(|&(_, uses)| uses > 1);
        shared
            .map(|(var, _)| {
                let wide = self.machine.vars[var].domain.bits();
                let wide = if self.is_left_open(var) { 0 } else { wide };
                (var, self.classes(var).map_or(wide, |classes| classes.bits()))
            })
            .collect()
    }

    /// How many bits a component has in common with others.
    fn bits(&self, group: usize, shared: &Shared) -> u32 {
        self.groups[group].vars.iter().filter_map(|var| shared.get(var)).sum()
    }

    fn in_common(&self, a: usize, b: usize, shared: &Shared) -> u32 {
        let vars = self.groups[a].vars.intersection(&self.groups[b].vars);
        vars.filter_map(|var| shared.get(var)).sum()
    }

    /// The group that shares most with this one; missing ones are not merged.
    fn nearest(&self, group: usize, shared: &Shared) -> Option<usize> {
        let others = (0..self.groups.len()).filter(|&other| {
            let is_missing = self.groups[group].is_missing || self.groups[other].is_missing;
            other != group && !is_missing && self.in_common(group, other, shared) > 0
        });
        others.max_by_key(|&other| (self.in_common(group, other, shared), std::cmp::Reverse(other)))
    }

    /// Those that have to be one and share most.
    fn closest_pair(&self, shared: &Shared) -> Option<(usize, usize)> {
        let mut closest: Option<(u32, usize, usize)> = None;
        for a in 0..self.groups.len() {
            for b in a + 1..self.groups.len() {
                let common = self.in_common(a, b, shared);
                let is_closest = closest.is_none_or(|(most, ..)| common > most);
                if is_closest && self.are_one(a, b, common) {
                    closest = Some((common, a, b));
                }
            }
        }
        closest.map(|(_, a, b)| (a, b))
    }

    fn are_one(&self, a: usize, b: usize, common: u32) -> bool {
        let [one, other] = [&self.groups[a], &self.groups[b]];
        let is_missing = one.is_missing || other.is_missing;
        !is_missing && (!one.inputs.is_disjoint(&other.inputs) || common > MOST_SHARED)
    }

    /// Puts the second into the first; the order of the others stays.
    fn merge(&mut self, first: usize, second: usize) {
        let other = self.groups.remove(second);
        let first = if first > second { first - 1 } else { first };
        self.groups[first].absorb(other);
    }
}
