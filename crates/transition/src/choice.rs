//! Nondeterministic assignments: the sets of values that they choose from.

use crate::domain::Domain;
use crate::expr::{ExprNode, NodeId, Type};
use crate::parts::VarId;
use rustc_hash::FxHashMap;
use support::{IdVec, define_id};

define_id!(ChoiceId, "choice");

/// A set of values that is not empty. One that is a single value always is [`Choice::One`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    One(NodeId),
    /// All integers from the first to the second.
    Range(i64, i64),
    /// The union of these.
    Any(Vec<ChoiceId>),
    If(NodeId, ChoiceId, ChoiceId),
}

/// Equal choices are made once. Parts stand before what is built of them.
#[derive(Clone, Default, Debug)]
pub struct Choices {
    items: IdVec<ChoiceId, Choice>,
    ids: FxHashMap<Choice, ChoiceId>,
}

impl Choices {
    pub fn get(&self, id: ChoiceId) -> &Choice {
        &self.items[id]
    }

    fn make(&mut self, choice: Choice) -> ChoiceId {
        if let Some(&id) = self.ids.get(&choice) {
            return id;
        }
        let id = self.items.push(choice.clone());
        self.ids.insert(choice, id);
        id
    }

    /// The value that it always is.
    pub fn as_one(&self, id: ChoiceId) -> Option<NodeId> {
        if let Choice::One(node) = self.items[id] { Some(node) } else { None }
    }

    /// All choices within this one and itself, parts first.
    pub fn below(&self, root: ChoiceId) -> Vec<ChoiceId> {
        let mut seen = fixedbitset::FixedBitSet::with_capacity(root.0 as usize + 1);
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if seen.put(id.0 as usize) {
                continue;
            }
            match &self.items[id] {
                Choice::One(_) | Choice::Range(..) => {}
                Choice::Any(parts) => open.extend(parts),
                Choice::If(_, then, otherwise) => open.extend([*then, *otherwise]),
            }
        }
        seen.ones().map(|index| ChoiceId(index as u32)).collect()
    }

    /// The expressions that it is made of.
    pub fn nodes(&self, root: ChoiceId) -> Vec<NodeId> {
        let node = |id: ChoiceId| match self.items[id] {
            Choice::One(node) | Choice::If(node, ..) => Some(node),
            Choice::Range(..) | Choice::Any(_) => None,
        };
        self.below(root).into_iter().filter_map(node).collect()
    }
}

impl crate::Machine {
    pub fn one(&mut self, node: NodeId) -> ChoiceId {
        self.choices.make(Choice::One(node))
    }

    pub fn one_of_range(&mut self, low: i64, high: i64) -> ChoiceId {
        if low == high {
            let node = self.exprs.int(low);
            return self.one(node);
        }
        self.choices.make(Choice::Range(low, high))
    }

