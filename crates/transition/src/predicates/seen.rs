//! The abstraction of a program, step by step.

use crate::predicates::abstracted::{Abstracted, Command};
use crate::predicates::decide::Decider;
use crate::predicates::expression::Condition;
use crate::predicates::program::{Program, Step, View, sorted};
use std::fmt;
use support::{Monitor, Stopped};

/// A command touches no more predicates than this unless who decides can do with more: tables are over pairs of minterms.
pub const MOST_TOUCHED: usize = 8;

/// Why there is no abstraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotAbstracted {
    /// This step, by number, can change so many predicates.
    ChangesTooMany {
        step: usize,
        predicates: usize,
        most: usize,
    },
    Stopped(Stopped),
}

impl fmt::Display for NotAbstracted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ChangesTooMany { step, predicates, most } => write!(
                f,
                "step {step} can change {predicates} predicates, and at most {most} can be looked at together"
            ),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for NotAbstracted {}

impl From<Stopped> for NotAbstracted {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl Program {
    /// What is left of the program if only the predicates are known of its variables: a monotone MixTS that the program
    /// refines, given that the tables are sound.
    pub fn seen_through(
        &self,
        view: &View,
        decider: &mut dyn Decider,
        monitor: &Monitor,
    ) -> Result<Abstracted, NotAbstracted> {
        let readers = Readers::new(self, view);
        let most = decider.most_touched();
        let mut commands = Vec::with_capacity(self.steps.len());
        for (number, step) in self.steps.iter().enumerate() {
            let touches = readers.touched(step, most).map_err(|predicates| {
                NotAbstracted::ChangesTooMany { step: number, predicates, most }
            })?;
            let conditions: Vec<&Condition> = touches
                .iter()
                .map(|&touched| &view.predicates[touched as usize].condition)
                .collect();
            let table = decider.decide(step, &conditions, monitor)?;
            let Step { source, target, .. } = *step;
            commands.push(Command { source, target, touches, may: table.may, must: table.must });
        }
        Ok(Abstracted {
            predicates: view.predicates.iter().map(|predicate| predicate.name.clone()).collect(),
            places: self.places.clone(),
            commands,
            propositions: view.propositions.clone(),
            starts: view.starts.clone(),
        })
    }
}

/// Which predicates read a variable.
struct Readers(Vec<Vec<u32>>);

impl Readers {
    fn new(program: &Program, view: &View) -> Self {
        let mut readers = vec![Vec::new(); program.variables.len()];
        for (number, predicate) in (0..).zip(&view.predicates) {
            for variable in predicate.condition.variables() {
                readers[variable as usize].push(number);
            }
        }
        Self(readers)
    }

    fn of(&self, variables: impl Iterator<Item = u32>) -> Vec<u32> {
        sorted(variables.flat_map(|variable| self.0[variable as usize].iter().copied()).collect())
    }

    /// The predicates that a step is looked at with: those that it can change, of which there may be too many, and
    /// as many of the others that share a variable with it as there is room for. Without these a guard may be
    /// unknown which could be known.
    fn touched(&self, step: &Step, most: usize) -> Result<Vec<u32>, usize> {
        let changed = self.of(step.changes.iter().map(|change| change.variable));
        let room = most.checked_sub(changed.len()).ok_or(changed.len())?;
        let near = self.of(step.variables().into_iter());
        let others = near.into_iter().filter(|predicate| changed.binary_search(predicate).is_err());
        let others: Vec<u32> = others.take(room).collect();
        Ok(sorted([changed, others].concat()))
    }
}
