//! Making formulas in negation normal form.

use crate::actions::ActionSet;
use crate::blocks::Blocks;
use crate::formula::{
    ActionSetId, Fix, FixpointVar, Formula, Modality, Node, NodeId, Origin, PropId, VarId,
};
use crate::surface::Logic;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use support::IdVec;

/// Builds the arena bottom-up: equal nodes are made once, constants are folded.
#[derive(Default)]
pub struct FormulaBuilder {
    nodes: IdVec<NodeId, Node>,
    origins: IdVec<NodeId, Origin>,
    ids: FxHashMap<Node, NodeId>,
    vars: IdVec<VarId, FixpointVar>,
    actions: IdVec<ActionSetId, ActionSet>,
    action_ids: FxHashMap<ActionSet, ActionSetId>,
}

impl FormulaBuilder {
    fn make(&mut self, node: Node, origin: Origin) -> NodeId {
        if let Some(&id) = self.ids.get(&node) {
            return self.name(id, origin);
        }
        let id = self.nodes.push(node);
        self.origins.push(origin);
        self.ids.insert(node, id);
        id
    }

    /// Sets the origin of a node, if it has none.
    pub fn name(&mut self, id: NodeId, origin: Origin) -> NodeId {
        if self.origins[id] == Origin::Structure {
            self.origins[id] = origin;
        }
        id
    }

    pub fn constant(&mut self, value: bool, origin: Origin) -> NodeId {
        self.make(Node::Const(value), origin)
    }

    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id]
    }

    pub fn is_constant(&self, id: NodeId, value: bool) -> bool {
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
        self.vars.push(FixpointVar {
            kind,
            body: NodeId(u32::MAX),
            node: None,
            name: name.to_owned(),
        })
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
        self.finish_with_numbers(root, logic, source, text).0
    }

    /// Like [`FormulaBuilder::finish`], with the new numbers of the nodes that are kept.
    pub fn finish_with_numbers(
        self,
        root: NodeId,
        logic: Logic,
        source: String,
        text: Arc<str>,
    ) -> (Formula, FxHashMap<NodeId, NodeId>) {
        let mut kept = KeptNodes::default();
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
        let KeptNodes { nodes, origins, vars, new_id, .. } = kept;
        let blocks = Blocks::new(&nodes, &vars);
        let actions = self.actions;
        let conditions = Vec::new();
        let formula = Formula {
            logic,
            nodes,
            origins,
            vars,
            actions,
            root,
            source,
            text,
            conditions,
            blocks,
        };
        (formula, new_id)
    }
}

/// The nodes that [`FormulaBuilder::finish`] has kept so far.
#[derive(Default)]
struct KeptNodes {
    nodes: IdVec<NodeId, Node>,
    origins: IdVec<NodeId, Origin>,
    vars: IdVec<VarId, FixpointVar>,
    new_id: FxHashMap<NodeId, NodeId>,
    new_var: FxHashMap<VarId, VarId>,
}

impl KeptNodes {
    fn keep(&mut self, from: &FormulaBuilder, id: NodeId) {
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

    fn keep_var(&mut self, from: &FormulaBuilder, var: VarId) -> VarId {
        let vars = &mut self.vars;
        *self.new_var.entry(var).or_insert_with(|| vars.push(from.vars[var].clone()))
    }
}
