//! The game of one lifted abstract component (C Def. 5.5), from its initial states, where history variables have no
//! value yet.
//!
//! Against interface summaries a must transition that the environment cannot block stays one, as in the concrete case.
//! A hyper-transition is an edge to a node in which the other player chooses a member. Beyond the paper, one leads to
//! states of which the environment chooses one where its choice is hidden ([`Interface::unblockable_sets`]).

use super::abstraction::Abstraction;
use super::colour_cache::ColourCache;
use super::concretisation::AbstractStep;
use super::enabled::{self, Source};
use crate::{Deadlock, Request};
use fixedbitset::FixedBitSet;
use game::{Edge, GraphBuilder, Op, Plan, STAY, Subformulas, SubsystemGame};
use logic::{ActionSetId, Formula, PropId, Truth};
use model::{
    ActionId, CHOSEN, EdgeClass, IDLE, Interface, LiftedStep, Lifter, Lifting, Mode, STUTTER, TAU,
};
use rustc_hash::FxHashMap;
use support::{Monitor, Stopped};

/// Data of one component's games that no round changes.
pub(super) struct Setting<'f> {
    pub component: usize,
    formula: &'f Formula,
    plan: &'f Plan,
    subformulas: &'f Subformulas,
    interface: &'f Interface,
    lifter: Lifter<'f>,
    /// By proposition of the composition: the component's own number.
    props: Vec<Option<PropId>>,
    rules_of: Vec<Vec<u32>>,
    /// By action set of the formula: the rules whose result is in it.
    allowed: Vec<FixedBitSet>,
    idle: Vec<EdgeClass>,
    /// The joint propositions of which the environment makes a hidden choice.
    inputs: Vec<usize>,
    stutters: bool,
    monitor: &'f Monitor,
}

/// Data that the settings of all components share.
#[derive(Clone, Copy)]
pub(super) struct Question<'f> {
    pub formula: &'f Formula,
    pub plan: &'f Plan,
    pub subformulas: &'f Subformulas,
    pub interface: &'f Interface,
    pub lifting: Lifting,
    /// Whether hidden choices of the environment become hyper-transitions.
    pub has_choices: bool,
    pub stutters: bool,
    /// Whether a concrete initial state of the composition is behind a tuple of abstract ones that each have an
    /// initial state behind them.
    pub can_start: &'f dyn Fn(&[u32]) -> bool,
    pub monitor: &'f Monitor,
}

impl<'f> Question<'f> {
    pub fn new(
        request: &Request<'f>,
        plan: &'f Plan,
        subformulas: &'f Subformulas,
        interface: &'f Interface,
    ) -> Self {
        Self {
            formula: request.formula,
            plan,
            subformulas,
            interface,
            lifting: request.refinement.lifting,
            has_choices: request.refinement.lifting == Lifting::Summaries,
            stutters: request.deadlock == Deadlock::Stutter,
            // Where initial states fit together, all do that are behind the same numbers (C Def. 5.3).
            can_start: &|_| true,
            monitor: request.monitor,
        }
    }
}

impl<'f> Setting<'f> {
    pub fn new(
        question: &Question<'f>,
        component: usize,
        props: Vec<Option<PropId>>,
        actions: usize,
    ) -> Self {
        let Question { formula, plan, subformulas, interface, lifting, stutters, monitor, .. } =
            *question;
        let lifter = Lifter::new(interface, component, lifting);
        let sets: Vec<_> = formula.action_sets().values().cloned().collect();
        let shown = |rule: &model::Rule| interface.actions.name(rule.result);
        let allowed = sets
            .iter()
            .map(|set| {
                let rules = interface.rules.iter().enumerate();
                rules
                    .filter(|(_, rule)| set.contains(shown(rule)))
                    .map(|(index, _)| index)
                    .collect()
            })
            .collect();
        Self {
            component,
            formula,
            plan,
            subformulas,
            interface,
            rules_of: lifter.rules_by_action(component, actions),
            idle: lifter.idle_classes(&sets),
            inputs: if question.has_choices { lifter.inputs() } else { Vec::new() },
            lifter,
            props,
            allowed,
            stutters,
            monitor,
        }
    }

