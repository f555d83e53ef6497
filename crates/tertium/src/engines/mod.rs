//! The engines, one file each, behind [`crate::engine::Engine`].

pub mod bdd_components;
pub mod bdd_groups;
pub mod bdd_refine;
pub mod composition;
pub mod compositional;
pub mod direct;
pub mod modular;
pub mod on_the_fly;
pub mod predicate_bdds;
pub mod predicates;
pub mod refine;
pub mod symbolic;

use crate::answer::Abstractions;
use crate::engine::{Certified, Checked, ClaimBytes, Context, Effort, Question};
use crate::error::{Diagnostics, Error};
use crate::event::Event;
use crate::explanation::Explanation;
use crate::explicit_model::ExplicitStates;
use crate::options::Semantics;
use crate::property::{About, NativeProperty};
use crate::transition_system::{FiniteModel, TransitionSystem};
use crate::unsupported::Unsupported;
use ::symbolic::Stop;
use audit::{CertificateKind, Claim};
use explicit::{
    COMPOSITIONAL, Checker, DIRECT, EmittedAbstraction, ExplainOptions, Outcome, Reason,
    Refinement, Request, Round, Thorough, certificate, deciding_facts,
};
use logic::{Formula, Truth};
use model::{Component, NO_BLOCK, PartialModel, System};
use report::TracedRound;
use std::sync::Arc;
use support::{Diagnostic, SourceMap};

/// Help for a deadlock that is an error.
pub const DEADLOCK_HELP: &str =
    "`--deadlock error` rejects deadlock states; `stutter` adds a self-loop, `warn` accepts them";

/// A question about a symbolic model.
pub struct SymbolicQuestion<'a> {
    pub model: &'a Arc<FiniteModel>,
    pub number: usize,
    /// The formulas that are asked together.
    pub chosen: Vec<usize>,
}

/// The symbolic model that a question is about.
pub fn symbolic_question<'a>(question: &Question<'a>) -> Option<SymbolicQuestion<'a>> {
    let About::Finite(model, number) = question.property.about() else { return None };
    let own = |property: &crate::Property| match property.about() {
        About::Finite(other, number) if Arc::ptr_eq(other, model) => Some(*number),
        _ => None,
    };
    let chosen = question.batch.iter().filter_map(own).collect();
    Some(SymbolicQuestion { model, number: *number, chosen })
}

impl<'a> SymbolicQuestion<'a> {
    /// The symbolic transition system, if the program has one.
    pub fn transition_system(&self) -> Result<&'a TransitionSystem, Error> {
        self.model.transition_system()
    }

    /// Whether the formula is translated by way of an automaton.
    fn is_of_linear_time(&self) -> bool {
        let property = self.model.all[self.number].property.as_ref();
        property.is_some_and(|property| property.surface.logic.has_linear_operators())
    }

    /// The formulas for which states are enumerated: with evidence all of the file, because `certify` enumerates for all.
    fn scope(&self, question: &Question) -> Vec<usize> {
        match question.options.evidence {
            true => (0..self.model.all.len()).collect(),
            false => self.chosen.clone(),
        }
    }
}

/// An explicit system with a formula about it.
pub struct ExplicitQuestion {
    pub states: Arc<ExplicitStates>,
    pub formula: Formula,
    pub property: NativeProperty,
}

/// Makes the question one about an explicit system, by enumeration if need be.
pub fn explicit(question: &Question, context: &Context) -> Result<ExplicitQuestion, Error> {
    let options = question.options;
    let (states, property) = match (question.property.about(), symbolic_question(question)) {
        (About::Components(surface, _), _) => {
            let name = question.property.name().to_owned();
            let property = NativeProperty { name, span: surface.span, surface: surface.clone() };
            (question.model.states(options.semantics)?, property)
        }
        (_, Some(machine)) => {
            let program = machine.transition_system()?;
            let property = program.all[machine.number].property.clone();
            let property =
                property.ok_or(Unsupported::Property("it is not supported".to_owned()))?;
            let (scope, trusting) = (machine.scope(question), !options.evidence);
            let states = context.sharing(|| {
                let (deadlock, most) = (options.deadlock, options.states);
                program.states(&scope, deadlock, trusting, most, context.monitor)
            })?;
            if machine.chosen.first() == Some(&machine.number) {
                warn(context, states.warnings(options.deadlock));
            }
            (states, property)
        }
        (_, None) => return Err(crate::integers::wants_ranges("direct").into()),
    };
    let formula = states.compile(&property.surface)?;
    Ok(ExplicitQuestion { states, formula, property })
}

