//! The compositional method against the reference semantics of the built composition.

mod systems;

use explicit::{COMPOSITIONAL, Deadlock, Request};
use support::Monitor;
use testkit::{Case, Rng, for_seeds, system_question};

const SYSTEMS: u64 = 20_000;

fn one_system(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let Some((system, composition, formula)) = system_question(rng, case, 12) else {
        return Ok(());
    };
    let monitor = Monitor::new();
    for deadlock in [Deadlock::Warn, Deadlock::Stutter] {
        let expected = systems::expected(&system, &composition, &formula, deadlock);
        let order = random_order(rng, system.components.len());
        for order in [&[][..], &order] {
            let plain = Request::new(&system, &formula, &monitor);
            let outcome = COMPOSITIONAL
                .run(&Request { order, deadlock, evidence: true, ..plain })
                .map_err(|error| error.to_string())?;
            systems::agree(&outcome, expected)
                .and_then(|()| systems::certified(&system, &formula, deadlock, &outcome))
                .map_err(|error| format!("{order:?}, {deadlock:?}: {error}"))?;
        }
    }
    Ok(())
}

fn random_order(rng: &mut Rng, components: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..components).collect();
    for last in (1..components).rev() {
        order.swap(last, rng.below(last + 1));
    }
    order
}

#[test]
fn verdicts_agree_with_the_reference() {
    for_seeds("compositional", 0..SYSTEMS, one_system);
}
