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
///
/// The abstract states of a product's node can all be split in a round, so inheriting by copying would take a node for
/// each combination of their parts. Those of products are looked up instead by the states that theirs were parts of.
#[derive(Default)]
struct Nodes {
    colours: FxHashMap<(Box<[u32]>, u32), CachedColour>,
    /// By member: new states and those that they were split from since the product was coloured.
    origins: Vec<FxHashMap<u32, u32>>,
}

impl Nodes {
    fn key(&self, tuple: &[u32], label: u32) -> (Box<[u32]>, u32) {
        let mut key: Box<[u32]> = tuple.into();
        for (member, origins) in key.iter_mut().zip(&self.origins) {
            *member = origins.get(member).copied().unwrap_or(*member);
        }
        (key, label)
    }

    fn get(&self, tuple: &[u32], label: u32) -> Option<CachedColour> {
        self.colours.get(&self.key(tuple, label)).copied()
    }

    /// Whether a state of a node has been split since.
    fn is_divided(&self, tuple: &[u32]) -> bool {
        let is_part = |(member, origins): (&u32, &FxHashMap<u32, u32>)| {
            origins.iter().any(|(part, origin)| part == member || origin == member)
        };
        tuple.iter().zip(&self.origins).any(is_part)
    }

    /// The parts of a split state inherit, with `place` the member that is split.
    fn split(&mut self, place: usize, size: usize, state: u32, fresh: &[u32]) {
        if size > 1 {
            self.origins.resize_with(size, FxHashMap::default);
            let origins = &mut self.origins[place];
            let origin = origins.get(&state).copied().unwrap_or(state);
            origins.extend(fresh.iter().map(|&part| (part, origin)));
            return;
        }
        let of_state = self.colours.iter().filter(|((tuple, _), _)| tuple[place] == state);
        let known: Vec<(u32, CachedColour)> =
            of_state.map(|((_, label), &known)| (*label, known)).collect();
        for &part in fresh {
            let inherited = known.iter().map(|&(label, known)| (([part].into(), label), known));
            self.colours.extend(inherited);
        }
    }
}

#[derive(Clone, Copy)]
struct CachedColour {
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
        self.colours.get(components)?.get(tuple, label).map(|known| known.colour)
    }

    /// Remembers a definite colour. Whether that is new. A product's node of which a state has been split in this round
    /// is none that the last product had: nothing is remembered.
    pub fn insert(
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
        if nodes.is_divided(tuple) {
            return false;
        }
        let mut is_new = false;
        let known = *nodes.colours.entry((tuple.into(), label)).or_insert_with(|| {
            is_new = true;
            CachedColour { colour, is_firm: !self.is_narrowed }
        });
        debug_assert!(known.colour == colour || self.is_narrowed, "definite values stay");
        is_new
    }

    /// Remembers the colour of all product nodes over a component's node. Whether that is new.
    pub fn take_over(&mut self, component: usize, (state, label): Node, colour: Truth) -> bool {
        self.is_narrowed = true;
        self.insert(&[component], &[state], label, colour)
    }

    /// Remembers all definite nodes of a coloured part. A later product comes to parts of this one's nodes only: of
    /// nodes that it does not have, one part is remembered.
    pub fn insert_part(&mut self, part: &SubsystemGame, colours: &[Truth]) {
        let graph = &part.graph;
        let definite = || {
            let nodes = colours.iter().enumerate().filter(|(_, colour)| colour.is_definite());
            nodes.filter_map(|(node, &colour)| {
                let label = graph.labels[node];
                let is_choice = graph.subformulas.chosen_by(label).is_some();
                (!is_choice).then(|| (part.tuple(graph.states[node]), label, colour))
            })
        };
        if let Some(nodes) = self.colours.get_mut(&*part.components) {
            let known = |(tuple, label, _): (&[u32], u32, Truth)| {
                Some(((tuple.into(), label), nodes.get(tuple, label)?))
            };
            let inherited: Vec<_> = match nodes.origins.is_empty() {
                true => Vec::new(),
                false => definite().filter_map(known).collect(),
            };
            nodes.origins.clear();
            nodes.colours.extend(inherited);
        }
        for (tuple, label, colour) in definite() {
            self.insert(&part.components, tuple, label, colour);
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
            if let Some(place) = components.iter().position(|&c| c == component) {
                nodes.split(place, components.len(), state, fresh);
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
            let firm = nodes.colours.iter().filter(|(_, known)| known.is_firm);
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

    fn known_colour(&self, components: &[usize], tuple: &[u32], label: u32) -> Option<Truth> {
        self.memory.colour(components, tuple, label)
    }
}
