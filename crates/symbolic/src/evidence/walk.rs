//! Single states, and the steps between them.

use super::unfold::assignments;
use crate::kmts::StateBits;
use crate::relation::Steps;
use crate::structure::Structure;
use bdd::{Bdd, BddVar, Manager, Stop};
use encode::Layout;
use fixedbitset::FixedBitSet;
use logic::evidence::{Assignments, ShownMember, ShownState, valuation};
use logic::{Modality, Truth};
use model::{Component, System};
use transition::{Machine, Slice, StateProperty, VarId, VarKind};

/// A state: the truth variables that are true.
pub(super) type State = FixedBitSet;

/// The names of states and steps.
pub(super) trait StateWords {
    /// The components that states have, by name.
    fn components(&self) -> Vec<String>;

    /// A state as users know it.
    fn show(&self, structure: &Structure, state: &State) -> ShownState;

    /// The values that are the same in all states.
    fn constants_of(&self, _: Option<&State>) -> Option<Assignments> {
        None
    }

    /// The inputs of a step between two states.
    fn inputs(&self, _: &mut Structure, _: [&Bdd; 2], _: Steps) -> Result<Assignments, Stop> {
        Ok(Vec::new())
    }
}

/// A structure to walk through.
pub(super) struct Field<'a, W> {
    pub structure: &'a mut Structure,
    /// The truth variables of a state, from above.
    pub bits: Vec<BddVar>,
    pub words: W,
}

/// By action: where its steps lead.
pub(super) type Images = Vec<(Option<String>, Bdd)>;

impl<W> Field<'_, W> {
    /// The set of one state.
    pub fn only(&mut self, state: &State) -> Result<Bdd, Stop> {
        let mut set = self.structure.manager.constant(true);
        let none = self.structure.manager.constant(false);
        for var in self.bits.clone().into_iter().rev() {
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
        picked(set, &self.structure.manager)
    }

    /// Where the steps that are spoken of lead from a state, those that may be or those that must.
    pub fn images(&mut self, state: &State, is_must: bool, steps: Steps) -> Result<Images, Stop> {
        let from = self.only(state)?;
        let states = self.structure.states.clone();
        let mut all: Images = Vec::new();
        let Some((relation, manager)) = self.structure.steps_of(is_must) else { return Ok(all) };
        for (action, there) in relation.images(&from, steps, manager)? {
            let there = manager.and(&there, &states)?;
            match all.iter_mut().find(|(known, _)| known.as_deref() == action) {
                Some((_, known)) => *known = manager.or(known, &there)?,
                None => all.push((action.map(str::to_owned), there)),
            }
        }
        Ok(all)
    }

    /// The states that follow one, by those steps.
    pub fn successors(&mut self, state: &State, is_must: bool, steps: Steps) -> Result<Bdd, Stop> {
        let images = self.images(state, is_must, steps)?;
        self.union(&images)
    }

    /// Wherever some action leads.
    pub fn union(&mut self, images: &Images) -> Result<Bdd, Stop> {
        let mut all = self.structure.manager.constant(false);
        for (_, image) in images {
            all = self.structure.manager.or(&all, image)?;
        }
        Ok(all)
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
        match modality {
            Modality::Dia => self.structure.pre_image(there, true, steps, among),
            Modality::Box => {
                let elsewhere = self.structure.manager.minus(care, there)?;
                let before = self.structure.pre_image(&elsewhere, false, steps, among)?;
                self.structure.manager.minus(among, &before)
            }
        }
    }
}

/// A state of a set.
fn picked(set: &Bdd, manager: &Manager) -> Option<State> {
    let picked = manager.pick(set)?.into_iter();
    Some(picked.filter(|(_, value)| *value).map(|(var, _)| var.0 as usize).collect())
}

/// The variables of a machine.
pub(super) struct MachineWords<'a> {
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

