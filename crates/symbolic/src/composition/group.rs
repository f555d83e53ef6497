//! Some components of a machine as an abstraction of the composition (C Def. 4.3, C §6.2).
//!
//! Its states are valuations of the variables that they own or read. What others own is free, as far as what
//! they are known to say of it allows: each sentence of theirs is projected to the variables that are there.
//! A proposition over more variables is true where it is true for all values of the others.
//!
//! Where a component reads much of what others own, as a server does of its clients, most of it is hidden: it is
//! an input that its owner chooses, and no part of the state.

use super::Composition;
use super::view::View;
use crate::relation::Stages;
use bdd::{Bdd, BddVar, Stop};
use fixedbitset::FixedBitSet;
use transition::{Conjunct, Role, Section, Slice, VarId, VarKind};

/// Which components, and what they have to do with.
pub(super) struct Group {
    /// Conjuncts of its members, and all their variables.
    pub slice: Slice,
    own: FixedBitSet,
    /// Conjuncts of others about variables that those own, by owner.
    pub said: Vec<(usize, Conjunct)>,
    /// Those of its own variables whose next values depend on what the others choose.
    late: FixedBitSet,
    /// Variables of others that it reads and that are no part of its state, and the inputs that others choose.
    pub hidden: Vec<VarId>,
    /// The truth variables of the group's variables.
    pub view: View,
}

impl Group {
    /// For a question about these variables.
    pub fn new(composition: &Composition, members: &[usize], asked: &[VarId]) -> Self {
        let machine = &composition.machine;
        let mut own = FixedBitSet::with_capacity(machine.vars.len());
        let mut vars = own.clone();
        let mut conjuncts = Vec::new();
        for component in members.iter().map(|&member| &composition.components[member]) {
            own.extend(component.own.iter().map(|var| var.0 as usize));
            vars.extend(component.vars().map(|var| var.0 as usize));
            conjuncts.extend(component.conjuncts.iter().cloned());
        }
        // What is missing and asked for is looked at as it is, and so is that on which it depends where the
        // others start: each module that can be there has only some of these initial states.
        let missing = asked.iter().copied().filter(|&var| composition.is_missing(var));
        vars.extend(missing.chain(composition.missing_at_start()).map(|var| var.0 as usize));
        let hidden = hidden(composition, &conjuncts, &own, asked);
        hidden.iter().for_each(|var| vars.set(var.0 as usize, false));
        let mut view = View::default();
        for var in vars.ones().map(|var| VarId(var as u32)) {
            for bit in composition.layout.bits(var) {
                [Some(bit.now), bit.next].into_iter().flatten().for_each(|var| view.add(var));
            }
        }
        let said = composition.conjuncts_about(&vars, members);
        let late = late(&conjuncts, &own);
        Self { slice: Slice { vars, conjuncts }, own, said, late, hidden, view }
    }

    /// Whether the group can choose the next value of this variable before the others choose.
    pub fn chooses(&self, var: VarId) -> bool {
        self.own.contains(var.0 as usize) && !self.late.contains(var.0 as usize)
    }
}

/// Variables that are read only to make a step, do not occur in the property and have too many bits; and the
/// inputs of missing components, which no other component can choose.
fn hidden(
    composition: &Composition,
    conjuncts: &[Conjunct],
    own: &FixedBitSet,
    asked: &[VarId],
) -> Vec<VarId> {
    let Composition { machine, layout, seen_bits, missing, .. } = composition;
    let mut read = FixedBitSet::with_capacity(own.len());
    let mut seen = own.clone();
    let kept_in_sight = asked.iter().copied().chain(composition.missing_at_start());
    seen.extend(kept_in_sight.map(|var| var.0 as usize));
    for Conjunct { section, access, .. } in conjuncts {
        let place = if *section == Section::Trans { &mut read } else { &mut seen };
        place.extend(access.now.iter().map(|var| var.0 as usize));
        seen.extend(access.next.iter().map(|var| var.0 as usize));
    }
    read.difference_with(&seen);
    let vars = read.ones().map(|var| VarId(var as u32));
    let (inputs, mut hidden): (Vec<VarId>, Vec<VarId>) =
        vars.partition(|&var| machine.vars[var].kind == VarKind::Input);
    let bits: usize = hidden.iter().map(|&var| layout.bits(var).len()).sum();
    if bits <= *seen_bits {
        hidden.clear();
    }
    let is_of_missing = |var: &VarId| missing.contains(&machine.vars[*var].instance);
    hidden.extend(inputs.into_iter().filter(is_of_missing));
    hidden
}

/// The variables whose next values are not chosen from what is known now: those that are functions of the
/// state, and those that follow what others do next.
fn late(conjuncts: &[Conjunct], own: &FixedBitSet) -> FixedBitSet {
    let mut late = FixedBitSet::with_capacity(own.len());
    loop {
        let before = late.count_ones(..);
        for conjunct in conjuncts {
            let Role::Assignment(var, _) = conjunct.role else { continue };
            let follows = |&next: &VarId| {
                let next = next.0 as usize;
                next != var.0 as usize && (!own.contains(next) || late.contains(next))
            };
            if conjunct.section == Section::Invar || conjunct.access.next.iter().any(follows) {
                late.insert(var.0 as usize);
            }
        }
        if late.count_ones(..) == before {
            return late;
        }
    }
}

impl Composition {
    /// Conjuncts of non-members about variables that those own.
    fn conjuncts_about(&self, vars: &FixedBitSet, members: &[usize]) -> Vec<(usize, Conjunct)> {
        let mut owners: Vec<usize> = vars
            .ones()
            .filter_map(|var| self.owner[var])
            .filter(|j| !members.contains(j))
            .collect();
        owners.sort_unstable();
        owners.dedup();
        let mentions = |var: &VarId| vars.contains(var.0 as usize);
        let mut said = Vec::new();
        for owner in owners {
            for conjunct in &self.components[owner].conjuncts {
                let speaks = match (conjunct.role, conjunct.section) {
                    (Role::Assignment(var, _) | Role::Frame(var), _) => mentions(&var),
                    (Role::Constraint(_), Section::Trans) => {
                        conjunct.access.next.iter().any(mentions)
                    }
                    (Role::Constraint(_), _) => conjunct.access.now.iter().any(mentions),
                };
                if speaks {
                    said.push((owner, conjunct.clone()));
                }
            }
        }
        said
    }

    /// The initial states of the composition, as far as the group sees them.
    pub(super) fn initial(&mut self, group: &Group) -> Result<Bdd, Stop> {
        let all = self.slice.vars.ones().map(|var| VarId(var as u32));
        let bits = all.flat_map(|var| self.layout.bits(var)).map(|bit| bit.now);
        let outside: Vec<BddVar> = bits.filter(|&bit| !group.view.has(bit)).collect();
        let manager = &mut self.structure.manager;
        let stages = Stages::new(self.start.clone(), outside, manager)?;
        let everything = manager.constant(true);
        stages.run(&everything, manager)
    }
}
