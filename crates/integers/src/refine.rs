//! The loop: abstract, play, and look closer where knowledge is missing.

use crate::measures::{MOST_MEASURES, Measure, candidates};
use crate::region::{Hindrance, Region, Subject, explore};
use crate::successors::{Arrow, Successors};
use crate::views::Views;
use arithmetic::{Atom, Counters, Formula, Solver};
use base::{Monitor, Stopped};
use check::certificate::Evidence;
use check::{Cause, Method, Outcome, Reason, Request};
use logic::{Fix, Truth};
use model::System;
use predicates::lower::{Move, condition, moves};
use predicates::{Condition, Program, Proposition};

/// How far the loop goes before it tries something else, and before it gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Rounds without measures.
    pub plain_rounds: u32,
    /// Rounds with measures.
    pub measured_rounds: u32,
    /// Atoms at one place.
    pub atoms: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { plain_rounds: 8, measured_rounds: 60, atoms: 14 }
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
    /// The place where knowledge was missing, and the atoms that are known there from now on.
    pub place: Option<u32>,
    pub atoms: Vec<Atom>,
    pub measures: Vec<Measure>,
    pub queries: u64,
}

pub struct Answer {
    pub verdict: Truth,
    /// Why it is unknown.
    pub reason: Option<String>,
    pub views: Views,
    pub measures: Vec<Measure>,
    pub rounds: u32,
    pub states: usize,
    pub counters: Counters,
    /// What shows a definite verdict, if that was asked for.
    pub shown: Option<Shown>,
}

/// An abstraction of which a formula is true or false that says the same of the program.
pub struct Shown {
    pub region: Region,
    /// The formula of the question, or one that is ranked by the classes of the region's steps.
    pub formula: logic::Formula,
    pub evidence: Evidence,
}

