//! The loop: abstract, play, and look closer where knowledge is missing.

use crate::closer::Ended;
use crate::drawing::Drawing;
use crate::hint::hints;
use crate::learn::PredicateOrigin;
use crate::measure::sorted;
use crate::modular::Modular;
use crate::pieces::Pieces;
use crate::ranking::{Hint, Ranking, rank};
use crate::region::{Hindrance, Meaning, Region, Subject, explore};
use crate::successors::Successors;
use crate::synthesis::STEPS_IN_A_ROUND;
use crate::views::Views;
use explicit::certificate::Evidence;
use explicit::{Method, Outcome, Request};
use game::{Board, Plan, Play};
use logic::{Fix, Truth, VarId};
use model::{Model, System};
use smt::{Atom, Counters, Formula, Solver, Term};
use support::{Monitor, Stopped};
use transition::integers::{IntegerProgram, Proposition};

/// How far the loop goes before it gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub rounds: u32,
    /// Atoms at one place.
    pub atoms: usize,
    /// Keep what the solver has said from round to round.
    pub remember: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rounds: 200, atoms: 48, remember: true }
    }
}

/// One question about a program.
pub struct Question<'a> {
    pub program: &'a IntegerProgram,
    pub start: (u32, &'a Formula),
    /// What holds in all states that matter: at the start, and no step leaves it.
    pub invariant: &'a Formula,
    /// By the numbers that the formula has for them.
    pub propositions: &'a [(String, Proposition)],
    pub formula: &'a logic::Formula,
    pub given: &'a [Formula],
    /// Refine by components, if the program has several.
    pub components: Option<&'a Components>,
    /// Look at these pieces one after the other; where that is not enough, at several of them together.
    pub pieces: Option<&'a Pieces>,
    pub limits: Limits,
    /// Also give what shows a definite verdict.
    pub evidence: bool,
    /// Called after each round.
    pub watch: &'a dyn Fn(&Round),
    pub monitor: &'a Monitor,
}

/// Processes whose places are multiplied in a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Components {
    /// Where each of them is at each place of the program, by a number.
    pub places: Vec<Vec<u32>>,
    /// Who makes each step.
    pub movers: Vec<Option<u32>>,
}

impl Components {
    /// The places at which the one who makes a step is where it is here.
    pub(crate) fn alike(&self, step: u32, place: u32) -> Vec<u32> {
        let Some(mover) = self.movers[step as usize] else { return vec![place] };
        let own = &self.places[mover as usize];
        let is_there = |&other: &u32| own[other as usize] == own[place as usize];
        (0..own.len() as u32).filter(is_there).collect()
    }
}

/// What one round has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    pub number: u32,
    pub states: usize,
    pub verdict: Truth,
    /// The atoms that are known somewhere.
    pub predicates: usize,
    /// Where knowledge was missing, and the atoms that are known there from now on.
    pub found: Vec<Found>,
    /// What gets smaller on circles.
    pub measures: Vec<Term>,
    /// Places that are looked at together from now on.
    pub together: Vec<u32>,
    pub queries: u64,
}

/// Atoms that are new at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub place: u32,
    pub atoms: Vec<Atom>,
    pub why: PredicateOrigin,
}

pub struct Answer {
    pub verdict: Truth,
    /// PredicateOrigin it is unknown.
    pub reason: Option<String>,
    /// Then: predicates that were not tried, the most promising first.
    pub hints: Vec<Formula>,
    pub views: Views,
    pub rounds: u32,
    pub states: usize,
    pub counters: Counters,
    /// If it was taken apart.
    pub pieces: Option<PieceFigures>,
    /// What shows a definite verdict, if that was asked for.
    pub shown: Option<AbstractEvidence>,
}

/// How a program was looked at piece by piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceFigures {
    /// At the end.
    pub pieces: usize,
    /// How often a game was played on one, and how often what it comes to was known.
    pub looked_at: u64,
    pub reused: u64,
    /// Passes over pieces that lead to each other.
    pub passes: u64,
    /// The states of the largest one, with those that it leads to.
    pub largest: usize,
}

/// An abstraction of which a formula is true or false that says the same of the program.
pub struct AbstractEvidence {
    pub region: Region,
    /// By which fixpoints of the question's formula are ranked.
    pub rankings: Vec<Ranking>,
    pub drawing: Drawing,
    /// The question's formula, ranked.
    pub formula: logic::Formula,
    pub evidence: Evidence,
}

