//! The abstraction of a program by its predicates, written down as an explicit model: a MixTS whose states are locations
//! with what is known of the predicates (X §2.2, Predicate Abstraction).

use super::IntegerModel;
use super::abstraction::{StartCertainty, abstraction};
use super::searching_solver;
use crate::error::Error;
use crate::options::Options;
use crate::property::NativeProperty;
use crate::transition_system::StatedProperty;
use crate::transition_system::native::{in_mu, named_apart};
use model::System;
use support::Monitor;
use transition::abstracted::Abstracted;

/// More states are not written.
const MOST_STATES: usize = 1 << 16;

/// The model with its properties, and comments that say what the letters in the names of its states mean.
pub struct WrittenMixts {
    pub system: System,
    pub properties: Vec<NativeProperty>,
    pub legend: String,
}

/// Under the reduced semantics, every formula has the verdict on the model that `symbolic` gives on the program.
pub fn mixts(subject: &IntegerModel, monitor: &Monitor) -> Result<WrittenMixts, Error> {
    if let Some(no_error) = &subject.document.no_error {
        let lines = no_error.spans.iter().map(|span| subject.sources.position(*span).0.to_string());
        let message = "a program with possible run-time errors is not written as an explicit model";
        let lines: Vec<String> = lines.collect();
        return Err(Error::message(message)
            .with_help(format!("they are checked first: see line {}", lines.join(", "))));
    }
    let solver = &mut *searching_solver(&Options::default())?;
    let (seen, beginning) = abstraction(subject, solver, monitor)?;
    if beginning != StartCertainty::Each {
        let message = "it is not known in which abstract states the program can begin";
        return Err(Error::message(message).with_help("simplify the condition of the start"));
    }
    monitor.phase("writing", 0);
    let model = seen.to_outline("Abstraction", MOST_STATES).map_err(|error| {
        let message = format!("the abstraction cannot be written state by state: {error}");
        Error::message(message).with_help("`check --method symbolic` needs no list of states")
    })?;
    if model.init().is_empty() {
        return Err(Error::message("the program has no initial state"));
    }
    let system = System::single(model);
    let asked = subject.all.iter().zip(&subject.formulas);
    let property = |(asked, formula): (&StatedProperty, &Option<_>)| {
        formula.as_ref().map(|formula| in_mu((&asked.name, asked.span), formula, &system))
    };
    let properties: Result<Vec<NativeProperty>, Error> = asked.filter_map(property).collect();
    Ok(WrittenMixts { properties: named_apart(properties?), legend: legend(&seen), system })
}

fn legend(seen: &Abstracted) -> String {
    let line = |(number, name): (usize, &String)| format!("// letter {number}: {name}\n");
    let letters: String = (1..).zip(&seen.predicates).map(line).collect();
    match letters.is_empty() {
        true => letters,
        false => format!(
            "// Each state is a location and a letter for each predicate: t, f or u.\n{letters}"
        ),
    }
}
