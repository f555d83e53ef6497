//! A process that has changed, against the certificate of an old assumption for it (A §1, the first scenario).

use assume::{
    Plan, Question, Run, Stand, Start, Synthesis, certificate, quotient, replace, search,
};
use base::Monitor;
use model::{Component, Kind, Mode, Model, ModelBuilder, Sync, System};
use std::cell::Cell;
use testkit::assumption_oracle::violates;
use testkit::{AssumptionQuestion, Rng, assumption_question, for_seeds};

/// A process as it can be changed.
struct Draft {
    name: String,
    actions: Vec<String>,
    states: usize,
    init: Vec<usize>,
    /// Source, place among the actions, target.
    edges: Vec<(usize, usize, usize)>,
}

impl Draft {
    fn of(model: &Model) -> Draft {
        let edges = (0..model.states() as u32).flat_map(|state| {
            let out = model.edges().out(state);
            out.filter_map(move |(target, class)| {
                Some((state as usize, class.action?.0 as usize, target as usize))
            })
        });
        Draft {
            name: model.name.clone(),
            actions: model.actions().names().map(str::to_owned).collect(),
            states: model.states(),
            init: model.init().iter().map(|&state| state as usize).collect(),
            edges: edges.collect(),
        }
    }

    /// One edge more, less or elsewhere; one state more; another initial state; an action forgotten.
    fn change(&mut self, rng: &mut Rng) -> &'static str {
        let edge = (!self.edges.is_empty()).then(|| rng.below(self.edges.len().max(1)));
        match (rng.below(7), edge) {
            (0, _) => {
                let action = rng.below(self.actions.len());
                self.edges.push((rng.below(self.states), action, rng.below(self.states)));
                "an edge more"
            }
            (1, Some(edge)) => {
                self.edges.swap_remove(edge);
                "an edge less"
            }
            (2, Some(edge)) => {
                self.edges[edge].2 = rng.below(self.states);
                "another target"
            }
            (3, Some(edge)) => {
                self.edges[edge].0 = rng.below(self.states);
                "another source"
            }
            (4, _) => {
                self.init = vec![rng.below(self.states)];
                "another initial state"
            }
            (5, Some(_)) => {
                let action = rng.below(self.actions.len());
                self.actions.remove(action);
                self.edges.retain(|&(_, other, _)| other != action);
                self.edges.iter_mut().for_each(|edge| edge.1 -= usize::from(edge.1 > action));
                "an action less"
            }
            _ => {
                let (old, new) = (rng.below(self.states), self.states);
                self.states += 1;
                let copies = self.edges.clone().into_iter().filter(|&(source, ..)| source == old);
                self.edges.extend(copies.map(|(_, action, target)| (new, action, target)));
                self.edges.push((old, rng.below(self.actions.len()), new));
                "a state more"
            }
        }
    }

    fn finish(self) -> Model {
        let mut builder = ModelBuilder::new(Kind::Lts, self.name);
        let states: Vec<u32> = (0..self.states).map(|i| builder.state(format!("t{i}"))).collect();
        let actions: Vec<_> = self.actions.iter().map(|name| builder.action(name)).collect();
        self.init.iter().for_each(|&state| builder.init(states[state]));
        for (source, action, target) in self.edges {
            builder.edge(states[source], Some(actions[action]), Mode::BOTH, states[target]);
        }
        builder.finish()
    }
}

/// A certificate of the assumption that some steps give.
fn certified(asked: &AssumptionQuestion, steps: usize) -> (Vec<u8>, Option<Run>) {
    let AssumptionQuestion { system, process, safety } = asked;
    let question = Question::new(system, *process, safety).expect("a question");
    let monitor = Monitor::new();
    let mut synthesis =
        Synthesis::new(&question, Start::Trivial, Plan::Both, &monitor).expect("no limit");
    (0..steps).for_each(|_| _ = synthesis.step(&monitor).expect("no limit"));
    let found = synthesis.equivalence();
    let model = &system.components[*process].model;
    let assumption = quotient(model, &found.class_of, found.count);
    let replaced = replace(system, *process, assumption.clone());
    let error = search(&question, &monitor).expect("no limit").error;
    let stand = Stand { process: model, assumption: &assumption, class_of: &found.class_of };
    (certificate(&replaced, &[stand], safety, error.as_ref()), error)
}

