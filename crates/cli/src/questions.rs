//! What is asked: properties of the files, or formulas of the command line.

use crate::flags::Questions;
use crate::input::Trouble;
use crate::load::Loaded;
use base::{Diagnostic, Span, did_you_mean};
use front::Property;
use logic::{Formula, Logic, Signature};
use std::sync::Arc;

/// A question with all that it takes to answer it.
pub struct Task {
    pub question: Question,
    pub formula: Formula,
    pub property: Property,
}

#[derive(Clone)]
pub struct Question {
    pub name: String,
    pub logic: Option<Logic>,
    pub formula: String,
    /// Where the formula stands, once that is known.
    pub span: Option<Span>,
}

/// The formulas to check, their names looked up.
pub fn prepare(
    given: &Questions,
    property: &[String],
    loaded: &mut Loaded,
) -> Result<Vec<Task>, Trouble> {
    let properties =
        if given.0.is_empty() { chosen(property, loaded)? } else { parse(given, loaded)? };
    let props = loaded.system.props();
    let actions = loaded.system.actions();
    let signature = Signature { family: loaded.system.family(), props: &props, actions: &actions };
    let mut errors = Vec::new();
    let mut tasks = Vec::new();
    for property in properties {
        match logic::compile(&property.surface, &signature, &mut loaded.warnings) {
            Ok(formula) => tasks.push(Task { question: question(&property), formula, property }),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(tasks) } else { Err(faults(errors, loaded)) }
}

fn question(Property { name, surface, .. }: &Property) -> Question {
    let (logic, span) = (Some(surface.logic), Some(surface.span));
    Question { name: name.clone(), logic, formula: surface.source(), span }
}

fn faults(mut errors: Vec<Diagnostic>, loaded: &Loaded) -> Trouble {
    errors.extend(loaded.warnings.iter().cloned());
    Trouble::Faults(errors, Box::new(loaded.sources.clone()))
}

/// The formulas of the command line; each is its own name.
fn parse(given: &Questions, loaded: &mut Loaded) -> Result<Vec<Property>, Trouble> {
    let mut errors = Vec::new();
    let mut found = Vec::new();
    for (logic, text) in &given.0 {
        let text: Arc<str> = text.as_str().into();
        let file = loaded.sources.add(format!("<--{}>", logic.name()), text.clone());
        match front::parse_formula(*logic, file, &text, 0..text.len()) {
            Ok(surface) => {
                found.push(Property { name: surface.source(), span: surface.span, surface });
            }
            Err(diagnostics) => errors.extend(diagnostics),
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(faults(errors, loaded)) }
}

/// The properties of the files, all of them or those that `--property` names, in the order in which it
/// does: a limit may be reached before the order in the files is known.
fn chosen(wanted: &[String], loaded: &mut Loaded) -> Result<Vec<Property>, Trouble> {
    let mut properties = std::mem::take(&mut loaded.properties);
    if properties.is_empty() {
        return Err(Trouble::message("there is no property to check").with_help(
            "give one with --mu, --ctl or --mcf, or write `property NAME: ctl AG p;` into a .tm file",
        ));
    }
    let names = properties.iter().map(|property| &*property.name);
    for property in wanted {
        if !names.clone().any(|name| name == property) {
            return Err(no_such_property(property, names));
        }
    }
    if !wanted.is_empty() {
        let place = |property: &Property| wanted.iter().position(|n| *n == property.name);
        properties.retain(|property| place(property).is_some());
        properties.sort_by_key(place);
    }
    Ok(properties)
}

fn no_such_property<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> Trouble {
    let help = did_you_mean(wanted, "the files have", names);
    Trouble::message(format!("there is no property `{wanted}`")).with_help(help)
}
