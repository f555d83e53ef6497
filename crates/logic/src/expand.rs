//! Translation of a formula to a system with another encoding: propositions are combinations of others, a step may take
//! two, and a step may lead to where it begins.

use crate::actions::ActionSet;
use crate::builder::FormulaBuilder;
use crate::copy::Copied;
use crate::formula::{Formula, Modality, Node, NodeId, Origin, PropId, VarId};
use rustc_hash::FxHashMap;

/// A positive Boolean combination of propositions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Combination {
    Constant(bool),
    Holds(PropId),
    And(Vec<Combination>),
    Or(Vec<Combination>),
}

/// How the other system differs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expansion {
    /// The combination that each proposition stands for, by its number.
    pub meanings: Vec<Combination>,
    /// The proposition of intermediate states, if every step takes two. Deadlocked intermediate states are no
    /// successors.
    pub middle: Option<PropId>,
    /// Whether the initial states are those to which the first step leads.
    pub begins_with_step: bool,
}

impl Formula {
    /// Translates the formula to the other system.
    #[must_use]
    pub fn expanded(&self, expansion: &Expansion) -> Formula {
        let passing = self.passing();
        let mut copy =
            Copied::new(self, |Copied { builder, made, vars, .. }, node, origin| match node {
                Node::Lit(prop, positive) => {
                    let meaning = &expansion.meanings[prop.0 as usize];
                    let whole = combined(builder, meaning, positive);
                    Some(builder.name(whole, origin))
                }
                Node::Modal(modality, actions, body) => {
                    let actions = self.actions(actions);
                    let is_passed =
                        matches!(self.node(body), Node::Var(var) if passing[&var].is_some());
                    let once = builder.modal(modality, actions, made[body], origin);
                    Some(match expansion.middle.is_some() && !is_passed {
                        true => builder.modal(modality, actions, once, Origin::Structure),
                        false => once,
                    })
                }
                Node::Fix(var) => {
                    let (middle, modality) = (expansion.middle?, passing[&var]?);
                    let body = made[self.var(var).body];
                    let body = through(builder, middle, (modality, vars[var]), body);
                    Some(builder.fix(vars[var], body, origin))
                }
                _ => None,
            });
        let mut root = copy.made[self.root()];
        if expansion.begins_with_step {
            root = copy.builder.modal(Modality::Box, &ActionSet::any(), root, Origin::Structure);
        }
        copy.finish_at(root, &[]).0
    }

    /// The modality that every occurrence of a variable stands behind, if it is one: then in the midst of a step it is
    /// enough to go on. So a fixpoint has one modality before its variable still (see `ranked`).
    fn passing(&self) -> FxHashMap<VarId, Option<Modality>> {
        let mut found: FxHashMap<VarId, Option<Modality>> = FxHashMap::default();
        let mut note = |id: NodeId, around: Option<Modality>| {
            if let Node::Var(var) = self.node(id) {
                let known = found.entry(var).or_insert(around);
                if *known != around {
                    *known = None;
                }
            }
        };
        note(self.root(), None);
        for (_, node) in self.nodes() {
            match node {
                Node::And(a, b) | Node::Or(a, b) => [a, b].map(|part| note(part, None)),
                Node::Modal(modality, _, body) => [note(body, Some(modality)), ()],
                Node::Fix(var) => [note(self.var(var).body, None), ()],
                Node::Const(_) | Node::Lit(..) | Node::Var(_) => [(), ()],
            };
        }
        for (var, _) in self.vars() {
            found.entry(var).or_insert(None);
        }
        found
    }
}

/// The body of a fixpoint, and in the midst of a step just the rest of the step.
fn through(
    builder: &mut FormulaBuilder,
    middle: PropId,
    (modality, var): (Modality, VarId),
    body: NodeId,
) -> NodeId {
    let origin = Origin::Structure;
    let again = builder.var(var, origin);
    let on = builder.modal(modality, &ActionSet::any(), again, origin);
    let is_middle = builder.lit(middle, true, origin);
    let there = builder.and(is_middle, on, origin);
    let is_state = builder.lit(middle, false, origin);
    let here = builder.and(is_state, body, origin);
    builder.or(there, here, origin)
}

/// Builds a combination, or its negation.
fn combined(builder: &mut FormulaBuilder, meaning: &Combination, positive: bool) -> NodeId {
    let origin = Origin::Structure;
    let (parts, is_and) = match meaning {
        Combination::Constant(value) => return builder.constant(*value == positive, origin),
        Combination::Holds(prop) => return builder.lit(*prop, positive, origin),
        Combination::And(parts) => (parts, positive),
        Combination::Or(parts) => (parts, !positive),
    };
    let mut all = builder.constant(is_and, origin);
    for part in parts {
        let part = combined(builder, part, positive);
        all = match is_and {
            true => builder.and(all, part, origin),
            false => builder.or(all, part, origin),
        };
    }
    all
}
