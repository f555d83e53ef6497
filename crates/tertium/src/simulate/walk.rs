//! The one interface under a walk: initial states, successors, and what a state shows, for every form of model.

use super::watch::CompiledWatch;
use crate::error::Error;
use logic::Truth;
use logic::evidence::{TraceState, TraceStep, TraceValue};
use model::Mode;
use std::ops::ControlFlow;
use support::{Monitor, SourceMap, StopReason, Stopped};
use transition::{Machine, StepError};

/// A state, in the numbers of the form.
pub type Coordinates = Vec<i64>;

/// Variables or inputs with values that the user gives.
pub type Given = [(String, TraceValue)];

/// A step to a state, or the beginning in one.
#[derive(Clone, Debug)]
pub struct Move {
    pub target: Coordinates,
    pub step: TraceStep,
    /// Whether it is a must transition without a may transition.
    pub is_must_only: bool,
    /// The inputs whose values are some of infinitely many.
    pub sampled: Vec<String>,
}

impl Move {
    /// How sure the step is.
    pub fn mode(&self) -> Mode {
        Mode { may: !self.is_must_only, must: !self.step.is_may_only }
    }

    /// The beginning in a state.
    pub fn start(target: Coordinates) -> Self {
        Self { target, step: TraceStep::default(), is_must_only: false, sampled: Vec::new() }
    }
}

/// Where control is, in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimulatedLocation {
    /// Empty in a program that is one sequence of commands.
    pub process: String,
    /// The line of the statement that comes next.
    pub line: usize,
    /// The statement that comes next.
    pub statement: String,
}

/// Receives moves until it has enough.
pub type Visit<'v> = dyn FnMut(Move) -> ControlFlow<()> + 'v;

/// The moves that are asked for.
#[derive(Clone, Copy)]
pub struct MoveQuery<'q> {
    /// The state that they start from; in an initial state if there is none.
    pub from: Option<&'q [i64]>,
    /// Values of inputs, and of variables after the step, that the user has chosen. They are tried where there are no
    /// bounds.
    pub given: &'q Given,
    pub monitor: &'q Monitor,
}

/// A model that can be walked through.
pub trait Walk {
    /// Visits the moves that a query asks for.
    fn moves(&mut self, query: &MoveQuery, visit: &mut Visit) -> Result<(), Error>;

    fn shown(&self, state: &[i64]) -> TraceState;

    /// The state that these values determine, control being where it is in `near`; `None` if they do not tell all of
    /// it.
    fn determined(&self, near: &[i64], values: &Given) -> Option<Coordinates>;

    fn locations(&self, _state: &[i64]) -> Vec<SimulatedLocation> {
        Vec::new()
    }

    /// The value of a proposition of a formula, by its number there.
    fn proposition(&self, state: &[i64], watch: &CompiledWatch, number: usize) -> Truth;
}

/// A fault of the stepper in the words of the file.
pub fn stepping_error(halt: StepError, machine: &Machine, sources: &SourceMap) -> Error {
    match halt {
        StepError::Stopped(stopped) => stopped.into(),
        StepError::TooMany(_) => Stopped(StopReason::States).into(),
        StepError::Fault(fault) => match fault.limit(machine) {
            Some(limit) => limit.into(),
            None => Error::of(vec![fault.diagnostic(machine)], sources),
        },
    }
}

/// The value that is given for a name.
pub fn given_for<'g>(values: &'g Given, name: &str) -> Option<&'g TraceValue> {
    values.iter().find(|(given, _)| given == name).map(|(_, value)| value)
}
