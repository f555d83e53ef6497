//! Tangle learning (van Dijk, *Attracting Tangles to Solve Parity Games*, CAV 2018).
//!
//! A tangle is a strongly connected set of nodes with a strategy of one player who wins every cycle in
//! it: his opponent must leave it, and if all exits lead to a region he is attracted to the region with
//! the whole tangle. The game is cut into regions from the highest priority down, by attractors that
//! use the tangles known so far. A region that the opponent cannot leave downwards contains new ones;
//! one without any exit is won. So it goes on until everything is won.

use super::Ticker;
use super::attractor::draw;
use super::buckets::Buckets;
use super::field::{Field, NONE, Zone, rank_of_depth};
use super::tangle_store::Tangles;
use crate::arena::{Arena, Player};
use support::{Monitor, Reservation, Stopped};

pub struct TangleLearner {
    /// The game that [`solve`](Self::solve) will solve is entered here.
    pub buckets: Buckets,
    tangles: Tangles,
    /// By node: 0 or what the search for tangles in a region has found out.
    low: Vec<u32>,
    path: Vec<(u32, u32, u32)>,
    finished: Vec<u32>,
    /// Nodes of tangles without exits, each with its strategy.
    dominion: Vec<(u32, u32)>,
    room: Reservation,
}

/// The search for tangles is over with this node.
const DONE: u32 = u32::MAX;

/// The region being made: who attracts, at which rank, and where on the stack it begins.
struct Region {
    player: Player,
    rank: u32,
    start: usize,
}

impl TangleLearner {
    pub fn new(arena: &impl Arena, field: &Field, monitor: &Monitor) -> Result<Self, Stopped> {
        let nodes = field.nodes().len();
        let room = monitor.reserve(nodes as u64 * 12)?;
        Ok(Self {
            buckets: Buckets::new(arena, field, monitor)?,
            tangles: Tangles::new(nodes),
            low: vec![0; nodes],
            path: Vec::new(),
            finished: Vec::new(),
            dominion: Vec::new(),
            room,
        })
    }

    /// Solves the game of the entered nodes, in which everybody can move. They are added to `stack`,
    /// in regions still, each with its winner and his strategy.
    pub fn solve(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let mut decided = stack.len();
        while self.buckets.highest(field).is_some() {
            let bytes = self.tangles.bytes() + self.low.len() as u64 * 4;
            self.room.keep_up(bytes, ticker.monitor)?;
            let winner = self.descend(arena, field, stack, ticker)?;
            self.free_all(arena, field, stack, decided);
            if let Some(winner) = winner {
                self.win_dominion(arena, field, stack, winner, ticker)?;
                decided = stack.len();
            }
        }
        self.tangles.clear();
        Ok(())
    }

    /// Makes regions, and learns from those that are closed, until a dominion is found or no node is
    /// left. Whose dominion it is.
    fn descend(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        ticker: &mut Ticker,
    ) -> Result<Option<Player>, Stopped> {
        self.tangles.forget_watches();
        let mut depth = 0;
        while let Some(priority) = self.buckets.highest(field) {
            depth += 1;
            let player = Player::of_priority(priority);
            let region = Region { player, rank: rank_of_depth(depth)?, start: stack.len() };
            self.make_region(arena, field, stack, &region, ticker)?;
            if close_heads(arena, field, &stack[region.start..], &region) {
                self.learn(arena, field, &stack[region.start..], &region, ticker)?;
                if !self.dominion.is_empty() {
                    return Ok(Some(player));
                }
            }
        }
        Ok(None)
    }

    /// Attracts to the highest priority, and to lower ones of the same parity until inversion.
    fn make_region(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        region: &Region,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        loop {
            let next = stack.len();
            self.buckets.claim_highest(field, region.rank, region.player, stack);
            self.attract(arena, field, stack, region, next, ticker)?;
            if !self.buckets.highest_belongs_to(field, region.player) {
                return Ok(());
            }
        }
    }

    /// The attractor, with tangles.
    fn attract(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        region: &Region,
        mut next: usize,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        while next < stack.len() {
            let node = stack[next];
            draw(arena, field, Zone::Free, region.rank, stack, node, region.player);
            self.tangles.draw(field, region.rank, stack, node, region.player);
            next += 1;
            ticker.tick()?;
        }
        Ok(())
    }

