//! The µ-calculus in negation normal form (C §2), hash-consed into one arena.

use crate::actions::ActionSet;
use crate::blocks::{BlockId, Blocks, FormulaBlock};
use crate::surface::Logic;
use std::sync::Arc;
use support::{IdVec, Span, define_id};

define_id!(NodeId, "n");
define_id!(VarId, "Z");
define_id!(PropId, "p");
define_id!(ActionSetId, "A");

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fix {
    /// Least.
    Mu,
    /// Greatest.
    Nu,
}

impl Fix {
    #[must_use]
    pub fn dual(self) -> Fix {
        match self {
            Fix::Mu => Fix::Nu,
            Fix::Nu => Fix::Mu,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Modality {
    Box,
    Dia,
}

impl Modality {
    #[must_use]
    pub fn dual(self) -> Modality {
        match self {
            Modality::Box => Modality::Dia,
            Modality::Dia => Modality::Box,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Const(bool),
    /// A proposition or its negation.
    Lit(PropId, bool),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Modal(Modality, ActionSetId, NodeId),
    /// `ηZ.ψ`; kind and body stand with the variable.
    Fix(VarId),
    Var(VarId),
}

/// Where a node comes from, for printing it back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// An expression of the user's, or its negation.
    Source { span: Span, negated: bool },
    /// A regular expression in a modality, before the formula behind it: `[R] ψ`.
    Regular { span: Span, modality: Modality, body: NodeId },
    /// A regular expression that repeats, `[(R)*] ψ`, where the user wrote `[R+] ψ`.
    Repeated { span: Span, modality: Modality, body: NodeId },
    /// That a fair path begins here, or that none does.
    Fair { negated: bool },
    /// A condition that fair paths meet infinitely often, or its negation.
    Condition { number: u32, negated: bool },
    /// Something between, such as `AX AG p` in the expansion of `AG p`.
    Structure,
}

#[derive(Clone, Debug)]
pub struct FixpointVar {
    pub kind: Fix,
    /// `ψ` of `fp(Z) = ηZ.ψ`.
    pub body: NodeId,
    /// The node `Z`; `None` if it was folded away.
    pub node: Option<NodeId>,
    pub name: String,
}

/// A closed formula in negation normal form.
///
/// Nodes are numbered so that operands stand before what is built of them; only variables look
/// forward. Well-named: one variable, one binder (C §2).
#[derive(Clone, Debug)]
pub struct Formula {
    pub logic: Logic,
    pub(crate) nodes: IdVec<NodeId, Node>,
    pub(crate) origins: IdVec<NodeId, Origin>,
    pub(crate) vars: IdVec<VarId, FixpointVar>,
    pub(crate) actions: IdVec<ActionSetId, ActionSet>,
    pub(crate) root: NodeId,
    pub(crate) source: String,
    pub(crate) text: Arc<str>,
    /// The names of the fairness conditions.
    pub(crate) conditions: Vec<String>,
    pub(crate) blocks: Blocks,
}

impl Formula {
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A fixpoint and its variable are one position of a game; the variable stands for both.
    pub fn representative(&self, id: NodeId) -> NodeId {
        match self.node(id) {
            Node::Fix(var) => self.var(var).node.unwrap_or(id),
            _ => id,
        }
    }

    /// The body of the fixpoint of a variable; any other node itself.
    pub fn definition(&self, id: NodeId) -> NodeId {
        match self.node(id) {
            Node::Var(var) => self.var(var).body,
            _ => id,
        }
    }

    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id]
    }

    /// Renumbers the propositions, injectively; `None` if one of them has no number.
    #[must_use]
    pub fn renumbered(&self, number: impl Fn(PropId) -> Option<PropId>) -> Option<Formula> {
        let mut new = self.clone();
        for id in (0..self.nodes.len() as u32).map(NodeId) {
            if let Node::Lit(prop, positive) = self.nodes[id] {
                new.nodes[id] = Node::Lit(number(prop)?, positive);
            }
        }
        Some(new)
    }

    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, Node)> + ExactSizeIterator {
        self.nodes.iter().map(|(id, &node)| (id, node))
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn origin(&self, id: NodeId) -> Origin {
        self.origins[id]
    }

    pub fn var(&self, id: VarId) -> &FixpointVar {
        &self.vars[id]
    }

    pub fn vars(&self) -> impl ExactSizeIterator<Item = (VarId, &FixpointVar)> {
        self.vars.iter()
    }

    pub fn actions(&self, id: ActionSetId) -> &ActionSet {
        &self.actions[id]
    }

    pub fn action_sets(&self) -> &IdVec<ActionSetId, ActionSet> {
        &self.actions
    }

    /// The formula with these names for what fair paths meet infinitely often ([`Origin::Condition`]).
    #[must_use]
    pub fn with_conditions(self, conditions: Vec<String>) -> Formula {
        Formula { conditions, ..self }
    }

    /// The names of the fairness conditions.
    pub fn conditions(&self) -> &[String] {
        &self.conditions
    }

    /// As the user wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The successors of a node in the game, modalities included (C Fig. 1).
    pub fn successors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let (first, second) = match self.nodes[id] {
            Node::Const(_) | Node::Lit(..) => (None, None),
            Node::And(a, b) | Node::Or(a, b) => (Some(a), Some(b)),
            Node::Modal(_, _, body) => (Some(body), None),
            Node::Var(var) => (Some(self.vars[var].body), None),
            Node::Fix(var) => (Some(self.vars[var].node.unwrap_or(self.vars[var].body)), None),
        };
        first.into_iter().chain(second)
    }

    /// Θ(Z) (C §2.1): even for ν, odd for µ, and not below any variable that depends on Z.
    pub fn priority(&self, var: VarId) -> u32 {
        self.blocks.priority[var]
    }

    /// Θ of the node in the game: that of the variable in a variable node, 0 elsewhere.
    pub fn node_priority(&self, id: NodeId) -> u32 {
        match self.nodes[id] {
            Node::Var(var) => self.priority(var),
            _ => 0,
        }
    }

    /// The strongly connected parts of the formula's graph, innermost first.
    pub fn blocks(&self) -> &IdVec<BlockId, FormulaBlock> {
        &self.blocks.blocks
    }

    pub fn block_of(&self, id: NodeId) -> BlockId {
        self.blocks.of[id]
    }

    /// 0 without fixpoints, 1 if alternation-free, then the longest chain of alternating ones.
    pub fn alternation_depth(&self) -> u32 {
        self.blocks.alternation_depth
    }

    pub fn is_alternation_free(&self) -> bool {
        self.alternation_depth() <= 1
    }
}
