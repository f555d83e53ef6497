//! Single states, and the steps between them.

use super::unfold::assignments;
use crate::relation::Steps;
use crate::structure::Structure;
use bdd::{Bdd, BddVar, Stop};
use encode::Layout;
use fixedbitset::FixedBitSet;
use logic::Modality;
use logic::evidence::{Assignments, ShownMember, ShownState};
use transition::{Machine, Slice, StateProperty, VarId, VarKind};

/// A state: the truth variables that are true.
pub(super) type State = FixedBitSet;

/// A machine to walk through.
pub(super) struct Field<'a> {
    pub structure: &'a mut Structure,
    pub layout: &'a Layout,
    pub machine: &'a Machine,
    pub slice: &'a Slice,
    /// By part of the relation: whose disjunct it is.
    pub selected: Vec<Option<(VarId, i64)>>,
    /// The names of the propositions.
    pub props: &'a [StateProperty],
    /// The variables that have one value in all reachable states, unless these are all.
    pub constants: Vec<VarId>,
}

impl Field<'_> {
    /// The truth variables of this state, from above.
    fn bits(&self) -> Vec<BddVar> {
        let order = self.layout.order(&self.structure.manager);
        let is_state = |var: VarId| self.machine.vars[var].kind != VarKind::Input;
        let bits = order.into_iter().filter(|&(var, _)| is_state(var));
        bits.map(|(var, bit)| self.layout.bits(var)[bit as usize].now).collect()
    }

    /// The set of one state.
    pub fn only(&mut self, state: &State) -> Result<Bdd, Stop> {
        let mut set = self.structure.manager.constant(true);
        let none = self.structure.manager.constant(false);
        for var in self.bits().into_iter().rev() {
            let [high, low] = match state.contains(var.0 as usize) {
                true => [&set, &none],
                false => [&none, &set],
            };
            set = self.structure.manager.choose(var, high, low)?;
        }
        Ok(set)
    }

    pub fn contains(&self, set: &Bdd, state: &State) -> bool {
        self.structure.manager.contains(set, |var| state.contains(var.0 as usize))
    }

    /// A state of a set.
    pub fn pick(&self, set: &Bdd) -> Option<State> {
        let picked = self.structure.manager.pick(set)?;
        Some(
            picked.into_iter().filter(|(_, value)| *value).map(|(var, _)| var.0 as usize).collect(),
        )
    }

    /// The states that follow one, by the steps that are spoken of.
    pub fn successors(&mut self, state: &State, steps: Steps) -> Result<Bdd, Stop> {
        let from = self.only(state)?;
        let Structure { manager, may, states, .. } = &mut *self.structure;
        let mut all = manager.constant(false);
        for (_, there) in may.images(&from, steps, manager)? {
            all = manager.or(&all, &there)?;
        }
        manager.and(&all, states)
    }

    /// Those of some states from which a step, or all steps, lead there, as far as they stay in `care`.
    pub fn modal(
        &mut self,
        modality: Modality,
        there: &Bdd,
        steps: Steps,
        care: &Bdd,
        among: &Bdd,
    ) -> Result<Bdd, Stop> {
        let Structure { manager, may, .. } = &mut *self.structure;
        match modality {
            Modality::Dia => may.pre_image(there, steps, among, manager),
            Modality::Box => {
                let elsewhere = manager.minus(care, there)?;
                let before = may.pre_image(&elsewhere, steps, among, manager)?;
                manager.minus(among, &before)
            }
        }
    }

    /// The inputs of a step between two states, and whose disjunct it is.
    pub fn inputs(&mut self, from: &State, to: &State, steps: Steps) -> Result<Assignments, Stop> {
        let (from, to) = (self.only(from)?, self.only(to)?);
        let Structure { manager, may, .. } = &mut *self.structure;
        for (number, part) in may.parts.iter().enumerate() {
            let between = part.between(&from, &to, steps, manager)?;
            let Some(picked) = manager.pick(&between) else { continue };
            let is_true = |var: BddVar| picked.contains(&(var, true));
            return Ok(self.inputs_of(self.selected.get(number).copied().flatten(), is_true));
        }
        Ok(Vec::new())
    }

    fn inputs_of(
        &self,
        selected: Option<(VarId, i64)>,
        is_true: impl Fn(BddVar) -> bool,
    ) -> Assignments {
        let vars = self.machine.vars.iter();
        let inputs =
            vars.filter(|(id, var)| var.kind == VarKind::Input && self.slice.contains(*id));
        let value = |var: VarId| match selected {
            Some((selector, value)) if selector == var => value,
            _ => self.layout.value(self.machine, var, &is_true),
        };
        inputs.map(|(var, _)| self.assignment(var, value(var))).collect()
    }

    fn assignment(&self, var: VarId, value: i64) -> (String, String) {
        (self.machine.vars[var].name.clone(), self.machine.text(var, value))
    }

    /// Finds the variables that have one value in all these states. Most others differ in the states that are picked
    /// from some subsets, which is quick to see.
    pub fn find_constants(&mut self, states: &Bdd, subsets: &[Bdd]) -> Result<(), Stop> {
        let vars: Vec<VarId> = self.vars().collect();
        let picked: Vec<State> = subsets.iter().filter_map(|subset| self.pick(subset)).collect();
        let differs =
            |bit: usize| picked.windows(2).any(|two| two[0].contains(bit) != two[1].contains(bit));
        'vars: for &var in &vars {
            if self.layout.bits(var).iter().any(|bit| differs(bit.now.0 as usize)) {
                continue;
            }
            for bit in self.layout.bits(var) {
                let manager = &mut self.structure.manager;
                let one = manager.var(bit.now)?;
                if !manager.is_subset(states, &one)? && !manager.is_subset(states, &one.not())? {
                    continue 'vars;
                }
            }
            self.constants.push(var);
        }
        if self.constants.len() == vars.len() {
            self.constants.clear();
        }
        Ok(())
    }

    fn vars(&self) -> impl Iterator<Item = VarId> {
        self.machine.state_vars().filter(|&var| self.slice.contains(var))
    }

    /// The values of the constants, which are those in any state.
    pub fn constants_of(&self, state: &State) -> Assignments {
        self.constants.iter().map(|&var| self.value(state, var)).collect()
    }

    fn value(&self, state: &State, var: VarId) -> (String, String) {
        let is_true = |var: BddVar| state.contains(var.0 as usize);
        self.assignment(var, self.layout.value(self.machine, var, is_true))
    }

    /// A state by the values of its variables and the propositions that are true in it.
    pub fn show(&self, state: &State) -> ShownState {
        let vars = self.vars().filter(|var| !self.constants.contains(var));
        let values: Assignments = vars.map(|var| self.value(state, var)).collect();
        let labels = self.structure.labels.iter();
        let labels = labels.filter(|(_, label)| self.contains(&label.tt, state));
        let names =
            labels.filter_map(|(prop, _)| Some(self.props.get(prop.0 as usize)?.name.clone()));
        let member = ShownMember {
            name: assignments(&values).unwrap_or_default(),
            true_props: names.collect(),
            unknown_props: Vec::new(),
            values,
        };
        ShownState { members: vec![Some(member)], next: None }
    }
}
