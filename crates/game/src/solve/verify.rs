//! An independent check that a solution is one. It shares no code with the solvers.
//!
//! It checks, of every node:
//! 1. a node that its owner wins has a strategy, which is one of its successors;
//! 2. that successor is won by the same player;
//! 3. a node that its owner loses has no successor that its owner wins;
//!
//! so that no play leaves the region of its winner, who never gets stuck; and of the graph that is left
//! when winners follow their strategies:
//!
//! 4. no cycle has a highest priority of the loser's parity.
//!
//! For the last one the graph is cut into strongly connected components. In a component the highest
//! priority lies on a cycle: it must be the winner's. Every cycle through a priority above the highest
//! of the loser's is then fine, so these nodes are taken out, and what is left is cut again.

use super::Solution;
use crate::arena::Player;
use crate::parity_game::ParityGame;
use std::fmt;
use support::{Monitor, Stopped};

/// Error in a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The solution is not about as many nodes as the game has.
    Size,
    /// The owner wins, but no move is given.
    NoMove { node: u32 },
    /// The move given is none that the game allows.
    NotASuccessor { node: u32, successor: u32 },
    /// The move given leads to a node that the opponent wins.
    LosingMove { node: u32, successor: u32 },
    /// The owner is said to lose, but can move to a node that he wins.
    Escape { node: u32, successor: u32 },
    /// A play that follows the strategy can go through this node forever without meeting a higher
    /// priority, and its priority is the loser's.
    LosingCycle { node: u32 },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Size => write!(f, "the solution does not have as many nodes as the game"),
            Flaw::NoMove { node } => write!(f, "node {node} is won by its owner without a move"),
            Flaw::NotASuccessor { node, successor } => {
                write!(f, "the move from node {node} to {successor} is not in the game")
            }
            Flaw::LosingMove { node, successor } => {
                write!(
                    f,
                    "the move from node {node} to {successor} leads to where the opponent wins"
                )
            }
            Flaw::Escape { node, successor } => {
                write!(
                    f,
                    "the owner of node {node} is said to lose, but can win by moving to {successor}"
                )
            }
            Flaw::LosingCycle { node } => {
                write!(f, "the strategy allows a cycle through node {node} that the opponent wins")
            }
        }
    }
}

impl std::error::Error for Flaw {}

/// `Ok(None)` if the solution is right.
pub fn verify(
    game: &ParityGame,
    solution: &Solution,
    monitor: &Monitor,
) -> Result<Option<Flaw>, Stopped> {
    if solution.len() != game.len() {
        return Ok(Some(Flaw::Size));
    }
    let nodes = 0..game.len() as u32;
    if let Some(flaw) = nodes.clone().find_map(|node| check_moves(game, solution, node)) {
        return Ok(Some(flaw));
    }
    monitor.phase("verifying", game.len() as u64);
    let _reservation = monitor.reserve(game.len() as u64 * 20)?;
    Cycles::new(game, solution).check(monitor)
}

fn check_moves(game: &ParityGame, solution: &Solution, node: u32) -> Option<Flaw> {
    let (winner, successors) = (solution.winner(node), game.successors(node));
    if game.owners[node as usize] != winner {
        let escape = successors.iter().find(|&&successor| solution.winner(successor) != winner);
        return escape.map(|&successor| Flaw::Escape { node, successor });
    }
    match solution.strategy(node) {
        None => Some(Flaw::NoMove { node }),
        Some(successor) if !successors.contains(&successor) => {
            Some(Flaw::NotASuccessor { node, successor })
        }
        Some(successor) if solution.winner(successor) != winner => {
            Some(Flaw::LosingMove { node, successor })
        }
        Some(_) => None,
    }
}

/// The parts of the graph still to be cut, and Tarjan's search in one of them. Engines share another one
/// ([`support::ComponentSearch`]); who judges them has his own.
struct Cycles<'a> {
    game: &'a ParityGame,
    solution: &'a Solution,
    /// By node: the part that it is in, 0 if it needs no further look.
    part: Vec<u32>,
    parts: u32,
    /// The nodes of all parts, one after the other, and where each of them begins.
    nodes: Vec<u32>,
    begins: Vec<usize>,
    /// By node: its number in this search, 0 if not seen.
    number: Vec<u32>,
    /// Nodes being looked at: the node, how many successors were looked at, the least number reached.
    path: Vec<(u32, u32, u32)>,
    stack: Vec<u32>,
}

