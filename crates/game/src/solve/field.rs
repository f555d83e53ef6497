//! The work space of the solvers: one word a node, and the strategy.
//!
//! A word holds the owner, the present winner, a mark, and a rank. The ranks of nodes that are out of
//! the game, that wait for their turn, that belong to a region of some depth, and that are free, lie in
//! this order, so that every question about a node is one comparison. A node that waits or is free has
//! no region yet, and its rank has room for what helps to see when its last open successor is gone: the
//! number of open successors, as long as it is known, and else a *watch*, a position before which no successor is
//! open.

use crate::arena::{Arena, Player};
use std::ops::Range;
use support::{Monitor, Reservation, StopReason, Stopped};

/// No successor: the strategy of a node that its owner loses.
pub const NONE: u32 = u32::MAX;

const OWNER: u32 = 1;
const WINNER: u32 = 2;
const MARK: u32 = 4;
const RANK: u32 = 3;

/// Decided, or not in the game at all.
pub const OUT: u32 = 0;
const WAITING: u32 = 1;
/// The rank of depth 0; deeper regions have higher ranks.
const REGION: u32 = 1 << 27;
const FREE: u32 = 1 << 28;

/// Above the floor of its zone, the rank of an unclaimed node is a watch, or with this bit a count.
const COUNTED: u32 = 1 << 26;

/// The nodes that an attractor may claim.
#[derive(Clone, Copy)]
pub enum Zone {
    Waiting,
    Free,
}

impl Zone {
    fn floor(self) -> u32 {
        match self {
            Zone::Waiting => WAITING,
            Zone::Free => FREE,
        }
    }

    /// How far above the floor its ranks go.
    fn room(self) -> u32 {
        match self {
            Zone::Waiting => REGION - 1 - WAITING,
            Zone::Free => FREE - 1,
        }
    }
}

/// The rank of a region at this depth.
pub fn rank_of_depth(depth: usize) -> Result<u32, Stopped> {
    let fits = depth < (FREE - REGION) as usize;
    if fits { Ok(REGION + depth as u32) } else { Err(Stopped(StopReason::Size)) }
}

/// Free or in a region, but not in the one of depth 0, whose nodes are decided.
pub fn is_in_play(state: State) -> bool {
    state.rank() > REGION
}

#[derive(Clone, Copy)]
pub struct State(u32);

impl State {
    fn new(rank: u32, owner: Player) -> Self {
        Self(rank << RANK | owner as u32)
    }

    #[inline]
    pub fn owner(self) -> Player {
        if self.0 & OWNER == 0 { Player::Verifier } else { Player::Falsifier }
    }

    #[inline]
    pub fn winner(self) -> Player {
        if self.0 & WINNER == 0 { Player::Verifier } else { Player::Falsifier }
    }

    #[inline]
    pub fn is_marked(self) -> bool {
        self.0 & MARK != 0
    }

    #[inline]
    pub fn rank(self) -> u32 {
        self.0 >> RANK
    }

    /// Not claimed yet.
    #[inline]
    pub fn is_in(self, zone: Zone) -> bool {
        self.rank().wrapping_sub(zone.floor()) <= zone.room()
    }

    /// Not decided yet, as far as `zone` is concerned: solved nodes count while they are in a region.
    #[inline]
    fn is_open(self, zone: Zone) -> bool {
        self.rank() >= zone.floor()
    }

    /// In a region of at least this rank, and won by `player` so far.
    #[inline]
    pub fn is_won(self, player: Player, rank: u32) -> bool {
        self.rank() >= rank && self.winner() == player
    }

    fn with(self, rank: u32, winner: Player, mark: u32) -> Self {
        Self(rank << RANK | mark | (winner as u32) << 1 | self.0 & OWNER)
    }
}

/// The nodes of a game, each with its state and its strategy.
pub struct Field<'a> {
    states: Vec<State>,
    /// By node. Of undecided nodes this is work space.
    strategy: &'a mut [u32],
    _reservation: Reservation,
}

impl<'a> Field<'a> {
    /// All nodes are out of the game at first.
    pub fn new(strategy: &'a mut [u32], monitor: &Monitor) -> Result<Self, Stopped> {
        let room = monitor.reserve(strategy.len() as u64 * 4)?;
        let states = vec![State::new(OUT, Player::Verifier); strategy.len()];
        Ok(Self { states, strategy, _reservation: room })
    }

    /// To be called once of every node that is in the game.
    #[inline]
    pub fn set_owner(&mut self, node: u32, owner: Player) {
        self.states[node as usize] = State::new(OUT, owner);
    }

    pub fn nodes(&self) -> Range<u32> {
        0..self.states.len() as u32
    }

    #[inline]
    pub fn get(&self, node: u32) -> State {
        self.states[node as usize]
    }

    #[inline]
    pub fn strategy(&self, node: u32) -> u32 {
        self.strategy[node as usize]
    }

    #[inline]
    pub fn set_strategy(&mut self, node: u32, successor: u32) {
        self.strategy[node as usize] = successor;
    }

    /// Makes `node` a part of `zone`, its watch at the first successor.
    #[inline]
    pub fn release(&mut self, node: u32, zone: Zone) {
        let index = node as usize;
        self.states[index] = State::new(zone.floor(), self.states[index].owner());
    }

    /// Lets `node` wait. It has so many successors, and each of them will draw it once when it is decided.
    #[inline]
    pub fn release_counted(&mut self, node: u32, successors: u32) {
        let index = node as usize;
        let hint = if successors < COUNTED { COUNTED | successors } else { 0 };
        self.states[index] = State::new(WAITING + hint, self.states[index].owner());
    }

    /// Sets a node free that waits. Its open successors must all be set free with it.
    #[inline]
    pub fn set_free(&mut self, node: u32) {
        let index = node as usize;
        let hint = self.states[index].rank() - WAITING;
        self.states[index] = State::new(FREE + hint, self.states[index].owner());
    }

    /// `winner` takes `node` into the region of this rank, moving to `successor` if the node is his.
    #[inline]
    pub fn claim(&mut self, node: u32, rank: u32, winner: Player, successor: u32) {
        let index = node as usize;
        self.states[index] = self.states[index].with(rank, winner, 0);
        self.strategy[index] = successor;
    }

    /// As [`claim`](Self::claim), of a node that heads its region and has no strategy yet.
    #[inline]
    pub fn claim_head(&mut self, node: u32, rank: u32, winner: Player) {
        let index = node as usize;
        self.states[index] = self.states[index].with(rank, winner, MARK);
        self.strategy[index] = NONE;
    }

    /// Moves `node` to another region, its winner and its strategy as they were.
    #[inline]
    pub fn move_to(&mut self, node: u32, rank: u32) {
        let index = node as usize;
        self.states[index] = self.states[index].with(rank, self.states[index].winner(), 0);
    }

    /// Whether a successor of `node` is still open, after one of them was claimed. Zones shrink until the node
    /// is released anew, so the successors before the watch need not be looked at again: all looks together
    /// pass each successor once.
    #[inline]
    pub fn escapes(&mut self, arena: &impl Arena, node: u32, zone: Zone) -> bool {
        let index = node as usize;
        let hint = self.states[index].rank() - zone.floor();
        let hint = if hint & COUNTED != 0 {
            (hint & !COUNTED > 1).then(|| hint - 1)
        } else {
            let found =
                arena.find_successor(node, hint, |successor| self.get(successor).is_open(zone));
            found.map(|position| position.min(COUNTED - 1))
        };
        if let Some(hint) = hint {
            self.states[index] = State::new(zone.floor() + hint, self.states[index].owner());
        }
        hint.is_some()
    }
}
