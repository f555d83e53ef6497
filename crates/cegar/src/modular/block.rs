//! One block: its abstraction, the games on it, and what is undetermined there.

use super::{EntryValues, Modular, Values};
use crate::abstract_model::AbstractModel;
use crate::cause::{Cause, UndeterminedPlay, cause_of_unknown};
use crate::cegar_loop::Cegar;
use crate::colouring::bases;
use crate::ranking::Ranking;
use crate::reachability::{AbstractState, Interruption, ReachabilityGraph, explore_from, labels};
use game::{ModelGame, Plan, ThreeValuedSolution};
use logic::{Fix, Formula, NodeId, Truth};
use smt::Term;
use support::{Monitor, Stopped};

/// A checked block.
pub(super) struct CheckedBlock {
    /// The states in which it is entered come first.
    pub graph: ReachabilityGraph,
    /// Without ranking functions first, then with those that help the verifier, and those that help the falsifier.
    games: Vec<Game>,
    /// Values at its entries.
    pub values: Values,
}

struct Game {
    model: AbstractModel,
    formula: Formula,
    /// Subformulas of the property, in this formula.
    parts: Vec<Option<NodeId>>,
    rankings: Vec<Ranking>,
}

/// Where a cause leads.
pub(super) enum Next {
    /// The cause is in this block, in each of the games. The cycles in it are ranked by these.
    Here { causes: Vec<UndeterminedPlay>, ranking_functions: Vec<Term> },
    /// The cause is an assumption about a state of another block.
    There(AbstractState, usize),
}

impl Modular {
    pub(super) fn look(
        &mut self,
        cegar: &mut Cegar,
        block: u32,
        entries: &[AbstractState],
        held: &EntryValues,
    ) -> Result<CheckedBlock, Interruption> {
        self.stats.checked += 1;
        cegar.hints.clear();
        let monitor = cegar.question.monitor;
        let graph = self.graph(cegar, block, entries, held)?;
        let mut games = vec![self.game(cegar, &graph, Vec::new())];
        let mut values = games[0].values(entries.len(), monitor)?;
        for kind in [Fix::Mu, Fix::Nu] {
            if !games[0].is_open(&values) {
                break;
            }
            let of = (&self.assumed.formula, &games[0].model);
            let rankings = cegar.rank(&graph, kind, of)?;
            if !rankings.is_empty() {
                let game = self.game(cegar, &graph, rankings);
                add(&mut values, game.values(entries.len(), monitor)?);
                games.push(game);
            }
        }
        cegar.successors.leave();
        Ok(CheckedBlock { graph, games, values })
    }

    /// The states of a block, and those that it leads to with what is assumed of them.
    fn graph(
        &self,
        cegar: &mut Cegar,
        block: u32,
        entries: &[AbstractState],
        held: &EntryValues,
    ) -> Result<ReachabilityGraph, Interruption> {
        let is_inside = |location: u32| self.partition.of(location) == block;
        let Cegar { program, precision, successors, question, .. } = cegar;
        let mut graph =
            explore_from(program, precision, successors, entries, &is_inside, question.monitor)?;
        let nothing = vec![Truth::Unknown; self.asked.len()];
        let mut label = |state: &AbstractState| match is_inside(state.location) {
            true => {
                let own = labels(program, precision, successors, *state);
                [own, vec![Truth::False], nothing.clone()].concat()
            }
            false => {
                let own = vec![Truth::Unknown; program.propositions.len()];
                let assumed = held.get(state).unwrap_or(&nothing).clone();
                [own, vec![Truth::True], assumed].concat()
            }
        };
        graph.labels = graph.states.iter().map(&mut label).collect();
        Ok(graph)
    }

    fn game(&self, cegar: &Cegar, graph: &ReachabilityGraph, rankings: Vec<Ranking>) -> Game {
        let added = (0..=self.asked.len()).map(|number| format!("assumed {number}"));
        let added: Vec<String> = added.collect();
        let names = cegar.program.propositions.iter().map(|(name, _)| *name);
        let names: Vec<&str> = names.chain(added.iter().map(String::as_str)).collect();
        let model = AbstractModel::new(graph, &rankings, &names);
        let classes = rankings.iter().zip(&model.classes);
        let by = classes.map(|(ranking, props)| (ranking.var, &props[..])).collect();
        let parts: Vec<NodeId> = self.assumed.parts.iter().flatten().copied().collect();
        let (formula, kept) = self.assumed.formula.ranked_with_numbers(&by, &parts);
        let mut kept = kept.into_iter();
        let parts = self.assumed.parts.iter().map(|part| part.and_then(|_| kept.next().flatten()));
        let parts = parts.collect();
        Game { model, formula, parts, rankings }
    }

    /// The origin of the cause of an undetermined value at an entry.
    pub(super) fn cause(
        &self,
        cegar: &Cegar,
        looked: &CheckedBlock,
        entry: usize,
        asked: usize,
    ) -> Result<Next, Interruption> {
        let CheckedBlock { graph, games, .. } = looked;
        // Where cycles are ranked, the game without ranking functions tells nothing new.
        let telling = if games.len() > 1 { &games[1..] } else { &games[..] };
        let mut all = Vec::new();
        for Game { model, formula, parts, .. } in telling {
            let Some(part) = parts[asked] else { continue };
            let found =
                cause_of_unknown(model, (formula, part), entry as u32, cegar.question.monitor)?;
            if let Some(&Cause::Label { state, prop }) = found.iter().flat_map(|d| &d.causes).last()
                && prop.0 > self.added
            {
                let state = graph.states[state as usize];
                return Ok(Next::There(state, (prop.0 - self.added - 1) as usize));
            }
            all.extend(found);
        }
        let ranking_functions = bases(games.iter().flat_map(|game| &game.rankings));
        Ok(Next::Here { causes: all, ranking_functions })
    }
}

impl Game {
    /// The values of what is asked in the first so many states.
    fn values(&self, entries: usize, monitor: &Monitor) -> Result<Values, Stopped> {
        let plan = Plan::new(&self.formula);
        let arena = ModelGame::new(&self.model.model, &self.formula, &plan, monitor)?;
        let position = |entry: u32, part: NodeId| arena.position(entry, plan.equation_of(part));
        let parts = || self.parts.iter().flatten();
        let all = (0..entries as u32).flat_map(|e| parts().map(move |&part| (e, part)));
        let all: Vec<u32> = all.map(|(entry, part)| position(entry, part)).collect();
        let solution = ThreeValuedSolution::new(&arena, &all, monitor)?;
        let value = |entry: u32, part: &Option<NodeId>| {
            let colour = part.and_then(|part| solution.colour(position(entry, part)));
            colour.unwrap_or(Truth::Unknown)
        };
        let of = |entry: u32| self.parts.iter().map(|part| value(entry, part)).collect();
        Ok((0..entries as u32).map(of).collect())
    }

    /// Whether a value at an entry is undetermined.
    fn is_open(&self, values: &Values) -> bool {
        let is_unknown =
            |(part, value): (&Option<NodeId>, &Truth)| part.is_some() && *value == Truth::Unknown;
        values.iter().any(|own| self.parts.iter().zip(own).any(is_unknown))
    }
}

/// Adds the values of another game: the verdicts of all of them carry over to the program.
fn add(values: &mut Values, others: Values) {
    for (own, other) in values.iter_mut().zip(others) {
        for (value, other) in own.iter_mut().zip(other) {
            if *value == Truth::Unknown {
                *value = other;
            }
        }
    }
}
