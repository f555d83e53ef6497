//! Programs by enumeration of their values.

use crate::programs::{CHOICES, Subject};
use cegar::Proposition;
use logic::{Formula, Truth};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use smt::Variable;
use std::collections::BTreeMap;
use testkit::reference::evaluate;
use transition::integers::IntegerStep;

/// A location and the values of the variables.
pub type State = (u32, Vec<i64>);

/// The values after a step with one of some choices; none if its guard does not hold.
pub fn after(step: &IntegerStep, values: &[i64], choices: &[i64]) -> Vec<Vec<i64>> {
    // What is free is behind the variables of the program.
    let of = |chosen: i64| {
        move |variable: Variable| i128::from(*values.get(variable.0 as usize).unwrap_or(&chosen))
    };
    let mut all = Vec::new();
    if step.guard.holds(&of(0)) == Some(true) {
        all.push(values.to_vec());
    }
    for (changed, value) in &step.changes {
        let is_free = value.variables().iter().any(|variable| step.free.contains(variable));
        let choices = if is_free { choices } else { &[0][..] };
        let option = |&chosen: &i64| value.value(&of(chosen)).expect("numbers are small") as i64;
        let options: Vec<i64> = choices.iter().map(option).collect();
        let with = |old: &Vec<i64>, option: i64| {
            let mut new = old.clone();
            new[changed.0 as usize] = option;
            new
        };
        all = all.iter().flat_map(|old| options.iter().map(move |&new| with(old, new))).collect();
    }
    all
}

/// All ways to give so many variables values from a list.
pub fn tuples(variables: usize, values: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..variables {
        let longer = |tuple: &Vec<i64>, value: i64| [&tuple[..], &[value]].concat();
        all = all
            .iter()
            .flat_map(|tuple| values.iter().map(move |&value| longer(tuple, value)))
            .collect();
    }
    all
}

/// The states that can be reached inside, and one for all that is outside, of which nothing is known. A closed
/// program is seen completely: whatever else can be chosen is a deadlock state with the labels of one that is there.
pub fn structure(subject: &Subject) -> PartialModel {
    let mut explorer = Explorer {
        subject,
        builder: ModelBuilder::new(Kind::Kmts, "concrete"),
        numbers: BTreeMap::new(),
        open: Vec::new(),
    };
    for (name, _) in &subject.propositions {
        explorer.builder.prop(name);
    }
    explorer.explore();
    explorer.builder.finish()
}

const OUTSIDE: &str = "outside";

/// The verdict on the concrete structure: true if it is so in every initial state, false if not in one. Nobody
/// knows whether there is a start outside.
pub fn verdict(structure: &PartialModel, formula: &Formula) -> Truth {
    let values = evaluate(structure, formula);
    let value = |&state: &u32| match values.truth(formula.root(), state) {
        Some(Truth::False) if structure.state_name(state) == OUTSIDE => Truth::Unknown,
        known => known.expect("no contradictions"),
    };
    structure.init().iter().map(value).fold(Truth::True, |a, b| match (a, b) {
        (Truth::False, _) | (_, Truth::False) => Truth::False,
        (Truth::True, Truth::True) => Truth::True,
        _ => Truth::Unknown,
    })
}

struct Explorer<'a> {
    subject: &'a Subject,
    builder: ModelBuilder,
    /// States; `None` is outside and has no values.
    numbers: BTreeMap<Option<State>, u32>,
    open: Vec<(u32, State)>,
}

impl Explorer<'_> {
    fn explore(&mut self) {
        let Subject { program, start, inside, is_closed, starts_inside, .. } = self.subject;
        let own: Vec<i64> = inside.clone().collect();
        for values in tuples(program.variables.len(), &own) {
            if start.1.holds(&|variable| values[variable.0 as usize].into()) == Some(true) {
                let number = self.number((start.0, values));
                self.builder.init(number);
            }
        }
        if !starts_inside {
            let outside = self.outside();
            self.builder.init(outside);
        }
        let choices: Vec<i64> = if *is_closed { CHOICES } else { -50..=50 }.collect();
        while let Some((number, (place, values))) = self.open.pop() {
            for step in program.steps.iter().filter(|step| step.source == place) {
                for new in after(step, &values, &choices) {
                    let target = self.number((step.target, new));
                    self.builder.edge(number, None, Mode::BOTH, target);
                }
            }
        }
    }

    fn number(&mut self, state: State) -> u32 {
        let Subject { inside, is_closed, propositions, .. } = self.subject;
        let range = if *is_closed { &CHOICES } else { inside };
        if !state.1.iter().all(|value| range.contains(value)) {
            assert!(!is_closed, "{state:?} is outside");
            return self.outside();
        }
        if let Some(&number) = self.numbers.get(&Some(state.clone())) {
            return number;
        }
        let number = self.builder.state(format!("{state:?}"));
        for (name, meaning) in propositions {
            let prop = self.builder.prop(name);
            self.builder.label(number, prop, holds(meaning, &state).into());
        }
        self.numbers.insert(Some(state.clone()), number);
        self.open.push((number, state));
        number
    }

    fn outside(&mut self) -> u32 {
        if let Some(&number) = self.numbers.get(&None) {
            return number;
        }
        let number = self.builder.state(OUTSIDE);
        self.builder.edge(number, None, Mode::MAY, number);
        self.numbers.insert(None, number);
        number
    }
}

pub fn holds(meaning: &Proposition, (place, values): &State) -> bool {
    match meaning {
        Proposition::At(places) => places.contains(place),
        Proposition::Holds(wanted) => {
            wanted.holds(&|variable| values[variable.0 as usize].into()).expect("numbers are small")
        }
    }
}
