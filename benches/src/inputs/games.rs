//! Parity games: the highest priority that occurs forever decides, player 0 wins the even ones.

use super::lts::{self, Shape};
use crate::random::{Random, mix};
use clap::{Args, ValueEnum};
use std::io::{self, Write};

#[derive(Clone, Copy, ValueEnum)]
pub enum Family {
    /// Everything at random
    Random,
    /// A formula of alternation depth 2 on a transition system
    Mc2,
    /// A formula of alternation depth 3 on a transition system
    Mc3,
    /// A closed ladder: two steps ahead at most, owners and priorities in turns
    Ladder,
    /// A chain of small cliques
    Cliques,
    /// Jurdziński's games, hard for small progress measures
    Jurdzinski,
    /// Many copies of Friedmann's game, hard for the recursive algorithm
    Recursive,
    /// The towers of Hanoi: can they be moved?
    Hanoi,
    /// A lift against people who press buttons: is a floor served again and again?
    Elevator,
}

#[derive(Args)]
pub struct Wish {
    pub family: Family,
    /// About how many nodes
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many priorities (random)
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub priorities: u32,
    /// The fewest sons of a node (random)
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub min: u32,
    /// The most sons of a node (random)
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub max: u32,
    /// The transition system that is checked (mc2, mc3)
    #[arg(long, value_enum, default_value = "uniform")]
    pub over: Shape,
    /// Size of a clique, or levels of a Jurdziński or recursive game
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..))]
    pub depth: u32,
}

pub fn make(wish: &Wish) -> Game {
    match wish.family {
        Family::Random => random(wish),
        Family::Mc2 => model_checking(&depth_2(), wish),
        Family::Mc3 => model_checking(&depth_3(), wish),
        Family::Ladder => ladder(wish.nodes),
        Family::Cliques => cliques(wish.nodes, wish.depth),
        Family::Jurdzinski => jurdzinski(wish.nodes, wish.depth),
        Family::Recursive => recursive(wish.nodes, wish.depth),
        Family::Hanoi => hanoi(wish.nodes),
        Family::Elevator => elevator(wish.nodes),
    }
}

/// A game that is put together node by node.
#[derive(PartialEq, Debug)]
pub struct Game {
    /// Priority and owner.
    nodes: Vec<(u32, u32)>,
    successor_offsets: Vec<usize>,
    pub successors: Vec<u32>,
}

