//! When garbage is collected and variables are reordered.

use crate::kernel::Kernel;
use crate::kernel::node::Edge;
use crate::{Bdd, Manager, Stop};
use support::Monitor;

#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// No more nodes than this.
    pub most_nodes: usize,
    /// Reorder when so many nodes are in use; `None` for never.
    pub reorder_at: Option<usize>,
    /// The most variables. Operations recurse as deeply as there are variables: a caller that allows more than the
    /// default has to provide a stack of [`Policy::STACK_A_VAR`] bytes for each.
    pub most_vars: usize,
    /// For tests: collect and reorder before every so many operations too.
    #[doc(hidden)]
    pub unrest: Option<u64>,
}

impl Policy {
    /// An operation takes so many bytes of the stack for each variable at most.
    pub const STACK_A_VAR: usize = 1024;

    /// As many nodes as the memory of the check has room for.
    pub fn within(monitor: &Monitor) -> Self {
        let nodes = monitor.memory_limit().map(|bytes| (bytes / BYTES_OF_NODE) as usize);
        let most_nodes = nodes.map_or(MOST_NODES, |nodes| nodes.min(MOST_NODES));
        Self { most_nodes, ..Self::default() }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self { most_nodes: 1 << 25, reorder_at: Some(1 << 16), most_vars: MOST_VARS, unrest: None }
    }
}

/// The most nodes of BDDs without a limit of memory.
const MOST_NODES: usize = 1 << 26;
/// Bytes for a node: itself, its entry in a unique table, and a share of the operation cache.
const BYTES_OF_NODE: u64 = 64;
/// As many nodes are made before garbage is collected for the first time.
const FIRST_COLLECTION: usize = 1 << 15;
/// An operation that makes so many times what would have been collected before it is given up: under
/// another order it may need less. Every time that it fails it may make so many times more.
const PATIENCE: usize = 8;

/// A thread's usual stack of two megabytes has room for twice as many, measured.
const MOST_VARS: usize = 10_000;

/// Collections and reorderings so far, and when the next ones are due.
pub(crate) struct History {
    /// Collect when so many nodes are in use.
    collect_at: usize,
    pub collections: usize,
    pub reorderings: usize,
    pub peak: usize,
    /// No operations after so many steps.
    pub last_step: u64,
    /// No reordering before operations have made so many steps, so that it does not take most of the time.
    rest_until: u64,
    operations: u64,
}

impl History {
    pub fn new(policy: &Policy) -> Self {
        Self {
            collect_at: policy.collect_at(0),
            collections: 0,
            reorderings: 0,
            peak: 0,
            rest_until: 0,
            last_step: u64::MAX,
            operations: 0,
        }
    }
}

impl Policy {
    /// When to collect after a collection that has left so many nodes.
    fn collect_at(&self, used: usize) -> usize {
        let first =
            FIRST_COLLECTION.min(self.most_nodes / 2).min(self.reorder_at.unwrap_or(usize::MAX));
        used.saturating_mul(2).max(first)
    }
}

impl Manager {
    /// Sweeps away all that is not held.
    pub fn collect(&mut self) {
        self.history.peak = self.peak();
        self.history.collections += 1;
        self.kernel.collect();
        self.history.collect_at = self.policy.collect_at(self.kernel.used());
    }

    /// Looks for a better order now.
    pub fn reorder(&mut self) -> Result<(), Stop> {
        let (phase, _, total) = self.kernel.monitor.progress();
        self.kernel.monitor.phase("reordering the variables", 0);
        self.history.reorderings += 1;
        let before = self.kernel.sifted;
        let ended = self.kernel.sift();
        self.history.rest_until = self.kernel.steps + (self.kernel.sifted - before) / 4;
        self.kernel.monitor.phase(phase, total);
        ended
    }

    /// Runs an operation; where it finds no room, once more after tidying up.
    pub(crate) fn run(
        &mut self,
        mut operation: impl FnMut(&mut Kernel) -> Result<Edge, Stop>,
    ) -> Result<Bdd, Stop> {
        if self.kernel.order().len() > self.policy.most_vars
            || self.steps() > self.history.last_step
        {
            return Err(Stop::Full);
        }
        self.disturb()?;
        if self.kernel.used() >= self.history.collect_at {
            self.tidy()?;
        }
        let mut patience = PATIENCE;
        loop {
            let most = self.most_nodes(patience);
            self.kernel.crowded_at = most;
            match operation(&mut self.kernel) {
                Ok(edge) => return Ok(Bdd::new(edge, &self.kernel.roots)),
                Err(Stop::Stopped(stopped)) => return Err(Stop::Stopped(stopped)),
                Err(_) if patience == usize::MAX => return Err(Stop::Full),
                Err(_) => self.make_room()?,
            }
            // The last try may take all that there is.
            let is_last = most >= self.policy.most_nodes;
            patience = if is_last { usize::MAX } else { patience.saturating_mul(PATIENCE) };
        }
    }

    /// An operation may go on until there are so many nodes. Without reordering there is no reason to begin
    /// it again.
    fn most_nodes(&self, patience: usize) -> usize {
        let most = self.policy.most_nodes;
        match self.policy.reorder_at {
            Some(_) => self.history.collect_at.saturating_mul(patience).min(most),
            None => most,
        }
    }

    fn disturb(&mut self) -> Result<(), Stop> {
        self.history.operations += 1;
        match self.policy.unrest {
            Some(every) if self.history.operations.is_multiple_of(every) => {
                self.collect();
                self.reorder()
            }
            _ => Ok(()),
        }
    }

    /// Collects garbage, and reorders if what is left is too much.
    fn tidy(&mut self) -> Result<(), Stop> {
        self.collect();
        let is_due = self.kernel.steps >= self.history.rest_until;
        if is_due && self.policy.reorder_at.is_some_and(|at| self.kernel.used() >= at) {
            self.reorder()?;
            self.reordered();
        }
        Ok(())
    }

    /// Collects garbage, and reorders if that is allowed at all.
    fn make_room(&mut self) -> Result<(), Stop> {
        self.collect();
        if self.policy.reorder_at.is_some() {
            self.reorder()?;
            self.reordered();
        }
        Ok(())
    }

    /// The next time is when there is twice as much as the best order leaves.
    fn reordered(&mut self) {
        let next = self.kernel.used().saturating_mul(2).max(FIRST_COLLECTION);
        self.policy.reorder_at = Some(next);
    }
}
