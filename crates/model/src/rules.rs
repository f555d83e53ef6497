//! Which steps the components of an action system make together (C §6.1, synchronisation vectors).

use crate::partial::{ActionId, Model, TAU};
use crate::system::System;
use base::Interner;

/// A joint step: these components make these local actions, which shows as `result`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// In the order of the components, or of the vector.
    pub parts: Vec<(usize, ActionId)>,
    pub result: ActionId,
}

/// The vectors as given; `tau` alone; every other action together with all who have it and do not
/// mention it in a vector.
pub(crate) fn rules(system: &System, actions: &mut Interner<ActionId>) -> Vec<Rule> {
    let models: Vec<&Model> = system.components.iter().map(|c| &c.model).collect();
    let in_vector = |component: usize, action: &str| {
        let mut parts = system.sync.vectors.iter().flat_map(|vector| &vector.parts);
        parts.any(|(c, a)| *c == component && a == action)
    };
    let mut shown = |name: &str| {
        let hidden = system.sync.hidden.iter().any(|hidden| hidden == name);
        actions.intern(if hidden { TAU } else { name })
    };
    let mut rules = Vec::new();
    for vector in &system.sync.vectors {
        let parts: Option<Vec<_>> = vector
            .parts
            .iter()
            .map(|(c, action)| models[*c].actions().get(action).map(|action| (*c, action)))
            .collect();
        // A vector that names an action that its component never makes can never fire.
        if let Some(parts) = parts {
            rules.push(Rule { parts, result: shown(&vector.result) });
        }
    }
    for (component, model) in models.iter().enumerate() {
        for (action, name) in model.actions().iter() {
            if in_vector(component, name) {
                continue;
            }
            if name == TAU {
                rules.push(Rule { parts: vec![(component, action)], result: shown(TAU) });
                continue;
            }
            let partners = (0..models.len()).filter(|&c| !in_vector(c, name));
            let parts: Vec<_> = partners
                .filter_map(|c| models[c].actions().get(name).map(|action| (c, action)))
                .collect();
            // Each joint action once, when its first component is met.
            if parts[0].0 == component {
                rules.push(Rule { parts, result: shown(name) });
            }
        }
    }
    rules
}
