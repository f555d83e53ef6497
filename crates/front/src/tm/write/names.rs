//! Legal names for what is called something else, such as `s0,t0` or `12`.

use crate::lexer::is_name;
use logic::PropId;
use model::{PartialModel, System};
use rustc_hash::{FxHashMap, FxHashSet};
use support::Interner;

/// The prefix of a component whose name is a number.
const COMPONENT: &str = "M";

/// The names that are the same in all components of a system.
pub(super) struct Names {
    pub components: Vec<String>,
    props: Interner<PropId>,
    legal_props: Vec<String>,
}

impl Names {
    pub fn new(system: &System) -> Self {
        let components = system.components.iter().map(|c| c.model.name.clone()).collect();
        let props = system.props();
        let reserved = ["true", "false", "not", "and", "or"];
        let wanted = props.names().map(|name| {
            let suffix = if reserved.contains(&name) { "_" } else { "" };
            format!("{name}{suffix}")
        });
        let legal_props = legal(wanted.collect(), "p");
        Self { components: legal(components, COMPONENT), props, legal_props }
    }

    pub fn prop<'n>(&'n self, name: &'n str) -> &'n str {
        match self.props.get(name) {
            Some(id) => &self.legal_props[id.0 as usize],
            None => name,
        }
    }
}

/// The names that the propositions of a system have in a `.tm` file.
pub fn legal_props(system: &System) -> Interner<PropId> {
    Names::new(system).legal_props.iter().map(|name| &**name).collect()
}

pub(super) fn state_names(model: &PartialModel) -> Vec<String> {
    legal((0..model.states() as u32).map(|state| model.state_name(state)).collect(), "s")
}

/// The name of a component in a `.tm` file, if no other has it.
pub fn component_name(name: &str) -> String {
    if is_name(name) { name.to_owned() } else { similar(name, COMPONENT) }
}

/// Each name itself if it is legal and new, otherwise an unused one that is like it.
fn legal(names: Vec<String>, prefix: &str) -> Vec<String> {
    let mut taken: FxHashSet<String> = names.iter().filter(|name| is_name(name)).cloned().collect();
    let mut kept: FxHashSet<String> = FxHashSet::default();
    let mut copies: FxHashMap<String, usize> = FxHashMap::default();
    names
        .into_iter()
        .map(|name| {
            if is_name(&name) && kept.insert(name.clone()) {
                return name;
            }
            let like = similar(&name, prefix);
            let mut candidate = like.clone();
            while !taken.insert(candidate.clone()) {
                let copy = copies.entry(like.clone()).or_insert(1);
                *copy += 1;
                candidate = format!("{like}_{copy}");
            }
            candidate
        })
        .collect()
}

/// `_` for every run of characters that names cannot have: `s0,t0` becomes `s0_t0`, `12` `s12`.
fn similar(name: &str, prefix: &str) -> String {
    let is_legal = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let words: Vec<&str> = name.split(|c| !is_legal(c)).filter(|word| !word.is_empty()).collect();
    let joined = words.join("_");
    if is_name(&joined) { joined } else { format!("{prefix}{joined}") }
}

#[cfg(test)]
mod tests {
    use super::legal;

    #[test]
    fn names_become_legal_and_stay_different() {
        let names = ["s0,t0", "s0_t0", "12", "s12", "", "{!p q}", "a", "a", "...", "p q"];
        let names = legal(names.map(String::from).into(), "s");
        let expected =
            ["s0_t0_2", "s0_t0", "s12_2", "s12", "s", "p_q", "a", "a_2", "s...", "p_q_2"];
        assert_eq!(names, expected);
    }
}
