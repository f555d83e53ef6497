//! What a round without a verdict is followed by: more atoms where knowledge is missing.
//!
//! If the way to what is in doubt is none of the program, what shows that comes first, unless the way goes round a loop again and
//! again. Otherwise weakest preconditions are followed, step by step. Where these follow a loop, the search begins anew with
//! combinations of what it knew first.

use crate::doubts::{Cause, Doubts, doubts};
use crate::equations::equations;
use crate::learn::{PredicateOrigin, Wanted, everything_open, wanted};
use crate::measure::sorted;
use crate::refine::{Found, Played, Question, Search, measures};
use crate::region::{Hindrance, Region};
use crate::views::{Views, atoms_to_know};
use crate::way::{Given, Way, no_way};
use crate::widen::widen;
use explicit::Outcome;
use logic::Truth;
use smt::{Atom, Formula, Term};
use support::Stopped;
use transition::integers::Proposition;

/// So many new atoms at a place may come from following a loop, the first time and the second.
const FAR: [usize; 2] = [3, 10];
/// Whoever has learnt so often, a little at each place, gets on too slowly.
const MANY: u32 = 24;

/// PredicateOrigin the search ends, or that it goes on.
pub(crate) type Ended = Option<Result<Truth, String>>;

impl Search<'_, '_> {
    /// Learns from games without a verdict; the reason to end if there is nothing to learn.
    pub fn learn_from(&mut self, region: &Region, games: &[Played]) -> Result<Ended, Hindrance> {
        // Where circles are measured, what is in doubt without measures is no news.
        let telling = if games.len() > 1 { &games[1..] } else { games };
        let mut all = Vec::new();
        for Played { drawing, formula, outcome, .. } in telling {
            let Some(state) = outcome.as_ref().ok().and_then(first_in_doubt) else { continue };
            all.extend(doubts(drawing, (formula, formula.root()), state, self.question.monitor)?);
        }
        let reason = match all.len() == telling.len() {
            true => "no predicate tells more",
            false => "a limit was reached",
        };
        let measures = games.iter().flat_map(|game| measures(&game.rankings));
        let measures = sorted(measures.collect());
        let first = self.subject.start.1.clone();
        Ok(self.look_closer(region, (&all, &first), measures, reason)?)
    }

    /// Learns what tells more of what is in doubt in a region, on plays that begin where something holds; a reason to end if nothing
    /// does.
    pub fn look_closer(
        &mut self,
        region: &Region,
        (doubts, first): (&[Doubts], &Formula),
        measures: Vec<Term>,
        reason: &str,
    ) -> Result<Ended, Stopped> {
        let mut reason = reason.to_owned();
        let mut all = Vec::new();
        for doubts in doubts {
            all.extend(self.missing(region, doubts, first));
        }
        let hints = std::mem::take(&mut self.hints);
        self.untried = hints.iter().map(|(_, bound)| bound.clone()).collect();
        let hints = hints.into_iter().map(|(place, bound)| Wanted {
            place,
            formulas: vec![bound],
            why: PredicateOrigin::Measure,
        });
        if all.is_empty() || self.widened.times > 0 {
            all.extend(hints);
        }
        let mut found = Vec::new();
        if all.iter().any(|wanted| self.is_far(wanted)) && self.widen()? {
            // What was learnt before has gone after a loop, round by round.
            all.clear();
            found.extend(self.new_atoms());
        }
        for wanted in &all {
            match self.views.len(wanted.place) < self.question.limits.atoms {
                true => found.extend(self.add(wanted)),
                false => {
                    reason = "more predicates are needed than were allowed".to_owned();
                    self.untried.extend(wanted.formulas.iter().cloned());
                }
            }
        }
        if found.is_empty() {
            let open: Vec<Wanted> = everything_open(&self.subject, &self.views, region).collect();
            let is_small =
                |wanted: &&Wanted| self.views.len(wanted.place) < self.question.limits.atoms;
            let small: Vec<&Wanted> = open.iter().filter(is_small).collect();
            found.extend(small.into_iter().find_map(|wanted| self.add(wanted)));
        }
        let is_over = found.is_empty();
        self.tell(measures, Truth::Unknown, found, Vec::new());
        Ok(is_over.then_some(Err(reason)))
    }

    /// What would tell more of a play: why it is none of the program, or what tells the last of its causes of which something new
    /// can be told.
    fn missing(&mut self, region: &Region, doubts: &Doubts, first: &Formula) -> Vec<Wanted> {
        let shown = self.no_way(region, doubts, first);
        let is_news = |wanted: &Wanted| {
            wanted.formulas.iter().any(|formula| self.views.lacks(wanted.place, formula))
        };
        if shown.iter().any(is_news) {
            return shown;
        }
        let told = |cause: &Cause| {
            let wanted = wanted(&self.subject, &self.views, region, *cause)?;
            Some((*cause, wanted)).filter(|(_, wanted)| is_news(wanted))
        };
        match doubts.causes.iter().rev().find_map(told) {
            Some((Cause::Step { from, .. }, wanted)) => {
                self.carried_back(region, &doubts.states, from, wanted)
            }
            Some((_, wanted)) => vec![wanted],
            None => Vec::new(),
        }
    }

