//! Preconditions of checking by components: the initial states, and that no run-time error is reachable, since
//! a group cannot tell whether an error in it is one of the composition.

use super::group::Group;
use super::{Composition, DecompositionError};
use bdd::{Bdd, Stop};
use transition::{Section, VarKind};

impl Composition {
    /// Encodes what holds at the start, and looks for what can fail.
    pub(super) fn begin(&mut self) -> Result<Option<DecompositionError>, Stop> {
        let slice = self.slice.clone();
        let mut builder = self.builder(&slice);
        let start = builder.all(Section::Init)?;
        let states = builder.states()?;
        let is_safe = start.errors.is_empty() && states.errors.is_empty();
        self.start = start.conjuncts;
        self.start.extend(states.conjuncts);
        let (labels, conditions) = (self.labels.clone(), self.conditions.clone());
        let mut builder = self.builder(&slice);
        let (_, wrong) = builder.labels(&labels)?;
        let (_, also) = builder.labels(&conditions)?;
        if !is_safe || !wrong.is_empty() || !also.is_empty() {
            return Ok(Some(DecompositionError::RuntimeErrors));
        }
        if self.has_no_start()? {
            return Ok(Some(DecompositionError::NoInitialState));
        }
        for component in 0..self.components.len() {
            if !self.is_safe(component)? {
                return Ok(Some(DecompositionError::RuntimeErrors));
            }
        }
        self.find_receptive()?;
        Ok(None)
    }

    fn has_no_start(&mut self) -> Result<bool, Stop> {
        let nothing = Group::new(self, &[], &[]);
        Ok(self.initial(&nothing)?.is_empty())
    }

    /// Whether nothing can fail in the steps of a component, whatever the others do.
    fn is_safe(&mut self, component: usize) -> Result<bool, Stop> {
        let slice = self.slice.clone();
        let conjuncts = self.components[component].conjuncts.clone();
        let mut wrong = Vec::new();
        let mut builder = self.builder(&slice);
        for conjunct in conjuncts.iter().filter(|conjunct| conjunct.section == Section::Trans) {
            let (_, error) = builder.conjunct(conjunct)?;
            wrong.extend(error.filter(|error| !error.is_empty()));
        }
        if wrong.is_empty() {
            return Ok(true);
        }
        self.choice_can_fail = true;
        self.lift_group(&[component], &[])?;
        let reached = self.structure.reachable()?;
        let inputs = self.valid_inputs()?;
        for error in wrong {
            let manager = &mut self.structure.manager;
            let error = manager.and(&error, &reached)?;
            if !manager.and(&error, &inputs)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn valid_inputs(&mut self) -> Result<Bdd, Stop> {
        let Self { machine, layout, structure, slice, .. } = self;
        let mut valid = structure.manager.constant(true);
        for (var, declared) in machine.vars.iter() {
            if declared.kind == VarKind::Input && slice.contains(var) {
                let of_var = layout.valid(machine, var, &mut structure.manager)?;
                valid = structure.manager.and(&valid, &of_var)?;
            }
        }
        Ok(valid)
    }
}
