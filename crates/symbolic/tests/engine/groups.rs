//! Random systems of partial models, checked by groups of components, against the reference semantics.

use crate::systems::{Question, Tally};
use logic::{Family, Formula, Signature, Truth};
use model::System;
use std::cell::Cell;
use support::{FileId, Monitor};
use symbolic::{DecomposedSystem, Policy, SearchLimit, Stop, Trial, UnfitSystem};
use testkit::{Rng, for_seeds, read_tm};

/// Random groups, the last of all components.
pub fn random_groups(rng: &mut Rng, count: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..rng.below(4))
        .map(|_| (0..count).filter(|_| rng.chance(0.5)).collect::<Vec<usize>>())
        .collect();
    groups.push((0..count).collect());
    groups
}

impl Question {
    /// By the groups that are chosen by themselves, or by random ones; and whether all components together were asked.
    fn by_groups(
        &self,
        rng: &mut Rng,
        policy: Policy,
        effort: SearchLimit,
    ) -> Result<(Truth, bool), Stop> {
        let made =
            DecomposedSystem::new(&self.system, self.stutters, policy, effort, &Monitor::new());
        let mut system = match made {
            Ok(system) => system,
            Err(UnfitSystem::Stop(stop)) => return Err(stop),
            Err(other) => panic!("{other:?}"),
        };
        let mut is_complete = false;
        let mut watch = |trial: &Trial| is_complete = trial.is_complete;
        let verdict = match rng.chance(0.5) {
            true => system.check(&self.formula, effort, &mut watch)?,
            false => {
                let groups = random_groups(rng, self.system.components.len());
                system.check_by(&groups, &self.formula, effort, &mut watch)?
            }
        };
        Ok((verdict, is_complete))
    }
}

#[test]
fn verdicts_by_groups_are_those_of_the_reference() {
    let tallies: [Tally; 4] = Default::default();
    let by_parts = Cell::new(0);
    for_seeds("symbolic-groups", 0..21_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        let unrest = rng.chance(0.1).then(|| rng.between(1, 6) as u64);
        let policy = Policy { unrest, ..Policy::default() };
        let (found, is_complete) = question
            .by_groups(rng, policy, SearchLimit::Unlimited)
            .map_err(|stop| format!("{stop:?}"))?;
        let expected = question.expected();
        if found != expected {
            return Err(format!("{found}, by definition {expected}"));
        }
        by_parts.set(by_parts.get() + u32::from(!is_complete));
        let system = &question.system;
        let is_partial = system.components.iter().any(|part| !part.model.kind.is_complete());
        let sort = usize::from(system.family() == Family::Actions) * 2 + usize::from(is_partial);
        tallies[sort].count(found);
        Ok(())
    });
    println!("{} by some of the components", by_parts.get());
    assert!(by_parts.get() > 5_000, "{by_parts:?}");
    for (tally, least_unknown) in tallies.iter().zip([0, 40, 0, 40]) {
        tally.has_each(2_000, least_unknown);
    }
}

/// A file of examples: its system, and its properties with the verdicts that it states.
fn stated(text: &str) -> (System, Vec<(Formula, Truth)>) {
    let document = read_tm(FileId(0), &text.into(), &Monitor::new(), &mut |_| Err(String::new()));
    let document = document.unwrap_or_else(|errors| panic!("{errors:?}"));
    let system = document.system.expect("a system");
    let (props, actions) = (system.props(), system.actions());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    let mut all = Vec::new();
    for property in &document.properties {
        let name = property.name.as_deref().expect("a name");
        let verdict = |value: Truth| text.contains(&format!("// expect: \"{name}\" = {value}\n"));
        let verdict = Truth::ALL.into_iter().find(|&value| verdict(value)).expect("a verdict");
        let surface = property.formula.as_ref().expect("a formula");
        let formula = logic::compile(surface, &signature, &mut Vec::new()).expect("a formula");
        all.push((formula, verdict));
    }
    (system, all)
}

#[test]
fn the_families_by_groups() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/families");
    let (mut all, mut early) = (0, 0);
    for file in std::fs::read_dir(folder).expect("the families") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "tm") {
            continue;
        }
        let (system, asked) = stated(&std::fs::read_to_string(&path).expect("a text"));
        for (formula, verdict) in asked {
            let (policy, effort) = (Policy::default(), SearchLimit::Unlimited);
            let made = DecomposedSystem::new(&system, false, policy, effort, &Monitor::new());
            let mut is_early = false;
            let watch = &mut |trial: &Trial| is_early = !trial.is_complete;
            let found = made.expect("it can be composed").check(&formula, effort, watch);
            assert_eq!(found.expect("room enough"), verdict, "{path:?}");
            (all, early) = (all + 1, early + u32::from(is_early));
        }
    }
    println!("{early} of {all} were decided before the composition");
    assert!(all > 100 && early * 3 > all, "{early} of {all}");
}

#[test]
fn too_little_room_for_groups_gives_no_other_verdict() {
    let (tally, full) = (Tally::default(), Cell::new(0));
    for_seeds("symbolic-groups-room", 0..4_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        let effort =
            SearchLimit::AtMost { nodes: rng.between(1, 150), steps: rng.between(1, 4_000) as u64 };
        match question.by_groups(rng, Policy::default(), effort) {
            Ok((found, _)) if found.is_definite() && found != question.expected() => {
                return Err(format!("{found}, by definition {}", question.expected()));
            }
            Ok((found, _)) => tally.count(found),
            Err(Stop::Full | Stop::Crowded) => full.set(full.get() + 1),
            Err(other) => return Err(format!("{other:?}")),
        }
        Ok(())
    });
    println!("{full:?} without room");
    assert!(full.get() > 200, "{full:?}");
    tally.is_varied(1_000);
}
