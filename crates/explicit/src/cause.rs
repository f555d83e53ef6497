//! Cause of an unknown in terms of the components (C §5.2: a failure cause belongs to components).

use crate::outcome::{Cause, DeadlockState, UncertainStep};
use crate::verdict::name;
use logic::Truth;
use model::{Component, EdgeClass, Mode, Model, System};

/// A proposition that is unknown in a state of the composition: unknown in that of a component.
pub(crate) fn unknown_label(system: &System, tuple: &[u32], prop: &str) -> Cause {
    let parts = system.components.iter().map(|part| &part.model).zip(tuple.iter().copied());
    let mut owners = parts.filter_map(|(model, state)| {
        let prop = model.props().get(prop)?;
        (model.label(state, prop) == Truth::Unknown).then_some((model, state))
    });
    let (component, state) = match owners.next() {
        Some((model, state)) => (model.name.clone(), model.state_name(state)),
        None => (String::new(), String::new()),
    };
    Cause::Label { component, state, prop: prop.to_owned() }
}

/// A transition of the composition that may happen: the steps of the components that leave it open.
pub(crate) fn uncertain_transition(
    system: &System,
    source: &[u32],
    target: &[u32],
    action: Option<String>,
) -> Cause {
    let moves = system.components.iter().zip(source.iter().copied().zip(target.iter().copied()));
    // A component that stands still in an action system makes no step. Of one that has the action of the
    // whole, only that step counts; synchronisation vectors may have renamed it.
    let same_action = |model: &Model, class: EdgeClass| match (&action, class.action) {
        (Some(name), Some(own)) => {
            model.actions().name(own) == name || model.actions().get(name).is_none()
        }
        _ => true,
    };
    let steps = moves
        .filter(|(Component { model, .. }, (from, to))| {
            let to_target = model.edges().out(*from).filter(|(next, _)| next == to);
            let mut steps = to_target.filter(|&(_, class)| same_action(model, class)).peekable();
            steps.peek().is_some() && !steps.any(|(_, class)| class.mode.must)
        })
        .map(|(part, (from, to))| UncertainStep {
            component: part.model.name.clone(),
            from: part.model.state_name(from),
            to: part.model.state_name(to),
            is_missing: part.is_unknown,
        })
        .collect();
    Cause::Transition { steps, action }
}

/// The composition may stand still, where nothing must follow and that is enough to do so: nobody makes a step.
pub(crate) fn stuttering() -> Cause {
    Cause::Transition { steps: Vec::new(), action: None }
}

/// A deadlock state of the composition, and the components that cannot move by themselves.
pub fn deadlock_state(system: &System, tuple: &[u32]) -> DeadlockState {
    let parts = system.components.iter().map(|part| &part.model).zip(tuple);
    let stuck = parts.filter(|(model, state)| model.moves(**state) == Mode::NONE);
    DeadlockState {
        state: name(system, tuple),
        stuck: stuck.map(|(model, _)| model.name.clone()).collect(),
    }
}
