//! `symbolic` for symbolic models: sets of states as BDDs, fixpoints over them (monolithic).

use super::{
    DEADLOCK_HELP, SymbolicQuestion, has_transition_system, not_over_integers, symbolic_question,
    warn,
};
use crate::engine::{Certified, Checked, ClaimBytes, Context, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::{Explanation, Wanted};
use crate::options::Options;
use crate::transition_system::TransitionSystem;
use crate::transition_system::encoded::{Certifying, Encoded, most_nodes};
use crate::unsupported::Unsupported;
use audit::CertificateKind;
use explicit::{Deadlock, DeadlockState, Outcome};
use logic::Truth;
use std::sync::{Arc, TryLockError};
use support::{StopReason, Stopped};
use symbolic::EvidenceScope;

pub struct Symbolic;

/// The cost of BDDs as soon as there are more bits than are enumerated at a glance.
pub const COST: f64 = 4097.0;

const OF_NO_MACHINE: &str = "Warning: the specifications are trivially true, as paths are infinite by definition; `--deadlock error` searches for deadlock states\n";

impl Engine for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let Some(machine) = symbolic_question(question) else {
            let does = "on variables needs a symbolic transition system";
            return Err(Unsupported::Input { method: "symbolic", does, help: "" });
        };
        not_over_integers(question)?;
        if question.options.deadlock == Deadlock::Stutter {
            return Err(Unsupported::Together {
                why: "`--deadlock stutter` needs the explicit states of an SMV file".to_owned(),
                help: "use `--method direct`",
            });
        }
        has_transition_system(&machine)?;
        super::direct_only_options(question)?;
        Ok(Estimate::of(COST))
    }

    fn computes_lengths(&self) -> bool {
        true
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let machine = symbolic_question(question).expect("a symbolic model");
        check(&machine, question, context)
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        if question.options.deadlock != Deadlock::Warn {
            let why = "`--deadlock` needs explicit states here";
            return Err(Unsupported::Explanation { why, help: "use `--method direct`" }.into());
        }
        if question.options.shape == Wanted::SubModel {
            let why = "the method `symbolic` has no sub-model to write";
            return Err(Unsupported::Explanation { why, help: "use `--method direct`" }.into());
        }
        let machine = symbolic_question(question).expect("a symbolic model");
        let program = machine.transition_system()?;
        let number = machine.number;
        let scope = evidence_scope(question.options);
        with_encoded(&machine, question, context, |encoded| {
            let asked = &program.all[number];
            let outcome = encoded.answer(asked)?;
            let verdict = outcome.verdict;
            let has_start = !encoded.has_no_start();
            let shown = match verdict {
                // Without an initial state everything holds, and there is nothing to show.
                Truth::True | Truth::False if has_start => {
                    let is_true = verdict == Truth::True;
                    encoded.explain(program, asked, is_true, scope)?
                }
                _ => None,
            };
            if shown.is_none() && verdict.is_definite() && has_start {
                let message = format!("`{}` cannot be explained", asked.name);
                return Err(Error::message(message).with_help(crate::REPORT));
            }
            let name = vec![program.document.machine.name.clone()];
            let Some((formula, explanation)) = shown else {
                return Ok(Explanation::bare(outcome, name));
            };
            Ok(Explanation { formula: Some(formula), ..Explanation::new(outcome, explanation) })
        })
    }
}

/// How much evidence options ask for.
pub fn evidence_scope(options: &Options) -> EvidenceScope {
    EvidenceScope {
        positions: options.positions,
        is_path: options.shape == Wanted::Path,
        is_shortest: options.shortest,
    }
}

/// Checks a question for another method, which has to say so.
pub fn instead(
    machine: &SymbolicQuestion,
    question: &Question,
    context: &Context,
) -> Result<Checked, Error> {
    let checked = check(machine, question, context)?;
    Ok(Checked { method: Some(Symbolic.name()), ..checked })
}

