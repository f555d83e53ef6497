//! Whether an abstract state of the composition is a deadlock, as far as the concretisations can say (for
//! `--deadlock stutter`).

use super::abstraction::Abstraction;
use super::concretisation::{AbstractStep, EnabledSteps};
use model::{Interface, JointLabels, Mode};

/// Where it is looked up what a state can do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// In the concrete states behind it, if they agree.
    Concrete,
    /// In the abstract transitions alone.
    Abstract,
}

/// Whether some transition may and whether some must follow each of the concrete states behind a tuple.
/// Where they differ, some transition may.
pub(super) fn moves(
    interface: &Interface,
    parts: &[Abstraction],
    tuple: &[u32],
    source: Source,
) -> Mode {
    let enabled = parts.iter().zip(tuple).map(|(part, &state)| match source {
        Source::Concrete => part.concrete.enabled(state),
        Source::Abstract => Some(abstract_enabled_steps(part, state)),
    });
    let Some(enabled) = enabled.collect::<Option<Vec<EnabledSteps>>>() else { return Mode::MAY };
    Mode { may: can_move(interface, &enabled, false), must: can_move(interface, &enabled, true) }
}

/// Whether some transition may follow a tuple, by the steps of its states that have been asked for.
pub(super) fn may_move(interface: &Interface, parts: &[Abstraction], tuple: &[u32]) -> bool {
    let known = parts.iter().zip(tuple).map(|(part, &state)| {
        let steps = part.known_steps(state).iter();
        enabled_among(part, steps.map(|&step| (step, false)))
    });
    can_move(interface, &known.collect::<Vec<EnabledSteps>>(), false)
}

/// Whether the components can make a step together; with `sure` by what they must be able to do.
fn can_move(interface: &Interface, enabled: &[EnabledSteps], sure: bool) -> bool {
    if interface.rules.is_empty() {
        return fits(interface, enabled, sure);
    }
    interface.rules.iter().any(|rule| {
        rule.parts.iter().all(|&(component, action)| {
            let mut own = enabled[component].actions.iter();
            own.any(|&(a, must)| a == action && (must || !sure))
        })
    })
}

fn abstract_enabled_steps(part: &Abstraction, state: u32) -> EnabledSteps {
    let must = |step: &AbstractStep| {
        step.must.unwrap_or_else(|| part.concrete.must(state, step.action, &[step.target]))
    };
    enabled_among(part, part.concrete.may(state).into_iter().map(|step| (step, must(&step))))
}

/// Labels and actions of steps, each with whether it must be there.
fn enabled_among(
    part: &Abstraction,
    steps: impl Iterator<Item = (AbstractStep, bool)>,
) -> EnabledSteps {
    let mut enabled = EnabledSteps { labels: Vec::new(), actions: Vec::new() };
    for (step, must) in steps {
        match step.action {
            Some(action) => enabled.actions.push((action, must)),
            None => enabled.labels.push((part.concrete.joint(step.target).to_vec(), must)),
        }
    }
    enabled
}

/// Whether the components can go to states that agree on the joint labels.
fn fits(interface: &Interface, enabled: &[EnabledSteps], sure: bool) -> bool {
    let words = interface.joint.words();
    search(interface, enabled, sure, 0, &vec![0; words], &vec![0; words])
}

fn search(
    interface: &Interface,
    enabled: &[EnabledSteps],
    sure: bool,
    component: usize,
    label: &[u64],
    mask: &[u64],
) -> bool {
    let Some(own) = enabled.get(component) else { return true };
    let own_mask = interface.joint.own(component);
    own.labels.iter().any(|(next, must)| {
        let agrees = JointLabels::agree(next, label, |word| own_mask[word] & mask[word]);
        if (sure && !must) || !agrees {
            return false;
        }
        let join =
            |a: &[u64], b: &[u64]| -> Vec<u64> { a.iter().zip(b).map(|(a, b)| a | b).collect() };
        let (label, mask) = (join(label, next), join(mask, own_mask));
        search(interface, enabled, sure, component + 1, &label, &mask)
    })
}
