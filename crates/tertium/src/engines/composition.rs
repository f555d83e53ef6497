//! `symbolic` for explicit models: the composition in BDDs, never listed (paper C, §6.2; paper X, §5).

use super::{DEADLOCK_HELP, certified_by_sets, not_for_components};
use crate::engine::{AUTO, Checked, Context, Effort, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::{Explanation, Wanted};
use crate::explicit_model::ExplicitStates;
use crate::property::About;
use crate::transition_system::encoded::{most_nodes, stats};
use crate::unsupported::Unsupported;
use ::symbolic::mixed::{IterationOrder, Mixed};
use ::symbolic::{ComposedSystem, FailurePath, OpenFact, Policy, Stop, UnfitSystem, UnknownCause};
use audit::Claim;
use explicit::{
    COMPOSITIONAL, Deadlock, DeadlockState, Diagnosis, Outcome, Reason, Request, Stats,
    deadlock_state, deciding_facts, state_names, uncertain_transition, unknown_label, verdict,
};
use logic::{Formula, Truth};
use model::{ComposeError, Kind, PartialModel, System};
use std::borrow::Cow;
use support::{StopReason, Stopped};

pub struct BddComposition;

/// Nodes of BDDs that attempts may use at a time.
const NODES: [u64; 3] = [1 << 16, 1 << 19, 1 << 22];

/// The cost of a node, in states of a composition.
const COST: f64 = 0.5;

/// Nodes of products that may be spent on the cause of an unknown.
const NODES_OF_CAUSE: u64 = 1 << 17;

/// Components with more states in all are not encoded unless that is asked for.
const MOST_STATES: usize = 1 << 14;

impl Engine for BddComposition {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let About::Components(..) = question.property.about() else {
            let does = "on states needs an explicit model";
            return Err(Unsupported::Input { method: "symbolic", does, help: "" });
        };
        not_for_components(question)?;
        super::direct_only_options(question)?;
        let suits = |states: &ExplicitStates| !is_mixed(&states.system) && is_small(&states.system);
        let states = question.model.states(question.options.semantics);
        if question.options.method == AUTO {
            return Ok(match states.is_ok_and(|states| suits(&states)) {
                true => Estimate::trying(NODES, COST),
                false => Estimate(Vec::new()),
            });
        }
        if question.options.evidence && states.is_ok_and(|states| is_mixed(&states.system)) {
            let why = "`--method symbolic` certifies no verdicts on mixed components, or where must transitions lead to sets";
            let help = "leave `--method` out, or use `direct`";
            return Err(Unsupported::Certificate { why, help });
        }
        Ok(Estimate::trying(NODES, COST))
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let options = question.options;
        let super::ExplicitQuestion { states, formula, .. } = super::explicit(question, context)?;
        let policy = policy(question, context);
        let checked = match is_mixed(&states.system) {
            true => {
                check_mixed(&states, &formula, policy, options.deadlock, context).map(Checked::from)
            }
            false => check_composition(&states.system, &formula, policy, question, context),
        };
        match checked {
            Err(Error::Stopped(stopped @ Stopped(StopReason::Nodes)))
                if context.effort != Effort::Unlimited =>
            {
                Ok(Outcome::stopped(stopped).into())
            }
            checked => {
                let mut checked = checked?;
                let outcome = &mut checked.outcome;
                // Where this is an attempt among others, one that tells causes has its turn.
                let lacks_cause = outcome.reason == Some(Reason::NoCause)
                    || outcome.reason.is_some() && options.causes > 0;
                if lacks_cause && context.effort == Effort::Unlimited {
                    add_cause(outcome, &states.system, &formula, question, context);
                }
                Ok(checked)
            }
        }
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        if question.options.shape == Wanted::SubModel {
            let why = "the method `symbolic` has no sub-model to write";
            return Err(Unsupported::Explanation { why, help: "use `--method direct`" }.into());
        }
        let super::ExplicitQuestion { states, formula, property } =
            super::explicit(question, context)?;
        if is_mixed(&states.system) {
            let why = "the method `symbolic` has no explanations of mixed components, or where must transitions lead to sets";
            return Err(Unsupported::Explanation { why, help: "use `--method direct`" }.into());
        }
        let explained = explained(&states.system, &formula, question, context);
        let explanation = match explained {
            Err(Error::Stopped(stopped @ Stopped(StopReason::Nodes))) => {
                Explanation::bare(Outcome::stopped(stopped), Vec::new())
            }
            explained => explained?,
        };
        let (formula, source) = (Some(formula), Some((states, property)));
        Ok(Explanation { formula, source, ..explanation })
    }
}

