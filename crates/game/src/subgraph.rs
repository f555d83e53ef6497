//! The part of a coloured game graph in which nodes are unknown (C §3).

use crate::graph::{Edge, GameGraph, GraphBuilder};
use crate::subformulas::NodeClass;
use logic::Truth;

/// C Def. 3.1: the successors that suffice to determine the colour of a node.
pub fn witnessing_successors<'g>(
    graph: &'g GameGraph,
    colours: &'g [Truth],
    node: u32,
) -> impl Iterator<Item = Edge> + 'g {
    witnessing_edges(graph, colours, node).map(|(_, edge)| edge)
}

/// Witnessing edges, each with its index.
fn witnessing_edges<'g>(
    graph: &'g GameGraph,
    colours: &'g [Truth],
    node: u32,
) -> impl Iterator<Item = (u32, Edge)> + 'g {
    let class = graph.class(node);
    let numbers = graph.edge_range(node).map(|number| number as u32);
    numbers.zip(graph.successors(node).iter().copied()).filter(move |(_, edge)| {
        let colour = colours[edge.node() as usize];
        match class {
            NodeClass::And | NodeClass::Box => colour != Truth::True,
            NodeClass::Or | NodeClass::Dia => colour != Truth::False,
            NodeClass::Deterministic | NodeClass::Literal => true,
        }
    })
}

/// A part of a game graph; `of[n]` is the node that `n` was in the composition, `edges_of` the same for edges.
pub struct Subgraph<'f> {
    pub graph: GameGraph<'f>,
    pub of: Vec<u32>,
    pub edges_of: Vec<u32>,
}

/// C Def. 3.4: the ?-subgraph, from the initial nodes that are coloured unknown. Its terminal nodes
/// have their colours given; by C Thm 3.3 colouring it again gives all its nodes theirs.
pub fn unknown_subgraph<'f>(graph: &GameGraph<'f>, colours: &[Truth]) -> Subgraph<'f> {
    let mut builder = GraphBuilder::new(graph.subformulas);
    let (mut of, mut edges_of) = (Vec::new(), Vec::new());
    let mut ids = vec![u32::MAX; graph.len()];
    let mut add = |builder: &mut GraphBuilder, of: &mut Vec<u32>, node: u32| {
        if ids[node as usize] == u32::MAX {
            ids[node as usize] =
                builder.node(graph.states[node as usize], graph.labels[node as usize]);
            of.push(node);
        }
        ids[node as usize]
    };
    for &node in &graph.initial {
        if colours[node as usize] == Truth::Unknown {
            let id = add(&mut builder, &mut of, node);
            builder.initial(id);
        }
    }
    let mut next = 0;
    while next < of.len() {
        let node = of[next];
        next += 1;
        let colour = colours[node as usize];
        let terminal = graph.given[node as usize].is_some() || colour.is_definite();
        if terminal {
            builder.close(&[], Some(colour));
            continue;
        }
        let edges: Vec<Edge> = witnessing_edges(graph, colours, node)
            .map(|(number, edge)| {
                edges_of.push(number);
                Edge::new(add(&mut builder, &mut of, edge.node()), edge.mode())
            })
            .collect();
        builder.close(&edges, None);
    }
    Subgraph { graph: builder.finish(), of, edges_of }
}
