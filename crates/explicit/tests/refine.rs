//! The refinement loop against the reference semantics of the built composition.

mod bound;
mod reading;
mod refining;
mod systems;

use bound::Bound;
use explicit::{CheckError, DIRECT, Deadlock, Outcome, REFINE, Refinement, Request};
use logic::{Formula, PropId};
use model::{Interface, Lifting, Mode, ModelBuilder, PartialModel, System, mixed_simulation};
use refining::watched;
use std::sync::Arc;
use support::Monitor;
use testkit::{Case, Rng, for_seeds, system_question};

const SYSTEMS: u64 = 20_000;

const DEADLOCKS: u64 = 4_000;

const WEAKEST: u64 = 500;

/// Any choice of what can be chosen.
fn random_refinement(rng: &mut Rng, system: &System) -> Refinement {
    let some = |rng: &mut Rng| -> Vec<usize> {
        (0..system.components.len()).filter(|_| rng.chance(0.5)).collect()
    };
    Refinement {
        abstracted: rng.chance(0.3).then(|| some(rng)),
        eager: rng.chance(0.5),
        hyper: rng.chance(0.5),
        keep_colours: rng.chance(0.8),
        drop_absent: rng.chance(0.7),
        take_over: rng.chance(0.7),
        nodes_of_cause: rng.chance(0.5).then(|| rng.between(1, 20) as u64),
        one_side_first: rng.chance(0.7),
        emit: rng.chance(0.3),
        lifting: if rng.chance(0.8) { Lifting::Summaries } else { Lifting::Paper },
        start: rng.chance(0.3).then(|| Arc::new(random_start(rng, system))),
    }
}

/// Each component's states in up to three sets.
fn random_start(rng: &mut Rng, system: &System) -> Vec<Option<Vec<u32>>> {
    let parts = system.components.iter();
    parts
        .map(|part| {
            let states = 0..part.model.states();
            let numbers: Vec<u32> = states.map(|_| rng.below(3) as u32).collect();
            rng.chance(0.7).then_some(numbers)
        })
        .collect()
}

fn one_system(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let Some((system, composition, formula)) = system_question(rng, case, 12) else {
        return Ok(());
    };
    let monitor = Monitor::new();
    for deadlock in [Deadlock::Warn, Deadlock::Stutter] {
        let expected = systems::expected(&system, &composition, &formula, deadlock);
        for refinement in [Refinement::default(), random_refinement(rng, &system)] {
            let said = format!("{refinement:?}, {deadlock:?}");
            let plain = Request::new(&system, &formula, &monitor);
            let request =
                Request { deadlock, refinement: refinement.clone(), evidence: true, ..plain };
            let (outcome, rounds) = watched(request).map_err(|error| error.to_string())?;
            systems::agree(&outcome, expected)
                .and_then(|()| systems::certified(&system, &formula, deadlock, &outcome))
                .map_err(|error| format!("{said}: {error}"))?;
            abstracts(&system, &formula, &outcome, deadlock).map_err(|e| format!("{said}: {e}"))?;
            let bound = Bound::new(&system, &formula, &refinement);
            bound.keeps(&rounds).map_err(|error| format!("{said}: {error}"))?;
        }
    }
    Ok(())
}

/// Every emitted model mixed-simulates its component, and their composition gives the same verdict.
fn abstracts(
    system: &System,
    formula: &Formula,
    outcome: &Outcome,
    deadlock: Deadlock,
) -> Result<(), String> {
    if outcome.abstractions.is_empty() {
        return Ok(());
    }
    let monitor = Monitor::new();
    for (part, emitted) in system.components.iter().zip(&outcome.abstractions) {
        let simulation =
            mixed_simulation(&part.model, &emitted.model, &monitor).expect("the same names");
        if simulation.comparison().failure.is_some() {
            return Err(format!("{} does not refine its abstraction", part.model.name));
        }
    }
    let emitted = emitted(system, outcome);
    let plain = Request::new(&emitted, formula, &monitor);
    let again = DIRECT.run(&Request { deadlock, ..plain }).map_err(|error| error.to_string())?;
    if again.verdict == outcome.verdict {
        return Ok(());
    }
    Err(format!("{}, by the abstractions {}", outcome.verdict, again.verdict))
}

/// The system with the emitted models for its components.
fn emitted(system: &System, outcome: &Outcome) -> System {
    let mut emitted = system.clone();
    for (part, abstraction) in emitted.components.iter_mut().zip(&outcome.abstractions) {
        part.model = abstraction.model.clone();
    }
    emitted
}

