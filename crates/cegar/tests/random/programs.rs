//! Random small programs over integers.

use cegar::{CegarLimits, CegarQuestion, Proposition};
use logic::{Formula, Logic};
use model::PartialModel;
use smt::{Comparison, IntegerValue, LinearFormula as Condition, Rounding, Term, Variable};
use std::ops::RangeInclusive;
use support::Monitor;
use testkit::{Case, FormulaShape, Rng, compile_for, formula};
use transition::integers::{IntegerProgram, IntegerStep};

/// A program and what is asked of it.
pub struct Subject {
    pub program: IntegerProgram,
    pub start: (u32, Condition),
    pub propositions: Vec<(String, Proposition)>,
    /// Where the values of all variables begin, and stay if it is closed.
    pub inside: RangeInclusive<i64>,
    /// Whether no step leaves the range, but for those that choose any number. Such a step leads to a location that
    /// can be left with numbers of the range only.
    pub is_closed: bool,
    pub starts_inside: bool,
    monitor: Monitor,
}

/// Choices of a closed program, as far as conditions can tell. They compare twice a variable, the sum of two or
/// half of one with at most 6 while the other variable is at most 6: beyond 13 only the remainder by 6 matters.
pub const CHOICES: RangeInclusive<i64> = -20..=20;

impl Subject {
    pub fn random(rng: &mut Rng, is_closed: bool) -> Self {
        let variables = rng.between(1, 2);
        let reach = if variables == 1 { rng.between(2, 6) } else { rng.between(1, 2) } as i64;
        let inside = -reach + rng.below(2) as i64..=reach;
        let places = rng.between(2, 5);
        let chooses = (0..places).map(|place| place > 0 && rng.chance(0.25)).collect();
        let mut generator = Generator { rng, variables, inside, chooses, is_closed };
        let mut steps: Vec<IntegerStep> =
            (0..places as u32).flat_map(|place| generator.steps_from(place)).collect();
        steps.retain(|step| step.guard != Condition::Constant(false));
        let (start, starts_inside) = generator.start();
        let propositions = generator.propositions();
        let inside = generator.inside;
        let names = |letters: &[&str]| letters.iter().map(|name| (*name).to_owned()).collect();
        let program = IntegerProgram {
            variables: names(&["x", "y"][..variables]),
            locations: (0..places).map(|place| format!("l{place}")).collect(),
            steps,
        };
        let (start, monitor) = ((0, start), Monitor::new());
        Self { program, start, propositions, inside, is_closed, starts_inside, monitor }
    }

    /// A random formula over the propositions; the model has the same ones.
    pub fn formula(&self, rng: &mut Rng, model: &PartialModel) -> Formula {
        let logic = if rng.chance(0.8) { Logic::Ctl } else { Logic::Mu };
        let size = rng.between(1, 7);
        compile_for(&formula(rng, &FormulaShape::over(model, logic, size)), model)
    }

    /// The question whether a formula holds.
    pub fn question<'a>(&'a self, formula: &'a Formula) -> CegarQuestion<'a> {
        CegarQuestion {
            program: &self.program,
            start: (self.start.0, &self.start.1),
            invariant: &Condition::Constant(true),
            propositions: &self.propositions,
            formula,
            initial_predicates: &[],
            components: None,
            partition: None,
            limits: CegarLimits::default(),
            evidence: false,
            watch: &|_| {},
            monitor: &self.monitor,
        }
    }

    pub fn note(&self, case: &mut Case) {
        let names = &self.program.variables;
        case.note(format!("{:?} in {:?}, closed: {}", names, self.inside, self.is_closed));
        let name = |variable: Variable| match names.get(variable.0 as usize) {
            Some(name) => name.clone(),
            None => "any".to_owned(),
        };
        case.note(format!("start at {} where {}", self.start.0, self.start.1.show(&name)));
        for step in &self.program.steps {
            let changed = |(variable, value): &(Variable, IntegerValue)| match value.as_term() {
                Some(term) => format!("; {} := {}", name(*variable), term.show(&name)),
                None => format!("; {} := {value:?}", name(*variable)),
            };
            let changes: String = step.changes.iter().map(changed).collect();
            let guard = step.guard.show(&name);
            case.note(format!("{} -> {}: assume {guard}{changes}", step.source, step.target));
        }
        for (own, meaning) in &self.propositions {
            match meaning {
                Proposition::At(places) => case.note(format!("{own} at {places:?}")),
                Proposition::Holds(wanted) => case.note(format!("{own} is {}", wanted.show(&name))),
            }
        }
    }
}

/// A random condition over so many variables.
pub fn condition(rng: &mut Rng, variables: usize, size: usize) -> Condition {
    if size > 1 {
        let part = |rng: &mut Rng| condition(rng, variables, size / 2);
        return match rng.below(5) {
            0 => part(rng).negated(),
            1 | 2 => Condition::and([part(rng), part(rng)]),
            _ => Condition::or([part(rng), part(rng)]),
        };
    }
    let x = variable(rng.below(variables) as u32);
    let y = variable(rng.below(variables) as u32);
    let (value, most) = match rng.below(12) {
        0..6 => (Ok(x), 6),
        6 => (x.plus(&y), 6),
        7 => (x.minus(&y), 6),
        8 => (x.modulo(2, Rounding::TowardsZero), 1),
        9 => (x.modulo(3, Rounding::TowardsZero), 2),
        10 => (x.divided(2, Rounding::TowardsZero), 3),
        _ => (x.plus(&x).and_then(|twice| twice.minus(&y)), 6),
    };
    let number = rng.below(2 * most + 1) as i64 - most as i64;
    // Small numbers tell more.
    let number = if rng.chance(0.5) { number / 2 } else { number };
    let value = value.expect("small numbers");
    compared(&value, *rng.pick(&Comparison::ALL), number)
}

