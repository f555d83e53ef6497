//! What a certificate about a program over integers consists of.

use arithmetic::{Atom, Formula, Term, Variable};
use logic::Fix;

/// A state is at most so many bits.
pub const MOST_ATOMS: usize = 64;
/// No ranking has more levels.
pub const MOST_LEVELS: usize = 64;

/// An abstraction of a program, with what makes its loops end, and the states in which the game is played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Abstraction {
    /// By place: what is told apart there.
    pub atoms: Vec<Vec<Atom>>,
    pub states: Vec<State>,
    /// The states in which the program can begin.
    pub initial: Vec<u32>,
    /// By state. A step that is not there cannot be taken.
    pub arrows: Vec<Vec<Arrow>>,
    pub ranking: Ranking,
    /// The states of the game by their numbers: a state, and the class of the step that has led there.
    pub positions: Vec<(u32, u32)>,
}

/// The concrete states at a place in which the atoms have these values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub place: u32,
    /// The lowest bit is that of the first atom.
    pub bits: u64,
}

/// A step from a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arrow {
    /// By its number in the program.
    pub step: u32,
    /// All that it can lead to.
    pub targets: Vec<Target>,
    pub musts: Vec<Must>,
}

/// Where a step may lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub state: u32,
    /// The level whose measure gets smaller on the way, if there is one.
    pub level: Option<u32>,
}

/// States such that the step leads into one of them from every concrete state, or can be made to by choosing values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Must {
    pub states: Vec<u32>,
    /// Values to choose: for variables of [`predicates::lower::Move::free`] terms over those of the program.
    /// If there are none it has to be found out whether some do.
    pub naming: Vec<(Variable, Term)>,
}

/// What makes loops end. Without levels there is one class of steps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranking {
    /// Which fixpoints of the formula are ranked ([`logic::Formula::ranked`]).
    pub kind: Option<Fix>,
    pub measures: Vec<Term>,
    /// By level and state: a measure, if the state has one at this level.
    pub levels: Vec<Vec<Option<u32>>>,
}

impl Ranking {
    /// The class of a step on which the measure of a level gets smaller, or of any other step.
    pub fn class(&self, level: Option<u32>) -> u32 {
        level.map_or(2 * self.levels.len() as u32, |level| 2 * level + 1)
    }
}

impl Abstraction {
    /// What a state says of the variables: one literal for each atom.
    pub(crate) fn literals(&self, state: u32) -> Vec<Formula> {
        let State { place, bits } = self.states[state as usize];
        let atoms = self.atoms[place as usize].iter().map(|atom| Formula::atom(atom.clone()));
        literals(&atoms.collect::<Vec<_>>(), bits)
    }

    pub(crate) fn bits(&self, state: u32) -> u64 {
        self.states[state as usize].bits
    }

    /// All steps: the state, the arrow, and where it may lead.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (u32, &Arrow, Target)> {
        let arrows =
            (0..).zip(&self.arrows).flat_map(|(state, own)| own.iter().map(move |a| (state, a)));
        arrows.flat_map(|(state, arrow)| arrow.targets.iter().map(move |&t| (state, arrow, t)))
    }
}

/// Formulas or their negations, as bits say.
pub(crate) fn literals(formulas: &[Formula], bits: u64) -> Vec<Formula> {
    let literal = |(index, formula): (usize, &Formula)| match bits >> index & 1 {
        1 => formula.clone(),
        _ => formula.negated(),
    };
    formulas.iter().enumerate().map(literal).collect()
}