fn audited(bytes: &[u8], system: &System, safety: &Model) -> Result<audit::Standing, String> {
    let reader = audit::Reader::new(bytes).map_err(|fault| fault.to_string())?;
    let named = |name: &str| (name == safety.name).then_some(safety);
    audit::audit_assumptions(reader, system, named, &Monitor::new())
        .map_err(|(_, fault)| fault.to_string())
}

#[test]
fn a_changed_process_that_is_accepted_keeps_the_verdict() {
    let [accepted, refused] = [Cell::new(0), Cell::new(0)];
    for_seeds("assume_changed", 0..5_000, |rng, case| {
        let asked = assumption_question(rng);
        let (bytes, _) = certified(&asked, rng.below(20));
        let AssumptionQuestion { system, process, safety } = &asked;
        for _ in 0..4 {
            let mut draft = Draft::of(&system.components[*process].model);
            let what = draft.change(rng);
            let changed = replace(system, *process, draft.finish());
            case.note(format!("{what}\n{}", asked.text()));
            let Ok(standing) = audited(&bytes, &changed, safety) else {
                refused.set(refused.get() + 1);
                continue;
            };
            accepted.set(accepted.get() + 1);
            if standing.holds == violates(&changed, *process, safety, None) {
                return Err(format!("{what}: the wrong verdict is accepted"));
            }
        }
        Ok(())
    });
    assert!(accepted.get() > 1_000 && refused.get() > 1_000, "{accepted:?}, {refused:?}");
}

/// An assumption that declares more than its process would keep others from what they do alone.
#[test]
fn an_assumption_that_declares_more_is_refused() {
    let lts = |name: &str, actions: &[&str], edge: Option<&str>| {
        let mut builder = ModelBuilder::new(Kind::Lts, name);
        let state = builder.state("s");
        builder.init(state);
        actions.iter().for_each(|action| _ = builder.action(action));
        if let Some(action) = edge {
            let action = builder.action(action);
            builder.edge(state, Some(action), Mode::BOTH, state);
        }
        builder.finish()
    };
    let [others, process] = [lts("M", &[], Some("x")), lts("N", &["y"], None)];
    let safety = lts("P", &["x"], None);
    let part = |model| Component { model, is_unknown: false };
    let components = vec![part(others), part(process.clone())];
    let system = System { components, sync: Sync::default() };
    assert!(violates(&system, 1, &safety, None));
    let assumption = lts("N", &["y", "x"], None);
    let replaced = replace(&system, 1, assumption.clone());
    assert!(!violates(&replaced, 1, &safety, None));
    let stand = Stand { process: &process, assumption: &assumption, class_of: &[0] };
    let bytes = certificate(&replaced, &[stand], &safety, None);
    let refusal = audited(&bytes, &system, &safety).expect_err("it holds of the assumption only");
    assert!(refusal.contains("does not declare `x`"), "{refusal}");
}

/// What another process does is part of what the certificate is about.
#[test]
fn a_change_beside_the_process_is_never_accepted_with_a_wrong_verdict() {
    for_seeds("assume_changed_beside", 0..2_000, |rng, case| {
        let asked = assumption_question(rng);
        let (bytes, error) = certified(&asked, rng.below(20));
        let AssumptionQuestion { system, process, safety } = &asked;
        let other =
            (process + 1 + rng.below(system.components.len() - 1)) % system.components.len();
        let mut draft = Draft::of(&system.components[other].model);
        let what = draft.change(rng);
        let changed = replace(system, other, draft.finish());
        case.note(format!("{what}\n{}", asked.text()));
        match audited(&bytes, &changed, safety) {
            Ok(standing) if standing.holds == violates(&changed, *process, safety, None) => {
                Err(format!("{what}: the wrong verdict is accepted, {error:?}"))
            }
            _ => Ok(()),
        }
    });
}