#[test]
fn verdicts_agree_with_the_reference() {
    for_seeds("refine", 0..SYSTEMS, one_system);
}

/// Edges that were dropped came back in a hyper-transition, with colours that meant nothing there.
#[test]
fn a_dropped_edge_does_not_return_in_a_hyper_transition() {
    let text = "
        component A kripke { props m, n, z, p, h, k, w; init i;
          i: {} -> s1, s2, t1, t2; s1: {m} -> t1, u1; s2: {m} -> t2, u1;
          t1: {n, p, h} -> t1; t2: {n, p} -> t2; u1: {m, n, z} -> u1, u2; u2: {m, n, z, w} -> u1; }
        component B kripke { props z, q; init i0; i0: {} -> b, y; b: {q} -> c, e; c: {} -> c, y;
          e: {q, z} -> e, c; y: {z} -> y, c; }
        component D kripke { props m, n; init d00; d00: {} -> d00, d01, d10, d11;
          d01: {n} -> d00, d01, d10, d11; d10: {m} -> d00, d01, d10, d11;
          d11: {m, n} -> d00, d01, d10, d11; }
        system A || B || D;
        property f: mu <> (q & p & h & k) | <> <> (q & p);";
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let refinement = Refinement { abstracted: Some(vec![0]), hyper: true, ..Refinement::default() };
    let plain = Request::new(&system, &formula, &monitor);
    let outcome = REFINE.run(&Request { refinement, ..plain }).unwrap();
    assert_eq!(outcome.verdict, logic::Truth::False);
}

/// The abstractions that are emitted where a deadlock is an error, if it is none.
fn emit_without_deadlocks(
    system: &System,
    formula: &Formula,
    refinement: Refinement,
) -> Result<Outcome, CheckError> {
    let monitor = Monitor::new();
    let plain = Request::new(system, formula, &monitor);
    let refinement = Refinement { emit: true, ..refinement };
    REFINE.run(&Request { deadlock: Deadlock::Error, refinement, ..plain })
}

fn one_deadlock(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let Some((system, composition, formula)) = system_question(rng, case, 12) else {
        return Ok(());
    };
    let refinement = random_refinement(rng, &system);
    let dead = composition.deadlock_state().map(|state| composition.state_name(state));
    let outcome = match (emit_without_deadlocks(&system, &formula, refinement), dead) {
        (Ok(outcome), None) => outcome,
        (Err(CheckError::Deadlock(found)), Some(dead)) if found.state == dead => return Ok(()),
        (found, dead) => return Err(format!("{found:?}, deadlock {dead:?}")),
    };
    // The abstractions can have deadlocks of their own.
    let deadlock = Deadlock::Warn;
    systems::agree(&outcome, systems::expected(&system, &composition, &formula, deadlock))?;
    abstracts(&system, &formula, &outcome, deadlock)
}

#[test]
fn where_a_deadlock_is_an_error_abstractions_are_emitted() {
    for_seeds("refine-deadlock", 0..DEADLOCKS, one_deadlock);
}

/// With A, B never comes to d and b1, where it does not fit A any more; the abstractions do not know that.
#[test]
fn a_deadlock_that_only_the_abstractions_have_is_no_error() {
    let text = "
        component A kripke { props p; init a0; a0: {} -> a1; a1: {p} -> a0; }
        component B kripke { props p; init b0; b0: {} -> c, b2; b2: {} -> d; b1: {} -> b1;
          c: {p} -> b0; d: {p} -> b1; }
        system A || B;
        property \"next\": ctl EX p;";
    let (system, formula) = reading::read(text);
    let outcome = emit_without_deadlocks(&system, &formula, Refinement::default()).unwrap();
    assert_eq!(outcome.verdict, logic::Truth::True);
    let composition = emitted(&system, &outcome).compose(&Monitor::new()).unwrap();
    assert!(composition.deadlock_state().is_some(), "the abstractions do not block");
}

