//! Simulation: a walk through a model, one step after the other.
//!
//! The forms of model differ in their states and steps only ([`walk::Walk`]): the composition of components is computed
//! on the fly, transition systems are stepped by the interpreter, programs follow their control flow with values.

mod components;
mod integers;
mod programs;
mod random;
mod recursion;
mod replay;
mod search;
mod variables;
mod walk;
mod watch;

pub use search::Arrival;
pub use walk::SimulatedLocation;
pub use watch::WatchedFormula;

use crate::error::Error;
use crate::model::{Form, Model};
use crate::options::Cancel;
use ::model::{Moves, System};
use components::ComponentWalk;
use integers::IntegerWalk;
use logic::evidence::{Trace, TraceState, TraceStep, TraceValue};
use logic::{Family, Logic};
use programs::ProgramWalk;
use random::SplitMix;
use recursion::RecursionWalk;
use std::ops::ControlFlow;
use std::sync::Arc;
use support::Monitor;
use variables::VariableWalk;
use walk::{Coordinates, Given, Move, MoveQuery, Walk};
use watch::CompiledWatch;

/// Settings of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationOptions {
    seed: u64,
    choices: usize,
    states: usize,
    cancel: Cancel,
}

impl Default for SimulationOptions {
    fn default() -> Self {
        Self { seed: 0, choices: 1000, states: 100_000, cancel: Cancel::default() }
    }
}

impl SimulationOptions {
    /// Seeds random steps. Default: 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Lists so many successors at most. Default: 1,000.
    #[must_use]
    pub fn choices(mut self, most: usize) -> Self {
        self.choices = most.max(1);
        self
    }

    /// Looks at so many states at most, to find one or to evaluate temporal operators. Default: 100,000.
    #[must_use]
    pub fn states(mut self, most: usize) -> Self {
        self.states = most;
        self
    }

    /// Gives a handle by which another thread can stop what takes long.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }
}

/// A step that can be taken; before the first state, an initial state to begin in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimulatedStep {
    /// The step, and whether the model says only that it may be there.
    pub step: TraceStep,
    /// The state that it leads to.
    pub target: TraceState,
    /// Whether it is there in every refinement, though not as a step of its own (`!>` of mixed models).
    pub is_must_only: bool,
    /// The inputs whose values are some of very many: others can be given.
    pub sampled: Vec<String>,
}

/// A walk through a model.
///
/// ```
/// let model = tertium::Model::read("smv", "counter.smv", "
///     MODULE main
///     VAR x : 0..7;
///     ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 8};
/// ")?;
/// let mut simulator = model.simulator(&tertium::SimulationOptions::default())?;
/// assert_eq!(simulator.choices().len(), 2);
/// simulator.watch("EF x = 0")?;
/// simulator.take(1, &[])?;
/// assert_eq!(simulator.trace().to_string(), "0: x = 0\n1: x = 1\n");
/// assert_eq!(simulator.watched()[0].value, tertium::Verdict::True);
/// # Ok::<(), tertium::Error>(())
/// ```
pub struct Simulator {
    model: Model,
    options: SimulationOptions,
    ground: WalkModel,
    random: SplitMix,
    /// The states of the walk, each with the step that led there.
    walk: Vec<Move>,
    /// Whether it began in a state that is not known to be reachable.
    has_jumped: bool,
    choices: Vec<Move>,
    has_more: bool,
    watches: Vec<CompiledWatch>,
}

/// The model in the form that a walk needs.
enum WalkModel {
    Components(Arc<System>),
    Other(Box<dyn Walk + Send>),
}

impl WalkModel {
    /// Lends the walk. That of components refers to them and is made anew, which costs little.
    fn with<T>(&mut self, monitor: &Monitor, work: impl FnOnce(&mut dyn Walk) -> T) -> T {
        match self {
            WalkModel::Components(system) => {
                work(&mut ComponentWalk { system, moves: Moves::new(system, monitor) })
            }
            WalkModel::Other(walk) => work(&mut **walk),
        }
    }
}

