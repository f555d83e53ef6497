//! Random small programs over integers.

use cegar::{Limits, Proposition, Question};
use logic::{Formula, Logic};
use model::Model;
use std::ops::RangeInclusive;
use support::Monitor;
use testkit::{Case, FormulaShape, Rng, compile_for, formula};
use transition::predicates::{Change, Condition, Program, Relation, Step, Term, Value};

/// A program and what is asked of it.
pub struct Subject {
    pub program: Program,
    pub start: (u32, Condition),
    pub propositions: Vec<(String, Proposition)>,
    /// Where the values of all variables begin, and stay if it is closed.
    pub inside: RangeInclusive<i64>,
    /// Whether no step leaves the range, but for those that choose any number. Such a step leads to a place that
    /// can be left with numbers of the range only.
    pub is_closed: bool,
    pub starts_inside: bool,
    monitor: Monitor,
}

/// What a closed program may choose, for all that conditions can tell. They compare twice a variable, the sum of
/// two or half of one with at most 6 while the other variable is at most 6: beyond 13 only the remainder by
/// 6 matters.
pub const CHOICES: RangeInclusive<i64> = -20..=20;

impl Subject {
    pub fn random(rng: &mut Rng, is_closed: bool) -> Self {
        let variables = rng.between(1, 2);
        let reach = if variables == 1 { rng.between(2, 6) } else { rng.between(1, 2) } as i64;
        let inside = -reach + rng.below(2) as i64..=reach;
        let places = rng.between(2, 5);
        let chooses = (0..places).map(|place| place > 0 && rng.chance(0.25)).collect();
        let mut generator = Generator { rng, variables, inside, chooses, is_closed };
        let mut steps: Vec<Step> =
            (0..places as u32).flat_map(|place| generator.steps_from(place)).collect();
        steps.retain(|step| step.guard != Condition::Constant(false));
        let (start, starts_inside) = generator.start();
        let propositions = generator.propositions();
        let inside = generator.inside;
        let names = |letters: &[&str]| letters.iter().map(|name| (*name).to_owned()).collect();
        let program = Program {
            variables: names(&["x", "y"][..variables]),
            places: (0..places).map(|place| format!("l{place}")).collect(),
            steps,
        };
        let (start, monitor) = ((0, start), Monitor::new());
        Self { program, start, propositions, inside, is_closed, starts_inside, monitor }
    }

    /// A random formula over the propositions; the model has the same ones.
    pub fn formula(&self, rng: &mut Rng, model: &Model) -> Formula {
        let logic = if rng.chance(0.8) { Logic::Ctl } else { Logic::Mu };
        let size = rng.between(1, 7);
        compile_for(&formula(rng, &FormulaShape::over(model, logic, size)), model)
    }

    /// The question whether a formula holds.
    pub fn question<'a>(&'a self, formula: &'a Formula) -> Question<'a> {
        Question {
            program: &self.program,
            start: (self.start.0, &self.start.1),
            invariant: &Condition::Constant(true),
            propositions: &self.propositions,
            formula,
            given: &[],
            components: None,
            pieces: None,
            limits: Limits::default(),
            evidence: false,
            watch: &|_| {},
            monitor: &self.monitor,
        }
    }

    pub fn note(&self, case: &mut Case) {
        let names = &self.program.variables;
        case.note(format!("{:?} in {:?}, closed: {}", names, self.inside, self.is_closed));
        case.note(format!("start at {} where {}", self.start.0, self.start.1.shown(names)));
        for step in &self.program.steps {
            let value = |change: &Change| match &change.value {
                Value::Of(term) => term.shown(names),
                Value::Any => "any".to_owned(),
            };
            let changed = |change: &Change| {
                format!("; {} := {}", names[change.variable as usize], value(change))
            };
            let changes: String = step.changes.iter().map(changed).collect();
            let guard = step.guard.shown(names);
            case.note(format!("{} -> {}: assume {guard}{changes}", step.source, step.target));
        }
        for (name, meaning) in &self.propositions {
            match meaning {
                Proposition::At(places) => case.note(format!("{name} at {places:?}")),
                Proposition::Holds(wanted) => {
                    case.note(format!("{name} is {}", wanted.shown(names)))
                }
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
            1 | 2 => part(rng).and(part(rng)),
            _ => part(rng).or(part(rng)),
        };
    }
    let relations = [
        Relation::Equal,
        Relation::Different,
        Relation::Less,
        Relation::AtMost,
        Relation::Greater,
        Relation::AtLeast,
    ];
    let x = Term::variable(rng.below(variables) as u32);
    let y = Term::variable(rng.below(variables) as u32);
    let (term, most) = match rng.below(12) {
        0..6 => (x, 6),
        6 => (x.plus(y), 6),
        7 => (x.minus(y), 6),
        8 => (x.modulo(2), 1),
        9 => (x.modulo(3), 2),
        10 => (x.divided_by(2), 3),
        _ => (Term::Times(2, Box::new(x)).minus(y), 6),
    };
    let number = rng.below(2 * most + 1) as i64 - most as i64;
    // Small numbers tell more.
    let number = if rng.chance(0.5) { number / 2 } else { number };
    term.compared(*rng.pick(&relations), Term::Constant(number))
}

struct Generator<'a> {
    rng: &'a mut Rng,
    variables: usize,
    inside: RangeInclusive<i64>,
    /// By place: whether closed programs can choose a number on the way there.
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

