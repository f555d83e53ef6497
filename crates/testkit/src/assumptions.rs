//! Random questions of assumption synthesis (A): a system, the component that the assumption is to
//! stand for, and a deterministic safety property.

use crate::assumption_oracle::assumption_classes;
use crate::rng::Rng;
use crate::systems::random_sync;
use crate::text::{model_text, system_text};
use model::{Component, Kind, Mode, ModelBuilder, PartialModel, Sync, System, TAU};

/// Whether M‖N satisfies P, where N is one component of the system and M all the others.
#[derive(Clone, Debug)]
pub struct AssumptionQuestion {
    pub system: System,
    /// The number of the component N.
    pub process: usize,
    pub safety: PartialModel,
}

impl AssumptionQuestion {
    /// Whether more than one state of N has to be told from others.
    fn needs_an_assumption(&self) -> bool {
        let classes = assumption_classes(&self.system, self.process, &self.safety);
        classes.iter().any(|&class| class > 0)
    }

    /// A `.tm` file, with a comment that says which component is N.
    pub fn text(&self) -> String {
        let name = &self.system.components[self.process].model.name;
        let safety = model_text(&self.safety).replacen("component", "safety", 1);
        format!("// N is {name}\n{}{safety}", system_text(&self.system))
    }
}

/// A small one. A third to a half of them violate their property, and as many have an assumption
/// between one state and all states of N.
pub fn assumption_question(rng: &mut Rng) -> AssumptionQuestion {
    loop {
        let question = draw(rng);
        // Left to chance, nearly all questions have an assumption of one state.
        if rng.chance(0.15) || question.needs_an_assumption() {
            return question;
        }
    }
}

fn draw(rng: &mut Rng) -> AssumptionQuestion {
    let count = *rng.pick(&[2, 2, 2, 3, 3, 4]);
    let process = rng.below(count);
    let components = (0..count).map(|number| {
        let most = if number == process { 5 } else { [8, 4, 3][count - 2] };
        let mut draft = Draft::random(rng, number, most);
        // States that differ little are what an assumption merges.
        if number == process {
            (0..rng.between(0, 3)).for_each(|_| draft.split_a_state(rng));
        }
        Component { model: draft.finish(), is_unknown: false }
    });
    let components: Vec<Component> = components.collect();
    let sync = if rng.chance(0.3) { random_sync(rng, &components) } else { Sync::default() };
    let system = System { components, sync };
    let safety = safety(rng, &system, process);
    AssumptionQuestion { system, process, safety }
}

/// A small one whose property is nondeterministic as a rule: it has further transitions and initial states.
pub fn nondeterministic_question(rng: &mut Rng) -> AssumptionQuestion {
    let mut question = assumption_question(rng);
    let mut property = Draft::of(&question.safety);
    property.states += rng.below(2);
    if rng.chance(0.5) {
        property.init.push(rng.below(property.states));
    }
    let most = if property.actions.is_empty() { 0 } else { property.states + 1 };
    for _ in 0..rng.between(0, most) {
        let (source, target) = (rng.below(property.states), rng.below(property.states));
        property.add(rng, source, target);
    }
    question.safety = property.finish();
    question
}

/// An LTS with a small change, and what that is.
pub fn changed_process(rng: &mut Rng, model: &PartialModel) -> (PartialModel, &'static str) {
    let mut draft = Draft::of(model);
    let what = draft.change(rng);
    (draft.finish(), what)
}

/// An LTS under construction.
struct Draft {
    name: String,
    actions: Vec<String>,
    states: usize,
    init: Vec<usize>,
    /// Source, place among the actions, target.
    edges: Vec<(usize, usize, usize)>,
}

impl Draft {
    fn random(rng: &mut Rng, number: usize, most: usize) -> Self {
        let mut actions: Vec<String> =
            rng.some(&["a", "b", "c"], 0.8).into_iter().map(str::to_owned).collect();
        actions.extend(rng.chance(0.4).then(|| format!("l{number}")));
        actions.extend(rng.chance(0.25).then(|| TAU.to_owned()));
        let states = rng.between(2, most);
        let mut draft =
            Self { name: format!("M{number}"), actions, states, init: vec![0], edges: Vec::new() };
        if rng.chance(0.15) {
            draft.init.push(rng.below(states));
        }
        // Most states can be reached, all of them only if chance has it so.
        for target in 1..states {
            let source = if rng.chance(0.9) { rng.below(target) } else { rng.below(states) };
            draft.add(rng, source, target);
        }
        for _ in 0..rng.between(0, states) {
            let (source, target) = (rng.below(states), rng.below(states));
            draft.add(rng, source, target);
        }
        if rng.chance(0.5) {
            draft.end_deadlocks(rng);
        }
        draft
    }

    fn of(model: &PartialModel) -> Self {
        let edges = (0..model.states() as u32).flat_map(|state| {
            let out = model.edges().out(state);
            out.filter_map(move |(target, class)| {
                Some((state as usize, class.action?.0 as usize, target as usize))
            })
        });
        Self {
            name: model.name.clone(),
            actions: model.actions().names().map(str::to_owned).collect(),
            states: model.states(),
            init: model.init().iter().map(|&state| state as usize).collect(),
            edges: edges.collect(),
        }
    }