/// A verdict of the composition with its evidence, if it is definite.
fn explained(
    system: &System,
    formula: &Formula,
    question: &Question,
    context: &Context,
) -> Result<Explanation, Error> {
    let mut composition = encoded(system, policy(question, context), question, context)?;
    let outcome = checked(&mut composition, system, formula, question, context)?;
    if !outcome.verdict.is_definite() {
        let names = system.components.iter().map(|part| part.model.name.clone()).collect();
        return Ok(Explanation::bare(outcome, names));
    }
    let scope = super::symbolic::evidence_scope(question.options);
    let is_true = outcome.verdict == Truth::True;
    let shown = composition.explain(system, formula, is_true, scope);
    let Some(shown) = shown.map_err(|stop| Error::Stopped(stop.into()))? else {
        let message = format!("`{}` cannot be explained", question.property.name());
        return Err(Error::message(message).with_help(crate::REPORT));
    };
    Ok(Explanation::new(outcome, shown))
}

/// The limits of the BDDs.
fn policy(question: &Question, context: &Context) -> Policy {
    let limit = context.effort.limit().map_or(usize::MAX, |nodes| nodes as usize);
    let most_nodes = most_nodes(question.options.memory).min(limit);
    Policy { most_nodes, ..Policy::default() }
}

/// The cause of an unknown for which BDDs had no room, or all causes, by the method `compositional`.
fn add_cause(
    outcome: &mut Outcome,
    system: &System,
    formula: &Formula,
    question: &Question,
    context: &Context,
) {
    if !COMPOSITIONAL.suits(system, false) {
        return;
    }
    let request = Request {
        deadlock: question.options.deadlock,
        limit: Some(NODES_OF_CAUSE),
        ..Request::new(system, formula, context.monitor)
    };
    let found = COMPOSITIONAL.run(&request).ok().and_then(|found| found.reason);
    if let Some(reason @ (Reason::Undetermined(_) | Reason::InitialStates { .. })) = found {
        outcome.reason = Some(reason);
        outcome.causes = deciding_facts(COMPOSITIONAL, &request, question.options.causes);
    }
}

fn check_composition(
    system: &System,
    formula: &Formula,
    policy: Policy,
    question: &Question,
    context: &Context,
) -> Result<Checked, Error> {
    let mut composition = encoded(system, policy, question, context)?;
    let outcome = checked(&mut composition, system, formula, question, context)?;
    let shown = |claim: &Claim| composition.certificate(formula, claim);
    let certified = certified_by_sets(question, system, formula, outcome.verdict, shown)?;
    Ok(Checked::new(outcome, certified))
}

fn encoded(
    system: &System,
    policy: Policy,
    question: &Question,
    context: &Context,
) -> Result<ComposedSystem, Error> {
    let stutters = question.options.deadlock == Deadlock::Stutter;
    ComposedSystem::new(system, stutters, policy, context.monitor).map_err(refused)
}

fn checked(
    composition: &mut ComposedSystem,
    system: &System,
    formula: &Formula,
    question: &Question,
    context: &Context,
) -> Result<Outcome, Error> {
    let deadlock = question.options.deadlock;
    let end = composition
        .deadlock_state()
        .filter(|_| deadlock != Deadlock::Stutter)
        .map(|tuple| deadlock_state(system, &tuple));
    refuse_blocking(deadlock, end.as_ref())?;
    let verdict = match composition.check(formula) {
        Ok(verdict) => verdict,
        Err(Stop::Stopped(stopped)) => return Err(stopped.into()),
        Err(full) => return Ok(Outcome::stopped(full.into())),
    };
    let mut outcome = Outcome {
        deadlock_state: end,
        stats: stats(&composition.stats()),
        ..Outcome::new(verdict)
    };
    if verdict == Truth::Unknown {
        let cause = || composition.unknown_cause(formula);
        outcome.reason = Some(unknown_reason(system, formula, question, context, cause)?);
    }
    Ok(outcome)
}

fn refuse_blocking(deadlock: Deadlock, end: Option<&DeadlockState>) -> Result<(), Error> {
    match (deadlock, end) {
        (Deadlock::Error, Some(end)) => {
            let error = explicit::CheckError::Deadlock(end.clone());
            Err(Error::message(error.to_string()).with_help(DEADLOCK_HELP))
        }
        _ => Ok(()),
    }
}

pub(super) fn refused(refusal: UnfitSystem) -> Error {
    match refusal {
        UnfitSystem::Stop(stop) => Error::Stopped(stop.into()),
        UnfitSystem::NoComposableInit => {
            Error::message(explicit::CheckError::NoComposableInit.to_string())
        }
        UnfitSystem::Kind { component, kind } => {
            let name = kind.name();
            let message =
                format!("`{component}` is a {name}, which `--method symbolic` does not support");
            Error::message(message).with_help("leave `--method` out, or use `direct`")
        }
    }
}

