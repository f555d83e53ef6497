//! Several components lifted together to the composition: C Def. 4.3 for several at once.
//!
//! The product of parts (C Def. 4.5), computed from the definition and for given states only. A step of the components
//! together is a may step of the composition; it is a must if it is one of all of them and the environment cannot block
//! it, as [`Interface`] shows.

use super::tuples::Tuples;
use super::{Search, actions, props};
use crate::edges::{EdgeClass, Mode};
use crate::interface::Interface;
use crate::joint::JointLabels;
use crate::labelling::Labelling;
use crate::lift::{Lifter, Lifting};
use crate::names::StateNames;
use crate::partial::{ActionId, Kind, PartialModel, TAU};
use crate::rules::Rule;
use crate::system::System;
use logic::{ActionSet, Family};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use support::{Interner, Monitor, Stopped};

/// Makes regions of one system.
pub struct Regions<'a> {
    pub system: &'a System,
    pub interface: &'a Interface,
    /// The action sets of the formula: idle steps are distinguished only as far as these do.
    pub asked: &'a [ActionSet],
    /// Whether a deadlock state of the composition gets a self-loop.
    pub stutter: bool,
    pub monitor: &'a Monitor,
}

/// States of some components, with all their transitions.
pub struct JointRegion {
    /// The given states come first. The others are where transitions lead, and have none here.
    pub model: PartialModel,
    /// How many states were given, each of them counted once.
    pub given: u32,
    tuples: Tuples,
}

impl JointRegion {
    pub fn tuple(&self, state: u32) -> &[u32] {
        self.tuples.get(state)
    }

    /// The state that is this tuple.
    pub fn find(&self, tuple: &[u32]) -> Option<u32> {
        self.tuples.find(tuple)
    }
}