    /// Finds the tangles in a closed region: the knots that can be reached from its heads.
    fn learn(
        &mut self,
        arena: &impl Arena,
        field: &Field,
        nodes: &[u32],
        region: &Region,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        for &head in nodes {
            if field.get(head).is_marked() && self.low[head as usize] == 0 {
                self.search(arena, field, head, region, ticker)?;
            }
        }
        nodes.iter().for_each(|&node| self.low[node as usize] = 0);
        Ok(())
    }

    fn search(
        &mut self,
        arena: &impl Arena,
        field: &Field,
        head: u32,
        region: &Region,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let mut count = 0;
        let mut fresh = Some(head);
        loop {
            ticker.tick()?;
            if let Some(node) = fresh {
                count += 1;
                self.low[node as usize] = count;
                self.path.push((node, count, 0));
            }
            let Some(&(node, number, position)) = self.path.last() else { return Ok(()) };
            fresh = self.next_move(arena, field, node, position, region);
            if fresh.is_none() {
                self.path.pop();
                self.finish(arena, field, node, number, region);
            }
        }
    }

    /// The next node of the region to be searched from `node`: by the player's strategy, or by any
    /// move of the opponent's.
    fn next_move(
        &mut self,
        arena: &impl Arena,
        field: &Field,
        node: u32,
        position: u32,
        region: &Region,
    ) -> Option<u32> {
        let mut low = self.low[node as usize];
        let mut is_new = |son: u32| {
            let reached = self.low[son as usize];
            if reached != 0 && reached != DONE {
                low = low.min(reached);
            }
            reached == 0
        };
        let (son, position) = if field.get(node).owner() == region.player {
            let son = field.strategy(node);
            (is_new(son).then_some(son), 0)
        } else {
            let new = |son| field.get(son).rank() == region.rank && is_new(son);
            let found = arena.find_son(node, position, new);
            (found.map(|found| arena.son_at(node, found)), found.unwrap_or(0))
        };
        self.low[node as usize] = low;
        if let Some(last) = self.path.last_mut() {
            last.2 = position;
        }
        son
    }

    fn finish(
        &mut self,
        arena: &impl Arena,
        field: &Field,
        node: u32,
        number: u32,
        region: &Region,
    ) {
        let low = self.low[node as usize];
        if low < number {
            self.finished.push(node);
            return;
        }
        let inside = |&&other: &&u32| self.low[other as usize] >= number;
        let size = self.finished.iter().rev().take_while(inside).count();
        let mut knot = self.finished.split_off(self.finished.len() - size);
        knot.push(node);
        knot.iter().for_each(|&node| self.low[node as usize] = DONE);
        let moves_to_itself = || match field.get(node).owner() == region.player {
            true => field.strategy(node) == node,
            false => arena.any_son(node, |son| son == node),
        };
        if knot.len() > 1 || moves_to_itself() {
            let moves = knot.iter().map(|&node| (node, field.strategy(node)));
            if !self.tangles.add(arena, field, region.player, &knot) {
                self.dominion.extend(moves);
            }
        }
    }

    /// Ends the descent: every node from `start` on is free again.
    fn free_all(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        start: usize,
    ) {
        // Chains hold each node once, so they are emptied before they are filled again.
        self.buckets.clear(field, |node| stack.push(node));
        for node in stack.drain(start..) {
            field.release(node, Zone::Free);
            self.buckets.push(arena, node);
        }
    }

    fn win_dominion(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        player: Player,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        self.tangles.forget_watches();
        let region = Region { player, rank: rank_of_depth(0)?, start: stack.len() };
        for (node, son) in self.dominion.drain(..) {
            field.claim(node, region.rank, player, son);
            stack.push(node);
        }
        self.attract(arena, field, stack, &region, region.start, ticker)
    }
}

/// Gives the player's heads a move within the region. Whether neither they lack one nor the
/// opponent's heads have one to lower regions.
fn close_heads(arena: &impl Arena, field: &mut Field, nodes: &[u32], region: &Region) -> bool {
    nodes.iter().all(|&head| {
        let state = field.get(head);
        if !state.is_marked() {
            return true;
        }
        if state.owner() != region.player {
            return !arena.any_son(head, |son| field.get(son).is_in(Zone::Free));
        }
        let found = arena.find_son(head, 0, |son| field.get(son).rank() == region.rank);
        let son = found.map_or(NONE, |position| arena.son_at(head, position));
        field.set_strategy(head, son);
        found.is_some()
    })
}
