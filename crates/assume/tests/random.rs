//! Every loop against the naive reading of the paper, on random processes.

use assume::{
    AnalysisPlan, AssumptionRequest, Equivalence, ErrorRun, InitialAbstraction, SafetyQuestion,
    Synthesis, certificate, make, quotient, replace, search,
};
use audit::ClaimedAssumption;
use audit::format::Checksum;
use model::Model;
use support::Monitor;
use testkit::assumption_oracle::{assumption_classes, backward_classes, forward_classes, violates};
use testkit::{AssumptionQuestion, assumption_question, for_seeds};

const SEEDS: u64 = 20_000;

/// The verdict on M‖A is that on M‖N at every step; at the end the classes are those of A §3 and §4.
fn follow(
    asked: &AssumptionQuestion,
    start: InitialAbstraction,
    plan: AnalysisPlan,
) -> Result<(), String> {
    let AssumptionQuestion { system, process, safety } = asked;
    let question =
        SafetyQuestion::new(system, *process, safety).map_err(|unfit| unfit.to_string())?;
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
        AnalysisPlan::Forward => forward_classes(system, *process, safety),
        AnalysisPlan::Backward => backward_classes(system, *process, safety, None),
        AnalysisPlan::Both => assumption_classes(system, *process, safety),
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
        for start in [InitialAbstraction::Trivial, InitialAbstraction::Discrete] {
            for plan in [AnalysisPlan::Both, AnalysisPlan::Forward, AnalysisPlan::Backward] {
                follow(&asked, start, plan)?;
            }
        }
        Ok(())
    });
}

/// An assumption for one process of a system after some steps, and the class of each state.
fn after(steps: u32, asked: &AssumptionQuestion) -> Result<(Model, Vec<u32>), String> {
    let AssumptionQuestion { system, process, safety } = asked;
    let question =
        SafetyQuestion::new(system, *process, safety).map_err(|unfit| unfit.to_string())?;
    let request = AssumptionRequest {
        start: InitialAbstraction::Trivial,
        plan: AnalysisPlan::Both,
        steps: Some(steps),
        until_flat: false,
    };
    let made = make(&question, &request, &Monitor::new(), None);
    let Equivalence { class_of, count, .. } = made.equivalence;
    Ok((quotient(&system.components[*process].model, &class_of, count), class_of))
}

/// The search's verdict, and its run if there is an error.
fn searched(asked: &AssumptionQuestion) -> Result<Option<ErrorRun>, String> {
    let AssumptionQuestion { system, process, safety } = asked;
    let question =
        SafetyQuestion::new(system, *process, safety).map_err(|unfit| unfit.to_string())?;
    Ok(search(&question, &Monitor::new()).unwrap().error)
}

#[test]
fn all_processes_can_be_replaced_one_after_the_other() {
    for_seeds("assume_search", 0..4_000, |rng, case| {
        let asked = assumption_question(rng);
        case.note(asked.text());
        let error = searched(&asked)?;
        if error.is_some() != violates(&asked.system, asked.process, &asked.safety, None) {
            return Err("the verdict is another".to_owned());
        }
        let mut small = asked.clone();
        let mut stands = Vec::new();
        for process in 0..asked.system.components.len() {
            small.process = process;
            let (assumption, class_of) = after(rng.below(12) as u32, &small)?;
            small.system = replace(&small.system, process, assumption.clone());
            stands.push((assumption, class_of));
        }
        if searched(&small)?.is_some() != error.is_some() {
            return Err("the assumptions change the verdict".to_owned());
        }
        let parts = asked.system.components.iter().zip(&stands);
        let claimed = parts.map(|(part, (assumption, class_of))| {
            ClaimedAssumption::new(&part.model, assumption, class_of)
        });
        let bytes = certificate(&small.system, claimed.collect(), &asked.safety, error.as_ref());
        match audited(&bytes, &asked)?.holds == error.is_none() {
            true => Ok(()),
            false => Err("the certificate has the wrong verdict".to_owned()),
        }
    });
}

/// The auditor's answer to these bytes.
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
        let (assumption, class_of) = after(rng.below(12) as u32, &asked)?;
        let replaced = replace(system, *process, assumption.clone());
        let error = searched(&asked)?;
        let model = &system.components[*process].model;
        let claimed = vec![ClaimedAssumption::new(model, &assumption, &class_of)];
        let mut bytes = certificate(&replaced, claimed, safety, error.as_ref());
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
