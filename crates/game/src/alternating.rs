//! Stages with alternating fixpoints: Zielonka's recursive algorithm (1998), without storing the game graph.
//!
//! The recursion is over the priorities of the stage, of which a formula has few, so it is exponential in the
//! alternation depth only. Sets are bits; a position costs four bytes for its move and a few bits.

use crate::arena::{Arena, Player};
use crate::attraction::{Attraction, Counting, Work, stage_words};
use crate::bits::{BITS, ones};
use crate::model_game::ArenaView;
use crate::plan::Stage;
use crate::proof::{Mark, PlayProof};
use std::ops::Range;
use support::Stopped;

const NOTHING: &[usize] = &[];

/// Colours the reachable positions of a stage, given that inner stages are coloured. `moves` gets a
/// move for each position whose owner wins it, except as [`has_stored_move`](crate::attraction::has_stored_move) says.
pub(crate) fn colour(view: ArenaView, stage: &Stage, work: Work) -> Result<(), Stopped> {
    let words = stage_words(view.arena, stage);
    let active = work.reachable.as_slice()[words.clone()].to_vec();
    let mut zielonka = Zielonka { view, stage, words, work };
    let levels = zielonka.levels();
    let active = zielonka.leave(active)?;
    zielonka.solve(active, &levels)
}

/// The positions of a stage, by word.
type Set = Vec<usize>;

fn without(set: &Set, other: &Set) -> Set {
    set.iter().zip(other).map(|(a, b)| a & !b).collect()
}

fn is_empty(set: &Set) -> bool {
    set.iter().all(|&word| word == 0)
}

struct Zielonka<'z, 'b, 'a> {
    view: ArenaView<'b, 'a>,
    stage: &'z Stage,
    /// Those of the stage, in a bit set over the game.
    words: Range<usize>,
    work: Work<'z>,
}

