//! All causes of an unknown: subset-minimal sets of facts that decide it once they are settled.
//!
//! A fact is a label or a transition that a component leaves unknown. Settling it gives a system that refines the
//! given one, and by the soundness of the 3-valued semantics (C Thm 2.3) a definite verdict stays when more is settled.
//! So a breadth-first search settles the failure cause of each unknown either way, until the verdict is definite, and
//! then drops every fact that the verdict does not need. Each set that is given has been checked by itself.
//!
//! The search follows one failure cause at a time: it finds many minimal sets, not always all of them.

use crate::outcome::{Cause, Reason, UncertainStep};
use crate::{Checker, Request};
use logic::{PropId, Truth};
use model::{ActionId, Component, Mode, ModelBuilder, PartialModel, System};
use std::collections::{BTreeSet, VecDeque};
use support::{StopReason, Stopped};

/// A fact that a component leaves unknown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fact {
    /// Whether a proposition holds in a state.
    Label { component: String, state: String, prop: String },
    /// Whether a transition exists; `is_missing` if the component is declared `unknown`.
    Transition {
        component: String,
        from: String,
        to: String,
        action: Option<String>,
        is_missing: bool,
    },
}

/// Facts that decide an unknown together, and none of which can be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecidingFacts {
    /// Each with whether it holds.
    pub facts: Vec<(Fact, bool)>,
    /// The verdict if they are so.
    pub verdict: Truth,
}

/// Checks for each set that is asked for.
const CHECKS_OF_A_SET: usize = 64;

/// Up to `most` minimal sets of facts that decide a question, small ones first. A limit of the request ends the search
/// with what was found. Where states cover others, settling one of them would not be a refinement: there are none.
pub fn deciding_facts(checker: Checker, request: &Request, most: usize) -> Vec<DecidingFacts> {
    let is_covering = |c: &Component| !c.model.covers().is_empty() || !c.model.starts().is_empty();
    if request.system.components.iter().any(is_covering) {
        return Vec::new();
    }
    let mut search = Search { checker, request, checks: CHECKS_OF_A_SET * (most + 1) };
    let mut found: Vec<(Settled, Truth)> = Vec::new();
    let mut queue = VecDeque::from([Settled::new()]);
    let mut seen = BTreeSet::from([Settled::new()]);
    while let Some(settled) = queue.pop_front()
        && found.len() < most
    {
        if found.iter().any(|(known, _)| known.is_subset(&settled)) {
            continue;
        }
        let Ok((verdict, cause)) = search.check(&settled) else { break };
        if verdict.is_definite() {
            let Some(minimal) = search.minimal(settled, verdict) else { break };
            if !found.iter().any(|(known, _)| *known == minimal) {
                found.push((minimal, verdict));
            }
            continue;
        }
        for choice in cause.map(|cause| choices(request.system, &cause)).unwrap_or_default() {
            let more: Settled = settled.iter().cloned().chain(choice).collect();
            if seen.insert(more.clone()) {
                queue.push_back(more);
            }
        }
    }
    found.sort_by_key(|(settled, _)| settled.len());
    let named = |(settled, verdict): (Settled, Truth)| DecidingFacts {
        facts: settled.iter().map(|(key, holds)| (key.fact(request.system), *holds)).collect(),
        verdict,
    };
    found.into_iter().map(named).collect()
}

/// Facts with whether they hold.
type Settled = BTreeSet<(FactKey, bool)>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FactKey {
    component: usize,
    state: u32,
    about: About,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    Label(PropId),
    Transition(Option<ActionId>, u32),
}

impl FactKey {
    fn fact(self, system: &System) -> Fact {
        let Component { model, is_unknown } = &system.components[self.component];
        let component = model.name.clone();
        let state = model.state_name(self.state);
        match self.about {
            About::Label(prop) => {
                Fact::Label { component, state, prop: model.props().name(prop).to_owned() }
            }
            About::Transition(action, to) => Fact::Transition {
                component,
                from: state,
                to: model.state_name(to),
                action: action.map(|action| model.actions().name(action).to_owned()),
                is_missing: *is_unknown,
            },
        }
    }
}

