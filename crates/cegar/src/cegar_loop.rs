//! Counterexample-guided abstraction refinement over unbounded integers, as lazy abstraction in three values.
//!
//! [`Cegar::run`] is the loop of Clarke, Grumberg, Jha, Lu and Veith (Counterexample-guided abstraction refinement,
//! CAV 2000): abstract, check, decide whether the counterexample is spurious, refine. The abstraction is by predicates
//! (Graf and Saïdi, CAV 1997), with a precision of its own at each location that only reachable abstract states are
//! computed for (Henzinger, Jhala, Majumdar and Sutre: Lazy abstraction, POPL 2002). A spurious path is refuted by
//! sequence interpolants (McMillan, CAV 2006), a feasible one refined by weakest preconditions. Termination is
//! shown by ranking functions (Podelski and Rybalchenko, VMCAI 2004).
//!
//! Where we differ: the abstract model is 3-valued, with may transitions and must hypertransitions, so that both
//! verdicts carry over to the program and the full µ-calculus can be checked. What is followed is not a counterexample
//! but the cause of an unknown, as in papers C (§5) and G. Each round costs a number of solver queries that grows with
//! the reachable abstract states, at most exponentially with the predicates at a location. Termination is not
//! guaranteed: reachability in programs over unbounded integers is undecidable.

use crate::abstract_model::AbstractModel;
use crate::colouring::{ColouredGame, colour};
use crate::discovery::PredicateOrigin;
use crate::modular::Modular;
use crate::partition::LocationPartition;
use crate::precision::Precision;
use crate::ranking::{BoundHint, Ranking};
use crate::ranking_farkas::STEPS_IN_A_ROUND;
use crate::reachability::{CheckedProgram, Interruption, ReachabilityGraph, explore};
use crate::refinement::Restarts;
use crate::successors::Successors;
use crate::suggestion::suggestions;
use explicit::UnknownReason;
use explicit::certificate::Evidence;
use logic::{Fix, Truth};
use smt::{Counters, LinearAtom, LinearFormula, Solver, Term};
use support::{Monitor, Stopped};
use transition::integers::{IntegerProgram, Proposition};

/// The limits of the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CegarLimits {
    pub rounds: u32,
    /// The most predicates at one location.
    pub max_predicates: usize,
    /// Keep the solver's answers from round to round.
    pub incremental: bool,
}

impl Default for CegarLimits {
    fn default() -> Self {
        Self { rounds: 200, max_predicates: 48, incremental: true }
    }
}

/// A property of a program to decide.
pub struct CegarQuestion<'a> {
    pub program: &'a IntegerProgram,
    pub start: (u32, &'a LinearFormula),
    /// An inductive invariant: it holds at the start, and every step preserves it.
    pub invariant: &'a LinearFormula,
    /// By the numbers that the formula has for them.
    pub propositions: &'a [(String, Proposition)],
    pub formula: &'a logic::Formula,
    pub initial_predicates: &'a [LinearFormula],
    /// Refine by components, if the program has several.
    pub components: Option<&'a ProcessLocations>,
    /// Check these blocks one after the other; where that does not suffice, blocks are joined.
    pub partition: Option<&'a LocationPartition>,
    pub limits: CegarLimits,
    /// Also return the evidence of a definite verdict.
    pub evidence: bool,
    /// Called after each round.
    pub watch: &'a dyn Fn(&CegarRound),
    pub monitor: &'a Monitor,
}

/// The processes whose locations are multiplied in a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProcessLocations {
    /// The location of each process at each location of the program.
    pub locations: Vec<Vec<u32>>,
    /// The process that takes each step.
    pub movers: Vec<Option<u32>>,
}

impl ProcessLocations {
    /// The program's locations at which the process that takes a step is at its present location.
    pub(crate) fn locations_sharing_source(&self, step: u32, location: u32) -> Vec<u32> {
        let Some(mover) = self.movers[step as usize] else {
            return vec![location];
        };
        let own = &self.locations[mover as usize];
        let is_there = |&other: &u32| own[other as usize] == own[location as usize];
        (0..own.len() as u32).filter(is_there).collect()
    }
}

/// A round of the loop, for observers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CegarRound {
    pub number: u32,
    pub states: usize,
    pub verdict: Truth,
    /// How many predicates there are, over all locations.
    pub predicates: usize,
    /// The predicates that the round has added, by location.
    pub new_predicates: Vec<NewPredicates>,
    /// The ranking functions of cycles.
    pub ranking_functions: Vec<Term>,
    /// The locations of blocks that were joined.
    pub merged_locations: Vec<u32>,
    pub queries: u64,
}

/// New predicates at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPredicates {
    pub location: u32,
    pub predicates: Vec<LinearAtom>,
    pub why: PredicateOrigin,
}

