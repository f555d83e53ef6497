//! Random systems of two to four components.

use crate::failure::Case;
use crate::formulas::formula_for;
use crate::models::{ModelShape, model};
use crate::rng::Rng;
use crate::text::system_text;
use logic::{Formula, Truth};
use model::{
    Component, Kind, PartialModel, Sync, System, TAU, Vector, unknown_actions, unknown_props,
};
use support::Monitor;

/// A system of any of the kinds that can be decided by their parts; as often as not a complete one.
pub fn component_system(rng: &mut Rng) -> System {
    let mut system = match rng.below(4) {
        0 => prop_system(rng, &[Kind::Kripke]),
        1 => prop_system(rng, &[Kind::Kripke, Kind::Kmts]),
        2 => action_system(rng, &[Kind::Lts]),
        _ => action_system(rng, &[Kind::Lts, Kind::Mts]),
    };
    // A single component is a system too.
    if rng.chance(0.1) {
        system.components.truncate(1);
        system.sync.vectors.clear();
    }
    system
}

/// A system like that, its composition and a formula over it of at most some size, remembered as the
/// case in question; nothing if its components cannot start together.
pub fn system_question(
    rng: &mut Rng,
    case: &mut Case,
    size: usize,
) -> Option<(System, PartialModel, Formula)> {
    let system = component_system(rng);
    case.note(system_text(&system));
    let whole = system.compose(&Monitor::new()).ok()?;
    let size = rng.between(1, size);
    let formula = formula_for(rng, &whole, size);
    case.note_property(&formula);
    Some((system, whole, formula))
}

/// Components over joint propositions `j`, `k` and one of their own each, with initial states that
/// agree.
pub fn prop_system(rng: &mut Rng, kinds: &[Kind]) -> System {
    let count = rng.between(2, 4);
    let partial = kinds.iter().any(|kind| !kind.is_complete());
    let joint: Vec<(String, Truth)> =
        ["j", "k"].map(|name| (name.to_owned(), rng.chance(0.5).into())).into();
    let mut components = Vec::new();
    for index in 0..count {
        let kind = *rng.pick(kinds);
        let mut shape = ModelShape::small(rng, kind);
        shape.name = format!("M{index}");
        shape.states = rng.between(1, 8 / count + 1);
        shape.initial_labels = joint.clone();
        shape.props = rng.some(&["j", "k"], 0.6).into_iter().map(str::to_owned).collect();
        shape.props.push(format!("p{index}"));
        let component = match partial && index > 0 && rng.chance(0.1) {
            true => unknown_component(rng, &shape, &components),
            false => Component { model: model(rng, &shape), is_unknown: false },
        };
        components.push(component);
    }
    System { components, sync: Sync::default() }
}

/// An unknown component, whose first labels are those of the other components.
fn unknown_component(rng: &mut Rng, shape: &ModelShape, others: &[Component]) -> Component {
    let props: Vec<(String, Truth)> = shape
        .props
        .iter()
        .map(|name| {
            let joint = others.iter().any(|other| other.model.props().get(name).is_some());
            let known = shape.initial_labels.iter().find(|(prop, _)| prop == name);
            let open = if rng.chance(0.5) { Truth::Unknown } else { rng.chance(0.5).into() };
            (name.clone(), known.filter(|_| joint).map_or(open, |&(_, value)| value))
        })
        .collect();
    Component { model: unknown_props(&shape.name, &props), is_unknown: true }
}

/// Components over some of `a`, `b`, `c` and `tau`, now and then with vectors and hiding.
pub fn action_system(rng: &mut Rng, kinds: &[Kind]) -> System {
    let count = rng.between(2, 4);
    let partial = kinds.iter().any(|kind| !kind.is_complete());
    let components: Vec<Component> = (0..count)
        .map(|index| {
            let kind = *rng.pick(kinds);
            let mut shape = ModelShape::small(rng, kind);
            shape.name = format!("M{index}");
            shape.states = rng.between(1, 8 / count + 1);
            shape.actions =
                rng.some(&["a", "b", "c", TAU], 0.6).iter().map(|a| (*a).into()).collect();
            if partial && rng.chance(0.1) {
                let named: Vec<String> =
                    shape.actions.iter().filter(|name| *name != TAU).cloned().collect();
                return Component { model: unknown_actions(&shape.name, &named), is_unknown: true };
            }
            Component { model: model(rng, &shape), is_unknown: false }
        })
        .collect();
    let sync = if rng.chance(0.4) { random_sync(rng, &components) } else { Sync::default() };
    System { components, sync }
}

/// A vector or two, and now and then a hidden action.
pub fn random_sync(rng: &mut Rng, components: &[Component]) -> Sync {
    let mut vectors = Vec::new();
    for _ in 0..rng.between(0, 2) {
        let parts: Vec<(usize, String)> = components
            .iter()
            .enumerate()
            .filter_map(|(index, component)| {
                let named = named_actions(&component.model);
                (!named.is_empty() && rng.chance(0.7)).then(|| (index, rng.pick(&named).clone()))
            })
            .collect();
        if !parts.is_empty() {
            vectors.push(Vector { parts, result: (*rng.pick(&["a", "d"])).to_owned() });
        }
    }
    let hidden = ["a", "b", "d"].into_iter().filter(|_| rng.chance(0.2)).map(str::to_owned);
    Sync { vectors, hidden: hidden.collect() }
}

fn named_actions(model: &PartialModel) -> Vec<String> {
    model.actions().names().filter(|name| *name != TAU).map(str::to_owned).collect()
}