impl<'b, 'a> Zielonka<'_, 'b, 'a> {
    /// The priority of an equation. One of no variable counts as the lowest of a variable: no cycle
    /// avoids all variables.
    fn priority(&self, equation: u32) -> u32 {
        let own = self.view.arena.plan.equations[equation as usize].priority;
        own.max(self.stage.lowest)
    }

    /// The priorities of the stage, highest first.
    fn levels(&self) -> Vec<u32> {
        let mut levels: Vec<u32> =
            (self.stage.low..self.stage.high).map(|equation| self.priority(equation)).collect();
        levels.sort_unstable_by(|a, b| b.cmp(a));
        levels.dedup();
        levels
    }

    fn wins_words(&self, player: Player) -> Set {
        let won = &self.work.won.as_slice()[self.words.clone()];
        match player {
            Player::Verifier => won.to_vec(),
            Player::Falsifier => won.iter().map(|word| !word).collect(),
        }
    }

    fn give(&mut self, player: Player, positions: &Set) {
        let won = &mut self.work.won.as_mut_slice()[self.words.clone()];
        for (won, bits) in won.iter_mut().zip(positions) {
            if player == Player::Verifier { *won |= bits } else { *won &= !bits }
        }
    }

    fn attraction<'s>(
        &'s mut self,
        player: Player,
        active: &'s Set,
        counting: Counting,
        argued: &'s [usize],
    ) -> Attraction<'s, 'b, 'a> {
        Attraction {
            view: self.view,
            stage: self.stage,
            player,
            won: self.work.won,
            active,
            open: active.clone(),
            moves: self.work.moves,
            frontier: self.work.frontier,
            counting,
            proof: self.work.proofs.of(player),
            argued,
        }
    }

    /// Takes out what either player wins by leaving the stage. Afterwards leaving it gains neither player anything.
    fn leave(&mut self, mut active: Set) -> Result<Set, Stopped> {
        for player in [Player::Verifier, Player::Falsifier] {
            let monitor = self.work.monitor;
            let mut attraction = self.attraction(player, &active, Counting::Before, NOTHING);
            attraction.take_exits(monitor)?;
            attraction.run(monitor)?;
            let rest = attraction.open;
            self.give(player, &without(&active, &rest));
            active = rest;
        }
        Ok(active)
    }

    /// `active` without the attractor of `goal` for the player.
    fn attract(&mut self, player: Player, active: &Set, goal: &Set) -> Result<Set, Stopped> {
        let (stage, start) = (self.stage, self.words.start);
        let monitor = self.work.monitor;
        let counting = Counting::OnCall(vec![0; active.len()]);
        let mut attraction = self.attraction(player, active, counting, goal);
        for equation in stage.low..stage.high {
            for word in attraction.words_of(equation) {
                attraction.take_word(equation, word, goal[word - start]);
            }
        }
        attraction.run(monitor)?;
        Ok(attraction.open)
    }

    /// Decides every position of `active`, whose priorities are among `levels`.
    fn solve(&mut self, mut active: Set, levels: &[u32]) -> Result<(), Stopped> {
        let Some((&top, lower)) = levels.split_first() else { return Ok(()) };
        let player = Player::of_priority(top);
        let highest = self.with_priority(top);
        loop {
            let goal: Set = active.iter().zip(&highest).map(|(a, b)| a & b).collect();
            let mark = self.assume(player, top, &goal);
            // At the lowest priority there is nothing far from it.
            if !lower.is_empty() {
                let far = self.attract(player, &active, &goal)?;
                if !is_empty(&far) {
                    self.solve(far.clone(), lower)?;
                    let wins = self.wins_words(player);
                    let lost = without(&far, &wins);
                    if !is_empty(&lost) {
                        self.take_back(player, mark);
                        let rest = self.attract(player.opponent(), &active, &lost)?;
                        self.give(player.opponent(), &without(&active, &rest));
                        active = rest;
                        continue;
                    }
                }
            }
            self.give(player, &active);
            self.choose_at(player, &goal, &active);
            self.work.proofs.of(player).into_iter().for_each(PlayProof::close);
            return Ok(());
        }
    }

    /// Argues that the player wins because the play comes to `goal` again and again, which has his
    /// priority.
    fn assume(&mut self, player: Player, level: u32, goal: &Set) -> Option<Mark> {
        let (arena, start) = (self.view.arena, self.words.start);
        let proof = self.work.proofs.of(player)?;
        let mark = proof.mark();
        proof.open(level);
        for equation in self.stage.low..self.stage.high {
            let range = arena.range(equation);
            let words = range.start / BITS as usize..range.end / BITS as usize;
            proof.assume(arena, equation, words.map(|word| (word, goal[word - start])));
        }
        Some(mark)
    }

    fn take_back(&mut self, player: Player, mark: Option<Mark>) {
        if let (Some(proof), Some(mark)) = (self.work.proofs.of(player), mark) {
            proof.back_to(mark);
        }
    }

    /// All numbers of positions that have a priority.
    fn with_priority(&self, priority: u32) -> Set {
        let per_equation = self.words.len() / (self.stage.high - self.stage.low) as usize;
        (self.stage.low..self.stage.high)
            .flat_map(|equation| {
                let word = if self.priority(equation) == priority { usize::MAX } else { 0 };
                std::iter::repeat_n(word, per_equation)
            })
            .collect()
    }

    /// At the highest priority any move that stays among the player's positions is good.
    fn choose_at(&mut self, player: Player, positions: &Set, active: &Set) {
        let view = self.view;
        let start = self.words.start;
        for (index, &word) in positions.iter().enumerate() {
            for bit in ones(word) {
                let position = (start + index) as u32 * BITS + bit;
                if view.owner(position) != player {
                    continue;
                }
                let stays = |successor: u32| {
                    let local = ((successor / BITS) as usize).wrapping_sub(start);
                    active.get(local).is_some_and(|word| word >> (successor % BITS) & 1 == 1)
                };
                if let Some(candidate) = view.find_successor(position, 0, stays) {
                    self.work.moves[position as usize] = view.successor_at(position, candidate);
                }
            }
        }
    }
}
