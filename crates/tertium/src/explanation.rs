//! Why a verdict is what it is.

use crate::error::Error;
use crate::explicit_model::ExplicitStates;
use crate::model::Model;
use crate::options::Options;
use crate::property::{NativeProperty, Property};
use crate::trace;
use explicit::{Outcome, Reason};
use logic::evidence::{Justification, ShownNode, Trace, UnfoldedEvidence};
use logic::{Family, Formula, Truth};
use model::System;
use report::explanation::{OmittedTransitions, submodel};
use report::{FormulaPart, FormulaText};
use std::sync::Arc;
use support::Stopped;

/// The required shape of an explanation.
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
    /// To be told as a trace: the path, up to where the evidence branches.
    Path,
}

impl Wanted {
    /// Whether evidence that is a run or a list of invariants does not do.
    pub(crate) fn needs_positions(self) -> bool {
        matches!(self, Self::Graph | Self::SubModel)
    }
}

/// The evidence of an answer, made by [`crate::Answer::explanation`].
pub struct Explanation {
    pub(crate) outcome: Outcome,
    /// An annotated counterexample or witness: positions (states with a subformula) and why each is decided; or a run
    /// of a program.
    pub graph: UnfoldedEvidence,
    /// The formula in normal form.
    pub(crate) formula: Option<Formula>,
    /// The system that the states are of, and the property.
    pub(crate) source: Option<(Arc<ExplicitStates>, NativeProperty)>,
    /// The question, for traces.
    pub(crate) asked: Option<(Model, Property, Options)>,
}

impl Explanation {
    pub(crate) fn new(outcome: Outcome, graph: UnfoldedEvidence) -> Self {
        Self { outcome, graph, formula: None, source: None, asked: None }
    }

    /// An outcome that there is no more to say of than its reason.
    pub(crate) fn bare(outcome: Outcome, components: Vec<String>) -> Self {
        let graph = UnfoldedEvidence::bare(outcome.verdict, components);
        Self::new(outcome, graph)
    }

    /// The path that shows the verdict, with the values of the variables; `None` if the evidence is no path.
    pub fn trace(&self) -> Option<Trace> {
        self.trace_prefix().filter(|trace| !trace.is_prefix)
    }

    /// The path that shows the verdict, as far as the evidence is one.
    pub fn trace_prefix(&self) -> Option<Trace> {
        let mut trace = self.graph.trace_prefix()?;
        if let Some((model, property, options)) = &self.asked {
            let states = self.source.as_ref().map(|(states, _)| &**states);
            let monitor = options.cancel.monitor();
            // A step whose inputs are not found in time is told without them.
            let _ = trace::complete(&mut trace, model, property, states, options, monitor);
            // What holds on all paths from a state on was not followed.
            let is_left_out = |node: &ShownNode| node.why == Justification::Throughout;
            let is_run = self.graph.run.is_some();
            trace.is_prefix |= options.shape == Wanted::Path
                && !is_run
                && self.graph.nodes.iter().any(is_left_out);
        }
        Some(trace)
    }

    /// The verdict that is explained.
    pub fn verdict(&self) -> Truth {
        self.outcome.verdict
    }

    /// The outcome that is explained.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Says that a limit came before the answer.
    pub fn stopped(stopped: Stopped) -> Self {
        Self::bare(Outcome::stopped(stopped), Vec::new())
    }

    /// The subformulas, as they stand in the text of the property.
    pub fn formula_parts(&self, model: &Model, property: &Property) -> Vec<FormulaPart> {
        let Some(formula) = &self.formula else { return Vec::new() };
        let (text, span, sources) = (property.formula(), property.span(), property.sources(model));
        FormulaText { formula, text, span, sources }.parts()
    }

    /// The part of the model that the verdict rests on, as a text in the native language.
    ///
    /// # Errors
    ///
    /// Something was left out of the explanation, or it is told in several components.
    pub fn sub_model(&self) -> Result<String, Error> {
        let (part, _, property) = self.part(OmittedTransitions::Unknown)?;
        Ok(front::write_tm(&part, &[], &[property.specification()]))
    }

    /// The part of the model that the verdict rests on, as an Aldebaran file. Steps that the explanation does not
    /// mention are left out.
    ///
    /// # Errors
    ///
    /// As [`Explanation::sub_model`]; or the model has propositions.
    pub fn sub_lts(&self) -> Result<String, Error> {
        let (part, system, _) = self.part(OmittedTransitions::Absent)?;
        if system.family() == Family::Props {
            return Err(Error::message(
                "an .aut file has actions, and this system has propositions",
            )
            .with_help("`--tm` writes the sub-model in the native language"));
        }
        let mut bytes = Vec::new();
        front::write_aut(&part.components[0].model, &mut bytes)
            .map_err(|error| Error::message(error.to_string()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A part of the model has the verdict only if nothing was left out.
    fn part(&self, rest: OmittedTransitions) -> Result<(System, &System, NativeProperty), Error> {
        let explanation = &self.graph;
        let (Some((states, property)), Some(formula)) = (&self.source, &self.formula) else {
            return Err(Error::message("there is no sub-model to write"));
        };
        let property = states.native(property, formula)?;
        if explanation.cut > 0 {
            let cut = explanation.cut;
            return Err(Error::message(format!(
                "the evidence has {cut} or more unexplored positions, so its sub-model would not have the verdict"
            ))
            .with_help("allow more with --positions"));
        }
        if explanation.roots.is_empty() {
            let why = match &self.outcome.reason {
                Some(Reason::Stopped(stopped)) => format!(": {stopped}"),
                _ => String::new(),
            };
            return Err(Error::message(format!("there is no sub-model to write{why}")));
        }
        let system = &states.system;
        let part = submodel(explanation, system, rest).map(System::single).ok_or_else(|| {
            Error::message(
                "the evidence is in states of several components, which are not one model",
            )
            .with_help("with more --positions it is in states of the composition")
        })?;
        Ok((part, system, property))
    }
}
