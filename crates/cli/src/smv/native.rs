//! Specifications of an SMV file as properties of the native language, where nothing but the model and the
//! formula is left: fairness and the end of paths are said in the formula.

use super::Program;
use crate::input::Trouble;
use crate::load::Loaded;
use crate::questions::{Item, Task};
use front::Property;
use logic::{Logic, PropId};
use std::sync::Arc;
use support::FileId;

impl Program {
    /// All specifications that are supported.
    pub fn native(&self, loaded: &mut Loaded) -> Result<Vec<Property>, Trouble> {
        if loaded.system.components.iter().all(|part| part.model.init().is_empty()) {
            let message = "there is no initial state, and models of states need one";
            return Err(Trouble::message(message)
                .with_help("`INIT` and `init(x) := …` contradict each other or `INVAR`"));
        }
        let mut found: Vec<Property> = Vec::new();
        for item in self.items(loaded)? {
            let Item::Task(task) = item else { continue };
            let mut property = native(&task, loaded)?;
            let name = property.name.clone();
            for copy in 2.. {
                if found.iter().all(|other| other.name != property.name) {
                    break;
                }
                property.name = format!("{name} ({copy})");
            }
            found.push(property);
        }
        Ok(found)
    }
}

/// The property of a task as the native language says it, whatever file it is from.
pub fn native_property(task: &Task, loaded: &Loaded) -> Result<Property, Trouble> {
    match loaded.constants {
        Some(_) => native(task, loaded),
        None => Ok(task.property.clone()),
    }
}

/// A specification over the names that its propositions have in a `.tm` file.
fn native(task: &Task, loaded: &Loaded) -> Result<Property, Trouble> {
    let props: support::Interner<PropId> = front::legal_props(&loaded.system);
    let text: Arc<str> = task.formula.to_mu(&props).into();
    let surface = front::parse_formula(Logic::Mu, FileId(0), &text, 0..text.len())
        .map_err(|errors| Trouble::Faults(errors, Box::default()))?;
    let Property { name, span, .. } = &task.property;
    Ok(Property { name: name.clone(), span: *span, surface })
}