impl Regions<'_> {
    /// The region of some tuples of states, given one after the other.
    pub fn region(&self, components: &[usize], tuples: &[u32]) -> Result<JointRegion, Stopped> {
        let mut search = Search::new(components.len(), u32::MAX, self.monitor);
        for tuple in tuples.chunks(components.len()) {
            search.tuples.intern(tuple);
        }
        let given = search.tuples.len();
        let lifter = Lifter::of_several(self.interface, components, Lifting::Summaries);
        match self.system.family() {
            Family::Props => self.expand_props(&mut search, given, components, &lifter)?,
            Family::Actions => self.expand_actions(&mut search, given, components, &lifter)?,
        }
        self.finish(search, given, components)
    }

    fn models(&self, components: &[usize]) -> Vec<&PartialModel> {
        components.iter().map(|&component| &self.system.components[component].model).collect()
    }

    /// Whether these are all components.
    fn are_all_components(&self, components: &[usize]) -> bool {
        components.len() == self.system.components.len()
    }

    fn expand_props(
        &self,
        search: &mut Search,
        given: u32,
        components: &[usize],
        lifter: &Lifter,
    ) -> Result<(), Stopped> {
        let parts = props::Parts::new(self.models(components), self.monitor);
        let mut labels = Labels::new(&self.interface.joint, components);
        let mut known: FxHashMap<(u32, u32), bool> = FxHashMap::default();
        search.run("combining", self.monitor, |search, state, tuple| {
            if state == given {
                return ControlFlow::Break(());
            }
            let from = labels.of(state, tuple);
            let mut moves = Mode::NONE;
            let _ = parts.for_each_step(tuple, |target, mode| {
                moves = moves.or(mode);
                let next = search.tuples.intern(target);
                let must = mode.must && {
                    let to = labels.of(next, target);
                    let (a, b) = (labels.get(from), labels.get(to));
                    *known.entry((from, to)).or_insert_with(|| lifter.is_unblockable(a, b))
                };
                let mode = Mode { may: true, must };
                search.edge(state, EdgeClass { action: None, mode }, next);
                ControlFlow::Continue(())
            });
            self.stand_still(
                search,
                state,
                None,
                self.are_all_components(components).then_some(moves),
            );
            ControlFlow::Continue(())
        })
    }

    fn expand_actions(
        &self,
        search: &mut Search,
        given: u32,
        components: &[usize],
        lifter: &Lifter,
    ) -> Result<(), Stopped> {
        let (numbers, rules) = self.rules_inside(components);
        let (shown, tau) = self.actions();
        let models = self.models(components);
        let parts = actions::Parts::with_rules(models, shown, rules, self.monitor);
        let sure: Vec<bool> = numbers.iter().map(|&rule| !lifter.can_block(rule)).collect();
        let idle = lifter.idle_classes(self.asked);
        let mut steps = Vec::new();
        search.run("combining", self.monitor, |search, state, tuple| {
            if state == given {
                return ControlFlow::Break(());
            }
            let mut moves = Mode::NONE;
            let _ = parts.for_each_step(tuple, |rule, target, mode| {
                moves = moves.or(mode);
                let action = self.interface.rules[numbers[rule] as usize].result;
                let mode = Mode { may: true, must: mode.must && sure[rule] };
                steps.push((action, search.tuples.intern(target), mode));
                ControlFlow::Continue(())
            });
            actions::write(search, state, &mut steps);
            steps.clear();
            for &class in &idle {
                search.edge(state, class, state);
            }
            self.stand_still(
                search,
                state,
                Some(tau),
                self.are_all_components(components).then_some(moves),
            );
            ControlFlow::Continue(())
        })
    }

    /// Adds the self-loop of the composition if it has no must successor; of a part only may, since others may move.
    fn stand_still(
        &self,
        search: &mut Search,
        state: u32,
        action: Option<ActionId>,
        moves: Option<Mode>,
    ) {
        let mode = match moves {
            Some(moves) => moves.stuttering(),
            None => Some(Mode::MAY),
        };
        if let (true, Some(mode)) = (self.stutter, mode) {
            search.edge(state, EdgeClass { action, mode }, state);
        }
    }

    /// The rules in which some of these components take part: their numbers, and they themselves as far
    /// as they speak of these components, numbered among them.
    fn rules_inside(&self, components: &[usize]) -> (Vec<u32>, Vec<Rule>) {
        let place = |of: usize| components.iter().position(|&component| component == of);
        let inside = |rule: &Rule| {
            let parts = rule.parts.iter().filter_map(|&(c, action)| Some((place(c)?, action)));
            Rule { parts: parts.collect(), result: rule.result }
        };
        let all = self.interface.rules.iter().zip(0..);
        let all = all.map(|(rule, number)| (number, inside(rule)));
        all.filter(|(_, rule)| !rule.parts.is_empty()).unzip()
    }

    /// The actions of the composition, and the one of a stuttering step.
    fn actions(&self) -> (Interner<ActionId>, ActionId) {
        let mut actions = self.interface.actions.clone();
        let tau = actions.intern(TAU);
        (actions, tau)
    }

    fn finish(
        &self,
        search: Search,
        given: u32,
        components: &[usize],
    ) -> Result<JointRegion, Stopped> {
        let (tuples, edges, _) = search.finish(self.monitor)?;
        let flat = tuples.flat();
        let models = self.models(components);
        let names = models.iter().map(|model| model.names().clone()).collect();
        let names = StateNames::Product { parts: names, tuples: Arc::new(flat.to_vec()) };
        let is_props = self.system.family() == Family::Props;
        let own = props::Parts::new(models, self.monitor).label(flat);
        let labelled =
            PartialModel { labelling: own, names: names.clone(), ..PartialModel::empty() };
        let model = PartialModel {
            kind: if is_props { Kind::Kmts } else { Kind::Mts },
            labelling: Labelling::extended(&labelled, self.system.props()),
            actions: self.actions().0,
            names,
            edges,
            ..PartialModel::empty()
        };
        Ok(JointRegion { model, given, tuples })
    }
}

/// The joint labels of the states of a region, as [`JointLabels`] writes them, each numbered once.
struct Labels<'a> {
    joint: &'a JointLabels,
    components: &'a [usize],
    /// By state: the number of its label, if it has been asked for.
    of_states: Vec<u32>,
    ids: FxHashMap<Vec<u64>, u32>,
    labels: Vec<Vec<u64>>,
}

const NOT_ASKED: u32 = u32::MAX;

impl<'a> Labels<'a> {
    fn new(joint: &'a JointLabels, components: &'a [usize]) -> Self {
        let (ids, labels) = (FxHashMap::default(), Vec::new());
        Self { joint, components, of_states: Vec::new(), ids, labels }
    }

    fn of(&mut self, state: u32, tuple: &[u32]) -> u32 {
        let index = state as usize;
        if index >= self.of_states.len() {
            self.of_states.resize(index + 1, NOT_ASKED);
        }
        if self.of_states[index] == NOT_ASKED {
            self.of_states[index] = self.number(tuple);
        }
        self.of_states[index]
    }

    fn number(&mut self, tuple: &[u32]) -> u32 {
        let mut label = vec![0; self.joint.words()];
        for (&component, &state) in self.components.iter().zip(tuple) {
            let own = self.joint.of(component, state);
            label.iter_mut().zip(own).for_each(|(all, own)| *all |= own);
        }
        let fresh = self.labels.len() as u32;
        let number = *self.ids.entry(label.clone()).or_insert(fresh);
        if number == fresh {
            self.labels.push(label);
        }
        number
    }

    fn get(&self, number: u32) -> &[u64] {
        &self.labels[number as usize]
    }
}
