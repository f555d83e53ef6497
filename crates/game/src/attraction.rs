//! Attractors on the game: from where a player can force a play into a set of positions.
//!
//! The set of positions that are still *open* shrinks as they are attracted. Moves that stay in the
//! state are made for whole words of states; moves along transitions go from the attracted positions
//! backwards. One of the opponent's modalities counts its successors that are open, and is attracted when
//! none is left.

use crate::arena::{Arena, Player};
use crate::bits::{BITS, Frontier, ones};
use crate::model_game::{ArenaView, ModelGame};
use crate::plan::{Op, Stage};
use crate::proof::{PlayProof, PlayProofs};
use fixedbitset::FixedBitSet;
use std::ops::Range;
use support::{Monitor, Stopped};

/// The words of a stage's positions, of a bit set over the arena.
pub(crate) fn stage_words(arena: &ModelGame, stage: &Stage) -> Range<usize> {
    let start = arena.range(stage.low).start / BITS as usize;
    start..arena.range(stage.high - 1).end / BITS as usize
}

/// The reachable positions of an equation that a player wins.
pub(crate) fn won_words<'w>(
    arena: &ModelGame,
    equation: u32,
    reachable: &'w FixedBitSet,
    won: &'w FixedBitSet,
    player: Player,
) -> impl Iterator<Item = (usize, usize)> + use<'w> {
    let range = arena.range(equation);
    let words = range.start / BITS as usize..range.end / BITS as usize;
    let (reachable, won) = (reachable.as_slice(), won.as_slice());
    words.map(move |word| {
        let wins = if player == Player::Verifier { won[word] } else { !won[word] };
        (word, reachable[word] & wins)
    })
}

/// Whether the move of an attracted position is remembered. Where one of two successors lies in an inner
/// stage, that successor is the move if the mover wins it, and else the other.
pub(crate) fn has_stored_move(arena: &ModelGame, stage: &Stage, equation: u32) -> bool {
    match arena.plan.equations[equation as usize].op {
        Op::And(a, b) | Op::Or(a, b) => stage.contains(a) && stage.contains(b),
        Op::Modal(..) => true,
        Op::Pass(_) | Op::Const(_) | Op::Lit(..) => false,
    }
}

/// Working data for colouring the stages of one view.
pub(crate) struct Work<'w> {
    pub reachable: &'w FixedBitSet,
    pub won: &'w mut FixedBitSet,
    pub moves: &'w mut [u32],
    pub frontier: &'w mut Frontier,
    pub proofs: &'w mut PlayProofs,
    pub monitor: &'w Monitor,
}

/// When the opponent's modalities count their open successors.
pub(crate) enum Counting {
    /// All were counted when the attraction began.
    Before,
    /// Each when the first of its successors is attracted; these have been.
    OnCall(Vec<usize>),
}

/// One attractor in one stage.
pub(crate) struct Attraction<'s, 'b, 'a> {
    pub view: ArenaView<'b, 'a>,
    pub stage: &'s Stage,
    pub player: Player,
    /// Who wins the positions of inner stages.
    pub won: &'s FixedBitSet,
    /// By word of the stage: what is in the game.
    pub active: &'s [usize],
    /// Stages of it that can still be attracted.
    pub open: Vec<usize>,
    /// Of the player's attracted positions: the move. Of the opponent's modalities: the count.
    pub moves: &'s mut [u32],
    pub frontier: &'s mut Frontier,
    pub counting: Counting,
    /// The recorder of the order in which positions are attracted, if there is one.
    pub proof: Option<&'s mut PlayProof>,
    /// By word of the stage: what the proof has already.
    pub argued: &'s [usize],
}

