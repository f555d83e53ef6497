//! What some commands do: places and steps between them, some of which lead to what comes next.

use super::linear::Size;
use support::Span;
use transition::predicates::{Change, Condition, Term, Value};

/// A graph begins at its first place.
#[derive(Clone, Default, Debug)]
pub(super) struct Graph {
    pub places: Vec<Place>,
    pub steps: Vec<Step>,
    /// The steps that lead to what comes next.
    pub open: Vec<usize>,
    /// About how much memory all of it takes, in nodes of expressions.
    pub size: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The command that comes next.
    pub span: Span,
    /// By their numbers.
    pub labels: Vec<u32>,
    /// Whether nothing comes next.
    pub is_end: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub source: u32,
    pub target: Target,
    pub guard: Condition,
    pub changes: Vec<Change>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    Place(u32),
    Error,
    /// It is not there yet.
    Next,
}

/// One way of doing a command.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub guard: Condition,
    pub outcome: Outcome,
}

#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Changes(Vec<Change>),
    Fails,
}

impl Way {
    pub fn fails(guard: Condition) -> Self {
        Self { guard, outcome: Outcome::Fails }
    }

    /// Nothing changes.
    pub fn passes(guard: Condition) -> Self {
        Self { guard, outcome: Outcome::Changes(Vec::new()) }
    }

    pub fn sets(guard: Condition, variable: u32, value: Value) -> Self {
        Self { guard, outcome: Outcome::Changes(vec![Change { variable, value }]) }
    }
}

impl Step {
    pub fn size(&self) -> usize {
        let of_change = |change: &Change| match &change.value {
            Value::Of(term) => 1 + Size::of_term(term).nodes,
            Value::Any => 1,
        };
        let changes: usize = self.changes.iter().map(of_change).sum();
        1 + Size::of_condition(&self.guard).nodes + changes
    }
}

impl Graph {
    /// A new place, to which all open steps lead.
    pub fn place(&mut self, span: Span, labels: Vec<u32>) -> u32 {
        let place = self.places.len() as u32;
        self.places.push(Place { span, labels, is_end: false });
        self.size += 1;
        self.lead_to(place);
        place
    }

    /// All open steps lead here.
    pub fn lead_to(&mut self, place: u32) {
        for step in self.open.drain(..) {
            self.steps[step].target = Target::Place(place);
        }
    }

    /// All ways of doing a command, those that do not fail left open.
    pub fn ways(&mut self, place: u32, ways: Vec<Way>) {
        for way in ways {
            let (target, changes) = match way.outcome {
                Outcome::Fails => (Target::Error, Vec::new()),
                Outcome::Changes(changes) => (Target::Next, changes),
            };
            self.step(Step { source: place, target, guard: way.guard, changes });
        }
    }

    /// One step, if it can ever be made.
    pub fn step(&mut self, step: Step) {
        if step.guard == Condition::Constant(false) {
            return;
        }
        if step.target == Target::Next {
            self.open.push(self.steps.len());
        }
        self.size += step.size();
        self.steps.push(step);
    }

    /// What another graph does, next.
    pub fn append(&mut self, other: &Graph) {
        let offset = self.places.len() as u32;
        if !other.places.is_empty() {
            self.lead_to(offset);
        }
        let before = self.steps.len();
        self.places.extend(other.places.iter().cloned());
        self.steps.extend(other.steps.iter().map(|step| {
            let target = match step.target {
                Target::Place(place) => Target::Place(place + offset),
                other => other,
            };
            Step { source: step.source + offset, target, ..step.clone() }
        }));
        self.open.extend(other.open.iter().map(|step| step + before));
        self.size += other.size;
    }

    /// Calls variables differently.
    pub fn rename(&mut self, new: &dyn Fn(u32) -> u32) {
        for step in &mut self.steps {
            rename_condition(&mut step.guard, new);
            for change in &mut step.changes {
                change.variable = new(change.variable);
                if let Value::Of(term) = &mut change.value {
                    rename_term(term, new);
                }
            }
        }
    }

    /// Tells all variables, some of them more than once.
    pub fn each_variable(&self, found: &mut dyn FnMut(u32)) {
        for step in &self.steps {
            step.guard.each_variable(found);
            for change in &step.changes {
                found(change.variable);
                if let Value::Of(term) = &change.value {
                    term.each_variable(found);
                }
            }
        }
    }
}

fn rename_condition(condition: &mut Condition, new: &dyn Fn(u32) -> u32) {
    match condition {
        Condition::Constant(_) => {}
        Condition::Compare(a, _, b) => [a, b].into_iter().for_each(|term| rename_term(term, new)),
        Condition::Not(a) => rename_condition(a, new),
        Condition::And(a, b) | Condition::Or(a, b) => {
            [a, b].into_iter().for_each(|part| rename_condition(part, new));
        }
    }
}

fn rename_term(term: &mut Term, new: &dyn Fn(u32) -> u32) {
    match term {
        Term::Constant(_) => {}
        Term::Variable(variable) => *variable = new(*variable),
        Term::Add(a, b) | Term::Sub(a, b) => {
            [a, b].into_iter().for_each(|part| rename_term(part, new));
        }
        Term::Times(_, a) | Term::Div(a, _) | Term::Mod(a, _) => rename_term(a, new),
    }
}
