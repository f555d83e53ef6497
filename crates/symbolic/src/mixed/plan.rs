//! In which order the parts of a formula are computed, and what depends on what.

use fixedbitset::FixedBitSet;
use logic::{Formula, Node, NodeId, VarId};
use support::IdVec;

/// Where the value of a node is used.
#[derive(Clone, Copy)]
pub(super) struct User {
    pub node: NodeId,
    /// By a modality: at the places before.
    pub is_modal: bool,
}

pub(super) struct Plan {
    /// The root and what it needs, operands first, without what is within fixpoints.
    pub root: Vec<NodeId>,
    /// Evaluation order of the body of every fixpoint.
    pub bodies: IdVec<VarId, Vec<NodeId>>,
    /// By node; of a variable, also those of its fixpoint.
    pub users: IdVec<NodeId, Vec<User>>,
    /// The variables that occur freely in every fixpoint.
    pub free: IdVec<VarId, Vec<VarId>>,
    /// The nodes that are bodies of fixpoints.
    pub is_body: FixedBitSet,
    /// By variable: its node and those of its fixpoint.
    pub named: IdVec<VarId, Vec<NodeId>>,
}

impl Plan {
    pub fn new(formula: &Formula) -> Self {
        let mut users: IdVec<NodeId, Vec<User>> = formula.nodes().map(|_| Vec::new()).collect();
        let mut named: IdVec<VarId, Vec<NodeId>> = formula.vars().map(|_| Vec::new()).collect();
        for (id, node) in formula.nodes() {
            let is_modal = matches!(node, Node::Modal(..));
            for operand in operands(node) {
                users[operand].push(User { node: id, is_modal });
            }
            if let Node::Var(var) | Node::Fix(var) = node {
                named[var].push(id);
            }
        }
        let mut is_body = FixedBitSet::with_capacity(formula.len());
        formula.vars().for_each(|(_, var)| is_body.insert(var.body.0 as usize));
        Self {
            root: needed(formula, formula.root()),
            bodies: formula.vars().map(|(_, var)| needed(formula, var.body)).collect(),
            users,
            free: formula.vars().map(|(id, _)| free(formula, id)).collect(),
            is_body,
            named,
        }
    }

    /// The fixpoints that are within no other.
    pub fn outermost<'f>(&'f self, formula: &'f Formula) -> impl Iterator<Item = VarId> + 'f {
        self.root.iter().filter_map(|&id| match formula.node(id) {
            Node::Fix(var) => Some(var),
            _ => None,
        })
    }
}

/// The operands of a node that is no fixpoint.
fn operands(node: Node) -> impl Iterator<Item = NodeId> {
    let (first, second) = match node {
        Node::And(a, b) | Node::Or(a, b) => (Some(a), Some(b)),
        Node::Modal(_, _, body) => (Some(body), None),
        Node::Const(_) | Node::Lit(..) | Node::Fix(_) | Node::Var(_) => (None, None),
    };
    first.into_iter().chain(second)
}

/// A node and what it needs without going into fixpoints, in the order of the arena: operands first.
fn needed(formula: &Formula, from: NodeId) -> Vec<NodeId> {
    let mut seen = FixedBitSet::with_capacity(formula.len());
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        if !seen.put(id.0 as usize) {
            open.extend(operands(formula.node(id)));
        }
    }
    seen.ones().map(|index| NodeId(index as u32)).collect()
}

fn free(formula: &Formula, of: VarId) -> Vec<VarId> {
    let mut seen = FixedBitSet::with_capacity(formula.len());
    let (mut used, mut bound) = (Vec::new(), vec![of]);
    let mut open = vec![formula.var(of).body];
    while let Some(id) = open.pop() {
        if seen.put(id.0 as usize) {
            continue;
        }
        match formula.node(id) {
            Node::Var(var) => used.push(var),
            Node::Fix(var) => {
                bound.push(var);
                open.push(formula.var(var).body);
            }
            node => open.extend(operands(node)),
        }
    }
    used.retain(|var| !bound.contains(var));
    used
}
