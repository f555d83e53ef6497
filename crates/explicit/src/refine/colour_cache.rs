//! Definite colours of earlier rounds, by node (G §5.1).
//!
//! A definite colour of a node holds for every sub-node: for the same subformula in a state that stands
//! for some of the same concrete states. When a state is split, its parts inherit what is remembered of
//! it. So a node is never checked again once it is definite, and no definite value is lost, although a
//! split can lose a must transition.
//!
//! What a product says about its parts (C §5.2, Optimization) holds where the question comes to. From then
//! on colours of nodes that it does not come to mean nothing: two rounds may find different ones.

use game::{KnownColours, SubsystemGame};
use logic::Truth;
use model::Mode;
use rustc_hash::{FxHashMap, FxHashSet};

/// The nodes of one part: states of its components and subformula.
type Nodes = FxHashMap<(Box<[u32]>, u32), Remembered>;

#[derive(Clone, Copy)]
struct Remembered {
    colour: Truth,
    /// It holds everywhere, not only where the question comes to.
    is_firm: bool,
}

/// A decided node: components, their states, subformula and value.
pub type Decided<'m> = (&'m [usize], &'m [u32], u32, Truth);

/// State and subformula.
type Node = (u32, u32);

#[derive(Default)]
pub struct ColourCache {
    /// By the components of a part, in its order.
    colours: FxHashMap<Box<[usize]>, Nodes>,
    /// By component: edges between nodes that no product needs (C §5.2, Optimization).
    dropped: FxHashSet<(usize, Node, Node)>,
    is_off: bool,
    /// Something has been dropped or taken over.
    is_narrowed: bool,
}

impl ColourCache {
    pub fn new(is_on: bool) -> Self {
        Self { is_off: !is_on, ..Self::default() }
    }

    pub fn colour(&self, components: &[usize], tuple: &[u32], label: u32) -> Option<Truth> {
        self.colours.get(components)?.get(&(tuple.into(), label)).map(|known| known.colour)
    }

    /// Remembers a definite colour. Whether that is new.
    pub fn remember(
        &mut self,
        components: &[usize],
        tuple: &[u32],
        label: u32,
        colour: Truth,
    ) -> bool {
        if self.is_off {
            return false;
        }
        debug_assert!(colour.is_definite());
        let nodes = self.colours.entry(components.into()).or_default();
        let mut is_new = false;
        let known = *nodes.entry((tuple.into(), label)).or_insert_with(|| {
            is_new = true;
            Remembered { colour, is_firm: !self.is_narrowed }
        });
        debug_assert!(known.colour == colour || self.is_narrowed, "definite values stay");
        is_new
    }

    /// Remembers the colour of all product nodes over a component's node. Whether that is new.
    pub fn take_over(&mut self, component: usize, (state, label): Node, colour: Truth) -> bool {
        self.is_narrowed = true;
        self.remember(&[component], &[state], label, colour)
    }

    /// Remembers all definite nodes of a coloured part.
    pub fn remember_part(&mut self, part: &SubsystemGame, colours: &[Truth]) {
        let graph = &part.graph;
        for (node, &colour) in colours.iter().enumerate() {
            let label = graph.labels[node];
            if colour.is_definite() && graph.subformulas.chosen_by(label).is_none() {
                self.remember(&part.components, part.tuple(graph.states[node]), label, colour);
            }
        }
    }

    /// Whether that is new.
    pub fn drop_edge(&mut self, component: usize, from: Node, to: Node) -> bool {
        self.is_narrowed = true;
        self.dropped.insert((component, from, to))
    }

    pub fn is_dropped(&self, component: usize, from: Node, to: Node) -> bool {
        !self.dropped.is_empty() && self.dropped.contains(&(component, from, to))
    }

    /// The parts of a split state inherit.
    pub fn split(&mut self, component: usize, state: u32, fresh: &[u32]) {
        for (components, nodes) in &mut self.colours {
            let Some(place) = components.iter().position(|&c| c == component) else { continue };
            let of_state = nodes.iter().filter(|((tuple, _), _)| tuple[place] == state);
            let known: Vec<(Box<[u32]>, u32, Remembered)> =
                of_state.map(|((tuple, label), &known)| (tuple.clone(), *label, known)).collect();
            for (tuple, label, known) in known {
                for &part in fresh {
                    let mut tuple = tuple.clone();
                    tuple[place] = part;
                    nodes.insert((tuple, label), known);
                }
            }
        }
        let parts = |of: Node| -> Vec<Node> {
            let fresh = if of.0 == state { fresh } else { &[] };
            [of.0].iter().chain(fresh).map(|&part| (part, of.1)).collect()
        };
        let inherited: Vec<(usize, Node, Node)> = self
            .dropped
            .iter()
            .filter(|&&(c, from, to)| c == component && (from.0 == state || to.0 == state))
            .flat_map(|&(_, from, to)| {
                let pairs = parts(from).into_iter();
                pairs.flat_map(move |from| {
                    parts(to).into_iter().map(move |to| (component, from, to))
                })
            })
            .collect();
        self.dropped.extend(inherited);
    }

    /// Whether all that is remembered is known everywhere.
    #[cfg(test)]
    pub fn is_firm(&self) -> bool {
        !self.is_narrowed
    }

    /// Colours that hold in all states.
    pub fn decided(&self) -> impl Iterator<Item = Decided<'_>> {
        self.colours.iter().flat_map(|(components, nodes)| {
            let firm = nodes.iter().filter(|(_, known)| known.is_firm);
            firm.map(|((tuple, label), known)| (&**components, &**tuple, *label, known.colour))
        })
    }
}

/// The memory together with the concretisations: what a product asks.
pub(super) struct Known<'m> {
    pub memory: &'m ColourCache,
    pub moves: &'m dyn Fn(&[u32]) -> Mode,
}

impl KnownColours for Known<'_> {
    fn moves(&self, tuple: &[u32]) -> Mode {
        (self.moves)(tuple)
    }

    fn remembered(&self, components: &[usize], tuple: &[u32], label: u32) -> Option<Truth> {
        self.memory.colour(components, tuple, label)
    }
}
