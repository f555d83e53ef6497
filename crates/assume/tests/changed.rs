//! A process that has changed, against the certificate of an old assumption for it (A §1, the first scenario).

use assume::{
    AnalysisPlan, ErrorRun, InitialAbstraction, SafetyQuestion, Synthesis, certificate, quotient,
    replace, search,
};
use audit::ClaimedAssumption;
use model::{Component, Kind, Mode, ModelBuilder, PartialModel, Sync, System};
use std::cell::Cell;
use support::Monitor;
use testkit::assumption_oracle::violates;
use testkit::{AssumptionQuestion, assumption_question, changed_process, for_seeds};

/// A certificate of the assumption that some steps give.
fn certified(asked: &AssumptionQuestion, steps: usize) -> (Vec<u8>, Option<ErrorRun>) {
    let AssumptionQuestion { system, process, safety } = asked;
    let question = SafetyQuestion::new(system, *process, safety).expect("a question");
    let monitor = Monitor::new();
    let mut synthesis =
        Synthesis::new(&question, InitialAbstraction::Trivial, AnalysisPlan::Both, &monitor)
            .expect("no limit");
    (0..steps).for_each(|_| _ = synthesis.step(&monitor).expect("no limit"));
    let found = synthesis.equivalence();
    let model = &system.components[*process].model;
    let assumption = quotient(model, &found.class_of, found.count);
    let replaced = replace(system, *process, assumption.clone());
    let error = search(&question, &monitor).expect("no limit").error;
    let stand = ClaimedAssumption::new(model, &assumption, &found.class_of);
    (certificate(&replaced, vec![stand], safety, error.as_ref()), error)
}

fn audited(
    bytes: &[u8],
    system: &System,
    safety: &PartialModel,
) -> Result<audit::AssumedVerdict, String> {
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
            let (model, what) = changed_process(rng, &system.components[*process].model);
            let changed = replace(system, *process, model);
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

/// One state, and perhaps a step from it to itself.
fn lts(name: &str, actions: &[&str], step: Option<&str>) -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::Lts, name);
    let state = builder.state("s");
    builder.init(state);
    actions.iter().for_each(|action| _ = builder.action(action));
    if let Some(action) = step {
        let action = builder.action(action);
        builder.edge(state, Some(action), Mode::BOTH, state);
    }
    builder.finish()
}

/// The number of classes costs a few bytes, and must not cost more.
#[test]
fn classes_without_states_are_refused() {
    let [process, safety] = [lts("N", &[], Some("y")), lts("P", &[], Some("y"))];
    let system = System::single(process.clone());
    let mut builder = ModelBuilder::new(Kind::Lts, "N");
    ["s", "t"].into_iter().for_each(|name| _ = builder.state(name));
    builder.init(0);
    let action = builder.action("y");
    builder.edge(0, Some(action), Mode::BOTH, 0);
    let assumption = builder.finish();
    let replaced = replace(&system, 0, assumption.clone());
    let stand = ClaimedAssumption::new(&process, &assumption, &[0]);
    let bytes = certificate(&replaced, vec![stand], &safety, None);
    let refusal = audited(&bytes, &system, &safety).expect_err("a class of nothing");
    assert!(refusal.contains("more classes than states"), "{refusal}");
}

/// An assumption that declares more than its process would keep others from what they do alone.
#[test]
fn an_assumption_that_declares_more_is_refused() {
    let [others, process] = [lts("M", &[], Some("x")), lts("N", &["y"], None)];
    let safety = lts("P", &["x"], None);
    let part = |model| Component { model, is_unknown: false };
    let components = vec![part(others), part(process.clone())];
    let system = System { components, sync: Sync::default() };
    assert!(violates(&system, 1, &safety, None));
    let assumption = lts("N", &["y", "x"], None);
    let replaced = replace(&system, 1, assumption.clone());
    assert!(!violates(&replaced, 1, &safety, None));
    let stand = ClaimedAssumption::new(&process, &assumption, &[0]);
    let bytes = certificate(&replaced, vec![stand], &safety, None);
    let refusal = audited(&bytes, &system, &safety).expect_err("it holds of the assumption only");
    assert!(refusal.contains("does not declare `x`"), "{refusal}");
}

/// The other processes are part of the claim of a certificate.
#[test]
fn a_change_beside_the_process_is_never_accepted_with_a_wrong_verdict() {
    for_seeds("assume_changed_beside", 0..2_000, |rng, case| {
        let asked = assumption_question(rng);
        let (bytes, error) = certified(&asked, rng.below(20));
        let AssumptionQuestion { system, process, safety } = &asked;
        let other =
            (process + 1 + rng.below(system.components.len() - 1)) % system.components.len();
        let (model, what) = changed_process(rng, &system.components[other].model);
        let changed = replace(system, other, model);
        case.note(format!("{what}\n{}", asked.text()));
        match audited(&bytes, &changed, safety) {
            Ok(standing) if standing.holds == violates(&changed, *process, safety, None) => {
                Err(format!("{what}: the wrong verdict is accepted, {error:?}"))
            }
            _ => Ok(()),
        }
    });
}
