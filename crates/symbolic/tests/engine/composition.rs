//! Machines component by component: random programs, however they are divided and in whatever order their
//! components are looked at.

use crate::machines::document;
use crate::programs::{by_states, count, read, slice, verdicts};
use crate::vocabulary::Vocabulary;
use logic::{Fairness, Truth};
use std::cell::Cell;
use support::Monitor;
use symbolic::{Composition, LabelledMachine, Policy, Question, SearchLimit, Trial};
use testkit::SmvDocument;
use testkit::{Rng, for_seeds};
use transition::{Division, InstanceGroup, InstanceId, Role, StateProperty};

const STATES: usize = 3_000;

fn division(rng: &mut Rng, document: &SmvDocument) -> Division {
    let instances: Vec<_> = document.machine.instances.ids().skip(1).collect();
    match rng.below(3) {
        0 => Division::Instances,
        1 => Division::Recursive,
        _ => {
            let chosen = instances.into_iter().filter(|_| rng.chance(0.5));
            let groups =
                chosen.map(|id| InstanceGroup { name: id.0.to_string(), instances: vec![id] });
            Division::Given(groups.collect())
        }
    }
}

/// Random groups, and the monolithic model in the end.
fn groups(rng: &mut Rng, components: usize) -> Vec<Vec<usize>> {
    let some = |rng: &mut Rng| (0..components).filter(|_| rng.chance(0.4)).collect::<Vec<_>>();
    let mut groups: Vec<Vec<usize>> = (0..rng.below(4)).map(|_| some(rng)).collect();
    groups.retain(|group| !group.is_empty());
    groups.push((0..components).collect());
    groups
}

/// The verdicts, and how many of them came before the composition; `None` if only the composition can tell what fails.
fn by_components(
    document: &SmvDocument,
    missing: &[InstanceId],
    rng: &mut Rng,
    policy: Policy,
) -> Option<(Vec<Option<Truth>>, usize)> {
    let machine = &document.machine;
    let Vocabulary { labels, conditions, terms } = Vocabulary::of(document);
    let all: Vec<StateProperty> = labels.iter().chain(&conditions).cloned().collect();
    let slice = slice(machine, &all, rng.chance(0.5));
    let components = machine.components(&slice, &division(rng, document), missing);
    let subject =
        LabelledMachine { machine, slice: &slice, labels: &labels, conditions: &conditions };
    let effort = SearchLimit::Unlimited;
    let mut composition = Composition::new(subject, components, policy, effort, &Monitor::new())
        .expect("room enough")
        .ok()?;
    composition.seen_bits = *rng.pick(&[0, 2, 24]);
    let fairness = Fairness { terms, trims: rng.chance(0.5), ..Fairness::default() };
    let mut early = 0;
    let verdicts = verdicts(document, [&labels, &conditions], &fairness, |formula| {
        let watch = &mut |trial: &Trial| {
            early += usize::from(!trial.is_complete && trial.verdict.is_definite());
        };
        match rng.chance(0.5) {
            true => composition.check(formula, formula, effort, watch),
            false => {
                let groups = groups(rng, composition.len());
                let question = Question { formula, asked: &[] };
                composition.check_by(&groups, question, effort, watch)
            }
        }
    });
    Some((verdicts.expect("room enough"), early))
}

#[test]
fn components_agree_with_states_on_random_programs() {
    let (asked, early) = (Cell::new(0), Cell::new(0));
    for_seeds("composition-programs", 0..2_000, |rng, case| {
        let document = document(rng, case)?;
        let Ok(expected) = by_states(&document, true, STATES) else { return Ok(()) };
        let unrest = rng.chance(0.2).then_some(50);
        let policy = Policy { unrest, ..Policy::default() };
        let Some((found, decided)) = by_components(&document, &[], rng, policy) else {
            return Ok(());
        };
        asked.set(asked.get() + found.len());
        early.set(early.get() + decided);
        match found == expected {
            true => Ok(()),
            false => Err(format!("{found:?}, by states {expected:?}")),
        }
    });
    println!("{early:?} of {asked:?} were decided before all were composed");
    assert!(early.get() * 10 > asked.get(), "{early:?} of {asked:?}");
}

/// Instances whose parts have no constraints: those go on.
fn can_be_missing(document: &SmvDocument) -> Vec<InstanceId> {
    let machine = &document.machine;
    let is_free = |instance: &InstanceId| {
        machine.conjuncts().iter().all(|conjunct| {
            let mut writers = conjunct.writers.iter();
            !matches!(conjunct.role, Role::Constraint(_))
                || !writers.any(|&writer| machine.is_within(writer, *instance))
        })
    };
    machine.instances.ids().skip(1).filter(is_free).collect()
}

/// A choice of the group is one of its values: of four patterns of two bits three are, and `v1` has no answer to the
/// fourth.
#[test]
fn patterns_that_are_no_values_are_no_choices() {
    let text = "MODULE main VAR v0 : {red, 7, blue}; v1 : {red, 7, blue}; m : sub;
        ASSIGN init(v0) := blue; v1 := v0; SPEC EX m.w; SPEC v1 = blue;
        MODULE sub VAR w : boolean; ASSIGN init(w) := FALSE; next(w) := FALSE;";
    let document = read(text).expect("a model");
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let missing = [InstanceId(1)];
        let found = by_components(&document, &missing, &mut rng, Policy::default());
        if let Some((found, _)) = found {
            assert_ne!(found[0], Some(Truth::True), "seed {seed}");
        }
    }
}

#[test]
fn what_is_certain_without_a_module_is_true_of_every_module() {
    let (asked, certain) = (Cell::new(0), Cell::new(0));
    for_seeds("composition-missing", 0..3_000, |rng, case| {
        let document = document(rng, case)?;
        let missing = rng.some(&can_be_missing(&document), 0.7);
        if missing.is_empty() {
            return Ok(());
        }
        let Ok(expected) = by_states(&document, true, STATES) else { return Ok(()) };
        if count(&document, STATES).is_ok_and(|states| states == 0) {
            // A module that lets nothing start is none that anybody means.
            return Ok(());
        }
        let found = by_components(&document, &missing, rng, Policy::default());
        let Some((found, _)) = found else { return Ok(()) };
        for (found, expected) in found.iter().zip(&expected) {
            asked.set(asked.get() + 1);
            match (found, expected) {
                (Some(Truth::Unknown), _) => {}
                _ if found == expected => certain.set(certain.get() + 1),
                _ => return Err(format!("{found:?} without {missing:?}, {expected:?} with")),
            }
        }
        Ok(())
    });
    println!("{certain:?} of {asked:?} were certain");
    assert!(certain.get() * 10 > asked.get(), "{certain:?} of {asked:?}");
}
