//! Solvers of 2-valued parity games: winning regions and strategies. Zielonka's recursive algorithm and tangle
//! learning, behind one preprocessing and a decomposition into strongly connected components.

mod attractor;
mod buckets;
mod components;
mod engine;
mod field;
mod preprocess;
mod progressive;
mod tangle;
mod tangle_store;
mod verify;
mod zielonka;

use crate::arena::Player;
use crate::parity_game::ParityGame;
use engine::Engine;
use field::{Field, NONE, Zone};
use fixedbitset::FixedBitSet;
use preprocess::preprocess;
use support::{Monitor, Stopped};

pub use verify::{Flaw, verify};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Zielonka's; component by component if the game resists, in turns with tangle learning.
    #[default]
    Auto,
    Zielonka,
    /// Zielonka's, one strongly connected component at a time.
    Components,
    /// Tangle learning, one strongly connected component at a time.
    Tangle,
}

/// Who wins each node, and a positional strategy for each player on what he wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    falsifier: FixedBitSet,
    strategy: Vec<u32>,
}

impl Solution {
    /// A solution from elsewhere, node by node, which need not be right.
    pub fn from_parts(nodes: impl IntoIterator<Item = (Player, Option<u32>)>) -> Self {
        let mut solution = Self { falsifier: FixedBitSet::new(), strategy: Vec::new() };
        for (node, (winner, successor)) in nodes.into_iter().enumerate() {
            solution.falsifier.grow_and_insert(node);
            solution.falsifier.set(node, winner == Player::Falsifier);
            solution.strategy.push(successor.unwrap_or(NONE));
        }
        solution
    }

    pub fn len(&self) -> usize {
        self.strategy.len()
    }

    pub fn is_empty(&self) -> bool {
        self.strategy.is_empty()
    }

    pub fn winner(&self, node: u32) -> Player {
        if self.falsifier.contains(node as usize) { Player::Falsifier } else { Player::Verifier }
    }

    /// Where the winner of a node of his moves.
    pub fn strategy(&self, node: u32) -> Option<u32> {
        let successor = self.strategy[node as usize];
        (successor != NONE).then_some(successor)
    }
}

/// The steps between two calls of the monitor.
const STRIDE: u32 = 1 << 12;

/// The work of the first attempt on the game, before its decomposition into SCCs, in steps a node.
const ATTEMPT: u64 = 6;

/// The work of the first attempt on an SCC, in steps a node. It doubles with each further one.
const FIRST_SLICE: u64 = 16;

/// Games on which tangle learning alone is fast are solved by then.
const PLAIN: u32 = 3;

/// Counts steps and calls the monitor every `STRIDE` of them.
pub(crate) struct Ticker<'a> {
    monitor: &'a Monitor,
    steps: u32,
    /// The steps up to the last call.
    past: u64,
}

impl<'a> Ticker<'a> {
    pub fn new(monitor: &'a Monitor) -> Self {
        Self { monitor, steps: 0, past: 0 }
    }

    #[inline]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        self.spend(1)
    }

    #[inline]
    pub fn spend(&mut self, steps: u32) -> Result<(), Stopped> {
        self.steps += steps;
        if self.steps < STRIDE {
            return Ok(());
        }
        let steps = u64::from(std::mem::take(&mut self.steps));
        self.past += steps;
        self.monitor.step(steps)
    }

    /// All steps so far.
    pub fn work(&self) -> u64 {
        self.past + u64::from(self.steps)
    }
}

/// The algorithms that are allowed, and their budgets in steps a node.
struct Plan {
    /// Of Zielonka's algorithm on the undivided game; `None` leaves it out.
    game: Option<u64>,
    /// Of the first attempt on each SCC.
    component: u64,
    zielonka: bool,
    tangles: bool,
    /// How many descents of tangle learning are made before open regions are looked into.
    plain: u32,
}

impl Plan {
    fn new(algorithm: Algorithm) -> Self {
        let (game, component, zielonka, tangles) = match algorithm {
            Algorithm::Auto => (Some(ATTEMPT), FIRST_SLICE, true, true),
            Algorithm::Zielonka => (Some(u64::MAX), u64::MAX, true, false),
            Algorithm::Components => (None, u64::MAX, true, false),
            Algorithm::Tangle => (None, u64::MAX, false, true),
        };
        Self { game, component, zielonka, tangles, plain: PLAIN }
    }
}

/// Solves a game. Every algorithm starts after the preprocessing of `preprocess`.
pub fn solve(
    game: &ParityGame,
    algorithm: Algorithm,
    monitor: &Monitor,
) -> Result<Solution, Stopped> {
    run(game, &Plan::new(algorithm), monitor)
}

fn run(game: &ParityGame, plan: &Plan, monitor: &Monitor) -> Result<Solution, Stopped> {
    monitor.phase("solving", 0);
    let _reservation = monitor.reserve(game.len() as u64 * 4)?;
    let mut strategy = vec![NONE; game.len()];
    let mut field = Field::new(&mut strategy, monitor)?;
    let mut ticker = Ticker::new(monitor);
    let mut stack: Vec<u32> = Vec::new();
    preprocess(game, &mut field, &mut stack, &mut ticker)?;
    stack.extend(field.nodes().rev().filter(|&node| field.get(node).is_in(Zone::Waiting)));
    let mut engine = Engine::new(plan);
    if let Some(patience) = plan.game {
        let budget = patience.saturating_mul(stack.len() as u64);
        engine.try_zielonka(game, &mut field, &mut stack, budget, &mut ticker)?;
    }
    if !stack.is_empty() {
        components::solve(game, &mut field, &mut engine, &mut ticker)?;
    }
    let mut falsifier = FixedBitSet::with_capacity(game.len());
    for node in field.nodes() {
        falsifier.set(node as usize, field.get(node).winner() == Player::Falsifier);
    }
    Ok(Solution { falsifier, strategy })
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Rng;

    fn random_game(rng: &mut Rng, nodes: usize) -> ParityGame {
        let mut offsets = vec![0];
        let mut successors = Vec::new();
        for _ in 0..nodes {
            successors.extend((0..rng.between(1, 2)).map(|_| rng.below(nodes) as u32));
            offsets.push(successors.len() as u32);
        }
        let player = |odd| if odd { Player::Falsifier } else { Player::Verifier };
        let owners = (0..nodes).map(|_| player(rng.chance(0.5))).collect();
        let priorities = (0..nodes).map(|_| rng.below(nodes) as u32).collect();
        ParityGame::new(priorities, owners, offsets, successors)
    }

    /// Impatient plans give up in the middle of most games, and must go on from there. Open regions are looked into
    /// at once.
    #[test]
    fn giving_up_loses_nothing() {
        for seed in 0..3_000 {
            let mut rng = Rng::new(seed);
            let nodes = rng.between(1, 60);
            let random = random_game(&mut rng, nodes);
            for (game, component, zielonka, plain) in [
                (Some(0), 0, true, 1),
                (Some(0), 1, true, 0),
                (None, 0, true, 0),
                (None, u64::MAX, false, 0),
            ] {
                let plan = Plan { game, component, zielonka, tangles: true, plain };
                let solution = run(&random, &plan, &Monitor::new()).expect("nothing stops it");
                let flaw = verify(&random, &solution, &Monitor::new()).expect("nothing stops it");
                assert_eq!(flaw, None, "seed {seed}: {random:?} gave {solution:?}");
            }
        }
    }
}
