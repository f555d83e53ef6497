//! The abstraction of a program, step by step.

use crate::abstraction::decide::Decider;
use smt::{LinearFormula, Variable};
use std::fmt;
use support::{Monitor, Stopped};
use transition::abstracted::{AbstractCommand, AbstractStart, Abstracted, Literals, Meaning};
use transition::integers::{IntegerProgram, IntegerStep, Predicate};

/// The most predicates that a command touches, unless the decider can do with more: tables are over pairs of minterms.
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
                "step {step} can change {predicates} predicates, and at most {most} are supported"
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

/// The predicates, propositions and initial states of an abstraction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PredicateSet {
    pub predicates: Vec<Predicate>,
    /// The propositions by name.
    pub propositions: Vec<(String, Meaning)>,
    pub starts: Vec<AbstractStart>,
    /// Conjunctions of predicates that no state satisfies, as far as they are known.
    pub contradictions: Vec<Literals>,
}

/// The predicate abstraction of a program: a monotone MixTS that the program refines, given that the tables are sound.
pub fn abstracted(
    program: &IntegerProgram,
    precision: &PredicateSet,
    decider: &mut dyn Decider,
    monitor: &Monitor,
) -> Result<Abstracted, NotAbstracted> {
    let readers = Readers::new(program, precision);
    let most = decider.most_touched();
    let mut commands = Vec::with_capacity(program.steps.len());
    for (number, step) in program.steps.iter().enumerate() {
        let touches = readers.touched(step, most).map_err(|predicates| {
            NotAbstracted::ChangesTooMany { step: number, predicates, most }
        })?;
        let conditions: Vec<&LinearFormula> = touches
            .iter()
            .map(|&touched| &precision.predicates[touched as usize].condition)
            .collect();
        let table = decider.decide(step, &conditions, monitor)?;
        let IntegerStep { source, target, .. } = *step;
        let must = if step.is_may_only { Vec::new() } else { table.must };
        let may = table.may;
        commands.push(AbstractCommand { source, target, touches, may, must });
    }
    Ok(Abstracted {
        predicates: precision.predicates.iter().map(|predicate| predicate.name.clone()).collect(),
        locations: program.locations.clone(),
        commands,
        propositions: precision.propositions.clone(),
        starts: precision.starts.clone(),
        contradictions: precision.contradictions.clone(),
    })
}

/// Which predicates read a variable.
struct Readers(Vec<Vec<u32>>);

impl Readers {
    fn new(program: &IntegerProgram, precision: &PredicateSet) -> Self {
        let mut readers = vec![Vec::new(); program.variables.len()];
        for (number, predicate) in (0..).zip(&precision.predicates) {
            for variable in predicate.condition.variables() {
                readers[variable.0 as usize].push(number);
            }
        }
        Self(readers)
    }

    fn of(&self, variables: impl Iterator<Item = Variable>) -> Vec<u32> {
        sorted(variables.flat_map(|variable| self.0[variable.0 as usize].iter().copied()).collect())
    }

    /// The predicates that a step is abstracted with: those that it can change, of which there may be too many, and
    /// as many of the others that share a variable with it as there is room for. Without these a guard may be
    /// unknown which could be known.
    fn touched(&self, step: &IntegerStep, most: usize) -> Result<Vec<u32>, usize> {
        let changed = self.of(step.changed());
        let room = most.checked_sub(changed.len()).ok_or(changed.len())?;
        let near = self.of(step.variables().into_iter());
        let others = near.into_iter().filter(|predicate| changed.binary_search(predicate).is_err());
        let others: Vec<u32> = others.take(room).collect();
        Ok(sorted([changed, others].concat()))
    }
}

fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
