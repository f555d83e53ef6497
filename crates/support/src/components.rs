//! Strongly connected components: Tarjan's algorithm (1972) without recursion, in flat memory.
//!
//! The graph is not given but asked, edge by edge, and each component is handed out as soon as it is complete: its
//! owner may change the graph then, as long as no edge comes up between nodes that were handed out, or take nodes
//! back and search them anew. Auditors have algorithms of their own.

use std::convert::Infallible;

/// A graph to be searched for strongly connected components.
pub trait SearchedGraph {
    type Error;

    /// Goes through the successors of a node, from this place on, up to one that is wanted: its place, and itself.
    fn find(
        &mut self,
        node: u32,
        from: u32,
        is_wanted: impl FnMut(u32) -> bool,
    ) -> Result<Option<(u32, u32)>, Self::Error>;

    /// Takes a component, in the order in which its nodes were found. All that they lead to outside of it was taken
    /// before.
    fn take(&mut self, nodes: &[u32], search: &mut ComponentSearch) -> Result<(), Self::Error>;
}

/// How far a search for components has come.
pub struct ComponentSearch {
    /// By node: [`NEW`], [`TAKEN`], or the least number known to be reachable from it.
    low: Vec<u32>,
    seen: u32,
}

const NEW: u32 = 0;
const TAKEN: u32 = u32::MAX;

impl ComponentSearch {
    /// Of so many nodes, none of which has been seen. It takes four bytes a node, and as much again for each of at
    /// most four things on the way.
    pub fn new(nodes: usize) -> Self {
        Self { low: vec![NEW; nodes], seen: 0 }
    }

    /// These nodes, which were taken, have not been seen.
    pub fn forget(&mut self, nodes: &[u32]) {
        nodes.iter().for_each(|&node| self.low[node as usize] = NEW);
    }

    /// Hands out the components that can be reached from these nodes through nodes that have not been seen.
    pub fn run<G: SearchedGraph>(
        &mut self,
        roots: impl IntoIterator<Item = u32>,
        graph: &mut G,
    ) -> Result<(), G::Error> {
        let seen = self.seen;
        // Nodes whose successors are being looked at: each with its number and the place that it has come to.
        let mut path: Vec<(u32, u32, u32)> = Vec::new();
        // Nodes that are in no complete component.
        let mut open: Vec<u32> = Vec::new();
        for root in roots {
            let mut next = (self.low[root as usize] == NEW).then_some(root);
            loop {
                if let Some(node) = next {
                    self.seen += 1;
                    self.low[node as usize] = self.seen;
                    open.push(node);
                    path.push((node, self.seen, 0));
                }
                let Some(&mut (node, number, ref mut place)) = path.last_mut() else { break };
                let mut low = self.low[node as usize];
                let found =
                    graph.find(node, *place, |successor| match self.low[successor as usize] {
                        NEW => true,
                        TAKEN => false,
                        reached => {
                            low = low.min(reached);
                            false
                        }
                    })?;
                self.low[node as usize] = low;
                next = found.map(|(at, successor)| {
                    *place = at + 1;
                    successor
                });
                if next.is_some() {
                    continue;
                }
                path.pop();
                if let Some(&(parent, ..)) = path.last() {
                    let reached = &mut self.low[parent as usize];
                    *reached = low.min(*reached);
                }
                if low == number {
                    let start = open.iter().rposition(|&other| other == node).unwrap_or(0);
                    open[start..].iter().for_each(|&member| self.low[member as usize] = TAKEN);
                    graph.take(&open[start..], self)?;
                    open.truncate(start);
                }
            }
        }
        self.seen = seen;
        Ok(())
    }
}

/// The number of the component of each node, given the successors of each. A component has a higher number than those
/// that it leads to.
pub fn components<I: Iterator<Item = u32>>(
    nodes: usize,
    successors: impl Fn(u32) -> I,
) -> Vec<u32> {
    struct Numbering<F> {
        successors: F,
        of: Vec<u32>,
        count: u32,
    }

    impl<I: Iterator<Item = u32>, F: Fn(u32) -> I> SearchedGraph for Numbering<F> {
        type Error = Infallible;

        fn find(
            &mut self,
            node: u32,
            from: u32,
            mut is_wanted: impl FnMut(u32) -> bool,
        ) -> Result<Option<(u32, u32)>, Infallible> {
            let all = (0..).zip((self.successors)(node));
            Ok(all.skip(from as usize).find(|&(_, successor)| is_wanted(successor)))
        }

        fn take(&mut self, nodes: &[u32], _: &mut ComponentSearch) -> Result<(), Infallible> {
            nodes.iter().for_each(|&node| self.of[node as usize] = self.count);
            self.count += 1;
            Ok(())
        }
    }

    let mut numbering = Numbering { successors, of: vec![0; nodes], count: 0 };
    let Ok(()) = ComponentSearch::new(nodes).run(0..nodes as u32, &mut numbering);
    numbering.of
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All graphs of four nodes, against reachability.
    #[test]
    fn components_are_what_reaches_each_other() {
        for edges in 0u32..1 << 16 {
            let rows: Vec<Vec<u32>> = (0..4)
                .map(|from| (0..4).filter(|to| edges >> (4 * from + to) & 1 == 1).collect())
                .collect();
            let mut reach: [[bool; 4]; 4] = std::array::from_fn(|from| {
                std::array::from_fn(|to| from == to || rows[from].contains(&(to as u32)))
            });
            for through in 0..4 {
                for from in 0..4 {
                    for to in 0..4 {
                        reach[from][to] |= reach[from][through] && reach[through][to];
                    }
                }
            }
            let of = components(4, |node| rows[node as usize].iter().copied());
            for from in 0..4 {
                for to in 0..4 {
                    assert_eq!(of[from] == of[to], reach[from][to] && reach[to][from], "{rows:?}");
                    assert!(!reach[from][to] || of[from] >= of[to], "{rows:?}");
                }
            }
        }
    }
}
