//! May transitions of the standard semantics, seen from monomials: they lead to minterms only (X Def. 7), also
//! where predicates are unknown that a command does not touch.
//!
//! So of the target's value, what counts for may are its minterms. Where a value is in a monomial what it is in
//! the minterms together, commands may leave such predicates unknown and nothing is to be done. That can be
//! told from the formula for most of them; for the others the value is opened: made like that.

use super::{Label, Mixed};
use bdd::{Bdd, BddVar, Cube, Manager, Stop};
use fixedbitset::FixedBitSet;
use logic::{Formula, Modality, Node, NodeId};
use support::IdVec;

pub(super) struct MintermProjection {
    /// Where nothing is unknown.
    pub minterms: Bdd,
    /// The variables that say so.
    pub unknown: Cube,
    pub now: Cube,
}

impl MintermProjection {
    /// The value, with what counts for may transitions opened: O, and for a box, whose value is negated, the
    /// complement of U.
    pub fn open(
        &self,
        value: &Bdd,
        modality: Modality,
        sel: BddVar,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        let of_minterms = manager.and_exists(value, &self.minterms, &self.unknown)?;
        // In some minterm.
        let opened = manager.reduce(&of_minterms.not(), &self.now)?.not();
        match modality {
            Modality::Dia => manager.choose(sel, value, &opened),
            Modality::Box => manager.choose(sel, &opened, value),
        }
    }
}

/// Subformulas whose value in a monomial is that in its minterms together.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Settled {
    /// U: all of them are in it.
    under: bool,
    /// O: one of them is in it.
    over: bool,
    /// The value depends on the place only.
    everywhere: bool,
}

const SETTLED: Settled = Settled { under: true, over: true, everywhere: true };

/// The modalities for which the value of the body is to be opened.
pub(super) fn to_open(mixed: &Mixed, formula: &Formula) -> FixedBitSet {
    let mut to_open = FixedBitSet::with_capacity(formula.len());
    let settled = settled(mixed, formula);
    for (id, node) in formula.nodes() {
        if let Node::Modal(modality, _, body) = node {
            let is_settled = match modality {
                Modality::Dia => settled[body].over,
                Modality::Box => settled[body].under,
            };
            to_open.set(id.0 as usize, !is_settled);
        }
    }
    to_open
}

/// By node. Fixpoints begin settled, and remain so if their bodies do.
fn settled(mixed: &Mixed, formula: &Formula) -> IdVec<NodeId, Settled> {
    let mut all: IdVec<NodeId, Settled> = formula.nodes().map(|_| SETTLED).collect();
    loop {
        let mut has_changed = false;
        for (id, node) in formula.nodes() {
            let now = one_settled(mixed, formula, node, &all);
            has_changed |= now != all[id];
            all[id] = now;
        }
        if !has_changed {
            return all;
        }
    }
}

fn one_settled(
    mixed: &Mixed,
    formula: &Formula,
    node: Node,
    all: &IdVec<NodeId, Settled>,
) -> Settled {
    match node {
        Node::Const(_) => SETTLED,
        Node::Lit(prop, _) => {
            let everywhere = !matches!(mixed.labels.get(prop), Some(Label::Everywhere { .. }));
            Settled { everywhere, ..SETTLED }
        }
        Node::And(a, b) | Node::Or(a, b) => {
            let (a, b) = (all[a], all[b]);
            // That all are in both is that all are in each; that one is in both is more.
            let is_easy = a.everywhere || b.everywhere;
            let is_and = matches!(node, Node::And(..));
            Settled {
                under: a.under && b.under && (is_and || is_easy),
                over: a.over && b.over && (!is_and || is_easy),
                everywhere: a.everywhere && b.everywhere,
            }
        }
        Node::Modal(modality, ..) => Settled {
            under: modality == Modality::Box,
            over: modality == Modality::Dia,
            everywhere: false,
        },
        Node::Var(var) | Node::Fix(var) => all[formula.var(var).body],
    }
}
