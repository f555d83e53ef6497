//! Priorities, and the parts of a formula that depend on each other.
//!
//! A *block* is a strongly connected component of the formula's graph, in which a variable leads to
//! the body of its fixpoint. A play of the game only ever moves to inner blocks, so every strongly
//! connected component of a game graph lies within one block, and the blocks are an order in which a
//! game can be coloured bottom-up (G §2.1) that is known before the game is.

use crate::formula::{Fix, FixpointVar, Node, NodeId, VarId};
use support::{Id, IdVec, components, define_id};

define_id!(BlockId, "B");

#[derive(Clone, Debug, Default)]
pub struct FormulaBlock {
    /// In the order of the arena.
    pub nodes: Vec<NodeId>,
    /// The variables that are unfolded in this block.
    pub vars: Vec<VarId>,
    /// The kind of all its fixpoints, if they are of one kind: the *witness* of G §2.1.
    pub witness: Option<Fix>,
    /// Lowest and highest priority of its variables.
    pub priorities: Option<(u32, u32)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    pub blocks: IdVec<BlockId, FormulaBlock>,
    pub of: IdVec<NodeId, BlockId>,
    pub priority: IdVec<VarId, u32>,
    pub alternation_depth: u32,
}

impl Blocks {
    pub fn new(nodes: &IdVec<NodeId, Node>, vars: &IdVec<VarId, FixpointVar>) -> Self {
        // Inner ones first.
        let of = components(nodes.len(), |node| {
            successors(nodes, vars, NodeId(node)).into_iter().flatten().map(|successor| successor.0)
        });
        let count = of.iter().max().map_or(0, |&last| last + 1);
        let of: IdVec<NodeId, BlockId> = of.into_iter().map(BlockId).collect();
        let mut blocks: IdVec<BlockId, FormulaBlock> =
            (0..count).map(|_| FormulaBlock::default()).collect();
        for (id, _) in nodes.iter() {
            blocks[of[id]].nodes.push(id);
        }
        let (priority, alternation_depth) = priorities(nodes, vars, &of, &blocks);
        for (var, info) in vars.iter() {
            let block = &mut blocks[of[info.body]];
            block.witness = match block.vars.first() {
                None => Some(info.kind),
                Some(_) => block.witness.filter(|&kind| kind == info.kind),
            };
            let p = priority[var];
            block.priorities =
                Some(block.priorities.map_or((p, p), |(low, high)| (low.min(p), high.max(p))));
            block.vars.push(var);
        }
        Self { blocks, of, priority, alternation_depth }
    }
}

fn successors(
    nodes: &IdVec<NodeId, Node>,
    vars: &IdVec<VarId, FixpointVar>,
    id: NodeId,
) -> [Option<NodeId>; 2] {
    match nodes[id] {
        Node::Const(_) | Node::Lit(..) => [None, None],
        Node::And(a, b) | Node::Or(a, b) => [Some(a), Some(b)],
        Node::Modal(_, _, body) => [Some(body), None],
        Node::Fix(var) | Node::Var(var) => [Some(vars[var].body), None],
    }
}

/// The least priorities that C §2.1 allows. A variable lies above those whose fixpoints it occurs
/// freely in (X < Y if Y occurs freely in fp(X), transitively).
///
/// Only variables of one block can be so related: from X's body one reaches Y, and from Y's body,
/// which contains fp(X), one reaches X.
///
/// Also returns the length of the longest chain in which neighbours are of different kinds. It cannot
/// be told from the priorities: below a ν of priority 2 there may be one alternation or two.
fn priorities(
    nodes: &IdVec<NodeId, Node>,
    vars: &IdVec<VarId, FixpointVar>,
    of: &IdVec<NodeId, BlockId>,
    blocks: &IdVec<BlockId, FormulaBlock>,
) -> (IdVec<VarId, u32>, u32) {
    let free = free_vars(nodes, vars);
    let mut priority: IdVec<VarId, u32> =
        vars.values().map(|var| u32::from(var.kind == Fix::Mu)).collect();
    let mut chain: IdVec<VarId, u32> = vars.values().map(|_| 1).collect();
    // Fix nodes of a block in the order of the arena are inner ones first, so one pass settles it.
    for block in blocks.values() {
        for &id in &block.nodes {
            let Node::Fix(inner) = nodes[id] else { continue };
            for &outer in &free[id] {
                debug_assert_eq!(of[vars[outer].body], of[id]);
                let raised = priority[inner].max(priority[outer]);
                let wrong_parity = raised % 2 != u32::from(vars[outer].kind == Fix::Mu);
                priority[outer] = raised + u32::from(wrong_parity);
                let longer = chain[inner] + u32::from(vars[inner].kind != vars[outer].kind);
                chain[outer] = chain[outer].max(longer);
            }
        }
    }
    let alternation_depth = chain.values().copied().max().unwrap_or(0);
    (priority, alternation_depth)
}

/// The variables that occur freely below each node.
pub(crate) fn free_vars(
    nodes: &IdVec<NodeId, Node>,
    vars: &IdVec<VarId, FixpointVar>,
) -> IdVec<NodeId, Vec<VarId>> {
    let mut all: Vec<Vec<VarId>> = Vec::with_capacity(nodes.len());
    for (id, node) in nodes.iter() {
        let mut free = match *node {
            Node::Var(var) => vec![var],
            Node::Fix(var) => {
                let body = &all[vars[var].body.index()];
                body.iter().copied().filter(|&v| v != var).collect()
            }
            _ => successors(nodes, vars, id).into_iter().flatten().fold(
                Vec::new(),
                |mut free, successor| {
                    free.extend_from_slice(&all[successor.index()]);
                    free
                },
            ),
        };
        free.sort_unstable();
        free.dedup();
        all.push(free);
    }
    all.into()
}
