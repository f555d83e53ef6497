//! Whether the components of a system can start together (C Def. 4.1).

use crate::joint::JointLabels;
use crate::system::System;
use rustc_hash::FxHashSet;
use support::{Monitor, Stopped};

/// Whether some tuple of initial states is composable: a search through the components, in which labels
/// that no later component sees are forgotten, so that what has failed once is known again.
pub(crate) fn can_start(system: &System, monitor: &Monitor) -> Result<bool, Stopped> {
    let joint = JointLabels::new(system);
    let shared = shared_with_the_rest(&joint, system.components.len());
    let mut tried: FxHashSet<(usize, Vec<u64>)> = FxHashSet::default();
    let mut open = vec![(0, vec![0; joint.words()])];
    while let Some((component, values)) = open.pop() {
        let Some(part) = system.components.get(component) else { return Ok(true) };
        if !tried.insert((component, values.clone())) {
            continue;
        }
        monitor.step(part.model.init().len() as u64)?;
        let (own, before, after) =
            (joint.own(component), &shared[component], &shared[component + 1]);
        for &state in part.model.init() {
            let label = joint.of(component, state);
            if JointLabels::agree(&values, label, |word| own[word] & before[word]) {
                let both = values.iter().zip(label).zip(after);
                open.push((component + 1, both.map(|((a, b), kept)| (a | b) & kept).collect()));
            }
        }
    }
    Ok(false)
}

/// By number of components: the propositions that the first so many share with the others.
fn shared_with_the_rest(joint: &JointLabels, components: usize) -> Vec<Vec<u64>> {
    let union = |of: std::ops::Range<usize>| {
        let mut all = vec![0; joint.words()];
        for component in of {
            all.iter_mut().zip(joint.own(component)).for_each(|(all, own)| *all |= own);
        }
        all
    };
    let shared = |first: usize| {
        let (before, after) = (union(0..first), union(first..components));
        before.iter().zip(after).map(|(a, b)| a & b).collect()
    };
    (0..=components).map(shared).collect()
}
