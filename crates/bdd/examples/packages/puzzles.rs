//! Queens on a board, and tiles that slide in a frame.

use crate::machines::{Machine, encoded, is_same};
use crate::packages::Shape;
use crate::{Done, MOST_NODES, Peak};
use bdd::Stop;

/// All ways to place `n` queens.
pub fn queens<P: Peak>(n: usize) -> Result<Done, Stop> {
    let mut package = P::new(Shape { groups: n * n, size: 1, most_nodes: MOST_NODES });
    let cells = (0..n * n).map(|cell| package.var(cell)).collect::<Result<Vec<_>, _>>()?;
    let mut all = package.constant(true);
    for row in 0..n {
        let mut any = package.constant(false);
        for column in 0..n {
            any = package.or(&any, &cells[row * n + column])?;
        }
        all = package.and(&all, &any)?;
    }
    for (at, cell) in cells.iter().enumerate() {
        let mut alone = package.constant(true);
        for other in (0..n * n).rev().filter(|&other| attacks(at, other, n)) {
            let free = package.not(&cells[other]);
            alone = package.and(&free, &alone)?;
        }
        let empty = package.not(cell);
        let rule = package.or(&empty, &alone)?;
        all = package.and(&all, &rule)?;
    }
    let answer = (package.density(&all) * ((n * n) as f64).exp2()).round();
    Ok(Done { answer, nodes: package.peak() })
}

fn attacks(one: usize, other: usize, n: usize) -> bool {
    let (down, across) = ((one / n).abs_diff(other / n), (one % n).abs_diff(other % n));
    one != other && (down == 0 || across == 0 || down == across)
}

/// The positions that can be reached in a frame of some rows and columns with one hole.
pub fn sliding<P: Peak>((rows, columns): (usize, usize)) -> Result<Done, Stop> {
    let cells = rows * columns;
    let bits = (usize::BITS - (cells - 1).leading_zeros()) as usize;
    let of = |cell: usize| (cell * bits..(cell + 1) * bits).collect::<Vec<usize>>();
    let mut machine = Machine::<P>::new(cells * bits)?;
    let mut start = machine.package.constant(true);
    for cell in (0..cells).rev() {
        let value = encoded(&mut machine.current, &mut machine.package, &of(cell), cell)?;
        start = machine.package.and(&start, &value)?;
    }
    for hole in 0..cells {
        for other in 0..cells {
            let (down, across) = (
                (hole / columns).abs_diff(other / columns),
                (hole % columns).abs_diff(other % columns),
            );
            if down + across == 1 {
                machine.slide(&of(hole), &of(other))?;
            }
        }
    }
    machine.reach(start)
}

impl<P: Peak> Machine<P> {
    /// The tile in one place moves into the hole in another; both places change and no other.
    fn slide(&mut self, hole: &[usize], tile: &[usize]) -> Result<(), Stop> {
        let mut step = encoded(&mut self.current, &mut self.package, hole, 0)?;
        let emptied = encoded(&mut self.next, &mut self.package, tile, 0)?;
        step = self.package.and(&step, &emptied)?;
        for (&from, &to) in tile.iter().zip(hole) {
            let moved = is_same(&mut self.package, &self.current[from], &self.next[to])?;
            step = self.package.and(&step, &moved)?;
        }
        let changed: Vec<usize> = hole.iter().chain(tile).copied().collect();
        self.add_step(step, &changed)
    }
}
