//! The symbolic method for models in which must steps need not be may steps, lead to sets, or whose states cover
//! others (X §5): the whole is listed and then encoded, as such models are small where they are written by hand.

use super::composed::refuse_blocking;
use super::{News, Session};
use crate::Status;
use crate::flags::Check;
use crate::input::Trouble;
use crate::questions::Task;
use explicit::{Deadlock, Error, Method, Outcome, Reason, Stats, dead_end, verdict};
use logic::{Formula, Truth};
use model::{ComposeError, Kind, Model, System};
use std::borrow::Cow;
use std::time::Instant;
use symbolic::Policy;
use symbolic::mixed::Mixed;

/// Whether a system needs this.
pub fn is_mixed(system: &System) -> bool {
    let is_mixed = |model: &Model| {
        matches!(model.kind, Kind::MixTs | Kind::Gkmts) || !model.starts().is_empty()
    };
    system.components.iter().any(|part| is_mixed(&part.model))
}

/// Answers all questions about a system.
pub fn answer_all(
    flags: &Check,
    system: &System,
    policy: Policy,
    tasks: &[Task],
    session: &Session,
) -> Result<Status, Trouble> {
    let whole = system.whole(&session.monitor).map_err(|error| match error {
        ComposeError::Stopped(stopped) => Trouble::Stopped(stopped),
        ComposeError::NoComposableInit => Trouble::message(Error::NoComposableInit.to_string()),
    })?;
    let deadlock: Deadlock = flags.deadlock.into();
    let end = whole.dead_end().filter(|_| deadlock != Deadlock::Stutter);
    let end = end.map(|state| dead_end(system, &whole.members(state)));
    refuse_blocking(deadlock, end.as_ref())?;
    let whole = match deadlock {
        Deadlock::Stutter => Cow::Owned(whole.into_owned().stuttering()),
        _ => whole,
    };
    let mut mixed = Mixed::of_model(&whole, policy, &session.monitor)?;
    for task in tasks {
        let started = Instant::now();
        let mut outcome = answer(system, &whole, &mut mixed, &task.formula)?;
        outcome.dead_end.clone_from(&end);
        session.tell(News::answer(&task.question, outcome, started));
    }
    Ok(Status::Good)
}

fn answer(
    system: &System,
    whole: &Model,
    mixed: &mut Mixed,
    formula: &Formula,
) -> Result<Outcome, Trouble> {
    let evaluated = mixed.evaluate(formula, &mut |_| {})?;
    let value = |state: u32| {
        let contradiction = || Error::Contradiction {
            state: whole.state_name(state),
            subformula: formula.show(formula.root()),
        };
        mixed.in_state(&evaluated, state).ok_or_else(contradiction)
    };
    let initial = whole.init().iter().map(|&state| Ok((whole.members(state), value(state)?)));
    let initial = initial.collect::<Result<Vec<(Vec<u32>, Truth)>, Error>>();
    let initial = initial.map_err(|error| Trouble::message(error.to_string()))?;
    let verdict = verdict(system, &initial);
    Ok(Outcome {
        reason: (verdict == Truth::Unknown).then_some(Reason::Open),
        stats: Stats {
            states: Some(whole.states() as u64),
            iterations: Some(evaluated.all_iterations),
            diagram_nodes: Some(mixed.peak_nodes() as u64),
            ..Stats::default()
        },
        ..Outcome::new(verdict, Method::Symbolic)
    })
}
