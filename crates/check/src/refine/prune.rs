//! C §5.2, "Optimization": what a product says about the ?-subgraphs that it came from.
//!
//! A node of a ?-subgraph that is a sub-node of product nodes of one definite colour has that colour
//! wherever it matters. One that is a sub-node of none does not matter. The paper removes it; but a
//! product node that is terminal, because the other side has decided it or because it is remembered,
//! has no sons either, and its sub-nodes still need theirs: without them a `<> f` would come out false
//! that is true in that very product node. So what lies below such a sub-node stays.

use super::Run;
use game::Part;
use game::colour::Colouring;
use logic::Truth;
use rustc_hash::{FxHashMap, FxHashSet};

/// Component, state and subformula.
type SubNode = (usize, u32, u32);

/// What the products say of sub-nodes.
#[derive(Default)]
struct Appearances {
    /// The common colour of all product nodes, `None` if they differ.
    colours: FxHashMap<SubNode, Option<Truth>>,
    /// Those of terminal product nodes.
    ended: FxHashSet<SubNode>,
}

impl<'f> Run<'_, 'f> {
    pub(super) fn prune(&mut self, whole: &Part<'f>, colouring: &Colouring) {
        let options = &self.request.refinement;
        let (drop_absent, take_over) = (options.drop_absent, options.take_over);
        if whole.components.len() < 2 || !options.remember || !(drop_absent || take_over) {
            return;
        }
        let appearances = appearances(whole, colouring);
        for &component in &whole.components {
            let Some(doubtful) = &self.parts[component] else { continue };
            let part = &doubtful.part;
            let below = below_ended(part, component, &appearances);
            for node in 0..part.graph.len() as u32 {
                let (state, label) = part.graph.at(node);
                if part.graph.subformulas.chosen_by(label).is_some() {
                    continue;
                }
                let news = match appearances.colours.get(&(component, state, label)) {
                    None if drop_absent && !below[node as usize] => {
                        self.memory.forget_node(component, state, label)
                    }
                    Some(Some(colour)) if take_over && colour.is_definite() => {
                        self.memory.remember(&[component], &[state], label, *colour)
                    }
                    _ => false,
                };
                self.stale[component] |= news && part.graph.given[node as usize].is_none();
            }
        }
    }
}

fn appearances(whole: &Part, colouring: &Colouring) -> Appearances {
    let mut appearances = Appearances::default();
    for node in 0..whole.graph.len() as u32 {
        let (state, label) = whole.graph.at(node);
        if whole.graph.subformulas.chosen_by(label).is_some() {
            continue;
        }
        let colour = colouring.colours[node as usize];
        for (&component, &member) in whole.components.iter().zip(whole.tuple(state)) {
            let sub_node = (component, member, label);
            let known = appearances.colours.entry(sub_node).or_insert(Some(colour));
            if *known != Some(colour) {
                *known = None;
            }
            if whole.graph.given[node as usize].is_some() {
                appearances.ended.insert(sub_node);
            }
        }
    }
    appearances
}

/// By node of a part: whether it lies below a sub-node of a terminal product node.
fn below_ended(part: &Part, component: usize, appearances: &Appearances) -> Vec<bool> {
    let graph = &part.graph;
    let mut below = vec![false; graph.len()];
    let ended = |&node: &u32| {
        let (state, label) = graph.at(node);
        appearances.ended.contains(&(component, state, label))
    };
    let mut open: Vec<u32> = (0..graph.len() as u32).filter(ended).collect();
    while let Some(node) = open.pop() {
        for edge in graph.sons(node) {
            if !std::mem::replace(&mut below[edge.node() as usize], true) {
                open.push(edge.node());
            }
        }
    }
    below
}