    /// The component's own number of a proposition, if it has it.
    pub fn own_prop(&self, prop: PropId) -> Option<PropId> {
        self.props[prop.0 as usize]
    }

    /// Action of the component in a rule, if it takes part.
    pub fn action_in(&self, rule: u32) -> Option<ActionId> {
        let parts = &self.interface.rules[rule as usize].parts;
        parts.iter().find(|(component, _)| *component == self.component).map(|&(_, action)| action)
    }

    /// The game graph. `sure` of its steps is left open: see [`add_must_transitions`].
    pub fn game(
        &self,
        abstraction: &mut Abstraction,
        memory: &ColourCache,
        initial: &[u32],
        source: Source,
    ) -> Result<SubsystemGame<'f>, Stopped> {
        let states = abstraction.states();
        let mut game = Game {
            setting: self,
            abstraction,
            memory,
            states,
            source,
            builder: GraphBuilder::new(self.subformulas),
            steps: Vec::new(),
            sets: Vec::new(),
            set_ids: FxHashMap::default(),
            unblockable: FxHashMap::default(),
        };
        for &state in initial {
            let id = game.builder.node(state, self.subformulas.root);
            game.builder.initial(id);
        }
        let mut next = 0;
        while next < game.builder.len() {
            let (state, label) = game.builder.at(next);
            game.expand(state, label);
            next += 1;
            // A node can have thousands of edges.
            if next % 64 == 0 {
                self.monitor.step(64)?;
            }
            game.builder.check_size(0, self.monitor)?;
        }
        Ok(game.finish())
    }

    /// Finds out which steps of a part the component must make by itself: the must transitions that a
    /// product asks for (the note under C Fig. 7).
    pub fn add_must_transitions(&self, part: &mut SubsystemGame, abstraction: &mut Abstraction) {
        let graph = &part.graph;
        for node in 0..graph.len() as u32 {
            if !graph.class(node).is_modal() {
                continue;
            }
            let source = graph.states[node as usize];
            for index in graph.edge_range(node) {
                let target = graph.states[graph.edge(index).node() as usize];
                let step = &mut part.steps[index];
                step.sure = match step.rule {
                    IDLE | STUTTER => true,
                    _ if target >= abstraction.states() => true,
                    _ if self.interface.rules.is_empty() => abstraction.must(source, None, target),
                    rule => abstraction.must(source, self.action_in(rule), target),
                };
            }
        }
    }
}

struct Game<'g, 'w, 'f> {
    setting: &'g Setting<'f>,
    abstraction: &'g mut Abstraction<'w>,
    memory: &'g ColourCache,
    source: Source,
    /// Abstract states; higher numbers are those of hyper-transitions' targets.
    states: u32,
    builder: GraphBuilder<'f>,
    steps: Vec<LiftedStep>,
    sets: Vec<Vec<u32>>,
    set_ids: FxHashMap<Vec<u32>, u32>,
    /// By source and target.
    unblockable: FxHashMap<(u32, u32), bool>,
}

/// An edge in the making.
type Found = (Edge, LiftedStep);