fn variable(number: u32) -> IntegerValue {
    Term::variable(Variable(number)).into()
}

fn constant(value: i64) -> IntegerValue {
    Term::constant(value).expect("a small number").into()
}

fn compared(value: &IntegerValue, relation: Comparison, number: i64) -> Condition {
    value.compared(relation, &constant(number)).expect("small numbers")
}

struct Generator<'a> {
    rng: &'a mut Rng,
    variables: usize,
    inside: RangeInclusive<i64>,
    /// By location: whether closed programs can choose a number on the path there.
    chooses: Vec<bool>,
    is_closed: bool,
}

impl Generator<'_> {
    fn condition(&mut self) -> Condition {
        let size = *self.rng.pick(&[1, 1, 1, 2]);
        condition(self.rng, self.variables, size)
    }

    fn place(&mut self) -> u32 {
        self.rng.below(self.chooses.len()) as u32
    }

    fn variable(&mut self) -> u32 {
        self.rng.below(self.variables) as u32
    }

    fn value(&mut self) -> IntegerValue {
        let (x, y) = (variable(self.variable()), variable(self.variable()));
        let number = constant(self.rng.between(0, 2) as i64);
        let value = match self.rng.below(12) {
            0..3 => x.plus(&constant(1)),
            3..6 => x.minus(&constant(1)),
            6 => number.minus(&x),
            7 => x.plus(&y),
            8 => x.minus(&y),
            9 => x.times(2),
            10 => x.divided(2, Rounding::TowardsZero),
            _ if self.rng.chance(0.5) => x.modulo(3, Rounding::TowardsZero),
            _ => Ok(number),
        };
        value.expect("small numbers")
    }

    /// Whether a value is inside.
    fn holds(&self, value: &IntegerValue) -> Condition {
        let low = compared(value, Comparison::AtLeast, *self.inside.start());
        Condition::and([low, compared(value, Comparison::AtMost, *self.inside.end())])
    }

    fn all_inside(&self) -> Condition {
        Condition::and((0..self.variables as u32).map(|number| self.holds(&variable(number))))
    }

    /// Where it starts, and whether that is inside.
    fn start(&mut self) -> (Condition, bool) {
        let inside = self.all_inside();
        match self.rng.below(4) {
            0 if !self.is_closed => (self.condition(), false),
            0 | 1 => (inside, true),
            _ => (Condition::and([self.condition(), inside]), true),
        }
    }

    fn steps_from(&mut self, place: u32) -> Vec<IntegerStep> {
        let mut steps = Vec::new();
        for _ in 0..self.rng.between(1, 2) {
            match self.rng.below(5) {
                0 => {
                    let guard = self.condition();
                    self.add_step(&mut steps, place, guard);
                }
                1 | 2 => self.add_step(&mut steps, place, Condition::Constant(true)),
                _ => {
                    let guard = self.condition();
                    self.add_step(&mut steps, place, guard.clone());
                    self.add_step(&mut steps, place, guard.negated());
                }
            }
        }
        steps
    }

    /// A step, and in closed programs another one for where it would lead outside.
    fn add_step(&mut self, steps: &mut Vec<IntegerStep>, source: u32, guard: Condition) {
        let target = self.place();
        let can_choose = !self.is_closed || self.chooses[target as usize];
        let chosen = can_choose && self.rng.chance(if self.is_closed { 0.7 } else { 0.1 });
        let changes = match chosen {
            true => vec![(Variable(self.variable()), None)],
            false => self.assignments(),
        };
        let guard = match self.is_closed && self.chooses[source as usize] {
            true => Condition::and([guard, self.all_inside()]),
            false => guard,
        };
        let Some(stays) = self.stays(&changes) else {
            steps.push(IntegerStep::new((source, target), guard, changes, self.variables));
            return;
        };
        if self.rng.chance(0.7) {
            let outside = Condition::and([guard.clone(), stays.negated()]);
            let target = self.place();
            steps.push(IntegerStep::test(source, outside, target));
        }
        let guard = Condition::and([guard, stays]);
        steps.push(IntegerStep::new((source, target), guard, changes, self.variables));
    }

    fn assignments(&mut self) -> Vec<(Variable, Option<IntegerValue>)> {
        let count = *self.rng.pick(&[0, 1, 1, 1, 2]);
        let first = self.variable();
        let variables = (0..self.variables as u32).map(|i| (first + i) % self.variables as u32);
        let variables: Vec<u32> = variables.take(count).collect();
        let change = |variable| (Variable(variable), Some(self.value()));
        variables.into_iter().map(change).collect()
    }

    /// Where changes of a closed program lead to no number outside, if there can be one.
    fn stays(&self, changes: &[(Variable, Option<IntegerValue>)]) -> Option<Condition> {
        let values = changes.iter().filter_map(|(_, value)| value.as_ref());
        let inside: Vec<Condition> =
            values.filter(|_| self.is_closed).map(|value| self.holds(value)).collect();
        (!inside.is_empty()).then(|| Condition::and(inside))
    }

    fn propositions(&mut self) -> Vec<(String, Proposition)> {
        let count = self.rng.between(1, 3);
        let places: Vec<u32> = (0..self.chooses.len() as u32).collect();
        let mut meaning = || match self.rng.chance(0.3) {
            true => Proposition::At(self.rng.some(&places, 0.3)),
            false => Proposition::Holds(self.condition()),
        };
        (0..count).map(|number| (format!("p{number}"), meaning())).collect()
    }
}
