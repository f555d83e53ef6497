//! The last abstraction of each component as a model of its own (C §5.2, "Relation to Assume-Guarantee
//! Reasoning": it is an assumption that holds by construction).
//!
//! The composition of these models has to give the same verdict. The verdict of the loop may depend on more than the
//! last abstraction: on cached colours of states that have been split since, on hyper-transitions, on interfaces of
//! components that were left out. So the models are checked; if they do not suffice, they are refined further, now all
//! together, with the paper's lifting and without the cache, until they do. That ends as the loop does. At last they
//! are made as weak as the verdict allows ([`super::weaken`]).

use super::abstraction::Abstraction;
use super::enabled::Source;
use super::weaken::weakest;
use super::{Question, Refinement, Run};
use crate::Request;
use crate::checker::by_components_or_composed;
use crate::failure::Failure;
use crate::outcome::{EmittedAbstraction, Outcome};
use logic::{PropId, Truth};
use model::{Component, Interface, Kind, Lifting, Mode, ModelBuilder, PartialModel, System};

/// Nodes of a product that are tried before the composition is built.
const FEW_NODES: u64 = 1 << 14;

impl<'f> Run<'_, 'f> {
    /// Models that the verdict can be found from.
    pub(super) fn emit(self, outcome: &Outcome) -> Result<Vec<EmittedAbstraction>, Failure> {
        let included = self.included.clone();
        let (request, joint) = (self.request, self.question.interface.joint.names().to_vec());
        let (mut precise, is_enough) = self.precise(outcome)?;
        for (component, emitted) in precise.iter_mut().enumerate() {
            emitted.is_included = included.contains(&component);
        }
        let models: Vec<PartialModel> = precise.iter().map(|one| one.model.clone()).collect();
        let suffice = |models: &[PartialModel]| decides(request, models, outcome.verdict);
        if !outcome.verdict.is_definite() || !is_enough && !suffice(&models)? {
            return Ok(precise);
        }
        let weakest = weakest(&models, &joint, suffice)?.into_iter().zip(precise);
        Ok(weakest.map(|(model, precise)| EmittedAbstraction { model, ..precise }).collect())
    }

    /// Models that the verdict can be found from, each as precise as it can be without a split, and whether it has been
    /// found from them alone.
    fn precise(mut self, outcome: &Outcome) -> Result<(Vec<EmittedAbstraction>, bool), Failure> {
        let emitted = self.models();
        let models: Vec<PartialModel> = emitted.iter().map(|one| one.model.clone()).collect();
        if decides(self.request, &models, outcome.verdict)? {
            return Ok((emitted, true));
        }
        let request = Request {
            refinement: Refinement {
                eager: true,
                hyper: false,
                keep_colours: false,
                // What products say of their parts is not in the models of these.
                drop_absent: false,
                take_over: false,
                lifting: Lifting::Paper,
                ..self.request.refinement.clone()
            },
            limit: None,
            watch: &|_| {},
            ..self.request.clone()
        };
        // What is known of components that are not in a product yet is not in their models either.
        let interface = Interface::new(request.system).without_summaries();
        let question = Question {
            lifting: Lifting::Paper,
            has_choices: false,
            interface: &interface,
            ..self.question
        };
        let initial = self.initial.drain(..).map(|(tuple, _)| tuple).collect();
        for abstraction in &mut self.abstractions {
            abstraction.make_plain();
        }
        let abstractions = std::mem::take(&mut self.abstractions);
        let mut together = Run::new(&request, question, abstractions, initial);
        together.source = Source::Abstract;
        let all = 0..together.abstractions.len();
        let others = all.filter(|component| !together.included.contains(component));
        let others: Vec<usize> = others.collect();
        together.included.extend(others);
        let again = together.decide().expect("there is no limit");
        match again.reason {
            Some(crate::Reason::Stopped(stopped)) => Err(Failure::Stopped(stopped)),
            _ => Ok((together.models(), false)),
        }
    }

    fn models(&self) -> Vec<EmittedAbstraction> {
        let parts = self.abstractions.iter().zip(&self.request.system.components);
        let emitted = parts.map(|(abstraction, part)| EmittedAbstraction {
            model: model(abstraction, &part.model),
            blocks: abstraction.concrete.blocks().unwrap_or_default().to_vec(),
            is_included: true,
        });
        emitted.collect()
    }
}

/// Whether the models alone give the verdict.
fn decides(request: &Request, models: &[PartialModel], verdict: Truth) -> Result<bool, Failure> {
    let system = with_models(request.system, models.to_vec());
    let alone = Request {
        system: &system,
        refinement: Refinement::default(),
        deadlock: request.deadlock.of_an_abstraction(),
        evidence: false,
        limit: None,
        watch: &|_| {},
        ..request.clone()
    };
    Ok(by_components_or_composed(&alone, FEW_NODES)?.verdict == verdict)
}

/// The system with other models for its components.
fn with_models(system: &System, models: Vec<PartialModel>) -> System {
    let components = models.into_iter().zip(&system.components);
    let components =
        components.map(|(model, part)| Component { model, is_unknown: part.is_unknown });
    System { components: components.collect(), sync: system.sync.clone() }
}

/// An abstraction, as precise as it can be without a split.
fn model(abstraction: &Abstraction, component: &PartialModel) -> PartialModel {
    let concrete = &abstraction.concrete;
    let kind = match component.kind {
        Kind::Lts | Kind::Mts => Kind::Mts,
        _ => Kind::Kmts,
    };
    let mut builder = ModelBuilder::new(kind, component.name.clone());
    for name in component.props().names() {
        builder.prop(name);
    }
    for name in component.actions().names() {
        builder.action(name);
    }
    for state in 0..concrete.states() {
        let number = builder.state(format!("a{state}"));
        if concrete.is_initial(state) {
            builder.init(number);
        }
        for prop in (0..component.props().len() as u32).map(PropId) {
            builder.label(number, prop, concrete.label(state, prop));
        }
    }
    for state in 0..concrete.states() {
        for step in concrete.may(state) {
            let ask = || concrete.must(state, step.action, &[step.target]);
            let must = step.must.unwrap_or_else(ask);
            builder.edge(state, step.action, Mode { may: true, must }, step.target);
        }
    }
    builder.finish()
}
