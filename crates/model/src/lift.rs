//! A component as an abstraction of the composition (C Def. 4.3, C §6.1).

use crate::edges::{EdgeClass, Edges, Mode};
use crate::interface::{IDLE, Interface, STUTTER};
use crate::labelling::Labelling;
use crate::partial::{Kind, PartialModel, TAU};
use crate::system::System;
use logic::{ActionSet, Family};
use rustc_hash::FxHashMap;

/// How a lifted component takes its environment into account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifting {
    /// Nothing, as in the paper: a step in which others take part is a may.
    Paper,
    /// The interface summaries: a step that the environment cannot block stays a must.
    Summaries,
}

/// An edge class of a lifted component, as the product of two parts needs it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LiftedStep {
    /// The rule by which the step is made, or [`IDLE`], or [`STUTTER`]. There is one rule, 0, in a
    /// propositional system.
    pub rule: u32,
    /// Whether the component itself must make it.
    pub sure: bool,
}

/// M_i↑, a model over the propositions or actions of the composition.
pub struct LiftedComponent {
    pub component: usize,
    pub model: PartialModel,
    /// By edge class of the model.
    pub steps: Vec<LiftedStep>,
}

/// Lifts one component. `asked` are the action sets of the formula: idle steps are distinguished only as
/// far as these do. With `stutter` the composition may stutter anywhere, as far as the component determines it.
pub fn lift(
    system: &System,
    interface: &Interface,
    component: usize,
    asked: &[ActionSet],
    lifting: Lifting,
    stutter: bool,
) -> LiftedComponent {
    let lifter = Lifter::new(interface, component, lifting);
    let context = Context { system, component, lifter, stutter };
    match system.family() {
        Family::Props => context.lift_props(),
        Family::Actions => context.lift_actions(asked),
    }
}

/// Whether transitions of some components are transitions of the composition.
pub struct Lifter<'a> {
    interface: &'a Interface,
    inside: Vec<bool>,
    lifting: Lifting,
    /// The environment may block any step.
    blocked: bool,
}

impl<'a> Lifter<'a> {
    pub fn new(interface: &'a Interface, component: usize, lifting: Lifting) -> Self {
        Self::of_several(interface, &[component], lifting)
    }

    pub fn of_several(interface: &'a Interface, components: &[usize], lifting: Lifting) -> Self {
        let mut inside = vec![false; interface.components()];
        components.iter().for_each(|&component| inside[component] = true);
        let blocked = (lifting == Lifting::Paper && interface.components() > 1)
            || interface.general_blocker(&inside).is_some();
        Self { interface, inside, lifting, blocked }
    }

    /// Whether the environment cannot block a step between two joint labels.
    pub fn is_unblockable(&self, from: &[u64], to: &[u64]) -> bool {
        !self.blocked && self.interface.step_blocker(&self.inside, from, to).is_none()
    }

    /// The joint propositions of which the environment makes a hidden choice, if its choices are looked at.
    pub fn inputs(&self) -> Vec<usize> {
        match self.lifting {
            Lifting::Summaries if !self.blocked => self.interface.inputs(&self.inside),
            _ => Vec::new(),
        }
    }

    /// Whether another component may block a rule.
    pub fn can_block(&self, rule: u32) -> bool {
        match self.lifting {
            Lifting::Paper => self.interface.rules[rule as usize].parts.len() > 1,
            Lifting::Summaries => self.interface.rule_blocker(&self.inside, rule).is_some(),
        }
    }

    /// The rules of each of a component's actions, of which there are `actions`.
    pub fn rules_by_action(&self, of: usize, actions: usize) -> Vec<Vec<u32>> {
        let mut rules_of = vec![Vec::new(); actions];
        for (index, rule) in self.interface.rules.iter().enumerate() {
            for &(component, action) in &rule.parts {
                if component == of {
                    rules_of[action.0 as usize].push(index as u32);
                }
            }
        }
        rules_of
    }

    /// One class for all foreign rules that the formula does not tell apart.
    pub fn idle_classes(&self, asked: &[ActionSet]) -> Vec<EdgeClass> {
        let mut groups: FxHashMap<Vec<bool>, EdgeClass> = FxHashMap::default();
        for (index, rule) in self.interface.rules.iter().enumerate() {
            if self.interface.takes_part(&self.inside, index as u32) {
                continue;
            }
            let name = self.interface.actions.name(rule.result);
            let group: Vec<bool> = asked.iter().map(|set| set.contains(name)).collect();
            let must = self.lifting == Lifting::Summaries && !self.can_block(index as u32);
            let mode = Mode { may: true, must };
            let class = EdgeClass { action: Some(rule.result), mode };
            groups.entry(group).and_modify(|known| known.mode.must |= must).or_insert(class);
        }
        let mut classes: Vec<EdgeClass> = groups.into_values().collect();
        classes.sort();
        classes
    }
}

