//! The product of two parts (C Def. 4.5, for partial components Def. 5.8, for actions C §6.1).
//!
//! Nodes with the same subformula are paired if their states agree on the joint labels. A pair is
//! terminal if one of the two is, and has its colour if that is definite (C Def. 4.7). An edge of the
//! product is a must if it is one on both sides and no component outside can block it. With all components inside, the
//! product is a closed part of the game of the composition (C Thm 4.8, 5.9).
//!
//! Beyond the paper, a must hyper-transition leads to several successors of which the environment chooses one, where
//! its choice is hidden ([`Interface::unblockable_sets`]). Each product finds its own.

use crate::graph::{Edge, GraphBuilder};
use crate::plan::{Op, Plan};
use crate::subsystem::{STAY, SubsystemGame};
use logic::{ActionSetId, Formula, Truth};
use model::{CHOSEN, IDLE, Interface, JointLabels, LiftedStep, Mode, Moves, STUTTER};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use support::{Monitor, Stopped};

/// Colours of product states that are known from elsewhere.
pub trait KnownColours {
    /// Whether some transition of the composition may and whether some must follow its states in `tuple`.
    /// It is asked when all components are inside.
    fn moves(&self, tuple: &[u32]) -> Mode;

    /// The colour of a node, if it is remembered; the tuple is in the order of `components`.
    fn known_colour(&self, _components: &[usize], _tuple: &[u32], _label: u32) -> Option<Truth> {
        None
    }
}

impl KnownColours for Moves<'_> {
    fn moves(&self, tuple: &[u32]) -> Mode {
        self.of(tuple)
    }
}

/// Data that all products of one question share.
pub struct Products<'c> {
    pub interface: &'c Interface,
    pub formula: &'c Formula,
    pub plan: &'c Plan,
    pub knowledge: &'c dyn KnownColours,
    /// Whether hidden choices of the environment become hyper-transitions.
    pub has_choices: bool,
    /// Products with more nodes than this are given up.
    pub limit: u32,
    pub monitor: &'c Monitor,
}

impl Products<'_> {
    /// Combines two ?-subgraphs, from initial states of the composition that are unknown in both. `None` if that
    /// becomes too large.
    pub fn combine<'f, 't>(
        &self,
        a: &SubsystemGame<'f>,
        b: &SubsystemGame<'f>,
        initial: impl IntoIterator<Item = &'t [u32]>,
    ) -> Result<Option<SubsystemGame<'f>>, Stopped> {
        self.monitor.phase("combining", 0);
        let mut product = Product::new(self, a, b);
        for (left, right) in initial_pairs(a, b, initial) {
            if let Some(id) = product.node(left, right) {
                product.builder.initial(id);
            }
        }
        let mut next = 0;
        while next < product.builder.len() {
            product.expand(next);
            next += 1;
            // A node can have thousands of edges.
            if next % 64 == 0 {
                self.monitor.step(64)?;
            }
            if product.builder.len() > self.limit {
                return Ok(None);
            }
            // A step an edge.
            product.builder.check_size(size_of::<LiftedStep>() as u64, self.monitor)?;
        }
        Ok(Some(product.finish()))
    }
}

/// The initial nodes that two parts have for tuples of the composition, each pair once.
fn initial_pairs<'t>(
    a: &SubsystemGame,
    b: &SubsystemGame,
    initial: impl IntoIterator<Item = &'t [u32]>,
) -> Vec<(u32, u32)> {
    let (ours, theirs) = (a.initial_nodes(), b.initial_nodes());
    let both = |tuple: &[u32]| Some((ours.of(tuple)?, theirs.of(tuple)?));
    let mut pairs: Vec<(u32, u32)> = initial.into_iter().filter_map(both).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// In the place of a pair's nodes, where a node is none.
const NO_NODE: u32 = u32::MAX;

struct Product<'p, 'c, 'f> {
    products: &'p Products<'c>,
    a: &'p SubsystemGame<'f>,
    b: &'p SubsystemGame<'f>,
    components: Vec<usize>,
    inside: Vec<bool>,
    /// The joint propositions that both sides have.
    common: Vec<u64>,
    /// The environment may block any step.
    blocked: bool,
    builder: GraphBuilder<'f>,
    steps: Vec<LiftedStep>,
    /// By node: the pair that it is.
    pairs: Vec<(u32, u32)>,
    states: FxHashMap<(u32, u32), u32>,
    members: Vec<(u32, u32)>,
    /// By state: the number of its joint label.
    state_labels: Vec<u32>,
    label_ids: FxHashMap<Vec<u64>, u32>,
    labels: Vec<Vec<u64>>,
    /// By joint labels of source and target: whether no component outside can block the step.
    unblockable: FxHashMap<(u32, u32), bool>,
    idle: FxHashMap<ActionSetId, Option<Mode>>,
    /// By successor and rule: edge and step of the modality at hand.
    found: FxHashMap<(u32, u32), (u32, u32)>,
    choices: Choices,
}