    fn term(&mut self) -> Term {
        let (x, y) = (Term::variable(self.variable()), Term::variable(self.variable()));
        let number = Term::Constant(self.rng.between(0, 2) as i64);
        match self.rng.below(12) {
            0..3 => x.plus(Term::Constant(1)),
            3..6 => x.minus(Term::Constant(1)),
            6 => number.minus(x),
            7 => x.plus(y),
            8 => x.minus(y),
            9 => Term::Times(2, Box::new(x)),
            10 => x.divided_by(2),
            _ if self.rng.chance(0.5) => x.modulo(3),
            _ => number,
        }
    }

    /// Whether a value is inside.
    fn holds(&self, term: &Term) -> Condition {
        let bound =
            |relation, number: &i64| term.clone().compared(relation, Term::Constant(*number));
        let low = bound(Relation::AtLeast, self.inside.start());
        low.and(bound(Relation::AtMost, self.inside.end()))
    }

    fn all_inside(&self) -> Condition {
        let each = (0..self.variables as u32).map(|variable| self.holds(&Term::variable(variable)));
        each.reduce(Condition::and).unwrap_or(Condition::Constant(true))
    }

    /// Where it starts, and whether that is inside.
    fn start(&mut self) -> (Condition, bool) {
        let inside = self.all_inside();
        match self.rng.below(4) {
            0 if !self.is_closed => (self.condition(), false),
            0 | 1 => (inside, true),
            _ => (self.condition().and(inside), true),
        }
    }

    fn steps_from(&mut self, place: u32) -> Vec<Step> {
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
    fn add_step(&mut self, steps: &mut Vec<Step>, source: u32, guard: Condition) {
        let target = self.place();
        let can_choose = !self.is_closed || self.chooses[target as usize];
        let chosen = can_choose && self.rng.chance(if self.is_closed { 0.7 } else { 0.1 });
        let changes = match chosen {
            true => vec![Change { variable: self.variable(), value: Value::Any }],
            false => self.assignments(),
        };
        let guard = match self.is_closed && self.chooses[source as usize] {
            true => guard.and(self.all_inside()),
            false => guard,
        };
        let Some(stays) = self.stays(&changes) else {
            steps.push(Step { source, target, guard, changes });
            return;
        };
        if self.rng.chance(0.7) {
            let outside = guard.clone().and(stays.clone().negated());
            let target = self.place();
            steps.push(Step::test(source, outside, target));
        }
        steps.push(Step { source, target, guard: guard.and(stays), changes });
    }

    fn assignments(&mut self) -> Vec<Change> {
        let count = *self.rng.pick(&[0, 1, 1, 1, 2]);
        let first = self.variable();
        let variables = (0..self.variables as u32).map(|i| (first + i) % self.variables as u32);
        let variables: Vec<u32> = variables.take(count).collect();
        let change = |variable| Change { variable, value: Value::Of(self.term()) };
        variables.into_iter().map(change).collect()
    }

    /// Where changes of a closed program lead to no number outside, if there can be one.
    fn stays(&self, changes: &[Change]) -> Option<Condition> {
        let inside = |change: &Change| match &change.value {
            Value::Of(term) if self.is_closed => Some(self.holds(term)),
            _ => None,
        };
        changes.iter().filter_map(inside).reduce(Condition::and)
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
