//! Profile of a component as a small model: the joint labels of its states, and the joint labels that their
//! successors can have. The interface summaries are made from it; no game is played on it.
//!
//! **Patterns that are no classes.** A component that takes whatever class of three a variable gets next is
//! free in it, but not in its bits one by one, because a fourth pattern does not occur. So where all classes
//! of a variable that it only reads are possible next, the other patterns are taken as possible,
//! too. In the proof for summaries all components agree in the end on every bit, and the owner of the variable never
//! steps to such a pattern; so no component does.

use crate::component::{EncodedComponent, SharedVariable};
use crate::joint::Values;
use bdd::{Bdd, Manager, Stop};
use logic::{PropId, Truth};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use transition::StateProperty;

/// With more joint labels than this a component shows nothing, so that it may block anything.
const MOST_LABELS: usize = 64;
/// Largest number of profiles, and of pairs of a profile and a label.
const MOST_PROFILES: usize = 1 << 10;
const MOST_PAIRS: usize = 1 << 16;

/// The label of some states, and the labels that all of them can go to.
type Profile = (Values, BTreeSet<Values>);

/// The model that stands for a component.
pub(crate) fn model(
    part: &EncodedComponent,
    blocks: &[(Values, Bdd)],
    names: &[StateProperty],
    manager: &mut Manager,
) -> Result<PartialModel, Stop> {
    let silent = || blocks.iter().map(|(label, _)| (label.clone(), BTreeSet::new())).collect();
    let mut profiles = profiles(part, blocks, manager)?.unwrap_or_else(silent);
    for SharedVariable { places, classes } in &part.read {
        profiles.iter_mut().for_each(|(_, next)| complete(places, *classes, next));
    }
    if profiles.iter().map(|(_, next)| next.len()).sum::<usize>() > MOST_PAIRS {
        profiles = silent();
    }
    Ok(built(part, &profiles, names))
}

/// The profiles of a component; `None` if they are too many.
fn profiles(
    part: &EncodedComponent,
    blocks: &[(Values, Bdd)],
    manager: &mut Manager,
) -> Result<Option<Vec<Profile>>, Stop> {
    if part.is_missing || blocks.len() > MOST_LABELS {
        return Ok(None);
    }
    let mut found: Vec<(Profile, Bdd)> = Vec::new();
    for (label, set) in blocks {
        found.push(((label.clone(), BTreeSet::new()), set.clone()));
    }
    for (label, block) in blocks {
        let before = part.relation.pre_image(block, manager)?;
        let mut parts = Vec::with_capacity(found.len());
        for ((of, next), set) in found {
            let [can, cannot] = [manager.and(&set, &before)?, manager.minus(&set, &before)?];
            if !can.is_empty() {
                let mut next = next.clone();
                next.insert(label.clone());
                parts.push(((of.clone(), next), can));
            }
            if !cannot.is_empty() {
                parts.push(((of, next), cannot));
            }
        }
        found = parts;
        if found.len() > MOST_PROFILES {
            return Ok(None);
        }
    }
    Ok(Some(found.into_iter().map(|(profile, _)| profile).collect()))
}

/// Adds the patterns of some bits that are no numbers of classes, where all numbers are.
fn complete(places: &[usize], classes: u32, labels: &mut BTreeSet<Values>) {
    let with = |label: &Values, pattern: u32| {
        let mut label = label.clone();
        for (bit, &place) in places.iter().enumerate() {
            label[place] = pattern >> bit & 1 == 1;
        }
        label
    };
    let is_first = |label: &&Values| places.iter().all(|&place| !label[place]);
    let takes_all =
        |label: &&Values| (0..classes).all(|class| labels.contains(&with(label, class)));
    let free: Vec<Values> = labels.iter().filter(is_first).filter(takes_all).cloned().collect();
    for label in free {
        labels.extend((classes..1 << places.len()).map(|pattern| with(&label, pattern)));
    }
}

fn built(part: &EncodedComponent, profiles: &[Profile], names: &[StateProperty]) -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::Kmts, part.name.clone());
    let joint: Vec<PropId> = part.joint.iter().map(|bit| builder.prop(&bit.name)).collect();
    for &(label, _) in &part.labels {
        builder.prop(&names[label].name);
    }
    let mut state = |label: &Values| {
        let state = builder.state(String::new());
        builder.init(state);
        for (&prop, &value) in joint.iter().zip(label) {
            builder.label(state, prop, Truth::from(value));
        }
        state
    };
    let states: Vec<u32> = profiles.iter().map(|(label, _)| state(label)).collect();
    let mut some: FxHashMap<&Values, u32> =
        profiles.iter().zip(&states).map(|((label, _), &state)| (label, state)).collect();
    // A label that no state has becomes a state with the successors of one that leads to it.
    let mut extra: BTreeMap<u32, &BTreeSet<Values>> = BTreeMap::new();
    for (_, next) in profiles {
        for label in next {
            if !some.contains_key(label) {
                let number = state(label);
                some.insert(label, number);
                extra.insert(number, next);
            }
        }
    }
    let sources = states.into_iter().zip(profiles.iter().map(|(_, next)| next)).chain(extra);
    for (source, next) in sources {
        for label in next {
            builder.edge(source, None, Mode::BOTH, some[label]);
        }
    }
    builder.finish()
}
