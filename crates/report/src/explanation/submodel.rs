//! The part of the model that an explanation speaks of, as a model.

use super::words::state_name;
use logic::evidence::{ShownState, ShownStep, UnfoldedEvidence};
use logic::{ActionSet, Family, PropId, Truth};
use model::{Kind, Mode, ModelBuilder, PartialModel, System, TAU};
use rustc_hash::FxHashSet;

/// Treatment of the transitions that the explanation does not mention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OmittedTransitions {
    /// They may be there, and lead to a state of which nothing is known, except where the explanation looks
    /// at every step of a state by some actions: there are no others by these.
    Unknown,
    /// They are not there.
    Absent,
}

/// A model of one component that gives the property the same definite value as `system` does, for which
/// the explanation was made. If the value is unknown there, with [`OmittedTransitions::Unknown`] it is unknown here.
/// With that it says nothing of the system that is not so: where all initial states are explained it stands
/// for the system in a mixed simulation.
///
/// The strategy of the winner is an explanation's choice of successors, so it can be played on the part as well:
/// where the loser moves, either all transitions are mentioned, or (`Absent`) some are taken from him. (Where
/// musts are no mays, `Absent` can make a model that contradicts itself.)
///
/// `None` if nothing is explained, or if that is done partly in one component and partly in another, or by
/// steps that others make, so that no states of one model say it.
pub fn submodel(
    explanation: &UnfoldedEvidence,
    system: &System,
    left_out: OmittedTransitions,
) -> Option<PartialModel> {
    let family = system.family();
    let actions = if family == Family::Actions { actions(system) } else { Vec::new() };
    let is_expressible = stays_in_its_states(explanation) && names_its_steps(explanation, &actions);
    if explanation.roots.is_empty() || !is_expressible {
        return None;
    }
    let musts =
        if family == Family::Props { bare_musts(explanation) } else { FxHashSet::default() };
    let kind = kind(explanation, family, &actions, left_out);
    let kind = if kind == Kind::Gkmts || musts.is_empty() { kind } else { Kind::MixTs };
    let mut part = Part {
        explanation,
        builder: ModelBuilder::new(kind, "Part"),
        musts,
        number: vec![None; explanation.states.len()],
        asked: asked(explanation),
        actions,
    };
    part.add_states();
    part.add_steps();
    if family == Family::Props {
        part.add_labels(system);
    }
    if left_out == OmittedTransitions::Unknown {
        part.add_rest();
    }
    Some(part.builder.finish())
}

/// Whether the state changes by steps only. In parts of a system something can be known of a state because
/// it is known of the state of a smaller part.
fn stays_in_its_states(explanation: &UnfoldedEvidence) -> bool {
    let state = |node: u32| explanation.nodes[node as usize].state;
    let mut nodes = explanation.nodes.iter();
    nodes.all(|node| {
        let mut successors = node.successors.iter();
        successors.all(|successor| successor.step.is_some() || state(successor.node) == node.state)
    })
}

/// Whether the actions of all steps that something definite rests on are known.
fn names_its_steps(explanation: &UnfoldedEvidence, actions: &[String]) -> bool {
    !explanation.verdict.is_definite()
        || steps(explanation).all(|step| action_of(step, actions).is_some())
}

fn steps(explanation: &UnfoldedEvidence) -> impl Iterator<Item = &ShownStep> {
    let successors = explanation.nodes.iter().flat_map(|node| &node.successors);
    successors.filter_map(|successor| successor.step.as_ref())
}

fn actions(system: &System) -> Vec<String> {
    let visible = system.actions().into_iter().filter(|name| name != TAU);
    visible.chain([TAU.to_owned()]).collect()
}