/// Answers a question, as far as the limits go.
pub fn run(question: &Question, solver: &mut dyn Solver) -> Result<Answer, Stopped> {
    let lowered = moves(question.program).and_then(|moves| {
        let start = condition(question.start.1)?;
        solver.push(&condition(question.invariant)?);
        let given = question.given.iter().map(condition).collect::<Result<Vec<_>, _>>()?;
        Ok((moves, start, given))
    });
    let (moves, start, given) = match lowered {
        Ok(lowered) => lowered,
        Err(excess) => return Ok(Answer::unknown(question, excess.to_string())),
    };
    let propositions = question.propositions;
    let subject = Subject { moves: &moves, start: (question.start.0, start), propositions };
    let first = first_views(question, &subject, &given);
    let mut search = Search {
        question,
        views: first.clone(),
        first,
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
    let measures = search.successors.measures.clone();
    let Search { views, rounds, states, shown, .. } = search;
    let (verdict, reason) = match ended {
        Ok(verdict) => (verdict, None),
        Err(reason) => (Truth::Unknown, Some(reason)),
    };
    Ok(Answer { verdict, reason, views, measures, rounds, states, counters, shown })
}

impl Answer {
    fn unknown(question: &Question, reason: String) -> Self {
        Self {
            verdict: Truth::Unknown,
            reason: Some(reason),
            views: Views::new(question.program.places.len(), question.program.variables.len()),
            measures: Vec::new(),
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
    /// What was known before the first round.
    first: Views,
    successors: Successors<'a>,
    rounds: u32,
    states: usize,
    shown: Option<Shown>,
}

impl Search<'_, '_> {
    /// The inner error says why there is no verdict.
    fn run(&mut self) -> Result<Result<Truth, String>, Stopped> {
        let limits = self.question.limits;
        let plain = self.rounds_up_to(limits.plain_rounds)?;
        let Err(reason) = plain else { return Ok(plain) };
        let mut measures = candidates(self.subject.moves, self.question.program.places.len());
        measures.truncate(MOST_MEASURES);
        if measures.is_empty() {
            return Ok(Err(reason));
        }
        // What was learnt before may have gone after a loop, round by round.
        self.views = self.first.clone();
        self.successors.measure_by(measures);
        self.rounds_up_to(limits.plain_rounds + limits.measured_rounds)
    }

    fn rounds_up_to(&mut self, most: u32) -> Result<Result<Truth, String>, Stopped> {
        let mut reason = "no rounds were allowed".to_owned();
        while self.rounds < most {
            self.rounds += 1;
            let outcome = match self.round() {
                Ok(outcome) => outcome,
                Err(Hindrance::Stopped(stopped)) => return Err(stopped),
                Err(Hindrance::Excess(excess)) => return Ok(Err(excess.to_string())),
            };
            match outcome {
                (verdict, _) if verdict.is_definite() => return Ok(Ok(verdict)),
                (_, Some(why)) => return Ok(Err(why)),
                (_, None) => reason = "more predicates are needed than were allowed".to_owned(),
            }
        }
        Ok(Err(reason))
    }

    /// One round: a verdict, or whether there is a reason to end here.
    fn round(&mut self) -> Result<(Truth, Option<String>), Hindrance> {
        let monitor = self.question.monitor;
        let region = explore(&self.subject, &self.views, &mut self.successors, monitor)?;
        self.states = region.states.len();
        let (mut outcome, formula) = match self.play(&region) {
            Ok(played) => played,
            Err(error) => return Ok((Truth::Unknown, Some(error.to_string()))),
        };
        let (place, atoms, why) = self.learn(&region, &outcome);
        (self.question.watch)(&Round {
            number: self.rounds,
            states: region.states.len(),
            verdict: outcome.verdict,
            place,
            atoms,
            measures: self.successors.measures.clone(),
            queries: self.successors.solver.counters().queries,
        });
        let evidence = outcome.evidence.take();
        self.shown = evidence.map(|evidence| Shown { region, formula, evidence });
        Ok((outcome.verdict, why))
    }

    /// The verdict on the abstraction. Ranking fixpoints of one kind helps the verifier, of the other the
    /// falsifier; of the program all three formulas say the same.
    fn play(&self, region: &Region) -> Result<(Outcome, logic::Formula), check::Error> {
        let Question { formula, monitor, evidence, .. } = *self.question;
        let system = System::single(region.model.clone());
        let check = |formula: logic::Formula| {
            let (method, plain) = (Method::Direct, Request::new(&system, &formula, monitor));
            let outcome = check::run(&Request { method, evidence, ..plain })?;
            Ok((outcome, formula))
        };
        if region.classes.len() == 1 {
            return check(formula.clone());
        }
        let played = check(formula.ranked(&region.classes, Fix::Mu))?;
        if played.0.verdict.is_definite() {
            return Ok(played);
        }
        let other = check(formula.ranked(&region.classes, Fix::Nu))?;
        Ok(if other.0.verdict.is_definite() { other } else { played })
    }

    /// Looks closer where knowledge is missing: the place, what is new there, and why nothing is.
    fn learn(
        &mut self,
        region: &Region,
        outcome: &Outcome,
    ) -> (Option<u32>, Vec<Atom>, Option<String>) {
        let Some(Reason::Doubt(doubt)) = &outcome.reason else {
            return (
                None,
                Vec::new(),
                outcome.reason.as_ref().map(|_| "a limit was reached".to_owned()),
            );
        };
        let number = |name: &str| name.parse::<usize>().unwrap_or(0);
        let state = region.states[number(&doubt.state)];
        if self.views.len(state.place) >= self.question.limits.atoms {
            let why = "more predicates are needed than were allowed".to_owned();
            return (Some(state.place), Vec::new(), Some(why));
        }
        let wanted: Vec<Formula> = match &doubt.cause {
            Cause::Label { prop, .. } => self.meaning_of(prop).into_iter().collect(),
            Cause::Transition { steps, .. } => {
                let [from, to] = match steps.first() {
                    Some(step) => [number(&step.from), number(&step.to)],
                    None => [0, 0],
                };
                let target = region.states[to];
                let moves = self.subject.moves;
                let arrows = region.arrows[from].iter().filter(|arrow| {
                    moves[arrow.step as usize].target == target.place
                        && arrow.class == target.class
                        && arrow.targets.contains(&target.bits)
                });
                arrows.flat_map(|arrow| self.differences(arrow, target.bits)).collect()
            }
        };
        let place = match &doubt.cause {
            Cause::Transition { steps, .. } => {
                steps.first().map_or(state.place, |s| region.states[number(&s.from)].place)
            }
            Cause::Label { .. } => state.place,
        };
        let new: Vec<Atom> =
            wanted.iter().flat_map(|formula| self.views.add(place, formula)).collect();
        let why = new.is_empty().then(|| "no predicate tells more".to_owned());
        (Some(place), new, why)
    }

    fn meaning_of(&self, prop: &str) -> Option<Formula> {
        let named = self.question.propositions.iter().find(|(name, _)| name == prop);
        match named {
            Some((_, Proposition::Holds(wanted))) => condition(wanted).ok(),
            _ => None,
        }
    }

    /// What would tell, before a step, whether it leads to this target or to another one.
    fn differences(&self, arrow: &Arrow, target: u64) -> Vec<Formula> {
        let taken: &Move = &self.subject.moves[arrow.step as usize];
        let differ = arrow.targets.iter().fold(0, |differ, other| differ | (other ^ target));
        let atoms = self.views.at(taken.target).enumerate();
        let telling = atoms.filter(|(index, _)| differ >> index & 1 == 1);
        let before = telling.filter_map(|(_, atom)| taken.after(atom).ok());
        std::iter::once(taken.guard.clone()).chain(before).collect()
    }
}