impl Game {
    fn new() -> Self {
        Self { nodes: Vec::new(), successor_offsets: vec![0], successors: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    fn node(&mut self, priority: u32, owner: u32, successors: impl IntoIterator<Item = u32>) {
        self.nodes.push((priority, owner % 2));
        self.successors.extend(successors);
        self.successor_offsets.push(self.successors.len());
    }

    /// In PGSolver's format.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "parity {};", self.len() - 1)?;
        for (node, (priority, owner)) in self.nodes.iter().enumerate() {
            write!(out, "{node} {priority} {owner} ")?;
            let successors =
                &self.successors[self.successor_offsets[node]..self.successor_offsets[node + 1]];
            for (place, successor) in successors.iter().enumerate() {
                write!(out, "{}{successor}", if place == 0 { "" } else { "," })?;
            }
            writeln!(out, ";")?;
        }
        Ok(())
    }
}

fn random(wish: &Wish) -> Game {
    let mut random = Random::new(wish.seed);
    let mut builder = Game::new();
    for _ in 0..wish.nodes {
        let (priority, owner) = (random.below(wish.priorities), random.below(2));
        let degree = wish.min + random.below(wish.max.max(wish.min) - wish.min + 1);
        builder.node(priority, owner, (0..degree).map(|_| random.below(wish.nodes)));
    }
    builder
}

/// The games that a model checker plays: pairs of a state and a subformula. The formulas say that the system can make
/// its moves so that the play satisfies a parity condition, whatever the environment does; `e` holds where it is the
/// environment's turn.
///
/// A subformula; the numbers are those of other subformulas.
#[derive(Clone, Copy)]
enum Part {
    /// A fixpoint with its priority, and also its variable.
    Fix(u32, u32),
    Or(u32, u32),
    And(u32, u32),
    Box(u32),
    Diamond(u32),
    /// A proposition that holds in one of so many states, chosen at random.
    Holds(u64),
    Lacks(u64),
}

use Part::{And, Box, Diamond, Fix, Holds, Lacks, Or};

const E: u64 = 2;
const P: u64 = 16;
const R: u64 = 61;

/// The parts from `first` on: ((e & [] f) | (!e & <> f)), where f is the part that comes next.
fn turn(first: u32) -> [Part; 7] {
    let [all, some, is_env, is_sys, every, any, after] = [1, 2, 3, 4, 5, 6, 7].map(|i| first + i);
    [
        Or(all, some),
        And(is_env, every),
        And(is_sys, any),
        Holds(E),
        Lacks(E),
        Box(after),
        Diamond(after),
    ]
}

/// nu X. mu Y. turn((p & X) | Y)
fn depth_2() -> Vec<Part> {
    let (x, y) = (0, 1);
    let mut parts = vec![Fix(2, 1), Fix(1, 2)];
    parts.extend(turn(2));
    parts.extend([Or(10, y), And(11, x), Holds(P)]);
    parts
}

/// mu W. nu X. mu Y. turn((r & W) | (!r & ((p & X) | Y)))
fn depth_3() -> Vec<Part> {
    let (w, x, y) = (0, 1, 2);
    let mut parts = vec![Fix(3, 1), Fix(2, 2), Fix(1, 3)];
    parts.extend(turn(3));
    parts.extend([Or(11, 13), And(12, w), Holds(R), And(14, 15), Lacks(R)]);
    parts.extend([Or(16, y), And(17, x), Holds(P)]);
    parts
}

/// Won by player 0, and by player 1: where literals and modalities without transitions lead.
const TRUE: u32 = 0;
const FALSE: u32 = 1;

/// The part of the product that is reachable from the formula in the initial state, breadth first.
fn model_checking(formula: &[Part], wish: &Wish) -> Game {
    let inner = formula.iter().filter(|part| !matches!(part, Holds(_) | Lacks(_))).count() as u32;
    let system = lts::make(&lts::Wish::of(wish.over, (wish.nodes / inner).max(1), wish.seed));
    let mut rows = vec![0; system.states as usize + 1];
    system.edges.iter().for_each(|(source, ..)| rows[*source as usize + 1] += 1);
    (1..rows.len()).for_each(|state| rows[state] += rows[state - 1]);
    let mut product = Product {
        formula,
        seed: wish.seed,
        numbers: vec![0; system.states as usize * formula.len()],
        rows: &rows,
        system: &system,
        found: Vec::new(),
    };
    let mut builder = Game::new();
    builder.node(0, 0, [TRUE]);
    builder.node(1, 1, [FALSE]);
    let mut successors = vec![product.number(0, 0)];
    let mut next = 0;
    while let Some(&(state, part)) = product.found.get(next) {
        successors.clear();
        let (priority, owner) = product.expand(state, part, &mut successors);
        builder.node(priority, owner, successors.iter().copied());
        next += 1;
    }
    builder
}

struct Product<'a> {
    formula: &'a [Part],
    system: &'a lts::Lts,
    /// Where the edges of a state begin.
    rows: &'a [usize],
    seed: u64,
    /// By state and part: the node, or 0.
    numbers: Vec<u32>,
    found: Vec<(u32, u32)>,
}

impl Product<'_> {
    fn number(&mut self, state: u32, part: u32) -> u32 {
        match self.formula[part as usize] {
            Holds(rarity) => return if self.holds(rarity, state) { TRUE } else { FALSE },
            Lacks(rarity) => return if self.holds(rarity, state) { FALSE } else { TRUE },
            _ => {}
        }
        let slot = &mut self.numbers[state as usize * self.formula.len() + part as usize];
        if *slot == 0 {
            self.found.push((state, part));
            *slot = self.found.len() as u32 + FALSE;
        }
        *slot
    }

    fn holds(&self, rarity: u64, state: u32) -> bool {
        mix(mix(self.seed ^ rarity << 32) ^ u64::from(state)).is_multiple_of(rarity)
    }

    /// Priority, owner and sons of a node.
    fn expand(&mut self, state: u32, part: u32, successors: &mut Vec<u32>) -> (u32, u32) {
        let part = self.formula[part as usize];
        match part {
            Fix(_, body) => successors.push(self.number(state, body)),
            Or(left, right) | And(left, right) => {
                successors.extend([self.number(state, left), self.number(state, right)]);
            }
            Box(after) | Diamond(after) => {
                let (system, rows) = (self.system, &self.rows[state as usize..]);
                let edges = &system.edges[rows[0]..rows[1]];
                successors.extend(edges.iter().map(|&(_, _, target)| self.number(target, after)));
                if successors.is_empty() {
                    successors.push(if matches!(part, Box(_)) { TRUE } else { FALSE });
                }
            }
            Holds(_) | Lacks(_) => unreachable!("literals are numbered TRUE or FALSE"),
        }
        let priority = if let Fix(priority, _) = part { priority } else { 0 };
        (priority, u32::from(matches!(part, And(..) | Box(_))))
    }
}