fn kind(
    explanation: &UnfoldedEvidence,
    family: Family,
    actions: &[String],
    left_out: OmittedTransitions,
) -> Kind {
    let is_known_must = |step: &ShownStep| step.is_must && action_of(step, actions).is_some();
    let all_must = steps(explanation).all(is_known_must);
    let members = || explanation.states.iter().flat_map(|state| &state.members);
    let is_labelled = members().all(|m| m.as_ref().is_some_and(|m| m.unknown_props.is_empty()));
    let is_complete =
        left_out == OmittedTransitions::Absent && all_must && explanation.verdict.is_definite();
    match family {
        Family::Actions if is_complete => Kind::Lts,
        Family::Actions => Kind::Mts,
        Family::Props if steps(explanation).any(|step| step.is_hyper) => Kind::Gkmts,
        Family::Props if is_complete && is_labelled => Kind::Kripke,
        Family::Props => Kind::Kmts,
    }
}

/// Steps between states that must be there, although they are not among all that may be: mixed models have
/// such.
fn bare_musts(explanation: &UnfoldedEvidence) -> FxHashSet<(u32, u32)> {
    let mut mays: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut musts: FxHashSet<(u32, u32)> = FxHashSet::default();
    let is_closed = asked(explanation);
    for node in &explanation.nodes {
        let steps = node.successors.iter().filter(|successor| successor.step.is_some());
        let ends =
            steps.map(|successor| (node.state, explanation.nodes[successor.node as usize].state));
        match (&node.asked, is_closed[node.state as usize].is_empty()) {
            (Some(_), _) => mays.extend(ends),
            (None, false) => musts.extend(ends),
            (None, true) => {}
        }
    }
    musts.retain(|ends| !mays.contains(ends));
    musts
}

/// The action of a step, which is `Some(None)` if the system has none. `None` if it is not known: others make
/// the step.
fn action_of<'a>(step: &ShownStep, actions: &'a [String]) -> Option<Option<&'a str>> {
    if actions.is_empty() {
        return Some(None);
    }
    let name = step.action.as_ref()?;
    actions.iter().find(|action| *action == name).map(|action| Some(action.as_str()))
}

/// By state: the actions of which the explanation mentions all transitions out of it, as the loser may take
/// them.
fn asked(explanation: &UnfoldedEvidence) -> Vec<Vec<&ActionSet>> {
    let mut asked: Vec<Vec<&ActionSet>> = vec![Vec::new(); explanation.states.len()];
    for node in &explanation.nodes {
        let here = &mut asked[node.state as usize];
        here.extend(node.asked.iter().filter(|set| !here.contains(set)).collect::<Vec<_>>());
    }
    asked
}

struct Part<'a> {
    explanation: &'a UnfoldedEvidence,
    builder: ModelBuilder,
    /// By state: its number in the part; states that no position mentions have none.
    number: Vec<Option<u32>>,
    asked: Vec<Vec<&'a ActionSet>>,
    /// Steps between states that must be there and may not.
    musts: FxHashSet<(u32, u32)>,
    /// All that the system has, and `tau`; empty if it has none.
    actions: Vec<String>,
}