impl Model {
    /// A walk through the model. If there is one initial state, it is in that; else one is to be chosen.
    ///
    /// # Errors
    ///
    /// The model cannot be simulated, is wrong in its initial states, or the work was stopped.
    pub fn simulator(&self, options: &SimulationOptions) -> Result<Simulator, Error> {
        self.refuse_unsupported("simulated")?;
        let ground = match self.form() {
            Form::Components(system) => WalkModel::Components(system.clone()),
            Form::Finite(model) => WalkModel::Other(match &model.control_flow {
                Some(graph) => match graph.program.recursion() {
                    Some(_) => Box::new(RecursionWalk::new(model, &graph.program)),
                    None => Box::new(ProgramWalk::new(model, &graph.program)),
                },
                None => Box::new(VariableWalk::new(model)?),
            }),
            Form::Integers(model) => {
                WalkModel::Other(Box::new(IntegerWalk { model: model.clone() }))
            }
        };
        let mut simulator = Simulator {
            model: self.clone(),
            random: SplitMix(options.seed),
            options: options.clone(),
            ground,
            walk: Vec::new(),
            has_jumped: false,
            choices: Vec::new(),
            has_more: false,
            watches: Vec::new(),
        };
        simulator.find_choices()?;
        if let [_] = simulator.choices[..] {
            simulator.take(0, &[])?;
        }
        Ok(simulator)
    }
}

impl Simulator {
    /// The model that is walked through.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The current state; none as long as an initial state is to be chosen.
    pub fn state(&mut self) -> Option<TraceState> {
        let at = self.walk.last()?.target.clone();
        Some(self.on_ground(|walk, _| walk.shown(&at)))
    }

    /// How many steps were taken.
    pub fn depth(&self) -> usize {
        self.walk.len().saturating_sub(1)
    }

    /// The next statement of each process, where the model is a program.
    pub fn locations(&mut self) -> Vec<SimulatedLocation> {
        let Some(at) = self.walk.last().map(|last| last.target.clone()) else { return Vec::new() };
        self.on_ground(|walk, _| walk.locations(&at))
    }

    /// The steps that can be taken, or the initial states as long as one is to be chosen.
    pub fn choices(&mut self) -> Vec<SimulatedStep> {
        let moves = std::mem::take(&mut self.choices);
        let shown = self.on_ground(|walk, _| {
            let shown = |found: &Move| SimulatedStep {
                step: found.step.clone(),
                target: walk.shown(&found.target),
                is_must_only: found.is_must_only,
                sampled: found.sampled.clone(),
            };
            moves.iter().map(shown).collect()
        });
        self.choices = moves;
        shown
    }

    /// Whether there are more choices than are listed.
    pub fn has_more_choices(&self) -> bool {
        self.has_more
    }

    /// Takes one of the choices, by its number from 0. Values can be given for its sampled inputs.
    ///
    /// # Errors
    ///
    /// There is no such choice, it cannot be taken with these values, or something is wrong in the state after it.
    pub fn take(&mut self, choice: usize, inputs: &[(String, TraceValue)]) -> Result<(), Error> {
        let Some(chosen) = self.choices.get(choice).cloned() else {
            let message = match self.choices.len() {
                0 => "no step can be taken here".to_owned(),
                most => format!("there is no choice {}: choose one from 1 to {most}", choice + 1),
            };
            return Err(Error::message(message));
        };
        let chosen = match inputs.is_empty() {
            true => chosen,
            false => self.with_inputs(&chosen, inputs)?,
        };
        self.advance(chosen)
    }

    /// Finds a step like this one with other inputs.
    fn with_inputs(&mut self, chosen: &Move, inputs: &Given) -> Result<Move, Error> {
        let at = self.walk.last().map(|last| last.target.clone());
        let is_it = |found: &Move| {
            let same = |name: &str| found.step.inputs.iter().find(|(known, _)| known == name);
            let fits = |(name, value): &(String, TraceValue)| {
                same(name).is_some_and(|(_, found)| found == value)
            };
            found.step.span == chosen.step.span
                && found.step.action == chosen.step.action
                && found.step.process == chosen.step.process
                && inputs.iter().all(fits)
        };
        let mut found = None;
        self.on_ground(|walk, monitor| {
            let mut visit = |step: Move| match is_it(&step) {
                true => {
                    found = Some(step);
                    ControlFlow::Break(())
                }
                false => ControlFlow::Continue(()),
            };
            let from = at.as_deref();
            let query = MoveQuery { from, given: inputs, monitor };
            walk.moves(&query, &mut visit)
        })?;
        found.ok_or_else(|| Error::message("the step cannot be taken with these inputs"))
    }

    fn advance(&mut self, chosen: Move) -> Result<(), Error> {
        self.walk.push(chosen);
        self.find_choices().inspect_err(|_| {
            self.walk.pop();
        })
    }

    /// Takes back the last step; before the first one, the choice of the initial state if there are several.
    ///
    /// # Errors
    ///
    /// There is nothing to take back.
    pub fn undo(&mut self) -> Result<(), Error> {
        let undone = self.walk.pop().ok_or_else(|| Error::message("there is no step to undo"))?;
        self.find_choices()?;
        if self.walk.is_empty() && (self.has_jumped || self.choices.len() == 1) {
            self.walk.push(undone);
            self.find_choices()?;
            return Err(Error::message("there is no step to undo"));
        }
        Ok(())
    }

