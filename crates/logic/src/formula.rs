//! The µ-calculus in negation normal form (C §2), hash-consed into one arena.

use crate::blocks::{Block, BlockId, Blocks};
use crate::surface::Logic;
use base::{IdVec, Span, define_id};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

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

/// The actions that a modality speaks of: the named ones, or all but the named ones.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ActionSet {
    /// Sorted, without duplicates.
    names: Vec<String>,
    complement: bool,
}

impl ActionSet {
    pub fn any() -> Self {
        Self { names: Vec::new(), complement: true }
    }

    pub fn none() -> Self {
        Self { names: Vec::new(), complement: false }
    }

    pub fn one(name: impl Into<String>) -> Self {
        Self { names: vec![name.into()], complement: false }
    }

    #[must_use]
    pub fn complement(mut self) -> Self {
        self.complement = !self.complement;
        self
    }

    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.complement().and(other.complement()).complement()
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self.complement, other.complement) {
            (true, true) => Self { names: merge(self.names, other.names), complement: true },
            (false, _) => self.kept_in(&other),
            (true, false) => other.kept_in(&self),
        }
    }

    /// Of a set that is no complement, what the other has too.
    fn kept_in(mut self, other: &Self) -> Self {
        self.names.retain(|name| other.contains(name));
        self
    }

    pub fn contains(&self, name: &str) -> bool {
        self.names.binary_search_by(|n| n.as_str().cmp(name)).is_ok() != self.complement
    }

    pub fn is_any(&self) -> bool {
        self.complement && self.names.is_empty()
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn is_complement(&self) -> bool {
        self.complement
    }
}

/// Two sorted lists as one, without duplicates.
fn merge(mut a: Vec<String>, b: Vec<String>) -> Vec<String> {
    a.extend(b);
    // Stable sorting finds the two runs and merges them in linear time.
    a.sort();
    a.dedup();
    a
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
    /// The same with the expression repeated, `[(R)*] ψ`, where the user wrote `[R+] ψ`.
    Repeated { span: Span, modality: Modality, body: NodeId },
    /// Something between, such as `AX AG p` in the expansion of `AG p`.
    Structure,
}

#[derive(Clone, Debug)]
pub struct Var {
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
    nodes: IdVec<NodeId, Node>,
    origins: IdVec<NodeId, Origin>,
    vars: IdVec<VarId, Var>,
    actions: IdVec<ActionSetId, ActionSet>,
    root: NodeId,
    source: String,
    pub(crate) text: Arc<str>,
    blocks: Blocks,
}

