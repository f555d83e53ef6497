//! The refinement step: new predicates at the locations on which the cause of an unknown depends.
//!
//! A play of the abstract game that passes through unknown positions alone is followed to its causes (C §5, G §5). If
//! its path is spurious, sequence interpolants refute it (McMillan), unless it unrolls a loop: then there is a longer
//! spurious path for each that is refuted. Otherwise the weakest preconditions of the last cause are added, step by
//! step. Where that diverges, too, the loop restarts with combinations of its first predicates and with affine
//! invariants (Karr).

use crate::affine_invariants::affine_invariants;
use crate::cause::{Cause, UndeterminedPlay, cause_of_unknown};
use crate::cegar_loop::{Cegar, NewPredicates, RoundOutcome};
use crate::colouring::ColouredGame;
use crate::combination::add_combinations;
use crate::discovery::{
    PredicateCandidate, PredicateOrigin, all_undetermined, weakest_preconditions,
};
use crate::feasibility::{AbstractPath, PathContext, interpolants_along};
use crate::precision::{Precision, predicates_of};
use crate::ranking_template::sorted;
use crate::reachability::ReachabilityGraph;
use explicit::UnknownReason;
use logic::Truth;
use smt::{LinearAtom, LinearFormula, Term};
use support::Stopped;
use transition::integers::Proposition;

/// So many new predicates at a location mean divergence, the first time and the second.
const DIVERGENT: [usize; 2] = [3, 10];
/// So many rounds without a restart mean divergence, however few the new predicates are.
const MANY_ROUNDS: u32 = 24;

/// The restarts of the loop with other predicates.
pub(crate) struct Restarts {
    /// The precision of the first round.
    initial: Precision,
    times: u32,
    /// The precision before the last restart, to go on with if the restart leads to too many cases.
    pub before: Option<Precision>,
    /// How often the predicates were replaced rather than added to.
    pub generation: u32,
}

impl Restarts {
    pub fn new(initial: Precision) -> Self {
        Self { initial, times: 0, before: None, generation: 0 }
    }
}

impl Cegar<'_, '_> {
    /// The plays to the causes of the unknown in each game, and the reason to give up if they give no new predicate.
    pub fn undetermined_plays(
        &self,
        games: &[ColouredGame],
    ) -> Result<(Vec<UndeterminedPlay>, UnknownReason), Stopped> {
        // With ranking functions, the game without them tells nothing new.
        let games = if games.len() > 1 { &games[1..] } else { games };
        let mut plays = Vec::new();
        for game in games {
            let Some(state) = game.undetermined_initial_state() else {
                continue;
            };
            let ColouredGame { model, formula, .. } = game;
            let root = (formula, formula.root());
            plays.extend(cause_of_unknown(model, root, state, self.question.monitor)?);
        }
        let reason = match plays.len() == games.len() {
            true => UnknownReason::NoNewPredicate,
            false => UnknownReason::GameLimit,
        };
        Ok((plays, reason))
    }

    /// Adds predicates for plays that begin where `initial` holds; gives up for `reason` if there are none.
    pub fn refine(
        &mut self,
        graph: &ReachabilityGraph,
        (plays, initial): (&[UndeterminedPlay], &LinearFormula),
        ranking_functions: Vec<Term>,
        mut reason: UnknownReason,
    ) -> Result<RoundOutcome, Stopped> {
        let mut candidates = Vec::new();
        for play in plays {
            candidates.extend(self.discover(graph, play, initial));
        }
        let bounds = std::mem::take(&mut self.hints);
        self.untried = bounds.iter().map(|(_, bound)| bound.clone()).collect();
        if candidates.is_empty() || self.restarts.times > 0 {
            let origin = PredicateOrigin::RankingFunction;
            candidates.extend(bounds.into_iter().map(|(location, bound)| PredicateCandidate {
                location,
                formulas: vec![bound],
                why: origin.clone(),
            }));
        }
        let mut found = Vec::new();
        if candidates.iter().any(|candidate| self.diverges(candidate)) && self.restart()? {
            candidates.clear();
            found.extend(self.all_predicates());
        }
        for candidate in &candidates {
            match self.has_room(candidate) {
                true => found.extend(self.add(candidate)),
                false => {
                    reason = UnknownReason::PredicateLimit;
                    self.untried.extend(candidate.formulas.iter().cloned());
                }
            }
        }
        if found.is_empty() {
            let mut others: Vec<PredicateCandidate> =
                all_undetermined(&self.program, &self.precision, graph).collect();
            others.retain(|candidate| self.has_room(candidate));
            found.extend(others.iter().find_map(|candidate| self.add(candidate)));
        }
        let outcome = match found.is_empty() {
            true => RoundOutcome::GaveUp(reason),
            false => RoundOutcome::Refined,
        };
        self.report(ranking_functions, Truth::Unknown, found, Vec::new());
        Ok(outcome)
    }

    /// Predicates for a play: interpolants if its path is spurious, or else the weakest preconditions of the last of
    /// its causes for which they are new.
    fn discover(
        &mut self,
        graph: &ReachabilityGraph,
        play: &UndeterminedPlay,
        initial: &LinearFormula,
    ) -> Vec<PredicateCandidate> {
        let interpolants = self.refute(graph, play, initial);
        let is_new = |candidate: &PredicateCandidate| {
            let lacks = |formula| self.precision.lacks(candidate.location, formula);
            candidate.formulas.iter().any(lacks)
        };
        if interpolants.iter().any(is_new) {
            return interpolants;
        }
        let of = |cause: &Cause| {
            let found = weakest_preconditions(&self.program, &self.precision, graph, *cause)?;
            Some((*cause, found)).filter(|(_, found)| is_new(found))
        };
        match play.causes.iter().rev().find_map(of) {
            Some((Cause::Step { from, .. }, found)) => {
                self.propagated_back(graph, &play.states, from, found)
            }
            Some((Cause::Label { .. }, found)) => vec![found],
            None => Vec::new(),
        }
    }

