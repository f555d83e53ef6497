//! Good orders found from bad ones.

use crate::machines::{Machine, add_philosophers, is_same};
use crate::packages::{Ours, Package, Shape};
use crate::{Done, MOST_NODES, Peak};
use bdd::Stop;
use support::Monitor;

/// `x1 … xn y1 … yn` for numbers that are equal: exponential before, linear after.
pub fn equality(n: usize) -> Result<Done, Stop> {
    let mut package = Ours::new(Shape { groups: 2 * n, size: 1, most_nodes: MOST_NODES });
    let mut all = package.constant(true);
    for bit in (0..n).rev() {
        let (x, y) = (package.var(bit)?, package.var(n + bit)?);
        let same = is_same(&mut package, &x, &y)?;
        all = package.and(&all, &same)?;
    }
    package.manager.reorder()?;
    Ok(Done { answer: package.size(&all) as f64, nodes: package.peak() })
}

/// The philosophers' bits in a random order, sifted when there are a few thousand nodes, and at the end.
pub fn philosophers(n: usize) -> Result<Done, Stop> {
    let shape = Shape { groups: 3 * n, size: 2, most_nodes: MOST_NODES };
    let package = Ours::with(&Monitor::new(), shape, Some(4000));
    let mut machine = Machine::with(shuffled(3 * n), package)?;
    let start = add_philosophers(&mut machine, n)?;
    let reached = machine.reached(start)?;
    machine.package.manager.reorder()?;
    Ok(Done { answer: machine.package.size(&reached) as f64, nodes: machine.package.peak() })
}

/// Thousands of small functions, and some of a few variables each that are far from each other.
pub fn many_roots(n: usize) -> Result<Done, Stop> {
    let mut package = Ours::new(Shape { groups: n, size: 1, most_nodes: MOST_NODES });
    let places = shuffled(n);
    let mut held = Vec::new();
    for width in 2..60 {
        for first in 0..n - width {
            let (x, y) = (package.var(places[first])?, package.var(places[first + width])?);
            let z = package.var(places[first + width / 2])?;
            held.push(package.ite(&x, &y, &z)?);
        }
    }
    for chunk in places.chunks(12) {
        let mut sum = package.constant(false);
        for pair in chunk.windows(2) {
            let (x, y) = (package.var(pair[0])?, package.var(pair[1])?);
            let both = package.and(&x, &y)?;
            sum = package.xor(&sum, &both)?;
            held.push(sum.clone());
        }
    }
    package.manager.reorder()?;
    Ok(Done { answer: package.manager.size(&held) as f64, nodes: package.peak() })
}

/// The numbers below `n` in an order without sense.
fn shuffled(n: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..n).collect();
    numbers.sort_by_key(|&number| (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20);
    numbers
}