    /// The union of these, of which there is at least one.
    pub fn any_of(&mut self, parts: Vec<ChoiceId>) -> ChoiceId {
        let mut flat: Vec<ChoiceId> = Vec::new();
        for part in parts {
            match self.choices.get(part) {
                Choice::Any(inner) => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        flat.retain(|part| seen.insert(*part));
        if let [only] = *flat { only } else { self.choices.make(Choice::Any(flat)) }
    }

    pub fn choose_if(
        &mut self,
        condition: NodeId,
        then: ChoiceId,
        otherwise: ChoiceId,
    ) -> ChoiceId {
        match (self.exprs.as_constant(condition), self.as_ones(then, otherwise)) {
            (Some(0), _) => otherwise,
            (Some(_), _) => then,
            _ if then == otherwise => then,
            (None, Some((a, b))) => {
                let node = self.exprs.ite(condition, a, b);
                self.one(node)
            }
            (None, None) => self.choices.make(Choice::If(condition, then, otherwise)),
        }
    }

    fn as_ones(&self, a: ChoiceId, b: ChoiceId) -> Option<(NodeId, NodeId)> {
        Some((self.choices.as_one(a)?, self.choices.as_one(b)?))
    }

    /// Whether an assignment can have no value, or one that the variable cannot have. It may be said of one
    /// that never does.
    pub(crate) fn choice_can_fail(&self, var: VarId, root: ChoiceId) -> bool {
        self.choices.below(root).into_iter().any(|id| match self.choices.get(id) {
            Choice::One(node) => self.value_can_fail(var, *node),
            Choice::Range(low, high) => {
                (*low..=*high).any(|value| !self.vars[var].domain.contains(value))
            }
            Choice::Any(_) => false,
            Choice::If(condition, ..) => self.exprs.can_fault(*condition),
        })
    }

    /// Whether the value of one expression can be out of the range of a variable.
    pub(crate) fn value_can_fail(&self, var: VarId, root: NodeId) -> bool {
        if self.exprs.can_fault(root) {
            return true;
        }
        let domain = &self.vars[var].domain;
        let mut open = vec![root];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let fits = match (self.exprs.node(id), domain, self.exprs.ty(id)) {
                (_, Domain::Bool | Domain::Word { .. }, _) => true,
                (_, Domain::Range(low, high), Type::Int { low: least, high: most })
                    if *low <= least && most <= *high =>
                {
                    true
                }
                (ExprNode::Const(value), ..) => domain.contains(value),
                (ExprNode::Now(other) | ExprNode::Next(other), ..) => {
                    self.is_within_domain(other, var)
                }
                (ExprNode::Ite(_, a, b), ..) => {
                    open.extend([a, b]);
                    true
                }
                _ => false,
            };
            if !fits {
                return true;
            }
        }
        false
    }

    /// Whether a variable can have all values of another.
    fn is_within_domain(&self, inner: VarId, outer: VarId) -> bool {
        match (&self.vars[inner].domain, &self.vars[outer].domain) {
            (inner, outer) if inner == outer => true,
            (Domain::Values(values), outer) => values.iter().all(|&value| outer.contains(value)),
            _ => false,
        }
    }

    /// Whether the value is in the set, as an expression.
    pub fn member(&mut self, value: NodeId, set: ChoiceId) -> NodeId {
        let mut done: FxHashMap<ChoiceId, NodeId> = FxHashMap::default();
        for id in self.choices.below(set) {
            let node = match self.choices.get(id).clone() {
                Choice::One(node) => self.exprs.eq(value, node),
                Choice::Range(low, high) => self.within(value, low, high),
                Choice::Any(parts) => {
                    let parts = parts.iter().map(|part| done[part]).collect();
                    self.exprs.join(crate::Binary::Or, parts)
                }
                Choice::If(c, then, otherwise) => self.exprs.ite(c, done[&then], done[&otherwise]),
            };
            done.insert(id, node);
        }
        done[&set]
    }

    /// A value that may be a symbol lies in no range.
    fn within(&mut self, value: NodeId, low: i64, high: i64) -> NodeId {
        let (low, high) = (self.exprs.int(low), self.exprs.int(high));
        let above = self.exprs.le(low, value);
        let below = self.exprs.le(value, high);
        self.exprs.and(above, below)
    }

    /// The set of all values of a domain; `None` for words, which no set lists.
    pub fn any_value(&mut self, domain: &Domain) -> Option<ChoiceId> {
        match domain {
            Domain::Range(low, high) => Some(self.one_of_range(*low, *high)),
            Domain::Word { .. } => None,
            Domain::Bool | Domain::Values(_) => {
                let ty = domain.ty();
                let values: Vec<i64> = (0..domain.size() as u64).map(|n| domain.value(n)).collect();
                let parts = values.into_iter().map(|value| {
                    let node = self.exprs.constant(value, ty);
                    self.one(node)
                });
                let parts = parts.collect();
                Some(self.any_of(parts))
            }
        }
    }
}
