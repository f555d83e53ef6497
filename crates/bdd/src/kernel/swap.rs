//! Exchanging two neighbouring levels in place (Rudell): all functions stay what and where they are.

use super::Kernel;
use super::node::{Edge, FREE, Node};
use fixedbitset::FixedBitSet;

/// A time of reordering: how often every node is used, and which variables have to do with each other.
pub(super) struct Reordering<'k> {
    pub kernel: &'k mut Kernel,
    uses: Vec<u32>,
    /// Nodes that nothing uses since two levels began to be exchanged.
    dead: Vec<u32>,
    /// By variable: those that some function depends on together with it.
    interact: Vec<FixedBitSet>,
}

impl<'k> Reordering<'k> {
    /// There is no garbage.
    pub fn new(kernel: &'k mut Kernel) -> Self {
        let mut uses = vec![0; kernel.nodes.len()];
        for node in kernel.nodes.iter().skip(1).filter(|node| node.var != FREE) {
            uses[node.high.node() as usize] += 1;
            uses[node.low.node() as usize] += 1;
        }
        let mut roots = kernel.roots.nodes();
        for &root in &roots {
            uses[root as usize] += 1;
        }
        // What another function is a part of has no variable that the other has not.
        roots.retain(|&root| uses[root as usize] == 1);
        let interact = interactions(kernel, &roots);
        Self { kernel, uses, dead: Vec::new(), interact }
    }

    pub fn interact(&self, one: u32, other: u32) -> bool {
        self.interact[one as usize].contains(other as usize)
    }

    pub fn count(&self, level: u32) -> usize {
        self.kernel.tables[self.kernel.vars[level as usize] as usize].count
    }

    /// Exchanges this level and the one below.
    pub fn swap(&mut self, level: u32) {
        let [x, y] = [level, level + 1].map(|level| self.kernel.vars[level as usize]);
        if self.interact(x, y) {
            for slot in self.moving(x, y) {
                self.exchange(slot, x, y);
            }
            for slot in std::mem::take(&mut self.dead) {
                self.free_node(slot);
            }
            self.kernel.shrink(x);
        }
        let kernel = &mut *self.kernel;
        kernel.vars.swap(level as usize, level as usize + 1);
        kernel.levels.swap(x as usize, y as usize);
    }

    /// Takes the nodes of the upper variable that have children of the lower one out of their table.
    fn moving(&mut self, x: u32, y: u32) -> Vec<u32> {
        let mut moving = Vec::new();
        self.kernel.unlink_if(x, |slot, nodes| {
            let Node { high, low, .. } = nodes[slot as usize];
            let leaves = [high, low].iter().any(|child| nodes[child.node() as usize].var == y);
            if leaves {
                moving.push(slot);
            }
            leaves
        });
        moving
    }

    /// `if x then (if y …) else (if y …)` becomes `if y then (if x …) else (if x …)`, in the same place.
    fn exchange(&mut self, slot: u32, x: u32, y: u32) {
        let Node { high, low, .. } = self.kernel.nodes[slot as usize];
        let (f11, f10) = self.cofactors(high, y);
        let (f01, f00) = self.cofactors(low, y);
        let new_high = self.make(x, f11, f01);
        let new_low = self.make(x, f10, f00);
        self.uses[new_high.node() as usize] += 1;
        self.uses[new_low.node() as usize] += 1;
        self.let_go(high, y);
        self.let_go(low, y);
        self.kernel.nodes[slot as usize] = Node { var: y, high: new_high, low: new_low, next: 0 };
        self.kernel.link(slot);
    }

    /// One use less. Nothing will use a node of the lower variable again that is not used now, as all that
    /// is made uses nodes below.
    fn let_go(&mut self, edge: Edge, y: u32) {
        let uses = &mut self.uses[edge.node() as usize];
        *uses -= 1;
        if *uses == 0 && self.kernel.node(edge).var == y {
            self.dead.push(edge.node());
        }
    }

    fn cofactors(&self, edge: Edge, y: u32) -> (Edge, Edge) {
        let node = self.kernel.node(edge);
        if node.var == y {
            (node.high.with_sign_of(edge), node.low.with_sign_of(edge))
        } else {
            (edge, edge)
        }
    }

    fn make(&mut self, var: u32, high: Edge, low: Edge) -> Edge {
        let before = self.kernel.used;
        let edge = self.kernel.make_anyhow(var, high, low);
        if self.kernel.used > before {
            let slot = edge.node() as usize;
            if slot >= self.uses.len() {
                self.uses.resize(slot + 1, 0);
            }
            self.uses[slot] = 0;
            let node = self.kernel.nodes[slot];
            self.uses[node.high.node() as usize] += 1;
            self.uses[node.low.node() as usize] += 1;
        }
        edge
    }

    /// Gives back a node that nothing uses. What it used is used by what took its place.
    fn free_node(&mut self, slot: u32) {
        let node = self.kernel.nodes[slot as usize];
        self.uses[node.high.node() as usize] -= 1;
        self.uses[node.low.node() as usize] -= 1;
        self.kernel.unlink(slot);
        self.kernel.release(slot);
    }
}

/// Which variables occur together in the functions of these roots.
fn interactions(kernel: &Kernel, roots: &[u32]) -> Vec<FixedBitSet> {
    let count = kernel.tables.len();
    let mut interact = vec![FixedBitSet::with_capacity(count); count];
    for &root in roots {
        let support = kernel.support(Edge::of(root));
        for var in support.ones() {
            interact[var].union_with(&support);
        }
    }
    interact
}
