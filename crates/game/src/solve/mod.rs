//! Solvers of 2-valued parity games: who wins where, and how.

mod attractor;
mod buckets;
mod components;
mod field;
mod verify;
mod zielonka;

use crate::arena::{Arena, Player};
use crate::parity_game::ParityGame;
use attractor::settle;
use base::{Monitor, Stopped};
use components::Search;
use field::{Field, Zone, rank_of_depth};
use fixedbitset::FixedBitSet;
use zielonka::Zielonka;

pub use field::NONE;
pub use verify::{Flaw, verify};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    #[default]
    Auto,
    Zielonka,
}

/// Who wins each node, and a positional strategy for each player on what he wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    falsifier: FixedBitSet,
    strategy: Vec<u32>,
}

impl Solution {
    pub fn len(&self) -> usize {
        self.strategy.len()
    }

    pub fn is_empty(&self) -> bool {
        self.strategy.is_empty()
    }

    pub fn winner(&self, node: u32) -> Player {
        if self.falsifier.contains(node as usize) { Player::Falsifier } else { Player::Verifier }
    }

    /// Where the winner of a node of his moves.
    pub fn strategy(&self, node: u32) -> Option<u32> {
        let son = self.strategy[node as usize];
        (son != NONE).then_some(son)
    }
}

/// How many steps are taken between two looks at the monitor.
const STRIDE: u32 = 1 << 12;

/// Counts steps and looks at the monitor now and then.
pub(crate) struct Ticker<'a> {
    monitor: &'a Monitor,
    steps: u32,
}

impl<'a> Ticker<'a> {
    pub fn new(monitor: &'a Monitor) -> Self {
        Self { monitor, steps: 0 }
    }

    #[inline]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        self.steps += 1;
        if self.steps < STRIDE {
            return Ok(());
        }
        self.steps = 0;
        self.monitor.step(STRIDE.into())
    }
}

pub fn solve(
    game: &ParityGame,
    algorithm: Algorithm,
    monitor: &Monitor,
) -> Result<Solution, Stopped> {
    let mut strategy = vec![NONE; game.len()];
    let mut field = Field::new(game, 0..game.size(), &mut strategy, monitor)?;
    let mut ticker = Ticker::new(monitor);
    let mut stack: Vec<u32> = Vec::new();
    for node in field.nodes() {
        if game.sons(node).is_empty() {
            field.claim(node, rank_of_depth(0)?, game.owner(node).opponent(), NONE);
            stack.push(node);
        } else {
            field.release(node, Zone::Waiting);
        }
    }
    settle(game, &mut field, &mut stack, 0, &mut ticker)?;
    let mut zielonka = Zielonka::new(game, &field, monitor)?;
    if algorithm == Algorithm::Zielonka {
        for node in field.nodes().rev() {
            if field.get(node).is_in(Zone::Waiting) {
                zielonka.enter(game, &mut field, node);
            }
        }
        zielonka.solve(game, &mut field, &mut stack, &mut ticker)?;
    } else {
        Search::new(&field, monitor)?.solve(game, &mut field, &mut zielonka, &mut ticker)?;
    }
    let mut falsifier = FixedBitSet::with_capacity(game.len());
    for node in field.nodes() {
        falsifier.set(node as usize, field.get(node).winner() == Player::Falsifier);
    }
    Ok(Solution { falsifier, strategy })
}
