//! The game on the abstract model: its colouring, and the states in which a fixpoint is undetermined.

use crate::abstract_model::AbstractModel;
use crate::cegar_loop::{Cegar, CegarQuestion};
use crate::ranking::{Ranking, rank};
use crate::ranking_template::sorted;
use crate::reachability::{CheckedProgram, Interruption, ReachabilityGraph};
use explicit::{DIRECT, Outcome, Request};
use game::{ModelGame, Plan, ThreeValuedSolution};
use logic::{Fix, Truth, VarId};
use model::{PartialModel, System};
use smt::Term;
use support::{Monitor, Stopped};

/// A game on an abstract model with its outcome.
pub(crate) struct ColouredGame {
    pub outcome: Result<Outcome, explicit::CheckError>,
    /// The property, its fixpoints ranked by the rankings.
    pub formula: logic::Formula,
    pub rankings: Vec<Ranking>,
    pub model: AbstractModel,
}

impl ColouredGame {
    pub fn is_undetermined(&self) -> bool {
        matches!(&self.outcome, Ok(outcome) if outcome.verdict == Truth::Unknown)
    }

    /// An initial state whose colour is unknown.
    pub fn undetermined_initial_state(&self) -> Option<u32> {
        let initial = &self.outcome.as_ref().ok()?.initial;
        initial.iter().position(|(_, value)| *value == Truth::Unknown).map(|state| state as u32)
    }
}

/// Colours the game of the property, ranked, on the abstract model of a reachability graph.
pub(crate) fn colour(
    question: &CegarQuestion,
    program: &CheckedProgram,
    graph: &ReachabilityGraph,
    rankings: Vec<Ranking>,
) -> ColouredGame {
    let CegarQuestion { formula, monitor, evidence, .. } = *question;
    let names: Vec<&str> = program.propositions.iter().map(|(name, _)| *name).collect();
    let model = AbstractModel::new(graph, &rankings, &names);
    let classes = rankings.iter().zip(&model.classes);
    let formula = formula.ranked_by(&classes.map(|(r, props)| (r.var, &props[..])).collect());
    let system = System::single(model.model.clone());
    let plain = Request::new(&system, &formula, monitor);
    let outcome = DIRECT.run(&Request { evidence, ..plain });
    let outcome = outcome.map(|outcome| unless_unreachable(graph, outcome));
    ColouredGame { outcome, formula, rankings, model }
}

/// Weakens a false verdict that rests on abstract initial states alone that may have no concrete one.
fn unless_unreachable(graph: &ReachabilityGraph, mut outcome: Outcome) -> Outcome {
    let mut initial = outcome.initial.iter().zip(&graph.initial);
    let is_shown = initial.any(|((_, value), &is_certain)| is_certain && *value == Truth::False);
    if outcome.verdict == Truth::False && !is_shown {
        outcome.verdict = Truth::Unknown;
    }
    outcome
}

/// The ranking functions of the given games, each once.
pub(crate) fn ranking_functions(games: &[ColouredGame]) -> Vec<Term> {
    bases(games.iter().flat_map(|game| &game.rankings))
}

/// The terms that the ranking functions of some rankings are multiples of, each once.
pub(crate) fn bases<'r>(rankings: impl Iterator<Item = &'r Ranking>) -> Vec<Term> {
    sorted(rankings.flat_map(|ranking| ranking.bases.iter().cloned()).collect())
}

impl Cegar<'_, '_> {
    /// Ranks the fixpoints of a kind on the cycles of states in which they are undetermined without rankings.
    pub fn rank(
        &mut self,
        graph: &ReachabilityGraph,
        kind: Fix,
        (formula, model): (&logic::Formula, &AbstractModel),
    ) -> Result<Vec<Ranking>, Interruption> {
        let monitor = self.question.monitor;
        let mut rankings = Vec::new();
        for var in formula.rankable(kind) {
            let undetermined = undetermined_states(&model.model, formula, var, monitor)?;
            let of = (var, &undetermined[..]);
            let (ranking, hints) = rank(graph, &self.precision, &mut self.successors, of, monitor)?;
            rankings.extend(ranking);
            self.hints.extend(hints);
        }
        Ok(rankings)
    }
}

/// The states of a model in which a fixpoint is coloured unknown.
fn undetermined_states(
    model: &PartialModel,
    formula: &logic::Formula,
    var: VarId,
    monitor: &Monitor,
) -> Result<Vec<bool>, Stopped> {
    let plan = Plan::new(formula);
    let arena = ModelGame::new(model, formula, &plan, monitor)?;
    let equation = plan.equation_of(formula.var(var).body);
    let states = 0..model.states() as u32;
    let positions: Vec<u32> = states.map(|state| arena.position(state, equation)).collect();
    let solution = ThreeValuedSolution::new(&arena, &positions, monitor)?;
    let is_unknown = |&position: &u32| solution.colour(position) == Some(Truth::Unknown);
    Ok(positions.iter().map(is_unknown).collect())
}
