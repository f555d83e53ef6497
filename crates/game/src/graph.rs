//! The 3-valued game graph of C §2.1, stored.
//!
//! Nodes `s ⊢ ψ` are built from the initial ones by the rules of Fig. 1. An edge is 30 bits of the successor
//! and two bits for may and must.
//!
//! Written-down games are those of models in which must lies within may: Kripke structures, KMTSs, LTSs
//! and MTSs. Hyper-transitions and must-only ones are played on the game.

use crate::subformulas::{NodeClass, Subformula, Subformulas};
use logic::{Formula, Node, NodeId, Truth};
use model::{Kind, Mode, PartialModel};
use rustc_hash::FxHashMap;
use std::ops::Range;
use support::{Monitor, Reservation, StopReason, Stopped};

/// One edge of a game graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge(u32);

impl Edge {
    /// Nodes of a game graph have smaller numbers than this.
    pub const MAX_NODES: u32 = 1 << 30;

    pub fn new(node: u32, mode: Mode) -> Self {
        debug_assert!(node < Self::MAX_NODES);
        Self(node << 2 | u32::from(mode.may) << 1 | u32::from(mode.must))
    }

    #[inline]
    pub fn node(self) -> u32 {
        self.0 >> 2
    }

    #[inline]
    pub fn may(self) -> bool {
        self.0 & 2 != 0
    }

    #[inline]
    pub fn must(self) -> bool {
        self.0 & 1 != 0
    }

    pub fn mode(self) -> Mode {
        Mode { may: self.may(), must: self.must() }
    }
}

/// A game graph, or a part of one, with what is known of its colours beforehand.
#[derive(Clone, Debug)]
pub struct GameGraph<'f> {
    pub subformulas: &'f Subformulas,
    pub initial: Vec<u32>,
    /// `s` and `ψ` of each node, the latter as a number among the subformulas.
    pub states: Vec<u32>,
    pub labels: Vec<u32>,
    offsets: Vec<u32>,
    edges: Vec<Edge>,
    /// χ_I (C §3): the given colours; such a node is terminal. Literals have one always.
    pub given: Vec<Option<Truth>>,
    room: Reservation,
}

impl<'f> GameGraph<'f> {
    /// G_{M×φ} from the model's initial states, by the rules of C Fig. 1. The subformulas are all
    /// those of the formula.
    pub fn new(
        model: &PartialModel,
        formula: &Formula,
        subformulas: &'f Subformulas,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        debug_assert!(matches!(model.kind, Kind::Kripke | Kind::Kmts | Kind::Lts | Kind::Mts));
        let mut builder = GraphBuilder::new(subformulas);
        for &state in model.init() {
            let id = builder.node(state, subformulas.root);
            builder.initial(id);
        }
        let mut next = 0;
        while next < builder.len() {
            let (state, label) = builder.at(next);
            expand(&mut builder, model, formula, state, NodeId(label));
            next += 1;
            if next % 4096 == 0 {
                monitor.step(4096)?;
            }
            builder.check_size(0, monitor)?;
        }
        Ok(builder.finish())
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

    #[inline]
    pub fn successors(&self, node: u32) -> &[Edge] {
        let node = node as usize;
        &self.edges[self.offsets[node] as usize..self.offsets[node + 1] as usize]
    }

    /// The numbers of a node's edges.
    pub fn edge_range(&self, node: u32) -> Range<usize> {
        self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize
    }

    /// `s` and `ψ` of a node.
    pub fn at(&self, node: u32) -> (u32, u32) {
        (self.states[node as usize], self.labels[node as usize])
    }

    pub fn edge(&self, number: usize) -> Edge {
        self.edges[number]
    }

    pub fn class(&self, node: u32) -> NodeClass {
        self.subformula(node).class
    }

    pub fn priority(&self, node: u32) -> u32 {
        self.subformula(node).priority
    }

    #[inline]
    pub fn subformula(&self, node: u32) -> &Subformula {
        self.subformulas.get(self.labels[node as usize])
    }

    /// The predecessors of each node, with the modes of the edges, as rows.
    pub fn predecessors(&self) -> (Vec<u32>, Vec<Edge>) {
        let mut offsets = vec![0u32; self.len() + 2];
        for edge in &self.edges {
            offsets[edge.node() as usize + 2] += 1;
        }
        for node in 1..offsets.len() {
            offsets[node] += offsets[node - 1];
        }
        let mut predecessors = vec![Edge(0); self.edges.len()];
        for node in 0..self.len() as u32 {
            for edge in self.successors(node) {
                let slot = &mut offsets[edge.node() as usize + 1];
                predecessors[*slot as usize] = Edge::new(node, edge.mode());
                *slot += 1;
            }
        }
        offsets.pop();
        (offsets, predecessors)
    }
}

/// A node and its entry in the table of nodes.
const BYTES_OF_NODE: u64 = 40;

/// Builds a game graph node by node. The edges of a node are added in the order of the nodes.
pub struct GraphBuilder<'f> {
    ids: FxHashMap<(u32, u32), u32>,
    graph: GameGraph<'f>,
}