    /// Interpolants along the path of a play, if it is spurious.
    fn refute(
        &mut self,
        graph: &ReachabilityGraph,
        play: &UndeterminedPlay,
        initial: &LinearFormula,
    ) -> Vec<PredicateCandidate> {
        let Some(path) = AbstractPath::through(graph, &play.states) else {
            return Vec::new();
        };
        let context = PathContext { initial, invariant: self.question.invariant };
        let Self { program, precision, successors, .. } = self;
        interpolants_along(program, precision, graph, &path, context, &mut *successors.solver)
    }

    /// A candidate at a state of a play with its weakest preconditions before the steps that lead there, as long as
    /// each is the only one that enters its location: later rounds would add them one by one.
    fn propagated_back(
        &self,
        graph: &ReachabilityGraph,
        play: &[u32],
        state: u32,
        candidate: PredicateCandidate,
    ) -> Vec<PredicateCandidate> {
        let mut all = vec![candidate];
        let last = play.iter().rposition(|&other| other == state).unwrap_or(0);
        for pair in play.get(..=last).unwrap_or_default().windows(2).rev() {
            let [before, location] = [pair[0], all[all.len() - 1].location];
            let mut steps = (0..).zip(self.program.steps).filter(|(_, s)| s.target == location);
            let (Some((step, taken)), None) = (steps.next(), steps.next()) else {
                break;
            };
            if taken.source != graph.states[before as usize].location || !taken.free.is_empty() {
                break;
            }
            let after = &all[all.len() - 1].formulas;
            let formulas = after.iter().filter_map(|f| taken.after_formula(f).ok()).collect();
            let predicates = after.iter().flat_map(predicates_of).collect();
            let why = PredicateOrigin::Step { step, after: predicates };
            all.push(PredicateCandidate { location: taken.source, formulas, why });
        }
        all
    }

    fn has_room(&self, candidate: &PredicateCandidate) -> bool {
        self.precision.len(candidate.location) < self.question.limits.max_predicates
    }

    /// Whether so many predicates were added at a candidate's location that an unrolled loop may be the reason.
    fn diverges(&self, candidate: &PredicateCandidate) -> bool {
        if self.restarts.times == 0 && self.rounds > MANY_ROUNDS {
            return true;
        }
        let at = |precision: &Precision| precision.len(candidate.location);
        let most = DIVERGENT.get(self.restarts.times as usize);
        most.is_some_and(|most| at(&self.precision) >= at(&self.restarts.initial) + most)
    }

    /// Restarts with combinations of the first predicates and affine invariants, the second time also with the
    /// propositions of other properties. False if none of them is new.
    fn restart(&mut self) -> Result<bool, Stopped> {
        self.restarts.times += 1;
        let monitor = self.question.monitor;
        let (steps, locations) = (self.program.steps, self.question.program.locations.len());
        let mut precision = self.restarts.initial.clone();
        let mut is_new = add_combinations(&mut precision, steps, locations, monitor)?;
        let (first, condition) = &self.program.start;
        let variables = self.question.program.variables.len();
        let invariants =
            affine_invariants(steps, locations, (*first, condition), variables, monitor)?;
        for (location, terms) in (0..).zip(invariants) {
            for term in terms {
                is_new |= !precision.add(location, &LinearFormula::zero(&term)).is_empty();
            }
        }
        if self.restarts.times > 1 {
            for location in 0..locations as u32 {
                for (_, proposition) in self.question.propositions {
                    if let Proposition::Holds(condition) = proposition {
                        is_new |= !precision.add(location, condition).is_empty();
                    }
                }
            }
        }
        if is_new {
            self.restarts.before = Some(self.precision.clone());
            self.restart_with(precision);
        }
        Ok(is_new)
    }

    pub fn restart_with(&mut self, precision: Precision) {
        self.precision = precision;
        self.successors.renumber();
        self.restarts.generation += 1;
    }

    /// All predicates, by location.
    fn all_predicates(&self) -> Vec<NewPredicates> {
        let locations = 0..self.question.program.locations.len() as u32;
        let at = |location| NewPredicates {
            location,
            predicates: self.precision.at(location).cloned().collect(),
            why: PredicateOrigin::Combination,
        };
        locations.map(at).filter(|found| !found.predicates.is_empty()).collect()
    }

    fn add(&mut self, candidate: &PredicateCandidate) -> Option<NewPredicates> {
        let PredicateCandidate { location, formulas, why } = candidate;
        // C §5.2: the component that the cause belongs to is refined, wherever the others are.
        let locations = match (self.question.components, why) {
            (
                Some(components),
                PredicateOrigin::Step { step, .. }
                | PredicateOrigin::SpuriousPath { next: Some(step), .. },
            ) => components.locations_sharing_source(*step, *location),
            _ => vec![*location],
        };
        let each =
            locations.iter().flat_map(|location| formulas.iter().map(move |f| (*location, f)));
        let predicates = each.flat_map(|(location, formula)| self.precision.add(location, formula));
        let predicates: Vec<LinearAtom> = sorted(predicates.collect());
        (!predicates.is_empty()).then_some(NewPredicates {
            location: *location,
            predicates,
            why: why.clone(),
        })
    }
}