/// Hidden choices of the environment.
#[derive(Default)]
struct Choices {
    /// The joint propositions that the environment chooses; none where hyper-transitions are not wanted.
    inputs: Vec<usize>,
    /// By the nodes that it chooses from: the state that stands for them.
    states: FxHashMap<Vec<u32>, u32>,
    /// The other way round.
    members: FxHashMap<u32, Vec<u32>>,
}

impl<'p, 'c, 'f> Product<'p, 'c, 'f> {
    fn new(products: &'p Products<'c>, a: &'p SubsystemGame<'f>, b: &'p SubsystemGame<'f>) -> Self {
        let inside: Vec<bool> = a.inside.iter().zip(&b.inside).map(|(a, b)| *a || *b).collect();
        let interface = products.interface;
        let (left, right) = (interface.mask(&a.inside), interface.mask(&b.inside));
        let blocked = interface.general_blocker(&inside).is_some();
        let has_choices = products.has_choices && !blocked;
        let inputs = if has_choices { interface.inputs(&inside) } else { Vec::new() };
        Self {
            products,
            a,
            b,
            components: [&a.components[..], &b.components[..]].concat(),
            common: left.iter().zip(&right).map(|(a, b)| a & b).collect(),
            blocked,
            inside,
            builder: GraphBuilder::new(a.graph.subformulas),
            steps: Vec::new(),
            pairs: Vec::new(),
            states: FxHashMap::default(),
            members: Vec::new(),
            state_labels: Vec::new(),
            label_ids: FxHashMap::default(),
            labels: Vec::new(),
            unblockable: FxHashMap::default(),
            idle: FxHashMap::default(),
            found: FxHashMap::default(),
            choices: Choices { inputs, ..Choices::default() },
        }
    }

    fn words(&self) -> usize {
        self.products.interface.joint.words()
    }

    /// The node of a pair, if the states agree on what they have in common.
    fn node(&mut self, left: u32, right: u32) -> Option<u32> {
        let (s, t) = (self.a.graph.states[left as usize], self.b.graph.states[right as usize]);
        let words = self.words();
        let (a, b) = (self.a.label(s, words), self.b.label(t, words));
        if !JointLabels::agree(a, b, |word| self.common[word]) {
            return None;
        }
        // A choice on one side is one of the pair, whatever the other has come to.
        let (ours, theirs) =
            (self.a.graph.labels[left as usize], self.b.graph.labels[right as usize]);
        let label = ours.max(theirs);
        let state = self.state(s, t);
        let id = self.builder.node(state, label);
        if id as usize == self.pairs.len() {
            self.pairs.push((left, right));
        }
        Some(id)
    }

    fn state(&mut self, s: u32, t: u32) -> u32 {
        if let Some(&state) = self.states.get(&(s, t)) {
            return state;
        }
        let words = self.words();
        let (a, b) = (self.a.label(s, words), self.b.label(t, words));
        let label: Vec<u64> = a.iter().zip(b).map(|(a, b)| a | b).collect();
        let fresh = self.labels.len() as u32;
        let number = *self.label_ids.entry(label.clone()).or_insert(fresh);
        if number == fresh {
            self.labels.push(label);
        }
        let state = self.add_state((s, t), number);
        self.states.insert((s, t), state);
        state
    }

    fn add_state(&mut self, members: (u32, u32), label: u32) -> u32 {
        self.members.push(members);
        self.state_labels.push(label);
        self.members.len() as u32 - 1
    }

    fn expand(&mut self, id: u32) {
        if let Some(members) = self.choices.members.get(&self.builder.at(id).0) {
            let edges: Vec<Edge> =
                members.iter().map(|&member| Edge::new(member, Mode::BOTH)).collect();
            self.steps.extend(std::iter::repeat_n(STAY, edges.len()));
            return self.builder.close(&edges, None);
        }
        let (left, right) = self.pairs[id as usize];
        let given = (self.a.graph.given[left as usize], self.b.graph.given[right as usize]);
        // C Def. 4.7 and case (c) of Def. 5.8: a definite colour takes over. Beside an unknown literal
        // only a choice is not terminal, and its members may have a value for the literal.
        let given = match given {
            (Some(value), _) | (_, Some(value)) if value.is_definite() => Some(value),
            (Some(_), Some(_)) => Some(Truth::Unknown),
            _ => None,
        };
        let given = given.or_else(|| self.known_colour(id));
        if given.is_some() {
            return self.builder.close(&[], given);
        }
        let label = self.builder.at(id).1;
        let mut edges = Vec::new();
        if self.a.graph.subformulas.chosen_by(label).is_some() {
            self.expand_members(left, right, &mut edges);
        } else if let Op::Modal(_, actions, _) = self.products.plan.equations[label as usize].op {
            self.expand_modal(id, left, right, actions, &mut edges);
        } else {
            self.expand_choice(left, right, &mut edges);
        }
        self.builder.close(&edges, None);
    }

