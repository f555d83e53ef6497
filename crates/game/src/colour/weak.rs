//! G §4, generalised from CTL to the alternation-free µ-calculus: colour one may-MSCC after the
//! other, bottom-up, each in two phases. Linear in the graph.
//!
//! In CTL a non-trivial MSCC has one witness, an AU, EU, AV or EV formula. In an alternation-free
//! formula the variables that occur in an MSCC are all µ or all ν, and that is all the rules ask.

use super::{Colouring, NONE};
use crate::graph::{Edge, GameGraph};
use crate::subformulas::NodeClass;
use logic::{Fix, Truth};
use support::{ComponentSearch, Monitor, SearchedGraph, Stopped};

pub fn colour(graph: &GameGraph, monitor: &Monitor) -> Result<Colouring, Stopped> {
    debug_assert!(graph.subformulas.alternation_free);
    let components = components(graph, monitor)?;
    let mut painter = Painter::new(graph);
    monitor.phase("colouring", graph.len() as u64);
    for range in components.ranges() {
        painter.colour_component(&components.order[range.clone()], range.start as u32);
        monitor.step(range.len() as u64)?;
    }
    Ok(Colouring {
        colours: painter.colours.into_iter().map(into_truth).collect(),
        next: painter.next,
    })
}

fn into_truth(colour: Option<Truth>) -> Truth {
    colour.expect("the phases leave no node of a component without a colour")
}

/// Counters of a node. *Good* is the colour that it has if all successors have it (T for ∧ and □, F for ∨ and
/// ◇), *bad* the one that a single must successor gives it.
#[derive(Clone, Copy, Default)]
struct Waiting {
    /// May successors that are not good yet: good at zero.
    may_not_good: u32,
    /// Must successors that are neither good nor unknown yet: at zero it cannot become bad any more.
    must_open: u32,
    /// A may successor that is bad or unknown has been seen: it cannot become good any more.
    may_refuted: bool,
}

struct Painter<'g, 'f> {
    graph: &'g GameGraph<'f>,
    predecessor_offsets: Vec<u32>,
    predecessors: Vec<Edge>,
    colours: Vec<Option<Truth>>,
    next: Vec<u32>,
    waiting: Vec<Waiting>,
    /// The first unknown successor that each node has seen.
    unknown_successor: Vec<u32>,
    /// The component of each node that has been reached, by the place of its first node.
    component: Vec<u32>,
    queue: Vec<u32>,
}

/// Which rule colours a node unknown (G §4): in phase 1 nothing else is possible any more, in phase 2a
/// the witness cannot help.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Successors,
    Witness(Fix),
}

impl<'g, 'f> Painter<'g, 'f> {
    fn new(graph: &'g GameGraph<'f>) -> Self {
        let (predecessor_offsets, predecessors) = graph.predecessors();
        let waiting = |node: u32| {
            let successors = graph.successors(node);
            Waiting {
                may_not_good: successors.iter().filter(|edge| edge.may()).count() as u32,
                must_open: successors.iter().filter(|edge| edge.must()).count() as u32,
                may_refuted: false,
            }
        };
        let nodes = graph.len();
        Self {
            graph,
            predecessor_offsets,
            predecessors,
            colours: vec![None; nodes],
            next: vec![NONE; nodes],
            waiting: (0..nodes as u32).map(waiting).collect(),
            unknown_successor: vec![NONE; nodes],
            component: vec![NONE; nodes],
            queue: Vec::new(),
        }
    }

    fn colour_component(&mut self, nodes: &[u32], component: u32) {
        for &node in nodes {
            self.component[node as usize] = component;
        }
        // Phase 1.
        self.settle_all(nodes, Phase::Successors);
        let Some(witness) = self.witness(nodes) else { return };
        // Phase 2a.
        self.settle_all(nodes, Phase::Witness(witness));
        // Phase 2b.
        let left: Vec<u32> =
            nodes.iter().copied().filter(|&n| self.colours[n as usize].is_none()).collect();
        let colour = if witness == Fix::Mu { Truth::False } else { Truth::True };
        for &node in &left {
            self.colours[node as usize] = Some(colour);
        }
        for &node in &left {
            self.next[node as usize] = self.cause_by_witness(node, colour, component);
        }
        self.queue = left;
        self.propagate(Phase::Successors);
    }

    /// Colours what the rules of a phase can colour, until none is applicable.
    fn settle_all(&mut self, nodes: &[u32], phase: Phase) {
        for &node in nodes {
            self.settle(node, phase);
        }
        self.propagate(phase);
    }

    fn propagate(&mut self, phase: Phase) {
        let mut next = 0;
        while next < self.queue.len() {
            let successor = self.queue[next];
            next += 1;
            let row = self.predecessor_offsets[successor as usize]
                ..self.predecessor_offsets[successor as usize + 1];
            for index in row {
                let edge = self.predecessors[index as usize];
                self.receive(edge, successor);
                // Predecessors in later components have their turn later.
                if self.component[edge.node() as usize] == self.component[successor as usize] {
                    self.settle(edge.node(), phase);
                }
            }
        }
        self.queue.clear();
    }