/// Why a verdict that was found with BDDs is unknown. No cause where there is not room enough for one, and where others
/// are asked for all causes.
pub(super) fn unknown_reason(
    system: &System,
    formula: &Formula,
    question: &Question,
    context: &Context,
    cause: impl FnOnce() -> Result<Option<UnknownCause>, Stop>,
) -> Result<Reason, Error> {
    if question.options.causes > 0 && context.effort != Effort::Unlimited {
        return Ok(Reason::NoCause);
    }
    let cause = match cause() {
        Err(Stop::Stopped(stopped)) => return Err(stopped.into()),
        Err(Stop::Full | Stop::Crowded) => None,
        Ok(cause) => cause,
    };
    let name = |tuple: &[u32]| state_names(system, tuple).join(",");
    Ok(match cause {
        Some(UnknownCause::Path(path)) => diagnosis(system, formula, path),
        Some(UnknownCause::Starts { satisfying, falsifying }) => {
            Reason::InitialStates { satisfying: name(&satisfying), falsifying: name(&falsifying) }
        }
        None => Reason::NoCause,
    })
}

/// The failure cause at the end of a path.
fn diagnosis(
    system: &System,
    formula: &Formula,
    FailurePath { path, cause }: FailurePath,
) -> Reason {
    let name = |tuple: &[u32]| state_names(system, tuple).join(",");
    let (Some((from, _)), Some((state, node))) = (path.first(), path.last()) else {
        return Reason::NoCause;
    };
    let cause = match cause {
        OpenFact::Label(prop) => unknown_label(system, state, system.props().name(prop)),
        OpenFact::Transition { target, action } => {
            uncertain_transition(system, state, &target, action, None)
        }
    };
    Reason::Undetermined(Diagnosis {
        from: name(from),
        state: name(state),
        subformula: formula.show(*node),
        cause,
        path,
        is_exact: false,
    })
}

/// Whether components have so few states that they are soon encoded.
pub fn is_small(system: &System) -> bool {
    let sizes = system.components.iter().map(|part| part.model.states());
    sizes.sum::<usize>() <= MOST_STATES
}

/// Whether must transitions need not be may transitions, lead to sets, or states cover others (X §5).
pub fn is_mixed(system: &System) -> bool {
    let is_mixed = |model: &PartialModel| {
        matches!(model.kind, Kind::MixTs | Kind::Gkmts) || !model.starts().is_empty()
    };
    system.components.iter().any(|part| is_mixed(&part.model))
}

/// Lists the composition and then encodes it: such models are small where they are written by hand.
fn check_mixed(
    states: &ExplicitStates,
    formula: &Formula,
    policy: Policy,
    deadlock: Deadlock,
    context: &Context,
) -> Result<Outcome, Error> {
    let system = &states.system;
    let composition = system.composed(context.monitor).map_err(|error| match error {
        ComposeError::Stopped(stopped) => Error::Stopped(stopped),
        ComposeError::NoComposableInit => {
            Error::message(explicit::CheckError::NoComposableInit.to_string())
        }
    })?;
    let end = composition.deadlock_state().filter(|_| deadlock != Deadlock::Stutter);
    let end = end.map(|state| deadlock_state(system, &composition.members(state)));
    refuse_blocking(deadlock, end.as_ref())?;
    let composition = match deadlock {
        Deadlock::Stutter => Cow::Owned(composition.into_owned().stuttering()),
        _ => composition,
    };
    let mut mixed = Mixed::of_model(&composition, policy, context.monitor)?;
    let evaluated = mixed.evaluate(formula, IterationOrder::ByComponents, &mut |_| {})?;
    let value = |state: u32| {
        let contradiction = || explicit::CheckError::Contradiction {
            state: composition.state_name(state),
            subformula: formula.show(formula.root()),
        };
        mixed.in_state(&evaluated, state).ok_or_else(contradiction)
    };
    let initial =
        composition.init().iter().map(|&state| Ok((composition.members(state), value(state)?)));
    let initial = initial.collect::<Result<Vec<(Vec<u32>, Truth)>, explicit::CheckError>>();
    let initial = initial.map_err(|error| Error::message(error.to_string()))?;
    let verdict = verdict(system, &initial);
    Ok(Outcome {
        reason: (verdict == Truth::Unknown).then_some(Reason::NoCause),
        deadlock_state: end,
        stats: Stats {
            states: Some(composition.states() as u64),
            iterations: Some(evaluated.all_iterations),
            bdd_nodes: Some(mixed.peak_nodes() as u64),
            ..Stats::default()
        },
        ..Outcome::new(verdict)
    })
}