    /// What is wanted at a state of a play, and before the steps that lead there, as long as each is the only one that leads to
    /// its place: one round would ask for it after the other.
    fn carried_back(
        &self,
        region: &Region,
        play: &[u32],
        state: u32,
        wanted: Wanted,
    ) -> Vec<Wanted> {
        let mut all = vec![wanted];
        let last = play.iter().rposition(|&other| other == state).unwrap_or(0);
        for pair in play.get(..=last).unwrap_or_default().windows(2).rev() {
            let [before, place] = [pair[0], all[all.len() - 1].place];
            let mut steps = (0..).zip(self.subject.moves).filter(|(_, m)| m.target == place);
            let (Some((step, taken)), None) = (steps.next(), steps.next()) else { break };
            if taken.source != region.states[before as usize].place || !taken.free.is_empty() {
                break;
            }
            let after = &all[all.len() - 1].formulas;
            let formulas = after.iter().filter_map(|f| taken.after_formula(f).ok()).collect();
            let atoms = after.iter().flat_map(atoms_to_know).collect();
            let why = PredicateOrigin::Step { step, after: atoms };
            all.push(Wanted { place: taken.source, formulas, why });
        }
        all
    }

    /// What shows that a play is none of the program; nothing if it may be one.
    fn no_way(&mut self, region: &Region, doubts: &Doubts, first: &Formula) -> Vec<Wanted> {
        let Some(way) = Way::through(region, &doubts.states) else { return Vec::new() };
        let given = Given { first, always: &self.invariant };
        no_way(&self.subject, &self.views, region, &way, given, &mut *self.successors.solver)
    }

    /// Whether so much is known at a place already that a loop may be the reason.
    fn is_far(&self, wanted: &Wanted) -> bool {
        if self.widened.times == 0 && self.rounds > MANY {
            return true;
        }
        let far = FAR.get(self.widened.times as usize);
        let known = |views: &Views| views.len(wanted.place);
        far.is_some_and(|far| known(&self.views) >= known(&self.first) + far)
    }

    /// Begins anew with combinations of what was known first, the second time also with what other questions speak of;
    /// whether something is new.
    fn widen(&mut self) -> Result<bool, Stopped> {
        self.widened.times += 1;
        let places = self.question.program.places.len();
        let mut wider = self.first.clone();
        let mut is_new = widen(&mut wider, self.subject.moves, places, self.question.monitor)?;
        is_new |= self.add_equations(&mut wider)?;
        if self.widened.times > 1 {
            let meanings = self.question.propositions.iter();
            let others: Vec<Formula> = meanings.filter_map(|(_, m)| condition_of(m)).collect();
            for (place, other) in
                (0..places as u32).flat_map(|p| others.iter().map(move |o| (p, o)))
            {
                is_new |= !wider.add(place, other).is_empty();
            }
        }
        if is_new {
            self.widened.before = Some(self.views.clone());
            self.begin_with(wider);
        }
        Ok(is_new)
    }

    /// What holds at each place whatever way leads there: sums that loops keep are among it.
    fn add_equations(&self, views: &mut Views) -> Result<bool, Stopped> {
        let (first, begins) = &self.subject.start;
        let places = self.question.program.places.len();
        let variables = self.question.program.variables.len();
        let Question { monitor, .. } = *self.question;
        let of = equations(self.subject.moves, places, (*first, begins), variables, monitor)?;
        let mut is_new = false;
        for (place, terms) in (0..).zip(of) {
            for term in terms {
                is_new |= !views.add(place, &Formula::zero(&term)).is_empty();
            }
        }
        Ok(is_new)
    }

    pub fn begin_with(&mut self, views: Views) {
        self.views = views;
        self.successors.begin_anew();
        self.generation += 1;
    }

    /// All atoms, by place.
    fn new_atoms(&self) -> Vec<Found> {
        let places = 0..self.question.program.places.len() as u32;
        let found = |place| Found {
            place,
            atoms: self.views.at(place).cloned().collect(),
            why: PredicateOrigin::Combination,
        };
        places.map(found).filter(|found| !found.atoms.is_empty()).collect()
    }

    fn add(&mut self, wanted: &Wanted) -> Option<Found> {
        let Wanted { place, formulas, why } = wanted;
        // C §5.2: the component that the cause belongs to is refined, wherever the others are.
        let places = match (self.question.components, why) {
            (
                Some(components),
                PredicateOrigin::Step { step, .. }
                | PredicateOrigin::NoWay { next: Some(step), .. },
            ) => components.alike(*step, *place),
            _ => vec![*place],
        };
        let each = places.iter().flat_map(|place| formulas.iter().map(move |f| (*place, f)));
        let atoms = each.flat_map(|(place, formula)| self.views.add(place, formula));
        let atoms: Vec<Atom> = sorted(atoms.collect());
        (!atoms.is_empty()).then_some(Found { place: *place, atoms, why: why.clone() })
    }
}

/// An initial state that a game leaves open.
fn first_in_doubt(outcome: &Outcome) -> Option<u32> {
    let is_open = |(_, value): &(String, Truth)| *value == Truth::Unknown;
    outcome.initial.iter().position(is_open).map(|state| state as u32)
}

fn condition_of(meaning: &Proposition) -> Option<Formula> {
    match meaning {
        Proposition::Holds(wanted) => Some(wanted.clone()),
        Proposition::At(_) => None,
    }
}
