//! Programs over unbounded integers, as far as predicate abstraction needs to know them, and what is to be seen of
//! them.

use crate::predicates::abstracted::{Meaning, Start};
use crate::predicates::expression::{Condition, Term};

/// A graph of places with a guarded command on each of its steps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Integers, by name.
    pub variables: Vec<String>,
    /// Where control can be.
    pub places: Vec<String>,
    pub steps: Vec<Step>,
}

/// Where the guard holds, the program can step from the source to the target; all changes happen at once, and
/// other variables keep their values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    pub source: u32,
    pub target: u32,
    pub guard: Condition,
    /// At most one for a variable.
    pub changes: Vec<Change>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    pub variable: u32,
    pub value: Value,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Of(Term),
    /// Any number.
    Any,
}

/// Something that is true or false of the variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Predicate {
    /// As one would read it.
    pub name: String,
    pub condition: Condition,
}

/// What a proposition of a formula means.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Proposition {
    /// Control is at one of these places.
    At(Vec<u32>),
    Holds(Condition),
}

/// What is to be seen of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    pub predicates: Vec<Predicate>,
    /// The propositions by name.
    pub propositions: Vec<(String, Meaning)>,
    pub starts: Vec<Start>,
}

impl Step {
    /// One without changes.
    pub fn test(source: u32, guard: Condition, target: u32) -> Self {
        Self { source, target, guard, changes: Vec::new() }
    }

    /// One assignment without a condition.
    pub fn assign(source: u32, variable: u32, term: Term, target: u32) -> Self {
        let changes = vec![Change { variable, value: Value::Of(term) }];
        Self { source, target, guard: Condition::Constant(true), changes }
    }

    /// The variables that it reads or changes, each once, rising.
    pub fn variables(&self) -> Vec<u32> {
        let mut variables: Vec<u32> = self.changes.iter().map(|change| change.variable).collect();
        self.guard.each_variable(&mut |variable| variables.push(variable));
        for change in &self.changes {
            if let Value::Of(term) = &change.value {
                term.each_variable(&mut |variable| variables.push(variable));
            }
        }
        sorted(variables)
    }
}

impl Condition {
    /// The variables that it reads, each once, rising.
    pub fn variables(&self) -> Vec<u32> {
        let mut variables = Vec::new();
        self.each_variable(&mut |variable| variables.push(variable));
        sorted(variables)
    }
}

pub(crate) fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
