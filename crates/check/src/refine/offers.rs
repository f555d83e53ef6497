//! Whether an abstract state of the whole is a deadlock, as far as the worlds can say (for
//! `--deadlock stutter`).

use super::abstraction::Abstraction;
use super::world::Offers;
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
    if interface.rules.is_empty() {
        return Mode { may: fits(interface, &offers, false), must: fits(interface, &offers, true) };
    }
    let mut moves = Mode { may: false, must: false };
    for rule in &interface.rules {
        let offered = |wanted: Option<bool>| {
            rule.parts.iter().all(|&(component, action)| {
                let mut own = offers[component].actions.iter();
                own.any(|&(a, must)| a == action && wanted.is_none_or(|wanted| must == wanted))
            })
        };
        moves = moves.or(Mode { may: offered(None), must: offered(Some(true)) });
    }
    moves
}

fn abstract_offers(part: &Abstraction, state: u32) -> Offers {
    let mut offers = Offers { labels: Vec::new(), actions: Vec::new() };
    for step in part.world.may(state) {
        let must = step.must.unwrap_or_else(|| part.world.must(state, step.action, &[step.target]));
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