impl MachineWords<'_> {
    /// The truth variables of a state, from above.
    pub fn bits(&self, manager: &Manager) -> Vec<BddVar> {
        let order = self.layout.order(manager);
        let is_state = |var: VarId| self.machine.vars[var].kind != VarKind::Input;
        let bits = order.into_iter().filter(|&(var, _)| is_state(var));
        bits.map(|(var, bit)| self.layout.bits(var)[bit as usize].now).collect()
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
    pub fn find_constants(
        &mut self,
        states: &Bdd,
        subsets: &[Bdd],
        manager: &mut Manager,
    ) -> Result<(), Stop> {
        let vars: Vec<VarId> = self.vars().collect();
        let picked: Vec<State> =
            subsets.iter().filter_map(|subset| picked(subset, manager)).collect();
        let differs =
            |bit: usize| picked.windows(2).any(|two| two[0].contains(bit) != two[1].contains(bit));
        'vars: for &var in &vars {
            if self.layout.bits(var).iter().any(|bit| differs(bit.now.0 as usize)) {
                continue;
            }
            for bit in self.layout.bits(var) {
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

    fn value(&self, state: &State, var: VarId) -> (String, String) {
        let is_true = |var: BddVar| state.contains(var.0 as usize);
        self.assignment(var, self.layout.value(self.machine, var, is_true))
    }
}

impl StateWords for MachineWords<'_> {
    fn components(&self) -> Vec<String> {
        vec![self.machine.name.clone()]
    }

    /// A state by the values of its variables and the propositions that are true in it.
    fn show(&self, structure: &Structure, state: &State) -> ShownState {
        let vars = self.vars().filter(|var| !self.constants.contains(var));
        let values: Assignments = vars.map(|var| self.value(state, var)).collect();
        let is_true = |var: BddVar| state.contains(var.0 as usize);
        let labels = structure.labels.iter();
        let labels = labels.filter(|(_, label)| structure.manager.contains(&label.tt, is_true));
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

    /// The values of the variables with one value in all states.
    fn constants_of(&self, state: Option<&State>) -> Option<Assignments> {
        let values = |state| self.constants.iter().map(|&var| self.value(state, var)).collect();
        Some(state.map(values).unwrap_or_default())
    }

    /// With the one whose disjunct the step is.
    fn inputs(
        &self,
        structure: &mut Structure,
        [from, to]: [&Bdd; 2],
        steps: Steps,
    ) -> Result<Assignments, Stop> {
        let Structure { manager, may, .. } = structure;
        for (number, part) in may.parts.iter().enumerate() {
            let between = part.between(from, to, steps, manager)?;
            let Some(picked) = manager.pick(&between) else { continue };
            let is_true = |var: BddVar| picked.contains(&(var, true));
            return Ok(self.inputs_of(self.selected.get(number).copied().flatten(), is_true));
        }
        Ok(Vec::new())
    }
}

/// The states of components.
pub(super) struct SystemWords<'a> {
    pub system: &'a System,
    pub bits: &'a [StateBits],
}

impl StateWords for SystemWords<'_> {
    fn components(&self) -> Vec<String> {
        self.system.components.iter().map(|part| part.model.name.clone()).collect()
    }

    fn show(&self, _: &Structure, state: &State) -> ShownState {
        let parts = self.system.components.iter().zip(self.bits);
        let member = |(part, bits): (&Component, &StateBits)| {
            let (model, own) = (&part.model, bits.state(|var| state.contains(var.0 as usize)));
            let with = |value: Truth| {
                let props = model.props().iter();
                let holds = props.filter(|&(prop, _)| model.label(own, prop) == value);
                holds.map(|(_, name)| name.to_owned()).collect()
            };
            let name = model.state_name(own);
            let (true_props, unknown_props) = (with(Truth::True), with(Truth::Unknown));
            Some(ShownMember { values: valuation(&name), name, true_props, unknown_props })
        };
        ShownState { members: parts.map(member).collect(), next: None }
    }
}
