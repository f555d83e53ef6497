//! The parts of a certificate about a program over integers.

use smt::{LinearAtom, LinearFormula, Term, Variable};

/// A state is at most so many bits.
pub const MOST_ATOMS: usize = 64;
/// No ranking has more levels.
pub const MOST_LEVELS: usize = 64;

/// An abstraction of a program, with what makes its loops end, and the states in which the game is played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClaimedAbstraction {
    /// By location: the predicates there.
    pub atoms: Vec<Vec<LinearAtom>>,
    pub states: Vec<ClaimedState>,
    /// The states in which the program can begin.
    pub initial: Vec<u32>,
    /// By state. A step that is not there cannot be taken.
    pub transitions: Vec<Vec<ClaimedTransition>>,
    /// Each for a fixpoint of the formula.
    pub rankings: Vec<ClaimedRanking>,
    /// The states of the game by their numbers.
    pub positions: Vec<ClaimedPosition>,
}

/// A state, and by ranking the class of the step that has led there; 0 where none has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ClaimedPosition {
    pub state: u32,
    pub classes: Vec<u32>,
}

/// The concrete states at a location in which the atoms have these values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClaimedState {
    pub location: u32,
    /// The lowest bit is that of the first atom.
    pub bits: u64,
}

/// A step from a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClaimedTransition {
    /// By its number in the program.
    pub step: u32,
    /// The states that it may lead to; it can lead to no others.
    pub targets: Vec<u32>,
    pub musts: Vec<Must>,
}

/// States such that the step leads into one of them from every concrete state, or can be made to by choosing values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Must {
    pub states: Vec<u32>,
    /// Values to choose: for variables of [`transition::integers::IntegerStep::free`] terms over those of the program.
    /// If there are none it has to be found out whether some do.
    pub naming: Vec<(Variable, Term)>,
}

/// Classes of steps for a fixpoint, and what they rest on. With levels 0, …, K − 1 the classes are 0, …, 2K.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClaimedRanking {
    /// The number of the fixpoint's variable in the formula.
    pub var: u32,
    pub ranking_functions: Vec<Term>,
    /// By level and state: a ranking function, if the state has one at this level.
    pub levels: Vec<Vec<Option<u32>>>,
    /// By edge, state by state, transition by transition and target by target: 2d + 1 if the ranking function of
    /// level d decreases on it.
    pub classes: Vec<u32>,
}

impl ClaimedRanking {
    /// How many classes there are.
    pub fn count(&self) -> usize {
        2 * self.levels.len() + 1
    }
}

impl ClaimedAbstraction {
    /// The condition of a state on the variables: one literal for each atom.
    pub(crate) fn literals(&self, state: u32) -> Vec<LinearFormula> {
        let ClaimedState { location, bits } = self.states[state as usize];
        let atoms =
            self.atoms[location as usize].iter().map(|atom| LinearFormula::atom(atom.clone()));
        literals(&atoms.collect::<Vec<_>>(), bits)
    }

    pub(crate) fn bits(&self, state: u32) -> u64 {
        self.states[state as usize].bits
    }

    /// The edges: source, transition and target.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (u32, &ClaimedTransition, u32)> {
        let transitions = (0..)
            .zip(&self.transitions)
            .flat_map(|(state, own)| own.iter().map(move |a| (state, a)));
        transitions.flat_map(|(state, transition)| {
            transition.targets.iter().map(move |&to| (state, transition, to))
        })
    }
}

/// Formulas or their negations, as bits say.
pub(crate) fn literals(formulas: &[LinearFormula], bits: u64) -> Vec<LinearFormula> {
    let literal = |(index, formula): (usize, &LinearFormula)| match bits >> index & 1 {
        1 => formula.clone(),
        _ => formula.negated(),
    };
    formulas.iter().enumerate().map(literal).collect()
}
