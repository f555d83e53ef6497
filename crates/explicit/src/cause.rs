//! Cause of an unknown in terms of the components (C §5.2: a failure cause belongs to components).

use crate::outcome::{Cause, DeadlockState, UncertainStep};
use crate::verdict::{name, state_names};
use logic::{Family, Truth};
use model::{ActionId, Component, Mode, Rule, System};

/// A proposition that is unknown in a state of the composition: unknown in that of a component.
pub fn unknown_label(system: &System, tuple: &[u32], prop: &str) -> Cause {
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

/// A transition of the composition that may happen and need not: the uncertain steps of one rule that makes it (C Def.
/// 4.2, §6.1), of the one with the fewest if there are several. `rule` is its number, where that is known. If no rule
/// makes it, the system stutters.
pub fn uncertain_transition(
    system: &System,
    source: &[u32],
    target: &[u32],
    action: Option<String>,
    rule: Option<u32>,
) -> Cause {
    let participants: Vec<Vec<(usize, Option<ActionId>)>> = match system.family() {
        Family::Props => vec![(0..source.len()).map(|component| (component, None)).collect()],
        Family::Actions => {
            let (rules, shown) = system.rules();
            let makes_it = |&(number, candidate): &(u32, &Rule)| match rule {
                Some(rule) => rule == number,
                None => action.as_deref() == Some(shown.name(candidate.result)),
            };
            let own = |rule: &Rule| rule.parts.iter().map(|&(c, own)| (c, Some(own))).collect();
            (0..).zip(&rules).filter(makes_it).map(|(_, rule)| own(rule)).collect()
        }
    };
    let steps = participants.iter().filter_map(|own| uncertain_steps(system, source, target, own));
    Cause::Transition {
        steps: steps.min_by_key(Vec::len).unwrap_or_default(),
        action,
        target: state_names(system, target),
    }
}

/// The steps of the participants in a transition that are not certain; `None` if they do not make it.
fn uncertain_steps(
    system: &System,
    source: &[u32],
    target: &[u32],
    participants: &[(usize, Option<ActionId>)],
) -> Option<Vec<UncertainStep>> {
    let takes_part = |component| participants.iter().any(|&(c, _)| c == component);
    if (0..source.len()).any(|c| source[c] != target[c] && !takes_part(c)) {
        return None;
    }
    let mut steps = Vec::new();
    for &(component, action) in participants {
        let Component { model, is_unknown } = &system.components[component];
        let (from, to) = (source[component], target[component]);
        let own = model.edges().out(from).filter(|(t, class)| *t == to && class.action == action);
        let mode = own.fold(Mode::NONE, |mode, (_, class)| mode.or(class.mode));
        if !mode.may {
            return None;
        }
        if !mode.must {
            steps.push(UncertainStep {
                component: model.name.clone(),
                from: model.state_name(from),
                to: model.state_name(to),
                action: action.map(|action| model.actions().name(action).to_owned()),
                is_missing: *is_unknown,
            });
        }
    }
    Some(steps)
}

/// A state in which nothing must follow may stutter: no component makes a step.
pub(crate) fn stuttering(action: Option<String>, target: Vec<String>) -> Cause {
    Cause::Transition { steps: Vec::new(), action, target }
}

/// A deadlock state of the composition, and the components that cannot move by themselves.
pub fn deadlock_state(system: &System, tuple: &[u32]) -> DeadlockState {
    let parts = system.components.iter().map(|part| &part.model).zip(tuple);
    let blocked_components = parts.filter(|(model, state)| model.moves(**state) == Mode::NONE);
    DeadlockState {
        state: name(system, tuple),
        blocked_components: blocked_components.map(|(model, _)| model.name.clone()).collect(),
    }
}
