//! The recursive algorithm (Zielonka 1998), its recursion unrolled.
//!
//! To solve a game, the player of its highest priority attracts to the nodes of that priority, and the
//! rest is solved as a smaller game. If the opponent's attractor of what he won in the rest takes
//! nothing of the attracted region, the region is the player's. Otherwise that attractor in the game is the
//! opponent's, and what remains is solved anew.
//!
//! One stack holds everything: regions lie on it in the order of descent, so that a region and the game
//! below it are the stack from some place on, and an attractor's queue is the part that it adds. The
//! second recursion is the last act of the first, hence it needs no frame, and the depth is at most the
//! number of priorities. As usual, a region takes in lower priorities of the same parity as long as none
//! of the other parity lies between ("until inversion", M. Verver), and a game is solved anew only if
//! the opponent gained something.

use super::Ticker;
use super::attractor::attract;
use super::buckets::Buckets;
use super::field::{Field, NONE, Zone, rank_of_depth};
use crate::arena::{Arena, Player};
use support::{Monitor, Stopped};

/// A region, `stack[start..end]`, and the parity of its heads. The game below it is the stack from `end`.
struct Frame {
    start: usize,
    end: usize,
    player: Player,
    /// By player: whether a part of the game below was settled for good and left to him.
    settled: [bool; 2],
}

pub struct Zielonka {
    /// The game that [`solve`](Self::solve) will solve is entered here.
    pub buckets: Buckets,
    frames: Vec<Frame>,
    /// By player: whether he won anything of the game below the present frame.
    won: [bool; 2],
    lost_heads: Vec<(u32, u32)>,
}

impl Zielonka {
    pub fn new(arena: &impl Arena, field: &Field, monitor: &Monitor) -> Result<Self, Stopped> {
        let buckets = Buckets::new(arena, field, monitor)?;
        Ok(Self { buckets, frames: Vec::new(), won: [false; 2], lost_heads: Vec::new() })
    }

    /// Solves the game of the entered nodes, in which everybody can move. They are added to `stack`,
    /// in regions still, each with its winner and his strategy.
    ///
    /// Gives up when a game is to be solved anew after more than `budget` steps: then `stack` has those that are decided
    /// all the same, and the others, which are returned, wait.
    pub fn solve(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        budget: u64,
        ticker: &mut Ticker,
    ) -> Result<Vec<u32>, Stopped> {
        let start = stack.len();
        let limit = ticker.work().saturating_add(budget);
        loop {
            self.won = [false; 2];
            while let Some(priority) = self.buckets.highest(field) {
                self.descend(arena, field, stack, priority, ticker)?;
            }
            loop {
                let Some(frame) = self.frames.pop() else { return Ok(Vec::new()) };
                if self.ascend(arena, field, stack, frame, ticker)? {
                    break;
                }
            }
            if ticker.work() > limit {
                return self.give_up(field, stack, start);
            }
        }
    }

    fn give_up(
        &mut self,
        field: &mut Field,
        stack: &mut Vec<u32>,
        start: usize,
    ) -> Result<Vec<u32>, Stopped> {
        self.frames.clear();
        let mut left = Vec::new();
        self.buckets.clear(field, |node| left.push(node));
        let decided = rank_of_depth(0)?;
        let mut kept = start;
        for index in start..stack.len() {
            let node = stack[index];
            if field.get(node).rank() == decided {
                stack[kept] = node;
                kept += 1;
            } else {
                field.release(node, Zone::Waiting);
                left.push(node);
            }
        }
        stack.truncate(kept);
        Ok(left)
    }

    /// Opens the region of the highest priority.
    fn descend(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        priority: u32,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let (start, player) = (stack.len(), Player::of_priority(priority));
        let rank = rank_of_depth(self.frames.len() + 1)?;
        loop {
            let next = stack.len();
            self.buckets.claim_highest(field, rank, player, stack);
            attract(arena, field, Zone::Free, rank, stack, next, ticker)?;
            if !self.buckets.highest_belongs_to(field, player) {
                break;
            }
        }
        self.frames.push(Frame { start, end: stack.len(), player, settled: [false; 2] });
        Ok(())
    }

    /// Closes a region after the game below it was solved. Whether there is something to solve anew.
    fn ascend(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        frame: Frame,
        ticker: &mut Ticker,
    ) -> Result<bool, Stopped> {
        let (player, opponent) = (frame.player, frame.player.opponent());
        let rank = rank_of_depth(self.frames.len() + 1)?;
        self.won[0] |= frame.settled[0];
        self.won[1] |= frame.settled[1];
        self.lost_heads.clear();
        ticker.spend((frame.end - frame.start) as u32)?;
        if self.won[opponent.index()] {
            self.find_lost_heads(arena, field, &stack[frame.start..frame.end], player, rank);
        }
        if self.lost_heads.is_empty() {
            self.won[player.index()] = true;
            assign_heads(arena, field, &stack[frame.start..frame.end], player, rank);
            return Ok(false);
        }
        self.reopen(arena, field, stack, frame.start, player, ticker)?;
        if let Some(parent) = self.frames.last_mut() {
            parent.settled[opponent.index()] = true;
        }
        self.won = [false; 2];
        Ok(self.buckets.highest(field).is_some())
    }

    /// Heads that the opponent draws to what he won below. Other nodes of the region cannot be the
    /// first to go: the player's have a move into the region, the opponent's have no other.
    fn find_lost_heads(
        &mut self,
        arena: &impl Arena,
        field: &Field,
        region: &[u32],
        player: Player,
        rank: u32,
    ) {
        for &head in region.iter().filter(|&&node| field.get(node).is_marked()) {
            let owner = field.get(head).owner();
            let found =
                arena.find_successor(head, 0, |successor| field.get(successor).is_won(owner, rank));
            match found {
                None if owner == player => self.lost_heads.push((head, NONE)),
                Some(position) if owner != player => {
                    self.lost_heads.push((head, arena.successor_at(head, position)));
                }
                _ => {}
            }
        }
    }

    /// Leaves to the opponent what he won from `start` on and what he can draw to it, and sets the
    /// rest free.
    fn reopen(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        start: usize,
        player: Player,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let settled = rank_of_depth(self.frames.len())?;
        ticker.spend((stack.len() - start) as u32)?;
        let mut kept = start;
        for index in start..stack.len() {
            let node = stack[index];
            if field.get(node).winner() == player {
                field.release(node, Zone::Free);
                self.buckets.push(arena, node);
            } else {
                field.move_to(node, settled);
                stack[kept] = node;
                kept += 1;
            }
        }
        stack.truncate(kept);
        for &(head, successor) in &self.lost_heads {
            field.claim(head, settled, player.opponent(), successor);
            stack.push(head);
        }
        attract(arena, field, Zone::Free, settled, stack, kept, ticker)
    }
}

/// The region is the player's: his heads move to anything that he won.
fn assign_heads(arena: &impl Arena, field: &mut Field, region: &[u32], player: Player, rank: u32) {
    for &head in region {
        let state = field.get(head);
        if !state.is_marked() || state.owner() != player {
            continue;
        }
        let found =
            arena.find_successor(head, 0, |successor| field.get(successor).is_won(player, rank));
        let successor = found.map_or(NONE, |position| arena.successor_at(head, position));
        field.set_strategy(head, successor);
    }
}
