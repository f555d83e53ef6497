//! Substitution of variables in expressions.

use crate::choice::{Choice, ChoiceId};
use crate::expr::{ExprNode, NodeId, Type};
use crate::parts::{Machine, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The expressions that replace variables.
#[derive(Clone, Copy)]
enum Substitution<'v> {
    /// The next state's variables in the place of this state's.
    Primed,
    /// A value in the place of one variable of this state, or of an input.
    Value(VarId, i64),
    /// Other variables of this state, of the same domains, in the place of these.
    Renamed(&'v FxHashMap<VarId, VarId>),
}

impl Machine {
    /// Shifts every variable of an expression, which reads no input and no next state, into the next state.
    pub fn primed(&mut self, root: NodeId) -> NodeId {
        self.replaced(root, Substitution::Primed)
    }

    pub fn primed_choice(&mut self, root: ChoiceId) -> ChoiceId {
        self.replaced_choice(root, Substitution::Primed)
    }

    /// Substitutes this value for a variable of this state or an input.
    pub fn with_value(&mut self, root: NodeId, var: VarId, value: i64) -> NodeId {
        self.replaced(root, Substitution::Value(var, value))
    }

    pub fn choice_with_value(&mut self, root: ChoiceId, var: VarId, value: i64) -> ChoiceId {
        self.replaced_choice(root, Substitution::Value(var, value))
    }

    /// Puts other variables in the place of these, in this state.
    pub(crate) fn renamed(&mut self, root: NodeId, names: &FxHashMap<VarId, VarId>) -> NodeId {
        match names.is_empty() {
            true => root,
            false => self.replaced(root, Substitution::Renamed(names)),
        }
    }

    fn replaced(&mut self, root: NodeId, substitution: Substitution) -> NodeId {
        let mut done: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for id in self.changed(root, substitution) {
            let new = self.replaced_node(id, &done, substitution);
            done.insert(id, new);
        }
        done.get(&root).copied().unwrap_or(root)
    }

    /// The expressions that a substitution changes, operands first.
    fn changed(&self, root: NodeId, substitution: Substitution) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !self.is_kept(id, substitution) && seen.insert(id) {
                found.push(id);
                open.extend(self.exprs.node(id).operands());
            }
        }
        // What commutes is written in the order in which it is made.
        found.sort_unstable();
        found
    }

    /// Whether an expression reads nothing that is replaced.
    fn is_kept(&self, id: NodeId, substitution: Substitution) -> bool {
        match substitution {
            Substitution::Value(var, _) if self.vars[var].kind == VarKind::Input => {
                !self.exprs.reads_input(id)
            }
            Substitution::Primed | Substitution::Value(..) | Substitution::Renamed(_) => {
                !self.exprs.reads_now(id)
            }
        }
    }

    fn replaced_node(
        &mut self,
        id: NodeId,
        done: &FxHashMap<NodeId, NodeId>,
        substitution: Substitution,
    ) -> NodeId {
        let (node, ty) = (self.exprs.node(id), self.exprs.ty(id));
        let exprs = &mut self.exprs;
        let new = |id: NodeId| done.get(&id).copied().unwrap_or(id);
        match (node, ty) {
            (ExprNode::Const(_) | ExprNode::Fault(_), _) => id,
            (ExprNode::Now(own), _) => match substitution {
                Substitution::Primed => self.next(own),
                Substitution::Value(var, value) if own == var => exprs.constant(value, ty),
                Substitution::Value(..) => id,
                Substitution::Renamed(names) => {
                    names.get(&own).map_or(id, |&other| self.now(other))
                }
            },
            (ExprNode::Next(_), _) => id,
            (ExprNode::Unary(op, a), _) => exprs.unary(op, new(a)),
            (ExprNode::Cast(a), ty) => exprs.cast(new(a), ty),
            (ExprNode::Extract(a, low), Type::Word { width, .. }) => {
                exprs.extract(new(a), low, width)
            }
            (ExprNode::Extract(..), _) => id,
            (ExprNode::Binary(op, a, b), _) => exprs.binary(op, new(a), new(b)),
            (ExprNode::Ite(c, a, b), _) => exprs.ite(new(c), new(a), new(b)),
        }
    }

    fn replaced_choice(&mut self, root: ChoiceId, substitution: Substitution) -> ChoiceId {
        let mut done: FxHashMap<ChoiceId, ChoiceId> = FxHashMap::default();
        for id in self.choices.below(root) {
            let new = match self.choices.get(id).clone() {
                Choice::One(node) => {
                    let node = self.replaced(node, substitution);
                    self.one(node)
                }
                Choice::Range(..) => id,
                Choice::Any(parts) => self.any_of(parts.iter().map(|part| done[part]).collect()),
                Choice::If(condition, then, otherwise) => {
                    let condition = self.replaced(condition, substitution);
                    self.choose_if(condition, done[&then], done[&otherwise])
                }
            };
            done.insert(id, new);
        }
        done[&root]
    }
}