impl Formula {
    pub fn root(&self) -> NodeId {
        self.root
    }

    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id]
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

    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id]
    }

    pub fn vars(&self) -> impl ExactSizeIterator<Item = (VarId, &Var)> {
        self.vars.iter()
    }

    pub fn actions(&self, id: ActionSetId) -> &ActionSet {
        &self.actions[id]
    }

    pub fn action_sets(&self) -> &IdVec<ActionSetId, ActionSet> {
        &self.actions
    }

    /// As the user wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What a move of the game leads to from a node, modalities included (C Fig. 1).
    pub fn sons(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
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
    pub fn blocks(&self) -> &IdVec<BlockId, Block> {
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

/// Builds the arena bottom-up: equal nodes are made once, constants are folded.
pub struct Builder {
    nodes: IdVec<NodeId, Node>,
    origins: IdVec<NodeId, Origin>,
    ids: FxHashMap<Node, NodeId>,
    vars: IdVec<VarId, Var>,
    actions: IdVec<ActionSetId, ActionSet>,
    action_ids: FxHashMap<ActionSet, ActionSetId>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    pub fn new() -> Self {
        Self {
            nodes: IdVec::new(),
            origins: IdVec::new(),
            ids: FxHashMap::default(),
            vars: IdVec::new(),
            actions: IdVec::new(),
            action_ids: FxHashMap::default(),
        }
    }

    fn make(&mut self, node: Node, origin: Origin) -> NodeId {
        if let Some(&id) = self.ids.get(&node) {
            if self.origins[id] == Origin::Structure {
                self.origins[id] = origin;
            }
            return id;
        }
        let id = self.nodes.push(node);
        self.origins.push(origin);
        self.ids.insert(node, id);
        id
    }

    pub fn constant(&mut self, value: bool, origin: Origin) -> NodeId {
        self.make(Node::Const(value), origin)
    }

    pub(crate) fn is_constant(&self, id: NodeId, value: bool) -> bool {
        self.nodes[id] == Node::Const(value)
    }

    pub fn lit(&mut self, prop: PropId, positive: bool, origin: Origin) -> NodeId {
        self.make(Node::Lit(prop, positive), origin)
    }

    pub fn and(&mut self, a: NodeId, b: NodeId, origin: Origin) -> NodeId {
        match (self.nodes[a], self.nodes[b]) {
            (Node::Const(true), _) => b,
            (_, Node::Const(true)) => a,
            (Node::Const(false), _) => a,
            (_, Node::Const(false)) => b,
            _ if a == b => a,
            _ => self.make(Node::And(a, b), origin),
        }
    }

    pub fn or(&mut self, a: NodeId, b: NodeId, origin: Origin) -> NodeId {
        match (self.nodes[a], self.nodes[b]) {
            (Node::Const(false), _) => b,
            (_, Node::Const(false)) => a,
            (Node::Const(true), _) => a,
            (_, Node::Const(true)) => b,
            _ if a == b => a,
            _ => self.make(Node::Or(a, b), origin),
        }
    }

    pub fn modal(
        &mut self,
        modality: Modality,
        actions: &ActionSet,
        body: NodeId,
        origin: Origin,
    ) -> NodeId {
        match (modality, self.nodes[body]) {
            (Modality::Box, Node::Const(true)) | (Modality::Dia, Node::Const(false)) => body,
            _ => {
                let set = self.action_set(actions);
                self.make(Node::Modal(modality, set, body), origin)
            }
        }
    }

    fn action_set(&mut self, actions: &ActionSet) -> ActionSetId {
        if let Some(&known) = self.action_ids.get(actions) {
            return known;
        }
        let id = self.actions.push(actions.clone());
        self.action_ids.insert(actions.clone(), id);
        id
    }

    /// A new variable, to be bound by [`fix`](Self::fix).
    pub fn fresh_var(&mut self, kind: Fix, name: &str) -> VarId {
        self.vars.push(Var { kind, body: NodeId(u32::MAX), node: None, name: name.to_owned() })
    }

    pub fn var(&mut self, var: VarId, origin: Origin) -> NodeId {
        self.make(Node::Var(var), origin)
    }

    /// `ηZ.ψ`, or ψ itself if Z does not occur in it.
    pub fn fix(&mut self, var: VarId, body: NodeId, origin: Origin) -> NodeId {
        self.vars[var].body = body;
        match self.nodes[body] {
            _ if !self.occurs(var, body) => body,
            // µZ.Z is false, νZ.Z is true.
            Node::Var(other) if other == var => {
                let value = self.vars[var].kind == Fix::Nu;
                self.constant(value, origin)
            }
            _ => self.make(Node::Fix(var), origin),
        }
    }

    /// Folding may have taken away every occurrence that the user wrote.
    fn occurs(&self, var: VarId, body: NodeId) -> bool {
        let Some(&occurrence) = self.ids.get(&Node::Var(var)) else { return false };
        let mut seen = FxHashSet::default();
        let mut stack = vec![body];
        while let Some(id) = stack.pop() {
            // What is older than the variable does not contain it.
            if id < occurrence || !seen.insert(id) {
                continue;
            }
            match self.nodes[id] {
                _ if id == occurrence => return true,
                Node::And(a, b) | Node::Or(a, b) => stack.extend([a, b]),
                Node::Modal(_, _, body) => stack.push(body),
                Node::Fix(inner) => stack.push(self.vars[inner].body),
                Node::Const(_) | Node::Lit(..) | Node::Var(_) => {}
            }
        }
        false
    }

    /// Keeps what `root` needs, numbered anew: operands before what is built of them.
    pub fn finish(self, root: NodeId, logic: Logic, source: String, text: Arc<str>) -> Formula {
        let mut kept = Kept::default();
        let mut stack = vec![(root, false)];
        while let Some((id, operands_done)) = stack.pop() {
            if kept.new_id.contains_key(&id) {
                continue;
            }
            if operands_done {
                kept.keep(&self, id);
                continue;
            }
            stack.push((id, true));
            match self.nodes[id] {
                Node::And(a, b) | Node::Or(a, b) => stack.extend([(b, false), (a, false)]),
                Node::Modal(_, _, body) => stack.push((body, false)),
                Node::Fix(var) => stack.push((self.vars[var].body, false)),
                Node::Const(_) | Node::Lit(..) | Node::Var(_) => {}
            }
        }
        let root = kept.new_id[&root];
        let Kept { nodes, origins, vars, .. } = kept;
        let blocks = Blocks::new(&nodes, &vars);
        let actions = self.actions;
        Formula { logic, nodes, origins, vars, actions, root, source, text, blocks }
    }
}

/// What [`Builder::finish`] has kept so far.
#[derive(Default)]
struct Kept {
    nodes: IdVec<NodeId, Node>,
    origins: IdVec<NodeId, Origin>,
    vars: IdVec<VarId, Var>,
    new_id: FxHashMap<NodeId, NodeId>,
    new_var: FxHashMap<VarId, VarId>,
}

impl Kept {
    fn keep(&mut self, from: &Builder, id: NodeId) {
        let node = match from.nodes[id] {
            node @ (Node::Const(_) | Node::Lit(..)) => node,
            Node::And(a, b) => Node::And(self.new_id[&a], self.new_id[&b]),
            Node::Or(a, b) => Node::Or(self.new_id[&a], self.new_id[&b]),
            Node::Modal(modality, actions, body) => {
                Node::Modal(modality, actions, self.new_id[&body])
            }
            Node::Var(var) => Node::Var(self.keep_var(from, var)),
            Node::Fix(var) => {
                let new = self.keep_var(from, var);
                self.vars[new].body = self.new_id[&from.vars[var].body];
                Node::Fix(new)
            }
        };
        let mut origin = from.origins[id];
        if let Origin::Regular { body, .. } | Origin::Repeated { body, .. } = &mut origin {
            match self.new_id.get(body) {
                Some(&kept) => *body = kept,
                None => origin = Origin::Structure,
            }
        }
        let new = self.nodes.push(node);
        if let Node::Var(var) = node {
            self.vars[var].node = Some(new);
        }
        self.new_id.insert(id, new);
        self.origins.push(origin);
    }

    fn keep_var(&mut self, from: &Builder, var: VarId) -> VarId {
        let vars = &mut self.vars;
        *self.new_var.entry(var).or_insert_with(|| vars.push(from.vars[var].clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::ActionSet;

    /// Every set over three names, a fourth standing for all that nobody names.
    #[test]
    fn action_sets_are_a_boolean_algebra() {
        let names = ["a", "b", "c", "other"];
        let sets: Vec<ActionSet> = (0..16)
            .map(|bits: u32| {
                let named = (0..3).filter(|i| bits >> i & 1 == 1).map(|i| ActionSet::one(names[i]));
                let set = named.rev().fold(ActionSet::none(), ActionSet::or);
                if bits < 8 { set } else { set.complement() }
            })
            .collect();
        for a in &sets {
            for b in &sets {
                for name in names {
                    let (in_a, in_b) = (a.contains(name), b.contains(name));
                    assert_eq!(a.clone().and(b.clone()).contains(name), in_a && in_b);
                    assert_eq!(a.clone().or(b.clone()).contains(name), in_a || in_b);
                }
                // Equal sets have one form: they are made once.
                assert_eq!(a.clone().and(b.clone()), b.clone().and(a.clone()));
                assert!(sets.contains(&a.clone().or(b.clone())));
            }
        }
    }
}