/// Sends the observer warnings that have no place in a text.
pub fn warn(context: &Context, messages: Vec<Diagnostic>) {
    if !messages.is_empty() {
        let sources = SourceMap::new();
        context.observer.event(Event::Warnings(&Diagnostics { messages, sources }));
    }
}

/// Answers a question about an explicit system by one of its engines.
pub fn check_explicit(
    question: &Question,
    context: &Context,
    checker: Checker,
    refinement: Refinement,
) -> Result<Checked, Error> {
    let options = question.options;
    let ExplicitQuestion { states, formula, property } = explicit(question, context)?;
    let watch = |round: &Round| {
        if options.rounds && context.effort == Effort::Unlimited {
            let round = TracedRound::Refined(Box::new(round.clone()));
            context.observer.event(Event::Round(question.property, round));
        }
    };
    let order = components("--order", &options.order, &states.system)?;
    let request = Request {
        values: options.values,
        order: &order,
        deadlock: options.deadlock,
        thorough: options.semantics == Some(Semantics::Thorough),
        evidence: options.evidence,
        refinement,
        limit: context.effort.limit(),
        watch: &watch,
        ..Request::new(&states.system, &formula, context.monitor)
    };
    let mut outcome = checker.run(&request).map_err(|error| refusal(question, &error))?;
    if let (1.., Some(Reason::Undetermined(_))) = (options.causes, &outcome.reason) {
        // The minimal sets name states of components; `refine` would name abstract ones.
        outcome.causes = deciding_facts(COMPOSITIONAL, &request, options.causes);
    }
    let method = (!checker.suits(&states.system, options.values) || outcome.unsuited.is_some())
        .then_some(DIRECT.name);
    states.in_all_states(&mut outcome);
    if let Some(machine) = symbolic_question(question) {
        let program = machine.transition_system()?;
        for (state, _) in &mut outcome.initial {
            *state = program.state_in_words(state);
        }
    }
    if states.deadlock_state.is_some() {
        // Already reported by the enumeration, whose deadlock states are not these.
        outcome.deadlock_state = None;
    }
    let certified = certified(question, &states.system, &formula, &mut outcome)?;
    let abstractions = match outcome.abstractions.is_empty() {
        true => Abstractions::default(),
        false => {
            let property = states.native(&property, &formula)?;
            abstractions(&states.system, &property, &outcome.abstractions)
        }
    };
    Ok(Checked { outcome, method, certified, abstractions })
}

/// The certificate of an outcome with evidence.
fn certified(
    question: &Question,
    system: &System,
    formula: &Formula,
    outcome: &mut Outcome,
) -> Result<Certified, Error> {
    if !question.options.evidence || !outcome.verdict.is_definite() {
        return Ok(Certified::NotRequested);
    }
    if outcome.thorough.is_some() {
        return Ok(not_certified(question, "the thorough semantics has no certificates"));
    }
    let Some(evidence) = outcome.evidence.take() else {
        return Ok(not_certified(question, LIMIT_BEFORE_EVIDENCE));
    };
    let claim = claim(question, formula, outcome.verdict);
    let mut bytes = Vec::new();
    certificate::write_claim(&mut bytes, &claim, &evidence)
        .map_err(|error| Error::message(error.to_string()))?;
    let header = CertificateKind::Explicit.header(system.digest());
    let claim = ClaimBytes { header, before: Vec::new(), claim: bytes, is_sealed: false };
    Ok(Certified::Claim(Arc::new(claim)))
}

const LIMIT_BEFORE_EVIDENCE: &str = "a limit was reached before its evidence was complete";

fn not_certified(question: &Question, why: &str) -> Certified {
    Certified::Unavailable(format!("`{}` is not certified: {why}", question.property.name()))
}

fn claim(question: &Question, formula: &Formula, verdict: Truth) -> Claim {
    let after = question.options.deadlock.claimed();
    Claim::new(question.property.name(), formula, after, verdict == Truth::True)
}

