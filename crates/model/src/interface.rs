//! Interfaces of components: enough of each to know which steps of others it cannot block.
//!
//! The paper's lifting (C Def. 4.3) takes every transition of a component for a may, because the other
//! side might not have a matching one. Often it is known to have one. The *summary* of a component
//! says of each reachable state which joint label it has and which joint labels its must successors
//! have; states with the same label and the same successor labels are one *profile*. It is computed
//! once, in time linear in the component, and forgets everything else.
//!
//! **When the environment cannot block a step s → t of a part I** of a propositional system. A component
//! is *free* in a joint proposition p if the successor labels of each profile are closed under changing
//! the value of p: it chooses its other propositions first and takes any value of p afterwards. It
//! is *early* in a set E of propositions if the successor labels of each profile have every combination
//! of values of E: it takes any values of E, and then chooses. Suppose (1) for every joint proposition
//! there is one component at most, its driver, that is neither free nor early in it, and no component
//! waits for itself, where those that are early in a proposition wait for its driver; (2) every profile
//! of an outside component has a successor; (3) for each profile of an outside component j whose label
//! agrees with s and for each combination of values of its early propositions outside I, there is a
//! successor label with these values that agrees with t on the propositions that j has in common with I
//! and is not free in. Then in each composed state over s there is a transition of the composition to a state
//! over t: go through the outside components in the order in which they wait for each other; the values
//! of j's early propositions are known, from t or from a driver before it; let j choose a successor label
//! as in (3); in the end change the propositions in which it is free to what their drivers have chosen,
//! which leaves it a must successor. So the lifted step may stay a must. (1) and (2) do not depend on the
//! step.
//!
//! **When the environment cannot block all steps from s into a set T.** Where a driver outside of I makes a choice that
//! no label shows, neither value of its proposition is certain, but one of them comes. The *inputs* of I are its joint
//! propositions with a driver outside. Let T be targets of must steps that agree on all other joint propositions, with
//! every combination of values of the inputs. With (1) and (2), in each composed state over s there is a transition to
//! a state over some t ∈ T, a must hyper-transition: go through the outside components as before. The values of j's
//! early propositions are known, from a driver before it or, if the driver is inside, from T. As j is early in them
//! together, it has a successor label with these values. In the end the drivers have chosen values of all inputs of I,
//! which are those of a t ∈ T, and the propositions in which a component is free are changed as before.
//!
//! In an action system a rule is unblockable if every part of it outside I can make its action, as a
//! must, in each of its reachable states.

use crate::edges::EdgeClass;
use crate::joint::JointLabels;
use crate::partial::{ActionId, PartialModel};
use crate::rules::{Rule, rules};
use crate::system::System;
use logic::{Family, Truth};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use support::Interner;

/// The rule of a step in which a part of the system stands still and others move.
pub const IDLE: u32 = u32::MAX;

/// The rule of the self-loop of a deadlock state.
pub const STUTTER: u32 = u32::MAX - 1;

/// The rule of a hyper-transition of which the environment chooses the member.
pub const CHOSEN: u32 = u32::MAX - 2;

/// The interfaces of all components of a system.
pub struct Interface {
    pub joint: JointLabels,
    summaries: Vec<Summary>,
    /// The components that are not free in a proposition without a known driver.
    contested: Vec<usize>,
    /// By joint proposition: its driver, if it has one and is not contested.
    drivers: Vec<Option<usize>>,
    /// By component: the propositions that it is early in, without being free.
    early: Vec<Vec<usize>>,
    values: Values,
    /// Of an action system; empty otherwise.
    pub rules: Vec<Rule>,
    /// The actions that the rules result in.
    pub actions: Interner<ActionId>,
    /// By component and local action: whether each of its reachable states must be able to make it.
    always: Vec<Vec<bool>>,
}

/// The joint labels of a component's states and of their must successors.
struct Summary {
    labels: Vec<Vec<u64>>,
    profiles: Vec<Profile>,
    /// The joint propositions that it is free in, in both halves.
    free: Vec<u64>,
}