impl<'a> Cycles<'a> {
    fn new(game: &'a ParityGame, solution: &'a Solution) -> Self {
        let size = game.len();
        Self {
            game,
            solution,
            part: vec![1; size],
            parts: 1,
            nodes: (0..size as u32).collect(),
            begins: vec![0],
            number: vec![0; size],
            path: Vec::new(),
            stack: Vec::new(),
        }
    }

    fn check(&mut self, monitor: &Monitor) -> Result<Option<Flaw>, Stopped> {
        while let Some(begin) = self.begins.pop() {
            let nodes = self.nodes.split_off(begin);
            nodes.iter().for_each(|&node| self.number[node as usize] = 0);
            let Some(&first) = nodes.first() else { continue };
            let part = self.part[first as usize];
            for (index, &root) in nodes.iter().enumerate() {
                if index % 4096 == 0 {
                    monitor.check()?;
                }
                if self.part[root as usize] == part
                    && let Some(flaw) = self.search(root, part)
                {
                    return Ok(Some(flaw));
                }
            }
            monitor.step(nodes.len() as u64)?;
        }
        Ok(None)
    }

    /// The moves that a play may take from `node` when the winner follows the strategy.
    fn moves(&self, node: u32) -> &'a [u32] {
        let (game, solution) = (self.game, self.solution);
        if game.owners[node as usize] == solution.winner(node) {
            std::slice::from_ref(&solution.strategy[node as usize])
        } else {
            game.successors(node)
        }
    }

    fn search(&mut self, root: u32, part: u32) -> Option<Flaw> {
        let mut count = 0;
        self.begin(root, &mut count);
        while let Some(&(node, looked, low)) = self.path.last() {
            let successor = self.moves(node).get(looked as usize).copied();
            if let Some((_, looked, _)) = self.path.last_mut() {
                *looked += 1;
            }
            match successor {
                None => {
                    self.path.pop();
                    self.lower(low);
                    if low == self.number[node as usize]
                        && let Some(flaw) = self.component(node)
                    {
                        return Some(flaw);
                    }
                }
                Some(successor) if self.part[successor as usize] != part => {}
                Some(successor) if self.number[successor as usize] == 0 => {
                    self.begin(successor, &mut count)
                }
                Some(successor) => self.lower(self.number[successor as usize]),
            }
        }
        None
    }

    /// The end of the path reaches this number.
    fn lower(&mut self, number: u32) {
        if let Some((_, _, low)) = self.path.last_mut() {
            *low = number.min(*low);
        }
    }

    fn begin(&mut self, node: u32, count: &mut u32) {
        *count += 1;
        self.number[node as usize] = *count;
        self.path.push((node, 0, *count));
        self.stack.push(node);
    }

    /// Judges the component that ends the stack and begins with `root`.
    fn component(&mut self, root: u32) -> Option<Flaw> {
        let start = self.stack.iter().rposition(|&node| node == root).unwrap_or(0);
        let component = self.stack.split_off(start);
        component.iter().for_each(|&node| self.part[node as usize] = 0);
        if component.len() == 1 && !self.moves(root).contains(&root) {
            return None;
        }
        let loser = self.solution.winner(root).opponent();
        let priority = |node: u32| self.game.priorities[node as usize];
        let losing =
            component.iter().copied().filter(|&node| Player::of_priority(priority(node)) == loser);
        let worst = losing.max_by_key(|&node| priority(node))?;
        if component.iter().all(|&node| priority(node) <= priority(worst)) {
            return Some(Flaw::LosingCycle { node: worst });
        }
        let limit = priority(worst);
        self.parts += 1;
        self.begins.push(self.nodes.len());
        for node in component {
            if self.game.priorities[node as usize] <= limit {
                self.part[node as usize] = self.parts;
                self.nodes.push(node);
            }
        }
        None
    }
}