struct Context<'a> {
    system: &'a System,
    component: usize,
    lifter: Lifter<'a>,
    stutter: bool,
}

/// Numbers the classes of the lifted edges.
#[derive(Default)]
struct Classes {
    classes: Vec<EdgeClass>,
    steps: Vec<LiftedStep>,
    ids: FxHashMap<(EdgeClass, LiftedStep), u32>,
}

impl Classes {
    fn id(&mut self, class: EdgeClass, step: LiftedStep) -> u32 {
        *self.ids.entry((class, step)).or_insert_with(|| {
            self.classes.push(class);
            self.steps.push(step);
            self.classes.len() as u32 - 1
        })
    }
}

impl Context<'_> {
    fn own(&self) -> &PartialModel {
        &self.system.components[self.component].model
    }

    /// R⁻↑ = R⁻; R⁺↑ has the must transitions that the environment cannot block. Foreign propositions are unknown.
    fn lift_props(&self) -> LiftedComponent {
        let model = self.own();
        let mut known: FxHashMap<(&[u64], &[u64]), bool> = FxHashMap::default();
        let mut classes = Classes::default();
        let joint = |state| self.lifter.interface.joint.of(self.component, state);
        let mut triples = Vec::with_capacity(model.edges().len());
        for (source, class, target) in model.edges().triples() {
            let sure = model.edges().classes()[class as usize].mode.must;
            let must = sure && !self.lifter.blocked && {
                let (from, to) = (joint(source), joint(target));
                *known.entry((from, to)).or_insert_with(|| self.lifter.is_unblockable(from, to))
            };
            let class = EdgeClass { action: None, mode: Mode { may: true, must } };
            triples.push((source, classes.id(class, LiftedStep { rule: 0, sure }), target));
        }
        self.finish(classes, triples, Kind::Kmts)
    }

    /// A step of a rule is a must if the component must make it and no other can block it. Rules in
    /// which it takes no part are idle steps: a must if some such rule can always be applied.
    fn lift_actions(&self, asked: &[ActionSet]) -> LiftedComponent {
        let model = self.own();
        let mut classes = Classes::default();
        let mut triples = Vec::with_capacity(model.edges().len());
        let rules_of = self.lifter.rules_by_action(self.component, model.actions().len());
        for (source, class, target) in model.edges().triples() {
            let EdgeClass { action, mode } = model.edges().classes()[class as usize];
            for &rule in action.map_or(&[][..], |action| &rules_of[action.0 as usize]) {
                let must = mode.must && !self.lifter.can_block(rule);
                let result = self.lifter.interface.rules[rule as usize].result;
                let class = EdgeClass { action: Some(result), mode: Mode { may: true, must } };
                let step = LiftedStep { rule, sure: mode.must };
                triples.push((source, classes.id(class, step), target));
            }
        }
        for class in self.lifter.idle_classes(asked) {
            let id = classes.id(class, LiftedStep { rule: IDLE, sure: true });
            triples.extend((0..model.states() as u32).map(|state| (state, id, state)));
        }
        self.finish(classes, triples, Kind::Mts)
    }

    fn finish(
        &self,
        mut classes: Classes,
        mut triples: Vec<(u32, u32, u32)>,
        kind: Kind,
    ) -> LiftedComponent {
        let model = self.own();
        let mut actions = self.lifter.interface.actions.clone();
        if self.stutter {
            let action = (kind == Kind::Mts).then(|| actions.intern(TAU));
            let step = LiftedStep { rule: STUTTER, sure: true };
            // The composition has transitions without this component, unless it is the only one.
            let is_only_component = self.system.components.len() == 1;
            for state in 0..model.states() as u32 {
                let mode = if is_only_component {
                    model.moves(state).stuttering()
                } else {
                    Some(Mode::MAY)
                };
                let class = mode.map(|mode| classes.id(EdgeClass { action, mode }, step));
                triples.extend(class.map(|class| (state, class, state)));
            }
        }
        let labelling = Labelling::extended(model, self.system.props());
        let lifted = PartialModel {
            kind,
            name: model.name.clone(),
            labelling,
            actions,
            names: model.names().clone(),
            init: model.init().to_vec(),
            edges: Edges::from_triples(model.states(), classes.classes, triples.iter().copied()),
            ..PartialModel::empty()
        };
        LiftedComponent { component: self.component, model: lifted, steps: classes.steps }
    }
}
