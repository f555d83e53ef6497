//! Edges in groups within which they exclude each other, as far as that is easily seen.

use crate::cfg::graph::CfgEdge;
use crate::{Binary, ExprNode, Exprs, NodeId, Unary};
use rustc_hash::FxHashSet;

/// Every edge is in one group. Only neighbours come together: what belongs to one alternative stands together.
pub(crate) fn groups<'e>(exprs: &Exprs, edges: &'e [CfgEdge]) -> Vec<Vec<&'e CfgEdge>> {
    let mut groups: Vec<Vec<&CfgEdge>> = Vec::new();
    let mut last: Option<Group> = None;
    for edge in edges {
        let literals = edge.guard.map(|guard| Literals::new(exprs, guard));
        let fits = match (&last, &literals) {
            (Some(group), Some(literals)) => group.excludes(exprs, literals),
            _ => false,
        };
        match (groups.last_mut(), &mut last, literals) {
            (Some(group), Some(known), Some(literals)) if fits => {
                group.push(edge);
                known.add(literals);
            }
            (_, _, literals) => {
                groups.push(vec![edge]);
                last = literals.map(Group::new);
            }
        }
    }
    groups
}

/// The guard of an edge as literals.
struct Literals {
    all: FxHashSet<NodeId>,
    /// `e = 3`, by `e`.
    equal: Vec<(NodeId, i64)>,
}

/// The members that say what one expression is equal to are apart: an assignment to an element of an array has one
/// for every element.
struct Group {
    pivot: Option<NodeId>,
    values: FxHashSet<i64>,
    members: Vec<Literals>,
    others: Vec<Literals>,
}

impl Literals {
    fn new(exprs: &Exprs, guard: NodeId) -> Self {
        let all: FxHashSet<NodeId> = exprs.conjuncts(guard).into_iter().collect();
        let equal = all.iter().filter_map(|&literal| equality(exprs, literal)).collect();
        Self { all, equal }
    }

    fn excludes(&self, exprs: &Exprs, other: &Self) -> bool {
        let denies = |one: &Self, other: &Self| {
            one.all.iter().any(|&literal| match exprs.node(literal) {
                ExprNode::Unary(Unary::Not, inner) => {
                    exprs.conjuncts(inner).iter().all(|part| other.all.contains(part))
                }
                _ => false,
            })
        };
        let differs = || {
            self.equal.iter().any(|(node, value)| {
                other.equal.iter().any(|(same, differs)| same == node && differs != value)
            })
        };
        differs() || denies(self, other) || denies(other, self)
    }
}

impl Group {
    fn new(first: Literals) -> Self {
        let pivot = first.equal.first().map(|&(node, _)| node);
        let mut group =
            Self { members: Vec::new(), others: Vec::new(), pivot, values: Default::default() };
        group.add(first);
        group
    }

    fn value(&self, literals: &Literals) -> Option<i64> {
        let pivot = self.pivot?;
        literals.equal.iter().find(|(node, _)| *node == pivot).map(|&(_, value)| value)
    }

    fn add(&mut self, literals: Literals) {
        match self.value(&literals) {
            Some(value) => {
                self.values.insert(value);
                self.members.push(literals);
            }
            None => self.others.push(literals),
        }
    }

    fn excludes(&self, exprs: &Exprs, new: &Literals) -> bool {
        let excludes = |member: &Literals| member.excludes(exprs, new);
        let is_new = self.value(new).is_some_and(|value| !self.values.contains(&value));
        (is_new || self.members.iter().all(excludes)) && self.others.iter().all(excludes)
    }
}

fn equality(exprs: &Exprs, literal: NodeId) -> Option<(NodeId, i64)> {
    let ExprNode::Binary(Binary::Eq, a, b) = exprs.node(literal) else { return None };
    match (exprs.as_constant(a), exprs.as_constant(b)) {
        (Some(value), None) => Some((b, value)),
        (None, Some(value)) => Some((a, value)),
        _ => None,
    }
}