    fn known_colour(&self, id: u32) -> Option<Truth> {
        let (state, label) = self.builder.at(id);
        let (s, t) = self.members[state as usize];
        let tuple = [self.a.tuple(s), self.b.tuple(t)].concat();
        self.products.knowledge.known_colour(&self.components, &tuple, label)
    }

    /// The members of a hyper-transition, on one side or on both. They share one joint label, so each
    /// fits if the choice does.
    fn expand_members(&mut self, left: u32, right: u32, edges: &mut Vec<Edge>) {
        let members = |part: &SubsystemGame, node: u32| -> Vec<u32> {
            let graph = &part.graph;
            match graph.subformulas.chosen_by(graph.labels[node as usize]) {
                Some(_) => graph.successors(node).iter().map(|edge| edge.node()).collect(),
                None => vec![node],
            }
        };
        let (ours, theirs) = (members(self.a, left), members(self.b, right));
        for &ours in &ours {
            for &theirs in &theirs {
                if let Some(successor) = self.node(ours, theirs) {
                    edges.push(Edge::new(successor, Mode::BOTH));
                    self.steps.push(STAY);
                }
            }
        }
    }

    /// Moves that stay in the state: both sides move to the same subformula.
    fn expand_choice(&mut self, left: u32, right: u32, edges: &mut Vec<Edge>) {
        let (a, b) = (self.a, self.b);
        for ours in a.graph.successors(left) {
            let label = a.graph.labels[ours.node() as usize];
            let mut successors = b.graph.successors(right).iter();
            let same = successors.find(|edge| b.graph.labels[edge.node() as usize] == label);
            if let Some(theirs) = same
                && let Some(successor) = self.node(ours.node(), theirs.node())
            {
                edges.push(Edge::new(successor, Mode::BOTH));
                self.steps.push(STAY);
            }
        }
    }

    fn expand_modal(
        &mut self,
        id: u32,
        left: u32,
        right: u32,
        actions: ActionSetId,
        edges: &mut Vec<Edge>,
    ) {
        let (a, b) = (self.a, self.b);
        let source = self.builder.at(id).0;
        for (ours, step) in a.steps_of(left) {
            for (theirs, other) in b.steps_of(right) {
                let Some(rule) = self.joint_rule(step.rule, other.rule) else { continue };
                let Some(successor) = self.node(ours.node(), theirs.node()) else { continue };
                let sure = step.sure && other.sure;
                let target = self.builder.at(successor).0;
                let Some(mode) = self.mode(rule, sure, source, target, actions) else { continue };
                self.add_step(successor, mode, LiftedStep { rule, sure }, edges);
            }
        }
        self.found.clear();
        if !self.choices.inputs.is_empty() {
            self.add_choices(id, edges);
        }
    }

    /// Adds the hyper-transitions of which the environment chooses the member.
    fn add_choices(&mut self, id: u32, edges: &mut Vec<Edge>) {
        let steps = &self.steps[self.steps.len() - edges.len()..];
        let sure = edges.iter().zip(steps).filter(|(_, step)| step.rule != STUTTER && step.sure);
        let sure: Vec<Edge> = sure.map(|(edge, _)| *edge).collect();
        let state_of = |edge: &Edge| self.builder.at(edge.node()).0 as usize;
        let label_of = |edge| &self.labels[self.state_labels[state_of(edge)] as usize][..];
        let labels: Vec<&[u64]> = sure.iter().map(label_of).collect();
        let interface = self.products.interface;
        for set in interface.unblockable_sets(&self.choices.inputs, &labels) {
            // A single must transition says more.
            if set.iter().any(|&number| sure[number].must()) {
                continue;
            }
            let mut members: Vec<u32> = set.iter().map(|&number| sure[number].node()).collect();
            members.sort_unstable();
            edges.push(Edge::new(self.choice(self.builder.at(id).1, members), Mode::BOTH));
            self.steps.push(LiftedStep { rule: CHOSEN, sure: true });
        }
    }

    /// The node in which the environment chooses among others, after a modality.
    fn choice(&mut self, modality: u32, members: Vec<u32>) -> u32 {
        let state = match self.choices.states.get(&members) {
            Some(&state) => state,
            None => {
                let first = self.builder.at(members[0]).0 as usize;
                let state = self.add_state(self.members[first], self.state_labels[first]);
                self.choices.states.insert(members.clone(), state);
                self.choices.members.insert(state, members);
                state
            }
        };
        let id = self.builder.node(state, self.a.graph.subformulas.choice_of(modality));
        if id as usize == self.pairs.len() {
            self.pairs.push((NO_NODE, NO_NODE));
        }
        id
    }

