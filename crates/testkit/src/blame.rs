//! An oracle for who is blamed: computes anew, from the synchronisation rules, which components are not certain of
//! their part in a transition that a diagnosis reports, with their own actions.

use logic::{Family, Truth};
use model::{PartialModel, System, TAU};
use std::collections::BTreeSet;

/// Component, states before and after, own action.
pub type Blamed = (String, String, String, Option<String>);

/// The cause of an unknown, as a diagnosis reports it.
pub enum ReportedCause {
    Label {
        component: String,
        state: String,
        prop: String,
    },
    /// The action of the composition, the states of all components after it, and who is blamed.
    Transition {
        action: Option<String>,
        target: Vec<String>,
        blamed: BTreeSet<Blamed>,
    },
}

/// Commas outside of braces separate.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut parts, mut start) = (0, Vec::new(), 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The concrete states that a name stands for: itself, or the members of an abstract state. `None` if not all are
/// named.
fn members(model: &PartialModel, name: &str) -> Option<Vec<u32>> {
    let find = |name: &str| (0..model.states() as u32).find(|&s| model.state_name(s) == name);
    let block = || {
        let inside = name.strip_prefix('{')?.strip_suffix('}')?;
        split(inside).into_iter().map(find).collect()
    };
    find(name).map(|state| vec![state]).or_else(block)
}

/// The participants of every rule that shows an action, each with its own (C §6.1).
fn rules(system: &System, shown: &str) -> Vec<Vec<(usize, Option<String>)>> {
    let hide = |name: &str| match system.sync.hidden.iter().any(|hidden| hidden == name) {
        true => TAU.to_owned(),
        false => name.to_owned(),
    };
    let mut rules = Vec::new();
    for vector in system.sync.vectors.iter().filter(|vector| hide(&vector.result) == shown) {
        rules.push(vector.parts.iter().map(|(c, name)| (*c, Some(name.clone()))).collect());
    }
    let in_vector = |component: usize, action: &str| {
        let mut parts = system.sync.vectors.iter().flat_map(|vector| &vector.parts);
        parts.any(|(c, name)| *c == component && name == action)
    };
    let all = system.components.iter().flat_map(|c| c.model.actions().names());
    let names: BTreeSet<&str> = all.collect();
    for name in names.into_iter().filter(|&name| hide(name) == shown) {
        let has = |&c: &usize| {
            system.components[c].model.actions().get(name).is_some() && !in_vector(c, name)
        };
        let who: Vec<usize> = (0..system.components.len()).filter(has).collect();
        let part = |&c: &usize| (c, Some(name.to_owned()));
        match name {
            TAU => rules.extend(who.iter().map(|c| vec![part(c)])),
            _ if who.is_empty() => {}
            _ => rules.push(who.iter().map(part).collect()),
        }
    }
    rules
}

/// Whether some of `from` may, and whether all of them must, go into `to` by an action.
fn mode(model: &PartialModel, from: &[u32], to: &[u32], action: Option<&str>) -> (bool, bool) {
    let has = |state: u32, must: bool| {
        model.edges().out(state).any(|(target, class)| {
            let own = class.action.map(|action| model.actions().name(action));
            let enough = if must { class.mode.must } else { class.mode.may };
            to.contains(&target) && own == action && enough
        })
    };
    (from.iter().any(|&s| has(s, false)), from.iter().all(|&s| has(s, true)))
}

/// Judges a cause in a state; `None` if it names abstract states that are too large to be listed.
pub fn judge_blame(
    system: &System,
    stutters: bool,
    state: &str,
    cause: &ReportedCause,
) -> Option<Result<(), String>> {
    let models: Vec<&PartialModel> = system.components.iter().map(|part| &part.model).collect();
    let source = split(state);
    let (action, target, blamed) = match cause {
        ReportedCause::Label { component, state, prop } => {
            let model = models.iter().find(|model| model.name == *component)?;
            let prop = model.props().get(prop)?;
            let mut states = members(model, state)?.into_iter();
            let is_unknown = states.all(|state| model.label(state, prop) == Truth::Unknown);
            return Some(is_unknown.then_some(()).ok_or("the label is known".to_owned()));
        }
        ReportedCause::Transition { action, target, blamed } => (action, target, blamed),
    };
    if source.len() != models.len() || target.len() != models.len() {
        return Some(Err("the state is not one of the composition".to_owned()));
    }
    let numbers = |names: &[&str]| -> Option<Vec<Vec<u32>>> {
        models.iter().zip(names).map(|(model, name)| members(model, name)).collect()
    };
    let before = numbers(&source)?;
    let target: Vec<&str> = target.iter().map(String::as_str).collect();
    let after = numbers(&target)?;
    let rules = match system.family() {
        Family::Props => vec![(0..models.len()).map(|c| (c, None)).collect()],
        Family::Actions => action.iter().flat_map(|action| rules(system, action)).collect(),
    };
    let uncertain = |rule: &Vec<(usize, Option<String>)>| -> Option<BTreeSet<Blamed>> {
        let moves = |c: usize| rule.iter().any(|(other, _)| *other == c);
        if (0..models.len()).any(|c| !moves(c) && before[c] != after[c]) {
            return None;
        }
        let mut found = BTreeSet::new();
        for (c, own) in rule {
            let (may, must) = mode(models[*c], &before[*c], &after[*c], own.as_deref());
            if !may {
                return None;
            }
            if !must {
                let name = models[*c].name.clone();
                found.insert((name, source[*c].into(), target[*c].into(), own.clone()));
            }
        }
        Some(found)
    };
    let possible: Vec<BTreeSet<Blamed>> = rules.iter().filter_map(uncertain).collect();
    Some(if blamed.is_empty() {
        let stays = stutters && source == target && !possible.iter().any(BTreeSet::is_empty);
        stays.then_some(()).ok_or("no component is blamed".to_owned())
    } else if possible.contains(blamed) {
        Ok(())
    } else {
        Err(format!("blamed {blamed:?}, uncertain {possible:?}"))
    })
}
