//! BDDs with negated edges: nodes in flat memory, a table for each variable, a cache of
//! results, no reference counts while functions are computed.
//!
//! An operation gives up in the middle when the monitor says so, when there is no room, or when so many
//! nodes have been made that collecting or reordering is due ([`Stop`]); what it has made by then is
//! garbage. Nothing is collected or moved within an operation.

mod analysis;
mod apply;
mod cache;
mod invariants;
pub(crate) mod node;
mod quantify;
mod reduce;
mod rename;
mod restrict;
mod sift;
mod swap;
mod unique_table;

pub(crate) use rename::Renamings;

use crate::Stop;
use crate::roots::Roots;
use analysis::Marks;
use cache::{Cache, Op};
use node::{Edge, FALSE, NO_VAR, Node, TRUE};
use std::cell::RefCell;
use std::sync::Arc;
use support::{Monitor, Reservation};
use unique_table::Table;

/// How many steps an operation makes before it looks at the monitor.
const PATIENCE: u64 = 1 << 14;

pub(crate) struct Kernel {
    nodes: Vec<Node>,
    /// The first free slot.
    free: u32,
    /// Nodes in tables.
    used: usize,
    tables: Vec<Table>,
    /// By variable; that of the constant is below all.
    pub levels: Vec<u32>,
    /// By level.
    vars: Vec<u32>,
    /// The variables that keep together, from above, each with the number of its group.
    groups: Vec<u32>,
    cache: Cache,
    renamings: Renamings,
    /// By variable, as far as it was told: the one that says that it is unknown.
    unknowns: Vec<u32>,
    marks: RefCell<Marks>,
    pub roots: Arc<Roots>,
    pub monitor: Monitor,
    room: Reservation,
    pub most_nodes: usize,
    /// An operation gives up when there are so many nodes.
    pub crowded_at: usize,
    /// No limit counts while levels are exchanged.
    is_reordering: bool,
    /// Steps of operations so far.
    pub steps: u64,
    /// Nodes that were looked at in order to reorder, so far.
    pub sifted: u64,
}

/// Two functions, parted by the variable on top of them.
struct Split {
    var: u32,
    high: (Edge, Edge),
    low: (Edge, Edge),
}

impl Kernel {
    pub fn new(monitor: Monitor, most_nodes: usize) -> Self {
        let constant = Node { var: NO_VAR, high: TRUE, low: TRUE, next: 0 };
        Self {
            nodes: vec![constant],
            free: 0,
            used: 1,
            tables: vec![Table::default()],
            levels: vec![u32::MAX],
            vars: Vec::new(),
            groups: vec![u32::MAX],
            cache: Cache::new(12),
            renamings: Renamings::default(),
            unknowns: Vec::new(),
            marks: RefCell::default(),
            roots: Arc::default(),
            monitor,
            room: Reservation::default(),
            most_nodes,
            crowded_at: usize::MAX,
            is_reordering: false,
            steps: 0,
            sifted: 0,
        }
    }

    /// New variables below all others that stay next to each other; the number of the first.
    pub fn add_group(&mut self, size: u32) -> u32 {
        let first = self.tables.len() as u32;
        for var in first..first + size {
            self.tables.push(Table::default());
            self.levels.push(self.vars.len() as u32);
            self.vars.push(var);
            self.groups.push(first);
        }
        first
    }

    /// Has room for so many results if they come up.
    pub fn reserve_cache(&mut self, results: usize) {
        self.cache.most = self.cache.most.max(results);
    }

    /// The variables from above.
    pub fn order(&self) -> &[u32] {
        &self.vars
    }

    /// Nodes in use, garbage included.
    pub fn used(&self) -> usize {
        self.used
    }

    #[inline]
    fn node(&self, edge: Edge) -> &Node {
        &self.nodes[edge.node() as usize]
    }

    #[inline]
    fn level(&self, edge: Edge) -> u32 {
        self.levels[self.node(edge).var as usize]
    }

    /// The function where the variable of this level is true and where it is false.
    #[inline]
    fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        let node = self.node(edge);
        if self.levels[node.var as usize] == level {
            (node.high.with_sign_of(edge), node.low.with_sign_of(edge))
        } else {
            (edge, edge)
        }
    }

    /// The variable on top of two functions, and both where it is true and where it is false.
    #[inline]
    fn split(&self, f: Edge, g: Edge) -> Split {
        let (of_f, of_g) = (self.node(f), self.node(g));
        let [level_f, level_g] = [of_f, of_g].map(|node| self.levels[node.var as usize]);
        let (mut high, mut low) = ((f, g), (f, g));
        if level_f <= level_g {
            (high.0, low.0) = (of_f.high.with_sign_of(f), of_f.low.with_sign_of(f));
        }
        if level_g <= level_f {
            (high.1, low.1) = (of_g.high.with_sign_of(g), of_g.low.with_sign_of(g));
        }
        let var = if level_f <= level_g { of_f.var } else { of_g.var };
        Split { var, high, low }
    }

    #[inline]
    fn tick(&mut self) -> Result<(), Stop> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(PATIENCE) {
            self.monitor.check().map_err(Stop::Stopped)?;
        }
        Ok(())
    }

    pub fn variable(&mut self, var: u32) -> Result<Edge, Stop> {
        self.make(var, TRUE, FALSE)
    }
}
