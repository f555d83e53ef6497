//! `compositional` for symbolic models: components as BDDs, only what is relevant composed (paper C, §6.2, Fig.
//! 10).

use super::symbolic::{self, by_definition, certify};
use super::{SymbolicQuestion, has_transition_system, not_over_integers, symbolic_question};
use crate::engine::{
    AUTO, Attempt, Certified, Checked, Context, Effort, Engine, Estimate, Question,
};
use crate::error::Error;
use crate::options::Options;
use crate::transition_system::components::{ComponentChoice, EncodedComponents};
use crate::transition_system::encoded::most_nodes;
use crate::unsupported::Unsupported;
use ::symbolic::{DecompositionError, Trial};
use explicit::{Deadlock, Inseparable, Outcome, Reason};
use std::sync::TryLockError;
use std::time::{Duration, Instant};
use support::{StopReason, Stopped};

pub struct BddComponents;

/// Nodes of BDDs that `auto` spends on components before it takes the model as one.
const NODES: usize = 400_000;
/// Steps of operations for each bit of a state, and at most. A model of few bits is soon done in one piece.
const STEPS: u64 = 15_000;
const MOST_STEPS: u64 = 4_000_000;

impl Engine for BddComponents {
    fn name(&self) -> &'static str {
        "compositional"
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let Some(machine) = symbolic_question(question) else {
            let does = "on variables needs a symbolic transition system";
            return Err(Unsupported::Input { method: "compositional", does, help: "" });
        };
        let options = question.options;
        not_over_integers(question)?;
        if !options.order.is_empty() {
            return Err(Unsupported::Together {
                why:
                    "`--order` is not supported for SMV files: the order follows from the property"
                        .to_owned(),
                help: "choose the components with `--components`",
            });
        }
        if options.deadlock != Deadlock::Warn && !options.missing.is_empty() {
            let why = "`--deadlock` needs the composition, and a component of it is missing";
            return Err(Unsupported::Composition(why.to_owned()));
        }
        has_transition_system(&machine)?;
        super::direct_only_options(question)?;
        let is_wanted = options.method != AUTO || options.modules_option().is_some();
        if is_wanted {
            return Ok(Estimate::of(1.0));
        }
        if options.deadlock != Deadlock::Warn {
            return Err(Unsupported::Composition(
                "deadlocks are a property of the composition".to_owned(),
            ));
        }
        let program = machine.transition_system().expect("it was just there");
        let steps = (STEPS * u64::from(program.bits(&machine.chosen))).min(MOST_STEPS);
        let effort = Effort::AtMost(steps);
        Ok(Estimate(vec![Attempt { cost: symbolic::COST - 1.0, effort }]))
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let machine = symbolic_question(question).expect("a symbolic model");
        let options = question.options;
        let program = machine.transition_system()?;
        let loader = question.model.loader();
        let parts = program.parts(options.components.as_deref(), &options.missing, loader)?;
        if let Some(outcome) = by_definition(&machine, question, context)? {
            return Ok(outcome.into());
        }
        let is_first = machine.chosen.first() == Some(&machine.number);
        let by_composition = |why: &str| {
            if is_first && !why.is_empty() && context.effort == Effort::Unlimited {
                context.note(format!("Note: {why}: `symbolic` is used\n"));
            }
            match context.effort {
                Effort::Unlimited => symbolic::instead(&machine, question, context),
                Effort::AtMost(_) => Ok(undecided()),
            }
        };
        let Some(parts) = parts else { return by_composition("") };
        if machine.is_of_linear_time() && program.has_fair_steps() {
            // A step of an automaton can ask for several conditions at once, which components see one by one.
            return by_composition(
                "a formula of linear time with fairness of steps needs the composition",
            );
        }
        if options.deadlock != Deadlock::Warn {
            return by_composition("`--deadlock` needs the composition");
        }
        let answered = with_parts(&machine, &parts, options, context, |in_parts| {
            answer(&machine, in_parts, &parts, question, context)
        });
        match answered {
            Ok(Ok(checked)) => Ok(checked),
            Ok(Err(DecompositionError::RuntimeErrors)) if !parts.missing.is_empty() => {
                let why = Reason::Inseparable(Inseparable::RunTimeErrors);
                Ok(Outcome::unknown(why).into())
            }
            Ok(Err(DecompositionError::RuntimeErrors)) => {
                by_composition(&Inseparable::RunTimeErrors.to_string())
            }
            // The composition has no initial state either, whatever is missing.
            Ok(Err(DecompositionError::NoInitialState)) => by_composition(""),
            Err(Error::Stopped(Stopped(StopReason::Nodes)))
                if context.effort != Effort::Unlimited =>
            {
                Ok(undecided())
            }
            Err(error) => Err(error),
        }
    }
}

