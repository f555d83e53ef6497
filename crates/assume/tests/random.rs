//! Every loop against the naive reading of the paper, on random processes.

use assume::{Plan, Question, Stand, Start, Synthesis, certificate, quotient, replace, search};
use audit::format::Checksum;
use base::Monitor;
use testkit::assumption_oracle::{assumption_classes, backward_classes, forward_classes, violates};
use testkit::{AssumptionQuestion, assumption_question, for_seeds};

const SEEDS: u64 = 20_000;

/// The verdict on M‖A is that on M‖N at every step; at the end the classes are those of A §3 and §4.
fn follow(asked: &AssumptionQuestion, start: Start, plan: Plan) -> Result<(), String> {
    let AssumptionQuestion { system, process, safety } = asked;
    let question = Question::new(system, *process, safety).map_err(|unfit| unfit.to_string())?;
    let monitor = Monitor::new();
    let expected = violates(system, *process, safety, None);
    let mut synthesis = Synthesis::new(&question, start, plan, &monitor).unwrap();
    loop {
        let now = synthesis.equivalence();
        let at = format!("{start:?} {plan:?} step {}: {:?}", synthesis.steps(), now.class_of);
        if violates(system, *process, safety, Some(&now.class_of)) != expected {
            return Err(format!("{at}: the verdict is another than {expected}"));
        }
        if now.holds.is_some_and(|holds| holds == expected) {
            return Err(format!("{at}: the labels tell {:?}", now.holds));
        }
        if !synthesis.step(&monitor).unwrap() {
            break;
        }
    }
    let last = synthesis.equivalence();
    let reference = match plan {
        Plan::Forward => forward_classes(system, *process, safety),
        Plan::Backward => backward_classes(system, *process, safety, None),
        Plan::Both => assumption_classes(system, *process, safety),
    };
    // One class is as small as it gets, and ends the loop before the forward labels are complete.
    if last.class_of != reference && last.count > 1 {
        return Err(format!("{start:?} {plan:?}: {:?}, but {reference:?}", last.class_of));
    }
    Ok(())
}

#[test]
fn every_step_keeps_the_verdict_and_the_last_gives_the_classes_of_the_paper() {
    for_seeds("assume_random", 0..SEEDS, |rng, case| {
        let asked = assumption_question(rng);
        case.note(asked.text());
        for start in [Start::Trivial, Start::Discrete] {
            for plan in [Plan::Both, Plan::Forward, Plan::Backward] {
                follow(&asked, start, plan)?;
            }
        }
        Ok(())
    });
}

#[test]
fn the_search_agrees_with_and_without_the_assumption() {
    for_seeds("assume_search", 0..4_000, |rng, case| {
        let asked = assumption_question(rng);
        case.note(asked.text());
        let AssumptionQuestion { system, process, safety } = &asked;
        let question =
            Question::new(system, *process, safety).map_err(|unfit| unfit.to_string())?;
        let monitor = Monitor::new();
        let outright = search(&question, &monitor).unwrap();
        if outright.error.is_some() != violates(system, *process, safety, None) {
            return Err("the verdict is another".to_owned());
        }
        let mut synthesis =
            Synthesis::new(&question, Start::Trivial, Plan::Both, &monitor).unwrap();
        while synthesis.step(&monitor).unwrap() {}
        let found = synthesis.equivalence();
        let model = &system.components[*process].model;
        let small = replace(system, *process, quotient(model, &found.class_of, found.count));
        let small = Question::new(&small, *process, safety).map_err(|unfit| unfit.to_string())?;
        let with_assumption = search(&small, &monitor).unwrap();
        if with_assumption.error.is_some() != outright.error.is_some() {
            return Err("the assumption changes the verdict".to_owned());
        }
        Ok(())
    });
}

/// What the auditor says of these bytes.
fn audited(bytes: &[u8], asked: &AssumptionQuestion) -> Result<audit::Standing, String> {
    let reader = audit::Reader::new(bytes).map_err(|fault| fault.to_string())?;
    let safety = |name: &str| (name == asked.safety.name).then_some(&asked.safety);
    audit::audit_assumptions(reader, &asked.system, safety, &Monitor::new())
        .map_err(|(_, fault)| fault.to_string())
}

#[test]
fn certificates_are_valid_and_changed_ones_are_refused() {
    for_seeds("assume_certificates", 0..20_000, |rng, case| {
        let asked = assumption_question(rng);
        case.note(asked.text());
        let AssumptionQuestion { system, process, safety } = &asked;
        let question =
            Question::new(system, *process, safety).map_err(|unfit| unfit.to_string())?;
        let monitor = Monitor::new();
        let mut synthesis =
            Synthesis::new(&question, Start::Trivial, Plan::Both, &monitor).unwrap();
        let steps = rng.below(12);
        (0..steps).for_each(|_| _ = synthesis.step(&monitor).unwrap());
        let found = synthesis.equivalence();
        let model = &system.components[*process].model;
        let assumption = quotient(model, &found.class_of, found.count);
        let replaced = replace(system, *process, assumption.clone());
        let error = search(&question, &monitor).unwrap().error;
        let stand = Stand { process: model, assumption: &assumption, class_of: &found.class_of };
        let mut bytes = certificate(&replaced, &[stand], safety, error.as_ref());
        let standing = audited(&bytes, &asked)?;
        if standing.holds == violates(system, *process, safety, None) {
            return Err("the certificate has the wrong verdict".to_owned());
        }
        let at = rng.below(bytes.len());
        let change = 1 + rng.below(255) as u8;
        bytes[at] ^= change;
        if audited(&bytes, &asked).is_ok() {
            return Err(format!("byte {at} changed by {change}, and nobody notices"));
        }
        // Who changes it on purpose makes the checksum right; then it is refused, or it is right.
        bytes.truncate(bytes.len() - 8);
        Checksum::seal(&mut bytes);
        if let Ok(standing) = audited(&bytes, &asked)
            && standing.holds == violates(system, *process, safety, None)
        {
            return Err(format!("byte {at} changed by {change}: the wrong verdict is accepted"));
        }
        Ok(())
    });
}