    /// Adds a step, or what it adds to the same step in another way: parts that stand still do so for
    /// several reasons, and each pair of reasons would be an edge.
    fn add_step(&mut self, successor: u32, mode: Mode, step: LiftedStep, edges: &mut Vec<Edge>) {
        match self.found.entry((successor, step.rule)) {
            Entry::Vacant(entry) => {
                entry.insert((edges.len() as u32, self.steps.len() as u32));
                edges.push(Edge::new(successor, mode));
                self.steps.push(step);
            }
            Entry::Occupied(entry) => {
                let (edge, number) = *entry.get();
                let edge = &mut edges[edge as usize];
                *edge = Edge::new(successor, edge.mode().or(mode));
                self.steps[number as usize].sure |= step.sure;
            }
        }
    }

    /// The rule of a joint step, if the two sides can make theirs together.
    fn joint_rule(&self, ours: u32, theirs: u32) -> Option<u32> {
        let interface = self.products.interface;
        match (ours, theirs) {
            (IDLE, IDLE) => Some(IDLE),
            (STUTTER, STUTTER) => Some(STUTTER),
            (STUTTER | CHOSEN, _) | (_, STUTTER | CHOSEN) => None,
            (IDLE, rule) => (!interface.takes_part(&self.a.inside, rule)).then_some(rule),
            (rule, IDLE) => (!interface.takes_part(&self.b.inside, rule)).then_some(rule),
            (rule, other) => (rule == other).then_some(rule),
        }
    }

    /// Whether a step may and whether it must be there in the composition; `None` if neither.
    fn mode(
        &mut self,
        rule: u32,
        sure: bool,
        source: u32,
        target: u32,
        actions: ActionSetId,
    ) -> Option<Mode> {
        match rule {
            IDLE => return self.idle_mode(actions),
            STUTTER => return self.stutter_mode(source),
            _ => {}
        }
        let interface = self.products.interface;
        let must = sure
            && if interface.rules.is_empty() {
                !self.blocked && self.is_unblockable(source, target)
            } else {
                interface.rule_blocker(&self.inside, rule).is_none()
            };
        Some(Mode { may: true, must })
    }

    /// A state of the composition follows itself if nothing else must follow it.
    fn stutter_mode(&self, state: u32) -> Option<Mode> {
        if self.inside.contains(&false) {
            return Some(Mode::MAY);
        }
        self.products.knowledge.moves(&self.tuple(state)).stuttering()
    }

    /// The states of all components, in their order.
    fn tuple(&self, state: u32) -> Vec<u32> {
        let (s, t) = self.members[state as usize];
        let mut tuple = vec![0; self.inside.len()];
        for (part, state) in [(self.a, s), (self.b, t)] {
            for (&component, &member) in part.components.iter().zip(part.tuple(state)) {
                tuple[component] = member;
            }
        }
        tuple
    }

    fn is_unblockable(&mut self, source: u32, target: u32) -> bool {
        let pair = (self.state_labels[source as usize], self.state_labels[target as usize]);
        let (interface, labels, inside) = (self.products.interface, &self.labels, &self.inside);
        *self.unblockable.entry(pair).or_insert_with(|| {
            let (source, target) = (&labels[pair.0 as usize], &labels[pair.1 as usize]);
            interface.step_blocker(inside, source, target).is_none()
        })
    }

    /// Steps of the modality in which no component inside takes part.
    fn idle_mode(&mut self, actions: ActionSetId) -> Option<Mode> {
        let Products { interface, formula, .. } = *self.products;
        let inside = &self.inside;
        *self.idle.entry(actions).or_insert_with(|| {
            let set = formula.actions(actions);
            let foreign = (0..interface.rules.len() as u32).filter(|&rule| {
                let name = interface.actions.name(interface.rules[rule as usize].result);
                set.contains(name) && !interface.takes_part(inside, rule)
            });
            let certainly = |rule: u32| interface.rule_blocker(inside, rule).is_none();
            foreign.fold(None, |mode: Option<Mode>, rule| {
                let must = mode.is_some_and(|mode| mode.must) || certainly(rule);
                Some(Mode { may: true, must })
            })
        })
    }

    fn finish(self) -> SubsystemGame<'f> {
        let tuples = self
            .members
            .iter()
            .flat_map(|&(s, t)| self.a.tuple(s).iter().chain(self.b.tuple(t)).copied())
            .collect();
        let labels = self
            .state_labels
            .iter()
            .flat_map(|&label| self.labels[label as usize].iter().copied())
            .collect();
        SubsystemGame {
            components: self.components,
            inside: self.inside,
            tuples,
            members: self.members,
            labels,
            graph: self.builder.finish(),
            steps: self.steps,
        }
    }
}
