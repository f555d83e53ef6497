//! The unfolding of a partition graph: a procedure body once for each of its calls.

use crate::cfg::assumed::Assumed;
use crate::cfg::graph::Cfg;
use crate::cfg::partition::{GraphId, Partition, PartitionGraph};
use crate::cfg::program::Program;
use support::{IdVec, define_id};

define_id!(UnfoldedId, "place");

/// A block, or the condition of a divided `if` or `while`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfoldedNode {
    pub graph: GraphId,
    /// The successor by each exit; `fin` has none.
    pub exits: Vec<UnfoldedId>,
}

/// All nodes, those that a graph begins with before what follows.
#[derive(Clone, Debug)]
pub struct Unfolding {
    pub nodes: IdVec<UnfoldedId, UnfoldedNode>,
}

/// How many nodes each graph has, with the bodies that it calls.
#[derive(Clone, Debug)]
pub struct Sizes(IdVec<GraphId, u64>);

impl Sizes {
    pub fn new(partition: &Partition) -> Self {
        // What a graph is made of has smaller numbers, the bodies that it calls too.
        let mut sizes: IdVec<GraphId, u64> = IdVec::new();
        for graph in partition.graphs.values() {
            let size = match graph {
                PartitionGraph::Block(_) => 1,
                PartitionGraph::Seq(parts) => {
                    parts.iter().map(|&part| sizes[part]).fold(0, u64::saturating_add)
                }
                PartitionGraph::If { then, otherwise, .. } => {
                    sizes[*then].saturating_add(sizes[*otherwise]).saturating_add(1)
                }
                PartitionGraph::While { body, .. } => sizes[*body].saturating_add(1),
                PartitionGraph::Call { procedure, .. } => {
                    partition.procedures[*procedure].map_or(0, |body| sizes[body])
                }
            };
            sizes.push(size);
        }
        Self(sizes)
    }

    pub fn of(&self, graph: GraphId) -> u64 {
        self.0[graph]
    }
}

impl Unfolding {
    /// More nodes than this are not walked through.
    pub const MOST: u64 = 1 << 24;

    /// All of a partition; `None` if there are too many.
    pub fn new(partition: &Partition) -> Option<Self> {
        let sizes = Sizes::new(partition);
        if sizes.of(partition.root) > Self::MOST {
            return None;
        }
        let mut places = Self { nodes: IdVec::new() };
        places.add(partition, &sizes, partition.root, None);
        Some(places)
    }

    /// The meaning of a node.
    pub fn cfg(
        &self,
        place: UnfoldedId,
        program: &Program,
        partition: &Partition,
        assumed: &[Assumed],
    ) -> Cfg {
        match &partition.graphs[self.nodes[place].graph] {
            PartitionGraph::Block(commands) => Cfg::of(program, assumed, commands),
            PartitionGraph::If { command, .. } | PartitionGraph::While { command, .. } => {
                Cfg::of_test(program, *command)
            }
            PartitionGraph::Seq(_) | PartitionGraph::Call { .. } => Cfg::of(program, assumed, &[]),
        }
    }

    fn add(
        &mut self,
        partition: &Partition,
        sizes: &Sizes,
        id: GraphId,
        after: Option<UnfoldedId>,
    ) {
        let own = UnfoldedId(self.nodes.len() as u32);
        let later = |count: u64| UnfoldedId(own.0 + count as u32);
        match &partition.graphs[id] {
            PartitionGraph::Block(_) => {
                self.nodes.push(UnfoldedNode { graph: id, exits: after.into_iter().collect() });
            }
            PartitionGraph::Seq(parts) => {
                let mut at = own.0;
                for (index, &part) in parts.iter().enumerate() {
                    at += sizes.of(part) as u32;
                    let is_last = index + 1 == parts.len();
                    self.add(
                        partition,
                        sizes,
                        part,
                        if is_last { after } else { Some(UnfoldedId(at)) },
                    );
                }
            }
            PartitionGraph::If { then, otherwise, .. } => {
                let exits = vec![later(1), later(1 + sizes.of(*then))];
                self.nodes.push(UnfoldedNode { graph: id, exits });
                self.add(partition, sizes, *then, after);
                self.add(partition, sizes, *otherwise, after);
            }
            PartitionGraph::While { body, .. } => {
                let exits = std::iter::once(later(1)).chain(after).collect();
                self.nodes.push(UnfoldedNode { graph: id, exits });
                self.add(partition, sizes, *body, Some(own));
            }
            PartitionGraph::Call { procedure, .. } => {
                if let Some(body) = partition.procedures[*procedure] {
                    self.add(partition, sizes, body, after);
                }
            }
        }
    }
}