impl<'f> GraphBuilder<'f> {
    pub fn new(subformulas: &'f Subformulas) -> Self {
        let graph = GameGraph {
            subformulas,
            initial: Vec::new(),
            states: Vec::new(),
            labels: Vec::new(),
            offsets: vec![0],
            edges: Vec::new(),
            given: Vec::new(),
            room: Reservation::default(),
        };
        Self { ids: FxHashMap::default(), graph }
    }

    pub fn len(&self) -> u32 {
        self.graph.states.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn edge_count(&self) -> usize {
        self.graph.edges.len()
    }

    /// Stops where there are more nodes or edges than numbers for them, or than there is memory for, where
    /// the builder's owner needs so many bytes an edge.
    pub fn check_size(&mut self, beside: u64, monitor: &Monitor) -> Result<(), Stopped> {
        if self.len() >= Edge::MAX_NODES || self.edge_count() > u32::MAX as usize / 2 {
            return Err(Stopped(StopReason::Size));
        }
        let bytes = u64::from(self.len()) * BYTES_OF_NODE + self.edge_count() as u64 * (4 + beside);
        self.graph.room.keep_up(bytes, monitor)
    }

    pub fn at(&self, id: u32) -> (u32, u32) {
        (self.graph.states[id as usize], self.graph.labels[id as usize])
    }

    pub fn node(&mut self, state: u32, label: u32) -> u32 {
        let graph = &mut self.graph;
        *self.ids.entry((state, label)).or_insert_with(|| {
            graph.states.push(state);
            graph.labels.push(label);
            graph.given.push(None);
            graph.states.len() as u32 - 1
        })
    }

    pub fn initial(&mut self, id: u32) {
        self.graph.initial.push(id);
    }

    /// Ends the node whose turn it is: its edges, or the colour given to it.
    pub fn close(&mut self, edges: &[Edge], given: Option<Truth>) {
        let id = self.graph.offsets.len() - 1;
        self.graph.edges.extend_from_slice(edges);
        self.graph.offsets.push(self.graph.edges.len() as u32);
        self.graph.given[id] = given;
    }

    pub fn finish(self) -> GameGraph<'f> {
        debug_assert_eq!(self.graph.offsets.len(), self.graph.states.len() + 1);
        self.graph
    }
}

/// The rules of C Fig. 1.
fn expand(
    builder: &mut GraphBuilder,
    model: &PartialModel,
    formula: &Formula,
    state: u32,
    node: NodeId,
) {
    let mut edges = Vec::new();
    let mut given = None;
    match formula.node(node) {
        Node::Const(value) => given = Some(value.into()),
        Node::Lit(prop, positive) => {
            let value = model.label(state, prop);
            given = Some(if positive { value } else { !value });
        }
        Node::Modal(_, actions, body) => {
            let actions = formula.actions(actions);
            let out = model.edges().out(state).filter(|(_, class)| {
                class.action.is_none_or(|action| actions.contains(model.actions().name(action)))
            });
            for (target, class) in out {
                edges.push(Edge::new(builder.node(target, body.0), class.mode));
            }
        }
        _ => {
            for successor in formula.successors(node) {
                edges.push(Edge::new(builder.node(state, successor.0), Mode::BOTH));
            }
        }
    }
    builder.close(&edges, given);
}
