//! Whether an abstract state of the whole is a deadlock, as far as the worlds can say (for
//! `--deadlock stutter`).

use super::abstraction::Abstraction;
use super::world::{Offers, Step};
use model::{Interface, JointLabels, Mode};

/// Where it is looked up what a state can do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// In the concrete states behind it, if they agree.
    Concrete,
    /// In the abstract transitions, as somebody would who has nothing else.
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
    let offers = parts.iter().zip(tuple).map(|(part, &state)| match source {
        Source::Concrete => part.world.offers(state),
        Source::Abstract => Some(abstract_offers(part, state)),
    });
    let Some(offers) = offers.collect::<Option<Vec<Offers>>>() else { return Mode::MAY };
    Mode { may: can_move(interface, &offers, false), must: can_move(interface, &offers, true) }
}

/// Whether some transition may follow a tuple, by the steps of its states that have been asked for.
pub(super) fn may_move(interface: &Interface, parts: &[Abstraction], tuple: &[u32]) -> bool {
    let known = parts.iter().zip(tuple).map(|(part, &state)| {
        let steps = part.known_steps(state).iter();
        offered(part, steps.map(|&step| (step, false)))
    });
    can_move(interface, &known.collect::<Vec<Offers>>(), false)
}

/// Whether the components can make a step together; with `sure` by what they must be able to do.
fn can_move(interface: &Interface, offers: &[Offers], sure: bool) -> bool {
    if interface.rules.is_empty() {
        return fits(interface, offers, sure);
    }
    interface.rules.iter().any(|rule| {
        rule.parts.iter().all(|&(component, action)| {
            let mut own = offers[component].actions.iter();
            own.any(|&(a, must)| a == action && (must || !sure))
        })
    })
}

fn abstract_offers(part: &Abstraction, state: u32) -> Offers {
    let must = |step: &Step| {
        step.must.unwrap_or_else(|| part.world.must(state, step.action, &[step.target]))
    };
    offered(part, part.world.may(state).into_iter().map(|step| (step, must(&step))))
}

/// Labels and actions of steps, each with whether it must be there.
fn offered(part: &Abstraction, steps: impl Iterator<Item = (Step, bool)>) -> Offers {
    let mut offers = Offers { labels: Vec::new(), actions: Vec::new() };
    for (step, must) in steps {
        match step.action {
            Some(action) => offers.actions.push((action, must)),
            None => offers.labels.push((part.world.joint(step.target).to_vec(), must)),
        }
    }
    offers
}

/// Whether the components can go to states that agree on the joint labels.
fn fits(interface: &Interface, offers: &[Offers], sure: bool) -> bool {
    let words = interface.joint.words();
    search(interface, offers, sure, 0, &vec![0; words], &vec![0; words])
}

fn search(
    interface: &Interface,
    offers: &[Offers],
    sure: bool,
    component: usize,
    label: &[u64],
    mask: &[u64],
) -> bool {
    let Some(own) = offers.get(component) else { return true };
    let own_mask = interface.joint.own(component);
    own.labels.iter().any(|(next, must)| {
        let agrees = JointLabels::agree(next, label, |word| own_mask[word] & mask[word]);
        if (sure && !must) || !agrees {
            return false;
        }
        let join =
            |a: &[u64], b: &[u64]| -> Vec<u64> { a.iter().zip(b).map(|(a, b)| a | b).collect() };
        let (label, mask) = (join(label, next), join(mask, own_mask));
        search(interface, offers, sure, component + 1, &label, &mask)
    })
}
