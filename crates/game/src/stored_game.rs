//! A coloured game in compact form, for clients that show it.
//!
//! Nodes are those that a play from the initial ones can reach. A node takes thirteen bytes, an edge four.

use crate::graph::{Edge, GameGraph};
use crate::model_game::ModelGame;
use crate::subformulas::{NodeClass, Subformulas};
use crate::three_valued_solution::ThreeValuedSolution;
use fixedbitset::FixedBitSet;
use logic::Truth;
use model::Mode;
use support::{Monitor, Reservation, StopReason, Stopped};

#[derive(Clone, Debug, Default)]
pub struct StoredGame {
    pub initial: Vec<u32>,
    states: Vec<u32>,
    labels: Vec<u32>,
    colours: Vec<Truth>,
    offsets: Vec<u32>,
    edges: Vec<Edge>,
    room: Reservation,
}

impl StoredGame {
    /// The game that was played on a game, from these positions; they are among those that it was played from.
    /// A hyper-transition before its target is chosen is a node whose state is its place on the game.
    pub fn of_model_game(
        arena: &ModelGame,
        solution: &ThreeValuedSolution,
        initial: &[u32],
        subformulas: &Subformulas,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let nodes = solution.reachable.count_ones(..);
        if nodes >= Edge::MAX_NODES as usize || solution.edges > u64::from(u32::MAX) {
            return Err(Stopped(StopReason::Size));
        }
        monitor.phase("constructing the game", nodes as u64);
        let room = monitor.reserve(nodes as u64 * 13 + solution.edges * 4)?;
        let ranks = Ranks::new(&solution.reachable);
        let mut stored = Self::with_capacity(nodes);
        let mut row = Vec::new();
        for position in solution.reachable.ones().map(|position| position as u32) {
            successors(arena, position, &mut row);
            let row = row.iter().map(|&(successor, mode)| Edge::new(ranks.of(successor), mode));
            let label = match arena.state(position) {
                Some(_) => arena.equation(position),
                None => subformulas.choice_of(arena.equation(position)),
            };
            let colour = solution.colour(position).unwrap_or(Truth::Unknown);
            stored.push(arena.place(position), label, colour, row);
            if stored.len().is_multiple_of(4096) {
                monitor.step(4096)?;
            }
        }
        stored.room = room;
        stored.initial = initial.iter().map(|&position| ranks.of(position)).collect();
        Ok(stored)
    }

    /// A game graph with these colours.
    pub fn of_graph(graph: &GameGraph, colours: &[Truth]) -> Self {
        let mut stored = Self::with_capacity(graph.len());
        for (node, &colour) in (0..graph.len() as u32).zip(colours) {
            let (state, label) = graph.at(node);
            stored.push(state, label, colour, graph.successors(node).iter().copied());
        }
        stored.initial.clone_from(&graph.initial);
        stored
    }

    /// The ?-subgraph (C Def. 3.4), from the initial nodes that are undetermined.
    #[must_use]
    pub fn unknown_subgraph(&self, subformulas: &Subformulas) -> Self {
        let mut ids = vec![u32::MAX; self.len()];
        let mut found: Vec<u32> = Vec::new();
        let mut id = |node: u32, found: &mut Vec<u32>| {
            if ids[node as usize] == u32::MAX {
                ids[node as usize] = found.len() as u32;
                found.push(node);
            }
            ids[node as usize]
        };
        let mut stored = Self::with_capacity(0);
        let undetermined = self.initial.iter().filter(|&&node| self.colour(node) == Truth::Unknown);
        stored.initial = undetermined.map(|&node| id(node, &mut found)).collect();
        let mut next = 0;
        while next < found.len() {
            let node = found[next];
            next += 1;
            let (state, label) = self.at(node);
            let colour = self.colour(node);
            let class = subformulas.get(label).class;
            let matters = |edge: &&Edge| match class {
                _ if colour.is_definite() => false,
                NodeClass::And | NodeClass::Box => self.colour(edge.node()) != Truth::True,
                NodeClass::Or | NodeClass::Dia => self.colour(edge.node()) != Truth::False,
                NodeClass::Deterministic | NodeClass::Literal => true,
            };
            let successors = self.successors(node).iter().filter(matters);
            let successors: Vec<Edge> = successors
                .map(|edge| Edge::new(id(edge.node(), &mut found), edge.mode()))
                .collect();
            stored.push(state, label, colour, successors.into_iter());
        }
        stored
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// State and subformula of a node.
    pub fn at(&self, node: u32) -> (u32, u32) {
        (self.states[node as usize], self.labels[node as usize])
    }

    pub fn colour(&self, node: u32) -> Truth {
        self.colours[node as usize]
    }

    pub fn successors(&self, node: u32) -> &[Edge] {
        let node = node as usize;
        &self.edges[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }

    fn with_capacity(nodes: usize) -> Self {
        let mut offsets = Vec::with_capacity(nodes + 1);
        offsets.push(0);
        Self {
            initial: Vec::new(),
            states: Vec::with_capacity(nodes),
            labels: Vec::with_capacity(nodes),
            colours: Vec::with_capacity(nodes),
            offsets,
            edges: Vec::new(),
            room: Reservation::default(),
        }
    }

    fn push(
        &mut self,
        state: u32,
        label: u32,
        colour: Truth,
        successors: impl Iterator<Item = Edge>,
    ) {
        self.states.push(state);
        self.labels.push(label);
        self.colours.push(colour);
        self.edges.extend(successors);
        self.offsets.push(self.edges.len() as u32);
    }
}

/// The successors of a position, each once, with how the transitions there lead to it.
fn successors(arena: &ModelGame, position: u32, successors: &mut Vec<(u32, Mode)>) {
    successors.clear();
    let Some(_) = arena.state(position) else {
        return arena
            .for_each_successor(position, |successor| successors.push((successor, Mode::BOTH)));
    };
    let classes = arena.model.edges().classes();
    arena.for_each_step(position, |successor, class| {
        let mode = class.map_or(Mode::BOTH, |class| classes[class as usize].mode);
        successors.push((successor, mode));
    });
    if !arena.model.hyper().is_empty() {
        arena.for_each_successor(position, |successor| {
            if arena.state(successor).is_none() && arena.place(successor) != arena.place(position) {
                successors.push((successor, Mode::MUST));
            }
        });
    }
    successors.sort_unstable();
    successors.dedup_by(|(later, mode), (successor, known)| {
        let is_same = later == successor;
        if is_same {
            *known = known.or(*mode);
        }
        is_same
    });
}

/// Numbers the members of a set in their order.
struct Ranks<'s> {
    set: &'s FixedBitSet,
    /// By word of the set: how many members there are before it.
    before: Vec<u32>,
}

impl<'s> Ranks<'s> {
    fn new(set: &'s FixedBitSet) -> Self {
        let counts = set.as_slice().iter().scan(0, |sum, word| {
            let before = *sum;
            *sum += word.count_ones();
            Some(before)
        });
        Self { before: counts.collect(), set }
    }

    fn of(&self, member: u32) -> u32 {
        let (word, bit) = (member / usize::BITS, member % usize::BITS);
        let below = self.set.as_slice()[word as usize] & ((1 << bit) - 1);
        self.before[word as usize] + below.count_ones()
    }
}