/// The certificate of a verdict on components that was found with BDDs, by a proof with sets of states.
fn certified_by_sets(
    question: &Question,
    system: &System,
    formula: &Formula,
    verdict: Truth,
    shown: impl FnOnce(&Claim) -> Result<Option<Vec<u8>>, Stop>,
) -> Result<Certified, Error> {
    if !question.options.evidence || !verdict.is_definite() {
        return Ok(Certified::NotRequested);
    }
    let claim = match shown(&claim(question, formula, verdict)) {
        Ok(Some(claim)) => claim,
        Ok(None) => {
            let message = format!("`{}` cannot be certified", question.property.name());
            return Err(Error::message(message).with_help(crate::REPORT));
        }
        Err(Stop::Stopped(stopped)) => return Err(stopped.into()),
        Err(Stop::Full | Stop::Crowded) => {
            return Ok(not_certified(question, LIMIT_BEFORE_EVIDENCE));
        }
    };
    let header = CertificateKind::Components.header(system.digest());
    let claim = ClaimBytes { header, before: Vec::new(), claim, is_sealed: true };
    Ok(Certified::Claim(Arc::new(claim)))
}

/// The abstractions of components as texts.
fn abstractions(
    system: &System,
    property: &NativeProperty,
    emitted: &[EmittedAbstraction],
) -> Abstractions {
    // An `unknown` component stays one: of its initial states a system has some, which no other kind of
    // component can say.
    let abstracted = |(part, model): (&Component, &PartialModel)| match part.is_unknown {
        true => part.clone(),
        false => Component { model: model.clone(), is_unknown: false },
    };
    let models = emitted.iter().map(|one| &one.model);
    let parts: Vec<Component> = system.components.iter().zip(models).map(abstracted).collect();
    let alone = parts.iter().map(|part| {
        let alone = System { components: vec![part.clone()], sync: model::Sync::default() };
        (Some(part.model.name.clone()), front::write_tm(&alone, &[], &[]))
    });
    let mut texts: Vec<(Option<String>, String)> = alone.collect();
    let all = System { components: parts.clone(), sync: system.sync.clone() };
    texts.push((None, front::write_tm(&all, &[], &[property.specification()])));
    let named = system.components.iter().zip(emitted).filter(|(_, one)| one.is_included);
    let named = named.map(|(part, one)| (part.model.name.clone(), classes(&part.model, one)));
    Abstractions { texts, classes: named.collect() }
}

/// The names of the states behind each abstract state.
fn classes(component: &PartialModel, emitted: &EmittedAbstraction) -> Vec<Vec<String>> {
    let mut classes = vec![Vec::new(); emitted.model.states()];
    for (state, &block) in (0..).zip(&emitted.blocks).filter(|(_, block)| **block != NO_BLOCK) {
        classes[block as usize].push(component.state_name(state));
    }
    classes
}

/// Why a question is not a proper one, under the formula if that is what shows it.
pub fn refusal(question: &Question, error: &explicit::CheckError) -> Error {
    if let explicit::CheckError::Deadlock(_) = error {
        return Error::message(error.to_string()).with_help(DEADLOCK_HELP);
    }
    let name = question.property.name();
    let is_shown_by_it = matches!(error, explicit::CheckError::Contradiction { .. });
    let diagnostics = match question.property.span() {
        Some(span) if is_shown_by_it => {
            let label = format!("found with the property `{name}`");
            Error::of(
                vec![Diagnostic::error(error.to_string(), span, label)],
                question.property.sources(question.model),
            )
        }
        _ => Error::message(format!("`{name}`: {error}")),
    };
    Error::Property(Box::new(diagnostics.diagnostics()))
}

/// Explains the answer of one of the engines for explicit systems.
pub fn explain_explicit(
    question: &Question,
    context: &Context,
    checker: Checker,
) -> Result<Explanation, Error> {
    let asked = explicit(question, context)?;
    context.note(asked.states.starts_that_cover());
    explain_asked(question, context, checker, asked)
}

