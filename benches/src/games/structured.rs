//! Families without chance, after the games that the literature tests solvers on.

use super::Builder;
use front::PgGame;

/// 2k nodes in a ring, each with edges to the next two.
pub fn ladder(nodes: u32) -> PgGame {
    let size = nodes.next_multiple_of(2).max(4);
    let mut builder = Builder::new();
    for node in 0..size {
        builder.node(node % 2, node, [(node + 1) % size, (node + 2) % size]);
    }
    builder.0
}

/// Cliques in which priorities and owners alternate; the first node of each also leads on to the next.
pub fn cliques(nodes: u32, width: u32) -> PgGame {
    let count = nodes.div_ceil(width);
    let mut builder = Builder::new();
    for clique in 0..count {
        let first = clique * width;
        let next = (clique + 1) % count * width;
        for member in 0..width {
            let others = (0..width).filter(|&other| other != member).map(|other| first + other);
            let leads_on = (member == 0 && count > 1).then_some(next);
            builder.node(member, member, others.chain(leads_on));
        }
    }
    builder.0
}

/// M. Jurdziński, Small progress measures for solving parity games (2000), §5: rows of the given
/// height, each a zigzag between left and right nodes, coupled at the right nodes of row 0.
pub fn jurdzinski(nodes: u32, height: u32) -> PgGame {
    let width = (nodes / (3 * height)).max(1);
    let grid = Zigzag { width };
    let mut builder = Builder::new();
    for row in 0..height {
        for column in 0..=width {
            let owner = u32::from(row > 0);
            builder.node(2 * row, owner, grid.sons_of_left(row, column));
        }
        for column in 0..width {
            let (priority, owner) = if row == 0 { (1, 1) } else { (2 * row, 0) };
            let here = [grid.left(row, column), grid.left(row, column + 1)];
            let coupled = if row == 0 { 1..height } else { 0..1 };
            let coupled = coupled.map(|other| grid.right(other, column));
            builder.node(priority, owner, here.into_iter().chain(coupled));
        }
        for column in 0..if row == 0 { 0 } else { width } {
            builder.node(2 * row + 1, 0, [grid.right(row, column)]);
        }
    }
    builder.0
}

/// Row 0 has no nodes above.
struct Zigzag {
    width: u32,
}

impl Zigzag {
    fn left(&self, row: u32, column: u32) -> u32 {
        let before = if row == 0 { 0 } else { row * (3 * self.width + 1) - self.width };
        before + column
    }

    fn right(&self, row: u32, column: u32) -> u32 {
        self.left(row, 0) + self.width + 1 + column
    }

    fn above(&self, row: u32, column: u32) -> u32 {
        self.right(row, 0) + self.width + column
    }

    fn sons_of_left(&self, row: u32, column: u32) -> Vec<u32> {
        let mut sons = Vec::new();
        if column > 0 {
            sons.push(self.right(row, column - 1));
        }
        if column < self.width {
            sons.push(self.right(row, column));
            if row > 0 {
                sons.push(self.above(row, column));
            }
        }
        sons
    }
}

/// O. Friedmann, Recursive algorithm for parity games requires exponential time (2011): copies of a
/// game of so many levels, since one of a million nodes would outlive us.
pub fn recursive(nodes: u32, levels: u32) -> PgGame {
    let copy = 5 * levels;
    let mut builder = Builder::new();
    for first in (0..nodes.div_ceil(copy)).map(|index| index * copy) {
        for level in 0..levels {
            recursive_level(&mut builder, first, level, levels);
        }
    }
    builder.0
}

