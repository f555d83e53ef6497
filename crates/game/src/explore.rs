//! The reachable positions of a game.

use crate::bits::{BITS, Frontier, ones};
use crate::model_game::ModelGame;
use crate::plan::Op;
use fixedbitset::FixedBitSet;
use support::{Monitor, Reservation, Stopped};

/// Marks what can be reached from the given positions, by may and must transitions, and counts the
/// moves between.
pub(crate) fn explore(
    arena: &ModelGame,
    initial: &[u32],
    monitor: &Monitor,
) -> Result<(FixedBitSet, u64, Reservation), Stopped> {
    monitor.phase("exploring", arena.plan.len() as u64 * arena.places() as u64);
    let mut room = monitor.reserve(arena.size() as u64 / 8 * 2)?;
    let words_per_equation = arena.range(0).len() / BITS as usize;
    let mut explorer = Explorer {
        arena,
        reachable: FixedBitSet::with_capacity(arena.size()),
        frontier: Frontier::new(arena.plan.len(), words_per_equation),
        edges: 0,
    };
    for &position in initial {
        explorer.reach(position);
    }
    while let Some((equation, words)) = explorer.frontier.take() {
        for portion in words.chunks(1024) {
            explorer.visit(equation, portion);
            monitor.step(portion.iter().map(|(_, bits)| u64::from(bits.count_ones())).sum())?;
        }
    }
    drop(explorer.frontier);
    room.cover(arena.size() as u64 / 8, monitor)?;
    Ok((explorer.reachable, explorer.edges, room))
}

struct Explorer<'b, 'a> {
    arena: &'b ModelGame<'a>,
    reachable: FixedBitSet,
    frontier: Frontier,
    edges: u64,
}

impl Explorer<'_, '_> {
    #[inline]
    fn reach(&mut self, position: u32) {
        let (word, bit) = ((position / BITS) as usize, 1 << (position % BITS));
        self.reach_word(self.arena.equation(position), word, bit);
    }

    #[inline]
    fn reach_word(&mut self, equation: u32, word: usize, bits: usize) {
        let reachable = &mut self.reachable.as_mut_slice()[word];
        let new = bits & !*reachable;
        *reachable |= new;
        self.frontier.add(equation, word, new);
    }

    fn visit(&mut self, equation: u32, words: &[(usize, usize)]) {
        match self.arena.plan.equations[equation as usize].op {
            Op::Const(_) | Op::Lit(..) => {}
            Op::And(a, b) | Op::Or(a, b) => {
                self.visit_same_place(equation, a, words);
                self.visit_same_place(equation, b, words);
            }
            Op::Pass(body) => self.visit_same_place(equation, body, words),
            Op::Modal(..) => self.visit_modal(words),
        }
    }

    /// Moves that change the equation alone: whole words at once.
    fn visit_same_place(&mut self, equation: u32, successor: u32, words: &[(usize, usize)]) {
        let start = |equation| self.arena.range(equation).start / BITS as usize;
        let (from, to) = (start(equation), start(successor));
        for &(word, bits) in words {
            self.edges += u64::from(bits.count_ones());
            self.reach_word(successor, word - from + to, bits);
        }
    }

    fn visit_modal(&mut self, words: &[(usize, usize)]) {
        let arena = self.arena;
        for &(word, bits) in words {
            for bit in ones(bits) {
                arena.for_each_successor(word as u32 * BITS + bit, |successor| {
                    self.edges += 1;
                    self.reach(successor);
                });
            }
        }
    }
}
