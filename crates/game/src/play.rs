//! Playing the game of a model and a formula on the board: colours for every live position.
//!
//! The formula's stages are coloured inner ones first. Within a stage whose fixpoints are of one kind
//! this is G §4 on a coarser partition: a stage is a union of may-MSCCs with one witness, and colouring
//! the attracted positions first and the rest by the witness does not depend on how fine the parts
//! are. Alternating stages are parity games. The third colour comes from playing twice, once for the
//! pessimist and once for the optimist ([10] of C); a complete model is played once.

use crate::alternating;
use crate::arena::{Arena, Player};
use crate::board::{Board, BoardView, View};
use crate::plan::{Op, Stage};
use base::{Monitor, Stopped};
use fixedbitset::FixedBitSet;
use logic::{Fix, Truth};

/// How many positions are handled between two looks at the monitor.
const STRIDE: u32 = 1 << 16;

/// The outcome of both games.
pub struct Play {
    /// Positions that a play from an initial position can reach, by any transition.
    pub live: FixedBitSet,
    pub edges: u64,
    pessimistic: Side,
    /// `None` if the model is complete: then it is the pessimist's.
    optimistic: Option<Side>,
}

/// One 2-valued game: who wins where, and how.
pub struct Side {
    /// The positions won by the verifier.
    won: FixedBitSet,
    /// Of an attracted position whose owner wins it: the son to move to. Otherwise work space.
    choice: Vec<u32>,
}

impl Play {
    /// Plays from the given positions.
    pub fn new(board: &Board, initial: &[u32], monitor: &Monitor) -> Result<Self, Stopped> {
        let (live, edges) = explore(board, initial, monitor)?;
        let pessimistic = Side::new(board.view(View::Pessimistic), &live, monitor)?;
        let optimistic = if board.model.is_complete() {
            None
        } else {
            Some(Side::new(board.view(View::Optimistic), &live, monitor)?)
        };
        Ok(Self { live, edges, pessimistic, optimistic })
    }

    pub fn side(&self, view: View) -> &Side {
        match (view, &self.optimistic) {
            (View::Optimistic, Some(side)) => side,
            _ => &self.pessimistic,
        }
    }

    /// The colour of a live position. `None` if it is both true and false, which only a model that no
    /// complete system refines can bring about.
    pub fn colour(&self, position: u32) -> Option<Truth> {
        let wins = |view| self.side(view).won.contains(position as usize);
        Truth::from_bounds(wins(View::Pessimistic), wins(View::Optimistic))
    }

    /// A live position that is both true and false.
    pub fn contradiction(&self) -> Option<u32> {
        let optimistic = self.optimistic.as_ref()?;
        let words = self.pessimistic.won.as_slice().iter().zip(optimistic.won.as_slice());
        let found = words.enumerate().find_map(|(index, (&pessimist, &optimist))| {
            let both = pessimist & !optimist;
            (both != 0).then(|| index * usize::BITS as usize + both.trailing_zeros() as usize)
        });
        found.map(|position| position as u32)
    }

    /// Number of live positions.
    pub fn nodes(&self) -> u64 {
        self.live.count_ones(..) as u64
    }
}

/// Marks what can be reached, and counts the moves between.
fn explore(
    board: &Board,
    initial: &[u32],
    monitor: &Monitor,
) -> Result<(FixedBitSet, u64), Stopped> {
    monitor.phase("exploring", board.plan.len() as u64 * board.places() as u64);
    monitor.reserve(board.size() as u64 / 8)?;
    let mut live = FixedBitSet::with_capacity(board.size());
    let mut open: Vec<u32> = Vec::new();
    for &position in initial {
        if !live.put(position as usize) {
            open.push(position);
        }
    }
    let (mut edges, mut visited) = (0, 0);
    while let Some(position) = open.pop() {
        board.for_each_son(position, |son| {
            edges += 1;
            if !live.put(son as usize) {
                open.push(son);
            }
        });
        visited += 1;
        if visited == STRIDE {
            monitor.step(visited.into())?;
            visited = 0;
        }
    }
    Ok((live, edges))
}