impl Part<'_> {
    fn add_states(&mut self) {
        for node in &self.explanation.nodes {
            let number = &mut self.number[node.state as usize];
            if number.is_none() {
                let state = &self.explanation.states[node.state as usize];
                *number = Some(self.builder.state(state_name(state)));
            }
        }
        for &root in &self.explanation.roots {
            let state = self.explanation.nodes[root as usize].state;
            if let Some(number) = self.number[state as usize] {
                self.builder.init(number);
            }
        }
    }

    /// An unknown value depends on no must transition, and must not be decided by one here.
    fn is_definite(&self) -> bool {
        self.explanation.verdict.is_definite()
    }

    fn add_steps(&mut self) {
        for node in &self.explanation.nodes {
            let Some(from) = self.number[node.state as usize] else { continue };
            let mut one_of: Vec<u32> = Vec::new();
            for successor in &node.successors {
                let target = self.explanation.nodes[successor.node as usize].state;
                let (Some(step), Some(to)) = (&successor.step, self.number[target as usize]) else {
                    continue;
                };
                match step.is_hyper {
                    true => one_of.push(to),
                    false => {
                        let is_bare = self.musts.contains(&(node.state, target));
                        self.add_step(from, step, to, is_bare);
                    }
                }
            }
            self.add_hyper(node.state, from, one_of);
        }
    }

    fn add_step(&mut self, from: u32, step: &ShownStep, to: u32, is_bare: bool) {
        match action_of(step, &self.actions) {
            Some(action) => {
                let action = action.map(|action| self.builder.action(action));
                let mode = match step.is_must && self.is_definite() {
                    true if is_bare => Mode::MUST,
                    true => Mode::BOTH,
                    false => Mode::MAY,
                };
                self.builder.edge(from, action, mode, to);
            }
            None => self.add_may_steps(from, to, |_| true),
        }
    }

    /// A must hyper-transition. Where all may transitions are shown, its targets are no others.
    fn add_hyper(&mut self, state: u32, from: u32, targets: Vec<u32>) {
        if self.asked[state as usize].is_empty() {
            targets.iter().for_each(|&to| self.builder.edge(from, None, Mode::MAY, to));
        }
        if self.is_definite() {
            self.builder.hyper(from, targets);
        }
    }

    /// Propositions of components whose state does not matter stay unknown.
    fn add_labels(&mut self, system: &System) {
        for (state, number) in self.explanation.states.iter().zip(&self.number) {
            let Some(number) = *number else { continue };
            for (prop, value) in labels(state, system) {
                let prop: PropId = self.builder.prop(prop);
                self.builder.label(number, prop, value);
            }
        }
        for name in system.props().names() {
            self.builder.prop(name);
        }
    }

    /// The state that stands for all that is left out.
    fn add_rest(&mut self) {
        let is_open = |asked: &Vec<&ActionSet>| match &self.actions[..] {
            [] => asked.is_empty(),
            actions => actions.iter().any(|name| !asked.iter().any(|set| set.contains(name))),
        };
        let states = self.number.iter().zip(&self.asked);
        let open = states.filter(|(_, asked)| is_open(asked));
        let open: Vec<(u32, Vec<&ActionSet>)> =
            open.filter_map(|(number, asked)| Some(((*number)?, asked.clone()))).collect();
        if open.is_empty() {
            return;
        }
        let rest = self.builder.state(self.name_of_rest());
        self.add_may_steps(rest, rest, |_| true);
        for (state, asked) in open {
            self.add_may_steps(state, rest, |name| !asked.iter().any(|set| set.contains(name)));
        }
    }

    /// `rest`, if no state of the user has that name.
    fn name_of_rest(&self) -> String {
        let states = &self.explanation.states;
        let names: FxHashSet<String> = states.iter().map(state_name).collect();
        let mut name = "rest".to_owned();
        while names.contains(&name) {
            name.push('_');
        }
        name
    }

    /// Steps that may be there, by some actions; one if the system has none.
    fn add_may_steps(&mut self, from: u32, to: u32, is_wanted: impl Fn(&str) -> bool) {
        if self.actions.is_empty() {
            self.builder.edge(from, None, Mode::MAY, to);
        }
        for name in self.actions.iter().filter(|name| is_wanted(name)) {
            let action = self.builder.action(name);
            self.builder.edge(from, Some(action), Mode::MAY, to);
        }
    }
}

/// The value of each proposition in a state, by the components whose states are shown.
fn labels<'s>(state: &'s ShownState, system: &'s System) -> Vec<(&'s str, Truth)> {
    let mut labels = Vec::new();
    for (member, component) in state.members.iter().zip(&system.components) {
        let Some(member) = member else { continue };
        for prop in component.model.props().names() {
            let is_in = |list: &[String]| list.iter().any(|name| name == prop);
            let value = match (is_in(&member.true_props), is_in(&member.unknown_props)) {
                (true, _) => Truth::True,
                (false, true) => Truth::Unknown,
                (false, false) => Truth::False,
            };
            labels.push((prop, value));
        }
    }
    labels
}
