//! Where the nodes are: equal ones are made once, unused ones are swept away.

use super::Kernel;
use super::node::{Edge, FREE, MOST_NODES, NO_VAR, Node};
use crate::Stop;
use fixedbitset::FixedBitSet;

/// The nodes of one variable, by their sons.
#[derive(Default)]
pub(crate) struct Table {
    buckets: Vec<u32>,
    pub count: usize,
}

impl Table {
    #[inline]
    fn bucket(&self, high: Edge, low: Edge) -> usize {
        let key = u64::from(high.0) | u64::from(low.0) << 32;
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> 32) as usize & (self.buckets.len() - 1)
    }
}

impl Kernel {
    /// The function `if var then high else low`; the variable lies above those of both.
    #[inline]
    pub(crate) fn make(&mut self, var: u32, high: Edge, low: Edge) -> Result<Edge, Stop> {
        if high == low {
            return Ok(high);
        }
        let node = self.find_or_insert(var, high.positive(), low.with_sign_of(high))?;
        Ok(Edge::of(node).with_sign_of(high))
    }

    /// The same while variables are reordered, when no limit counts.
    pub(super) fn make_anyhow(&mut self, var: u32, high: Edge, low: Edge) -> Edge {
        debug_assert!(self.is_reordering);
        // Two levels that are exchanged have at most twice their nodes; `room_for` has left that much.
        self.make(var, high, low).unwrap_or_else(|_| unreachable!("no limit counts"))
    }

    #[inline]
    fn find_or_insert(&mut self, var: u32, high: Edge, low: Edge) -> Result<u32, Stop> {
        let table = &self.tables[var as usize];
        if !table.buckets.is_empty() {
            let mut at = table.buckets[table.bucket(high, low)];
            while at != 0 {
                let node = &self.nodes[at as usize];
                if node.high == high && node.low == low {
                    return Ok(at);
                }
                at = node.next;
            }
        }
        let slot = self.slot()?;
        self.nodes[slot as usize] = Node { var, high, low, next: 0 };
        self.link(slot);
        Ok(slot)
    }

    /// A slot for a new node.
    fn slot(&mut self) -> Result<u32, Stop> {
        if self.used >= self.crowded_at && !self.is_reordering {
            return Err(Stop::Crowded);
        }
        self.used += 1;
        if self.free != 0 {
            let slot = self.free;
            self.free = self.nodes[slot as usize].next;
            return Ok(slot);
        }
        if self.nodes.len() == self.nodes.capacity() {
            self.more_slots().inspect_err(|_| self.used -= 1)?;
        }
        self.nodes.push(Node { var: FREE, high: Edge(0), low: Edge(0), next: 0 });
        Ok(self.nodes.len() as u32 - 1)
    }

    fn more_slots(&mut self) -> Result<(), Stop> {
        if self.is_reordering {
            self.nodes.reserve(1);
            return Ok(());
        }
        let most = self.most_nodes.min(MOST_NODES);
        if self.nodes.len() >= most {
            return Err(Stop::Full);
        }
        let more = self.nodes.len().clamp(1 << 10, 1 << 22).min(most - self.nodes.len());
        self.reserve(more)
    }

    /// Makes room for so many more slots.
    fn reserve(&mut self, more: usize) -> Result<(), Stop> {
        // Moving the nodes takes the old and the new place at once.
        let bytes = (self.nodes.len() + more) * size_of::<Node>();
        self.monitor.reserve(bytes as u64).map_err(Stop::Stopped)?;
        self.nodes.reserve_exact(more);
        Ok(())
    }

    /// Makes sure that so many nodes can be made without a failure.
    pub(super) fn room_for(&mut self, more: usize) -> Result<(), Stop> {
        if self.used + more > self.most_nodes.min(MOST_NODES / 4) {
            return Err(Stop::Full);
        }
        if self.nodes.capacity() - self.used < more {
            self.reserve(more.max(self.nodes.len() / 2))?;
        }
        self.monitor.check().map_err(Stop::Stopped)
    }

