//! The unique table: equal nodes are made once, unreferenced ones are collected.

use super::Kernel;
use super::node::{Edge, FREE, MOST_NODES, NO_VAR, Node};
use crate::Stop;
use fixedbitset::FixedBitSet;

/// There is room for one result in so many nodes. More room was measured to be slower: it is too large for
/// the processor's own caches.
const NODES_A_RESULT: usize = 2;

/// A node, its place in a table, and its share of the results that are remembered.
const BYTES_OF_SLOT: usize = 2 * size_of::<Node>();

/// The nodes of one variable, by their children.
pub(crate) struct Table {
    buckets: Vec<u32>,
    /// The highest bits of a hash, which depend on all of the key, are the bucket.
    shift: u32,
    pub count: usize,
}

/// A new table has this many buckets, as a power of 2.
const FIRST_BITS: u32 = 2;

impl Default for Table {
    fn default() -> Self {
        Self { buckets: vec![0; 1 << FIRST_BITS], shift: u64::BITS - FIRST_BITS, count: 0 }
    }
}

impl Table {
    #[inline]
    fn bucket(&self, high: Edge, low: Edge) -> usize {
        let key = u64::from(high.0) | u64::from(low.0) << 32;
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// As many empty buckets; those that there were.
    fn replace(&mut self, bits: u32) -> Vec<u32> {
        self.shift = u64::BITS - bits;
        std::mem::replace(&mut self.buckets, vec![0; 1 << bits])
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

    /// Makes a node while variables are reordered, when no limit counts.
    pub(super) fn make_anyhow(&mut self, var: u32, high: Edge, low: Edge) -> Edge {
        debug_assert!(self.is_reordering);
        // Two levels that are exchanged have at most twice their nodes; `room_for` has left that much.
        self.make(var, high, low).unwrap_or_else(|_| unreachable!("no limit counts"))
    }

    #[inline]
    fn find_or_insert(&mut self, var: u32, high: Edge, low: Edge) -> Result<u32, Stop> {
        let table = &self.tables[var as usize];
        let bucket = table.bucket(high, low);
        let mut at = table.buckets[bucket];
        while at != 0 {
            let node = &self.nodes[at as usize];
            if node.high == high && node.low == low {
                return Ok(at);
            }
            at = node.next;
        }
        let slot = self.slot()?;
        self.nodes[slot as usize] = Node { var, high, low, next: 0 };
        self.link_into(slot, var, bucket);
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
        let old = self.nodes.len();
        let moving = self.monitor.reserve((old * size_of::<Node>()) as u64);
        let _moving = moving.map_err(Stop::Stopped)?;
        let bytes = ((old + more) * BYTES_OF_SLOT) as u64;
        self.room.cover(bytes, &self.monitor).map_err(Stop::Stopped)?;
        self.nodes.reserve_exact(more);
        self.cache.most = self.cache.most.max(self.nodes.capacity() / NODES_A_RESULT);
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
        let bucket = self.tables[node.var as usize].bucket(node.high, node.low);
        self.link_into(slot, node.var, bucket);
    }

    #[inline]
    fn link_into(&mut self, slot: u32, var: u32, bucket: usize) {
        let table = &mut self.tables[var as usize];
        self.nodes[slot as usize].next = std::mem::replace(&mut table.buckets[bucket], slot);
        table.count += 1;
        if table.count > table.buckets.len() {
            let bits = u64::BITS - table.shift + 1;
            self.resize(var, bits);
        }
    }

    /// Another number of buckets, as a power of 2.
    fn resize(&mut self, var: u32, bits: u32) {
        let table = &mut self.tables[var as usize];
        for mut at in table.replace(bits) {
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
            let (mut at, mut before) = (*head, 0);
            while at != 0 {
                let next = self.nodes[at as usize].next;
                if !leaves(at, &self.nodes) {
                    before = at;
                } else {
                    table.count -= 1;
                    match before {
                        0 => *head = next,
                        _ => self.nodes[before as usize].next = next,
                    }
                }
                at = next;
            }
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

    /// Takes one node out of the table of its variable.
    pub(super) fn unlink(&mut self, slot: u32) {
        let node = self.nodes[slot as usize];
        let table = &mut self.tables[node.var as usize];
        table.count -= 1;
        let bucket = table.bucket(node.high, node.low);
        let head = &mut table.buckets[bucket];
        if *head == slot {
            *head = node.next;
            return;
        }
        let mut at = *head;
        while self.nodes[at as usize].next != slot {
            at = self.nodes[at as usize].next;
        }
        self.nodes[at as usize].next = node.next;
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
    }

    /// A table that is far too large is slow to walk through.
    pub(super) fn shrink(&mut self, var: u32) {
        let table = &self.tables[var as usize];
        if table.buckets.len() > 64 && table.count * 8 < table.buckets.len() {
            let bits = (table.count * 2).next_power_of_two().ilog2().max(FIRST_BITS);
            self.resize(var, bits);
        }
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
