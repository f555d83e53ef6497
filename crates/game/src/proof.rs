//! The proof that a player wins his positions: the order in which they were coloured.
//!
//! A step shows that a player wins some positions because of those before; in a bracket he may assume
//! that he wins positions of one of his priorities, if that follows when the bracket is closed. The
//! colourings work in this way anyhow: an attractor shows, a fixpoint of the player's kind assumes, and
//! Zielonka's algorithm nests the two. So a proof is recorded at little cost.

use crate::arena::Player;
use crate::bits::BITS;
use crate::model_game::ModelGame;
use crate::plan::Op;
use std::ops::Range;
use support::{Monitor, Reservation, Stopped};

#[derive(Clone, Debug)]
pub enum PlayProofStep<'a> {
    /// The player wins the positions of this equation in these states.
    Prove(u32, &'a [Range<u32>]),
    Open {
        level: u32,
    },
    /// Like `Claim`, as an assumption of the innermost bracket.
    Assume(u32, &'a [Range<u32>]),
    Close,
}

#[derive(Clone, Copy)]
enum Kind {
    Prove(u32),
    Open(u32),
    Assume(u32),
    Close,
}

/// Winning region of one player in one game, as proof steps, inner stages first. Literals, constants and the
/// targets of hyper-transitions are left out.
#[derive(Default)]
pub struct PlayProof {
    /// Each with the end of its states in `runs`.
    steps: Vec<(Kind, usize)>,
    runs: Vec<Range<u32>>,
    room: Reservation,
}

/// How far an proof had come.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize, usize);

impl PlayProof {
    pub fn steps(&self) -> impl Iterator<Item = PlayProofStep<'_>> {
        let starts = [0].into_iter().chain(self.steps.iter().map(|&(_, end)| end));
        self.steps.iter().zip(starts).map(|(&(kind, end), start)| match kind {
            Kind::Prove(equation) => PlayProofStep::Prove(equation, &self.runs[start..end]),
            Kind::Open(level) => PlayProofStep::Open { level },
            Kind::Assume(equation) => PlayProofStep::Assume(equation, &self.runs[start..end]),
            Kind::Close => PlayProofStep::Close,
        })
    }

    /// Takes its memory from the monitor.
    pub(crate) fn keep_up(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        let steps = self.steps.len() * size_of::<(Kind, usize)>();
        self.room.keep_up((steps + self.runs.len() * size_of::<Range<u32>>()) as u64, monitor)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.steps.len(), self.runs.len())
    }

    /// Takes back everything since then.
    pub(crate) fn back_to(&mut self, Mark(steps, runs): Mark) {
        self.steps.truncate(steps);
        self.runs.truncate(runs);
    }

    pub(crate) fn open(&mut self, level: u32) {
        self.steps.push((Kind::Open(level), self.runs.len()));
    }

    pub(crate) fn close(&mut self) {
        self.steps.push((Kind::Close, self.runs.len()));
    }

    /// Words of the game that belong to one equation, in rising order.
    pub(crate) fn show(
        &mut self,
        arena: &ModelGame,
        equation: u32,
        words: impl Iterator<Item = (usize, usize)>,
    ) {
        self.add(arena, equation, words, Kind::Prove(equation));
    }

    pub(crate) fn assume(
        &mut self,
        arena: &ModelGame,
        equation: u32,
        words: impl Iterator<Item = (usize, usize)>,
    ) {
        self.add(arena, equation, words, Kind::Assume(equation));
    }

    fn add(
        &mut self,
        arena: &ModelGame,
        equation: u32,
        words: impl Iterator<Item = (usize, usize)>,
        kind: Kind,
    ) {
        let op = arena.plan.equations[equation as usize].op;
        if matches!(op, Op::Const(_) | Op::Lit(..)) {
            return;
        }
        let before = self.runs.len();
        let first = arena.range(equation).start / BITS as usize;
        for (word, bits) in words {
            self.add_word(before, (word - first) as u32 * BITS, bits);
        }
        self.cut(before, arena.model.states() as u32);
        if self.runs.len() > before {
            self.steps.push((kind, self.runs.len()));
        }
    }

    #[inline]
    fn add_word(&mut self, before: usize, place: u32, mut bits: usize) {
        while bits != 0 {
            let start = bits.trailing_zeros();
            let length = (!(bits >> start)).trailing_zeros().min(BITS - start);
            let run = place + start..place + start + length;
            match self.runs[before..].last_mut() {
                Some(last) if last.end == run.start => last.end = run.end,
                _ => self.runs.push(run),
            }
            let past = start + length;
            bits = if past == BITS { 0 } else { bits >> past << past };
        }
    }

    /// Places behind the states are hyper-transitions.
    fn cut(&mut self, before: usize, states: u32) {
        while self.runs.len() > before {
            match self.runs.last_mut() {
                Some(last) if last.start >= states => {
                    self.runs.pop();
                }
                Some(last) => {
                    last.end = last.end.min(states);
                    return;
                }
                None => return,
            }
        }
    }
}

/// The proofs of both players in one game, of those that are wanted.
#[derive(Default)]
pub(crate) struct PlayProofs {
    pub verifier: Option<PlayProof>,
    pub falsifier: Option<PlayProof>,
}

impl PlayProofs {
    pub fn of(&mut self, player: Player) -> Option<&mut PlayProof> {
        match player {
            Player::Verifier => self.verifier.as_mut(),
            Player::Falsifier => self.falsifier.as_mut(),
        }
    }

    pub fn wanted(&mut self) -> impl Iterator<Item = (Player, &mut PlayProof)> {
        let verifier = self.verifier.as_mut().map(|proof| (Player::Verifier, proof));
        let falsifier = self.falsifier.as_mut().map(|proof| (Player::Falsifier, proof));
        verifier.into_iter().chain(falsifier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_runs() {
        let mut proof = PlayProof::default();
        proof.add_word(0, 0, 0b1101 | 1 << 63);
        proof.add_word(0, 64, usize::MAX);
        proof.add_word(0, 128, 0b10);
        assert_eq!(proof.runs, [0..1, 2..4, 63..128, 129..130]);
        proof.cut(0, 100);
        assert_eq!(proof.runs, [0..1, 2..4, 63..100]);
    }
}