/// The verdict, or why there is none, with statistics and evidence.
pub struct CegarAnswer {
    pub verdict: Truth,
    /// Why it is unknown.
    pub reason: Option<UnknownReason>,
    /// Of an unknown: predicates that were not tried, the most promising first.
    pub suggestions: Vec<LinearFormula>,
    pub precision: Precision,
    pub rounds: u32,
    pub states: usize,
    pub counters: Counters,
    /// Of a modular check.
    pub partition: Option<PartitionStats>,
    /// The evidence of a definite verdict, if [`CegarQuestion::evidence`] asked for it.
    pub evidence: Option<AbstractEvidence>,
}

/// Statistics of a check block by block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PartitionStats {
    /// At the end.
    pub blocks: usize,
    /// How often a block was checked, and how often its values were known.
    pub checked: u64,
    pub reused: u64,
    /// Passes over blocks that lead to each other.
    pub passes: u64,
    /// The states of the largest block, with its exits.
    pub largest: usize,
}

/// An abstract model that decides the property.
pub struct AbstractEvidence {
    pub graph: ReachabilityGraph,
    /// The rankings of the formula's fixpoints.
    pub rankings: Vec<Ranking>,
    pub model: AbstractModel,
    /// The formula, ranked.
    pub formula: logic::Formula,
    pub evidence: Evidence,
}

/// Decides a property, as far as the limits go. Being stopped before the first abstraction is an error; later, it is
/// the reason of an unknown.
pub fn run(question: &CegarQuestion, solver: &mut dyn Solver) -> Result<CegarAnswer, Stopped> {
    solver.push(question.invariant);
    let mut cegar = Cegar::new(question, solver);
    let outcome = cegar.run();
    cegar.successors.solver.pop();
    let (verdict, reason) = match (outcome, cegar.decided) {
        (Ok(verdict), _) => (verdict, None),
        // The evidence was not found in time.
        (Err(_), Some(verdict)) => (verdict, None),
        (Err(UnknownReason::Stopped(stopped)), _) if cegar.states == 0 => return Err(stopped),
        (Err(reason), None) => (Truth::Unknown, Some(reason)),
    };
    let suggestions = match verdict {
        Truth::Unknown => {
            let Cegar { untried, precision, program, .. } = &cegar;
            suggestions(untried, precision, program, question.invariant, question.monitor)
        }
        _ => Vec::new(),
    };
    let Cegar { precision, rounds, states, evidence, blocks, successors, .. } = cegar;
    Ok(CegarAnswer {
        verdict,
        reason,
        suggestions,
        precision,
        rounds,
        states,
        counters: successors.solver.counters(),
        partition: blocks.map(|blocks| blocks.stats()),
        evidence,
    })
}

/// The outcome of a round.
pub(crate) enum RoundOutcome {
    Decided(Truth),
    /// The precision has grown, or blocks were joined.
    Refined,
    GaveUp(UnknownReason),
}

/// The state of the loop between rounds.
pub(crate) struct Cegar<'q, 'a> {
    pub question: &'q CegarQuestion<'q>,
    pub program: CheckedProgram<'a>,
    pub precision: Precision,
    pub restarts: Restarts,
    pub successors: Successors<'a>,
    pub rounds: u32,
    /// Of the last abstraction.
    pub states: usize,
    /// Bounds with which ranking functions would be found.
    pub hints: Vec<BoundHint>,
    /// Predicates of the last round that were not added.
    pub untried: Vec<LinearFormula>,
    blocks: Option<Modular>,
    /// The verdict of a modular check, while its evidence is computed on the program without blocks.
    decided: Option<Truth>,
    evidence: Option<AbstractEvidence>,
}

impl<'q: 'a, 'a> Cegar<'q, 'a> {
    fn new(question: &'q CegarQuestion<'q>, solver: &'a mut dyn Solver) -> Self {
        let CegarQuestion { program, propositions, formula, .. } = *question;
        let (steps, locations) = (&program.steps[..], program.locations.len());
        let start = (question.start.0, question.start.1.clone());
        let program = CheckedProgram::new(steps, locations, start, (propositions, formula));
        let precision = Precision::initial(question, &program);
        Self {
            question,
            restarts: Restarts::new(precision.clone()),
            precision,
            program,
            successors: Successors::new(solver, steps, locations),
            rounds: 0,
            states: 0,
            hints: Vec::new(),
            untried: Vec::new(),
            blocks: question.partition.map(|of| Modular::new(of, formula, propositions.len())),
            decided: None,
            evidence: None,
        }
    }
}

