//! Which steps the components of an action system make together (C §6.1, synchronisation vectors).

use crate::partial::{ActionId, TAU};
use crate::system::{Sync, System, Vector};
use rustc_hash::{FxHashMap, FxHashSet};
use support::Interner;

/// A joint step: these components make these local actions, which shows as `result`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// In the order of the components, or of the vector.
    pub parts: Vec<(usize, ActionId)>,
    pub result: ActionId,
}

/// The vectors as given; `tau` alone; every other action together with all who have it and do not
/// mention it in a vector. What a rule shows is numbered in `actions`.
pub(crate) fn rules(system: &System, actions: &mut Interner<ActionId>) -> Vec<Rule> {
    let Sync { vectors, hidden } = &system.sync;
    let hidden: FxHashSet<&str> = hidden.iter().map(String::as_str).collect();
    let mut shown = |name: &str| actions.intern(if hidden.contains(name) { TAU } else { name });
    // A vector that names an action that its component never makes can never fire.
    let possible = vectors.iter().filter_map(|vector| Some((vector, parts(system, vector)?)));
    let mut rules: Vec<Rule> =
        possible.map(|(vector, parts)| Rule { parts, result: shown(&vector.result) }).collect();
    let in_vectors: FxHashSet<(usize, &str)> =
        vectors.iter().flat_map(|vector| &vector.parts).map(|(c, name)| (*c, &**name)).collect();
    // By action: the rule that its first component has begun.
    let mut begun: FxHashMap<&str, usize> = FxHashMap::default();
    for (component, part) in system.components.iter().enumerate() {
        let own = part.model.actions().iter();
        for (action, name) in own.filter(|&(_, name)| !in_vectors.contains(&(component, name))) {
            if let Some(&rule) = begun.get(name) {
                rules[rule].parts.push((component, action));
                continue;
            }
            if name != TAU {
                begun.insert(name, rules.len());
            }
            rules.push(Rule { parts: vec![(component, action)], result: shown(name) });
        }
    }
    rules
}

fn parts(system: &System, vector: &Vector) -> Option<Vec<(usize, ActionId)>> {
    let number = |c: usize, name: &str| system.components[c].model.actions().get(name);
    vector.parts.iter().map(|(c, name)| Some((*c, number(*c, name)?))).collect()
}
