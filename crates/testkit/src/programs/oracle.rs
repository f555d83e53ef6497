//! The values of formulas in a program, by the definitions alone: CTL on its structure, every set by plain iteration.

use super::ast::Program;
use super::ctl::{Ctl, PathOperator, Quantifier, StateOperator};
use super::flat::Flat;
use super::structure::{Location, Structure};
use super::values::Valuations;
use std::collections::BTreeMap;

/// The states of a program, all of them and not only those that can be reached, and its steps.
pub struct Oracle {
    pub flat: Flat,
    pub valuations: Valuations,
    pub structure: Structure,
    places: Vec<Location>,
    /// A state is its place times the number of valuations plus the number of its own.
    successors: Vec<Vec<usize>>,
}

/// By state.
type Set = Vec<bool>;

impl Oracle {
    /// Panics if the program has holes.
    pub fn new(program: &Program) -> Self {
        let (flat, valuations) = (Flat::new(program), Valuations::new(program));
        let structure = Structure::of(&flat, &valuations, &flat.body);
        let places: Vec<Location> = structure.locations.iter().cloned().collect();
        let number: BTreeMap<&Location, usize> =
            places.iter().enumerate().map(|(number, place)| (place, number)).collect();
        let count = valuations.count();
        let mut successors = vec![Vec::new(); places.len() * count];
        for ((from, to), steps) in &structure.steps {
            for (before, after) in steps {
                successors[number[from] * count + before].push(number[to] * count + after);
            }
        }
        Self { flat, valuations, structure, places, successors }
    }

    pub fn state_count(&self) -> usize {
        self.successors.len()
    }

    pub fn successors(&self, state: usize) -> &[usize] {
        &self.successors[state]
    }

    /// Whether all initial states satisfy it.
    pub fn holds(&self, formula: &Ctl) -> bool {
        self.initial().into_iter().eq(self.satisfying(formula))
    }

    /// The valuations with which the program may start.
    pub fn initial(&self) -> Vec<usize> {
        (0..self.valuations.count()).filter(|&v| self.valuations.is_initial(v)).collect()
    }

    /// Those of them that satisfy a formula.
    pub fn satisfying(&self, formula: &Ctl) -> Vec<usize> {
        let (first, set) = (self.first(), self.set(formula));
        self.initial().into_iter().filter(|&valuation| set[first + valuation]).collect()
    }

    /// The first state of the initial location.
    fn first(&self) -> usize {
        let place = self.places.iter().position(|place| *place == self.structure.initial);
        place.map_or(0, |place| place * self.valuations.count())
    }

    /// Where a program can be and with what values, as far as it can be reached.
    pub fn reachable(&self) -> Set {
        let mut reached = vec![false; self.successors.len()];
        let mut open: Vec<usize> = self.initial().iter().map(|v| self.first() + v).collect();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                open.extend(&self.successors[state]);
            }
        }
        reached
    }

    /// Where the steps from a location with these values lead.
    pub fn steps_from(&self, location: &Location, valuation: usize) -> Vec<(Location, usize)> {
        let count = self.valuations.count();
        let place = self.places.iter().position(|place| place == location);
        let state = place.map(|place| place * count + valuation);
        let successors = state.map_or(&[][..], |state| &self.successors[state]);
        successors.iter().map(|&next| (self.at(next).clone(), next % count)).collect()
    }

    fn at(&self, state: usize) -> &Location {
        &self.places[state / self.valuations.count()]
    }

    fn all_where(&self, is_in: impl Fn(usize) -> bool) -> Set {
        (0..self.successors.len()).map(is_in).collect()
    }

    /// By state, whether a formula holds in it.
    pub fn set(&self, formula: &Ctl) -> Set {
        match formula {
            Ctl::Holds(expr) => self.all_where(|state| {
                self.valuations.evaluate(state % self.valuations.count(), expr) == Some(1)
            }),
            Ctl::At(label) => self.all_where(|state| match self.at(state) {
                Location::Rest(rest) => {
                    rest.first().is_some_and(|&c| self.flat.commands[c].labels.contains(label))
                }
                Location::Error => false,
            }),
            Ctl::Error => self.all_where(|state| *self.at(state) == Location::Error),
            Ctl::Not(operand) => self.set(operand).iter().map(|is_in| !is_in).collect(),
            Ctl::And(left, right) => self.both(left, right, |a, b| a && b),
            Ctl::Or(left, right) => self.both(left, right, |a, b| a || b),
            Ctl::Implies(left, right) => self.both(left, right, |a, b| !a || b),
            Ctl::Iff(left, right) => self.both(left, right, |a, b| a == b),
            Ctl::State(quantifier, operator, operand) => {
                self.state(*quantifier, *operator, &self.set(operand))
            }
            Ctl::Path(quantifier, operator, left, right) => {
                self.path(*quantifier, *operator, &self.set(left), &self.set(right))
            }
        }
    }

    fn both(&self, left: &Ctl, right: &Ctl, of: impl Fn(bool, bool) -> bool) -> Set {
        self.set(left).iter().zip(self.set(right)).map(|(&a, b)| of(a, b)).collect()
    }

    fn state(&self, quantifier: Quantifier, operator: StateOperator, of: &Set) -> Set {
        let [all, none] = [true, false].map(|value| vec![value; of.len()]);
        match operator {
            StateOperator::Next => self.all_where(|state| self.next(quantifier, state, of)),
            StateOperator::Finally => self.path(quantifier, PathOperator::Until, &all, of),
            StateOperator::Globally => self.path(quantifier, PathOperator::Release, &none, of),
        }
    }

    fn next(&self, quantifier: Quantifier, state: usize, of: &Set) -> bool {
        let mut successors = self.successors[state].iter();
        match quantifier {
            Quantifier::All => successors.all(|&next| of[next]),
            Quantifier::Exists => successors.any(|&next| of[next]),
        }
    }

    /// Until and weak until: now the right side, or the left side and the same again in the next state. Release:
    /// now the right side, and the left side or the same again.
    fn path(&self, quantifier: Quantifier, operator: PathOperator, left: &Set, right: &Set) -> Set {
        let mut set = vec![operator != PathOperator::Until; left.len()];
        loop {
            let again = |state: usize| self.next(quantifier, state, &set);
            let next = self.all_where(|state| match operator {
                PathOperator::Until | PathOperator::WeakUntil => {
                    right[state] || (left[state] && again(state))
                }
                PathOperator::Release => right[state] && (left[state] || again(state)),
            });
            if next == set {
                return set;
            }
            set = next;
        }
    }
}
