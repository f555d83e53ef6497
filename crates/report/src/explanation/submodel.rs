//! The part of the model that an explanation speaks of, as a model.

use super::words::{is_literal, state_name};
use check::{Explanation, ShownNode, ShownState, ShownStep, Why};
use logic::{Family, PropId, Truth};
use model::{Kind, Mode, Model, ModelBuilder, System, TAU};

/// What becomes of the transitions that the explanation does not mention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
    /// They may be there, and lead to a state of which nothing is known, except where the explanation looks
    /// at every step of a state: there are no others.
    Unknown,
    /// They are not there.
    Absent,
}

/// A model of one component that gives the property the same definite value as `system` does, for which
/// the explanation was made. If the value is unknown there, with [`LeftOut::Unknown`] it is unknown here.
///
/// The strategy of the winner is an explanation's choice of sons, so it can be played on the part as well:
/// where the loser moves, either all transitions are mentioned, or (`Absent`) some are taken from him.
pub fn submodel(explanation: &Explanation, system: &System, left_out: LeftOut) -> Model {
    let family = system.family();
    let mut part = Part {
        explanation,
        builder: ModelBuilder::new(kind(explanation, family, left_out), "Part"),
        number: vec![None; explanation.states.len()],
        is_closed: closed(explanation),
        actions: if family == Family::Actions { actions(system) } else { Vec::new() },
    };
    part.add_states();
    part.add_steps();
    if family == Family::Props {
        part.add_labels(system);
    }
    if left_out == LeftOut::Unknown {
        part.add_rest();
    }
    part.builder.finish()
}

fn actions(system: &System) -> Vec<String> {
    let visible = system.actions().into_iter().filter(|name| name != TAU);
    visible.chain([TAU.to_owned()]).collect()
}

fn kind(explanation: &Explanation, family: Family, left_out: LeftOut) -> Kind {
    let sons = explanation.nodes.iter().flat_map(|node| &node.sons);
    let is_named = |step: &ShownStep| step.action.is_some() || family == Family::Props;
    let mut steps = sons.filter_map(|son| son.step.as_ref());
    let is_sure = steps.all(|step| step.is_sure && is_named(step));
    let members = || explanation.states.iter().flat_map(|state| &state.members);
    let is_labelled = members().all(|m| m.as_ref().is_some_and(|m| m.unknown_props.is_empty()));
    let is_complete = left_out == LeftOut::Absent && is_sure && explanation.verdict.is_definite();
    match family {
        Family::Actions if is_complete => Kind::Lts,
        Family::Actions => Kind::Mts,
        Family::Props if is_complete && is_labelled => Kind::Kripke,
        Family::Props => Kind::Kmts,
    }
}

/// By state: whether the explanation mentions all transitions out of it.
fn closed(explanation: &Explanation) -> Vec<bool> {
    let mut closed = vec![false; explanation.states.len()];
    for node in &explanation.nodes {
        closed[node.state as usize] |= closes(node);
    }
    closed
}

/// The loser moves by a transition, or would and cannot.
fn closes(node: &ShownNode) -> bool {
    let moves = node.sons.iter().any(|son| son.step.is_some());
    match node.why {
        Why::All => moves || (node.sons.is_empty() && !is_literal(&node.subformula)),
        Why::Itself => !is_literal(&node.subformula),
        _ => false,
    }
}

struct Part<'a> {
    explanation: &'a Explanation,
    builder: ModelBuilder,
    /// By state: its number in the part; states that no position mentions have none.
    number: Vec<Option<u32>>,
    is_closed: Vec<bool>,
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

    /// What is unknown rests on no step that must be there, and must not be decided by one here.
    fn is_definite(&self) -> bool {
        self.explanation.verdict.is_definite()
    }

    fn add_steps(&mut self) {
        for node in &self.explanation.nodes {
            for son in &node.sons {
                let target = self.explanation.nodes[son.node as usize].state;
                let ends = (self.number[node.state as usize], self.number[target as usize]);
                let (Some(step), (Some(from), Some(to))) = (&son.step, ends) else { continue };
                if step.action.is_none() && !self.actions.is_empty() {
                    self.add_any_step(from, to);
                    continue;
                }
                let action = step.action.as_ref().map(|action| self.builder.action(action));
                let mode = if step.is_sure && self.is_definite() { Mode::BOTH } else { Mode::MAY };
                self.builder.edge(from, action, mode, to);
            }
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
        let open = self.number.iter().zip(&self.is_closed).filter(|(_, is_closed)| !**is_closed);
        let mut open: Vec<u32> = open.filter_map(|(number, _)| *number).collect();
        if open.is_empty() {
            return;
        }
        let rest = self.builder.state("rest");
        open.push(rest);
        for &state in &open {
            self.add_any_step(state, rest);
        }
    }

    /// A step that may be there, by whatever action.
    fn add_any_step(&mut self, from: u32, to: u32) {
        if self.actions.is_empty() {
            self.builder.edge(from, None, Mode::MAY, to);
        }
        for name in &self.actions {
            let action = self.builder.action(name);
            self.builder.edge(from, Some(action), Mode::MAY, to);
        }
    }
}

/// What is known of each proposition in a state: all that a component knows whose state is shown.
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
