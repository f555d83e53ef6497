//! One process of M with an equivalence on its states: its share of the modal transition system of A §5.
//!
//! Between two classes there is a link where some state of the one steps to some state of the other: a may
//! edge. How many sources and targets take part says whether it is a must edge, and in which direction.
//! A split moves the smaller half, edge by edge, so that all splits together cost E log V.

use crate::lts::Lts;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A may edge of the abstraction.
#[derive(Clone, Copy, Debug)]
struct Link {
    action: u32,
    target: u32,
    /// How many states of the source class have such a step.
    sources: u32,
    /// How many states of the target class are reached by one.
    targets: u32,
}

/// Whether an edge of the abstraction is a must edge, for the two analyses of A §5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Musts {
    pub forward: bool,
    pub backward: bool,
}

impl Musts {
    pub const BOTH: Musts = Musts { forward: true, backward: true };

    /// Of a joint edge: each part's must be (A §5, the composition of MTSs).
    pub fn and(self, other: Musts) -> Musts {
        Musts { forward: self.forward && other.forward, backward: self.backward && other.backward }
    }

    /// Of edges that are one for the labels.
    pub fn or(self, other: Musts) -> Musts {
        Musts { forward: self.forward || other.forward, backward: self.backward || other.backward }
    }
}

#[derive(Default)]
struct Class {
    members: Vec<u32>,
    /// Sorted by action and target.
    links: Vec<Link>,
    /// By action, sorted: how many members can do it.
    enabled: Vec<(u32, u32)>,
}

pub(crate) struct Factor<'q> {
    lts: &'q Lts,
    class_of: Vec<u32>,
    classes: Vec<Class>,
    /// By state, action and class: how many steps lead from the state into the class.
    leaving: FxHashMap<(u32, u32, u32), u32>,
    /// By state, action and class: how many steps lead from the class to the state.
    arriving: FxHashMap<(u32, u32, u32), u32>,
}

