//! The loop: abstract, play, and look closer where knowledge is missing.

use crate::drawing::Drawing;
use crate::learn::{Wanted, wanted};
use crate::ranking::{Ranking, rank};
use crate::region::{Hindrance, Region, Subject, explore};
use crate::successors::Successors;
use crate::views::Views;
use arithmetic::{Atom, Counters, Excess, Formula, Solver, Term};
use base::{Monitor, Stopped};
use check::certificate::Evidence;
use check::{Method, Outcome, Reason, Request};
use logic::{Fix, Truth};
use model::System;
use predicates::lower::{condition, moves};
use predicates::{Condition, Program, Proposition};

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
        Self { rounds: 100, atoms: 32, remember: true }
    }
}

/// One question about a program.
pub struct Question<'a> {
    pub program: &'a Program,
    pub start: (u32, &'a Condition),
    /// What holds in all states that matter: at the start, and no step leaves it.
    pub invariant: &'a Condition,
    /// By the numbers that the formula has for them.
    pub propositions: &'a [(String, Proposition)],
    pub formula: &'a logic::Formula,
    pub given: &'a [Condition],
    pub limits: Limits,
    /// Also give what shows a definite verdict.
    pub evidence: bool,
    /// Called after each round.
    pub watch: &'a dyn Fn(&Round),
    pub monitor: &'a Monitor,
}

/// What one round has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    pub number: u32,
    pub states: usize,
    pub verdict: Truth,
    /// Where knowledge was missing, and the atoms that are known there from now on.
    pub found: Vec<Found>,
    /// What gets smaller on circles.
    pub measures: Vec<Term>,
    pub queries: u64,
}

/// Atoms that are new at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub place: u32,
    pub atoms: Vec<Atom>,
    /// The step that they tell more of; it is a proposition of the question if there is none.
    pub step: Option<u32>,
}

pub struct Answer {
    pub verdict: Truth,
    /// Why it is unknown.
    pub reason: Option<String>,
    pub views: Views,
    pub rounds: u32,
    pub states: usize,
    pub counters: Counters,
    /// What shows a definite verdict, if that was asked for.
    pub shown: Option<Shown>,
}

/// An abstraction of which a formula is true or false that says the same of the program.
pub struct Shown {
    pub region: Region,
    pub ranking: Ranking,
    pub drawing: Drawing,
    /// The fixpoints of the question's formula that are ranked by the classes of steps.
    pub ranked: Option<Fix>,
    pub formula: logic::Formula,
    pub evidence: Evidence,
}

/// Answers a question, as far as the limits go.
pub fn run(question: &Question, solver: &mut dyn Solver) -> Result<Answer, Stopped> {
    let lowered = moves(question.program).and_then(|moves| {
        let start = condition(question.start.1)?;
        let given = question.given.iter().map(condition).collect::<Result<Vec<_>, _>>()?;
        Ok((moves, (question.start.0, start), given, condition(question.invariant)?))
    });
    let (moves, start, given, invariant) = match lowered {
        Ok(lowered) => lowered,
        Err(excess) => return Ok(Answer::unknown(question, excess)),
    };
    let places = question.program.places.len();
    let subject = match Subject::new(&moves, places, start, question.propositions) {
        Ok(subject) => subject,
        Err(excess) => return Ok(Answer::unknown(question, excess)),
    };
    solver.push(&invariant);
    let mut search = Search {
        question,
        views: first_views(question, &subject, &given),
        subject,
        successors: Successors::new(solver, &moves),
        rounds: 0,
        states: 0,
        shown: None,
    };
    let ended = search.run();
    search.successors.solver.pop();
    let ended = ended?;
    let counters = search.successors.solver.counters();
    let Search { views, rounds, states, shown, .. } = search;
    let (verdict, reason) = match ended {
        Ok(verdict) => (verdict, None),
        Err(reason) => (Truth::Unknown, Some(reason)),
    };
    Ok(Answer { verdict, reason, views, rounds, states, counters, shown })
}

impl Answer {
    fn unknown(question: &Question, excess: Excess) -> Self {
        Self {
            verdict: Truth::Unknown,
            reason: Some(excess.to_string()),
            views: Views::new(question.program.places.len(), question.program.variables.len()),
            rounds: 0,
            states: 0,
            counters: Counters::default(),
            shown: None,
        }
    }
}

/// What the question speaks of and what was given, everywhere; and at every place what decides its steps.
fn first_views(question: &Question, subject: &Subject, given: &[Formula]) -> Views {
    let places = question.program.places.len();
    let mut views = Views::new(places, question.program.variables.len());
    let meanings = question.propositions.iter().filter_map(|(_, meaning)| match meaning {
        Proposition::Holds(wanted) => condition(wanted).ok(),
        Proposition::At(_) => None,
    });
    let everywhere: Vec<Formula> = meanings.chain(given.iter().cloned()).collect();
    for place in 0..places as u32 {
        everywhere.iter().for_each(|formula| _ = views.add(place, formula));
    }
    for taken in subject.moves {
        views.add(taken.source, &taken.guard);
    }
    views
}

