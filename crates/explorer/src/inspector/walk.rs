//! Free walks: from any state, the steps that can be taken, and the subformulas that hold there.
//!
//! A question names all choices from the beginning, so that nothing has to be kept between two of them.

use crate::protocol::WalkQuery;
use crate::views::walk::{WalkDocument, WalkStep, WalkedFormula};
use tertium::{
    Cancel, Error, Logic, Model, SimulatedStep, SimulationOptions, Simulator, TraceValue,
};

/// More choices are not listed.
const MOST_CHOICES: usize = 200;
/// A longer walk is not followed.
const MOST_STEPS: usize = 2_000;
/// Temporal operators are evaluated in states from which no more can be reached.
const MOST_STATES: usize = 20_000;
/// More subformulas are not evaluated.
const MOST_SUBFORMULAS: usize = 24;

pub fn walk(query: &WalkQuery, model: &Model, cancel: &Cancel) -> Result<WalkDocument, Error> {
    if query.path.len() > MOST_STEPS {
        return Err(Error::wrong(format!("a walk has at most {MOST_STEPS} steps"), ""));
    }
    let options =
        SimulationOptions::default().choices(MOST_CHOICES).states(MOST_STATES).cancel(cancel);
    let mut simulator = model.simulator(&options)?;
    if !query.from.is_empty() {
        begin(query, &mut simulator)?;
    }
    let before = simulator.depth();
    for &choice in &query.path {
        simulator.take(choice, &[])?;
    }
    watch(query, &mut simulator)?;
    Ok(document(&mut simulator, before))
}

/// Begins where the question says. Evidence names variables for control, too, which a walk does not know.
fn begin(query: &WalkQuery, simulator: &mut Simulator) -> Result<(), Error> {
    let first = simulator.choices().first().map(|choice| choice.target.clone());
    let Some(known) = simulator.state().or(first) else { return Ok(()) };
    let own = query.from.iter().filter(|(name, _)| known.get(name).is_some());
    // States of components can have numbers for names.
    let is_named = |name: &str| matches!(known.get(name), Some(TraceValue::Symbol(_)));
    let is_symbolic = simulator.model().is_symbolic();
    let value = |(name, text): (&String, &String)| match is_named(name) && !is_symbolic {
        true => (name.clone(), TraceValue::Symbol(text.clone())),
        false => (name.clone(), TraceValue::from(&**text)),
    };
    let values: Vec<(String, TraceValue)> = own.map(value).collect();
    simulator.go_to(&values).map(drop)
}

/// Watches the property with its subformulas, and the formulas that are given.
fn watch(query: &WalkQuery, simulator: &mut Simulator) -> Result<(), Error> {
    let model = simulator.model().clone();
    let chosen = query.property.as_ref();
    let chosen = chosen.and_then(|name| model.properties().iter().find(|p| p.name() == name));
    if let Some(property) = chosen {
        // The other kinds of SMV's specifications are formulas of CTL inside.
        let logic = Logic::named(property.logic()).unwrap_or(Logic::Ctl).name();
        for subformula in property.subformulas().iter().take(MOST_SUBFORMULAS) {
            // The names of an instance mean nothing outside of it.
            let _ = simulator.watch(&format!("{logic} {subformula}"));
        }
        let _ = simulator.watch(property.name());
    }
    query.watch.iter().try_for_each(|formula| simulator.watch(formula))
}

fn document(simulator: &mut Simulator, before: usize) -> WalkDocument {
    let trace = simulator.trace();
    let now = simulator.state();
    let changed = |number: usize| trace.changed(number).map(pair).collect();
    let steps = (before + 1..trace.states.len()).map(|number| WalkStep {
        by: trace.step_to(number).map(report::step_text).unwrap_or_default(),
        is_may_only: trace.step_to(number).is_some_and(|step| step.is_may_only),
        is_must_only: false,
        changed: changed(number),
    });
    let steps = steps.collect();
    let choice = |choice: &SimulatedStep| {
        let is_new = |(name, value): &&(String, TraceValue)| match &now {
            Some(now) => now.get(name) != Some(value),
            None => true,
        };
        WalkStep {
            by: report::step_text(&choice.step),
            is_may_only: choice.step.is_may_only,
            is_must_only: choice.is_must_only,
            changed: choice.target.values.iter().filter(is_new).map(pair).collect(),
        }
    };
    let choices = simulator.choices().iter().map(choice).collect();
    let locations = simulator.locations().into_iter();
    let locations = locations.map(|at| (at.process, at.line, at.statement)).collect();
    let watched = simulator.watched().into_iter().map(|one| WalkedFormula {
        formula: one.formula,
        value: one.value.to_string(),
        reason: one.reason,
    });
    WalkDocument {
        watched: watched.collect(),
        state: now.as_ref().map(|now| now.values.iter().map(pair).collect()),
        locations,
        steps,
        choices,
        has_more: simulator.has_more_choices(),
        may_be_unreachable: simulator.has_jumped(),
    }
}

fn pair((name, value): &(String, TraceValue)) -> (String, String) {
    (name.clone(), value.to_string())
}
