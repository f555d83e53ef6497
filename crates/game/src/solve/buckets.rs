//! Nodes by priority, the highest first: a chain a priority, linked through one word a node.

use super::field::{Field, NONE, OUT, Zone};
use crate::arena::{Arena, Player};
use support::{Monitor, Reservation, Stopped};

/// The free nodes. A node that is claimed stays in its chain until the chain is walked.
pub struct Buckets {
    /// The priorities in ascending order, if they are so large that most numbers below are not used.
    sparse: Option<Vec<u32>>,
    first: Vec<u32>,
    /// By node of the field: the next in its chain.
    next: Vec<u32>,
    /// One bit a chain: whether it has a node.
    filled: Vec<u64>,
    /// No chain beyond this word of `filled` has a node.
    top: usize,
    _reservation: Reservation,
}

impl Buckets {
    /// For the nodes that are not decided now.
    pub fn new(arena: &impl Arena, field: &Field, monitor: &Monitor) -> Result<Self, Stopped> {
        let open = |&node: &u32| field.get(node).rank() != OUT;
        let priorities = || field.nodes().filter(open).map(|node| arena.priority(node));
        let nodes = field.nodes().len();
        let highest = priorities().max().unwrap_or(0) as usize;
        let sparse = (highest > nodes + 64).then(|| {
            let mut known: Vec<u32> = priorities().collect();
            known.sort_unstable();
            known.dedup();
            known
        });
        let chains = sparse.as_ref().map_or(highest + 1, Vec::len);
        let room = monitor.reserve((nodes + chains) as u64 * 4)?;
        let (first, next) = (vec![NONE; chains], vec![NONE; nodes]);
        let filled = vec![0; chains / 64 + 1];
        Ok(Self { sparse, first, next, filled, top: 0, _reservation: room })
    }

    /// Adds a free node.
    #[inline]
    pub fn push(&mut self, arena: &impl Arena, node: u32) {
        let priority = arena.priority(node);
        let chain = match &self.sparse {
            Some(known) => known.partition_point(|&other| other < priority),
            None => priority as usize,
        };
        self.next[node as usize] = self.first[chain];
        self.first[chain] = node;
        self.filled[chain / 64] |= 1 << (chain % 64);
        self.top = self.top.max(chain / 64);
    }

    /// Sets those of the nodes free that wait.
    pub fn enter(&mut self, arena: &impl Arena, field: &mut Field, nodes: &[u32]) {
        for &node in nodes {
            if field.get(node).is_in(Zone::Waiting) {
                field.set_free(node);
                self.push(arena, node);
            }
        }
    }

    /// The highest priority of a free node.
    pub fn highest(&mut self, field: &Field) -> Option<u32> {
        while let Some(chain) = self.highest_chain() {
            let mut node = self.first[chain];
            while node != NONE && !field.get(node).is_in(Zone::Free) {
                node = self.next[node as usize];
            }
            self.first[chain] = node;
            if node != NONE {
                return Some(self.sparse.as_ref().map_or(chain as u32, |known| known[chain]));
            }
            self.filled[chain / 64] &= !(1 << (chain % 64));
        }
        None
    }

    /// Whether free nodes are left and their highest priority is `player`'s.
    pub fn highest_belongs_to(&mut self, field: &Field, player: Player) -> bool {
        self.highest(field).is_some_and(|priority| Player::of_priority(priority) == player)
    }

    /// Makes the free nodes of the highest priority heads of `player`'s region of this rank.
    pub fn claim_highest(
        &mut self,
        field: &mut Field,
        rank: u32,
        player: Player,
        stack: &mut Vec<u32>,
    ) {
        self.drain_highest(field, |field, node| {
            field.claim_head(node, rank, player);
            stack.push(node);
        });
    }

    /// Makes one free node of the highest priority the head of `player`'s region of this rank.
    pub fn claim_one(
        &mut self,
        field: &mut Field,
        rank: u32,
        player: Player,
        stack: &mut Vec<u32>,
    ) {
        let Some(chain) = self.highest_chain() else { return };
        let mut node = self.first[chain];
        while node != NONE && !field.get(node).is_in(Zone::Free) {
            node = self.next[node as usize];
        }
        if node != NONE {
            self.first[chain] = self.next[node as usize];
            field.claim_head(node, rank, player);
            stack.push(node);
        } else {
            self.first[chain] = NONE;
        }
        if self.first[chain] == NONE {
            self.filled[chain / 64] &= !(1 << (chain % 64));
        }
    }

    /// Takes out the free nodes of the highest priority, each of which must be claimed at once.
    fn drain_highest(&mut self, field: &mut Field, mut claim: impl FnMut(&mut Field, u32)) {
        let Some(chain) = self.highest_chain() else { return };
        let mut node = std::mem::replace(&mut self.first[chain], NONE);
        self.filled[chain / 64] &= !(1 << (chain % 64));
        while node != NONE {
            if field.get(node).is_in(Zone::Free) {
                claim(field, node);
            }
            node = self.next[node as usize];
        }
    }

    /// Lets all free nodes wait, and returns them.
    pub fn clear(&mut self, field: &mut Field, mut tell: impl FnMut(u32)) {
        while self.highest_chain().is_some() {
            self.drain_highest(field, |field, node| {
                field.release(node, Zone::Waiting);
                tell(node);
            });
        }
    }

    fn highest_chain(&mut self) -> Option<usize> {
        while self.filled[self.top] == 0 {
            self.top = self.top.checked_sub(1)?;
        }
        Some(self.top * 64 + self.filled[self.top].ilog2() as usize)
    }
}