    fn good(&self, node: u32) -> Truth {
        Truth::from(self.graph.class(node).is_universal())
    }

    /// A predecessor learns the colour of a successor.
    fn receive(&mut self, edge: Edge, successor: u32) {
        let predecessor = edge.node();
        let colour = into_truth(self.colours[successor as usize]);
        let good = self.good(predecessor);
        let waiting = &mut self.waiting[predecessor as usize];
        if colour == good {
            waiting.may_not_good -= u32::from(edge.may());
            waiting.must_open -= u32::from(edge.must());
            return;
        }
        waiting.may_refuted |= edge.may();
        if colour == Truth::Unknown {
            waiting.must_open -= u32::from(edge.must());
            if self.unknown_successor[predecessor as usize] == NONE {
                self.unknown_successor[predecessor as usize] = successor;
            }
        } else if edge.must()
            && self.colours[predecessor as usize].is_none()
            && self.next[predecessor as usize] == NONE
        {
            self.next[predecessor as usize] = successor;
        }
    }

    /// Colours a node if a rule of the phase applies.
    fn settle(&mut self, node: u32, phase: Phase) {
        let index = node as usize;
        if self.colours[index].is_some() {
            return;
        }
        if let Some(given) = self.graph.given[index] {
            return self.set(node, given, NONE);
        }
        let good = self.good(node);
        let waiting = self.waiting[index];
        if self.next[index] != NONE {
            // A bad must successor was heard of: the first one is the cause.
            self.set(node, !good, self.next[index]);
        } else if waiting.may_not_good == 0 {
            self.set(node, good, NONE);
        } else if self.is_unknown(phase, good, waiting) {
            self.set(node, Truth::Unknown, self.unknown_successor[index]);
        }
    }

    fn is_unknown(&self, phase: Phase, good: Truth, waiting: Waiting) -> bool {
        match phase {
            Phase::Successors => waiting.must_open == 0 && waiting.may_refuted,
            Phase::Witness(witness) => {
                let by_witness = Truth::from(witness == Fix::Nu);
                if good == by_witness { waiting.may_refuted } else { waiting.must_open == 0 }
            }
        }
    }

    fn set(&mut self, node: u32, colour: Truth, next: u32) {
        self.colours[node as usize] = Some(colour);
        self.next[node as usize] = next;
        self.queue.push(node);
    }

    /// The kind of the fixpoints that are unfolded in a component.
    fn witness(&self, nodes: &[u32]) -> Option<Fix> {
        nodes.iter().find_map(|&node| self.graph.subformula(node).witness)
    }

    /// G §3: the cause of a node coloured by the witness is a successor in the same component that was, too.
    fn cause_by_witness(&self, node: u32, colour: Truth, component: u32) -> u32 {
        if self.good(node) == colour && self.graph.class(node) != NodeClass::Deterministic {
            return NONE;
        }
        let mut successors = self.graph.successors(node).iter();
        let successor = successors.find(|edge| {
            let successor = edge.node() as usize;
            edge.must()
                && self.colours[successor] == Some(colour)
                && self.component[successor] == component
        });
        successor.map_or(NONE, |edge| edge.node())
    }
}

/// The strongly connected components of the graph, inner ones first.
struct Components<'g, 'f> {
    graph: &'g GameGraph<'f>,
    monitor: &'g Monitor,
    order: Vec<u32>,
    /// Where each component begins in `order`.
    starts: Vec<u32>,
}

impl Components<'_, '_> {
    fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let ends = self.starts.iter().skip(1).copied().chain([self.order.len() as u32]);
        self.starts.iter().zip(ends).map(|(&start, end)| start as usize..end as usize)
    }
}

impl SearchedGraph for Components<'_, '_> {
    type Error = Stopped;

    fn find(
        &mut self,
        node: u32,
        from: u32,
        mut is_wanted: impl FnMut(u32) -> bool,
    ) -> Result<Option<(u32, u32)>, Stopped> {
        let successors = self.graph.successors(node).iter().map(|edge| edge.node());
        Ok((0..).zip(successors).skip(from as usize).find(|&(_, successor)| is_wanted(successor)))
    }

    fn take(&mut self, nodes: &[u32], _: &mut ComponentSearch) -> Result<(), Stopped> {
        self.starts.push(self.order.len() as u32);
        self.order.extend(nodes.iter().rev());
        self.monitor.step(nodes.len() as u64)
    }
}

fn components<'g, 'f>(
    graph: &'g GameGraph<'f>,
    monitor: &'g Monitor,
) -> Result<Components<'g, 'f>, Stopped> {
    monitor.phase("finding components", graph.len() as u64);
    let order = Vec::with_capacity(graph.len());
    let mut found = Components { graph, monitor, order, starts: Vec::new() };
    ComponentSearch::new(graph.len()).run(0..graph.len() as u32, &mut found)?;
    Ok(found)
}
