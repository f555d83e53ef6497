//! States of the program as states of the file: the way back.

use super::branch::Inputs;
use super::layout::Layout;
use smt::{IntegerValue, Variable};
use transition::{Machine, VarId};

/// Locations, numbers and steps of the program as states and steps of the file.
#[derive(Clone, Debug)]
pub struct BackTranslation {
    pub machine: Machine,
    /// By location.
    pub locations: Vec<BackLocation>,
    /// The numbers that are chosen before steps, which no state has.
    pub chosen: Vec<u32>,
    /// By variable of the state, in the order of the file.
    homes: Vec<(VarId, Home)>,
    /// The variables in locations.
    control: Vec<VarId>,
    /// By step. Of an input that is not there, every value does.
    inputs: Vec<Inputs>,
}

/// A location, as the file knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BackLocation {
    /// Where there are states: those with these values of what is in locations.
    State(Vec<i64>),
    /// In the middle of a step from another location.
    Intermediate(u32),
    /// Before the first state, or where a run-time error has occurred.
    Outside,
}

/// Where a value is.
#[derive(Clone, Copy, Debug)]
enum Home {
    /// In the location, at this index.
    Location(usize),
    Number(u32),
}

impl BackTranslation {
    pub(super) fn new(
        machine: Machine,
        layout: &Layout,
        locations: Vec<BackLocation>,
        inputs: Vec<Inputs>,
    ) -> Self {
        let home = |var: VarId| match layout.data.get(&var) {
            Some(&number) => Some((var, Home::Number(number.0))),
            None => {
                let index = layout.control.iter().position(|other| *other == var)?;
                Some((var, Home::Location(index)))
            }
        };
        let is_of_text = |var: &VarId| !machine.history.contains(var);
        let homes = machine.state_vars().filter(is_of_text).filter_map(home).collect();
        let chosen = layout.chosen.iter().map(|(_, number)| number.0).collect();
        let control = layout.control.clone();
        Self { machine, locations, chosen, homes, control, inputs }
    }

    /// The state that the program is in with these numbers, if it is in one.
    pub fn state(&self, location: u32, numbers: &[i64]) -> Option<Vec<(VarId, i64)>> {
        let BackLocation::State(here) = &self.locations[location as usize] else { return None };
        let value = |&(var, home): &(VarId, Home)| match home {
            Home::Location(index) => (var, here[index]),
            Home::Number(number) => (var, numbers[number as usize]),
        };
        Some(self.homes.iter().map(value).collect())
    }

    /// The inputs in a step that is taken with these numbers. An input that is missing may have any value.
    pub fn inputs(&self, step: u32, numbers: &[i64]) -> Vec<(VarId, i64)> {
        let of = |number: Variable| numbers[number.0 as usize].into();
        let value = |(var, value): &(VarId, IntegerValue)| {
            Some((*var, i64::try_from(value.value(&of)?).ok()?))
        };
        self.inputs[step as usize].iter().filter_map(value).collect()
    }

    /// The values that make up a location, if there are states; empty if all states are there.
    pub fn values_at(&self, location: u32) -> Option<Vec<(VarId, i64)>> {
        match &self.locations[location as usize] {
            BackLocation::State(here) => {
                let values = self.control.iter().copied().zip(here.iter().copied());
                Some(values.filter(|(var, _)| !self.machine.history.contains(var)).collect())
            }
            _ => None,
        }
    }

    /// The location of the state that one is in, or that one is on the way from.
    pub fn state_location(&self, location: u32) -> Option<u32> {
        match self.locations[location as usize] {
            BackLocation::State(_) => Some(location),
            BackLocation::Intermediate(of) => Some(of),
            BackLocation::Outside => None,
        }
    }

    /// As the file writes it: `mode = idle, n = 3`.
    pub fn shown(&self, values: &[(VarId, i64)]) -> String {
        shown(&self.machine, values)
    }
}

pub(super) fn shown(machine: &Machine, values: &[(VarId, i64)]) -> String {
    let one = |&(var, value): &(VarId, i64)| {
        format!("{} = {}", machine.vars[var].name, machine.text(var, value))
    };
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}
