//! The thorough semantics (X §2.2): what all refinements of a model agree on.
//!
//! A formula is true if no refinement satisfies its negation, and false if none satisfies it, so the question is whether
//! some refinement of a state satisfies a formula: generalised model checking (Bruns and Godefroid, "Generalized model
//! checking: reasoning about partial state spaces"). Trying labels and transitions of the model as it is written is not
//! enough: concrete states that refine one state of it may differ. The answer is that of a parity game ([`Tableau`]) on
//! sets of formulas:
//!
//! * If a refinement satisfies the formula, the verifier has a memoryless strategy in the game of C Fig. 1 on its
//!   unfolding. It resolves the disjunctions of each node and says where diamonds lead, so it is a strategy of the
//!   tableau; a play of the tableau is a branch of the unfolding, whose traces are plays of that game, and are good.
//! * A winning strategy of the tableau is a tree whose nodes refine their states: transitions are may transitions, every
//!   must transition has one, and literals do not contradict each other. Of each formula at a node, the resolution and
//!   the targets are a strategy in the game of C Fig. 1, in which plays are traces; so the formula holds.
//!
//! Formulas that are true in a state by the inductive semantics are left out, and branches end where one is false: the
//! tableau is one of the ?-subgraph (C Def. 3.4). Its size is exponential in the formula, so it has a limit; deciding
//! the question is EXPTIME-complete.

mod resolution;
mod safra;
mod steps;
mod tableau;
mod traces;
mod witness;

use crate::failure::Failure;
use crate::outcome::CheckError;
use game::solve::Solution;
use game::{ModelGame, Plan, Player, ThreeValuedSolution};
use logic::{Formula, Truth};
use model::PartialModel;
use resolution::Resolver;
use rustc_hash::FxHashMap;
use steps::Steps;
use support::{Monitor, StopReason, Stopped};
use tableau::{Numbering, Tableau};

/// Values in the refinements where the inductive semantics is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thorough {
    /// No refinement differs: the verdict is that of all.
    Agree,
    /// Some refinement satisfies the formula, and some refutes it.
    Differ,
    /// The tableau is too large.
    TooLarge,
}

impl Thorough {
    /// By the verdict, if it was decided.
    pub(crate) fn new(verdict: Truth, is_decided: bool) -> Self {
        match (verdict.is_definite(), is_decided) {
            (true, _) => Thorough::Agree,
            (false, true) => Thorough::Differ,
            (false, false) => Thorough::TooLarge,
        }
    }
}

/// Traces have their priorities in a word.
const MOST_PRIORITIES: u32 = 64;

/// For each of some states in which the formula is unknown, whether some refinement satisfies it: with a refinement that
/// does, where one is asked for. `None` if there are too many places to look at.
fn refinable<T>(
    model: &PartialModel,
    formula: &Formula,
    states: &[u32],
    monitor: &Monitor,
    show: impl Fn(&Tableau, &[u32], &Solution, &Numbering) -> T,
) -> Result<Option<T>, Stopped> {
    let plan = Plan::new(formula);
    if plan.equations.iter().any(|equation| equation.priority >= MOST_PRIORITIES) {
        return Ok(None);
    }
    let arena = ModelGame::new(model, formula, &plan, monitor)?;
    let roots: Vec<u32> = states.iter().map(|&s| arena.position(s, plan.root)).collect();
    let inductive = ThreeValuedSolution::new(&arena, &roots, monitor)?;
    let (resolver, steps) = (Resolver::new(&arena, &inductive), Steps::new(model));
    let mut tableau = Tableau::new(formula, &resolver, &steps, monitor);
    let mut solved = || {
        let roots: Result<Vec<u32>, Stopped> = states.iter().map(|&s| tableau.root(s)).collect();
        let roots = roots?;
        tableau.expand()?;
        let (solution, numbering) = tableau.solve()?;
        Ok(show(&tableau, &roots, &solution, &numbering))
    };
    match solved() {
        Err(Stopped(StopReason::Effort)) => Ok(None),
        solved => solved.map(Some),
    }
}

/// Whether the verifier can build a refinement of a state from a place.
fn wins(tableau: &Tableau, (place, state): (u32, u32), solution: &Solution) -> bool {
    tableau.steps.is_consistent(state) && solution.winner(place) == Player::Verifier
}

/// Puts the thorough values of states in the place of those that are unknown. Whether there were few enough places to
/// look at.
pub(crate) fn decide<'v>(
    model: &PartialModel,
    formula: &Formula,
    values: impl Iterator<Item = &'v mut Vec<(u32, Truth)>>,
    monitor: &Monitor,
) -> Result<bool, Failure> {
    let all = values.flatten().filter(|(_, value)| *value == Truth::Unknown);
    let unknown: Vec<&mut (u32, Truth)> = all.collect();
    let mut states: Vec<u32> = unknown.iter().map(|(state, _)| *state).collect();
    states.sort_unstable();
    states.dedup();
    if states.is_empty() {
        return Ok(true);
    }
    let Some(found) = thorough_values(model, formula, &states, monitor)? else { return Ok(false) };
    let found: FxHashMap<u32, Truth> = states.into_iter().zip(found).collect();
    unknown.into_iter().for_each(|(state, value)| *value = found[state]);
    Ok(true)
}

/// The thorough values of states in which the formula is unknown. `None` if there are too many places to look at.
fn thorough_values(
    model: &PartialModel,
    formula: &Formula,
    states: &[u32],
    monitor: &Monitor,
) -> Result<Option<Vec<Truth>>, Failure> {
    monitor.phase("refinements", 0);
    let can = |formula: &Formula| {
        refinable(model, formula, states, monitor, |tableau, roots, solution, _| {
            let places = roots.iter().copied().zip(states.iter().copied());
            places.map(|place| wins(tableau, place, solution)).collect::<Vec<bool>>()
        })
    };
    let (Some(satisfied), Some(refuted)) = (can(formula)?, can(&formula.dual())?) else {
        return Ok(None);
    };
    let value = |((&state, satisfied), refuted)| match (satisfied, refuted) {
        (true, true) => Ok(Truth::Unknown),
        (true, false) => Ok(Truth::True),
        (false, true) => Ok(Truth::False),
        (false, false) => Err(Failure::Error(CheckError::Contradiction {
            state: model.state_name(state),
            subformula: formula.show(formula.root()),
        })),
    };
    let all = states.iter().zip(satisfied).zip(refuted).map(value);
    all.collect::<Result<Vec<Truth>, Failure>>().map(Some)
}

/// A refinement of a model, with an initial state that refines this one, that satisfies a formula that is unknown in it.
/// `None` if there is none, or there are too many places to look at.
pub fn satisfying_refinement(
    model: &PartialModel,
    formula: &Formula,
    state: u32,
    monitor: &Monitor,
) -> Result<Option<PartialModel>, Stopped> {
    let found =
        refinable(model, formula, &[state], monitor, |tableau, roots, solution, numbering| {
            let is_there = wins(tableau, (roots[0], state), solution);
            is_there.then(|| witness::witness(model, tableau, roots[0], solution, numbering))?
        });
    Ok(found?.flatten())
}