/// The model without one must transition or one label, for each of them that an abstraction can do without.
fn weaker_by_one(model: &PartialModel, joint: &[String]) -> Vec<PartialModel> {
    let copy = |without_edge: Option<usize>, without_label: Option<(u32, PropId)>| {
        let mut builder = ModelBuilder::new(model.kind, model.name.clone());
        for name in model.props().names() {
            builder.prop(name);
        }
        for name in model.actions().names() {
            builder.action(name);
        }
        for state in 0..model.states() as u32 {
            builder.state(model.state_name(state));
            for (prop, _) in
                model.props().iter().filter(|(p, _)| without_label != Some((state, *p)))
            {
                builder.label(state, prop, model.label(state, prop));
            }
        }
        model.init().iter().for_each(|&state| builder.init(state));
        for (number, (source, class, target)) in model.edges().triples().enumerate() {
            let class = model.edges().classes()[class as usize];
            let must = class.mode.must && without_edge != Some(number);
            builder.edge(source, class.action, Mode { may: class.mode.may, must }, target);
        }
        builder.finish()
    };
    let is_must = |class: u32| model.edges().classes()[class as usize].mode.must;
    let edges = model.edges().triples().enumerate().filter(|(_, (_, class, _))| is_must(*class));
    let mut weaker: Vec<PartialModel> = edges.map(|(number, _)| copy(Some(number), None)).collect();
    for state in 0..model.states() as u32 {
        let own = model.props().iter().filter(|(_, name)| !joint.iter().any(|j| j == name));
        let known = own.filter(|(prop, _)| model.label(state, *prop).is_definite());
        weaker.extend(known.map(|(prop, _)| copy(None, Some((state, prop)))));
    }
    weaker
}

/// No emitted abstraction has a must transition or a label that the verdict does not need (C Def. 5.1).
fn one_weakest(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let Some((system, _, formula)) = system_question(rng, case, 8) else { return Ok(()) };
    let monitor = Monitor::new();
    let refinement = Refinement { emit: true, ..random_refinement(rng, &system) };
    let plain = Request::new(&system, &formula, &monitor);
    let outcome = REFINE.run(&Request { refinement, ..plain }).map_err(|e| e.to_string())?;
    if !outcome.verdict.is_definite() || outcome.abstractions.is_empty() {
        return Ok(());
    }
    let joint = Interface::new(&system).joint.names().to_vec();
    let emitted = emitted(&system, &outcome);
    for (component, part) in emitted.components.iter().enumerate() {
        for model in weaker_by_one(&part.model, &joint) {
            let mut weaker = emitted.clone();
            weaker.components[component].model = model;
            let again = DIRECT.run(&Request::new(&weaker, &formula, &monitor));
            if again.map_err(|error| error.to_string())?.verdict == outcome.verdict {
                return Err(format!("{} says more than it has to", part.model.name));
            }
        }
    }
    Ok(())
}

#[test]
fn emitted_abstractions_say_no_more_than_the_verdict_needs() {
    for_seeds("weakest", 0..WEAKEST, one_weakest);
}

/// B has nothing to do with the property, and is emitted as the coarsest abstraction there is.
#[test]
fn a_component_that_the_verdict_does_not_depend_on_is_abstracted_away() {
    let text = "
        component A kripke { props p; init s; s: {p} -> t; t: {p} -> s; }
        component B kripke { props q; init u; u: {} -> v; v: {q} -> u; }
        system A || B;
        property always: ctl AG p;";
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    for eager in [true, false] {
        let refinement = Refinement { emit: true, eager, ..Refinement::default() };
        let plain = Request::new(&system, &formula, &monitor);
        let outcome = REFINE.run(&Request { refinement, ..plain }).unwrap();
        let model = &outcome.abstractions[1].model;
        let musts = model.edges().classes().iter().filter(|class| class.mode.must);
        assert_eq!((model.states(), musts.count()), (1, 0));
        let q = model.props().get("q").unwrap();
        assert_eq!(model.label(0, q), logic::Truth::Unknown);
    }
}

/// Blocks of an earlier run are reused.
#[test]
fn given_abstractions_save_rounds() {
    let text = "
        component A kripke { props p; init s; s: {} -> t; t: {} -> u; u: {p} -> s; }
        component B kripke { props q; init x; x: {} -> y; y: {} -> z; z: {q} -> x; }
        system A || B;
        property both: ctl AG (p -> q);";
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let check = |start| {
        let refinement = Refinement { emit: true, start, ..Refinement::default() };
        watched(Request { refinement, ..Request::new(&system, &formula, &monitor) }).unwrap()
    };
    let (first, rounds) = check(None);
    let blocks = first.abstractions.iter().map(|one| Some(one.blocks.clone())).collect();
    let (again, fewer) = check(Some(Arc::new(blocks)));
    assert_eq!(first.verdict, again.verdict);
    assert!(fewer.len() < rounds.len(), "{} {}", fewer.len(), rounds.len());
}
