//! Larger random systems than the reference semantics can be asked about: every method against the direct one,
//! which is held against the reference elsewhere. With up to ten states behind one joint label there is more to
//! merge, to split and to prune.

use explicit::{COMPOSITIONAL, Checker, DIRECT, Deadlock, REFINE, Refinement, Request};
use logic::Truth;
use model::{Component, Kind, Lifting, Sync, System};
use support::Monitor;
use testkit::{Case, ModelShape, Rng, for_seeds, formula_for, model, system_text};

const SYSTEMS: u64 = 2_000;

/// Two components of up to ten states or three of up to seven, with at most one joint proposition, or with
/// three actions to share.
fn system(rng: &mut Rng) -> System {
    let count = rng.between(2, 3);
    let has_actions = rng.chance(0.4);
    let joint = ("j".to_owned(), Truth::from(rng.chance(0.5)));
    let components = (0..count).map(|index| {
        let kind = match (has_actions, rng.chance(0.3)) {
            (true, false) => Kind::Lts,
            (true, true) => Kind::Mts,
            (false, false) => Kind::Kripke,
            (false, true) => Kind::Kmts,
        };
        let mut shape = ModelShape::small(rng, kind);
        shape.name = format!("M{index}");
        shape.states = rng.between(3, if count == 2 { 10 } else { 7 });
        shape.degree = *rng.pick(&[1.5, 2.0, 2.5, 3.0]);
        let (shared, own): (&[&str], _) =
            if has_actions { (&["a", "b", "c"], "l") } else { (&["j"], "p") };
        let mut names: Vec<String> = rng.some(shared, 0.7).into_iter().map(str::to_owned).collect();
        names.push(format!("{own}{index}"));
        if has_actions {
            shape.actions = names;
        } else {
            shape.initial_labels = vec![joint.clone()];
            shape.props = names;
        }
        Component { model: model(rng, &shape), is_unknown: false }
    });
    System { components: components.collect(), sync: Sync::default() }
}

fn random_refinement(rng: &mut Rng) -> Refinement {
    Refinement {
        eager: rng.chance(0.7),
        hyper: rng.chance(0.3),
        drop_absent: rng.chance(0.9),
        take_over: rng.chance(0.9),
        one_side_first: rng.chance(0.7),
        lifting: if rng.chance(0.6) { Lifting::Summaries } else { Lifting::Paper },
        ..Refinement::default()
    }
}

fn one_system(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let system = system(rng);
    case.note(system_text(&system));
    let Ok(composition) = system.compose(&Monitor::new()) else { return Ok(()) };
    let size = rng.between(4, 24);
    let formula = formula_for(rng, &composition, size);
    case.note_property(&formula);
    let monitor = Monitor::new();
    let deadlock = if rng.chance(0.3) { Deadlock::Stutter } else { Deadlock::Warn };
    let plain = Request { deadlock, ..Request::new(&system, &formula, &monitor) };
    let ask = |method: Checker, refinement: Refinement| {
        let answer = method.run(&Request { refinement, ..plain.clone() });
        answer.map(|outcome| outcome.verdict).map_err(|error| error.to_string())
    };
    let expected = ask(DIRECT, Refinement::default())?;
    for (method, refinement) in [
        (COMPOSITIONAL, Refinement::default()),
        (REFINE, Refinement::default()),
        (REFINE, random_refinement(rng)),
    ] {
        let found = ask(method, refinement.clone())?;
        if found != expected {
            let said = format!("{method:?}, {refinement:?}, {deadlock:?}");
            return Err(format!("{said}: {found}, by the direct method {expected}"));
        }
    }
    Ok(())
}

#[test]
fn all_methods_agree_on_larger_systems() {
    for_seeds("larger", 0..SYSTEMS, one_system);
}
