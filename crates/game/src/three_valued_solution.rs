//! Colouring of the 3-valued model-checking game of an explicit model (C §2.1), without storing the game graph.
//!
//! A stage is a block of mutually dependent equations; inner stages are solved first. A stage with only least or only
//! greatest fixpoints is solved by one attractor computation (paper G §4, which does this per may-MSCC; solving several
//! MSCCs of one kind together gives the same colours). A stage with both kinds is a parity game, solved by Zielonka's
//! algorithm. The 3-valued colour combines two 2-valued games, pessimistic and optimistic (\[10\] of C); for a complete
//! model they coincide.

use crate::arena::{Arena, Player};
use crate::attraction::{Work, has_stored_move, won_words};
use crate::bits::{BITS, Frontier};
use crate::explore::explore;
use crate::model_game::{ArenaView, ModelGame, View};
use crate::plan::{Op, Stage};
use crate::proof::{PlayProof, PlayProofs};
use crate::{alternating, weak_stage};
use fixedbitset::FixedBitSet;
use logic::Truth;
use support::{Monitor, Reservation, Stopped};

/// The solution of the 3-valued game: of the pessimistic and of the optimistic one.
pub struct ThreeValuedSolution {
    /// Positions that a play from an initial position can reach, by any transition.
    pub reachable: FixedBitSet,
    pub edges: u64,
    pessimistic: Side,
    /// `None` if the model is complete: then it is the pessimist's.
    optimistic: Option<Side>,
    _reservation: Reservation,
}

/// Winning region and strategy of one 2-valued game.
pub struct Side {
    /// The positions won by the verifier.
    won: FixedBitSet,
    /// In recursive stages, the moves that the solvers store, and their work space.
    moves: Vec<u32>,
    proofs: PlayProofs,
    _reservation: Reservation,
}

impl ThreeValuedSolution {
    /// Plays from the given positions.
    pub fn new(arena: &ModelGame, initial: &[u32], monitor: &Monitor) -> Result<Self, Stopped> {
        Self::start(arena, initial, false, monitor)
    }

    /// Plays the game and records a proof for both players where the colour is definite.
    pub fn with_proofs(
        arena: &ModelGame,
        initial: &[u32],
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        Self::start(arena, initial, true, monitor)
    }

    fn start(
        arena: &ModelGame,
        initial: &[u32],
        prove: bool,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let (reachable, edges, room) = explore(arena, initial, monitor)?;
        let is_complete = arena.model.is_complete();
        let side = |view, prove: [bool; 2]| {
            let [verifier, falsifier] = prove.map(|prove| prove.then(PlayProof::default));
            Side::new(arena.view(view), &reachable, PlayProofs { verifier, falsifier }, monitor)
        };
        let pessimistic = side(View::Pessimistic, [prove, prove && is_complete])?;
        let optimistic = match is_complete {
            true => None,
            false => Some(side(View::Optimistic, [false, prove])?),
        };
        Ok(Self { reachable, edges, pessimistic, optimistic, _reservation: room })
    }

    pub fn side(&self, view: View) -> &Side {
        match (view, &self.optimistic) {
            (View::Optimistic, Some(side)) => side,
            _ => &self.pessimistic,
        }
    }

    /// The colour of a reachable position. `None` if it is both true and false, which only a model that no
    /// complete system refines can bring about.
    pub fn colour(&self, position: u32) -> Option<Truth> {
        let wins = |view| self.side(view).won.contains(position as usize);
        Truth::from_bounds(wins(View::Pessimistic), wins(View::Optimistic))
    }

    /// A reachable position that is both true and false.
    pub fn contradiction(&self) -> Option<u32> {
        let optimistic = self.optimistic.as_ref()?;
        let words = self.pessimistic.won.as_slice().iter().zip(optimistic.won.as_slice());
        let found = words.enumerate().find_map(|(index, (&pessimist, &optimist))| {
            let both = pessimist & !optimist;
            (both != 0).then(|| index * usize::BITS as usize + both.trailing_zeros() as usize)
        });
        found.map(|position| position as u32)
    }

    /// The proof that true positions are true, or that false ones are false, if it was asked for.
    pub fn proof(&self, value: bool) -> Option<&PlayProof> {
        let view = if value { View::Pessimistic } else { View::Optimistic };
        let PlayProofs { verifier, falsifier } = &self.side(view).proofs;
        if value { verifier.as_ref() } else { falsifier.as_ref() }
    }

    /// Number of reachable positions.
    pub fn nodes(&self) -> u64 {
        self.reachable.count_ones(..) as u64
    }
}

