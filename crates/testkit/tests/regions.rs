//! Regions, lifted components and quotients against the reference semantics of the composition: their
//! definite answers are right, and a region of all components is the composition.

use logic::{ActionSet, Formula, Truth};
use model::{
    Blocks, Component, Interface, JointLabels, Lifting, PartialModel, Regions, System, lift,
    quotient,
};
use std::cell::Cell;
use support::Monitor;
use testkit::reference;
use testkit::{Case, Rng, for_seeds, system_question};

/// Random blocks of states with the same joint label.
fn blocks(
    rng: &mut Rng,
    model: &PartialModel,
    joint: &JointLabels,
    component: usize,
) -> (Vec<u32>, u32) {
    let mut of: Vec<u32> = Vec::new();
    let mut count = 0;
    for state in 0..model.states() as u32 {
        let label = |state: u32| joint.of(component, state);
        let alike = (0..state).filter(|&other| label(other) == label(state));
        let alike: Vec<u32> = alike.map(|other| of[other as usize]).collect();
        if !alike.is_empty() && rng.chance(0.5) {
            of.push(*rng.pick(&alike));
        } else {
            of.push(count);
            count += 1;
        }
    }
    (of, count)
}

/// The system with random blocks for states, or as it is; and the blocks.
fn abstracted(rng: &mut Rng, system: &System) -> Result<(System, Vec<Vec<u32>>), String> {
    let is_abstracted = rng.chance(0.5);
    let joint = JointLabels::new(system);
    let mut components = Vec::new();
    let mut all = Vec::new();
    for (number, part) in system.components.iter().enumerate() {
        let states = part.model.states() as u32;
        let (of, count) = match is_abstracted {
            true => blocks(rng, &part.model, &joint, number),
            false => ((0..states).collect(), states),
        };
        let model = match is_abstracted {
            true => quotient(&part.model, &Blocks { of: of.clone(), count })
                .map_err(|fault| format!("{fault:?}"))?,
            false => part.model.clone(),
        };
        components.push(Component { model, is_unknown: part.is_unknown });
        all.push(of);
    }
    Ok((System { components, sync: system.sync.clone() }, all))
}

/// Some components, in any order.
fn some(rng: &mut Rng, components: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..components).collect();
    for last in (1..components).rev() {
        order.swap(last, rng.below(last + 1));
    }
    order.truncate(rng.between(1, components));
    order
}

fn all_tuples(system: &System, components: &[usize]) -> Vec<u32> {
    let mut tuples: Vec<Vec<u32>> = vec![Vec::new()];
    for &component in components {
        let states = 0..system.components[component].model.states() as u32;
        let longer =
            |tuple: Vec<u32>| states.clone().map(move |state| [&tuple[..], &[state]].concat());
        tuples = tuples.into_iter().flat_map(longer).collect();
    }
    tuples.concat()
}

fn one_system(rng: &mut Rng, case: &mut Case, definite: &Cell<u64>) -> Result<(), String> {
    let Some((system, whole, formula)) = system_question(rng, case, 12) else { return Ok(()) };
    let stutter = rng.chance(0.5);
    let whole = if stutter { whole.stuttering() } else { whole };
    let (system, blocks) = abstracted(rng, &system)?;
    let is_abstracted = blocks
        .iter()
        .zip(&system.components)
        .any(|(of, _)| of.iter().enumerate().any(|(state, &block)| state as u32 != block));
    let components = some(rng, system.components.len());
    let asked: Vec<ActionSet> = formula.action_sets().values().cloned().collect();
    let monitor = Monitor::new();
    let interface = Interface::new(&system);
    let regions = Regions {
        system: &system,
        interface: &interface,
        asked: &asked,
        stutter,
        monitor: &monitor,
    };
    let region = regions.region(&components, &all_tuples(&system, &components));
    let region = region.map_err(|_| "nothing stops it")?;
    let here = reference::evaluate(&region.model, &formula);
    let there = reference::evaluate(&whole, &formula);
    let alone = (components.len() == 1).then(|| {
        let lifting = Lifting::Summaries;
        let lifted = lift(&system, &interface, components[0], &asked, lifting, stutter);
        reference::evaluate(&lifted.model, &formula)
    });
    let is_all_components = components.len() == system.components.len() && !is_abstracted;
    for state in 0..whole.states() as u32 {
        let tuple = whole.members(state);
        let own: Vec<u32> = components.iter().map(|&c| blocks[c][tuple[c] as usize]).collect();
        let at = region.find(&own).ok_or("a tuple that was given is not there")?;
        for (node, _) in formula.nodes() {
            let (ours, theirs) = (here.truth(node, at), there.truth(node, state));
            if alone.as_ref().is_some_and(|alone| alone.truth(node, own[0]) != ours) {
                return Err("a region of one component is not what lifting makes of it".into());
            }
            let is_sure = ours != Some(Truth::Unknown);
            definite.set(definite.get() + u64::from(is_sure));
            if ours != theirs && (is_sure || is_all_components) {
                return Err(differ(&formula, node, &components, &whole.state_name(state)));
            }
        }
    }
    Ok(())
}

fn differ(formula: &Formula, node: logic::NodeId, components: &[usize], state: &str) -> String {
    format!("`{}` differs in {state} and in the region of {components:?}", formula.show(node))
}

#[test]
fn definite_facts_of_a_region_hold_in_the_composition() {
    let definite = Cell::new(0);
    for_seeds("regions", 0..4_000, |rng, case| one_system(rng, case, &definite));
    assert!(definite.get() > 50_000, "{definite:?}");
}
