//! Where deadlocks stutter: a state is unknown because the composition may stand still there, or because of a real step, and
//! never because of a step that a component could make if the others went along.

mod reading;

use explicit::{
    COMPOSITIONAL, Cause, DIRECT, Deadlock, Diagnosis, REFINE, Reason, Request, UncertainStep,
};
use logic::Truth;
use model::{Mode, PartialModel, System};
use std::cell::Cell;
use support::Monitor;
use testkit::{Case, Rng, for_seeds, system_question};

const SYSTEMS: u64 = 10_000;

/// The causes of an unknown by each method: of each open step the component, from where and to where.
fn causes(text: &str) -> Vec<Vec<String>> {
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let shown = |step: UncertainStep| format!("{} {} {}", step.component, step.from, step.to);
    [DIRECT, COMPOSITIONAL, REFINE]
        .map(|method| {
            let plain = Request::new(&system, &formula, &monitor);
            let request = Request { deadlock: Deadlock::Stutter, ..plain };
            let outcome = method.run(&request).unwrap();
            assert_eq!((outcome.verdict, outcome.unsuited), (Truth::Unknown, None));
            let Some(Reason::Undetermined(diagnosis)) = outcome.reason else {
                panic!("{:?}", outcome.reason)
            };
            let Cause::Transition { steps, .. } = diagnosis.cause else {
                panic!("{:?}", diagnosis.cause)
            };
            steps.into_iter().map(shown).collect()
        })
        .into()
}

fn assert_causes(system: &str, property: &str, steps: &[&str]) {
    let found = causes(&format!("{system} property f: mu {property};"));
    assert!(found.iter().all(|found| found == steps), "{property}: {found:?}");
}

/// A's loop at u does not fit B's step from s to t: only u → v does, and if that is not there the composition stutters.
#[test]
fn a_loop_that_the_others_do_not_go_along_with_is_no_cause() {
    let system = "
        component A kmts { props p, q; init u; u: {!p, !q} ?> u, v; v: {p, q} -> v; }
        component B kripke { props p; init s; s: {} -> t; t: {p} -> t; }
        system A || B;";
    assert_causes(system, "<> q", &["A u v"]);
    assert_causes(system, "[] !q", &["A u v"]);
    assert_causes(system, "[] q", &[]);
    assert_causes(system, "<> !q", &[]);
    assert_causes(system, "<> true", &["A u v"]);
}

/// With actions: B never does a, and stuttering is a step by tau, which A does not have.
#[test]
fn a_loop_by_an_action_without_partner_is_no_cause() {
    let system = "
        component A mts { actions a, b; init u; u: -a?> u -b?> v; v: -b-> v; }
        component B lts { actions a, c; init s; s: ; }
        system A || B;";
    assert_causes(system, "<b> true", &["A u v"]);
    assert_causes(system, "[b] false", &["A u v"]);
    assert_causes(system, "[tau] false", &[]);
    assert_causes(system, "<tau> true", &[]);
    assert_causes(system, "<true> true", &["A u v"]);
}

/// A loop of the composition is a real step.
#[test]
fn a_loop_that_the_composition_may_make_is_a_cause() {
    let system = "
        component A kmts { props q; init u; u: {!q} ?> u, v; v: {q} -> v; }
        component B kripke { props r; init s; s: {} -> s; }
        system A || B;";
    assert_causes(system, "[] q", &["A u u"]);
}

/// Whether some step of the composition is open that takes these components where the cause says, or, if it names none,
/// whether the composition may stand still.
fn is_real(
    system: &System,
    composition: &PartialModel,
    diagnosis: &Diagnosis,
    steps: &[UncertainStep],
) -> bool {
    let states = 0..composition.states() as u32;
    let mut here = states.filter(|&state| composition.state_name(state) == diagnosis.state);
    let source = here.next().expect("the state of a diagnosis is there");
    if steps.is_empty() {
        return composition.moves(source) == Mode::MAY;
    }
    let member = |state: u32, step: &UncertainStep| {
        let parts = system.components.iter().map(|part| &part.model);
        let place = parts.clone().position(|model| model.name == step.component).expect("a name");
        let members = composition.names().tuple(state);
        parts.clone().nth(place).unwrap().state_name(members.get(place).copied().unwrap_or(state))
    };
    let mut out = composition.edges().out(source);
    out.any(|(target, class)| {
        class.mode == Mode::MAY
            && steps.iter().all(|s| member(source, s) == s.from && member(target, s) == s.to)
    })
}

fn one_system(rng: &mut Rng, case: &mut Case, still: &Cell<u64>) -> Result<(), String> {
    let Some((system, composition, formula)) = system_question(rng, case, 12) else {
        return Ok(());
    };
    let monitor = Monitor::new();
    for method in [DIRECT, COMPOSITIONAL] {
        let plain = Request::new(&system, &formula, &monitor);
        let request = Request { deadlock: Deadlock::Stutter, ..plain };
        let outcome = method.run(&request).map_err(|error| error.to_string())?;
        let Some(Reason::Undetermined(diagnosis)) = &outcome.reason else { continue };
        let Cause::Transition { steps, .. } = &diagnosis.cause else { continue };
        if !is_real(&system, &composition, diagnosis, steps) {
            return Err(format!("{method:?}: {diagnosis:?}"));
        }
        still.set(still.get() + u64::from(steps.is_empty()));
    }
    Ok(())
}

#[test]
fn causes_are_real() {
    let still = Cell::new(0);
    for_seeds("standing-still", 0..SYSTEMS, |rng, case| one_system(rng, case, &still));
    assert!(still.get() > 20, "{still:?}");
}