impl<'f> Game<'_, '_, 'f> {
    fn expand(&mut self, state: u32, label: u32) {
        let setting = self.setting;
        if let Some(modality) = setting.subformulas.chosen_by(label) {
            let Op::Modal(_, _, body) = setting.plan.equations[modality as usize].op else {
                unreachable!("only modalities take hyper-transitions")
            };
            let members = self.sets[(state - self.states) as usize].clone();
            let successors: Vec<_> = members.iter().map(|&member| (member, body)).collect();
            return self.close_choice((state, label), &successors);
        }
        let known = self.memory.colour(&[setting.component], &[state], label);
        if known.is_some() {
            return self.builder.close(&[], known);
        }
        match setting.plan.equations[label as usize].op {
            Op::Const(value) => self.builder.close(&[], Some(value.into())),
            Op::Lit(prop, positive) => {
                let own = setting.own_prop(prop);
                let value = own.map_or(Truth::Unknown, |own| self.abstraction.label(state, own));
                self.builder.close(&[], Some(if positive { value } else { !value }));
            }
            Op::And(a, b) | Op::Or(a, b) => {
                self.close_choice((state, label), &[(state, a), (state, b)])
            }
            Op::Pass(body) => self.close_choice((state, label), &[(state, body)]),
            Op::Modal(_, actions, body) => self.expand_modal(state, label, actions, body),
        }
    }

    fn close_choice(&mut self, of: (u32, u32), successors: &[(u32, u32)]) {
        let mut edges = Vec::new();
        for &(state, label) in successors {
            if !self.is_dropped(of, (state, label)) {
                edges.push(Edge::new(self.builder.node(state, label), Mode::BOTH));
                self.steps.push(STAY);
            }
        }
        self.builder.close(&edges, None);
    }

    fn is_dropped(&self, from: (u32, u32), to: (u32, u32)) -> bool {
        self.memory.is_dropped(self.setting.component, from, to)
    }

    fn expand_modal(&mut self, state: u32, label: u32, actions: ActionSetId, body: u32) {
        let mut found = Vec::new();
        let mut steps: Vec<AbstractStep> = self.abstraction.steps(state).to_vec();
        steps.retain(|step| !self.is_dropped((state, label), (step.target, body)));
        for &step in &steps {
            self.add_step(state, step, actions, body, &mut found);
        }
        if !self.setting.inputs.is_empty() {
            self.add_choices(state, label, &steps, &mut found);
        }
        let hyper: Vec<_> = self.abstraction.hyper_from(state).cloned().collect();
        for hyper in hyper {
            // What was dropped does not come back in a set: its colours may mean nothing from here.
            let is_dropped = |&target: &u32| self.is_dropped((state, label), (target, body));
            if hyper.targets.iter().any(is_dropped) {
                continue;
            }
            let set = self.set(hyper.targets.clone());
            let node = self.builder.node(set, self.setting.subformulas.choice_of(label));
            for (rule, unblockable) in self.rules(state, hyper.action, hyper.targets[0], actions) {
                let mode = Mode { may: true, must: unblockable };
                found.push((Edge::new(node, mode), LiftedStep { rule, sure: true }));
            }
        }
        if !self.is_dropped((state, label), (state, body)) {
            self.add_stuttering(state, actions, body, &mut found);
        }
        let edges: Vec<Edge> = found.iter().map(|&(edge, _)| edge).collect();
        self.steps.extend(found.iter().map(|&(_, step)| step));
        self.builder.close(&edges, None);
    }

    fn add_step(
        &mut self,
        state: u32,
        step: AbstractStep,
        actions: ActionSetId,
        body: u32,
        found: &mut Vec<Found>,
    ) {
        for (rule, unblockable) in self.rules(state, step.action, step.target, actions) {
            let must = unblockable && self.abstraction.must(state, step.action, step.target);
            let node = self.builder.node(step.target, body);
            let edge = Edge::new(node, Mode { may: true, must });
            found.push((edge, LiftedStep { rule, sure: must }));
        }
    }

    /// Hyper-transitions of which the environment chooses the member.
    fn add_choices(
        &mut self,
        state: u32,
        label: u32,
        steps: &[AbstractStep],
        found: &mut Vec<Found>,
    ) {
        let may: Vec<u32> = steps.iter().map(|step| step.target).collect();
        if self.unblockable_sets(&may).is_empty() {
            return;
        }
        let is_must = |&target: &u32| self.abstraction.must(state, None, target);
        let must: Vec<u32> = may.into_iter().filter(is_must).collect();
        for targets in self.unblockable_sets(&must) {
            let set = self.set(targets);
            let node = self.builder.node(set, self.setting.subformulas.choice_of(label));
            let step = LiftedStep { rule: CHOSEN, sure: true };
            found.push((Edge::new(node, Mode::BOTH), step));
        }
    }