/// The label of some states, and the labels that each of them has a must transition to, sorted.
#[derive(PartialEq, Eq, Hash)]
struct Profile {
    label: u32,
    next: Vec<u32>,
}

/// The demands of a component outside on a step of a part, if it is not to block it: from states with the source label,
/// for every set of targets a step to one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepDemand {
    pub source: JointValues,
    /// One set for each combination of values that the component has to be able to take: (3) above.
    pub targets: Vec<Vec<JointValues>>,
}

/// Values of some joint propositions, by their numbers.
pub type JointValues = Vec<(usize, Truth)>;

impl Interface {
    pub fn new(system: &System) -> Self {
        let joint = JointLabels::new(system);
        let mut actions = Interner::new();
        let mut interface = Self {
            summaries: Vec::new(),
            contested: Vec::new(),
            drivers: Vec::new(),
            early: Vec::new(),
            values: Values(Vec::new()),
            joint,
            rules: Vec::new(),
            always: Vec::new(),
            actions: Interner::new(),
        };
        if system.family() == Family::Actions {
            interface.rules = rules(system, &mut actions);
            interface.actions = actions;
            interface.always = system.components.iter().map(|c| always(&c.model)).collect();
            return interface;
        }
        let mut summaries: Vec<Summary> = (0..system.components.len())
            .map(|c| Summary::new(c, &system.components[c].model, &interface.joint))
            .collect();
        interface.values = Values::new(&summaries, &interface.joint);
        for (component, summary) in summaries.iter_mut().enumerate() {
            summary.find_free(interface.joint.own(component), &interface.values);
        }
        interface.summaries = summaries;
        interface.find_drivers();
        interface
    }

    /// Forgets the summaries: every component may block any step in which it takes part.
    #[must_use]
    pub fn without_summaries(mut self) -> Self {
        self.contested = (0..self.summaries.len()).collect();
        self.always.iter_mut().for_each(|always| always.fill(false));
        self
    }

    /// Computes the drivers of the propositions, and which components wait for which.
    fn find_drivers(&mut self) {
        let count = self.summaries.len();
        self.early = vec![Vec::new(); count];
        self.drivers = vec![None; self.joint.names().len()];
        let mut waits: Vec<Vec<usize>> = vec![Vec::new(); count];
        for prop in 0..self.joint.names().len() {
            let bound: Vec<usize> = (0..count).filter(|&c| self.is_bound(c, prop)).collect();
            let stubborn = |&&c: &&usize| !self.summaries[c].is_early(&[prop], &self.values);
            let unwilling: Vec<usize> = bound.iter().filter(stubborn).copied().collect();
            match (unwilling.len(), bound.first()) {
                (_, None) => {}
                (0 | 1, Some(&first)) => {
                    let driver = *unwilling.first().unwrap_or(&first);
                    self.drivers[prop] = Some(driver);
                    for &component in bound.iter().filter(|&&component| component != driver) {
                        self.early[component].push(prop);
                        waits[component].push(driver);
                    }
                }
                _ => self.contested.extend(bound),
            }
        }
        let waiting: Vec<usize> = (0..count).filter(|&c| !self.early[c].is_empty()).collect();
        let early = |&c: &usize| self.summaries[c].is_early(&self.early[c], &self.values);
        if has_cycle(&waits) || !waiting.iter().all(early) {
            self.contested.extend(waiting);
        }
    }

    /// Whether a component has a joint proposition and is not free in it.
    fn is_bound(&self, component: usize, prop: usize) -> bool {
        has(self.joint.own(component), prop) && !has(&self.summaries[component].free, prop)
    }

    pub fn components(&self) -> usize {
        self.summaries.len().max(self.always.len())
    }

    /// A component outside `inside` that may block any step at all: (1) and (2) above.
    pub fn general_blocker(&self, inside: &[bool]) -> Option<usize> {
        let outside = |&component: &usize| !inside[component];
        self.contested.iter().copied().find(outside).or_else(|| {
            let stuck = |&c: &usize| {
                self.summaries[c].profiles.iter().any(|profile| profile.next.is_empty())
            };
            (0..self.summaries.len()).filter(outside).find(stuck)
        })
    }

