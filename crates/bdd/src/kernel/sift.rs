//! Sifting (Rudell): every group of variables is tried in every place, the largest group first.
//!
//! Groups move as one, so that a variable and its next value stay neighbours. A group stops moving in a
//! direction where the BDDs have grown too much, or where all that can still shrink would not make
//! them smaller than the best so far.

use super::Kernel;
use super::swap::Reordering;
use crate::Stop;

/// How much the BDDs may grow on the way.
const GROWTH: (usize, usize) = (6, 5);

impl Kernel {
    /// Looks for a better order of the variables. It may be stopped at any time; what is there is sound.
    pub fn sift(&mut self) -> Result<(), Stop> {
        self.collect();
        self.is_reordering = true;
        let ended = Sifter::new(self).run();
        self.is_reordering = false;
        // Slots that were given back have other nodes now.
        self.cache.clear();
        match ended {
            Err(Stop::Stopped(stopped)) => Err(Stop::Stopped(stopped)),
            _ => Ok(()),
        }
    }
}

/// A run of levels that move as one.
#[derive(Clone, Copy, Debug)]
struct Block {
    group: u32,
    size: u32,
}

struct Sifter<'k> {
    order: Reordering<'k>,
    /// From above.
    blocks: Vec<Block>,
    /// The first level of each place.
    starts: Vec<u32>,
}

impl<'k> Sifter<'k> {
    fn new(kernel: &'k mut Kernel) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        for &var in &kernel.vars {
            let group = kernel.groups[var as usize];
            match blocks.last_mut() {
                Some(block) if block.group == group => block.size += 1,
                _ => blocks.push(Block { group, size: 1 }),
            }
        }
        let mut sifter = Self { order: Reordering::new(kernel), blocks, starts: Vec::new() };
        sifter.starts = vec![0; sifter.blocks.len()];
        sifter.locate(0, sifter.blocks.len());
        sifter
    }

    fn locate(&mut self, from: usize, to: usize) {
        for place in from.max(1)..to {
            self.starts[place] = self.starts[place - 1] + self.blocks[place - 1].size;
        }
    }

    fn run(&mut self) -> Result<(), Stop> {
        let mut largest: Vec<(usize, u32)> = (0..self.blocks.len())
            .map(|place| (self.count(place), self.blocks[place].group))
            .filter(|&(count, _)| count > 0)
            .collect();
        largest.sort_unstable_by(|a, b| b.cmp(a));
        for (_, group) in largest {
            let place = self.blocks.iter().position(|block| block.group == group);
            if let Some(place) = place {
                self.sift(place)?;
            }
        }
        Ok(())
    }

    fn used(&self) -> usize {
        self.order.kernel.used
    }

    /// Nodes of a block.
    fn count(&self, place: usize) -> usize {
        let start = self.starts[place];
        (start..start + self.blocks[place].size).map(|level| self.order.count(level)).sum()
    }

    /// Finds the best place for a block: first towards the nearer end, then towards the other.
    fn sift(&mut self, place: usize) -> Result<(), Stop> {
        let mut best = Best { place, used: self.used() };
        let is_near_the_end = place * 2 >= self.blocks.len();
        let mut at = place;
        for is_down in [is_near_the_end, !is_near_the_end] {
            at = if is_down { self.down(at, &mut best)? } else { self.up(at, &mut best)? };
        }
        self.go(at, best.place)
    }

    fn go(&mut self, mut at: usize, to: usize) -> Result<(), Stop> {
        while at < to {
            self.exchange(at)?;
            at += 1;
        }
        while at > to {
            self.exchange(at - 1)?;
            at -= 1;
        }
        Ok(())
    }

    /// Moves a block down while that can pay; says where it is then.
    fn down(&mut self, mut at: usize, best: &mut Best) -> Result<usize, Stop> {
        let mut can_shrink: usize =
            (at + 1..self.blocks.len()).map(|other| self.shrinks(at, other)).sum();
        while at + 1 < self.blocks.len() && self.used() < best.used + can_shrink {
            can_shrink -= self.shrinks(at, at + 1);
            self.exchange(at)?;
            at += 1;
            if !best.improve(at, self.used()) {
                break;
            }
        }
        Ok(at)
    }

    fn up(&mut self, mut at: usize, best: &mut Best) -> Result<usize, Stop> {
        let mut can_shrink: usize = (0..at).map(|other| self.shrinks(at, other)).sum();
        while at > 0 && self.used() < best.used + can_shrink + self.count(at) {
            can_shrink -= self.shrinks(at, at - 1);
            self.exchange(at - 1)?;
            at -= 1;
            if !best.improve(at, self.used()) {
                break;
            }
        }
        Ok(at)
    }

    /// How many nodes can go away at most when one block is moved past another.
    fn shrinks(&self, one: usize, other: usize) -> usize {
        if self.interact(one, other) { self.count(other) } else { 0 }
    }

    fn interact(&self, one: usize, other: usize) -> bool {
        let vars = |place: usize| {
            let start = self.starts[place];
            let kernel = &*self.order.kernel;
            (start..start + self.blocks[place].size).map(|level| kernel.vars[level as usize])
        };
        vars(one).any(|x| vars(other).any(|y| self.order.interact(x, y)))
    }

    /// Exchanges the block in this place and the one below. It fails before anything is moved, so that
    /// groups stay together.
    fn exchange(&mut self, place: usize) -> Result<(), Stop> {
        let start = self.starts[place];
        self.order.kernel.room_for((self.count(place) + self.count(place + 1)) * 2)?;
        let touched = (self.count(place) + self.count(place + 1)) as u64;
        self.order.kernel.sifted += touched * 2;
        let (upper, lower) = (self.blocks[place].size, self.blocks[place + 1].size);
        for moved in (0..upper).rev() {
            for step in 0..lower {
                self.order.swap(start + moved + step);
            }
        }
        self.blocks.swap(place, place + 1);
        self.locate(place + 1, place + 2);
        Ok(())
    }
}

struct Best {
    place: usize,
    used: usize,
}

impl Best {
    /// Whether it is worth while to go on.
    fn improve(&mut self, place: usize, used: usize) -> bool {
        if used < self.used {
            *self = Best { place, used };
        }
        used * GROWTH.1 <= self.used * GROWTH.0
    }
}
