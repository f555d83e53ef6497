//! Values of an evaluation in given states.

use super::{Encoding, Evaluated, Mixed};
use bdd::{Bdd, BddVar, Cube, Stop};
use logic::Truth;
use support::Stopped;
use transition::abstracted::AbstractStart;

/// The values of a formula in a set of states together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MixedValues {
    pub is_true_in_all: bool,
    pub is_false_in_all: bool,
    pub is_false_in_some: bool,
    /// Both true and false in one of them: then no complete system refines the model.
    pub is_contradictory: bool,
}

impl MixedValues {
    /// Of initial states: whether all satisfy it, or some certainly does not. `None` for a contradiction.
    pub fn verdict(self) -> Option<Truth> {
        self.truth(self.is_false_in_some)
    }

    /// Of the state that stands for them together, by a last reduction (X Def. 6): whether all satisfy it or
    /// none does. `None` for a contradiction.
    pub fn reduced(self) -> Option<Truth> {
        self.truth(self.is_false_in_all)
    }

    fn truth(self, is_false: bool) -> Option<Truth> {
        match (self.is_contradictory, self.is_true_in_all, is_false) {
            (true, _, _) => None,
            (false, true, _) => Some(Truth::True),
            (false, false, true) => Some(Truth::False),
            (false, false, false) => Some(Truth::Unknown),
        }
    }
}

impl Mixed {
    /// Values in the initial states of a program.
    pub fn within(
        &mut self,
        evaluated: &Evaluated,
        start: &AbstractStart,
    ) -> Result<MixedValues, Stopped> {
        let mut states = self.minterms(&start.literals)?;
        for contradiction in &start.contradictions {
            let excluded = self.minterms(contradiction)?;
            states = self.manager.minus(&states, &excluded)?;
        }
        Ok(self.found(&evaluated.values[start.location as usize], &states)?)
    }

    /// The value in a minterm at a place of a program, by the values of its predicates. `None` for a
    /// contradiction.
    pub fn at(
        &self,
        evaluated: &Evaluated,
        place: u32,
        is_true: impl Fn(u32) -> bool,
    ) -> Option<Truth> {
        self.at_monomial(evaluated, place, |predicate| Some(is_true(predicate)))
    }

    /// Value in a monomial, for the standard semantics, whose states are monomials.
    pub fn at_monomial(
        &self,
        evaluated: &Evaluated,
        place: u32,
        value: impl Fn(u32) -> Option<bool>,
    ) -> Option<Truth> {
        let Encoding::Program { predicates, order } = &self.encoding else {
            return Some(Truth::Unknown);
        };
        let by_var = |var: BddVar| {
            // Variables for targets are the last of each predicate.
            let at = order.partition_point(|&number| predicates[number as usize].next < var);
            order.get(at).is_some_and(|&number| match value(number) {
                Some(value) => predicates[number as usize].now == var && value,
                None => predicates[number as usize].unknown == Some(var),
            })
        };
        self.truth(&evaluated.values[place as usize], by_var)
    }

    /// The value in a state of a model. `None` for a contradiction.
    pub fn in_state(&self, evaluated: &Evaluated, state: u32) -> Option<Truth> {
        let Encoding::Atoms(bits) = &self.encoding else { return Some(Truth::Unknown) };
        self.truth(&evaluated.values[0], |var| bits.has(var, state))
    }

    fn truth(&self, value: &Bdd, by_var: impl Fn(BddVar) -> bool) -> Option<Truth> {
        let half = |is_under: bool| {
            let value_of = |var| if var == self.sel { is_under } else { by_var(var) };
            self.manager.contains(value, value_of)
        };
        Truth::from_bounds(half(true), half(false))
    }

    /// All minterms with these literals.
    fn minterms(&mut self, literals: &[(u32, bool)]) -> Result<Bdd, Stop> {
        let Encoding::Program { predicates, .. } = &self.encoding else {
            return Ok(self.universe.clone());
        };
        let mut values: Vec<(BddVar, bool)> =
            predicates.iter().filter_map(|of| of.unknown).map(|var| (var, false)).collect();
        values.extend(literals.iter().map(|&(at, value)| (predicates[at as usize].now, value)));
        self.manager.conjunction(values)
    }

    fn found(&mut self, value: &Bdd, states: &Bdd) -> Result<MixedValues, Stop> {
        let manager = &mut self.manager;
        let sel = manager.var(self.sel)?;
        let cube: Cube = manager.cube([self.sel])?;
        let under = manager.and_exists(value, &sel, &cube)?;
        let over = manager.and_exists(value, &sel.not(), &cube)?;
        let possible = manager.and(states, &over)?;
        let contradictory = manager.minus(&under, &over)?;
        Ok(MixedValues {
            is_true_in_all: manager.is_subset(states, &under)?,
            is_false_in_all: possible.is_empty(),
            is_false_in_some: possible != *states,
            is_contradictory: !manager.and(&contradictory, states)?.is_empty(),
        })
    }
}