/// The nodes c, d and e of a level, then a and b of the next one, in the paper's names.
fn recursive_level(builder: &mut Builder, first: u32, level: u32, levels: u32) {
    let [c, d, e, a, b] = [0, 1, 2, 3, 4].map(|node| first + 5 * level + node);
    let is_last = level + 1 == levels;
    let parity = level % 2;
    let d_before = (level > 0).then(|| d - 5);
    let d_after = (!is_last).then_some(d + 5);
    let c_after = (!is_last).then_some(c + 5);
    let top = 3 * level + 5;
    builder.node(top, 1 - parity, [b, d]);
    builder.node(top - 1, parity, d_before.into_iter().chain(d_after).chain([e]));
    builder.node(top - 2, 1 - parity, [d, b]);
    // Level i + 1 has the other parity.
    builder.node(parity, parity, [d, b]);
    builder.node(parity, 1 - parity, [a].into_iter().chain(c_after));
}

/// The nodes are the ways to spread discs over three pegs; player 0 moves and wins with all discs on
/// the last peg.
pub fn hanoi(nodes: u32) -> PgGame {
    let discs = f64::from(nodes).log(3.0).round().max(1.0) as u32;
    let states = 3u32.pow(discs);
    let mut builder = Builder::new();
    for state in 0..states {
        if state == states - 1 {
            builder.node(0, 0, [state]);
        } else {
            builder.node(1, 0, hanoi_moves(state, discs));
        }
    }
    builder.0
}

/// Digit `i` of a state is the peg of disc `i`, the smallest being disc 0.
fn hanoi_moves(state: u32, discs: u32) -> Vec<u32> {
    let mut is_covered = [false; 3];
    let mut moves = Vec::new();
    let mut place = 1;
    for _ in 0..discs {
        let peg = state / place % 3;
        if !is_covered[peg as usize] {
            let free = (0..3).filter(|&to| to != peg && !is_covered[to as usize]);
            moves.extend(free.map(|to| state - peg * place + to * place));
        }
        is_covered[peg as usize] = true;
        place *= 3;
    }
    moves
}

/// In turns, player 1 presses a button or not, and player 0 moves the lift by a floor or opens the
/// door, which answers the call from this floor. Player 0 wins if again and again nobody waits on the
/// top floor and again and again nobody waits on the ground floor: the second counts only after the
/// first, so the game remembers which of the two is due.
pub fn elevator(nodes: u32) -> PgGame {
    let size = |floors: u32| u64::from(floors) << (floors + 2);
    let floors = (2..25).take_while(|&floors| size(floors) <= u64::from(nodes)).last().unwrap_or(2);
    let house = House { floors };
    let mut builder = Builder::new();
    for due in 0..2 {
        for floor in 0..floors {
            for calls in 0..1 << floors {
                house.turns(&mut builder, due, floor, calls);
            }
        }
    }
    builder.0
}

struct House {
    floors: u32,
}

impl House {
    /// Player 1's node; player 0's is the next one.
    fn node(&self, due: u32, floor: u32, calls: u32) -> u32 {
        2 * (((due * self.floors + floor) << self.floors) + calls)
    }

    fn turns(&self, builder: &mut Builder, due: u32, floor: u32, calls: u32) {
        let awaited = if due == 0 { self.floors - 1 } else { 0 };
        let is_met = calls >> awaited & 1 == 0;
        let next_due = if is_met { 1 - due } else { due };
        // Priority 2 where both have been met in turn.
        let priority = if is_met && due == 1 { 2 } else { 1 };
        let pressed = (0..self.floors).filter(|&button| calls >> button & 1 == 0);
        let calls_after = pressed.map(|button| calls | 1 << button).chain([calls]);
        let here = self.node(due, floor, calls);
        let to_lift = calls_after.map(|calls| self.node(next_due, floor, calls) + 1);
        builder.node(priority, 1, to_lift);
        let up = (floor + 1 < self.floors).then(|| self.node(due, floor + 1, calls));
        let down = (floor > 0).then(|| self.node(due, floor - 1, calls));
        let open = self.node(due, floor, calls & !(1 << floor));
        debug_assert_eq!(builder.0.len() as u32, here + 1);
        builder.node(0, 0, up.into_iter().chain(down).chain([open]));
    }
}
