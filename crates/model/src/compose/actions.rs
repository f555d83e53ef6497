//! Composition of action models (C §6.1): joint actions together, local ones interleaved, and
//! synchronisation vectors where they are given.

use super::{Patience, Search, count_on, joined_name, models};
use crate::edges::{EdgeClass, Mode};
use crate::names::StateNames;
use crate::partial::{ActionId, Kind, PartialModel};
use crate::rules::{Rule, rules};
use crate::system::{ComposeError, System};
use std::ops::ControlFlow;
use std::sync::Arc;
use support::{Interner, Monitor};

pub(super) fn compose(
    system: &System,
    limit: u32,
    monitor: &Monitor,
) -> Result<Option<PartialModel>, ComposeError> {
    let mut parts = Parts::new(system, monitor);
    let mut search = Search::new(parts.models.len(), limit, monitor);
    let mut init = Vec::new();
    let _ = for_each_initial(system, monitor, |tuple| {
        init.push(search.tuples.intern(tuple));
        ControlFlow::Continue(())
    });
    monitor.check()?;
    search.run("composing", monitor, |search, state, tuple| {
        parts.expand(search, state, tuple);
        search.within_limit()
    })?;
    if search.is_too_large() {
        return Ok(None);
    }
    let (tuples, edges, _) = search.finish(monitor)?;
    let complete = parts.models.iter().all(|model| model.kind == Kind::Lts);
    let (tuples, room) = tuples.into_flat();
    let names = parts.models.iter().map(|model| model.names().clone()).collect();
    Ok(Some(PartialModel {
        kind: if complete { Kind::Lts } else { Kind::Mts },
        name: joined_name(&parts.models),
        actions: parts.actions,
        names: StateNames::Product { parts: names, tuples: Arc::new(tuples) },
        init,
        edges: edges.holding(room),
        ..PartialModel::empty()
    }))
}

/// Every tuple of initial states, until stopped.
pub(super) fn for_each_initial(
    system: &System,
    monitor: &Monitor,
    mut visit: impl FnMut(&[u32]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let inits: Vec<&[u32]> = system.components.iter().map(|c| c.model.init()).collect();
    if inits.iter().any(|init| init.is_empty()) {
        return ControlFlow::Continue(());
    }
    let mut picks = vec![0; inits.len()];
    let mut patience = Patience::new(monitor);
    loop {
        patience.go_on()?;
        let tuple: Vec<u32> = inits.iter().zip(&picks).map(|(init, &pick)| init[pick]).collect();
        visit(&tuple)?;
        let lengths = inits.iter().map(|init| init.len());
        if !count_on(&mut picks, lengths) {
            return ControlFlow::Continue(());
        }
    }
}

/// A transition of the composition: action, mode and target.
pub(super) type Step = (ActionId, u32, Mode);

pub(super) struct Parts<'a> {
    models: Vec<&'a PartialModel>,
    actions: Interner<ActionId>,
    rules: Vec<Rule>,
    /// By component and local action: the rules in which this is the first part.
    rules_by_first: Vec<Vec<Vec<usize>>>,
    /// The steps out of the present state.
    steps: Vec<Step>,
    monitor: &'a Monitor,
}

impl<'a> Parts<'a> {
    pub(super) fn new(system: &'a System, monitor: &'a Monitor) -> Self {
        let mut actions = Interner::new();
        let rules = rules(system, &mut actions);
        Self::with_rules(models(system), actions, rules, monitor)
    }

    /// Some models that move by these rules, whose parts are numbers among the models.
    pub(super) fn with_rules(
        models: Vec<&'a PartialModel>,
        actions: Interner<ActionId>,
        rules: Vec<Rule>,
        monitor: &'a Monitor,
    ) -> Self {
        let mut rules_by_first: Vec<Vec<Vec<usize>>> =
            models.iter().map(|model| vec![Vec::new(); model.actions().len()]).collect();
        for (index, rule) in rules.iter().enumerate() {
            let (component, action) = rule.parts[0];
            rules_by_first[component][action.0 as usize].push(index);
        }
        Self { models, actions, rules, rules_by_first, steps: Vec::new(), monitor }
    }

    fn expand(&mut self, search: &mut Search, state: u32, tuple: &[u32]) {
        let mut steps = std::mem::take(&mut self.steps);
        let _ = self.for_each_step(tuple, |rule, next, mode| {
            let action = self.rules[rule].result;
            steps.push((action, search.tuples.intern(next), mode));
            search.within_limit()
        });
        write(search, state, &mut steps);
        steps.clear();
        self.steps = steps;
    }

    /// The action that a rule results in.
    pub(super) fn shown(&self, rule: usize) -> &str {
        self.actions.name(self.rules[rule].result)
    }

    /// The components that take part in the steps of a rule.
    pub(super) fn movers(&self, rule: usize) -> Vec<usize> {
        let mut movers: Vec<usize> = self.rules[rule].parts.iter().map(|part| part.0).collect();
        movers.sort_unstable();
        movers
    }

    /// Every step of every rule out of a tuple, with the number of the rule, until stopped.
    pub(super) fn for_each_step(
        &self,
        tuple: &[u32],
        visit: impl FnMut(usize, &[u32], Mode) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (next, patience) = (tuple.to_vec(), Patience::new(self.monitor));
        Walk { parts: self, from: tuple, next, patience, visit }.all()
    }
}

/// Two rules may show the same step, sure in one and not in the other.
pub(super) fn write(search: &mut Search, state: u32, steps: &mut [Step]) {
    steps.sort_unstable();
    for same in steps.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (action, target, _) = same[0];
        let mode = same[1..].iter().fold(same[0].2, |mode, step| mode.or(step.2));
        search.edge(state, EdgeClass { action: Some(action), mode }, target);
    }
}

/// A walk through all steps out of a tuple.
struct Walk<'w, 'a, V> {
    parts: &'w Parts<'a>,
    from: &'w [u32],
    next: Vec<u32>,
    patience: Patience<'w>,
    visit: V,
}

impl<V: FnMut(usize, &[u32], Mode) -> ControlFlow<()>> Walk<'_, '_, V> {
    fn all(&mut self) -> ControlFlow<()> {
        let parts = self.parts;
        for (component, model) in parts.models.iter().enumerate() {
            for (target, class) in model.edges().out(self.from[component]) {
                let Some(action) = class.action else { continue };
                for &rule in &parts.rules_by_first[component][action.0 as usize] {
                    self.next[component] = target;
                    self.join(rule, 1, class.mode)?;
                }
            }
            self.next[component] = self.from[component];
        }
        ControlFlow::Continue(())
    }

    /// Lets the parts of a rule from the `part`-th on make their steps, in every combination.
    fn join(&mut self, rule: usize, part: usize, mode: Mode) -> ControlFlow<()> {
        self.patience.go_on()?;
        let Some(&(component, action)) = self.parts.rules[rule].parts.get(part) else {
            return (self.visit)(rule, &self.next, mode);
        };
        for (target, class) in self.parts.models[component].edges().out(self.from[component]) {
            if class.action == Some(action) {
                self.next[component] = target;
                self.join(rule, part + 1, mode.and(class.mode))?;
            }
        }
        self.next[component] = self.from[component];
        ControlFlow::Continue(())
    }
}