/// Answers a question, as far as the limits go. Who is stopped before anything is known says so; later, what is known is an
/// answer.
pub fn run(question: &Question, solver: &mut dyn Solver) -> Result<Answer, Stopped> {
    let Question { program, propositions, formula, .. } = *question;
    let start = (question.start.0, question.start.1.clone());
    let subject =
        Subject::new(&program.steps, program.places.len(), start, (propositions, formula));
    solver.push(question.invariant);
    let first = first_views(question, &subject);
    let mut search = Search {
        question,
        views: first.clone(),
        widened: Widened::default(),
        first,
        subject,
        invariant: question.invariant.clone(),
        successors: Successors::new(solver, &program.steps, program.places.len()),
        rounds: 0,
        states: 0,
        hints: Vec::new(),
        untried: Vec::new(),
        pieces: question
            .pieces
            .map(|pieces| Modular::new(pieces, question.formula, question.propositions.len())),
        generation: 0,
        settled: None,
        shown: None,
    };
    let ended = search.run();
    search.successors.solver.pop();
    let (verdict, reason) = match ended {
        Ok(Ok(verdict)) => (verdict, None),
        // What shows it was not found in time.
        _ if search.settled.is_some() => (search.settled.unwrap_or(Truth::Unknown), None),
        Ok(Err(reason)) => (Truth::Unknown, Some(reason)),
        // Nothing is known that would be worth telling.
        Err(stopped) if search.states == 0 => return Err(stopped),
        Err(stopped) => (Truth::Unknown, Some(stopped.to_string())),
    };
    let counters = search.successors.solver.counters();
    let hints = match verdict {
        Truth::Unknown => search.hints_for_users(),
        _ => Vec::new(),
    };
    let Search { views, rounds, states, shown, pieces, .. } = search;
    let pieces = pieces.map(|pieces| pieces.figures());
    Ok(Answer { verdict, reason, hints, views, rounds, states, counters, pieces, shown })
}

/// What the question speaks of and what was given, everywhere; and at every place what decides its steps.
fn first_views(question: &Question, subject: &Subject) -> Views {
    let places = question.program.places.len();
    let mut views = Views::new(places, question.program.variables.len());
    let meanings = subject.propositions.iter().filter_map(|(_, meaning)| match meaning {
        Meaning::Holds(wanted) => Some(wanted.clone()),
        Meaning::At(_) | Meaning::NotAsked => None,
    });
    let everywhere: Vec<Formula> = meanings.chain(question.given.iter().cloned()).collect();
    for place in 0..places as u32 {
        everywhere.iter().for_each(|formula| _ = views.add(place, formula));
    }
    for taken in subject.moves {
        views.add(taken.source, &taken.guard);
    }
    views
}

pub(crate) struct Search<'q, 'a> {
    pub question: &'q Question<'q>,
    pub subject: Subject<'a>,
    pub invariant: Formula,
    pub views: Views,
    /// What was known before the first round.
    pub first: Views,
    pub widened: Widened,
    pub successors: Successors<'a>,
    pub rounds: u32,
    pub states: usize,
    pub hints: Vec<Hint>,
    /// What was worth knowing in the last round, by itself.
    pub untried: Vec<Formula>,
    pieces: Option<Modular>,
    /// How often the atoms were others than before and some more.
    pub generation: u32,
    /// A verdict that the pieces have come to, while what shows it is looked for in the whole.
    settled: Option<Truth>,
    shown: Option<AbstractEvidence>,
}

/// How often the search began anew with more atoms at the start, and what it had then.
#[derive(Default)]
pub(crate) struct Widened {
    pub times: u32,
    /// If there is too much to look at in what has come of it, the search goes on from here.
    pub before: Option<Views>,
}

/// A game that was played on a region.
pub(crate) struct Played {
    pub outcome: Result<Outcome, explicit::Error>,
    pub formula: logic::Formula,
    pub rankings: Vec<Ranking>,
    pub drawing: Drawing,
}

impl Search<'_, '_> {
    /// The inner error says why there is no verdict.
    fn run(&mut self) -> Result<Result<Truth, String>, Stopped> {
        while self.rounds < self.question.limits.rounds {
            self.rounds += 1;
            match self.round() {
                Ok(Some(ended)) => return Ok(ended),
                Ok(None) => {}
                Err(Hindrance::Stopped(stopped)) => return Err(stopped),
                Err(Hindrance::Excess(excess)) => match self.widened.before.take() {
                    Some(before) => self.begin_with(before),
                    None => return Ok(Err(excess.to_string())),
                },
            }
        }
        Ok(Err("more rounds are needed than were allowed".to_owned()))
    }

    /// One round: a verdict, why there will be none, or nothing yet.
    fn round(&mut self) -> Result<Ended, Hindrance> {
        if !self.question.limits.remember {
            self.successors.forget();
        }
        self.successors.effort += STEPS_IN_A_ROUND;
        match self.is_taken_apart() {
            true => self.round_by_pieces(),
            false => self.round_of_whole(),
        }
    }

    /// Whether pieces are looked at one after the other.
    fn is_taken_apart(&self) -> bool {
        self.settled.is_none() && self.pieces.as_ref().is_some_and(Modular::has_several)
    }

    fn round_of_whole(&mut self) -> Result<Ended, Hindrance> {
        let monitor = self.question.monitor;
        let region = explore(&self.subject, &self.views, &mut self.successors, monitor)?;
        self.states = region.states.len();
        let mut games = vec![self.play(&region, Vec::new())];
        for kind in [Fix::Mu, Fix::Nu] {
            if !games.last().is_some_and(Played::is_open) {
                break;
            }
            let of = (self.question.formula, &games[0].drawing);
            let rankings = self.rank(&region, kind, of)?;
            if !rankings.is_empty() {
                games.push(self.play(&region, rankings));
            }
        }
        match games.pop_if(|game| !game.is_open()) {
            Some(last) => Ok(Some(self.end(region, last))),
            None => self.learn_from(&region, &games),
        }
    }

