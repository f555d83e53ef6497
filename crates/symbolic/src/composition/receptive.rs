//! Receptive components: those that never block a step of the others.
//!
//! Assignments do, as each has a value to choose and none waits for itself: who reads a program refuses cycles.
//! Constraints do if they only speak of what their component chooses next, and it has a choice in every one of its
//! states.

use super::Composition;
use crate::relation::Stages;
use bdd::{BddVar, Stop};
use encode::Layout;
use transition::{Conjunct, MachineComponent, Role, Section, VarId};

impl Composition {
    pub(super) fn find_receptive(&mut self) -> Result<(), Stop> {
        for index in 0..self.components.len() {
            let component = self.components[index].clone();
            self.is_receptive[index] = !has_constraints(&component)
                || chooses_by_itself(&component) && self.always_has_a_choice(index)?;
        }
        Ok(())
    }

    /// Whether a component has a choice in all its states. Not only in the reachable ones: the auditor does not compute
    /// these.
    fn always_has_a_choice(&mut self, index: usize) -> Result<bool, Stop> {
        self.lift_group(&[index], &[])?;
        let states = self.structure.states.clone();
        let own: Vec<VarId> = self.components[index].own.clone();
        let slice = self.slice.clone();
        let conjuncts = self.components[index].conjuncts.clone();
        let mut sets = Vec::new();
        let mut next: Vec<(BddVar, BddVar)> = Vec::new();
        for &var in &own {
            next.extend(next_bits(&self.layout, var));
        }
        let renaming = self.structure.manager.renaming(&next);
        let mut builder = self.builder(&slice);
        for conjunct in &conjuncts {
            let (set, _) = builder.conjunct(conjunct)?;
            sets.push(match conjunct.section {
                Section::Invar => builder.manager.rename(&set, renaming)?,
                _ => set,
            });
        }
        for &var in &own {
            let valid = builder.layout.valid(builder.machine, var, builder.manager)?;
            sets.push(builder.manager.rename(&valid, renaming)?);
        }
        let inputs = self.valid_inputs()?;
        let manager = &mut self.structure.manager;
        let stages = Stages::new(sets, next.into_iter().map(|(_, next)| next).collect(), manager)?;
        let can_go_on = stages.run(&inputs, manager)?;
        let must_go_on = manager.and(&states, &inputs)?;
        manager.is_subset(&must_go_on, &can_go_on)
    }
}

fn has_constraints(component: &MachineComponent) -> bool {
    component.conjuncts.iter().any(|conjunct| matches!(conjunct.role, Role::Constraint(_)))
}

/// Whether all that a component says of the next state is about its own variables.
fn chooses_by_itself(component: &MachineComponent) -> bool {
    let is_own = |var: &VarId| component.own.binary_search(var).is_ok();
    let speaks_of = |conjunct: &Conjunct| match conjunct.section {
        Section::Invar => conjunct.access.now.clone(),
        Section::Trans | Section::Init => conjunct.access.next.clone(),
    };
    component.conjuncts.iter().all(|conjunct| speaks_of(conjunct).iter().all(is_own))
}

/// The bits of a variable now and in the next state.
fn next_bits(layout: &Layout, var: VarId) -> impl Iterator<Item = (BddVar, BddVar)> {
    layout.bits(var).iter().filter_map(|bit| Some((bit.now, bit.next?)))
}
