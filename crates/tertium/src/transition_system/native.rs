//! Specifications of an SMV file as properties of the native language, where nothing but the model and the
//! formula is left: fairness and the end of paths are said in the formula.

use super::TransitionSystem;
use crate::error::Error;
use crate::explicit_model::ExplicitStates;
use crate::property::NativeProperty;
use logic::{Formula, Logic, PropId};
use model::System;
use std::sync::Arc;
use support::{FileId, SourceMap, Span};

impl TransitionSystem {
    /// All specifications that are supported.
    pub fn native(&self, states: &ExplicitStates) -> Result<Vec<NativeProperty>, Error> {
        if states.system.components.iter().all(|part| part.model.init().is_empty()) {
            let message = "there is no initial state, and an explicit model needs one";
            return Err(Error::message(message)
                .with_help("`INIT` and `init(x) := …` contradict each other or `INVAR`"));
        }
        let own = self.all.iter().filter_map(|asked| asked.property.as_ref());
        let native = own.map(|own| states.native(own, &states.compile(&own.surface)?));
        Ok(named_apart(native.collect::<Result<Vec<NativeProperty>, Error>>()?))
    }
}

/// The properties with a number behind a name that another one has.
pub fn named_apart(all: Vec<NativeProperty>) -> Vec<NativeProperty> {
    let mut found: Vec<NativeProperty> = Vec::new();
    for mut property in all {
        let name = property.name.clone();
        for copy in 2.. {
            if found.iter().all(|other| other.name != property.name) {
                break;
            }
            property.name = format!("{name} ({copy})");
        }
        found.push(property);
    }
    found
}

/// A formula over the propositions of a system, as a property in the native language.
pub fn in_mu(
    (name, span): (&str, Span),
    formula: &Formula,
    system: &System,
) -> Result<NativeProperty, Error> {
    let props: support::Interner<PropId> = front::legal_props(system);
    let text: Arc<str> = formula.to_mu(&props).into();
    let surface = front::parse_formula(Logic::Mu, FileId(0), &text, 0..text.len())
        .map_err(|errors| Error::of(errors, &SourceMap::new()))?;
    Ok(NativeProperty { name: name.to_owned(), span, surface })
}

impl ExplicitStates {
    /// A property as the native language says it, whatever text it is from.
    pub fn native(
        &self,
        property: &NativeProperty,
        formula: &Formula,
    ) -> Result<NativeProperty, Error> {
        if self.constants.is_none() {
            return Ok(property.clone());
        }
        in_mu((&property.name, property.span), formula, &self.system)
    }
}