    /// A component outside that may block a step between two joint labels of the inside: (3) above.
    pub fn step_blocker(&self, inside: &[bool], source: &[u64], target: &[u64]) -> Option<usize> {
        let mask = self.mask(inside);
        (0..self.summaries.len())
            .filter(|&component| !inside[component])
            .find(|&component| self.may_block(component, &mask, source, target))
    }

    fn may_block(&self, component: usize, mask: &[u64], source: &[u64], target: &[u64]) -> bool {
        let own = self.joint.own(component);
        let summary = &self.summaries[component];
        if own.iter().zip(mask).all(|(a, b)| a & b == 0) {
            return false;
        }
        let driven = |word: usize| own[word] & mask[word] & !summary.free[word];
        let label = |number: u32| &summary.labels[number as usize][..];
        let agrees = |profile: &Profile| {
            JointLabels::agree(label(profile.label), source, |word| own[word] & mask[word])
        };
        let early = self.early[component].iter().copied();
        let early: Vec<usize> = early.filter(|&prop| !has(mask, prop)).collect();
        let matched = |profile: &Profile| {
            let next = profile.next.iter().copied();
            let fitting = next.filter(|&next| JointLabels::agree(label(next), target, driven));
            summary.covers(fitting, &early, &self.values)
        };
        summary.profiles.iter().any(|profile| agrees(profile) && !matched(profile))
    }

    /// The joint propositions of a part that components outside are the drivers of.
    pub fn inputs(&self, inside: &[bool]) -> Vec<usize> {
        let mask = self.mask(inside);
        let is_input = |&prop: &usize| {
            has(&mask, prop) && self.drivers[prop].is_some_and(|driver| !inside[driver])
        };
        (0..self.drivers.len()).filter(is_input).collect()
    }

    /// Sets of targets of a part's must steps from one state, given by their joint labels, such that the environment
    /// cannot block the steps into all of a set, unless it may block any step at all. A set has one target of a label;
    /// where there are several, each is in some set.
    pub fn unblockable_sets(&self, inputs: &[usize], targets: &[&[u64]]) -> Vec<Vec<usize>> {
        let wanted = self.values.combinations(inputs);
        if wanted < 2 || targets.len() < wanted {
            return Vec::new();
        }
        let mut by_output: BTreeMap<Vec<u64>, TargetsByInput> = BTreeMap::new();
        for (number, &target) in targets.iter().enumerate() {
            let mut output = target.to_vec();
            inputs.iter().for_each(|&input| set(&mut output, input, (false, false)));
            let input = inputs.iter().map(|&input| value(target, input)).collect();
            by_output.entry(output).or_default().entry(input).or_default().push(number);
        }
        let complete = by_output.into_values().filter(|by_input| by_input.len() >= wanted);
        complete.flat_map(one_of_each).collect()
    }

    /// The demands of a component outside: it cannot block a step that meets all of them, unless someone may block any
    /// step. [`step_blocker`](Self::step_blocker) for all steps at once.
    pub fn step_demands(&self, component: usize, inside: &[bool]) -> Vec<StepDemand> {
        let (mask, summary) = (self.mask(inside), &self.summaries[component]);
        let own = self.joint.own(component);
        let common: Vec<usize> = (0..self.joint.names().len())
            .filter(|&prop| has(own, prop) && has(&mask, prop))
            .collect();
        if common.is_empty() {
            return Vec::new();
        }
        let driven: Vec<usize> =
            common.iter().copied().filter(|&prop| !has(&summary.free, prop)).collect();
        let early = self.early[component].iter().copied();
        let early: Vec<usize> = early.filter(|&prop| !has(&mask, prop)).collect();
        let wanted = self.values.combinations(&early);
        let mut demands: Vec<StepDemand> = Vec::new();
        for profile in &summary.profiles {
            let mut targets: FxHashMap<JointValues, Vec<JointValues>> = FxHashMap::default();
            for &next in &profile.next {
                let of_choice = targets.entry(summary.values(next, &early)).or_default();
                let target = summary.values(next, &driven);
                if !of_choice.contains(&target) {
                    of_choice.push(target);
                }
            }
            let mut targets: Vec<Vec<JointValues>> = targets.into_values().collect();
            if targets.len() < wanted {
                targets = vec![Vec::new()];
            }
            let demand = StepDemand { source: summary.values(profile.label, &common), targets };
            if !demands.contains(&demand) {
                demands.push(demand);
            }
        }
        demands
    }