    /// Takes a random step, all steps being equally likely. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// As [`Simulator::take`].
    pub fn take_random(&mut self) -> Result<bool, Error> {
        if !self.has_more {
            let choices = self.choices.len() as u64;
            if choices == 0 {
                return Ok(false);
            }
            let choice = self.random.below(choices) as usize;
            self.take(choice, &[])?;
            return Ok(true);
        }
        // Reservoir sampling: all steps are visited and one is kept.
        let at = self.walk.last().map(|last| last.target.clone());
        let (mut random, most) = (self.random.clone(), self.options.states as u64);
        let (mut seen, mut kept) = (0, None);
        self.on_ground(|walk, monitor| {
            let mut visit = |step: Move| {
                seen += 1;
                if random.below(seen) == 0 {
                    kept = Some(step);
                }
                if seen >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let from = at.as_deref();
            let query = MoveQuery { from, given: &[], monitor };
            walk.moves(&query, &mut visit)
        })?;
        self.random = random;
        match kept {
            Some(step) => self.advance(step).map(|()| true),
            None => Ok(false),
        }
    }

    /// Watches a property of this name, or a formula: `LOGIC FORMULA`, or a formula of CTL (of the µ-calculus over
    /// actions).
    ///
    /// # Errors
    ///
    /// Something is wrong in the formula, or it cannot be evaluated.
    pub fn watch(&mut self, expression: &str) -> Result<(), Error> {
        let named = self.model.properties().iter().find(|known| known.name() == expression);
        let property = match named {
            Some(property) => property.clone(),
            None => {
                let first = expression.split_once(char::is_whitespace);
                let given = first.and_then(|(word, rest)| Some((Logic::named(word)?, rest)));
                let is_by_actions = matches!(&self.ground, WalkModel::Components(system) if system.family() == Family::Actions);
                let usual = if is_by_actions { Logic::Mu } else { Logic::Ctl };
                let (logic, text) = given.unwrap_or((usual, expression));
                self.model.property(logic, text)?
            }
        };
        let watch = CompiledWatch::new(&property, self.model.components())?;
        self.watches.push(watch);
        Ok(())
    }

    /// The watched formulas with their values in the current state.
    pub fn watched(&mut self) -> Vec<WatchedFormula> {
        let Some(at) = self.walk.last().map(|last| last.target.clone()) else { return Vec::new() };
        let (mut watches, most) = (std::mem::take(&mut self.watches), self.options.states);
        let values = self.on_ground(|walk, monitor| {
            watches.iter_mut().map(|watch| watch.value(&at, walk, most, monitor)).collect()
        });
        self.watches = watches;
        values
    }

    /// The walk so far.
    pub fn trace(&mut self) -> Trace {
        let states: Vec<Coordinates> = self.walk.iter().map(|at| at.target.clone()).collect();
        let states = self.on_ground(|walk, _| states.iter().map(|at| walk.shown(at)).collect());
        let steps = self.walk.iter().skip(1).map(|at| at.step.clone()).collect();
        Trace { states, steps, ..Trace::default() }
    }

    /// The step that led to the current state.
    pub fn last_step(&self) -> Option<&TraceStep> {
        let steps = self.walk.get(1..).unwrap_or_default();
        steps.last().map(|taken| &taken.step)
    }

    /// Whether the walk began in a state that is not known to be reachable.
    pub fn has_jumped(&self) -> bool {
        self.has_jumped
    }

    fn on_ground<T>(&mut self, work: impl FnOnce(&mut dyn Walk, &Monitor) -> T) -> T {
        let monitor = self.options.cancel.monitor().clone();
        self.ground.with(&monitor, |walk| work(walk, &monitor))
    }

    /// Finds the steps that can be taken.
    fn find_choices(&mut self) -> Result<(), Error> {
        let at = self.walk.last().map(|last| last.target.clone());
        let most = self.options.choices;
        let mut found: Vec<Move> = Vec::new();
        self.on_ground(|walk, monitor| {
            let mut visit = |step: Move| {
                found.push(step);
                if found.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let from = at.as_deref();
            let query = MoveQuery { from, given: &[], monitor };
            walk.moves(&query, &mut visit)
        })?;
        self.has_more = found.len() > most;
        found.truncate(most);
        self.choices = found;
        Ok(())
    }
}