/// The ways to settle a failure cause: a label either way; a transition present, or absent because of one component.
fn choices(system: &System, cause: &Cause) -> Vec<Settled> {
    let find = |component: &str, state: &str| {
        let number = system.components.iter().position(|c| c.model.name == component)?;
        let model = &system.components[number].model;
        let state = (0..model.states() as u32).find(|&s| model.state_name(s) == state)?;
        Some((number, model, state))
    };
    match cause {
        Cause::Label { component, state, prop } => {
            let key = find(component, state).and_then(|(component, model, state)| {
                Some(FactKey { component, state, about: About::Label(model.props().get(prop)?) })
            });
            let either = key.map(|key| [true, false].map(|holds| Settled::from([(key, holds)])));
            either.into_iter().flatten().collect()
        }
        Cause::Transition { steps, .. } => {
            let key = |step: &UncertainStep| {
                let (component, model, state) = find(&step.component, &step.from)?;
                let (_, _, to) = find(&step.component, &step.to)?;
                let action = step.action.as_ref().and_then(|name| model.actions().get(name));
                Some(FactKey { component, state, about: About::Transition(action, to) })
            };
            let Some(keys) = steps.iter().map(key).collect::<Option<Vec<FactKey>>>() else {
                return Vec::new();
            };
            if keys.is_empty() {
                return Vec::new();
            }
            let present = keys.iter().map(|&key| (key, true)).collect();
            let absent = keys.iter().map(|&key| Settled::from([(key, false)]));
            [present].into_iter().chain(absent).collect()
        }
    }
}

struct Search<'a> {
    checker: Checker,
    request: &'a Request<'a>,
    /// Checks that are left.
    checks: usize,
}

impl Search<'_> {
    /// The verdict on the system with facts settled, and its failure cause; an error at a limit. A system without
    /// initial states, or one that is inconsistent, is no refinement that counts: it is unknown without a cause.
    fn check(&mut self, settled: &Settled) -> Result<(Truth, Option<Cause>), Stopped> {
        self.checks = self.checks.checked_sub(1).ok_or(Stopped(StopReason::Effort))?;
        let system = settle(self.request.system, settled);
        let request = Request {
            system: &system,
            values: false,
            evidence: false,
            watch: &|_| {},
            ..self.request.clone()
        };
        let Ok(outcome) = self.checker.run(&request) else { return Ok((Truth::Unknown, None)) };
        match outcome.reason {
            Some(Reason::Stopped(stopped)) => Err(stopped),
            Some(Reason::Undetermined(diagnosis)) => Ok((outcome.verdict, Some(diagnosis.cause))),
            _ => Ok((outcome.verdict, None)),
        }
    }

    /// Drops the facts that a verdict does not need; `None` at a limit.
    fn minimal(&mut self, mut settled: Settled, verdict: Truth) -> Option<Settled> {
        for fact in settled.clone() {
            let mut fewer = settled.clone();
            fewer.remove(&fact);
            if self.check(&fewer).ok()?.0 == verdict {
                settled = fewer;
            }
        }
        Some(settled)
    }
}

/// The system in which facts are settled.
fn settle(system: &System, settled: &Settled) -> System {
    let components = system.components.iter().enumerate().map(|(component, part)| {
        let own: Vec<(FactKey, bool)> =
            settled.iter().filter(|(key, _)| key.component == component).copied().collect();
        let model = if own.is_empty() { part.model.clone() } else { with(&part.model, &own) };
        Component { model, is_unknown: part.is_unknown }
    });
    System { components: components.collect(), sync: system.sync.clone() }
}