impl Side {
    fn new(view: BoardView, live: &FixedBitSet, monitor: &Monitor) -> Result<Self, Stopped> {
        let board = view.board;
        let recursive = board.plan.stages.iter().filter(|stage| stage.recursive);
        let slots = recursive.map(|stage| board.range(stage.high - 1).end).max().unwrap_or(0);
        monitor.reserve(slots as u64 * 4 + board.size() as u64 / 8)?;
        // Zeroed memory is not touched until a position needs it.
        let mut side =
            Self { won: FixedBitSet::with_capacity(board.size()), choice: vec![0; slots] };
        monitor.phase("colouring", live.count_ones(..) as u64);
        for stage in &board.plan.stages {
            match (stage.recursive, stage.witness) {
                (false, _) => side.colour_once(view, live, stage.low, monitor)?,
                (true, Some(witness)) => side.colour_weak(view, live, stage, witness, monitor)?,
                (true, None) => side.colour_alternating(view, live, stage, monitor)?,
            }
        }
        Ok(side)
    }

    pub fn verifier_wins(&self, position: u32) -> bool {
        self.won.contains(position as usize)
    }

    fn wins(&self, player: Player, position: u32) -> bool {
        self.won.contains(position as usize) == (player == Player::Verifier)
    }

    /// An equation that does not depend on itself: its sons are coloured already.
    fn colour_once(
        &mut self,
        view: BoardView,
        live: &FixedBitSet,
        equation: u32,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let board = view.board;
        let range = board.range(equation);
        let mut seen = 0;
        // Hyper-transitions have higher numbers than the states that they start from.
        for position in ones_backward(live, range) {
            if self.settled_by_sons(view, position) {
                self.won.insert(position as usize);
            }
            seen += 1;
            if seen % STRIDE == 0 {
                monitor.step(STRIDE.into())?;
            }
        }
        Ok(())
    }

    /// Whether the verifier wins, if all sons are coloured.
    fn settled_by_sons(&self, view: BoardView, position: u32) -> bool {
        match view.owner(position) {
            Player::Verifier => view.any_son(position, |son| self.verifier_wins(son)),
            Player::Falsifier => !view.any_son(position, |son| !self.verifier_wins(son)),
        }
    }

    /// A stage with fixpoints of one kind. In a µ-stage the verifier has to get out: what she can
    /// attract is true and the rest, where plays go on forever, false. Dually for ν.
    fn colour_weak(
        &mut self,
        view: BoardView,
        live: &FixedBitSet,
        stage: &Stage,
        witness: Fix,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let board = view.board;
        let range = board.range(stage.low).start..board.range(stage.high - 1).end;
        let player = match witness {
            Fix::Mu => Player::Verifier,
            Fix::Nu => Player::Falsifier,
        };
        if player == Player::Falsifier {
            copy_bits(&mut self.won, live, range.clone());
        }
        let mut attraction =
            Attraction { side: self, view, live, range, player, queue: Vec::new() };
        attraction.start(monitor)?;
        attraction.spread(monitor)
    }

    /// Fixpoints of both kinds depend on each other: a parity game on the stage, its exits coloured.
    fn colour_alternating(
        &mut self,
        view: BoardView,
        live: &FixedBitSet,
        stage: &Stage,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let board = view.board;
        let range = board.range(stage.low).start..board.range(stage.high - 1).end;
        let Self { won, choice } = self;
        alternating::colour(&view, range, stage.lowest, live, won, choice, monitor)
    }

    /// A move of the winner in a position of his: following these he wins.
    ///
    /// Where the position was attracted the move was recorded. Elsewhere any son that he wins will do:
    /// in a stage without recursion because plays leave it, in the rest of a weak stage because plays
    /// that stay there forever are his.
    pub fn strategy(&self, view: BoardView, position: u32) -> Option<u32> {
        let winner =
            if self.verifier_wins(position) { Player::Verifier } else { Player::Falsifier };
        if view.owner(position) != winner {
            return None;
        }
        let stage = stage_of(view.board, position);
        let attracted = match (stage.recursive, stage.witness) {
            (false, _) => false,
            (true, Some(Fix::Mu)) => winner == Player::Verifier,
            (true, Some(Fix::Nu)) => winner == Player::Falsifier,
            (true, None) => true,
        };
        if attracted {
            return Some(self.choice[position as usize]);
        }
        let candidate = view.find_son(position, 0, |son| self.wins(winner, son));
        candidate.map(|candidate| view.son_at(position, candidate))
    }
}

fn stage_of<'b>(board: &'b Board, position: u32) -> &'b Stage {
    let equation = board.equation(position);
    let index = board.plan.stages.partition_point(|stage| stage.high <= equation);
    &board.plan.stages[index]
}

