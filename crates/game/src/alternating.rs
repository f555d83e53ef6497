//! A stage in which fixpoints of both kinds depend on each other: Zielonka's recursive algorithm on
//! the board, without writing the game down.
//!
//! The recursion goes down the priorities of the stage, of which a formula has few, and keeps its sets
//! as bits. A position costs four bytes for its move, four in the queue and a few bits.

use crate::arena::{Arena, Player};
use base::{Monitor, Stopped};
use fixedbitset::FixedBitSet;
use std::ops::Range;

const BITS: usize = usize::BITS as usize;
const STRIDE: usize = 1 << 16;

/// Colours the live positions of a range, given that all their sons outside it are coloured. Writes
/// who wins to `won` and how to `choice`. Positions of no variable count as `lowest`, the least
/// priority of a variable here: no cycle avoids all variables.
pub(crate) fn colour(
    arena: &impl Arena,
    range: Range<usize>,
    lowest: u32,
    live: &FixedBitSet,
    won: &mut FixedBitSet,
    choice: &mut [u32],
    monitor: &Monitor,
) -> Result<(), Stopped> {
    let mut active = Bits { base: range.start, words: words(live, &range).to_vec() };
    let touched = active.empty_like();
    let mut zielonka =
        Zielonka { arena, range, lowest, won, choice, touched, queue: Vec::new(), monitor };
    zielonka.take_exits(&mut active)?;
    let levels = zielonka.levels(&active);
    zielonka.solve(active, &levels)
}

fn words<'s>(set: &'s FixedBitSet, range: &Range<usize>) -> &'s [usize] {
    &set.as_slice()[range.start / BITS..range.end / BITS]
}

/// A set of positions from `base` on.
#[derive(Clone)]
struct Bits {
    base: usize,
    words: Vec<usize>,
}

impl Bits {
    fn empty_like(&self) -> Bits {
        Bits { base: self.base, words: vec![0; self.words.len()] }
    }

    #[inline]
    fn contains(&self, position: u32) -> bool {
        match (position as usize).checked_sub(self.base) {
            Some(i) => self.words.get(i / BITS).is_some_and(|word| word >> (i % BITS) & 1 == 1),
            None => false,
        }
    }

    /// Whether it was new.
    #[inline]
    fn insert(&mut self, position: u32) -> bool {
        let i = position as usize - self.base;
        let (word, bit) = (&mut self.words[i / BITS], 1 << (i % BITS));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn remove_all(&mut self, other: &Bits) {
        for (word, gone) in self.words.iter_mut().zip(&other.words) {
            *word &= !gone;
        }
    }

    fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let start = self.base + index * BITS;
            let mut word = word;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(start as u32 + bit)
            })
        })
    }
}

struct Zielonka<'z, A> {
    arena: &'z A,
    range: Range<usize>,
    lowest: u32,
    won: &'z mut FixedBitSet,
    choice: &'z mut [u32],
    /// Positions of the opponent's that have a watch in `choice`, in the present attractor.
    touched: Bits,
    queue: Vec<u32>,
    monitor: &'z Monitor,
}