struct Search<'q, 'a> {
    question: &'q Question<'q>,
    subject: Subject<'a>,
    views: Views,
    successors: Successors<'a>,
    rounds: u32,
    states: usize,
    shown: Option<Shown>,
}

/// A game that was played on a region.
struct Played {
    outcome: Outcome,
    formula: logic::Formula,
    ranked: Option<Fix>,
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
                Err(Hindrance::Excess(excess)) => return Ok(Err(excess.to_string())),
            }
        }
        Ok(Err("more rounds are needed than were allowed".to_owned()))
    }

    /// One round: a verdict, why there will be none, or nothing yet.
    fn round(&mut self) -> Result<Option<Result<Truth, String>>, Hindrance> {
        if !self.question.limits.remember {
            self.successors.forget();
        }
        let monitor = self.question.monitor;
        let region = explore(&self.subject, &self.views, &mut self.successors, monitor)?;
        self.states = region.states.len();
        let plain = Ranking::default();
        let drawing = self.draw(&region, &plain);
        let played = self.play(&drawing, None);
        if !matches!(&played, Ok(played) if played.outcome.verdict == Truth::Unknown) {
            return Ok(Some(self.end(region, plain, drawing, played)));
        }
        let ranking = rank(&region, &self.views, &mut self.successors, monitor)?;
        if ranking.levels.is_empty() {
            return Ok(self.look_closer(&region, &ranking, &drawing, &[played]));
        }
        let drawing = self.draw(&region, &ranking);
        let mut both = Vec::new();
        for kind in [Fix::Mu, Fix::Nu] {
            let played = self.play(&drawing, Some(kind));
            if !matches!(&played, Ok(played) if played.outcome.verdict == Truth::Unknown) {
                return Ok(Some(self.end(region, ranking, drawing, played)));
            }
            both.push(played);
        }
        Ok(self.look_closer(&region, &ranking, &drawing, &both))
    }

    fn draw(&self, region: &Region, ranking: &Ranking) -> Drawing {
        let names: Vec<&str> = self.subject.propositions.iter().map(|(name, _)| *name).collect();
        Drawing::new(region, ranking, &names)
    }

    /// The verdict on the abstraction. Ranking fixpoints of one kind helps the verifier, of the other the
    /// falsifier; of the program all three formulas say the same.
    fn play(&self, drawing: &Drawing, ranked: Option<Fix>) -> Result<Played, check::Error> {
        let Question { formula, monitor, evidence, .. } = *self.question;
        let formula = match ranked {
            Some(kind) => formula.ranked(&drawing.classes, kind),
            None => formula.clone(),
        };
        let system = System::single(drawing.model.clone());
        let plain = Request::new(&system, &formula, monitor);
        let outcome = check::run(&Request { method: Method::Direct, evidence, ..plain })?;
        Ok(Played { outcome, formula, ranked })
    }

    /// A game has ended the search.
    fn end(
        &mut self,
        region: Region,
        ranking: Ranking,
        drawing: Drawing,
        played: Result<Played, check::Error>,
    ) -> Result<Truth, String> {
        let Played { outcome, formula, ranked } = played.map_err(|error| error.to_string())?;
        self.tell(&region, &ranking, outcome.verdict, Vec::new());
        self.shown = outcome.evidence.map(|evidence| Shown {
            region,
            ranking,
            drawing,
            ranked,
            formula,
            evidence,
        });
        Ok(outcome.verdict)
    }

    fn tell(&self, region: &Region, ranking: &Ranking, verdict: Truth, found: Vec<Found>) {
        (self.question.watch)(&Round {
            number: self.rounds,
            states: region.states.len(),
            verdict,
            found,
            measures: ranking.measures.clone(),
            queries: self.successors.solver.counters().queries,
        });
    }

    /// Learns from games without a verdict; the reason to end if there is nothing to learn.
    fn look_closer(
        &mut self,
        region: &Region,
        ranking: &Ranking,
        drawing: &Drawing,
        games: &[Result<Played, check::Error>],
    ) -> Option<Result<Truth, String>> {
        let mut found = Vec::new();
        let mut reason = "no predicate tells more".to_owned();
        for played in games.iter().flatten() {
            let Some(Reason::Doubt(doubt)) = &played.outcome.reason else {
                reason = "a limit was reached".to_owned();
                continue;
            };
            let Some(wanted) = wanted(&self.subject, &self.views, region, drawing, doubt) else {
                continue;
            };
            if self.views.len(wanted.place) >= self.question.limits.atoms {
                reason = "more predicates are needed than were allowed".to_owned();
                continue;
            }
            found.extend(self.add(&wanted));
        }
        let is_over = found.is_empty();
        self.tell(region, ranking, Truth::Unknown, found);
        is_over.then_some(Err(reason))
    }

    fn add(&mut self, wanted: &Wanted) -> Option<Found> {
        let Wanted { place, formulas, step } = wanted;
        let atoms = formulas.iter().flat_map(|formula| self.views.add(*place, formula));
        let atoms: Vec<Atom> = atoms.collect();
        (!atoms.is_empty()).then_some(Found { place: *place, atoms, step: *step })
    }
}