/// Attracting positions of one stage for one player.
///
/// A position of the player's is attracted by its first attracted son. One of the opponent's keeps,
/// in `choice`, a candidate that is not attracted yet and is looked at again only when that one is;
/// candidates before it are attracted for good, so each is passed once.
struct Attraction<'s, 'v, 'a> {
    side: &'s mut Side,
    view: BoardView<'v, 'a>,
    live: &'s FixedBitSet,
    range: std::ops::Range<usize>,
    player: Player,
    queue: Vec<u32>,
}

impl Attraction<'_, '_, '_> {
    /// Attracts what the sons in inner stages already decide. Sons in this stage will call.
    fn start(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        let live = self.live;
        let mut seen = 0;
        for position in ones_backward(live, self.range.clone()) {
            if self.view.owner(position) == self.player {
                self.start_own(position);
            } else {
                self.watch(position, 0);
            }
            seen += 1;
            if seen % STRIDE == 0 {
                monitor.step(STRIDE.into())?;
            }
        }
        Ok(())
    }

    fn start_own(&mut self, position: u32) {
        let board = self.view.board;
        let outside = |equation: u32| !self.range.contains(&board.range(equation).start);
        let exits = match board.plan.equations[board.equation(position) as usize].op {
            Op::And(a, b) | Op::Or(a, b) => outside(a) || outside(b),
            // All its moves stay in the stage, or all leave it and the stage is not recursive.
            Op::Modal(..) | Op::Pass(_) | Op::Const(_) | Op::Lit(..) => false,
        };
        if !exits {
            return;
        }
        let (side, range, player) = (&*self.side, &self.range, self.player);
        let decided = |son: u32| !range.contains(&(son as usize)) && side.wins(player, son);
        if let Some(candidate) = self.view.find_son(position, 0, decided) {
            let son = self.view.son_at(position, candidate);
            self.attract(position, son);
        }
    }

    /// Looks for a son that is not attracted, from a candidate on.
    fn watch(&mut self, position: u32, from: u32) {
        let (side, player) = (&*self.side, self.player);
        match self.view.find_son(position, from, |son| !side.wins(player, son)) {
            Some(candidate) => self.side.choice[position as usize] = candidate,
            None => self.attract(position, 0),
        }
    }

    fn attract(&mut self, position: u32, choice: u32) {
        self.side.choice[position as usize] = choice;
        self.side.won.set(position as usize, self.player == Player::Verifier);
        self.queue.push(position);
    }

    fn spread(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        let view = self.view;
        let mut next = 0;
        while next < self.queue.len() {
            let son = self.queue[next];
            next += 1;
            view.for_each_father(son, |father| self.call(father, son));
            if next % STRIDE as usize == 0 {
                monitor.step(STRIDE.into())?;
            }
        }
        Ok(())
    }

    /// Tells a father that a son of its has been attracted.
    #[inline]
    fn call(&mut self, father: u32, son: u32) {
        let index = father as usize;
        let open = self.range.contains(&index)
            && self.live.contains(index)
            && !self.side.wins(self.player, father);
        if !open {
            return;
        }
        if self.view.owner(father) == self.player {
            self.attract(father, son);
        } else {
            let candidate = self.side.choice[index];
            if self.view.son_at(father, candidate) == son {
                self.watch(father, candidate);
            }
        }
    }
}

/// The members of a set within a range, highest first.
fn ones_backward(
    set: &FixedBitSet,
    range: std::ops::Range<usize>,
) -> impl Iterator<Item = u32> + '_ {
    const BITS: usize = usize::BITS as usize;
    debug_assert!(range.start.is_multiple_of(BITS) && range.end.is_multiple_of(BITS));
    let words = range.start / BITS..range.end / BITS;
    words.rev().flat_map(move |index| {
        let mut word = set.as_slice()[index];
        std::iter::from_fn(move || {
            let bit = word.checked_ilog2()?;
            word &= !(1 << bit);
            Some((index * BITS) as u32 + bit)
        })
    })
}

/// `to` becomes `from` within a range of whole words.
fn copy_bits(to: &mut FixedBitSet, from: &FixedBitSet, range: std::ops::Range<usize>) {
    const BITS: usize = usize::BITS as usize;
    let words = range.start / BITS..range.end / BITS;
    to.as_mut_slice()[words.clone()].copy_from_slice(&from.as_slice()[words]);
}