    /// Puts a node that is in no table into that of its variable.
    pub(super) fn link(&mut self, slot: u32) {
        let node = self.nodes[slot as usize];
        let table = &mut self.tables[node.var as usize];
        if table.count >= table.buckets.len() {
            self.widen(node.var);
        }
        let table = &mut self.tables[node.var as usize];
        let bucket = table.bucket(node.high, node.low);
        self.nodes[slot as usize].next = table.buckets[bucket];
        table.buckets[bucket] = slot;
        table.count += 1;
    }

    /// Twice as many buckets.
    fn widen(&mut self, var: u32) {
        let table = &mut self.tables[var as usize];
        let size = (table.buckets.len() * 2).max(4);
        let old = std::mem::replace(&mut table.buckets, vec![0; size]);
        for mut at in old {
            while at != 0 {
                let node = &mut self.nodes[at as usize];
                let bucket = table.bucket(node.high, node.low);
                let next = std::mem::replace(&mut node.next, table.buckets[bucket]);
                table.buckets[bucket] = at;
                at = next;
            }
        }
    }

    /// Takes those nodes out of a table of which this holds.
    pub(super) fn unlink_if(&mut self, var: u32, mut leaves: impl FnMut(u32, &[Node]) -> bool) {
        let table = &mut self.tables[var as usize];
        for head in &mut table.buckets {
            let (mut at, mut kept) = (*head, 0);
            *head = 0;
            while at != 0 {
                let next = self.nodes[at as usize].next;
                if leaves(at, &self.nodes) {
                    table.count -= 1;
                } else {
                    // The order within a bucket does not matter.
                    self.nodes[at as usize].next = kept;
                    kept = at;
                }
                at = next;
            }
            *head = kept;
        }
    }

    /// The nodes in the table of a variable.
    pub(super) fn members(&self, var: u32) -> impl Iterator<Item = u32> {
        let heads = self.tables[var as usize].buckets.iter().copied();
        let next = |&slot: &u32| Some(self.nodes[slot as usize].next).filter(|&next| next != 0);
        heads
            .flat_map(move |head| std::iter::successors(Some(head), next))
            .filter(|&slot| slot != 0)
    }

    /// Gives back a node that is in no table.
    pub(super) fn release(&mut self, slot: u32) {
        self.nodes[slot as usize] =
            Node { var: FREE, high: Edge(0), low: Edge(0), next: self.free };
        self.free = slot;
        self.used -= 1;
    }

    /// Sweeps away all nodes that no root needs.
    pub(crate) fn collect(&mut self) {
        let lives = self.reached();
        for table in &mut self.tables {
            table.buckets.fill(0);
            table.count = 0;
        }
        self.free = 0;
        self.used = lives.count_ones(..);
        for slot in (1..self.nodes.len()).rev() {
            if lives.contains(slot) {
                self.link(slot as u32);
            } else {
                self.nodes[slot] = Node { var: FREE, high: Edge(0), low: Edge(0), next: self.free };
                self.free = slot as u32;
            }
        }
        self.cache.retain(|edge| lives.contains(edge.node() as usize));
        self.shrink_tables();
    }

    /// Tables that are far too large are slow to walk through.
    fn shrink_tables(&mut self) {
        for var in 1..self.tables.len() {
            let table = &mut self.tables[var];
            if table.buckets.len() > 64 && table.count * 8 < table.buckets.len() {
                let size = (table.count * 2).next_power_of_two();
                let old = std::mem::replace(&mut table.buckets, vec![0; size / 2]);
                // `widen` links all that it is given anew; it is given one long chain.
                let chain = self.chained(old);
                self.tables[var].buckets[0] = chain;
                self.widen(var as u32);
            }
        }
    }

    fn chained(&mut self, buckets: Vec<u32>) -> u32 {
        let mut chain = 0;
        for mut at in buckets {
            while at != 0 {
                let next = std::mem::replace(&mut self.nodes[at as usize].next, chain);
                chain = at;
                at = next;
            }
        }
        chain
    }

    /// The nodes that the roots need, and the constant.
    fn reached(&self) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(self.nodes.len());
        seen.insert(0);
        let mut open: Vec<u32> = self.roots.nodes();
        while let Some(slot) = open.pop() {
            if !seen.put(slot as usize) {
                let node = &self.nodes[slot as usize];
                debug_assert!(node.var != FREE && node.var != NO_VAR);
                open.extend([node.high.node(), node.low.node()]);
            }
        }
        seen
    }
}