    /// The joint propositions of several components, in both halves.
    pub fn mask(&self, inside: &[bool]) -> Vec<u64> {
        let mut mask = vec![0; self.joint.words()];
        for component in (0..inside.len()).filter(|&component| inside[component]) {
            for (word, own) in mask.iter_mut().zip(self.joint.own(component)) {
                *word |= own;
            }
        }
        mask
    }

    /// A component outside that may be unable to take part in a rule.
    pub fn rule_blocker(&self, inside: &[bool], rule: u32) -> Option<usize> {
        let parts = self.rules[rule as usize].parts.iter();
        parts
            .filter(|&&(component, action)| {
                !inside[component] && !self.always[component][action.0 as usize]
            })
            .map(|&(component, _)| component)
            .next()
    }

    /// Whether a component inside takes part in a rule.
    pub fn takes_part(&self, inside: &[bool], rule: u32) -> bool {
        self.rules[rule as usize].parts.iter().any(|&(component, _)| inside[component])
    }
}

fn always(model: &PartialModel) -> Vec<bool> {
    let mut always = vec![true; model.actions().len()];
    for state in model.reachable().ones() {
        let mut can = vec![false; always.len()];
        for (_, EdgeClass { action, mode }) in model.edges().out(state as u32) {
            if let Some(action) = action {
                can[action.0 as usize] |= mode.must;
            }
        }
        always.iter_mut().zip(can).for_each(|(always, can)| *always &= can);
    }
    always
}

impl Summary {
    fn new(component: usize, model: &PartialModel, joint: &JointLabels) -> Self {
        let mut labels: Vec<Vec<u64>> = Vec::new();
        let mut ids: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
        let mut id = |state: u32| {
            let label = joint.of(component, state);
            if let Some(&id) = ids.get(label) {
                return id;
            }
            labels.push(label.to_vec());
            ids.insert(label.to_vec(), labels.len() as u32 - 1);
            labels.len() as u32 - 1
        };
        let mut profiles: FxHashSet<Profile> = FxHashSet::default();
        for state in model.reachable().ones() {
            let label = id(state as u32);
            let steps = model.edges().out(state as u32).filter(|(_, class)| class.mode.must);
            let mut next: Vec<u32> = steps.map(|(target, _)| id(target)).collect();
            next.sort_unstable();
            next.dedup();
            profiles.insert(Profile { label, next });
        }
        Self { profiles: profiles.into_iter().collect(), labels, free: vec![0; joint.words()] }
    }

    /// Whether the successor labels of each profile have every combination of values of `props`.
    fn is_early(&self, props: &[usize], values: &Values) -> bool {
        self.profiles.iter().all(|profile| self.covers(profile.next.iter().copied(), props, values))
    }

    /// Whether some labels have every combination of values of `props`; there has to be one label.
    fn covers(&self, labels: impl Iterator<Item = u32>, props: &[usize], values: &Values) -> bool {
        let of_label = |label: u32| {
            let words = &self.labels[label as usize];
            props.iter().map(|&prop| value(words, prop)).collect()
        };
        let found: FxHashSet<Vec<(bool, bool)>> = labels.map(of_label).collect();
        found.len() >= values.combinations(props)
    }

    /// The values of some propositions in a label.
    fn values(&self, label: u32, props: &[usize]) -> JointValues {
        let label = &self.labels[label as usize];
        let truth = |prop: usize| match value(label, prop) {
            (true, _) => Truth::True,
            (_, true) => Truth::False,
            _ => Truth::Unknown,
        };
        props.iter().map(|&prop| (prop, truth(prop))).collect()
    }

