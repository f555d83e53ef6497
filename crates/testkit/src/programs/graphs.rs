//! Partition graphs as M Def. A.3 to A.5 have them: nodes that are Kripke structures, and edges between them.

use super::ast::Expr;
use super::flat::{Flat, FlatKind};
use super::structure::{Location, Structure, step_if};
use super::values::Valuations;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub struct PartitionGraph {
    nodes: Vec<Structure>,
    /// Null edges, which no step belongs to, are left out.
    edges: Vec<StepEdge>,
    entry: usize,
}

/// A yes-edge or a no-edge.
#[derive(Clone, Debug)]
struct StepEdge {
    from: usize,
    to: usize,
    test: Expr,
    /// The value of the test for which it is taken.
    value: i64,
}

impl PartitionGraph {
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// struct(G).
    // M Def. A.5.
    pub fn structure(&self, valuations: &Valuations) -> Structure {
        let mut whole = self.nodes[self.entry].clone();
        self.nodes.iter().for_each(|node| whole.unite(node));
        for edge in &self.edges {
            // M Def. A.4.
            let [from, to] = [edge.from, edge.to].map(|node| self.nodes[node].initial.clone());
            whole.add(from, to, step_if(valuations, &edge.test, Some(edge.value)));
        }
        whole
    }

    fn in_context(&self, commands: &[usize]) -> Self {
        let nodes = self.nodes.iter().map(|node| node.in_context(commands)).collect();
        Self { nodes, edges: self.edges.clone(), entry: self.entry }
    }

    /// Both, the second with new numbers; where its entry is now.
    fn join(&mut self, other: &PartitionGraph) -> usize {
        let shift = self.nodes.len();
        self.nodes.extend(other.nodes.iter().cloned());
        let moved = |edge: &StepEdge| StepEdge {
            from: edge.from + shift,
            to: edge.to + shift,
            ..edge.clone()
        };
        self.edges.extend(other.edges.iter().map(moved));
        other.entry + shift
    }

    fn add_edge(&mut self, test: &Expr, value: bool, to: usize) {
        let edge = StepEdge { from: self.entry, to, test: test.clone(), value: i64::from(value) };
        self.edges.push(edge);
    }
}

/// How many there are; more than `most` are not counted.
pub fn partition_graph_count(flat: &Flat, commands: &[usize], most: usize) -> usize {
    // By what comes first: some commands in one node, or one that is taken apart.
    let mut count = 1usize;
    for length in 1..commands.len() {
        let rest = partition_graph_count(flat, &commands[length..], most);
        count = count.saturating_add(rest);
    }
    let opened = match commands.first().map(|&first| &flat.commands[first].kind) {
        Some(FlatKind::If { then, otherwise, .. }) => {
            let then = partition_graph_count(flat, then, most);
            then.saturating_mul(partition_graph_count(flat, otherwise, most))
        }
        Some(FlatKind::While { body, .. }) => partition_graph_count(flat, body, most),
        _ => 0,
    };
    let rest = if commands.len() > 1 && opened > 0 {
        partition_graph_count(flat, &commands[1..], most)
    } else {
        1
    };
    count.saturating_add(opened.saturating_mul(rest)).min(most)
}

/// pg(P), each graph once: in M Def. A.3, `;` can be split in several orders with the same result.
pub fn partition_graphs(
    flat: &Flat,
    valuations: &Valuations,
    commands: &[usize],
) -> Vec<PartitionGraph> {
    let whole = Structure::of(flat, valuations, commands);
    let mut graphs = vec![PartitionGraph { nodes: vec![whole], edges: Vec::new(), entry: 0 }];
    for length in 1..commands.len() {
        let (first, rest) = commands.split_at(length);
        let node = Structure::of(flat, valuations, first);
        let first = PartitionGraph { nodes: vec![node], edges: Vec::new(), entry: 0 };
        graphs.extend(sequences(&[first], rest, &partition_graphs(flat, valuations, rest)));
    }
    let opened = commands.first().map_or(Vec::new(), |&first| opened(flat, valuations, first));
    match (&opened[..], commands.get(1..)) {
        ([], _) | (_, None) => {}
        (_, Some([])) => graphs.extend(opened),
        (_, Some(rest)) => {
            graphs.extend(sequences(&opened, rest, &partition_graphs(flat, valuations, rest)));
        }
    }
    graphs
}

// M Def. A.3, 2.
fn sequences(
    first: &[PartitionGraph],
    context: &[usize],
    second: &[PartitionGraph],
) -> Vec<PartitionGraph> {
    let pairs = first.iter().flat_map(|one| second.iter().map(move |two| (one, two)));
    let joined = pairs.map(|(one, two)| {
        let mut graph = one.in_context(context);
        graph.join(two);
        graph
    });
    joined.collect()
}

// M Def. A.3, 3 and 4.
fn opened(flat: &Flat, valuations: &Valuations, command: usize) -> Vec<PartitionGraph> {
    match &flat.commands[command].kind {
        FlatKind::If { test, then, otherwise } => {
            let then = partition_graphs(flat, valuations, then);
            let otherwise = partition_graphs(flat, valuations, otherwise);
            let pairs = then.iter().flat_map(|one| otherwise.iter().map(move |two| (one, two)));
            let graph = |(then, otherwise): (&PartitionGraph, &PartitionGraph)| {
                let mut graph = condition(valuations, test, command);
                let [yes, no] = [then, otherwise].map(|branch| graph.join(branch));
                graph.add_edge(test, true, yes);
                graph.add_edge(test, false, no);
                graph
            };
            pairs.map(graph).collect()
        }
        FlatKind::While { test, body } => {
            let bodies = partition_graphs(flat, valuations, body);
            let graph = |body: &PartitionGraph| {
                let mut graph = condition(valuations, test, command);
                // The body stands in the context of the loop, which the definition forgets.
                let yes = graph.join(&body.in_context(&[command]));
                graph.add_edge(test, true, yes);
                graph.add_edge(test, false, 1);
                graph
            };
            bodies.iter().map(graph).collect()
        }
        FlatKind::Fin | FlatKind::Skip | FlatKind::Assign(..) => Vec::new(),
    }
}

/// M_B, in which the steps are those that go wrong, and M_E.
fn condition(valuations: &Valuations, test: &Expr, command: usize) -> PartitionGraph {
    let places = [vec![command], Vec::new()];
    let mut nodes = places.map(|place| {
        Structure::without_steps(BTreeSet::from([Location::Rest(place.clone())]), &place)
    });
    let here = nodes[0].initial.clone();
    nodes[0].add(here, Location::Error, step_if(valuations, test, None));
    PartitionGraph { nodes: nodes.to_vec(), edges: Vec::new(), entry: 0 }
}
