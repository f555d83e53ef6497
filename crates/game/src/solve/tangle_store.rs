//! The tangles learned so far, in flat arrays, found by the nodes that they can be left to.

use super::field::{Field, NONE, State, Zone, is_in_play};
use super::tangle::Region;
use crate::arena::{Arena, Player};

struct Tangle {
    player: Player,
    /// One of its nodes is decided, so it will not be attracted any more.
    dead: bool,
    /// In which descent the watch was set, and an exit before which none is free.
    descent: u32,
    watch: u32,
    /// Where its nodes and its exits begin; they end where those of the next tangle begin.
    nodes: u32,
    exits: u32,
}

struct Exit {
    node: u32,
    tangle: u32,
    /// The next exit to the same node.
    next: u32,
}

pub struct Tangles {
    tangles: Vec<Tangle>,
    /// Each with its move, if it is the player's.
    nodes: Vec<(u32, u32)>,
    exits: Vec<Exit>,
    /// By node: the first exit to it.
    first_exit: Vec<u32>,
    /// By node: the number of the last tangle that it was seen in or behind.
    seen: Vec<u32>,
    /// How often tangles were looked for, which marks `seen`.
    rounds: u32,
    descent: u32,
}

impl Tangles {
    pub fn new(nodes: usize) -> Self {
        Self {
            tangles: Vec::new(),
            nodes: Vec::new(),
            exits: Vec::new(),
            first_exit: vec![NONE; nodes],
            seen: vec![0; nodes],
            rounds: 0,
            descent: 0,
        }
    }

    /// The memory that the tangles take.
    pub fn bytes(&self) -> u64 {
        let tangles = self.tangles.len() * size_of::<Tangle>();
        let exits = self.exits.len() * size_of::<Exit>();
        (tangles + exits + (self.nodes.len() + self.seen.len()) * 8) as u64
    }

    /// Forgets all tangles.
    pub fn clear(&mut self) {
        for exit in self.exits.drain(..) {
            self.first_exit[exit.node as usize] = NONE;
        }
        self.tangles.clear();
        self.nodes.clear();
    }

    /// To be called whenever nodes were set free.
    pub fn forget_watches(&mut self) {
        self.descent += 1;
    }

    /// Learns the tangle of these nodes with the moves in `field`, unless it has no exit.
    pub fn add(&mut self, arena: &impl Arena, field: &Field, player: Player, knot: &[u32]) -> bool {
        let (number, begin) = (self.tangles.len() as u32, self.exits.len());
        self.rounds += 1;
        knot.iter().for_each(|&node| self.seen[node as usize] = self.rounds);
        for &node in knot.iter().filter(|&&node| field.get(node).owner() != player) {
            arena.any_successor(node, |successor| {
                if is_in_play(field.get(successor)) && self.seen[successor as usize] != self.rounds
                {
                    let index = successor as usize;
                    self.seen[index] = self.rounds;
                    let next =
                        std::mem::replace(&mut self.first_exit[index], self.exits.len() as u32);
                    self.exits.push(Exit { node: index as u32, tangle: number, next });
                }
                false
            });
        }
        if self.exits.len() == begin {
            return false;
        }
        let (nodes, exits) = (self.nodes.len() as u32, begin as u32);
        let tangle = Tangle { player, dead: false, descent: 0, watch: 0, nodes, exits };
        self.tangles.push(tangle);
        self.nodes.extend(knot.iter().map(|&node| (node, field.strategy(node))));
        true
    }

    /// Attracts the tangles that could be left to `node`, which `player` has taken into the region of
    /// this rank, and cannot be left elsewhere. How many steps that took.
    pub fn draw(
        &mut self,
        field: &mut Field,
        rank: u32,
        queue: &mut Vec<u32>,
        node: u32,
        player: Player,
    ) -> u32 {
        let mut steps = 0;
        let mut exit = self.first_exit[node as usize];
        while exit != NONE {
            let Exit { tangle, next, .. } = self.exits[exit as usize];
            exit = next;
            steps += 1;
            let tangle = tangle as usize;
            if self.tangles[tangle].player != player
                || self.tangles[tangle].dead
                || self.escapes(field, tangle)
            {
                continue;
            }
            steps += self.nodes(tangle).len() as u32;
            if self.is_contained(field, tangle, |state| {
                state.is_in(Zone::Free) || state.rank() == rank
            }) {
                self.claim(field, tangle, rank, queue, |state| state.is_in(Zone::Free));
            }
        }
        steps
    }

    /// As [`draw`](Self::draw), of a region inside of another, whose nodes had the rank `rest` before.
    pub fn draw_inside(
        &mut self,
        field: &mut Field,
        region: &Region,
        rest: u32,
        queue: &mut Vec<u32>,
        node: u32,
    ) -> u32 {
        let mut steps = 0;
        let mut exit = self.first_exit[node as usize];
        while exit != NONE {
            let Exit { tangle, next, .. } = self.exits[exit as usize];
            exit = next;
            steps += 1;
            let tangle = tangle as usize;
            if self.tangles[tangle].player != region.player || self.tangles[tangle].dead {
                continue;
            }
            let exits = &self.exits[self.exits(tangle)];
            let escape = exits.iter().position(|exit| region.is_below(field.get(exit.node).rank()));
            steps += escape.map_or(exits.len(), |place| place + 1) as u32;
            if escape.is_some() {
                continue;
            }
            steps += self.nodes(tangle).len() as u32;
            let is_inside = |state: State| state.rank() == rest || state.rank() == region.rank;
            if self.is_contained(field, tangle, is_inside) {
                self.claim(field, tangle, region.rank, queue, |state| state.rank() == rest);
            }
        }
        steps
    }

    fn escapes(&mut self, field: &Field, tangle: usize) -> bool {
        let end = self.exits(tangle).end;
        let found = &mut self.tangles[tangle];
        if found.descent != self.descent {
            (found.descent, found.watch) = (self.descent, found.exits);
        }
        let rest = &self.exits[found.watch as usize..end];
        let free = |exit: &Exit| field.get(exit.node).is_in(Zone::Free);
        match rest.iter().position(free) {
            Some(position) => found.watch += position as u32,
            None => found.watch = end as u32,
        }
        (found.watch as usize) < end
    }

    fn exits(&self, tangle: usize) -> std::ops::Range<usize> {
        let end = self.tangles.get(tangle + 1).map_or(self.exits.len(), |next| next.exits as usize);
        self.tangles[tangle].exits as usize..end
    }

    fn nodes(&self, tangle: usize) -> std::ops::Range<usize> {
        let end = self.tangles.get(tangle + 1).map_or(self.nodes.len(), |next| next.nodes as usize);
        self.tangles[tangle].nodes as usize..end
    }

    /// Whether all its nodes are where they can be attracted from, or in the region already.
    fn is_contained(
        &mut self,
        field: &Field,
        tangle: usize,
        is_inside: impl Fn(State) -> bool,
    ) -> bool {
        let nodes = &self.nodes[self.nodes(tangle)];
        for &(node, _) in nodes {
            let state = field.get(node);
            if !is_inside(state) {
                self.tangles[tangle].dead = !is_in_play(state);
                return false;
            }
        }
        true
    }

    fn claim(
        &self,
        field: &mut Field,
        tangle: usize,
        rank: u32,
        queue: &mut Vec<u32>,
        is_open: impl Fn(State) -> bool,
    ) {
        let player = self.tangles[tangle].player;
        for &(node, successor) in &self.nodes[self.nodes(tangle)] {
            if is_open(field.get(node)) {
                field.claim(node, rank, player, successor);
                queue.push(node);
            }
        }
    }
}
