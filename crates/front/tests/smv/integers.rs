//! SMV with unbounded integers: what is read, what is refused, and that it means what the same text means with ranges.

use crate::random_integers::{HIGH, LOW, TYPE, text};
use crate::support::{self, compact};
use base::{Diagnostic, FileId};
use front::{EitherSmv, Proposition, SmvIntegers, read_smv_either};
use logic::{Fix, Formula, Modality, Node, NodeId, Truth, VarId};
use machine::Halt;
use predicates::{Step, Value};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::Arc;
use testkit::for_seeds;

fn read(text: &str) -> Result<EitherSmv, Vec<Diagnostic>> {
    let shared: Arc<str> = text.into();
    read_smv_either(FileId(0), &shared, &[])
}

fn integers(text: &str) -> SmvIntegers {
    match read(text) {
        Ok(EitherSmv::Integers(read)) => *read,
        Ok(EitherSmv::Finite(_)) => panic!("finite: {text}"),
        Err(errors) => panic!("{}\n{text}", compact(text, &errors)),
    }
}

/// The states of a program, its numbers within bounds, by definition.
struct States {
    all: Vec<(u32, Vec<i64>)>,
    next: Vec<Vec<usize>>,
    starts: Vec<usize>,
    labels: Vec<Vec<bool>>,
}

/// What is chosen may be anything; one more on both sides shows that nobody takes it.
const CHOICES: std::ops::RangeInclusive<i64> = LOW - 1..=HIGH + 1;

fn successors(step: &Step, values: &[i64]) -> Vec<Vec<i64>> {
    let of = |variable: u32| values[variable as usize];
    if !step.guard.holds(&of).expect("small numbers") {
        return Vec::new();
    }
    let mut found = vec![values.to_vec()];
    for change in &step.changes {
        let new: Vec<i64> = match &change.value {
            Value::Of(term) => vec![term.value(&of).expect("small numbers")],
            Value::Any => CHOICES.collect(),
        };
        let with = |state: &Vec<i64>, value: i64| {
            let mut state = state.clone();
            state[change.variable as usize] = value;
            state
        };
        found = found.iter().flat_map(|s| new.iter().map(|&v| with(s, v))).collect();
    }
    found
}

impl States {
    fn of(read: &SmvIntegers) -> Option<Self> {
        let program = &read.document.program;
        let width = program.variables.len();
        let is_chosen = |variable: usize| {
            program.variables[variable].starts_with("next(") || program.variables[variable] == "i"
        };
        let mut begins = vec![Vec::new()];
        for variable in 0..width {
            // What is chosen before a step begins as anything.
            let values: Vec<i64> =
                if is_chosen(variable) { vec![0] } else { (LOW..=HIGH).collect() };
            begins = begins
                .iter()
                .flat_map(|s: &Vec<i64>| values.iter().map(move |&v| [&s[..], &[v]].concat()))
                .collect();
        }
        let start = &read.document.start;
        begins
            .retain(|state| start.condition.holds(&|v| state[v as usize]).expect("small numbers"));
        let mut states =
            Self { all: Vec::new(), next: Vec::new(), starts: Vec::new(), labels: Vec::new() };
        let mut numbers: FxHashMap<(u32, Vec<i64>), usize> = FxHashMap::default();
        let mut open = VecDeque::new();
        for state in begins {
            let number = states.number((start.place, state), &mut numbers, &mut open);
            states.starts.push(number);
        }
        while let Some(number) = open.pop_front() {
            let (place, values) = states.all[number].clone();
            let mut next = Vec::new();
            for step in program.steps.iter().filter(|step| step.source == place) {
                for values in successors(step, &values) {
                    next.push(states.number((step.target, values), &mut numbers, &mut open));
                }
            }
            states.next[number] = next;
            if states.all.len() > 60_000 {
                return None;
            }
        }
        let holds = |proposition: &Proposition, (place, values): &(u32, Vec<i64>)| match proposition
        {
            Proposition::At(places) => places.contains(place),
            Proposition::Holds(condition) => {
                condition.holds(&|v| values[v as usize]).expect("small numbers")
            }
        };
        let propositions = &read.document.propositions;
        states.labels = propositions
            .iter()
            .map(|(_, p)| states.all.iter().map(|s| holds(p, s)).collect())
            .collect();
        Some(states)
    }

