//! Composition of action models (C §6.1): joint actions together, local ones interleaved, and
//! synchronisation vectors where they are given. Reachable part only.

use crate::edges::Mode;
use crate::names::StateNames;
use crate::partial::{ActionId, Kind, Model, ModelBuilder, TAU};
use crate::system::{ComposeError, System};
use base::{Monitor, StopReason, Stopped};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A joint step: these components make these local actions, which shows as `result`.
struct Rule {
    parts: Vec<(usize, ActionId)>,
    result: ActionId,
}

pub(crate) fn compose(system: &System, monitor: &Monitor) -> Result<Model, ComposeError> {
    monitor.phase("composing", 0);
    let mut product = Product::new(system);
    product.add_initial();
    let mut next = 0;
    while next < product.count {
        product.expand(next);
        next += 1;
        if next % 1024 == 0 {
            monitor.step(1024)?;
        }
        if product.count > u32::MAX / 2 {
            return Err(Stopped(StopReason::Size).into());
        }
    }
    Ok(product.finish())
}

struct Product<'a> {
    models: Vec<&'a Model>,
    rules: Vec<Rule>,
    /// By component and local action: the rules in which this is the first part.
    rules_by_first: Vec<Vec<Vec<usize>>>,
    builder: ModelBuilder,
    ids: FxHashMap<Box<[u32]>, u32>,
    tuples: Vec<u32>,
    count: u32,
}

impl<'a> Product<'a> {
    fn new(system: &'a System) -> Self {
        let models: Vec<&Model> = system.components.iter().map(|c| &c.model).collect();
        let name: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        let complete = models.iter().all(|model| model.kind == Kind::Lts);
        let kind = if complete { Kind::Lts } else { Kind::Mts };
        let mut builder = ModelBuilder::new(kind, name.join(" || "));
        let rules = rules(system, &mut builder);
        let mut rules_by_first: Vec<Vec<Vec<usize>>> =
            models.iter().map(|model| vec![Vec::new(); model.actions().len()]).collect();
        for (index, rule) in rules.iter().enumerate() {
            let (component, action) = rule.parts[0];
            rules_by_first[component][action.0 as usize].push(index);
        }
        Self {
            models,
            rules,
            rules_by_first,
            builder,
            ids: FxHashMap::default(),
            tuples: Vec::new(),
            count: 0,
        }
    }

    fn add_initial(&mut self) {
        let mut tuples: Vec<Vec<u32>> = vec![Vec::new()];
        for model in &self.models {
            tuples = tuples
                .into_iter()
                .flat_map(|tuple| {
                    model.init().iter().map(move |&state| [&tuple[..], &[state]].concat())
                })
                .collect();
        }
        for tuple in tuples {
            let state = self.intern(&tuple);
            self.builder.init(state);
        }
    }

    fn intern(&mut self, tuple: &[u32]) -> u32 {
        if let Some(&id) = self.ids.get(tuple) {
            return id;
        }
        let id = self.builder.state(String::new());
        self.ids.insert(tuple.into(), id);
        self.tuples.extend_from_slice(tuple);
        self.count += 1;
        id
    }

    fn expand(&mut self, state: u32) {
        let width = self.models.len();
        let tuple = self.tuples[state as usize * width..][..width].to_vec();
        let mut steps = Vec::new();
        for component in 0..width {
            for (target, class) in self.models[component].edges().out(tuple[component]) {
                let action = class.action.expect("action models have actions");
                for &rule in &self.rules_by_first[component][action.0 as usize] {
                    let mut next = tuple.clone();
                    next[component] = target;
                    self.join(&tuple, next, rule, 1, class.mode, &mut steps);
                }
            }
        }
        for (next, mode, action) in steps {
            let target = self.intern(&next);
            self.builder.edge(state, Some(action), mode, target);
        }
    }

    /// Lets the remaining parts of a rule make their steps, in every way.
    fn join(
        &self,
        from: &[u32],
        next: Vec<u32>,
        rule: usize,
        part: usize,
        mode: Mode,
        steps: &mut Vec<(Vec<u32>, Mode, ActionId)>,
    ) {
        let Some(&(component, action)) = self.rules[rule].parts.get(part) else {
            steps.push((next, mode, self.rules[rule].result));
            return;
        };
        for (target, class) in self.models[component].edges().out(from[component]) {
            if class.action == Some(action) {
                let mut next = next.clone();
                next[component] = target;
                let both =
                    Mode { may: mode.may && class.mode.may, must: mode.must && class.mode.must };
                self.join(from, next, rule, part + 1, both, steps);
            }
        }
    }

    fn finish(self) -> Model {
        let parts = self.models.iter().map(|model| model.names().clone()).collect();
        let names = StateNames::Product { parts, tuples: Arc::new(self.tuples) };
        self.builder.finish_named(names)
    }
}

/// The vectors as given; `tau` alone; every other action together with all who have it and do not
/// mention it in a vector.
fn rules(system: &System, builder: &mut ModelBuilder) -> Vec<Rule> {
    let models: Vec<&Model> = system.components.iter().map(|c| &c.model).collect();
    let in_vector = |component: usize, action: &str| {
        let mut parts = system.sync.vectors.iter().flat_map(|vector| &vector.parts);
        parts.any(|(c, a)| *c == component && a == action)
    };
    let mut shown = |name: &str| {
        let hidden = system.sync.hidden.iter().any(|hidden| hidden == name);
        builder.action(if hidden { TAU } else { name })
    };
    let mut rules = Vec::new();
    for vector in &system.sync.vectors {
        let parts: Option<Vec<_>> = vector
            .parts
            .iter()
            .map(|(c, action)| models[*c].actions().get(action).map(|action| (*c, action)))
            .collect();
        // A vector that names an action that its component never makes can never fire.
        if let Some(parts) = parts {
            rules.push(Rule { parts, result: shown(&vector.result) });
        }
    }
    for (component, model) in models.iter().enumerate() {
        for (action, name) in model.actions().iter() {
            if in_vector(component, name) {
                continue;
            }
            if name == TAU {
                rules.push(Rule { parts: vec![(component, action)], result: shown(TAU) });
                continue;
            }
            let partners = (0..models.len()).filter(|&c| !in_vector(c, name));
            let parts: Vec<_> = partners
                .filter_map(|c| models[c].actions().get(name).map(|action| (c, action)))
                .collect();
            // Each joint action once, when its first component is met.
            if parts[0].0 == component {
                rules.push(Rule { parts, result: shown(name) });
            }
        }
    }
    rules
}