fn with(model: &PartialModel, settled: &[(FactKey, bool)]) -> PartialModel {
    let about = |state: u32, about: About| {
        let mut known = settled.iter().filter(|(key, _)| key.state == state && key.about == about);
        known.next().map(|&(_, holds)| holds)
    };
    let mut builder = ModelBuilder::new(model.kind, model.name.clone());
    model.props().names().for_each(|name| {
        builder.prop(name);
    });
    model.actions().names().for_each(|name| {
        builder.action(name);
    });
    for state in 0..model.states() as u32 {
        builder.state(model.state_name(state));
        for (prop, _) in model.props().iter() {
            let settled = about(state, About::Label(prop)).map(Truth::from);
            builder.label(state, prop, settled.unwrap_or(model.label(state, prop)));
        }
    }
    model.init().iter().for_each(|&state| builder.init(state));
    for (source, class, target) in model.edges().triples() {
        let class = model.edges().classes()[class as usize];
        let mode = match about(source, About::Transition(class.action, target)) {
            Some(true) => Mode::BOTH,
            Some(false) => continue,
            None => class.mode,
        };
        builder.edge(source, class.action, mode, target);
    }
    for hyper in model.hyper() {
        builder.hyper(hyper.source, hyper.targets.clone());
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{COMPOSITIONAL, DIRECT};
    use std::cell::Cell;
    use support::Monitor;
    use testkit::{Case, Rng, for_seeds, reference, system_question};

    /// The verdict by the definition of the semantics; `None` if the system cannot start or is inconsistent.
    fn verdict(system: &System, formula: &logic::Formula) -> Option<Truth> {
        let composition = system.compose(&Monitor::new()).ok()?;
        let values = reference::evaluate(&composition, formula);
        let value =
            |state| Some((composition.members(state), values.truth(formula.root(), state)?));
        let initial =
            composition.init().iter().map(|&state| value(state)).collect::<Option<Vec<_>>>();
        Some(crate::verdict(system, &initial?))
    }

    fn one_system(rng: &mut Rng, case: &mut Case, sets: &Cell<u64>) -> Result<(), String> {
        let Some((system, _, formula)) = system_question(rng, case, 8) else { return Ok(()) };
        let monitor = Monitor::new();
        let request = Request::new(&system, &formula, &monitor);
        let checker = if rng.chance(0.5) { DIRECT } else { COMPOSITIONAL };
        if verdict(&system, &formula) != Some(Truth::Unknown) {
            return Ok(());
        }
        for DecidingFacts { facts, verdict: expected } in deciding_facts(checker, &request, 4) {
            let key = |fact: &Fact| match fact {
                Fact::Label { component, state, prop } => {
                    let (component, state, prop) = (component.clone(), state.clone(), prop.clone());
                    choices(&system, &Cause::Label { component, state, prop })
                }
                Fact::Transition { component, from, to, action, is_missing } => {
                    let step = UncertainStep {
                        component: component.clone(),
                        from: from.clone(),
                        to: to.clone(),
                        action: action.clone(),
                        is_missing: *is_missing,
                    };
                    let steps = vec![step];
                    choices(&system, &Cause::Transition { steps, action: None, target: Vec::new() })
                }
            };
            let chosen = |(fact, holds): &(Fact, bool)| {
                let mut all = key(fact).into_iter().flatten();
                all.find(|(_, value)| value == holds).expect("a fact of the system")
            };
            let settled: Settled = facts.iter().map(chosen).collect();
            if verdict(&settle(&system, &settled), &formula) != Some(expected) {
                return Err(format!("{facts:?} do not make it {expected}"));
            }
            for fact in &settled {
                let mut fewer = settled.clone();
                fewer.remove(fact);
                if verdict(&settle(&system, &fewer), &formula) == Some(expected) {
                    return Err(format!("{facts:?} are more than it takes"));
                }
            }
            sets.set(sets.get() + 1);
        }
        Ok(())
    }

    #[test]
    fn sets_of_facts_decide_and_are_minimal() {
        let sets = Cell::new(0);
        for_seeds("deciding-facts", 0..3_000, |rng, case| one_system(rng, case, &sets));
        assert!(sets.get() > 300, "{sets:?}");
    }
}