/// Explains the verdict on states that are known to be enough for it.
pub fn explain_states(
    question: &Question,
    context: &Context,
    checker: Checker,
    states: Arc<ExplicitStates>,
) -> Result<Explanation, Error> {
    let no_states = || Unsupported::Property("it has no states".to_owned());
    let machine = symbolic_question(question).ok_or_else(no_states)?;
    let property = machine.transition_system()?.all[machine.number].property.clone();
    let not_supported = || Unsupported::Property("it is not supported".to_owned());
    let property = property.ok_or_else(not_supported)?;
    let formula = states.compile(&property.surface)?;
    explain_asked(question, context, checker, ExplicitQuestion { states, formula, property })
}

fn explain_asked(
    question: &Question,
    context: &Context,
    checker: Checker,
    ExplicitQuestion { states, formula, property }: ExplicitQuestion,
) -> Result<Explanation, Error> {
    let options = question.options;
    let request = Request {
        deadlock: options.deadlock,
        thorough: options.semantics == Some(Semantics::Thorough),
        limit: context.effort.limit(),
        ..Request::new(&states.system, &formula, context.monitor)
    };
    let wish = ExplainOptions { positions: options.positions, shortest: options.shortest };
    let (mut outcome, explanation) = explicit::explain(checker, &request, &wish)
        .map_err(|error| Error::message(format!("`{}`: {error}", property.name)))?;
    if outcome.thorough == Some(Thorough::Agree) {
        let why = "it is the verdict of all refinements, and there is no one strategy to follow";
        let help = "without `--semantics thorough`, `explain` shows what the model does not say";
        return Err(Unsupported::Explanation { why, help }.into());
    }
    if states.deadlock_state.is_some() {
        outcome.deadlock_state = None;
    }
    let names = states.system.components.iter().map(|part| part.model.name.clone()).collect();
    let mut explanation = explanation
        .unwrap_or_else(|| logic::evidence::UnfoldedEvidence::bare(outcome.verdict, names));
    explanation.constants = states.constants.clone();
    let (formula, source) = (Some(formula), Some((states, property)));
    Ok(Explanation { formula, source, ..Explanation::new(outcome, explanation) })
}

/// The components that an option names.
pub fn components(option: &str, wanted: &[String], system: &System) -> Result<Vec<usize>, Error> {
    let mut found = Vec::new();
    for name in wanted.iter().map(|name| name.trim()) {
        if name.is_empty() {
            return Err(Error::message(format!("`{option}`: the name of a component is missing"))
                .with_help(format!("write for example `{option} A,B`")));
        }
        let component = crate::explicit_model::component_named(option, name, system)?;
        if found.contains(&component) {
            return Err(Error::message(format!("`{option}` names the component `{name}` twice")));
        }
        found.push(component);
    }
    Ok(found)
}

/// Refuses what means nothing for explicit models.
pub fn not_for_components(question: &Question) -> Result<(), Unsupported> {
    if let Some(option) = question.options.modules_option() {
        let help = match option {
            "--unknown" => "write `component A unknown { … }` for one that is missing",
            _ => "the components of other files are those of the `system` line",
        };
        let input = "the modules of an SMV file";
        return Err(Unsupported::OptionForInput { option, input, help });
    }
    not_over_integers(question)
}

/// Refuses what means nothing where there are finitely many states.
pub fn not_over_integers(question: &Question) -> Result<(), Unsupported> {
    let options = question.options;
    if options.solver.is_some() {
        return Err(Unsupported::SOLVER);
    }
    if !options.assume.is_empty() {
        return Err(Unsupported::OptionForInput {
            option: "--assume",
            input: "programs with holes, by the method `modular`",
            help: "",
        });
    }
    Ok(())
}

/// Why a symbolic model cannot be taken as one, as what an engine does not support.
pub fn has_transition_system(machine: &SymbolicQuestion) -> Result<(), Unsupported> {
    match machine.transition_system() {
        Ok(_) => Ok(()),
        Err(error) => Err(Unsupported::Composition(error.to_string())),
    }
}

/// Says that an engine is for explicit models.
pub fn explicit_only(method: &'static str) -> Unsupported {
    Unsupported::Input { method, does: "on explicit states needs an explicit model", help: "" }
}

/// Refuses what only a list of states can tell.
pub fn direct_only_options(question: &Question) -> Result<(), Unsupported> {
    match question.options.values {
        true => Err(Unsupported::Option {
            option: "--values",
            methods: "direct",
            method: "symbolic",
            because: "",
        }),
        false => Ok(()),
    }
}
