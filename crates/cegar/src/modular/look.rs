//! One piece: its abstraction, the games on it, and what is in doubt there.

use super::{Held, Modular, Values};
use crate::doubts::{Cause, Doubts, doubts};
use crate::drawing::Drawing;
use crate::measure::sorted;
use crate::ranking::Ranking;
use crate::refine::{Search, measures};
use crate::region::{Hindrance, Region, State, explore_from, labels};
use game::{Board, Plan, Play};
use logic::{Fix, Formula, NodeId, Truth};
use smt::Term;
use support::{Monitor, Stopped};

/// What there is to see in a piece.
pub(super) struct Looked {
    /// The states in which it is entered come first.
    pub region: Region,
    /// Without measures first, then with those that help the verifier, and those that help the falsifier.
    games: Vec<Game>,
    /// What holds where it is entered.
    pub values: Values,
}

struct Game {
    drawing: Drawing,
    formula: Formula,
    /// What is asked, in this formula.
    parts: Vec<Option<NodeId>>,
    rankings: Vec<Ranking>,
}

/// Where a doubt leads.
pub(super) enum Next {
    /// Knowledge is missing in this piece, in each of the games. The circles in it are measured by these.
    Here { doubts: Vec<Doubts>, measures: Vec<Term> },
    /// It is about what is assumed of a state in another one.
    There(State, usize),
}

impl Modular {
    pub(super) fn look(
        &mut self,
        search: &mut Search,
        piece: u32,
        entries: &[State],
        held: &Held,
    ) -> Result<Looked, Hindrance> {
        self.figures.looked_at += 1;
        search.hints.clear();
        let monitor = search.question.monitor;
        let region = self.region(search, piece, entries, held)?;
        let mut games = vec![self.game(search, &region, Vec::new())];
        let mut values = games[0].values(entries.len(), monitor)?;
        for kind in [Fix::Mu, Fix::Nu] {
            if !games[0].is_open(&values) {
                break;
            }
            let of = (&self.assumed.formula, &games[0].drawing);
            let rankings = search.rank(&region, kind, of)?;
            if !rankings.is_empty() {
                let game = self.game(search, &region, rankings);
                add(&mut values, game.values(entries.len(), monitor)?);
                games.push(game);
            }
        }
        search.successors.leave();
        Ok(Looked { region, games, values })
    }

    /// The states of a piece, and those that it leads to with what is assumed of them.
    fn region(
        &self,
        search: &mut Search,
        piece: u32,
        entries: &[State],
        held: &Held,
    ) -> Result<Region, Hindrance> {
        let is_inside = |place: u32| self.pieces.of(place) == piece;
        let Search { subject, views, successors, question, .. } = search;
        let mut region =
            explore_from(subject, views, successors, entries, &is_inside, question.monitor)?;
        let nothing = vec![Truth::Unknown; self.asked.len()];
        let mut label = |state: &State| match is_inside(state.place) {
            true => {
                let own = labels(subject, views, successors, *state);
                [own, vec![Truth::False], nothing.clone()].concat()
            }
            false => {
                let own = vec![Truth::Unknown; subject.propositions.len()];
                let assumed = held.get(state).unwrap_or(&nothing).clone();
                [own, vec![Truth::True], assumed].concat()
            }
        };
        region.labels = region.states.iter().map(&mut label).collect();
        Ok(region)
    }

    fn game(&self, search: &Search, region: &Region, rankings: Vec<Ranking>) -> Game {
        let added = (0..=self.asked.len()).map(|number| format!("assumed {number}"));
        let added: Vec<String> = added.collect();
        let names = search.subject.propositions.iter().map(|(name, _)| *name);
        let names: Vec<&str> = names.chain(added.iter().map(String::as_str)).collect();
        let drawing = Drawing::new(region, &rankings, &names);
        let classes = rankings.iter().zip(&drawing.classes);
        let by = classes.map(|(ranking, props)| (ranking.var, &props[..])).collect();
        let parts: Vec<NodeId> = self.assumed.parts.iter().flatten().copied().collect();
        let (formula, kept) = self.assumed.formula.ranked_telling(&by, &parts);
        let mut kept = kept.into_iter();
        let parts = self.assumed.parts.iter().map(|part| part.and_then(|_| kept.next().flatten()));
        let parts = parts.collect();
        Game { drawing, formula, parts, rankings }
    }

    /// Where the doubt about what is asked of an entry comes from.
    pub(super) fn doubt(
        &self,
        search: &Search,
        looked: &Looked,
        entry: usize,
        asked: usize,
    ) -> Result<Next, Hindrance> {
        let Looked { region, games, .. } = looked;
        // Where circles are measured, what is in doubt without measures is no news.
        let telling = if games.len() > 1 { &games[1..] } else { &games[..] };
        let mut all = Vec::new();
        for Game { drawing, formula, parts, .. } in telling {
            let Some(part) = parts[asked] else { continue };
            let found = doubts(drawing, (formula, part), entry as u32, search.question.monitor)?;
            if let Some(&Cause::Label { state, prop }) = found.iter().flat_map(|d| &d.causes).last()
                && prop.0 > self.added
            {
                let state = region.states[state as usize];
                return Ok(Next::There(state, (prop.0 - self.added - 1) as usize));
            }
            all.extend(found);
        }
        let measures = games.iter().flat_map(|game| measures(&game.rankings));
        Ok(Next::Here { doubts: all, measures: sorted(measures.collect()) })
    }
}

impl Game {
    /// The values of what is asked in the first so many states.
    fn values(&self, entries: usize, monitor: &Monitor) -> Result<Values, Stopped> {
        let plan = Plan::new(&self.formula);
        let board = Board::new(&self.drawing.model, &self.formula, &plan, monitor)?;
        let position = |entry: u32, part: NodeId| board.position(entry, plan.equation_of(part));
        let parts = || self.parts.iter().flatten();
        let all = (0..entries as u32).flat_map(|e| parts().map(move |&part| (e, part)));
        let all: Vec<u32> = all.map(|(entry, part)| position(entry, part)).collect();
        let play = Play::new(&board, &all, monitor)?;
        let value = |entry: u32, part: &Option<NodeId>| {
            let colour = part.and_then(|part| play.colour(position(entry, part)));
            colour.unwrap_or(Truth::Unknown)
        };
        let of = |entry: u32| self.parts.iter().map(|part| value(entry, part)).collect();
        Ok((0..entries as u32).map(of).collect())
    }

    /// Whether something that is asked is not known.
    fn is_open(&self, values: &Values) -> bool {
        let is_unknown =
            |(part, value): (&Option<NodeId>, &Truth)| part.is_some() && *value == Truth::Unknown;
        values.iter().any(|own| self.parts.iter().zip(own).any(is_unknown))
    }
}

/// Adds what another game has come to: all of them say the same of the program.
fn add(values: &mut Values, others: Values) {
    for (own, other) in values.iter_mut().zip(others) {
        for (value, other) in own.iter_mut().zip(other) {
            if *value == Truth::Unknown {
                *value = other;
            }
        }
    }
}
