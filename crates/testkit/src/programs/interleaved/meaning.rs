//! The states and steps of programs with processes.

use super::{
    ARRAY, Command, Condition, ELEMENTS, G, H, Statement, Target, Value, VarNumber, Variable,
};
use logic::Truth;
use model::{Kind, Mode, ModelBuilder, PartialModel};
use std::collections::HashMap;

/// A command with where it leads.
enum Place<'c> {
    End,
    Step(&'c Statement, usize),
    /// The test of an `if` or a `while`, and where it leads if it holds, and if it does not.
    Test(&'c Condition, usize, usize),
    /// A missing `else`.
    Nothing(usize),
}

pub(super) struct Meaning<'c> {
    vars: Vec<Variable>,
    places: Vec<(Option<usize>, Place<'c>)>,
    /// Where each process begins.
    starts: Vec<usize>,
}

/// Where the processes are, or nowhere after a run-time error; and the values of the variables.
type State = (Option<Vec<usize>>, Vec<i64>);

impl<'c> Meaning<'c> {
    pub fn new(vars: Vec<Variable>, bodies: &'c [Vec<Command>]) -> Self {
        let mut meaning = Self { vars, places: Vec::new(), starts: Vec::new() };
        for body in bodies {
            let end = meaning.place(None, Place::End);
            let start = meaning.block(body, end, end);
            meaning.starts.push(start);
        }
        meaning
    }

    fn place(&mut self, label: Option<usize>, place: Place<'c>) -> usize {
        self.places.push((label, place));
        self.places.len() - 1
    }

    /// From the last command to the first; `broken` is where `break` leads.
    fn block(&mut self, block: &'c [Command], after: usize, broken: usize) -> usize {
        block.iter().rev().fold(after, |after, command| self.command(command, after, broken))
    }

    fn command(&mut self, command: &'c Command, after: usize, broken: usize) -> usize {
        let label = command.label;
        match &command.statement {
            Statement::If(test, then, otherwise) => {
                let then = self.block(then, after, broken);
                let otherwise = match otherwise {
                    Some(otherwise) => self.block(otherwise, after, broken),
                    None => self.place(None, Place::Nothing(after)),
                };
                self.place(label, Place::Test(test, then, otherwise))
            }
            Statement::While(test, body) => {
                let head = self.place(label, Place::Test(test, after, after));
                let body = self.block(body, head, after);
                self.places[head].1 = Place::Test(test, body, after);
                head
            }
            Statement::Break => self.place(label, Place::Nothing(broken)),
            statement => self.place(label, Place::Step(statement, after)),
        }
    }

    /// All states that can be reached, with the propositions of the formulas.
    pub fn model(&self, labels: usize) -> PartialModel {
        let mut builder = ModelBuilder::new(Kind::Kripke, "processes");
        let mut known: HashMap<State, u32> = HashMap::new();
        let mut open: Vec<State> = Vec::new();
        let mut number = |state: State, open: &mut Vec<State>, builder: &mut ModelBuilder| {
            let new = known.len();
            *known.entry(state.clone()).or_insert_with(|| {
                open.push(state);
                builder.state(format!("{new}"))
            })
        };
        for values in self.beginnings() {
            let state = number((Some(self.starts.clone()), values), &mut open, &mut builder);
            builder.init(state);
        }
        while let Some(state) = open.pop() {
            let source = number(state.clone(), &mut open, &mut builder);
            for next in self.successors(&state) {
                let target = number(next, &mut open, &mut builder);
                builder.edge(source, None, Mode::BOTH, target);
            }
        }
        for proposition in 0..5 + labels {
            let prop = builder.prop(&format!("p{proposition}"));
            for (state, &number) in &known {
                builder.label(number, prop, Truth::from(self.holds(proposition, state)));
            }
        }
        builder.finish()
    }

    fn beginnings(&self) -> Vec<Vec<i64>> {
        let mut found = vec![Vec::new()];
        for (number, var) in self.vars.iter().enumerate() {
            let longer = |values: Vec<i64>| -> Vec<Vec<i64>> {
                var.start.iter().map(|&value| [&values[..], &[value]].concat()).collect()
            };
            found = found.into_iter().flat_map(longer).collect();
            // Each element of an array begins with any of the values, here with the only one.
            assert!(number < ARRAY || !var.name.starts_with('a') || var.start.len() == 1);
        }
        found
    }

    /// The propositions in the order in which the program has them.
    fn holds(&self, proposition: usize, (places, values): &State) -> bool {
        let ended = |&at: &usize| matches!(self.places[at].1, Place::End);
        let is_at = |label| places.iter().flatten().any(|&at| self.places[at].0 == Some(label));
        match proposition {
            0 => places.is_none(),
            1 => places.as_ref().is_some_and(|places| places.iter().all(ended)),
            2 => values[G] == 1,
            3 => values[H] == 1,
            4 => values[G] < 1,
            label => is_at(label - 5),
        }
    }

    fn successors(&self, state: &State) -> Vec<State> {
        let (Some(places), values) = state else { return vec![state.clone()] };
        if self.holds(1, state) {
            return vec![state.clone()];
        }
        let mut found = Vec::new();
        for (process, &at) in places.iter().enumerate() {
            for (target, values) in self.steps(at, values) {
                let next = target.map(|target| {
                    let mut next = places.clone();
                    next[process] = target;
                    next
                });
                found.push((next, values));
            }
        }
        found
    }

    /// The steps from a place; a run-time error leads to none.
    fn steps(&self, at: usize, values: &[i64]) -> Vec<(Option<usize>, Vec<i64>)> {
        let failure = || vec![(None, values.to_vec())];
        let to = |target: usize| vec![(Some(target), values.to_vec())];
        match &self.places[at].1 {
            Place::End => Vec::new(),
            Place::Nothing(after) => to(*after),
            Place::Test(test, yes, no) => match self.truth(test, values) {
                None => failure(),
                Some(true) => to(*yes),
                Some(false) => to(*no),
            },
            Place::Step(statement, after) => match statement {
                Statement::Assume(test) => match self.truth(test, values) {
                    None => failure(),
                    Some(true) => to(*after),
                    Some(false) => Vec::new(),
                },
                Statement::Assert(test) => match self.truth(test, values) {
                    Some(true) => to(*after),
                    None | Some(false) => failure(),
                },
                Statement::Any(var) => {
                    let (low, high) = self.vars[*var].bounds;
                    let with = |value| (Some(*after), changed(values, *var, value));
                    (low..=high).map(with).collect()
                }
                Statement::Assign(target, choices) => choices
                    .iter()
                    .map(|value| self.assigned(target, value, *after, values))
                    .collect(),
                _ => to(*after),
            },
        }
    }

    fn assigned(
        &self,
        target: &Target,
        value: &Value,
        after: usize,
        values: &[i64],
    ) -> (Option<usize>, Vec<i64>) {
        let var = match target {
            Target::Var(var) => Some(*var),
            Target::Element(index) => self.value(index, values).and_then(element),
        };
        let value = self.value(value, values);
        match var.zip(value) {
            Some((var, value))
                if (self.vars[var].bounds.0..=self.vars[var].bounds.1).contains(&value) =>
            {
                (Some(after), changed(values, var, value))
            }
            _ => (None, values.to_vec()),
        }
    }

    /// Nothing if an index is out of range.
    fn value(&self, value: &Value, values: &[i64]) -> Option<i64> {
        match value {
            Value::Constant(value) => Some(*value),
            Value::Var(var) => Some(values[*var]),
            Value::Element(index) => Some(values[element(self.value(index, values)?)?]),
            Value::Sum(value, change) => Some(self.value(value, values)? + change),
        }
    }

    /// `&` is lazy on either side.
    fn truth(&self, condition: &Condition, values: &[i64]) -> Option<bool> {
        match condition {
            Condition::Compare(a, sign, b) => {
                let (a, b) = (self.value(a, values)?, self.value(b, values)?);
                Some(match *sign {
                    "=" => a == b,
                    "<" => a < b,
                    _ => a != b,
                })
            }
            Condition::Not(a) => Some(!self.truth(a, values)?),
            Condition::And(a, b) => match (self.truth(a, values), self.truth(b, values)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => Some(a? && b?),
            },
        }
    }
}

fn element(index: i64) -> Option<VarNumber> {
    (0..ELEMENTS).contains(&index).then(|| ARRAY + index as usize)
}

fn changed(values: &[i64], var: VarNumber, value: i64) -> Vec<i64> {
    let mut next = values.to_vec();
    next[var] = value;
    next
}