impl Cegar<'_, '_> {
    /// The loop: a verdict, or why there is none.
    fn run(&mut self) -> Result<Truth, UnknownReason> {
        while self.rounds < self.question.limits.rounds {
            self.rounds += 1;
            if !self.question.limits.incremental {
                self.successors.forget();
            }
            self.successors.effort += STEPS_IN_A_ROUND;
            let outcome = match self.is_modular() {
                true => self.modular_round(),
                false => self.round(),
            };
            match outcome {
                Ok(RoundOutcome::Decided(verdict)) => return Ok(verdict),
                Ok(RoundOutcome::GaveUp(reason)) => return Err(reason),
                Ok(RoundOutcome::Refined) => {}
                Err(Interruption::Stopped(stopped)) => return Err(stopped.into()),
                Err(Interruption::Excess(excess)) => match self.restarts.before.take() {
                    // Too many cases came of the combined predicates: go on without them.
                    Some(before) => self.restart_with(before),
                    None => return Err(reason_of(excess)),
                },
            }
        }
        Err(UnknownReason::RoundLimit)
    }

    /// Abstracts the program, colours the game, and refines where the cause of an unknown is.
    fn round(&mut self) -> Result<RoundOutcome, Interruption> {
        let monitor = self.question.monitor;
        let graph = explore(&self.program, &self.precision, &mut self.successors, monitor)?;
        self.states = graph.states.len();
        let mut games = self.coloured_games(&graph)?;
        if let Some(game) = games.pop_if(|game| !game.is_undetermined()) {
            return Ok(self.conclude(graph, game));
        }
        let (plays, reason) = self.undetermined_plays(&games)?;
        let ranking_functions = crate::colouring::ranking_functions(&games);
        let initial = self.program.start.1.clone();
        Ok(self.refine(&graph, (&plays, &initial), ranking_functions, reason)?)
    }

    /// The game without ranking functions; while it is undetermined, also the games in which least (then greatest)
    /// fixpoints carry the parity condition of their ranking functions. This can only make the formula true (false) more
    /// often, and is equivalent on the program.
    fn coloured_games(
        &mut self,
        graph: &ReachabilityGraph,
    ) -> Result<Vec<ColouredGame>, Interruption> {
        let mut games = vec![colour(self.question, &self.program, graph, Vec::new())];
        for kind in [Fix::Mu, Fix::Nu] {
            if !games.last().is_some_and(ColouredGame::is_undetermined) {
                break;
            }
            let rankings = self.rank(graph, kind, (self.question.formula, &games[0].model))?;
            if !rankings.is_empty() {
                games.push(colour(self.question, &self.program, graph, rankings));
            }
        }
        Ok(games)
    }

    /// Ends the loop with the outcome of a game.
    fn conclude(&mut self, graph: ReachabilityGraph, game: ColouredGame) -> RoundOutcome {
        let ranking_functions = crate::colouring::ranking_functions(std::slice::from_ref(&game));
        let ColouredGame { outcome, formula, rankings, model } = game;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return RoundOutcome::GaveUp(UnknownReason::Game(error)),
        };
        self.report(ranking_functions, outcome.verdict, Vec::new(), Vec::new());
        let found = outcome.evidence;
        self.evidence =
            found.map(|evidence| AbstractEvidence { graph, rankings, model, formula, evidence });
        RoundOutcome::Decided(outcome.verdict)
    }

    /// Whether blocks are checked one after the other.
    fn is_modular(&self) -> bool {
        self.decided.is_none() && self.blocks.as_ref().is_some_and(Modular::has_several)
    }

    fn modular_round(&mut self) -> Result<RoundOutcome, Interruption> {
        let Some(mut blocks) = self.blocks.take() else {
            return Ok(RoundOutcome::Refined);
        };
        let outcome = blocks.round(self);
        let outcome = outcome.map(|outcome| match outcome {
            // The evidence is about the program without blocks, computed with the present precision.
            RoundOutcome::Decided(verdict) if self.question.evidence => {
                self.decided = Some(verdict);
                RoundOutcome::Refined
            }
            RoundOutcome::GaveUp(_) => {
                blocks.join_all();
                RoundOutcome::Refined
            }
            outcome => outcome,
        });
        self.blocks = Some(blocks);
        outcome
    }

    /// Tells the observer of a round.
    pub fn report(
        &self,
        ranking_functions: Vec<Term>,
        verdict: Truth,
        new_predicates: Vec<NewPredicates>,
        merged_locations: Vec<u32>,
    ) {
        (self.question.watch)(&CegarRound {
            number: self.rounds,
            states: self.states,
            predicates: self.precision.by_predicate().count(),
            verdict,
            new_predicates,
            ranking_functions,
            merged_locations,
            queries: self.successors.solver.counters().queries,
        });
    }
}

fn reason_of(excess: smt::Excess) -> UnknownReason {
    match excess {
        smt::Excess::Number => UnknownReason::NumberTooLarge,
        smt::Excess::Cases => UnknownReason::TooManyCases,
        smt::Excess::Divisor => UnknownReason::DivisorZero,
    }
}
