//! Why a verdict is what it is.

use crate::components::States;
use crate::error::Error;
use crate::model::Model;
use crate::portfolio::method_named;
use crate::property::NativeProperty;
use explicit::{Explanation as Graph, Outcome, Reason};
use logic::{Family, Formula, Truth};
use model::System;
use report::explanation::{LeftOut, submodel};
use report::{FormulaPart, ProgramStory, Written};
use std::sync::Arc;
use support::Stopped;

/// What an explanation is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Wanted {
    /// To be read: whatever shows the verdict best.
    #[default]
    Any,
    /// To be drawn: a graph of positions.
    Graph,
    /// To be a model: the part of the system that the verdict rests on.
    SubModel,
}

/// An outcome with what shows it.
pub(crate) struct Explained {
    pub outcome: Outcome,
    pub shape: Shape,
}

/// The forms that explanations have.
#[non_exhaustive]
pub enum Shape {
    /// An annotated counterexample or witness: positions (states with a subformula) and why each is decided.
    Graph {
        /// The positions.
        explanation: Graph,
        /// Of a model by variables: the variables that are the same in all states.
        constants: Option<Vec<(String, String)>>,
        /// The formula in normal form.
        formula: Option<Formula>,
        /// The system that the states are of, and the property in the native language.
        source: Option<(Arc<States>, NativeProperty)>,
    },
    /// A path through a program.
    Run(ProgramStory),
}

impl Explained {
    /// An outcome that there is no more to say of than its reason.
    pub fn bare(outcome: Outcome, components: Vec<String>) -> Self {
        let explanation = bare(components, &outcome);
        let shape = Shape::Graph { explanation, constants: None, formula: None, source: None };
        Self { outcome, shape }
    }
}

pub(crate) fn bare(components: Vec<String>, outcome: &Outcome) -> Graph {
    Graph {
        verdict: outcome.verdict,
        components,
        states: Vec::new(),
        nodes: Vec::new(),
        roots: Vec::new(),
        cut: 0,
        reason: outcome.reason.clone(),
    }
}

/// The evidence of an answer, made by [`crate::Answer::explanation`].
pub struct Explanation {
    pub(crate) outcome: Outcome,
    /// What shows the verdict.
    pub shape: Shape,
}

impl Explanation {
    /// The verdict that is explained.
    pub fn verdict(&self) -> Truth {
        self.outcome.verdict
    }

    /// The outcome that is explained.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Says that a limit came before the answer.
    pub fn stopped(method: &str, stopped: Stopped) -> Self {
        let outcome = Outcome::stopped(method_named(method), stopped);
        let Explained { outcome, shape } = Explained::bare(outcome, Vec::new());
        Self { outcome, shape }
    }

    /// The subformulas, as they stand in the text of the property.
    pub fn formula_parts(&self, model: &Model, property: &crate::Property) -> Vec<FormulaPart> {
        let Shape::Graph { formula: Some(formula), .. } = &self.shape else { return Vec::new() };
        let (text, span, sources) = (property.formula(), property.span(), property.sources(model));
        Written { formula, text, span, sources }.parts()
    }

    /// The part of the model that the verdict rests on, as a text in the native language.
    ///
    /// # Errors
    ///
    /// Something was left out of the explanation, or it is told in several components.
    pub fn sub_model(&self) -> Result<String, Error> {
        let (part, _, property) = self.part(LeftOut::Unknown)?;
        Ok(front::write_tm(&part, &[], &[property.specification()]))
    }

    /// The part of the model that the verdict rests on, as an Aldebaran file. Steps that the explanation does not mention
    /// are left out.
    ///
    /// # Errors
    ///
    /// As [`Explanation::sub_model`]; or the model has propositions.
    pub fn sub_lts(&self) -> Result<String, Error> {
        let (part, system, _) = self.part(LeftOut::Absent)?;
        if system.family() == Family::Props {
            return Err(Error::message(
                "an .aut file has actions, and this system has propositions",
            )
            .with_help("`--tm` gives the part of the model in the native language"));
        }
        let mut bytes = Vec::new();
        front::write_aut(&part.components[0].model, &mut bytes)
            .map_err(|error| Error::message(error.to_string()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A part of the model has the verdict only if nothing was left out.
    fn part(&self, rest: LeftOut) -> Result<(System, &System, NativeProperty), Error> {
        let Shape::Graph { explanation, source: Some((states, property)), .. } = &self.shape else {
            return Err(Error::message("there is no part of the model to show"));
        };
        if explanation.cut > 0 {
            let cut = explanation.cut;
            return Err(Error::message(format!(
                "the evidence has {cut} positions or more that were not looked at, so its part of the \
                 model would not have the verdict"
            ))
            .with_help("allow more with --positions"));
        }
        if explanation.roots.is_empty() {
            let why = match &explanation.reason {
                Some(Reason::Stopped(stopped)) => format!(": {stopped}"),
                _ => String::new(),
            };
            return Err(Error::message(format!("there is no part of the model to show{why}")));
        }
        let system = &states.system;
        let part = submodel(explanation, system, rest).map(System::single).ok_or_else(|| {
            Error::message("the evidence is told in several components, which no one model can say")
                .with_help("with more --positions it is told in states of the whole")
        })?;
        Ok((part, system, property.clone()))
    }
}
