//! Every loop against the naive reading of the paper, on random processes.

use assume::{
    AnalysisPlan, AssumptionRequest, EndReason, Equivalence, EquivalenceChoice, ErrorRun,
    InitialAbstraction, MadeAssumption, Progress, SafetyQuestion, Synthesis, Unfit, alternate,
    certificate, quotient, replace, search, synthesise,
};
use audit::ClaimedAssumption;
use audit::format::Checksum;
use model::{Kind, Mode, ModelBuilder, PartialModel, System};
use std::cell::Cell;
use support::Monitor;
use testkit::assumption_oracle::{
    assumption_classes, backward_classes, escapes, forward_classes, violates,
};
use testkit::{AssumptionQuestion, assumption_question, for_seeds, nondeterministic_question};

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
fn after(steps: u32, asked: &AssumptionQuestion) -> Result<(PartialModel, Vec<u32>), String> {
    let AssumptionQuestion { system, process, safety } = asked;
    let question =
        SafetyQuestion::new(system, *process, safety).map_err(|unfit| unfit.to_string())?;
    let request = AssumptionRequest {
        start: InitialAbstraction::Trivial,
        equivalences: EquivalenceChoice::One(AnalysisPlan::Both),
        steps: Some(steps),
        until_flat: false,
    };
    let made = synthesise(&question, &request, &Monitor::new(), None);
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
fn audited(bytes: &[u8], asked: &AssumptionQuestion) -> Result<audit::AssumedVerdict, String> {
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

const CHOICES: [EquivalenceChoice; 4] = [
    EquivalenceChoice::Auto,
    EquivalenceChoice::One(AnalysisPlan::Both),
    EquivalenceChoice::One(AnalysisPlan::Forward),
    EquivalenceChoice::One(AnalysisPlan::Backward),
];

/// The curve of a request never rises and ends in the assumption, which keeps the verdict; so does that of every number of
/// steps, and it is the point of the curve.
fn follow_curve(
    asked: &AssumptionQuestion,
    start: InitialAbstraction,
    equivalences: EquivalenceChoice,
) -> Result<(), String> {
    let AssumptionQuestion { system, process, safety } = asked;
    let question =
        SafetyQuestion::new(system, *process, safety).map_err(|unfit| unfit.to_string())?;
    let expected = violates(system, *process, safety, None);
    let made = |steps: Option<u32>| {
        let mut curve: Vec<Progress> = Vec::new();
        let request = AssumptionRequest { start, equivalences, steps, until_flat: false };
        let mut observe = |point| curve.push(point);
        let made = synthesise(&question, &request, &Monitor::new(), Some(&mut observe));
        (made, curve)
    };
    let (last, curve) = made(None);
    let sizes: Vec<u32> = curve.iter().map(|point| point.classes).collect();
    let at = format!("{start:?} {equivalences:?}: {sizes:?}");
    if !sizes.is_sorted_by(|a, b| a >= b) || sizes.last() != Some(&last.equivalence.count) {
        return Err(format!("{at}, and {} in the end", last.equivalence.count));
    }
    if last.ended != EndReason::Complete || curve.len() as u32 != last.steps + 1 {
        return Err(format!("{at}: {:?} after {} steps", last.ended, last.steps));
    }
    for steps in 0..=last.steps {
        let (made, _) = made(Some(steps));
        let Equivalence { class_of, count, holds } = &made.equivalence;
        // The last step may complete the loop, which then has one look more.
        if *count != sizes[steps as usize] && steps < last.steps {
            return Err(format!("{at}, but {count} after {steps} steps"));
        }
        let is_kept = violates(system, *process, safety, Some(class_of)) == expected;
        if !is_kept || holds.is_some_and(|holds| holds == expected) {
            return Err(format!("{at}: {class_of:?} after {steps} steps: {holds:?}"));
        }
    }
    let kept = violates(system, *process, safety, Some(&last.equivalence.class_of)) == expected;
    if kept { Ok(()) } else { Err(format!("{at}: {:?}", last.equivalence)) }
}

fn curves(seeds: u64) {
    for_seeds("assume_curves", 0..seeds, |rng, case| {
        let asked = assumption_question(rng);
        case.note(asked.text());
        for start in [InitialAbstraction::Trivial, InitialAbstraction::Discrete] {
            for equivalences in CHOICES {
                follow_curve(&asked, start, equivalences)?;
            }
        }
        Ok(())
    });
}

#[test]
fn curves_never_rise_and_end_in_the_assumption() {
    curves(200);
}

#[test]
#[ignore = "long"]
fn curves_of_2000_systems_never_rise_and_end_in_the_assumption() {
    curves(2_000);
}

/// Auto is as small as each of the others, and sometimes smaller than all of them.
#[test]
fn auto_is_the_smallest() {
    let smaller = Cell::new(0);
    for_seeds("assume_auto", 0..400, |rng, case| {
        let asked = assumption_question(rng);
        case.note(asked.text());
        let AssumptionQuestion { system, process, safety } = &asked;
        let question =
            SafetyQuestion::new(system, *process, safety).map_err(|unfit| unfit.to_string())?;
        let sizes = CHOICES.map(|equivalences| {
            let start = InitialAbstraction::Trivial;
            let request = AssumptionRequest { start, equivalences, steps: None, until_flat: false };
            synthesise(&question, &request, &Monitor::new(), Some(&mut |_| ())).equivalence.count
        });
        smaller.set(smaller.get() + u32::from(sizes[1..].iter().all(|&size| sizes[0] < size)));
        match sizes[1..].iter().all(|&size| sizes[0] <= size) {
            true => Ok(()),
            false => Err(format!("{sizes:?}")),
        }
    });
    assert!(smaller.get() > 20, "{}", smaller.get());
}

/// A nondeterministic property: the verdict of the search, of every assumption and of its certificate is that of
/// language inclusion.
#[test]
fn nondeterministic_properties_are_determinised() {
    let [violated, undetermined] = [Cell::new(0), Cell::new(0)];
    for_seeds("assume_nondeterministic", 0..4_000, |rng, case| {
        let asked = nondeterministic_question(rng);
        case.note(asked.text());
        let AssumptionQuestion { system, process, safety } = &asked;
        let expected = escapes(system, safety);
        violated.set(violated.get() + u32::from(expected));
        // By one of its states, a property would forbid what another of them allows.
        let naive = violates(system, *process, safety, None);
        undetermined.set(undetermined.get() + u32::from(naive != expected));
        let error = searched(&asked)?;
        if error.is_some() != expected {
            return Err(format!("the search finds {error:?}"));
        }
        let (assumption, class_of) = after(rng.below(12) as u32, &asked)?;
        let replaced = replace(system, *process, assumption.clone());
        if escapes(&replaced, safety) != expected {
            return Err(format!("{class_of:?} changes the verdict"));
        }
        let model = &system.components[*process].model;
        let claimed = vec![ClaimedAssumption::new(model, &assumption, &class_of)];
        let bytes = certificate(&replaced, claimed, safety, error.as_ref());
        match audited(&bytes, &asked)?.holds == expected {
            true => Err("the certificate has the wrong verdict".to_owned()),
            false => Ok(()),
        }
    });
    let counts = [violated.get(), undetermined.get()];
    assert!((400..3_600).contains(&counts[0]) && counts[1] > 100, "{counts:?}");
}

/// The property has 2^n sets of states, and the message says so.
#[test]
fn the_subset_construction_has_a_budget() {
    let mut builder = ModelBuilder::new(Kind::Lts, "P");
    let [a, b] = ["a", "b"].map(|name| builder.action(name));
    let states: Vec<u32> = (0..20).map(|at| builder.state(format!("s{at}"))).collect();
    builder.init(states[0]);
    builder.edge(states[0], Some(a), Mode::BOTH, states[0]);
    builder.edge(states[0], Some(b), Mode::BOTH, states[0]);
    builder.edge(states[0], Some(a), Mode::BOTH, states[1]);
    for two in states[1..].windows(2) {
        [a, b].iter().for_each(|&action| builder.edge(two[0], Some(action), Mode::BOTH, two[1]));
    }
    let safety = builder.finish();
    let unfit = SafetyQuestion::new(&System::single(safety.clone()), 0, &safety).err();
    assert_eq!(unfit, Some(Unfit::Subsets("P".to_owned())));
}

/// A §8: with all assumptions in place the verdict is that of the processes, and its certificate is valid; none is larger
/// than if they were made one after the other.
#[test]
fn several_processes_are_refined_alternately() {
    let smaller = Cell::new(0);
    for_seeds("assume_alternate", 0..2_000, |rng, case| {
        let asked = assumption_question(rng);
        case.note(asked.text());
        let AssumptionQuestion { system, safety, .. } = &asked;
        let all: Vec<usize> = (0..system.components.len()).collect();
        let start = *rng.pick(&[InitialAbstraction::Trivial, InitialAbstraction::Discrete]);
        let equivalences = *rng.pick(&CHOICES);
        let steps = rng.chance(0.3).then(|| rng.below(12) as u32);
        let request = AssumptionRequest { start, equivalences, steps, until_flat: false };
        let is_observed = rng.chance(0.5);
        let make = |system: &System, processes: &[usize]| {
            let made = alternate(system, processes, safety, &request, is_observed, &Monitor::new());
            made.map_err(|unfit| unfit.to_string())
        };
        let put = |system: System, one: &MadeAssumption| {
            replace(&system, one.number, one.assumption.clone())
        };
        let made = make(system, &all)?;
        let replaced = made.iter().fold(system.clone(), put);
        let error = searched(&asked)?;
        if violates(&replaced, 0, safety, None) != error.is_some() {
            return Err(format!("{request:?}: the assumptions change the verdict"));
        }
        for one in &made {
            let curve = one.curve.as_deref().unwrap_or_default();
            let is_monotone = curve.is_sorted_by(|a, b| a.classes >= b.classes && a.step < b.step);
            let last = curve.last().map_or(one.made.equivalence.count, |point| point.classes);
            if !is_monotone || last as usize != one.assumption.states() {
                return Err(format!("{request:?}: {curve:?}"));
            }
        }
        let claimed = made.iter().map(|one| {
            ClaimedAssumption::new(&one.process, &one.assumption, &one.made.equivalence.class_of)
        });
        let bytes = certificate(&replaced, claimed.collect(), safety, error.as_ref());
        if audited(&bytes, &asked)?.holds != error.is_none() {
            return Err("the certificate has the wrong verdict".to_owned());
        }
        if start == InitialAbstraction::Discrete {
            let size = |system: &System| -> usize {
                system.components.iter().map(|part| part.model.states()).sum()
            };
            let mut once = system.clone();
            for process in all {
                once = make(&once, &[process])?.iter().fold(once, put);
            }
            smaller.set(smaller.get() + u32::from(size(&replaced) < size(&once)));
            if size(&replaced) > size(&once) {
                return Err(format!("{request:?}: one after the other is smaller"));
            }
        }
        Ok(())
    });
    assert!(smaller.get() > 5, "{}", smaller.get());
}