    fn round_by_pieces(&mut self) -> Result<Ended, Hindrance> {
        let Some(mut pieces) = self.pieces.take() else { return Ok(None) };
        let ended = pieces.round(self);
        self.pieces = Some(pieces);
        match ended? {
            // The whole is looked at with what is known by now.
            Some(Ok(verdict)) if self.question.evidence => self.settled = Some(verdict),
            Some(Err(_)) => self.join_all(),
            ended => return Ok(ended),
        }
        Ok(None)
    }

    /// Looks at everything together: one piece by itself tells no more.
    fn join_all(&mut self) {
        if let Some(pieces) = &mut self.pieces {
            pieces.join_all();
        }
    }

    /// Measures for the circles on which fixpoints of a kind are in doubt, in a game without measures.
    pub fn rank(
        &mut self,
        region: &Region,
        kind: Fix,
        (formula, drawing): (&logic::Formula, &Drawing),
    ) -> Result<Vec<Ranking>, Hindrance> {
        let monitor = self.question.monitor;
        let mut rankings = Vec::new();
        for var in formula.rankable(kind) {
            let in_doubt = in_doubt(&drawing.model, formula, var, monitor)?;
            let of = (var, &in_doubt[..]);
            let (ranking, hints) = rank(region, &self.views, &mut self.successors, of, monitor)?;
            rankings.extend(ranking);
            self.hints.extend(hints);
        }
        Ok(rankings)
    }

    /// The verdict on the abstraction. Ranking fixpoints of one kind helps the verifier, of the other the
    /// falsifier; of the program all three formulas say the same.
    fn play(&self, region: &Region, rankings: Vec<Ranking>) -> Played {
        let Question { formula, monitor, evidence, .. } = *self.question;
        let names: Vec<&str> = self.subject.propositions.iter().map(|(name, _)| *name).collect();
        let drawing = Drawing::new(region, &rankings, &names);
        let classes = rankings.iter().zip(&drawing.classes);
        let formula = formula.ranked_by(&classes.map(|(r, props)| (r.var, &props[..])).collect());
        let system = System::single(drawing.model.clone());
        let plain = Request::new(&system, &formula, monitor);
        let outcome = explicit::run(&Request { method: Method::Direct, evidence, ..plain });
        let outcome = outcome.map(|outcome| if_it_begins(region, outcome));
        Played { outcome, formula, rankings, drawing }
    }

    /// A game has ended the search.
    fn end(&mut self, region: Region, played: Played) -> Result<Truth, String> {
        let Played { outcome, formula, rankings, drawing } = played;
        let outcome = outcome.map_err(|error| error.to_string())?;
        self.tell(measures(&rankings), outcome.verdict, Vec::new(), Vec::new());
        self.shown = outcome.evidence.map(|evidence| AbstractEvidence {
            region,
            rankings,
            drawing,
            formula,
            evidence,
        });
        Ok(outcome.verdict)
    }

    pub fn tell(&self, measures: Vec<Term>, verdict: Truth, found: Vec<Found>, together: Vec<u32>) {
        (self.question.watch)(&Round {
            number: self.rounds,
            states: self.states,
            predicates: self.views.by_atom().count(),
            verdict,
            found,
            measures,
            together,
            queries: self.successors.solver.counters().queries,
        });
    }

    fn hints_for_users(&self) -> Vec<Formula> {
        hints(&self.untried, &self.views, &self.subject, &self.invariant, self.question.monitor)
    }
}

impl Played {
    fn is_open(&self) -> bool {
        matches!(&self.outcome, Ok(outcome) if outcome.verdict == Truth::Unknown)
    }
}

/// A state in which the program may not be able to begin falsifies nothing.
fn if_it_begins(region: &Region, mut outcome: Outcome) -> Outcome {
    let mut initial = outcome.initial.iter().zip(&region.initial);
    let is_shown = initial.any(|((_, value), &is_certain)| is_certain && *value == Truth::False);
    if outcome.verdict == Truth::False && !is_shown {
        outcome.verdict = Truth::Unknown;
    }
    outcome
}

pub(crate) fn measures(rankings: &[Ranking]) -> Vec<Term> {
    sorted(rankings.iter().flat_map(|ranking| ranking.bases.iter().cloned()).collect())
}

/// The states of a model in which a fixpoint is neither true nor false.
fn in_doubt(
    model: &Model,
    formula: &logic::Formula,
    var: VarId,
    monitor: &Monitor,
) -> Result<Vec<bool>, Stopped> {
    let plan = Plan::new(formula);
    let board = Board::new(model, formula, &plan, monitor)?;
    let equation = plan.equation_of(formula.var(var).body);
    let states = 0..model.states() as u32;
    let positions: Vec<u32> = states.map(|state| board.position(state, equation)).collect();
    let play = Play::new(&board, &positions, monitor)?;
    let is_open = |&position: &u32| play.colour(position) == Some(Truth::Unknown);
    Ok(positions.iter().map(is_open).collect())
}
