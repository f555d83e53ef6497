//! What is asked: properties of the files, or formulas of the command line.

use crate::flags::Questions;
use crate::input::Trouble;
use crate::load::Loaded;
use explicit::Outcome;
use front::Property;
use logic::{Formula, Logic, Signature};
use report::AnswerReport;
use std::sync::Arc;
use support::{Diagnostic, Span, did_you_mean};

/// A question that is answered, or one that cannot be.
pub enum Item {
    Task(Box<Task>),
    /// With the reason.
    Unanswered(Question, String),
}

impl Item {
    pub fn question(&self) -> &Question {
        match self {
            Item::Task(task) => &task.question,
            Item::Unanswered(question, _) => question,
        }
    }
}

/// A question with all that it takes to answer it.
pub struct Task {
    pub question: Question,
    pub formula: Formula,
    pub property: Property,
}

#[derive(Clone)]
pub struct Question {
    pub name: String,
    pub logic: Option<&'static str>,
    pub formula: String,
    /// Where the formula stands, once that is known.
    pub span: Option<Span>,
    /// What NuSMV calls it.
    pub statement: String,
    /// Why it cannot be answered, if that is known from the beginning.
    pub not_supported: Option<&'static str>,
}

impl Question {
    /// One that is known by its name only, or by its formula.
    pub fn new(name: &str, logic: Option<Logic>, formula: &str, span: Option<Span>) -> Self {
        Self {
            name: name.to_owned(),
            logic: logic.map(Logic::name),
            formula: formula.to_owned(),
            span,
            statement: format!("specification {formula} "),
            not_supported: None,
        }
    }

    pub fn answered(self, outcome: Outcome) -> AnswerReport {
        let Question { name, logic, formula, .. } = self;
        AnswerReport { property: name, logic, formula, seconds: 0.0, peak_bytes: 0, outcome }
    }
}

/// The formulas to check, their names looked up.
pub fn prepare(
    given: &Questions,
    property: &[String],
    loaded: &mut Loaded,
) -> Result<Vec<Task>, Trouble> {
    let properties =
        if given.0.is_empty() { chosen(property, loaded)? } else { parse(given, loaded)? };
    let asked = properties.into_iter().map(|property| (question(&property), property));
    compile(asked.collect(), loaded)
}

/// The formulas in normal form.
pub fn compile(
    asked: Vec<(Question, Property)>,
    loaded: &mut Loaded,
) -> Result<Vec<Task>, Trouble> {
    let props = loaded.system.props();
    let actions = loaded.system.actions();
    let signature = Signature { family: loaded.system.family(), props: &props, actions: &actions };
    let mut errors = Vec::new();
    let mut tasks = Vec::new();
    for (question, property) in asked {
        let Loaded { fairness, warnings, .. } = &mut *loaded;
        match logic::compile_fair(&property.surface, &signature, fairness, warnings) {
            Ok(formula) => tasks.push(Task { question, formula, property }),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(tasks) } else { Err(faults(errors, loaded)) }
}

fn question(Property { name, surface, .. }: &Property) -> Question {
    Question::new(name, Some(surface.logic), &surface.source(), Some(surface.span))
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

pub fn no_such_property<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> Trouble {
    let help = did_you_mean(wanted, "the files have", names);
    Trouble::message(format!("there is no property `{wanted}`")).with_help(help)
}