impl Side {
    fn new(
        view: ArenaView,
        reachable: &FixedBitSet,
        proofs: PlayProofs,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let arena = view.arena;
        let recursive = arena.plan.stages.iter().filter(|stage| stage.recursive);
        let entries = recursive.map(|stage| arena.range(stage.high - 1).end).max().unwrap_or(0);
        let room = monitor.reserve(entries as u64 * 4 + arena.size() as u64 / 8)?;
        // Zeroed memory is not touched until a position needs it.
        let won = FixedBitSet::with_capacity(arena.size());
        let mut side = Self { won, moves: vec![0; entries], proofs, _reservation: room };
        monitor.phase("colouring", reachable.count_ones(..) as u64);
        let _reservation = monitor.reserve(arena.size() as u64 / 8)?;
        let mut frontier = Frontier::new(arena.plan.len(), arena.range(0).len() / BITS as usize);
        for stage in &arena.plan.stages {
            side.colour(view, reachable, stage, &mut frontier, monitor)?;
        }
        Ok(side)
    }

    fn colour(
        &mut self,
        view: ArenaView,
        reachable: &FixedBitSet,
        stage: &Stage,
        frontier: &mut Frontier,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let Self { won, moves, proofs, .. } = self;
        let work = Work { reachable, won, moves, frontier, proofs, monitor };
        match (stage.recursive, stage.witness) {
            (false, _) => self.colour_once(view, reachable, stage.low, monitor),
            (true, Some(witness)) => weak_stage::colour(view, stage, witness, work),
            (true, None) => alternating::colour(view, stage, work),
        }
    }

    pub fn verifier_wins(&self, position: u32) -> bool {
        self.won.contains(position as usize)
    }

    fn wins(&self, player: Player, position: u32) -> bool {
        self.won.contains(position as usize) == (player == Player::Verifier)
    }

    /// An equation that does not depend on itself: its successors are coloured already.
    fn colour_once(
        &mut self,
        view: ArenaView,
        reachable: &FixedBitSet,
        equation: u32,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let arena = view.arena;
        let words = |equation| {
            let range = arena.range(equation);
            range.start / BITS as usize..range.end / BITS as usize
        };
        let own = words(equation);
        // Hyper-transitions have higher numbers than the states that they start from.
        for (count, word) in own.clone().rev().enumerate() {
            let of = |successor| self.won.as_slice()[word - own.start + words(successor).start];
            let reachable = reachable.as_slice()[word];
            let bits = match arena.plan.equations[equation as usize].op {
                Op::And(a, b) => of(a) & of(b) & reachable,
                Op::Or(a, b) => (of(a) | of(b)) & reachable,
                _ => reachable,
            };
            self.won.as_mut_slice()[word] = bits;
            if matches!(arena.plan.equations[equation as usize].op, Op::And(..) | Op::Or(..)) {
                continue;
            }
            self.won.as_mut_slice()[word] = 0;
            for bit in (0..BITS).rev().filter(|bit| bits >> bit & 1 == 1) {
                let position = word as u32 * BITS + bit;
                if self.settled_by_successors(view, position) {
                    self.won.insert(position as usize);
                }
            }
            if count % 1024 == 0 {
                monitor.step(u64::from(BITS) * 1024)?;
            }
        }
        for (player, proof) in self.proofs.wanted() {
            let words = won_words(arena, equation, reachable, &self.won, player);
            proof.show(arena, equation, words);
        }
        Ok(())
    }

    /// Whether the verifier wins, if all successors are coloured.
    fn settled_by_successors(&self, view: ArenaView, position: u32) -> bool {
        match view.owner(position) {
            Player::Verifier => {
                view.any_successor(position, |successor| self.verifier_wins(successor))
            }
            Player::Falsifier => {
                !view.any_successor(position, |successor| !self.verifier_wins(successor))
            }
        }
    }

    /// The winner's strategy: his move in a position of his own.
    ///
    /// Where the position was attracted the move may have been remembered. Elsewhere any successor that he
    /// wins will do, one in an inner stage first: in a stage without recursion because plays leave it,
    /// in the rest of a weak stage because plays that stay there forever are his.
    pub fn strategy(&self, view: ArenaView, position: u32) -> Option<u32> {
        let winner =
            if self.verifier_wins(position) { Player::Verifier } else { Player::Falsifier };
        if view.owner(position) != winner {
            return None;
        }
        let arena = view.arena;
        let equation = arena.equation(position);
        let stage = arena.plan.stage_of(equation);
        let attracted = match stage.witness {
            Some(witness) => winner == weak_stage::attracting_player(witness),
            None => true,
        };
        let is_stored = stage.recursive && attracted && has_stored_move(arena, stage, equation);
        if is_stored {
            return Some(self.moves[position as usize]);
        }
        let leaves = |successor: u32| {
            !stage.contains(arena.equation(successor)) && self.wins(winner, successor)
        };
        let candidate = view
            .find_successor(position, 0, leaves)
            .or_else(|| view.find_successor(position, 0, |successor| self.wins(winner, successor)));
        candidate.map(|candidate| view.successor_at(position, candidate))
    }
}