impl<'b, 'a> Attraction<'_, 'b, 'a> {
    fn arena(&self) -> &'b ModelGame<'a> {
        self.view.arena
    }

    fn first_word(&self, equation: u32) -> usize {
        self.arena().range(equation).start / BITS as usize
    }

    pub fn words_of(&self, equation: u32) -> Range<usize> {
        self.first_word(equation)..self.first_word(equation + 1)
    }

    /// The place of a word of the game in `open`.
    #[inline]
    fn local(&self, word: usize) -> usize {
        word - self.first_word(self.stage.low)
    }

    #[inline]
    pub fn open_word(&self, word: usize) -> usize {
        self.open[self.local(word)]
    }

    /// Of a word of a successor's positions: those that are no way out for the opponent. What is yet to be
    /// taken from the frontier does not count, so that predecessors always come after all their successors.
    fn closed_word(&self, equation: u32, word: usize) -> usize {
        if self.stage.contains(equation) {
            return !self.open_word(word) & !self.frontier.pending(word);
        }
        let won = self.won.as_slice()[word];
        if self.player == Player::Verifier { won } else { !won }
    }

    /// Attracts open positions of one word.
    pub fn take_word(&mut self, equation: u32, word: usize, bits: usize) {
        let local = self.local(word);
        self.open[local] &= !bits;
        self.frontier.add(equation, word, bits);
    }

    pub fn take(&mut self, position: u32) {
        let (word, bit) = ((position / BITS) as usize, 1 << (position % BITS));
        self.take_word(self.arena().equation(position), word, bit);
    }

    /// Whether the player makes the choice of a conjunction or disjunction.
    pub fn owns_choice(&self, equation: u32) -> bool {
        let verifier = matches!(self.arena().plan.equations[equation as usize].op, Op::Or(..));
        verifier == (self.player == Player::Verifier)
    }

    /// Attracts the positions that inner stages decide, and the opponent's deadlock states.
    pub fn take_exits(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        for equation in self.stage.low..self.stage.high {
            match self.arena().plan.equations[equation as usize].op {
                Op::And(a, b) | Op::Or(a, b) => {
                    let stage = self.stage;
                    for successor in
                        [a, b].into_iter().filter(|&successor| !stage.contains(successor))
                    {
                        if self.owns_choice(equation) {
                            self.take_where_closed(equation, successor);
                        }
                    }
                }
                Op::Modal(..) => {
                    for word in self.words_of(equation) {
                        self.take_dead_ends(word);
                        if word % 1024 == 0 {
                            monitor.step(0)?;
                        }
                    }
                }
                Op::Pass(_) | Op::Const(_) | Op::Lit(..) => {}
            }
        }
        Ok(())
    }

    fn take_where_closed(&mut self, equation: u32, successor: u32) {
        let (own, other) = (self.words_of(equation), self.first_word(successor));
        for word in own.clone() {
            let bits = self.open_word(word) & self.closed_word(successor, word - own.start + other);
            self.take_word(equation, word, bits);
        }
    }

    /// Counts the successors of the opponent's modalities in a word. All of them lie in the stage.
    fn take_dead_ends(&mut self, word: usize) {
        for bit in ones(self.open_word(word)) {
            let position = word as u32 * BITS + bit;
            if self.view.owner(position) != self.player && self.count_successors(position) == 0 {
                self.take(position);
            }
        }
    }

    /// Attracted successors count too: they have yet to call.
    #[inline]
    fn count_successors(&mut self, position: u32) -> u32 {
        let start = self.first_word(self.stage.low) * BITS as usize;
        let (view, active) = (self.view, self.active);
        let mut successors = 0;
        view.any_successor(position, |successor| {
            let index = successor as usize - start;
            successors += (active[index / BITS as usize] >> (index % BITS as usize) & 1) as u32;
            false
        });
        self.moves[position as usize] = successors;
        successors
    }

    /// Attracts all that follows from what has been.
    pub fn run(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        while let Some((equation, words)) = self.frontier.take() {
            self.prove(equation, &words);
            if let Some(proof) = &mut self.proof {
                proof.keep_up(monitor)?;
            }
            for portion in words.chunks(1024) {
                self.spread(equation, portion);
                monitor.step(portion.iter().map(|(_, bits)| u64::from(bits.count_ones())).sum())?;
            }
        }
        Ok(())
    }

    fn prove(&mut self, equation: u32, words: &[(usize, usize)]) {
        let start = self.first_word(self.stage.low);
        let (arena, argued) = (self.arena(), self.argued);
        let Some(proof) = &mut self.proof else { return };
        let is_argued = |word: usize| argued.get(word - start).copied().unwrap_or(0);
        let new = words.iter().map(|&(word, bits)| (word, bits & !is_argued(word)));
        proof.show(arena, equation, new);
    }

    /// The predecessors within the stage.
    fn spread(&mut self, equation: u32, words: &[(usize, usize)]) {
        let arena = self.arena();
        for &user in &arena.plan.users[equation as usize] {
            if !self.stage.contains(user) {
                continue;
            }
            match arena.plan.equations[user as usize].op {
                Op::And(a, b) | Op::Or(a, b) => {
                    let other = if a == equation { b } else { a };
                    self.spread_choice(equation, user, other, words);
                }
                Op::Modal(..) => self.spread_modal(user, words),
                Op::Pass(_) | Op::Const(_) | Op::Lit(..) => {
                    self.spread_words(equation, user, words, |_, _| usize::MAX);
                }
            }
        }
        if !arena.model.hyper().is_empty() {
            self.spread_hyper(words);
        }
    }

    fn spread_words(
        &mut self,
        equation: u32,
        user: u32,
        words: &[(usize, usize)],
        ready: impl Fn(&Self, usize) -> usize,
    ) {
        let (from, to) = (self.first_word(equation), self.first_word(user));
        for &(word, bits) in words {
            let word = word - from + to;
            let bits = bits & self.open_word(word) & ready(self, word);
            self.take_word(user, word, bits);
        }
    }

    fn spread_choice(&mut self, equation: u32, user: u32, other: u32, words: &[(usize, usize)]) {
        if !self.owns_choice(user) {
            let (to, offset) = (self.first_word(user), self.first_word(other));
            return self.spread_words(equation, user, words, |this, word| {
                this.closed_word(other, word - to + offset)
            });
        }
        if has_stored_move(self.arena(), self.stage, user) {
            self.store_moves(equation, user, words);
        }
        self.spread_words(equation, user, words, |_, _| usize::MAX);
    }

    /// Writes down where the open positions of `user` that are about to be attracted move.
    fn store_moves(&mut self, equation: u32, user: u32, words: &[(usize, usize)]) {
        let (from, to) = (self.arena().range(equation).start, self.arena().range(user).start);
        for &(word, bits) in words {
            let own = word - self.first_word(equation) + self.first_word(user);
            for bit in ones(bits & self.open_word(own)) {
                let successor = word as u32 * BITS + bit;
                self.moves[successor as usize - from + to] = successor;
            }
        }
    }

    fn spread_modal(&mut self, user: u32, words: &[(usize, usize)]) {
        let view = self.view;
        for &(word, bits) in words {
            for bit in ones(bits) {
                let successor = word as u32 * BITS + bit;
                view.for_each_modal_predecessor(successor, user, |predecessor| {
                    self.call(predecessor, successor)
                });
            }
        }
    }

    /// From hyper-transitions to the states that they start from.
    fn spread_hyper(&mut self, words: &[(usize, usize)]) {
        let view = self.view;
        for &(word, bits) in words {
            for bit in ones(bits) {
                let successor = word as u32 * BITS + bit;
                if let Some(predecessor) = view.hyper_predecessor(successor) {
                    self.call(predecessor, successor);
                }
            }
        }
    }

    /// Counts an attracted successor of a modality.
    #[inline]
    fn call(&mut self, predecessor: u32, successor: u32) {
        let open = self.open_word((predecessor / BITS) as usize);
        if open >> (predecessor % BITS) & 1 == 0 {
            return;
        }
        if self.view.owner(predecessor) == self.player {
            self.moves[predecessor as usize] = successor;
            self.take(predecessor);
            return;
        }
        self.count(predecessor);
        let slot = &mut self.moves[predecessor as usize];
        *slot -= 1;
        if *slot == 0 {
            self.take(predecessor);
        }
    }

    /// Sees to it that the successors of a modality are counted before they are counted down.
    #[inline]
    fn count(&mut self, position: u32) {
        let local = self.local((position / BITS) as usize);
        let Counting::OnCall(counted) = &mut self.counting else { return };
        let bit = 1 << (position % BITS);
        if counted[local] & bit == 0 {
            counted[local] |= bit;
            self.count_successors(position);
        }
    }
}
