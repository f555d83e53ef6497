//! Composition of action models (C §6.1): joint actions together, local ones interleaved, and
//! synchronisation vectors where they are given.

use super::{Search, count_on, joined_name};
use crate::edges::{EdgeClass, Mode};
use crate::names::StateNames;
use crate::partial::{ActionId, Kind, Model};
use crate::rules::{Rule, rules};
use crate::system::System;
use base::{Interner, Monitor, Stopped};
use std::ops::ControlFlow;
use std::sync::Arc;

pub(super) fn compose(system: &System, monitor: &Monitor) -> Result<Model, Stopped> {
    let mut parts = Parts::new(system);
    let mut search = Search::new(parts.models.len());
    let mut init = Vec::new();
    let _ = for_each_initial(system, |tuple| {
        init.push(search.tuples.intern(tuple));
        ControlFlow::Continue(())
    });
    search.run(monitor, |search, state, tuple| parts.expand(search, state, tuple))?;
    let (tuples, edges, _) = search.finish(monitor)?;
    let complete = parts.models.iter().all(|model| model.kind == Kind::Lts);
    let names = parts.models.iter().map(|model| model.names().clone()).collect();
    Ok(Model {
        kind: if complete { Kind::Lts } else { Kind::Mts },
        name: joined_name(&parts.models),
        actions: parts.actions,
        names: StateNames::Product { parts: names, tuples: Arc::new(tuples) },
        init,
        edges,
        ..Model::empty()
    })
}

/// Every tuple of initial states, until told to stop.
pub(super) fn for_each_initial(
    system: &System,
    mut visit: impl FnMut(&[u32]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let inits: Vec<&[u32]> = system.components.iter().map(|c| c.model.init()).collect();
    if inits.iter().any(|init| init.is_empty()) {
        return ControlFlow::Continue(());
    }
    let mut picks = vec![0; inits.len()];
    loop {
        let tuple: Vec<u32> = inits.iter().zip(&picks).map(|(init, &pick)| init[pick]).collect();
        visit(&tuple)?;
        let lengths = inits.iter().map(|init| init.len());
        if !count_on(&mut picks, lengths) {
            return ControlFlow::Continue(());
        }
    }
}

/// A step of the whole: what it shows, how sure it is, where it leads.
type Step = (ActionId, u32, Mode);

pub(super) struct Parts<'a> {
    models: Vec<&'a Model>,
    actions: Interner<ActionId>,
    rules: Vec<Rule>,
    /// By component and local action: the rules in which this is the first part.
    rules_by_first: Vec<Vec<Vec<usize>>>,
    /// The steps out of the present state.
    steps: Vec<Step>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(system: &'a System) -> Self {
        let models: Vec<&Model> = system.components.iter().map(|c| &c.model).collect();
        let mut actions = Interner::new();
        let rules = rules(system, &mut actions);
        let mut rules_by_first: Vec<Vec<Vec<usize>>> =
            models.iter().map(|model| vec![Vec::new(); model.actions().len()]).collect();
        for (index, rule) in rules.iter().enumerate() {
            let (component, action) = rule.parts[0];
            rules_by_first[component][action.0 as usize].push(index);
        }
        Self { models, actions, rules, rules_by_first, steps: Vec::new() }
    }

    fn expand(&mut self, search: &mut Search, state: u32, tuple: &[u32]) {
        let mut steps = std::mem::take(&mut self.steps);
        self.for_each_step(tuple, &mut |action, next: &[u32], mode| {
            steps.push((action, search.tuples.intern(next), mode));
        });
        self.write(search, state, &mut steps);
        steps.clear();
        self.steps = steps;
    }

    /// Every step of every rule out of a tuple.
    pub(super) fn for_each_step(
        &self,
        tuple: &[u32],
        visit: &mut impl FnMut(ActionId, &[u32], Mode),
    ) {
        let mut next = tuple.to_vec();
        for (component, model) in self.models.iter().enumerate() {
            for (target, class) in model.edges().out(tuple[component]) {
                let Some(action) = class.action else { continue };
                for &rule in &self.rules_by_first[component][action.0 as usize] {
                    next[component] = target;
                    self.join(tuple, &mut next, rule, 1, class.mode, visit);
                }
            }
            next[component] = tuple[component];
        }
    }

    /// Two rules may show the same step, sure in one and not in the other.
    fn write(&self, search: &mut Search, state: u32, steps: &mut [Step]) {
        steps.sort_unstable();
        for same in steps.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (action, target, _) = same[0];
            let mode = same[1..].iter().fold(same[0].2, |mode, step| mode.or(step.2));
            search.edge(state, EdgeClass { action: Some(action), mode }, target);
        }
    }

    /// Lets the parts of a rule from the `part`-th on make their steps, in every way.
    fn join(
        &self,
        from: &[u32],
        next: &mut [u32],
        rule: usize,
        part: usize,
        mode: Mode,
        visit: &mut impl FnMut(ActionId, &[u32], Mode),
    ) {
        let Some(&(component, action)) = self.rules[rule].parts.get(part) else {
            return visit(self.rules[rule].result, next, mode);
        };
        for (target, class) in self.models[component].edges().out(from[component]) {
            if class.action == Some(action) {
                next[component] = target;
                let both =
                    Mode { may: mode.may && class.mode.may, must: mode.must && class.mode.must };
                self.join(from, next, rule, part + 1, both, visit);
            }
        }
        next[component] = from[component];
    }
}