fn undecided() -> Checked {
    Outcome::stopped(Stopped(StopReason::Nodes)).into()
}

fn effort(effort: Effort) -> ::symbolic::SearchLimit {
    match effort {
        Effort::Unlimited => ::symbolic::SearchLimit::Unlimited,
        Effort::AtMost(steps) => ::symbolic::SearchLimit::AtMost { nodes: NODES, steps },
    }
}

/// Does something with the encoded components, which are kept for the next question.
fn with_parts<T>(
    machine: &SymbolicQuestion,
    parts: &ComponentChoice,
    options: &Options,
    context: &Context,
    work: impl FnOnce(&mut EncodedComponents) -> Result<T, Error>,
) -> Result<Result<T, DecompositionError>, Error> {
    let program = machine.transition_system()?;
    let Options { components, missing, memory, .. } = options;
    let key =
        format!("{:?} {components:?} {missing:?} {memory:?} {:?}", machine.chosen, context.effort);
    let mut guard = match program.in_parts.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    };
    let kept = guard.as_mut().and_then(|guard| guard.take());
    let mut in_parts = match kept.filter(|(known, _)| *known == key) {
        Some((_, mut in_parts)) => {
            in_parts.watch(context.monitor);
            in_parts
        }
        None => {
            let (nodes, effort) = (most_nodes(*memory), effort(context.effort));
            let encode =
                || program.in_parts(&machine.chosen, parts, nodes, effort, context.monitor);
            let made = context.sharing(encode)?;
            match made {
                Ok(in_parts) => in_parts,
                Err(error) => return Ok(Err(error)),
            }
        }
    };
    let result = work(&mut in_parts);
    if let (Some(guard), Ok(_)) = (guard.as_mut(), &result) {
        **guard = Some((key, in_parts));
    }
    result.map(Ok)
}

fn answer(
    machine: &SymbolicQuestion,
    in_parts: &mut EncodedComponents,
    parts: &ComponentChoice,
    question: &Question,
    context: &Context,
) -> Result<Checked, Error> {
    let program = machine.transition_system()?;
    let asked = &program.all[machine.number];
    let effort = match effort(context.effort) {
        ::symbolic::SearchLimit::AtMost { nodes, steps } => {
            let left = steps.saturating_sub(in_parts.steps());
            if left == 0 || in_parts.len() < 2 || asked.property.is_none() {
                return Ok(undecided());
            }
            ::symbolic::SearchLimit::AtMost { nodes, steps: left }
        }
        whatever => whatever,
    };
    let mut begun = Instant::now();
    let watch = |trial: &Trial| {
        let is_open = !question.options.missing.is_empty();
        if context.effort == Effort::Unlimited {
            context.detail(line(&asked.name, trial, is_open, begun.elapsed()));
        }
        begun = Instant::now();
    };
    let outcome = in_parts.answer(asked, effort, watch)?;
    if context.effort != Effort::Unlimited && !outcome.verdict.is_definite() {
        return Ok(undecided());
    }
    let is_shown = question.options.evidence && outcome.verdict.is_definite();
    let certified = match is_shown && !parts.missing.is_empty() {
        true => {
            let name = &asked.name;
            Certified::Unavailable(format!("`{name}` is not certified: a component is missing"))
        }
        false => certify(in_parts, program, machine.number, question, outcome.verdict)?,
    };
    Ok(Checked::new(outcome, certified))
}

/// `safe`: a, b: unknown; bits 12, relevant states 40, nodes 200, 0.003 s
pub(super) fn line(name: &str, trial: &Trial, is_open: bool, time: Duration) -> String {
    const SHOWN: usize = 4;
    let Trial { components, is_complete, verdict, is_full, bits, relevant, nodes } = trial;
    let mut who = components.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if components.len() > SHOWN {
        who = format!("{who}, … ({} components)", components.len());
    }
    if *is_complete {
        let all = if is_open { "all given components" } else { "the composition" };
        let comma = if who.is_empty() { "" } else { ", " };
        who = format!("{all}{comma}{who}");
    }
    let found = match is_full {
        true => format!("too large, given up; bits {bits}"),
        false => format!("{verdict}; bits {bits}, relevant states {}", count(*relevant)),
    };
    let seconds = time.as_secs_f64();
    format!("`{name}`: {who}: {found}, nodes {nodes}, {seconds:.3} s\n")
}

/// Digits that mean something.
fn count(states: f64) -> String {
    if states < 1e15 { format!("{states:.0}") } else { format!("{states:.2e}") }
}