/// 2k nodes in a ring, each with edges to the next two.
fn ladder(nodes: u32) -> Game {
    let size = nodes.next_multiple_of(2).max(4);
    let mut builder = Game::new();
    for node in 0..size {
        builder.node(node % 2, node, [(node + 1) % size, (node + 2) % size]);
    }
    builder
}

/// Cliques in which priorities and owners alternate; the first node of each also leads on to the next.
fn cliques(nodes: u32, width: u32) -> Game {
    let count = nodes.div_ceil(width);
    let mut builder = Game::new();
    for clique in 0..count {
        let first = clique * width;
        let next = (clique + 1) % count * width;
        for member in 0..width {
            let others = (0..width).filter(|&other| other != member).map(|other| first + other);
            let leads_on = (member == 0 && count > 1).then_some(next);
            builder.node(member, member, others.chain(leads_on));
        }
    }
    builder
}

/// M. Jurdziński, Small progress measures for solving parity games (2000), §5: rows of the given
/// height, each a zigzag between left and right nodes, coupled at the right nodes of row 0.
fn jurdzinski(nodes: u32, height: u32) -> Game {
    let width = (nodes / (3 * height)).max(1);
    let grid = Zigzag { width };
    let mut builder = Game::new();
    for row in 0..height {
        for column in 0..=width {
            let owner = u32::from(row > 0);
            builder.node(2 * row, owner, grid.successors_of_left(row, column));
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
    builder
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

    fn successors_of_left(&self, row: u32, column: u32) -> Vec<u32> {
        let mut successors = Vec::new();
        if column > 0 {
            successors.push(self.right(row, column - 1));
        }
        if column < self.width {
            successors.push(self.right(row, column));
            if row > 0 {
                successors.push(self.above(row, column));
            }
        }
        successors
    }
}

/// O. Friedmann, Recursive algorithm for parity games requires exponential time (2011): copies of a
/// game of so many levels, since one of a million nodes would outlive us.
fn recursive(nodes: u32, levels: u32) -> Game {
    let copy = 5 * levels;
    let mut builder = Game::new();
    for first in (0..nodes.div_ceil(copy)).map(|index| index * copy) {
        for level in 0..levels {
            recursive_level(&mut builder, first, level, levels);
        }
    }
    builder
}

/// The nodes c, d and e of a level, then a and b of the next one, in the paper's names.
fn recursive_level(builder: &mut Game, first: u32, level: u32, levels: u32) {
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
fn hanoi(nodes: u32) -> Game {
    let discs = f64::from(nodes).log(3.0).round().max(1.0) as u32;
    let states = 3u32.pow(discs);
    let mut builder = Game::new();
    for state in 0..states {
        if state == states - 1 {
            builder.node(0, 0, [state]);
        } else {
            builder.node(1, 0, hanoi_moves(state, discs));
        }
    }
    builder
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
fn elevator(nodes: u32) -> Game {
    let size = |floors: u32| u64::from(floors) << (floors + 2);
    let floors = (2..25).take_while(|&floors| size(floors) <= u64::from(nodes)).last().unwrap_or(2);
    let house = House { floors };
    let mut builder = Game::new();
    for due in 0..2 {
        for floor in 0..floors {
            for calls in 0..1 << floors {
                house.turns(&mut builder, due, floor, calls);
            }
        }
    }
    builder
}

struct House {
    floors: u32,
}

impl House {
    /// Player 1's node; player 0's is the next one.
    fn node(&self, due: u32, floor: u32, calls: u32) -> u32 {
        2 * (((due * self.floors + floor) << self.floors) + calls)
    }

    fn turns(&self, builder: &mut Game, due: u32, floor: u32, calls: u32) {
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
        debug_assert_eq!(builder.len() as u32, here + 1);
        builder.node(0, 0, up.into_iter().chain(down).chain([open]));
    }
}