impl<'q> Factor<'q> {
    /// The trivial abstraction of A §6: the initial states, and all others.
    pub fn trivial(lts: &'q Lts) -> Factor<'q> {
        let mut class_of = vec![1; lts.states()];
        lts.init.iter().for_each(|&state| class_of[state as usize] = 0);
        if class_of.iter().all(|&class| class == 1) {
            class_of.fill(0);
        }
        Factor::with_classes(lts, class_of)
    }

    /// No abstraction: each state is a class, and so every edge is a must edge. There is nothing to split,
    /// so nothing is counted.
    pub fn discrete(lts: &'q Lts) -> Factor<'q> {
        let class = |state: u32| {
            let link =
                |&(action, target): &(u32, u32)| Link { action, target, sources: 1, targets: 1 };
            Class {
                members: vec![state],
                links: lts.out.of(state).iter().map(link).collect(),
                enabled: lts.enabled(state).map(|action| (action, 1)).collect(),
            }
        };
        let states = lts.states() as u32;
        let (leaving, arriving) = (FxHashMap::default(), FxHashMap::default());
        let classes = (0..states).map(class).collect();
        Factor { lts, class_of: (0..states).collect(), classes, leaving, arriving }
    }

    fn with_classes(lts: &'q Lts, class_of: Vec<u32>) -> Factor<'q> {
        let count = class_of.iter().max().map_or(0, |&last| last as usize + 1);
        let classes = std::iter::repeat_with(Class::default).take(count).collect();
        let (leaving, arriving) = (FxHashMap::default(), FxHashMap::default());
        let mut factor = Factor { lts, class_of, classes, leaving, arriving };
        for state in 0..factor.class_of.len() as u32 {
            let class = factor.class(state);
            factor.classes[class as usize].members.push(state);
            factor.enable(state, class);
            for at in 0..factor.lts.out.of(state).len() {
                let (action, target) = factor.lts.out.of(state)[at];
                factor.account(state, action, target);
            }
        }
        factor
    }

    pub fn class(&self, state: u32) -> u32 {
        self.class_of[state as usize]
    }

    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The classes of the initial states, each once. All their members are initial.
    pub fn initial(&self) -> Vec<u32> {
        let mut classes: Vec<u32> = self.lts.init.iter().map(|&state| self.class(state)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    fn size(&self, class: u32) -> u32 {
        self.classes[class as usize].members.len() as u32
    }

    /// The actions that some member can do, each with how many can.
    pub fn enabled(&self, class: u32) -> &[(u32, u32)] {
        &self.classes[class as usize].enabled
    }

    /// The numbers of the links of an action.
    pub fn links(&self, class: u32, action: u32) -> Range<usize> {
        let links = &self.classes[class as usize].links;
        let begin = links.partition_point(|link| link.action < action);
        let len = links[begin..].partition_point(|link| link.action == action);
        begin..begin + len
    }

    /// The actions that may lead to one of these classes, each once.
    pub fn leading_to(&self, class: u32, targets: [u32; 2]) -> Vec<u32> {
        let links = self.classes[class as usize].links.iter();
        let mut actions: Vec<u32> =
            links.filter(|link| targets.contains(&link.target)).map(|link| link.action).collect();
        actions.dedup();
        actions
    }

    /// Where a link leads. A §5: a forward must edge reaches every state of its target, a backward one
    /// leaves every state of its source.
    pub fn link_at(&self, class: u32, at: usize) -> (u32, Musts) {
        let link = &self.classes[class as usize].links[at];
        let musts = Musts {
            forward: link.targets == self.size(link.target),
            backward: link.sources == self.size(class),
        };
        (link.target, musts)
    }

    /// Whether every member can do it, wherever that leads; `None` if no member can.
    pub fn all_enabled(&self, class: u32, action: u32) -> Option<bool> {
        let enabled = &self.classes[class as usize].enabled;
        let at = enabled.binary_search_by_key(&action, |&(action, _)| action).ok()?;
        Some(enabled[at].1 == self.size(class))
    }

    fn link(&mut self, class: u32, action: u32, target: u32) -> &mut Link {
        let links = &mut self.classes[class as usize].links;
        let at = links.binary_search_by_key(&(action, target), |link| (link.action, link.target));
        let at = at.unwrap_or_else(|at| {
            links.insert(at, Link { action, target, sources: 0, targets: 0 });
            at
        });
        &mut links[at]
    }

    fn account(&mut self, state: u32, action: u32, target: u32) {
        let (from, to) = (self.class(state), self.class(target));
        let leaving = self.leaving.entry((state, action, to)).or_default();
        *leaving += 1;
        let is_source = *leaving == 1;
        let arriving = self.arriving.entry((target, action, from)).or_default();
        *arriving += 1;
        let is_target = *arriving == 1;
        let link = self.link(from, action, to);
        link.sources += u32::from(is_source);
        link.targets += u32::from(is_target);
    }

    fn discount(&mut self, state: u32, action: u32, target: u32) {
        let (from, to) = (self.class(state), self.class(target));
        let is_source = take_one(&mut self.leaving, (state, action, to));
        let is_target = take_one(&mut self.arriving, (target, action, from));
        let link = self.link(from, action, to);
        link.sources -= u32::from(is_source);
        link.targets -= u32::from(is_target);
        if link.sources == 0 {
            let links = &mut self.classes[from as usize].links;
            links.retain(|link| (link.action, link.target) != (action, to));
        }
    }

    fn enable(&mut self, state: u32, class: u32) {
        let enabled = &mut self.classes[class as usize].enabled;
        for action in self.lts.enabled(state) {
            match enabled.binary_search_by_key(&action, |&(action, _)| action) {
                Ok(at) => enabled[at].1 += 1,
                Err(at) => enabled.insert(at, (action, 1)),
            }
        }
    }

    fn disable(&mut self, state: u32, class: u32) {
        let enabled = &mut self.classes[class as usize].enabled;
        for action in self.lts.enabled(state) {
            if let Ok(at) = enabled.binary_search_by_key(&action, |&(action, _)| action) {
                enabled[at].1 -= 1;
                if enabled[at].1 == 0 {
                    enabled.remove(at);
                }
            }
        }
    }

    /// Every step that a state begins or ends, a step to itself once.
    fn steps_at(&self, state: u32) -> Vec<(u32, u32, u32)> {
        let begins = self.lts.out.of(state).iter().map(|&(action, target)| (state, action, target));
        let ends = self.lts.into.of(state).iter().filter(|&&(_, source)| source != state);
        begins.chain(ends.map(|&(action, source)| (source, action, state))).collect()
    }

    fn relocate(&mut self, state: u32, class: u32) {
        let steps = self.steps_at(state);
        steps.iter().for_each(|&(source, action, target)| self.discount(source, action, target));
        self.disable(state, self.class(state));
        self.class_of[state as usize] = class;
        self.enable(state, class);
        steps.iter().for_each(|&(source, action, target)| self.account(source, action, target));
    }

    /// Splits a class into the members for which it is so and the others; the new class. `None` if it is
    /// so for all or for none.
    fn split(&mut self, class: u32, is_so: impl Fn(&Factor<'q>, u32) -> bool) -> Option<u32> {
        let members = std::mem::take(&mut self.classes[class as usize].members);
        let (mut stay, mut go): (Vec<u32>, Vec<u32>) =
            members.into_iter().partition(|&state| is_so(self, state));
        if stay.len() < go.len() {
            std::mem::swap(&mut stay, &mut go);
        }
        self.classes[class as usize].members = stay;
        if go.is_empty() {
            return None;
        }
        let new = self.classes.len() as u32;
        self.classes.push(Class::default());
        go.iter().for_each(|&state| self.relocate(state, new));
        self.classes[new as usize].members = go;
        Some(new)
    }

    /// A §6: keeps apart the targets that the edge reaches and those that it does not.
    pub fn split_targets(&mut self, class: u32, action: u32, target: u32) -> Option<u32> {
        self.split(target, |factor, state| factor.arriving.contains_key(&(state, action, class)))
    }

    /// Backward: the sources that the edge leaves, and those that it does not.
    pub fn split_sources(&mut self, class: u32, action: u32, target: u32) -> Option<u32> {
        self.split(class, |factor, state| factor.leaving.contains_key(&(state, action, target)))
    }

    /// Backward from π: the states that can do it, and those that cannot.
    pub fn split_enabled(&mut self, class: u32, action: u32) -> Option<u32> {
        self.split(class, |factor, state| !factor.lts.out.by(state, action).is_empty())
    }
}

/// One fewer; whether it was the last.
fn take_one(counts: &mut FxHashMap<(u32, u32, u32), u32>, key: (u32, u32, u32)) -> bool {
    match counts.get_mut(&key) {
        Some(count) if *count > 1 => {
            *count -= 1;
            false
        }
        _ => counts.remove(&key).is_some(),
    }
}