    /// Finds the propositions in which the successor labels are closed under every change.
    fn find_free(&mut self, own: &[u64], values: &Values) {
        let ids: FxHashMap<&[u64], u32> =
            self.labels.iter().zip(0..).map(|(label, id)| (label.as_slice(), id)).collect();
        let half = own.len() / 2;
        let closed = |prop: usize| {
            self.profiles.iter().all(|Profile { next, .. }| {
                next.iter().all(|&label| {
                    values.of(prop).iter().all(|&(yes, no)| {
                        let mut changed = self.labels[label as usize].clone();
                        set(&mut changed, prop, (yes, no));
                        let id = ids.get(changed.as_slice());
                        id.is_some_and(|id| next.binary_search(id).is_ok())
                    })
                })
            })
        };
        let mut free = vec![0; own.len()];
        for prop in 0..half * 64 {
            if own[prop / 64] >> (prop % 64) & 1 == 1 && closed(prop) {
                free[prop / 64] |= 1 << (prop % 64);
                free[half + prop / 64] |= 1 << (prop % 64);
            }
        }
        self.free = free;
    }
}

/// By values of the inputs: the targets with them.
type TargetsByInput = BTreeMap<Vec<(bool, bool)>, Vec<usize>>;

/// Sets with one of the targets for each combination of inputs, so many that each target is in one.
fn one_of_each(by_input: TargetsByInput) -> Vec<Vec<usize>> {
    let most = by_input.values().map(Vec::len).max().unwrap_or(0);
    let nth = |n: usize| by_input.values().map(move |targets| targets[n % targets.len()]);
    (0..most).map(|n| nth(n).collect()).collect()
}

/// Whether a proposition is in a mask.
fn has(mask: &[u64], prop: usize) -> bool {
    mask[prop / 64] >> (prop % 64) & 1 == 1
}

/// The value of a proposition in a label, as (true, false): unknown is neither.
fn value(label: &[u64], prop: usize) -> (bool, bool) {
    let half = label.len() / 2;
    (has(label, prop), has(&label[half..], prop))
}

/// Gives a proposition a value in a label.
fn set(label: &mut [u64], prop: usize, (yes, no): (bool, bool)) {
    let half = label.len() / 2;
    for (offset, value) in [(0, yes), (half, no)] {
        let word = &mut label[offset + prop / 64];
        *word = *word & !(1 << (prop % 64)) | u64::from(value) << (prop % 64);
    }
}

/// The values that each joint proposition has anywhere, as (true, false): unknown is neither.
struct Values(Vec<Vec<(bool, bool)>>);

impl Values {
    fn new(summaries: &[Summary], joint: &JointLabels) -> Self {
        let half = joint.words() / 2;
        let mut found: Vec<FxHashSet<(bool, bool)>> = vec![FxHashSet::default(); half * 64];
        for (component, summary) in summaries.iter().enumerate() {
            for label in &summary.labels {
                for (prop, found) in found.iter_mut().enumerate() {
                    let bit = |offset: usize| label[offset + prop / 64] >> (prop % 64) & 1 == 1;
                    if joint.own(component)[prop / 64] >> (prop % 64) & 1 == 1 {
                        found.insert((bit(0), bit(half)));
                    }
                }
            }
        }
        Self(found.into_iter().map(|values| values.into_iter().collect()).collect())
    }

    fn of(&self, prop: usize) -> &[(bool, bool)] {
        &self.0[prop]
    }

    /// How many combinations of values some propositions have.
    fn combinations(&self, props: &[usize]) -> usize {
        props.iter().map(|&prop| self.of(prop).len()).fold(1, usize::saturating_mul)
    }
}

/// Whether a component waits for itself.
fn has_cycle(waits: &[Vec<usize>]) -> bool {
    let mut waiting_for: Vec<usize> = waits.iter().map(Vec::len).collect();
    let mut done: Vec<usize> = (0..waits.len()).filter(|&c| waiting_for[c] == 0).collect();
    let mut next = 0;
    while next < done.len() {
        let component = done[next];
        next += 1;
        for (other, waits) in waits.iter().enumerate() {
            let uses = waits.iter().filter(|&&driver| driver == component).count();
            if uses > 0 {
                waiting_for[other] -= uses;
                if waiting_for[other] == 0 {
                    done.push(other);
                }
            }
        }
    }
    done.len() < waits.len()
}