    fn unblockable_sets(&self, targets: &[u32]) -> Vec<Vec<u32>> {
        let concrete = &self.abstraction.concrete;
        let labels: Vec<&[u64]> = targets.iter().map(|&target| concrete.joint(target)).collect();
        let sets = self.setting.interface.unblockable_sets(&self.setting.inputs, &labels);
        sets.iter().map(|set| set.iter().map(|&number| targets[number]).collect()).collect()
    }

    /// The rules by which a step is one of the modality, and whether the environment cannot block it.
    fn rules(
        &mut self,
        source: u32,
        action: Option<ActionId>,
        target: u32,
        actions: ActionSetId,
    ) -> Vec<(u32, bool)> {
        let setting = self.setting;
        let Some(action) = action else {
            let concrete = &self.abstraction.concrete;
            let unblockable = *self.unblockable.entry((source, target)).or_insert_with(|| {
                setting.lifter.is_unblockable(concrete.joint(source), concrete.joint(target))
            });
            return vec![(0, unblockable)];
        };
        let allowed = &setting.allowed[actions.0 as usize];
        let rules = setting.rules_of[action.0 as usize].iter();
        rules
            .filter(|&&rule| allowed.contains(rule as usize))
            .map(|&rule| (rule, !setting.lifter.can_block(rule)))
            .collect()
    }

    /// Steps of the modality that the component takes no part in.
    fn add_stuttering(
        &mut self,
        state: u32,
        actions: ActionSetId,
        body: u32,
        found: &mut Vec<Found>,
    ) {
        let setting = self.setting;
        let set = setting.formula.actions(actions);
        for class in &setting.idle {
            let name = class.action.map(|action| setting.interface.actions.name(action));
            if name.is_some_and(|name| set.contains(name)) {
                let edge = Edge::new(self.builder.node(state, body), class.mode);
                found.push((edge, LiftedStep { rule: IDLE, sure: true }));
            }
        }
        let is_props = setting.interface.rules.is_empty();
        if setting.stutters
            && (is_props || set.contains(TAU))
            && let Some(mode) = self.stutter_mode(state)
        {
            let edge = Edge::new(self.builder.node(state, body), mode);
            found.push((edge, LiftedStep { rule: STUTTER, sure: true }));
        }
    }

    /// The mode of the stuttering step: may if there are several components, since one does not determine whether
    /// the composition has a deadlock state; of a single component, as its transitions say.
    fn stutter_mode(&self, state: u32) -> Option<Mode> {
        let interface = self.setting.interface;
        if interface.components() > 1 {
            return Some(Mode::MAY);
        }
        let alone = std::slice::from_ref(&*self.abstraction);
        enabled::moves(interface, alone, &[state], self.source).stuttering()
    }

    /// The number that stands for a set of targets.
    fn set(&mut self, targets: Vec<u32>) -> u32 {
        let fresh = self.states + self.sets.len() as u32;
        let number = *self.set_ids.entry(targets.clone()).or_insert(fresh);
        if number == fresh {
            self.sets.push(targets);
        }
        number
    }

    fn finish(self) -> SubsystemGame<'f> {
        let first = self.sets.iter().map(|set| set[0]);
        let shown: Vec<u32> = (0..self.states).chain(first).collect();
        let concrete = &self.abstraction.concrete;
        let labels =
            shown.iter().flat_map(|&state| concrete.joint(state).iter().copied()).collect();
        let mut inside = vec![false; self.setting.interface.components()];
        inside[self.setting.component] = true;
        SubsystemGame {
            members: Vec::new(),
            components: vec![self.setting.component],
            inside,
            tuples: (0..shown.len() as u32).collect(),
            labels,
            graph: self.builder.finish(),
            steps: self.steps,
        }
    }
}
