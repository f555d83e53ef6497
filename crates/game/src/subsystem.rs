//! Some components of a system combined: the ?-subgraph of their game (C Def. 3.4).
//!
//! A part of one component comes from playing the game of the lifted component (C §4); larger ones are
//! products of smaller ones. Either way it is a game graph whose nodes are coloured, with tuples of
//! component states behind its states and, for each edge, what a further product has to know of it.

use crate::graph::{Edge, GameGraph, GraphBuilder};
use crate::model_game::ModelGame;
use crate::plan::Op;
use crate::subformulas::Subformulas;
use crate::subgraph::unknown_subgraph;
use crate::three_valued_solution::ThreeValuedSolution;
use logic::{Modality, Truth};
use model::{IDLE, Interface, LiftedComponent, LiftedStep, Mode};
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Monitor, Stopped};

pub struct SubsystemGame<'f> {
    /// The components, in the order of the tuples.
    pub components: Vec<usize>,
    /// By component of the system: whether it is here.
    pub inside: Vec<bool>,
    /// The states, one tuple after the other.
    pub tuples: Vec<u32>,
    /// Of a product: the states of the two parts in each of its states.
    pub members: Vec<(u32, u32)>,
    /// The joint labels of the states, one after the other.
    pub labels: Vec<u64>,
    /// The ?-subgraph (C Def. 3.4).
    pub graph: GameGraph<'f>,
    /// By edge of the graph.
    pub steps: Vec<LiftedStep>,
}

/// The step of an edge that is no transition.
pub const STAY: LiftedStep = LiftedStep { rule: 0, sure: true };

impl<'f> SubsystemGame<'f> {
    /// The ?-subgraph of a lifted component, from the given initial states that are unknown.
    pub fn of_component(
        arena: &ModelGame,
        solution: &ThreeValuedSolution,
        lifted: &LiftedComponent,
        initial: &[u32],
        interface: &Interface,
        subformulas: &'f Subformulas,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let mut builder = GraphBuilder::new(subformulas);
        let mut steps = Vec::new();
        let colour = |position| solution.colour(position).expect("must lies within may");
        for &state in initial {
            let position = arena.position(state, arena.plan.root);
            if colour(position) == Truth::Unknown {
                let id = builder.node(state, arena.plan.root);
                builder.initial(id);
            }
        }
        let mut next = 0;
        while next < builder.len() {
            let (state, equation) = builder.at(next);
            next += 1;
            if next % 1024 == 0 {
                monitor.check()?;
            }
            builder.check_size(size_of::<LiftedStep>() as u64, monitor)?;
            let position = arena.position(state, equation);
            let own = colour(position);
            if own.is_definite() || arena.terminal(position).is_some() {
                builder.close(&[], Some(own));
                continue;
            }
            let wanted = wanted_successors(arena, equation);
            let mut edges: Vec<Edge> = Vec::new();
            // An idle step is one step, whichever component moves: several would multiply in a product.
            let mut idle: Option<usize> = None;
            arena.for_each_step(position, |successor, class| {
                if wanted == Some(colour(successor)) {
                    return;
                }
                let id = builder.node(arena.place(successor), arena.equation(successor));
                let (mode, step) = match class {
                    Some(class) => {
                        let mode = lifted.model.edges().classes()[class as usize].mode;
                        (mode, lifted.steps[class as usize])
                    }
                    None => (Mode::BOTH, STAY),
                };
                if step.rule == IDLE {
                    if let Some(known) = idle {
                        edges[known] = Edge::new(id, edges[known].mode().or(mode));
                        return;
                    }
                    idle = Some(edges.len());
                }
                edges.push(Edge::new(id, mode));
                steps.push(step);
            });
            builder.close(&edges, None);
        }
        let (component, states) = (lifted.component, lifted.model.states() as u32);
        let labels =
            (0..states).flat_map(|state| interface.joint.of(component, state).iter().copied());
        let mut inside = vec![false; interface.components()];
        inside[component] = true;
        Ok(Self {
            components: vec![component],
            inside,
            tuples: (0..states).collect(),
            members: Vec::new(),
            labels: labels.collect(),
            graph: builder.finish(),
            steps,
        })
    }

    pub fn tuple(&self, state: u32) -> &[u32] {
        let width = self.components.len();
        &self.tuples[state as usize * width..][..width]
    }

    /// With all components inside: the states of a state in the order of the system.
    pub fn in_order(&self, state: u32) -> Vec<u32> {
        let mut tuple = vec![0; self.components.len()];
        for (&component, &member) in self.components.iter().zip(self.tuple(state)) {
            tuple[component] = member;
        }
        tuple
    }

    pub fn label(&self, state: u32, words: usize) -> &[u64] {
        &self.labels[state as usize * words..][..words]
    }

    /// The initial nodes, to be looked up.
    pub fn initial_nodes(&self) -> InitialNodes<'_> {
        let members = |node: u32| self.tuple(self.graph.states[node as usize]);
        InitialNodes {
            components: &self.components,
            nodes: self.graph.initial.iter().map(|&node| (members(node), node)).collect(),
        }
    }

    pub fn steps_of(&self, node: u32) -> impl Iterator<Item = (Edge, LiftedStep)> + '_ {
        let range = self.graph.edge_range(node);
        self.graph.successors(node).iter().copied().zip(self.steps[range].iter().copied())
    }

    /// The may edges of a node to successors that no must edge leads to: one transition can be made by several rules.
    pub fn uncertain_steps(&self, node: u32) -> impl Iterator<Item = (Edge, LiftedStep)> + '_ {
        let must = self.graph.successors(node).iter().filter(|edge| edge.must());
        let certain: FxHashSet<u32> = must.map(|edge| edge.node()).collect();
        self.steps_of(node).filter(move |(edge, _)| !certain.contains(&edge.node()))
    }

    /// Keeps the ?-subgraph (C Def. 3.4).
    #[must_use]
    pub fn pruned(self, colours: &[Truth]) -> Self {
        let subgraph = unknown_subgraph(&self.graph, colours);
        let steps = subgraph.edges_of.iter().map(|&edge| self.steps[edge as usize]).collect();
        Self { graph: subgraph.graph, steps, ..self }
    }
}

/// The initial nodes of a part by the states of its components.
pub struct InitialNodes<'p> {
    components: &'p [usize],
    nodes: FxHashMap<&'p [u32], u32>,
}

impl InitialNodes<'_> {
    /// The node for the states of these components in `tuple`, a state of the composition.
    pub fn of(&self, tuple: &[u32]) -> Option<u32> {
        let own: Vec<u32> = self.components.iter().map(|&component| tuple[component]).collect();
        self.nodes.get(&own[..]).copied()
    }
}

/// The colour of the successors that do not matter to an unknown node (C Def. 3.1).
fn wanted_successors(arena: &ModelGame, equation: u32) -> Option<Truth> {
    match arena.plan.equations[equation as usize].op {
        Op::And(..) | Op::Modal(Modality::Box, ..) => Some(Truth::True),
        Op::Or(..) | Op::Modal(Modality::Dia, ..) => Some(Truth::False),
        Op::Pass(_) | Op::Const(_) | Op::Lit(..) => None,
    }
}
