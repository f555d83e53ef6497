//! Every method names the components that are uncertain of their part in a transition, by their own actions.

#[path = "../../explicit/tests/reported/mod.rs"]
mod reported;

use model::Kind;
use reported::reported;
use std::cell::Cell;
use support::{FileId, Monitor};
use tertium::{Deadlock, Fact, Model, Options, Reason};
use testkit::blame::judge_blame;
use testkit::{
    Case, Rng, action_system, for_seeds, formula_for, prop_system, read_tm, system_text,
};

const COMPONENTS: &str = "component A mts { actions a; init s; s: -a?> t; t: ; }
    component B mts { actions d; init u; u: -d?> u; }
    system A || B";

#[test]
fn every_method_blames_the_component_that_has_the_action() {
    for (sync, formula) in [
        ("", "<a> true"),
        (" hide { a }", "<tau> true"),
        (" sync { A:a -> d; }", "<d> true"),
        (" sync { A:a -> d; } hide { d }", "<tau> <tau> true"),
    ] {
        let text = format!("{COMPONENTS}{sync}; property x: mu {formula};");
        let model = Model::read("tm", "blame.tm", &text).unwrap();
        for method in ["auto", "direct", "compositional", "refine", "symbolic"] {
            let options = Options::default().method(method).causes(8);
            let answer = model.check(&model.properties()[0], &options).unwrap();
            let causes = &answer.outcome().causes;
            assert!(causes.len() >= 2, "{method}{sync}: {:?}", answer.reason());
            for (fact, _) in causes.iter().flat_map(|cause| &cause.facts) {
                let Fact::Transition { component, action, .. } = fact else { panic!("{fact:?}") };
                let own = if component == "A" { "a" } else { "d" };
                assert_eq!(action.as_deref(), Some(own), "{method}{sync}: {causes:?}");
                assert!(component == "A" || sync.contains("sync"), "{method}{sync}: {causes:?}");
            }
        }
    }
}

/// A random system and formula, read as a user writes them, by BDDs and by components.
fn one_system(rng: &mut Rng, case: &mut Case, judged: &[Cell<u64>; 2]) -> Result<(), String> {
    let system = match rng.chance(0.7) {
        true => action_system(rng, &[Kind::Mts, Kind::Mts, Kind::Lts]),
        false => prop_system(rng, &[Kind::Kmts, Kind::Kripke]),
    };
    let Ok(composition) = system.compose(&Monitor::new()) else { return Ok(()) };
    let size = rng.between(1, 10);
    let formula = formula_for(rng, &composition, size);
    let text = system_text(&system);
    case.note(&text);
    case.note_property(&formula);
    let load = &mut |_: &str| Err(String::new());
    let document = read_tm(FileId(0), &text.as_str().into(), &Monitor::new(), load);
    let system = document.map_err(|errors| format!("{errors:?}"))?.system.ok_or("no system")?;
    let model = Model::read("tm", "blame.tm", &text).map_err(|error| error.to_string())?;
    let property = model.property(formula.logic, formula.source());
    let property = property.map_err(|error| error.to_string())?;
    for stutters in [false, true] {
        let deadlock = if stutters { Deadlock::Stutter } else { Deadlock::Warn };
        for (method, judged) in ["symbolic", "compositional"].into_iter().zip(judged) {
            let options = Options::default().method(method).deadlock(deadlock);
            let answer = model.check(&property, &options).map_err(|error| error.to_string())?;
            let Some(Reason::Undetermined(diagnosis)) = answer.reason() else { continue };
            let cause = reported(diagnosis);
            if let Some(judgement) = judge_blame(&system, stutters, &diagnosis.state, &cause) {
                judged.set(judged.get() + 1);
                judgement.map_err(|why| format!("{method}: {why}\n{diagnosis:?}"))?;
            }
        }
    }
    Ok(())
}

fn judge_systems(name: &str, systems: u64, least: u64) {
    let judged = [Cell::new(0), Cell::new(0)];
    for_seeds(name, 0..systems, |rng, case| one_system(rng, case, &judged));
    println!("{judged:?} diagnoses by `symbolic` and `compositional` in {systems} systems");
    assert!(judged.iter().all(|count| count.get() >= least), "{judged:?}");
}

#[test]
fn symbolic_blames_exactly_the_uncertain_components() {
    judge_systems("symbolic-blame", 2_000, 300);
}

#[test]
#[ignore = "takes half a minute"]
fn symbolic_blames_exactly_the_uncertain_components_in_5000_unknowns() {
    judge_systems("symbolic-blame-long", 30_000, 5_000);
}
