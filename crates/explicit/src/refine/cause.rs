//! Failure analysis (G §5, C §5.2): from an unknown node to the component that has to know more.
//!
//! The failure node comes from the colouring (`cont`, or the play of the two strategies). Its cause is
//! a literal without a value (case 1 of G Lemma 2), a may transition to a node that would decide (2), or
//! one to an unknown node (3). Each belongs to components: the owner of the literal, or those whose own
//! step is not a must (C §5.2); one after the other, because a transition that one of them does not have
//! is gone whatever the other does (C footnote 4). If all of them must make the step and it still is no
//! must, a component that is not in the game may block it: it comes in.
//!
//! Where the environment's choices are hyper-transitions, they need steps that the components inside must make: no
//! component comes in that may block a step in a round in which other causes were found first.
//!
//! A round that was expensive looks at more than one failure cause before the games are played again. All causes come
//! from one colouring: a definite colour holds in the parts of a state that was split since, so it does not matter
//! which of them was refined first.
//!
//! A partial component can be without an answer itself: then the states behind a number do not differ
//! and there is nothing to split. Another cause is looked for, first at the same node, then at all
//! unknown nodes that can be reached; if there is none, and every component is in the game, the
//! refined model is as precise as the components, and the answer is unknown.

use super::Run;
use super::abstraction::HyperStep;
use super::concretisation::Criterion;
use super::enabled::Source;
use super::failure_edges::{FailureEdge, failure_edges, reachable_unknown};
use super::history::{Change, FailureCase, FailureCause};
use super::lifted::Question;
use crate::outcome::Reason;
use crate::verdict::Initial;
use game::colour::Colouring;
use game::{NodeClass, Op, SubsystemGame};
use logic::{PropId, Truth};
use model::{ActionId, IDLE, STUTTER};
use support::Stopped;

pub(super) enum Finding {
    Refined(Vec<(FailureCause, Change)>),
    /// Nothing can be refined: the reason that is left.
    Stuck(Reason),
}

