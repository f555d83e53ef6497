//! The games that a model checker plays: pairs of a state and a subformula.
//!
//! The formulas say that the system can make its moves so that the play satisfies a parity condition,
//! whatever the environment does; `e` holds where it is the environment's turn.

use super::{Builder, Wish};
use crate::lts;
use crate::random::mix;
use front::PgGame;
use model::Model;

/// A subformula; the numbers are those of other subformulas.
#[derive(Clone, Copy)]
pub enum Part {
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
pub fn depth_2() -> Vec<Part> {
    let (x, y) = (0, 1);
    let mut parts = vec![Fix(2, 1), Fix(1, 2)];
    parts.extend(turn(2));
    parts.extend([Or(10, y), And(11, x), Holds(P)]);
    parts
}

/// mu W. nu X. mu Y. turn((r & W) | (!r & ((p & X) | Y)))
pub fn depth_3() -> Vec<Part> {
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
pub fn make(formula: &[Part], wish: &Wish) -> PgGame {
    let inner = formula.iter().filter(|part| !matches!(part, Holds(_) | Lacks(_))).count() as u32;
    let system = lts::make(&lts::Wish::of(wish.over, (wish.nodes / inner).max(1), wish.seed));
    let mut product = Product {
        formula,
        seed: wish.seed,
        numbers: vec![0; system.states() * formula.len()],
        system: &system,
        found: Vec::new(),
    };
    let mut builder = Builder::new();
    builder.node(0, 0, [TRUE]);
    builder.node(1, 1, [FALSE]);
    let mut sons = vec![product.number(0, 0)];
    let mut next = 0;
    while let Some(&(state, part)) = product.found.get(next) {
        sons.clear();
        let (priority, owner) = product.expand(state, part, &mut sons);
        builder.node(priority, owner, sons.iter().copied());
        next += 1;
    }
    builder.0
}

struct Product<'a> {
    formula: &'a [Part],
    system: &'a Model,
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
    fn expand(&mut self, state: u32, part: u32, sons: &mut Vec<u32>) -> (u32, u32) {
        match self.formula[part as usize] {
            Fix(priority, body) => {
                sons.push(self.number(state, body));
                (priority, 0)
            }
            Or(left, right) => {
                sons.extend([self.number(state, left), self.number(state, right)]);
                (0, 0)
            }
            And(left, right) => {
                sons.extend([self.number(state, left), self.number(state, right)]);
                (0, 1)
            }
            Box(after) => {
                self.step(state, after, TRUE, sons);
                (0, 1)
            }
            Diamond(after) => {
                self.step(state, after, FALSE, sons);
                (0, 0)
            }
            Holds(_) | Lacks(_) => unreachable!("literals are numbered TRUE or FALSE"),
        }
    }

    fn step(&mut self, state: u32, after: u32, if_none: u32, sons: &mut Vec<u32>) {
        let edges = self.system.edges();
        sons.extend(edges.row(state).map(|edge| self.number(edges.target(edge), after)));
        if sons.is_empty() {
            sons.push(if_none);
        }
    }
}
