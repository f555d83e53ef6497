//! The compositional method against the reference semantics of the built composition.

mod common;

use base::Monitor;
use check::{Method, Reason, Request, run};
use logic::Truth;
use model::{Kind, System, reference};
use testkit::{Case, Rng, action_system, for_seeds, formula_for, prop_system, system_text};

const SYSTEMS: u64 = 20_000;

fn random_system(rng: &mut Rng) -> System {
    let complete = rng.chance(0.5);
    match (rng.chance(0.5), complete) {
        (true, true) => prop_system(rng, &[Kind::Kripke]),
        (true, false) => prop_system(rng, &[Kind::Kripke, Kind::Kmts]),
        (false, true) => action_system(rng, &[Kind::Lts]),
        (false, false) => action_system(rng, &[Kind::Lts, Kind::Mts]),
    }
}

fn one_system(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let system = random_system(rng);
    case.note(system_text(&system));
    let monitor = Monitor::new();
    let Ok(whole) = system.compose(&monitor) else { return Ok(()) };
    let size = rng.between(1, 12);
    let formula = formula_for(rng, &whole, size);
    case.note(format!("property f: {} {};", formula.logic.name(), formula.source()));
    let values = reference::evaluate(&whole, &formula);
    let expected = common::expected(&system, &whole, |state| values.truth(formula.root(), state));
    for method in [Method::Compositional, Method::Auto] {
        let request = Request {
            system: &system,
            formula: &formula,
            method,
            values: false,
            monitor: &monitor,
        };
        let outcome = run(&request).map_err(|error| error.to_string())?;
        if outcome.verdict != expected {
            return Err(format!("{method:?}: {}, reference {expected}", outcome.verdict));
        }
        match (outcome.verdict, &outcome.reason) {
            (Truth::Unknown, Some(Reason::Doubt(_) | Reason::InitialStates { .. }))
            | (Truth::True | Truth::False, None) => {}
            (verdict, reason) => return Err(format!("{verdict} with the reason {reason:?}")),
        }
    }
    Ok(())
}

#[test]
fn verdicts_agree_with_the_reference() {
    for_seeds("compositional", 0..SYSTEMS, one_system);
}