impl<'f> Run<'_, 'f> {
    /// Refines for up to `most` failure causes, for at least one.
    pub(super) fn refine_causes(
        &mut self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
        most: usize,
    ) -> Result<Finding, Stopped> {
        let unknown = |node: &u32| colouring.colours[*node as usize] == Truth::Unknown;
        let starts: Vec<u32> = combined.graph.initial.iter().copied().filter(unknown).collect();
        let failures: Vec<u32> = starts.iter().map(|&node| colouring.failure_node(node)).collect();
        let others = || reachable_unknown(combined, colouring, &starts);
        let nodes = failures.iter().copied().chain(std::iter::once_with(others).flatten());
        self.split_now.clear();
        let has_choices = self.has_choices(combined);
        let mut changes = Vec::new();
        for node in nodes {
            self.monitor().check()?;
            self.may_include = changes.is_empty() || !has_choices;
            changes.extend(self.resolve(combined, colouring, node));
            let includes = matches!(changes.last(), Some((_, Change::Included { .. })));
            if changes.len() >= most || includes {
                break;
            }
        }
        if !changes.is_empty() {
            return Ok(Finding::Refined(changes));
        }
        let (start, failure) = (starts[0], failures[0]);
        if let Some(component) = self.next_component(combined) {
            let names = self.state_names(combined, failure);
            let cause = self.cause(combined, failure, names, FailureCase::UnknownSuccessor);
            return Ok(Finding::Refined(vec![(cause, self.include(component))]));
        }
        Ok(Finding::Stuck(self.diagnosis(combined, colouring, start, failure)))
    }

    /// Whether the environment of a part makes choices that are hyper-transitions.
    fn has_choices(&self, combined: &SubsystemGame<'f>) -> bool {
        let Question { interface, has_choices, .. } = self.question;
        let inside = &combined.inside;
        let is_blocked = || interface.general_blocker(inside).is_some();
        has_choices && !interface.inputs(inside).is_empty() && !is_blocked()
    }

    /// Finds out more about an unknown node; nothing if there is nothing to find out.
    pub(super) fn resolve(
        &mut self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
        node: u32,
    ) -> Vec<(FailureCause, Change)> {
        let (state, label) = combined.graph.at(node);
        if combined.graph.subformulas.chosen_by(label).is_some() {
            return Vec::new();
        }
        match self.question.plan.equations[label as usize].op {
            Op::Lit(prop, _) => {
                let names = self.state_names(combined, node);
                let changes = self.resolve_literal(combined, state, prop);
                let cause = self.cause(combined, node, names, FailureCase::Literal);
                changes.into_iter().map(|change| (cause.clone(), change)).collect()
            }
            Op::Modal(..) => self.resolve_modality(combined, colouring, node),
            _ => Vec::new(),
        }
    }

    /// Case 1: the owners of the literal, asked and then split.
    fn resolve_literal(
        &mut self,
        combined: &SubsystemGame<'f>,
        state: u32,
        prop: PropId,
    ) -> Vec<Change> {
        for (&component, &member) in combined.components.iter().zip(combined.tuple(state)) {
            let Some(own) = self.settings[component].own_prop(prop) else { continue };
            let abstraction = &mut self.abstractions[component];
            if abstraction.label(member, own) != Truth::Unknown {
                continue;
            }
            let name = self.request.system.props().name(prop).to_owned();
            if abstraction.ask_label(member, own) {
                let value = abstraction.label(member, own);
                if value.is_definite() {
                    self.stale[component] = true;
                    let (component, state) =
                        (self.name(component), self.state_name(component, member));
                    return vec![Change::Label { component, state, prop: name, value }];
                }
            }
            let by = format!("the value of {name}");
            if let Some(change) = self.split(component, member, &Criterion::Label(own), by) {
                return vec![change];
            }
        }
        Vec::new()
    }

    /// Cases 2 and 3.
    fn resolve_modality(
        &mut self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
        node: u32,
    ) -> Vec<(FailureCause, Change)> {
        // Before the change: it can split the state.
        let names = self.state_names(combined, node);
        for exit in failure_edges(combined, colouring, node) {
            let changes = self.resolve_exit(combined, colouring, node, exit);
            if !changes.is_empty() {
                let cause = self.cause(combined, node, names, exit.case);
                return changes.into_iter().map(|change| (cause.clone(), change)).collect();
            }
        }
        Vec::new()
    }

    fn resolve_exit(
        &mut self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
        node: u32,
        exit: FailureEdge,
    ) -> Vec<Change> {
        match exit.step.rule {
            IDLE => return self.include_mover(combined, node),
            STUTTER => return self.resolve_stutter(combined, node),
            _ => {}
        }
        let mut changes = Vec::new();
        for place in 0..combined.components.len() {
            changes.extend(self.resolve_step(combined, colouring, node, exit, place));
            if !changes.is_empty() && self.request.refinement.one_side_first {
                break;
            }
        }
        if changes.is_empty() && self.may_include {
            changes.extend(
                self.blocker(combined, node, exit).map(|component| self.include(component)),
            );
        }
        changes
    }

    /// Refinement that one component needs for its part of a step.
    fn resolve_step(
        &mut self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
        node: u32,
        exit: FailureEdge,
        place: usize,
    ) -> Option<Change> {
        let component = combined.components[place];
        let action = self.action_of(component, exit.step.rule)?;
        let of = |node: u32| combined.tuple(combined.graph.states[node as usize])[place];
        let (source, target) = (of(node), of(exit.target));
        if let Some(change) = self.look_at(component, source) {
            return Some(change);
        }
        let abstraction = &mut self.abstractions[component];
        if !abstraction.may(source, action, target) || abstraction.must(source, action, target) {
            return None;
        }
        let targets = self.alternatives(combined, colouring, node, exit, place);
        let into = |targets: &[u32]| Criterion::Steps { action, targets: targets.to_vec() };
        let by = self.step_text(component, action, &targets);
        if let Some(change) = self.split(component, source, &into(&targets), by) {
            return Some(change);
        }
        if targets.len() > 1 {
            let sure = self.abstractions[component].concrete.must(source, action, &targets);
            let found = sure.then(|| {
                let hyper = HyperStep { source, action, targets };
                self.use_hyper(combined, node, exit, place, hyper)
            });
            if let Some(change) = found.flatten() {
                return Some(change);
            }
        }
        let by = self.step_text(component, action, &[target]);
        self.split(component, source, &into(&[target]), by)
    }

    /// Computes the transitions of a state that were not computed yet, if that adds something new.
    fn look_at(&mut self, component: usize, source: u32) -> Option<Change> {
        let abstraction = &mut self.abstractions[component];
        let before = abstraction.steps(source).len();
        if !abstraction.look_at(source) {
            return None;
        }
        let steps = abstraction.steps(source);
        let removed = before - steps.len();
        let must = steps.iter().filter(|step| step.must != Some(false)).count();
        if removed == 0 && must == 0 {
            return None;
        }
        self.stale[component] = true;
        Some(Change::Transitions {
            component: self.name(component),
            state: self.state_name(component, source),
            removed: removed as u64,
            must: must as u64,
        })
    }

    /// The targets of one component in the successors that would decide as the exit does and differ from it
    /// in this component only: G's union over the successors of colour K, for n components. They share one
    /// joint label, so that a step into any of them fits what the others do.
    fn alternatives(
        &self,
        combined: &SubsystemGame<'f>,
        colouring: &Colouring,
        node: u32,
        exit: FailureEdge,
        place: usize,
    ) -> Vec<u32> {
        let tuple = |node: u32| combined.tuple(combined.graph.states[node as usize]);
        let chosen = tuple(exit.target);
        if exit.case != FailureCase::DecidingSuccessor {
            return vec![chosen[place]];
        }
        let concrete = &self.abstractions[combined.components[place]].concrete;
        let joint = concrete.joint(chosen[place]);
        let mut targets: Vec<u32> = failure_edges(combined, colouring, node)
            .into_iter()
            .chain([exit])
            .filter(|other| other.case == exit.case && other.step.rule == exit.step.rule)
            .map(|other| tuple(other.target))
            .filter(|other| (0..chosen.len()).all(|i| i == place || other[i] == chosen[i]))
            .map(|other| other[place])
            .filter(|&target| concrete.joint(target) == joint)
            .collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Every concrete state steps into one of several deciding targets: a hyper-transition, or, if
    /// everything else about the step is sure, the colour of the node (G §5: an empty split is
    /// informative).
    fn use_hyper(
        &mut self,
        combined: &SubsystemGame<'f>,
        node: u32,
        exit: FailureEdge,
        place: usize,
        hyper: HyperStep,
    ) -> Option<Change> {
        let component = combined.components[place];
        if self.request.refinement.hyper {
            let targets = hyper.targets.iter().map(|&t| self.state_name(component, t)).collect();
            let (name, state) = (self.name(component), self.state_name(component, hyper.source));
            let is_new = self.abstractions[component].add_hyper(hyper);
            self.stale[component] |= is_new;
            return is_new.then_some(Change::Hyper { component: name, state, targets });
        }
        let (state, label) = combined.graph.at(node);
        let others_sure =
            (0..combined.components.len()).filter(|&other| other != place).all(|other| {
                let component = combined.components[other];
                let Some(action) = self.action_of(component, exit.step.rule) else { return true };
                let target = combined.tuple(combined.graph.states[exit.target as usize])[other];
                self.abstractions[component].must(combined.tuple(state)[other], action, target)
            });
        if !others_sure || self.blocker(combined, node, exit).is_some() {
            return None;
        }
        let value = Truth::from(combined.graph.class(node) == NodeClass::Dia);
        let tuple = combined.tuple(state).to_vec();
        if !self.memory.insert(&combined.components, &tuple, label, value) {
            return None;
        }
        if let [single] = combined.components[..] {
            self.stale[single] = true;
        }
        Some(Change::Colour { state: self.state_names(combined, node), value })
    }

    /// A deadlock of some of the concrete states: they differ in what they offer.
    fn resolve_stutter(&mut self, combined: &SubsystemGame<'f>, node: u32) -> Vec<Change> {
        if let Some(component) = self.next_component(combined) {
            return vec![self.include(component)];
        }
        let tuple = combined.tuple(combined.graph.states[node as usize]).to_vec();
        for (&component, &member) in combined.components.iter().zip(&tuple) {
            let by = "what they can do at all".to_owned();
            let change = self.split(component, member, &Criterion::EnabledSteps, by);
            if let Some(change) = change.or_else(|| self.split_by_some_step(component, member)) {
                return vec![change];
            }
        }
        Vec::new()
    }

    /// All can do the same, but to different states: no must transition says so.
    fn split_by_some_step(&mut self, component: usize, state: u32) -> Option<Change> {
        if self.source == Source::Concrete {
            return None;
        }
        let steps = self.abstractions[component].steps(state).to_vec();
        steps.into_iter().find_map(|step| {
            let by = self.step_text(component, step.action, &[step.target]);
            let criterion = Criterion::Steps { action: step.action, targets: vec![step.target] };
            self.split(component, state, &criterion, by)
        })
    }

    /// No component of the game takes part in the step: one that does is included.
    fn include_mover(&mut self, combined: &SubsystemGame<'f>, node: u32) -> Vec<Change> {
        let label = combined.graph.labels[node as usize];
        let Op::Modal(_, actions, _) = self.question.plan.equations[label as usize].op else {
            return Vec::new();
        };
        let interface = self.question.interface;
        let set = self.question.formula.actions(actions);
        let rules = interface.rules.iter().filter(|rule| {
            let foreign = rule.parts.iter().all(|&(component, _)| !combined.inside[component]);
            foreign && set.contains(interface.actions.name(rule.result))
        });
        let mut movers = rules.flat_map(|rule| rule.parts.iter().map(|&(component, _)| component));
        movers.next().map(|component| self.include(component)).into_iter().collect()
    }

    /// Action of a component in a rule: `None` if it does not take part.
    pub(super) fn action_of(&self, component: usize, rule: u32) -> Option<Option<ActionId>> {
        if matches!(rule, IDLE | STUTTER) {
            return None;
        }
        if self.question.interface.rules.is_empty() {
            return Some(None);
        }
        self.settings[component].action_in(rule).map(Some)
    }

    /// A component outside the game that may block a step.
    fn blocker(&self, combined: &SubsystemGame<'f>, node: u32, exit: FailureEdge) -> Option<usize> {
        let interface = self.question.interface;
        if !interface.rules.is_empty() {
            return interface.rule_blocker(&combined.inside, exit.step.rule);
        }
        let words = interface.joint.words();
        let label = |node: u32| combined.label(combined.graph.states[node as usize], words);
        interface
            .general_blocker(&combined.inside)
            .or_else(|| interface.step_blocker(&combined.inside, label(node), label(exit.target)))
    }

    /// A component outside the game, the one with most in common with it.
    fn next_component(&self, combined: &SubsystemGame<'f>) -> Option<usize> {
        let outside = (0..combined.inside.len()).filter(|&component| !combined.inside[component]);
        outside.max_by_key(|&component| {
            crate::compositional::order::in_common(self.question.interface, combined, component)
        })
    }

    fn include(&mut self, component: usize) -> Change {
        self.included.push(component);
        Change::Included { component: self.name(component) }
    }

    /// Splits a state if the criterion separates it, and lets everything that is known follow. No state is split
    /// twice in a round: what its parts need is seen in the next game.
    fn split(
        &mut self,
        component: usize,
        state: u32,
        criterion: &Criterion,
        by: String,
    ) -> Option<Change> {
        if self.split_now.contains(&(component, state)) {
            return None;
        }
        let name = self.state_name(component, state);
        let fresh = self.abstractions[component].split(state, criterion);
        if fresh.is_empty() {
            return None;
        }
        self.split_now.insert((component, state));
        self.memory.split(component, state, &fresh);
        self.stale[component] = true;
        let concrete = &self.abstractions[component].concrete;
        let mut initial: Vec<Initial> = Vec::new();
        for (tuple, value) in self.initial.drain(..) {
            if tuple[component] != state {
                initial.push((tuple, value));
                continue;
            }
            let parts = std::iter::once(state).chain(fresh.iter().copied());
            for part in parts.filter(|&part| concrete.is_initial(part)) {
                let mut tuple = tuple.clone();
                tuple[component] = part;
                if (self.question.can_start)(&tuple) {
                    initial.push((tuple, value));
                }
            }
        }
        self.initial = initial;
        let parts = fresh.len() as u64 + 1;
        Some(Change::Split { component: self.name(component), state: name, by, parts })
    }

    pub(super) fn state_name(&self, component: usize, state: u32) -> String {
        self.abstractions[component].concrete.name(state)
    }

    /// In the order of the system, as everywhere where users read them.
    pub(super) fn state_names(&self, combined: &SubsystemGame<'f>, node: u32) -> Vec<String> {
        let tuple = combined.tuple(combined.graph.states[node as usize]);
        let mut members: Vec<(usize, u32)> =
            combined.components.iter().copied().zip(tuple.iter().copied()).collect();
        members.sort_unstable();
        members.into_iter().map(|(component, member)| self.state_name(component, member)).collect()
    }

    fn step_text(&self, component: usize, action: Option<ActionId>, targets: &[u32]) -> String {
        let names: Vec<String> = targets.iter().map(|&t| self.state_name(component, t)).collect();
        let by = action.map(|action| format!(" by {}", self.action_name(component, action)));
        format!("a step{} to {}", by.unwrap_or_default(), names.join(" or "))
    }

    pub(super) fn action_name(&self, component: usize, action: ActionId) -> String {
        self.request.system.components[component].model.actions().name(action).to_owned()
    }

    fn cause(
        &self,
        combined: &SubsystemGame<'f>,
        node: u32,
        state: Vec<String>,
        case: FailureCase,
    ) -> FailureCause {
        FailureCause { state, subformula: self.subformula(combined, node), case }
    }

    pub(super) fn subformula(&self, combined: &SubsystemGame<'f>, node: u32) -> String {
        self.question.formula.show(combined.graph.subformula(node).node)
    }
}
