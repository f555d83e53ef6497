//! Who is blamed: the cause of an unknown names exactly the components that are not certain of their part in the
//! transition that it reports, with their own actions.

mod reading;
mod reported;

use explicit::{COMPOSITIONAL, DIRECT, Deadlock, REFINE, Reason, Request};
use logic::Truth;
use model::Kind;
use reported::reported;
use std::cell::Cell;
use support::Monitor;
use testkit::blame::{Blamed, ReportedCause, judge_blame};
use testkit::{Case, Rng, action_system, component_system, for_seeds, formula_for, system_text};

fn one_system(rng: &mut Rng, case: &mut Case, judged: &Cell<u64>) -> Result<(), String> {
    let system = match rng.chance(0.7) {
        true => action_system(rng, &[Kind::Mts, Kind::Mts, Kind::Lts]),
        false => component_system(rng),
    };
    case.note(system_text(&system));
    let Ok(composition) = system.compose(&Monitor::new()) else { return Ok(()) };
    let size = rng.between(1, 10);
    let formula = formula_for(rng, &composition, size);
    case.note_property(&formula);
    let monitor = Monitor::new();
    for deadlock in [Deadlock::Warn, Deadlock::Stutter] {
        for method in [DIRECT, COMPOSITIONAL, REFINE] {
            let request = Request { deadlock, ..Request::new(&system, &formula, &monitor) };
            let Ok(outcome) = method.run(&request) else { continue };
            let Some(Reason::Undetermined(diagnosis)) = &outcome.reason else { continue };
            let stutters = deadlock == Deadlock::Stutter;
            let cause = reported(diagnosis);
            if let Some(judgement) = judge_blame(&system, stutters, &diagnosis.state, &cause) {
                judged.set(judged.get() + 1);
                judgement.map_err(|why| format!("{method:?}: {why}\n{diagnosis:?}"))?;
            }
        }
    }
    Ok(())
}

fn judge_systems(name: &str, systems: u64, least: u64) {
    let judged = Cell::new(0);
    for_seeds(name, 0..systems, |rng, case| one_system(rng, case, &judged));
    println!("{} diagnoses in {systems} systems", judged.get());
    assert!(judged.get() >= least, "{judged:?}");
}

#[test]
fn exactly_the_uncertain_components_are_blamed() {
    judge_systems("blame", 1_000, 600);
}

#[test]
#[ignore = "takes a minute"]
fn exactly_the_uncertain_components_are_blamed_in_5000_unknowns() {
    judge_systems("blame-long", 20_000, 5_000);
}

/// The blamed steps by each method.
fn blame(text: &str) -> Vec<Vec<String>> {
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let ask = |method: explicit::Checker| {
        let outcome = method.run(&Request::new(&system, &formula, &monitor)).unwrap();
        assert_eq!(outcome.verdict, Truth::Unknown, "{method:?}");
        let Some(Reason::Undetermined(diagnosis)) = outcome.reason else {
            panic!("{method:?}: {:?}", outcome.reason)
        };
        let ReportedCause::Transition { blamed, .. } = reported(&diagnosis) else {
            panic!("{method:?}: {diagnosis:?}")
        };
        let shown = |(component, from, to, action): Blamed| {
            format!("{component} {from} {} {to}", action.unwrap_or_default())
        };
        blamed.into_iter().map(shown).collect()
    };
    [DIRECT, COMPOSITIONAL, REFINE].map(ask).into()
}

/// B has no `a`, and is blamed neither when `a` is hidden nor when a vector renames it to what B has.
#[test]
fn a_component_without_the_action_is_not_blamed() {
    let components = "component A mts { actions a; init s; s: -a?> t; t: ; }
                      component B mts { actions d; init u; u: -d?> u; }";
    let cases = [
        ("", "<a> true"),
        ("hide { a }", "<tau> true"),
        ("sync { A:a -> d; }", "[d] false & <d> true | <d> true"),
        ("sync { A:a -> comm; }", "<comm> true"),
    ];
    for (sync, formula) in cases {
        let text = format!("{components} system A || B {sync}; property x: mu {formula};");
        let found = blame(&text);
        let expected = if sync.contains("-> d") { "B u d u" } else { "A s a t" };
        let is_right = |steps: &Vec<String>| *steps == ["A s a t"] || *steps == [expected];
        assert!(found.iter().all(is_right), "{sync}: {found:?}");
    }
}

/// Both take part in a vector, each by its own action; only one is uncertain.
#[test]
fn a_vector_blames_by_own_actions() {
    let text = |b: &str| {
        format!(
            "component A mts {{ actions send; init s; s: -send?> t; t: ; }}
             component B mts {{ actions recv, comm; init u; u: -recv{b} v; v: ; }}
             system A || B sync {{ A:send | B:recv -> comm; }} hide {{ comm }};
             property x: mu <tau> true;"
        )
    };
    assert!(blame(&text("->")).iter().all(|steps| *steps == ["A s send t"]));
    assert!(blame(&text("?>")).iter().all(|steps| *steps == ["A s send t", "B u recv v"]));
}