    /// One edge more, less or elsewhere; one state more; another initial state; an action forgotten.
    fn change(&mut self, rng: &mut Rng) -> &'static str {
        let edge = (!self.edges.is_empty()).then(|| rng.below(self.edges.len()));
        let state = rng.below(self.states);
        match (rng.below(7), edge) {
            (0, _) => {
                let target = rng.below(self.states);
                self.add(rng, state, target);
                "an edge more"
            }
            (1, Some(edge)) => {
                self.edges.swap_remove(edge);
                "an edge less"
            }
            (2, Some(edge)) => {
                self.edges[edge].2 = state;
                "another target"
            }
            (3, Some(edge)) => {
                self.edges[edge].0 = state;
                "another source"
            }
            (4, _) => {
                self.init = vec![state];
                "another initial state"
            }
            (5, Some(edge)) => {
                let lost = self.edges[edge].1;
                self.actions.remove(lost);
                self.edges.retain(|&(_, action, _)| action != lost);
                self.edges.iter_mut().for_each(|edge| edge.1 -= usize::from(edge.1 > lost));
                "an action less"
            }
            _ => {
                self.split_a_state(rng);
                "a state more"
            }
        }
    }

    fn add(&mut self, rng: &mut Rng, source: usize, target: usize) {
        self.edges.push((source, rng.below(self.actions.len()), target));
    }

    fn end_deadlocks(&mut self, rng: &mut Rng) {
        for state in 0..self.states {
            if !self.edges.iter().any(|&(source, ..)| source == state) {
                let target = rng.below(self.states);
                self.add(rng, state, target);
            }
        }
    }

    /// Makes two states of one: both can go where it could go, give or take an edge, and who came to
    /// it comes to either.
    fn split_a_state(&mut self, rng: &mut Rng) {
        let (old, new) = (rng.below(self.states), self.states);
        self.states += 1;
        let copies: Vec<_> = self
            .edges
            .iter()
            .filter(|&&(source, ..)| source == old && rng.chance(0.9))
            .map(|&(_, action, target)| (new, action, target))
            .collect();
        self.edges.extend(copies);
        for (_, _, target) in self.edges.iter_mut().filter(|(.., target)| *target == old) {
            if rng.chance(0.5) {
                *target = new;
            }
        }
    }

    fn finish(self) -> PartialModel {
        let mut builder = ModelBuilder::new(Kind::Lts, self.name);
        let states: Vec<u32> = (0..self.states).map(|i| builder.state(format!("s{i}"))).collect();
        let actions: Vec<_> = self.actions.iter().map(|name| builder.action(name)).collect();
        self.init.iter().for_each(|&state| builder.init(states[state]));
        for (source, action, target) in self.edges {
            builder.edge(states[source], Some(actions[action]), Mode::BOTH, states[target]);
        }
        builder.finish()
    }
}

/// A deterministic LTS over some of the actions that the system shows, with an edge for most of them
/// in most states. It sees N more often than others: without N there is nothing to assume.
fn safety(rng: &mut Rng, system: &System, process: usize) -> PartialModel {
    let (rules, shown) = system.rules();
    let mut actions: Vec<String> = Vec::new();
    for rule in rules {
        let name = shown.name(rule.result);
        let takes_part = rule.parts.iter().any(|&(component, _)| component == process);
        let wanted = rng.chance(if takes_part { 0.7 } else { 0.2 });
        if wanted && name != TAU && !actions.iter().any(|known| known == name) {
            actions.push(name.to_owned());
        }
    }
    let states = rng.between(1, 4);
    let allowed = *rng.pick(&[0.5, 0.7, 0.85]);
    let mut edges = Vec::new();
    for state in 0..states {
        for action in 0..actions.len() {
            if rng.chance(allowed) {
                edges.push((state, action, rng.below(states)));
            }
        }
    }
    Draft { name: "P".to_owned(), actions, states, init: vec![0], edges }.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assumption_oracle::{forward_classes, violates};
    use crate::failure::for_seeds;
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    const QUESTIONS: u64 = 400;

    #[derive(Default, Debug)]
    struct Census {
        violated: u64,
        /// Neither all states in one class nor each in its own.
        forward_between: u64,
        between: u64,
        with_vectors: u64,
        with_hiding: u64,
        with_several_initial: u64,
    }

    fn is_between(classes: &[u32]) -> bool {
        let distinct: BTreeSet<&u32> = classes.iter().collect();
        (2..classes.len()).contains(&distinct.len())
    }

    #[test]
    fn questions_are_of_all_sorts() {
        let census = RefCell::new(Census::default());
        for_seeds("assumption-questions", 0..QUESTIONS, |rng, case| {
            let question = assumption_question(rng);
            case.note(question.text());
            let AssumptionQuestion { system, process, safety } = &question;
            let mut census = census.borrow_mut();
            census.violated += u64::from(violates(system, *process, safety, None));
            let forward = forward_classes(system, *process, safety);
            census.forward_between += u64::from(is_between(&forward));
            let classes = assumption_classes(system, *process, safety);
            census.between += u64::from(is_between(&classes));
            census.with_vectors += u64::from(!system.sync.vectors.is_empty());
            census.with_hiding += u64::from(!system.sync.hidden.is_empty());
            let several = system.components.iter().any(|part| part.model.init().len() > 1);
            census.with_several_initial += u64::from(several);
            Ok(())
        });
        let census = census.into_inner();
        let enough = |count: u64| count >= QUESTIONS / 10;
        assert!((QUESTIONS / 3..=QUESTIONS / 2).contains(&census.violated), "{census:?}");
        assert!(census.forward_between >= QUESTIONS / 3, "{census:?}");
        assert!(census.between >= QUESTIONS / 3, "{census:?}");
        assert!(enough(census.with_vectors) && enough(census.with_hiding), "{census:?}");
        assert!(enough(census.with_several_initial), "{census:?}");
    }
}