/// Checks a question on the whole symbolic model.
pub fn check(
    machine: &SymbolicQuestion,
    question: &Question,
    context: &Context,
) -> Result<Checked, Error> {
    let program = machine.transition_system()?;
    let asked = &program.all[machine.number];
    if let Some(outcome) = by_definition(machine, question, context)? {
        return Ok(outcome.into());
    }
    with_encoded(machine, question, context, |encoded| {
        if let Some(distance) = &asked.distance {
            let outcome = encoded.length(distance)?;
            let why = format!("`{}` is not certified: it is no question of truth", asked.name);
            return Ok(Checked::new(outcome, Certified::Unavailable(why)));
        }
        let outcome = encoded.answer(asked)?;
        let certified = certify(encoded, program, machine.number, question, outcome.verdict)?;
        Ok(Checked::new(outcome, certified))
    })
}

/// The outcome of a specification that says nothing about the machine.
pub fn by_definition(
    machine: &SymbolicQuestion,
    question: &Question,
    context: &Context,
) -> Result<Option<Outcome>, Error> {
    let options = question.options;
    if options.evidence || options.deadlock != Deadlock::Warn {
        return Ok(None);
    }
    let program = machine.transition_system()?;
    let holds = |&number: &usize| program.holds_by_definition(number);
    for number in &machine.chosen {
        if !holds(number)? {
            return Ok(None);
        }
    }
    if machine.chosen.first() == Some(&machine.number) {
        context.note(OF_NO_MACHINE);
    }
    Ok(Some(Outcome::new(Truth::True)))
}

/// Does something with the encoded machine, which is kept for the next question. A second thread encodes its own.
pub fn with_encoded<T>(
    machine: &SymbolicQuestion,
    question: &Question,
    context: &Context,
    work: impl FnOnce(&mut Encoded) -> Result<T, Error>,
) -> Result<T, Error> {
    let program = machine.transition_system()?;
    let options = question.options;
    let mut guard = match program.encoded.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    };
    let kept = guard.as_mut().and_then(|guard| guard.take());
    let mut encoded = match kept.filter(|(chosen, _)| *chosen == machine.chosen) {
        Some((_, mut encoded)) => {
            encoded.watch(context.monitor);
            encoded
        }
        None => {
            let nodes = most_nodes(options.memory);
            let encode = || program.encode(&machine.chosen, nodes, context.monitor);
            let mut encoded = context.sharing(encode)?;
            if options.deadlock == Deadlock::Error
                && let Some(state) = encoded.deadlock_state(program)?
            {
                let blocked_components = vec!["main".to_owned()];
                let error =
                    explicit::CheckError::Deadlock(DeadlockState { state, blocked_components });
                return Err(Error::message(error.to_string()).with_help(DEADLOCK_HELP));
            }
            warn(context, encoded.warnings(program)?);
            encoded
        }
    };
    let result = work(&mut encoded);
    // What was stopped in the middle of something is not used again.
    if let (Some(guard), Ok(_)) = (guard.as_mut(), &result) {
        **guard = Some((machine.chosen.clone(), encoded));
    }
    result
}

/// The certificate of a definite verdict.
pub fn certify(
    encoded: &mut impl Certifying,
    program: &TransitionSystem,
    number: usize,
    question: &Question,
    verdict: Truth,
) -> Result<Certified, Error> {
    if !question.options.evidence || !verdict.is_definite() {
        return Ok(Certified::NotRequested);
    }
    let name = question.property.name();
    let asked = &program.all[number];
    let shown = match encoded.certificate(program, asked, verdict == Truth::True) {
        Err(Error::Stopped(Stopped(StopReason::Nodes))) => {
            let why = format!(
                "`{name}` is not certified: a limit was reached before its evidence was complete"
            );
            return Ok(Certified::Unavailable(why));
        }
        shown => shown?,
    };
    let Some((_, claim)) = shown else {
        return Err(
            Error::message(format!("`{name}` cannot be certified")).with_help(crate::REPORT)
        );
    };
    let header = CertificateKind::Symbolic.header(program.document.machine.digest());
    let claim = ClaimBytes { header, before: Vec::new(), claim, is_sealed: false };
    Ok(Certified::Claim(Arc::new(claim)))
}