    fn number(
        &mut self,
        state: (u32, Vec<i64>),
        numbers: &mut FxHashMap<(u32, Vec<i64>), usize>,
        open: &mut VecDeque<usize>,
    ) -> usize {
        let next = self.all.len();
        *numbers.entry(state).or_insert_with_key(|state| {
            self.all.push(state.clone());
            self.next.push(Vec::new());
            open.push_back(next);
            next
        })
    }

    /// The µ-calculus to the letter.
    fn evaluate(
        &self,
        formula: &Formula,
        id: NodeId,
        env: &mut FxHashMap<VarId, Vec<bool>>,
    ) -> Vec<bool> {
        let count = self.all.len();
        match formula.node(id) {
            Node::Const(value) => vec![value; count],
            Node::Lit(prop, positive) => {
                self.labels[prop.0 as usize].iter().map(|v| *v == positive).collect()
            }
            Node::And(a, b) => {
                let (a, b) = (self.evaluate(formula, a, env), self.evaluate(formula, b, env));
                a.iter().zip(b).map(|(a, b)| *a && b).collect()
            }
            Node::Or(a, b) => {
                let (a, b) = (self.evaluate(formula, a, env), self.evaluate(formula, b, env));
                a.iter().zip(b).map(|(a, b)| *a || b).collect()
            }
            Node::Modal(modality, _, body) => {
                let body = self.evaluate(formula, body, env);
                let step = |next: &Vec<usize>| match modality {
                    Modality::Dia => next.iter().any(|&s| body[s]),
                    Modality::Box => next.iter().all(|&s| body[s]),
                };
                self.next.iter().map(step).collect()
            }
            Node::Var(var) => env[&var].clone(),
            Node::Fix(var) => {
                let mut value = vec![formula.var(var).kind == Fix::Nu; count];
                loop {
                    env.insert(var, value.clone());
                    let next = self.evaluate(formula, formula.var(var).body, env);
                    if next == value {
                        return value;
                    }
                    value = next;
                }
            }
        }
    }

    fn verdict(&self, formula: &Formula) -> bool {
        let values = self.evaluate(formula, formula.root(), &mut FxHashMap::default());
        self.starts.iter().all(|&state| values[state])
    }
}

/// The same text twice: with `integer`, and with a range.
fn compare(text: &str) -> Result<(), String> {
    let range = text.replace(TYPE, &format!("{LOW}..{HIGH}"));
    let finite = support::read(&range).map_err(|errors| compact(&range, &errors))?;
    let read = match read(&text.replace(TYPE, "integer")) {
        Ok(EitherSmv::Integers(read)) => read,
        Ok(EitherSmv::Finite(_)) => return Err("finite".to_owned()),
        Err(errors) => return Err(compact(text, &errors)),
    };
    let Some(states) = States::of(&read) else { return Ok(()) };
    let goes_right =
        read.assurance.as_ref().is_none_or(|assurance| states.verdict(&assurance.formula));
    let (enumeration, fairness) = match support::fair_states(&finite, true, 1_000_000) {
        Ok(found) if goes_right => found,
        Err(Halt::Fault(_)) if !goes_right => return Ok(()),
        Ok(_) => return Err("something goes wrong among integers only".to_owned()),
        Err(other) => return Err(format!("among ranges only: {other:?}")),
    };
    let is_total = enumeration.deadlocks.is_clear();
    if read.is_total && !is_total {
        return Err("not total".to_owned());
    }
    let wanted = support::verdicts(&finite, enumeration, &fairness);
    for ((specification, formula), wanted) in read.specifications.iter().zip(wanted) {
        let found = formula.as_ref().map(|formula| states.verdict(formula));
        if found != wanted.map(|wanted| wanted == Truth::True) {
            return Err(format!("{}: {found:?} and {wanted:?}", specification.text));
        }
    }
    Ok(())
}

#[test]
fn integers_mean_what_ranges_mean() {
    for_seeds("SMV with integers", 0..3000, |rng, case| {
        let text = text(rng, 3);
        case.note(&text);
        compare(&text)
    });
}
