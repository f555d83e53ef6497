//! The verdict is that of the composition, however a machine is divided, in whatever order and with whatever room its
//! components are looked at.

use crate::questions::{Program, division, random};
use logic::{Formula, Truth};
use std::cell::Cell;
use symbolic::{Composition, Policy, Question, SearchLimit, Stop, Trial};
use testkit::{Rng, for_seeds};
use transition::MachineComponent;

fn policy(rng: &mut Rng) -> Policy {
    let mut policy = Policy::default();
    match rng.below(4) {
        0 => policy.unrest = Some(rng.between(3, 60) as u64),
        1 => {
            policy.most_nodes = rng.between(10, 400);
            policy.reorder_at = rng.chance(0.5).then_some(rng.between(8, 100));
        }
        _ => {}
    }
    policy
}

fn effort(rng: &mut Rng) -> SearchLimit {
    match rng.chance(0.3) {
        true => SearchLimit::AtMost {
            nodes: rng.between(10, 300),
            steps: rng.between(10, 3_000) as u64,
        },
        false => SearchLimit::Unlimited,
    }
}

/// The verdict by components, unknown where there was too little room.
fn found(
    rng: &mut Rng,
    program: &Program,
    composition: &mut Composition,
    formula: &Formula,
) -> Result<Truth, Stop> {
    let effort = effort(rng);
    let watch = &mut |_: &Trial| {};
    if rng.chance(0.4) {
        return composition.check(formula, formula, effort, watch);
    }
    let some = |rng: &mut Rng| {
        let all: Vec<usize> = (0..composition.len()).collect();
        rng.some(&all, 0.4)
    };
    let mut groups: Vec<Vec<usize>> = (0..rng.below(4)).map(|_| some(rng)).collect();
    groups.push((0..composition.len()).collect());
    let asked = program.asked(rng);
    composition.check_by(&groups, Question { formula, asked: &asked }, effort, watch)
}

fn compare(
    rng: &mut Rng,
    program: &Program,
    components: &[MachineComponent],
    questions: &[(Formula, Truth)],
) -> Result<[usize; 2], String> {
    let policy = policy(rng);
    let mut counts = [0; 2];
    let mut composition = match program.tried(components, policy, effort(rng)) {
        Ok(Some(composition)) => composition,
        Ok(None) | Err(Stop::Full) => return Ok(counts),
        Err(stop) => return Err(format!("{stop:?}")),
    };
    composition.seen_bits = *rng.pick(&[0, 1, 2, 24]);
    for (formula, expected) in questions {
        match found(rng, program, &mut composition, formula) {
            Ok(Truth::Unknown) | Err(Stop::Full) => counts[1] += 1,
            Ok(verdict) if verdict == *expected => counts[0] += 1,
            other => {
                let source = formula.source();
                return Err(format!(
                    "{source}: {other:?}, on the monolithic model {expected:?}; {policy:?}"
                ));
            }
        }
    }
    Ok(counts)
}

#[test]
fn verdicts_are_those_of_the_composition_in_every_order() {
    let counts = [0; 2].map(Cell::new);
    for_seeds("composition-verdicts", 0..2_500, |rng, case| {
        let Some(program) = random(rng, case, false) else { return Ok(()) };
        let Some(composition) = program.test_system.composition(1_000) else { return Ok(()) };
        let questions = (0..3).map(|_| {
            let formula = program.formula(rng, case);
            let expected = composition.verdict(&formula, &composition.evaluate(&formula, true));
            (formula, expected)
        });
        let questions: Vec<(Formula, Truth)> = questions.collect();
        for _ in 0..3 {
            let division = division(rng, &program.machine);
            case.note(format!("-- {division:?}"));
            let components = program.machine.components(&program.slice, &division, &[]);
            let found = compare(rng, &program, &components, &questions)?;
            counts.iter().zip(found).for_each(|(count, found)| count.set(count.get() + found));
        }
        Ok(())
    });
    println!("{counts:?} with a verdict and without");
    assert!(counts[0].get() > 10_000 && counts[1].get() > 500, "{counts:?}");
}