impl<A: Arena> Zielonka<'_, A> {
    /// Removes what either player wins by leaving the stage. Afterwards nobody wants to leave it.
    fn take_exits(&mut self, active: &mut Bits) -> Result<(), Stopped> {
        for player in [Player::Verifier, Player::Falsifier] {
            let mut taken = active.empty_like();
            self.queue.clear();
            for position in active.iter() {
                let exit = |son: u32| !self.is_inside(son) && self.wins(player, son);
                if self.arena.owner(position) != player {
                    if !self.arena.any_son(position, |son| !exit(son)) {
                        self.take(&mut taken, position);
                    }
                } else if let Some(candidate) = self.arena.find_son(position, 0, exit) {
                    self.choice[position as usize] = self.arena.son_at(position, candidate);
                    self.take(&mut taken, position);
                }
            }
            self.attract(player, active, &mut taken)?;
            self.give(player, &taken);
            active.remove_all(&taken);
        }
        Ok(())
    }

    fn is_inside(&self, position: u32) -> bool {
        self.range.contains(&(position as usize))
    }

    fn wins(&self, player: Player, position: u32) -> bool {
        self.won.contains(position as usize) == (player == Player::Verifier)
    }

    fn give(&mut self, player: Player, positions: &Bits) {
        for position in positions.iter() {
            self.won.set(position as usize, player == Player::Verifier);
        }
    }

    fn priority(&self, position: u32) -> u32 {
        self.arena.priority(position).max(self.lowest)
    }

    /// The priorities that occur, highest first.
    fn levels(&self, active: &Bits) -> Vec<u32> {
        let mut levels: Vec<u32> = Vec::new();
        for position in active.iter() {
            let priority = self.priority(position);
            if !levels.contains(&priority) {
                levels.push(priority);
            }
        }
        levels.sort_unstable_by(|a, b| b.cmp(a));
        levels
    }

    /// Decides every position of `active`, whose priorities are among `levels`.
    fn solve(&mut self, mut active: Bits, levels: &[u32]) -> Result<(), Stopped> {
        let Some((&top, lower)) = levels.split_first() else { return Ok(()) };
        let player = Player::of_priority(top);
        loop {
            let mut near = active.empty_like();
            self.queue.clear();
            if lower.is_empty() {
                near.clone_from(&active);
            } else {
                for position in active.iter() {
                    if self.priority(position) == top {
                        self.take(&mut near, position);
                    }
                }
                self.attract(player, &active, &mut near)?;
                let mut far = active.clone();
                far.remove_all(&near);
                let lost = self.solve_far(far, lower, player)?;
                if !lost.is_empty() {
                    let mut lost = lost;
                    self.attract(player.opponent(), &active, &mut lost)?;
                    self.give(player.opponent(), &lost);
                    active.remove_all(&lost);
                    continue;
                }
            }
            self.give(player, &near);
            self.choose_at_top(player, top, &active);
            return Ok(());
        }
    }

    /// Decides what lies far from the highest priority, and queues what the player loses there.
    fn solve_far(&mut self, far: Bits, lower: &[u32], player: Player) -> Result<Bits, Stopped> {
        let mut lost = far.empty_like();
        self.solve(far.clone(), lower)?;
        self.queue.clear();
        for position in far.iter() {
            if !self.wins(player, position) {
                self.take(&mut lost, position);
            }
        }
        Ok(lost)
    }

    /// Where the highest priority itself lies, any move that stays among the player's is good.
    fn choose_at_top(&mut self, player: Player, top: u32, active: &Bits) {
        for position in active.iter() {
            if self.priority(position) == top && self.arena.owner(position) == player {
                let stay = |son: u32| active.contains(son);
                if let Some(candidate) = self.arena.find_son(position, 0, stay) {
                    self.choice[position as usize] = self.arena.son_at(position, candidate);
                }
            }
        }
    }

    fn take(&mut self, taken: &mut Bits, position: u32) {
        if taken.insert(position) {
            self.queue.push(position);
        }
    }

    /// Extends `taken`, whose members are queued, by all of `active` from where `player` can force
    /// the play into it.
    fn attract(&mut self, player: Player, active: &Bits, taken: &mut Bits) -> Result<(), Stopped> {
        self.touched.words.fill(0);
        let mut next = 0;
        while next < self.queue.len() {
            let son = self.queue[next];
            next += 1;
            let arena = self.arena;
            arena.for_each_father(son, |father| {
                if !active.contains(father) || taken.contains(father) {
                    return;
                }
                if arena.owner(father) == player {
                    self.choice[father as usize] = son;
                    self.take(taken, father);
                } else if self.is_forced(player, father, son, active, taken) {
                    self.take(taken, father);
                }
            });
            if next % STRIDE == 0 {
                self.monitor.step(STRIDE as u64)?;
            }
        }
        self.monitor.check()
    }

    /// Whether the opponent has no way left but into `taken`. He watches one way at a time, and looks
    /// for another, further on, only when that one is taken.
    fn is_forced(
        &mut self,
        player: Player,
        position: u32,
        son: u32,
        active: &Bits,
        taken: &Bits,
    ) -> bool {
        let watched = !self.touched.insert(position);
        let from = if watched { self.choice[position as usize] } else { 0 };
        if watched && self.arena.son_at(position, from) != son {
            return false;
        }
        let (won, range) = (&*self.won, &self.range);
        let open = |son: u32| match range.contains(&(son as usize)) {
            true => active.contains(son) && !taken.contains(son),
            false => won.contains(son as usize) != (player == Player::Verifier),
        };
        match self.arena.find_son(position, from, open) {
            Some(candidate) => {
                self.choice[position as usize] = candidate;
                false
            }
            None => true,
        }
    }
}
