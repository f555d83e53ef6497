//! The part of a large graph that is shown.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use tertium::Stopped;
use tertium::inspect::Monitor;

/// The most nodes of a window.
pub const MOST_NODES: usize = 2000;

/// A part of a graph, as it is asked for.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Window {
    /// `None`: from the beginning.
    pub from: Option<Vec<u32>>,
    #[serde(default = "one")]
    pub depth: u32,
    #[serde(default)]
    pub direction: Direction,
    #[serde(default = "some_hundred")]
    pub limit: usize,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    #[default]
    Out,
    In,
    Both,
}

fn one() -> u32 {
    1
}

fn some_hundred() -> usize {
    300
}

/// A graph with numbers for its nodes.
pub trait Graph {
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where one begins to look.
    fn starts(&self) -> &[u32];

    fn for_each_out(&self, node: u32, visit: &mut dyn FnMut(u32));

    fn for_each_in(&self, node: u32, visit: &mut dyn FnMut(u32));
}

impl Window {
    pub fn most(&self) -> usize {
        self.limit.clamp(1, MOST_NODES)
    }

    /// The nodes to be shown, in the order in which they were found. A node that is not there is left out.
    pub fn nodes(&self, graph: &impl Graph, monitor: &Monitor) -> Result<Chosen, Stopped> {
        let mut chosen = Chosen::default();
        let most = self.most();
        match &self.from {
            None if graph.len() <= most => {
                (0..graph.len() as u32).for_each(|node| chosen.add(node));
            }
            None => self.outwards(graph, graph.starts(), u32::MAX, &mut chosen, monitor)?,
            Some(from) => {
                let here: Vec<u32> =
                    from.iter().copied().filter(|&node| (node as usize) < graph.len()).collect();
                self.outwards(graph, &here, self.depth, &mut chosen, monitor)?;
            }
        }
        Ok(chosen)
    }

    fn outwards(
        &self,
        graph: &impl Graph,
        starts: &[u32],
        depth: u32,
        chosen: &mut Chosen,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let most = self.most();
        starts.iter().take(most).for_each(|&node| chosen.add(node));
        let (mut first, mut distance) = (0, 0);
        while distance < depth && first < chosen.nodes.len() && chosen.nodes.len() < most {
            let last = chosen.nodes.len();
            for index in first..last {
                let node = chosen.nodes[index];
                let mut visit = |other: u32| {
                    if chosen.nodes.len() < most {
                        chosen.add(other);
                    }
                };
                if self.direction != Direction::In {
                    graph.for_each_out(node, &mut visit);
                }
                if self.direction != Direction::Out {
                    graph.for_each_in(node, &mut visit);
                }
                monitor.step(1)?;
            }
            (first, distance) = (last, distance + 1);
        }
        Ok(())
    }
}

/// Nodes, each once.
#[derive(Default, Debug)]
pub struct Chosen {
    pub nodes: Vec<u32>,
    places: HashMap<u32, usize>,
}

impl Chosen {
    fn add(&mut self, node: u32) {
        let Chosen { nodes, places } = self;
        places.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() - 1
        });
    }

    pub fn contains(&self, node: u32) -> bool {
        self.places.contains_key(&node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1 → 2 → … , begun at 0.
    struct Chain(usize);

    impl Graph for Chain {
        fn len(&self) -> usize {
            self.0
        }

        fn starts(&self) -> &[u32] {
            &[0]
        }

        fn for_each_out(&self, node: u32, visit: &mut dyn FnMut(u32)) {
            if (node as usize) + 1 < self.0 {
                visit(node + 1);
            }
        }

        fn for_each_in(&self, node: u32, visit: &mut dyn FnMut(u32)) {
            if node > 0 {
                visit(node - 1);
            }
        }
    }

    fn shown(length: usize, window: &str) -> Vec<u32> {
        let window: Window = serde_json::from_str(window).expect("a window");
        window.nodes(&Chain(length), &Monitor::new()).expect("it is not stopped").nodes
    }

    #[test]
    fn what_is_small_is_shown_as_it_is() {
        assert_eq!(shown(3, "{}"), [0, 1, 2]);
        assert!(shown(0, "{}").is_empty());
    }

    #[test]
    fn what_is_large_is_shown_from_its_beginning() {
        assert_eq!(shown(1_000_000, r#"{"limit": 3}"#), [0, 1, 2]);
        assert_eq!(shown(1_000_000, r#"{"limit": 999999}"#).len(), MOST_NODES);
    }

    #[test]
    fn around_a_node() {
        assert_eq!(shown(100, r#"{"from": [7]}"#), [7, 8]);
        assert_eq!(
            shown(100, r#"{"from": [7], "depth": 2, "direction": "both"}"#),
            [7, 8, 6, 9, 5]
        );
        assert_eq!(shown(100, r#"{"from": [7], "depth": 0}"#), [7]);
        assert_eq!(shown(100, r#"{"from": [7, 100, 4000000000, 7]}"#), [7, 8]);
        assert_eq!(shown(100, r#"{"from": [7], "depth": 50, "limit": 2}"#), [7, 8]);
    }
}
