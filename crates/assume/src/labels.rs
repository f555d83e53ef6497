//! The lower bounds of the labels: what each state of 𝓜‖P̄ is known to be labelled with (A §3 to §6).
//!
//! Labels only grow. Over a must edge everything passes on; over an edge that is only a may edge nothing
//! does, and where something would be new at its end, the edge is a candidate for the next refinement.
//! The upper bounds are computed only where an equivalence is asked for ([`close`]).

use crate::graph::{ERROR, Edge, Graph, SplitStates};
use crate::moves::{Direction, Moves};
use crate::set::StateSet;
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::mem::take;
use support::{Monitor, Reservation, Stopped};

/// The edges of so many states are compared for a choice. All of them would cost more and give no smaller assumptions.
const NEAREST: usize = 16;

pub(crate) struct Labels {
    direction: Direction,
    /// By state of the graph.
    pub sets: Vec<StateSet>,
    /// The states that have not been passed on yet.
    fresh: Vec<StateSet>,
    /// How far from where the labelling begins.
    distance: Vec<u32>,
    /// The states with something fresh, in the order in which they got it.
    waiting: VecDeque<u32>,
    /// The states at which edges begin that have not been looked at.
    unsettled: Vec<u32>,
    /// Where edges begin over which something may pass, nearest first, each once.
    candidates: BinaryHeap<Reverse<(u32, u32)>>,
    is_candidate: FixedBitSet,
    /// Room for the images of what is being passed on, and for the edges that it is passed on over.
    images: Images,
    leaving: Vec<(u32, usize)>,
    /// How much was passed on, in states.
    pub work: u64,
    /// The memory of the labels.
    bytes: u64,
    room: Reservation,
}

impl Labels {
    /// Forward labels begin with the initial states (A §3), backward ones with all states at π (A §4).
    pub fn new(direction: Direction, graph: &Graph, start: &StateSet) -> Labels {
        let (empty, states) = (StateSet::new(start.universe()), graph.states());
        let mut labels = Labels {
            direction,
            sets: vec![empty.clone(); states],
            fresh: vec![empty; states],
            distance: vec![u32::MAX; states],
            waiting: VecDeque::new(),
            unsettled: Vec::new(),
            candidates: BinaryHeap::new(),
            is_candidate: FixedBitSet::with_capacity(states),
            images: Images::default(),
            leaving: Vec::new(),
            work: 0,
            bytes: 0,
            room: Reservation::default(),
        };
        match direction {
            Direction::Forward => {
                graph.initial.iter().for_each(|&state| labels.begin(state, start))
            }
            Direction::Backward => labels.begin(ERROR, start),
        }
        labels
    }

    /// With labels that are known; nothing of them has been passed on.
    pub fn resumed(direction: Direction, graph: &mut Graph, sets: Vec<StateSet>) -> Labels {
        let empty = StateSet::new(sets.first().map_or(0, StateSet::universe));
        let mut labels = Labels::new(direction, graph, &empty);
        for edges in &mut graph.edges {
            edges.iter_mut().for_each(|edge| edge.settle(direction, true));
        }
        for (state, set) in sets.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
            labels.add(state as u32, set, 1);
        }
        labels.distance[ERROR as usize] = 0;
        labels
    }

    fn begin(&mut self, state: u32, start: &StateSet) {
        self.distance[state as usize] = 0;
        self.add(state, start, 0);
    }

    fn add(&mut self, state: u32, set: &StateSet, distance: u32) {
        let (label, fresh) = (&mut self.sets[state as usize], &mut self.fresh[state as usize]);
        let was_fresh = !fresh.is_empty();
        let before = label.bytes();
        let is_more = label.add(set, fresh);
        self.bytes += label.bytes().saturating_sub(before);
        if is_more && !was_fresh {
            self.waiting.push_back(state);
        }
        let known = &mut self.distance[state as usize];
        *known = distance.min(*known);
    }

    /// Where an edge begins and ends for this direction.
    fn ends(&self, source: u32, edge: &Edge) -> (u32, u32) {
        match self.direction {
            Direction::Forward => (source, edge.target),
            Direction::Backward => (edge.target, source),
        }
    }

    /// Both halves of a split inherit the bounds of the class that was split (A §6: they remain valid).
    pub fn inherit(&mut self, twins: &SplitStates, states: usize) {
        let empty = StateSet::new(self.sets.first().map_or(0, StateSet::universe));
        self.sets.resize(states, empty.clone());
        self.fresh.resize(states, empty);
        self.distance.resize(states, u32::MAX);
        self.is_candidate.grow(states);
        for &(old, new) in &twins.pairs {
            let [old, at] = [old, new].map(|state| state as usize);
            self.sets[at] = self.sets[old].clone();
            self.bytes += self.sets[at].bytes();
            self.fresh[at] = self.fresh[old].clone();
            self.distance[at] = self.distance[old];
            if !self.fresh[at].is_empty() {
                self.waiting.push_back(new);
            }
        }
        self.unsettled.extend(&twins.changed);
    }

    /// These states are gone.
    pub fn forget(&mut self, gone: &[u32]) {
        for &state in gone {
            let gone = self.sets[state as usize].take();
            self.bytes = self.bytes.saturating_sub(gone.bytes());
            self.fresh[state as usize].take();
            self.distance[state as usize] = u32::MAX;
        }
    }

    /// Passes everything on over the must edges.
    pub fn saturate(
        &mut self,
        graph: &mut Graph,
        moves: &Moves,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        loop {
            monitor.step(1)?;
            let states = (self.sets.len() * 2 * (size_of::<StateSet>() + 4)) as u64;
            self.room.keep_up(states + 2 * self.bytes, monitor)?;
            if let Some(source) = self.unsettled.pop() {
                self.settle(source, graph, moves);
            } else if let Some(state) = self.waiting.pop_front() {
                self.spread(state, graph, moves);
            } else {
                return Ok(());
            }
        }
    }

    /// Looks at the edges of a state that have never passed anything on, or have become must edges.
    fn settle(&mut self, source: u32, graph: &mut Graph, moves: &Moves) {
        for at in 0..graph.edges[source as usize].len() {
            let edge = graph.edges[source as usize][at];
            let (from, to) = self.ends(source, &edge);
            if edge.is_settled(self.direction) || to == ERROR {
                continue;
            }
            if self.sets[from as usize].is_empty() || edge.is_must(self.direction) {
                let image = moves.image(self.direction, edge.own, &self.sets[from as usize]);
                self.pass(from, to, &image);
                graph.edges[source as usize][at].settle(self.direction, true);
            } else {
                self.suggest(from, source);
            }
        }
    }

    fn suggest(&mut self, from: u32, source: u32) {
        if !self.is_candidate.put(source as usize) {
            self.candidates.push(Reverse((self.distance[from as usize], source)));
        }
    }

    fn pass(&mut self, from: u32, to: u32, image: &StateSet) {
        if !image.is_empty() {
            self.add(to, image, self.distance[from as usize].saturating_add(1));
        }
    }

    /// Passes on what is fresh at a state.
    fn spread(&mut self, state: u32, graph: &mut Graph, moves: &Moves) {
        let fresh = self.fresh[state as usize].take();
        let mut images = take(&mut self.images);
        let mut leaving = take(&mut self.leaving);
        images.0.clear();
        outgoing(self.direction, graph, state, &mut leaving);
        for &(source, at) in &leaving {
            self.pass_over(source, at, &fresh, &mut images, graph, moves);
        }
        self.images = images;
        self.leaving = leaving;
    }

    /// Passes something fresh on over one edge, or suggests the edge.
    fn pass_over(
        &mut self,
        source: u32,
        at: usize,
        fresh: &StateSet,
        images: &mut Images,
        graph: &mut Graph,
        moves: &Moves,
    ) {
        let edge = graph.edges[source as usize][at];
        let (from, to) = self.ends(source, &edge);
        if to == ERROR {
            return;
        }
        self.work += 1 + u64::from(fresh.len());
        let is_must = edge.is_must(self.direction);
        if is_must && edge.is_settled(self.direction) {
            let image = images.of(edge.own, || moves.image(self.direction, edge.own, fresh));
            self.pass(from, to, image);
        } else if is_must {
            let image = moves.image(self.direction, edge.own, &self.sets[from as usize]);
            self.pass(from, to, &image);
        } else {
            self.suggest(from, source);
        }
        graph.edges[source as usize][at].settle(self.direction, is_must);
    }

    /// A may edge that is no must edge and that would change a label (A §6), unless there is none: then the bounds
    /// coincide. To be asked when all is passed on. Of the edges at the nearest states, the one over which most states
    /// would pass: where labels grow by many states, many states get equal labels early.
    pub fn choose(&mut self, graph: &mut Graph, moves: &Moves) -> Option<(u32, Edge)> {
        let mut best: Option<(u32, u32, Edge)> = None;
        let mut nearest = Vec::new();
        while nearest.len() < NEAREST
            && let Some(Reverse((distance, source))) = self.candidates.pop()
        {
            let mut is_candidate = false;
            for at in 0..graph.edges[source as usize].len() {
                let edge = graph.edges[source as usize][at];
                let (from, to) = self.ends(source, &edge);
                if edge.is_settled(self.direction) || to == ERROR {
                    continue;
                }
                let (begin, end) = (&self.sets[from as usize], &self.sets[to as usize]);
                let passing = moves.passing(self.direction, edge.own, begin, end);
                if passing == 0 {
                    graph.edges[source as usize][at].settle(self.direction, true);
                    continue;
                }
                is_candidate = true;
                if best.is_none_or(|(most, ..)| passing > most) {
                    best = Some((passing, source, edge));
                }
            }
            match is_candidate {
                true => nearest.push(Reverse((distance, source))),
                false => self.is_candidate.remove(source as usize),
            }
        }
        self.candidates.extend(nearest);
        best.map(|(_, source, edge)| (source, edge))
    }
}

/// The images of one set by some actions of N. They are asked for in runs of the same action, and are few.
#[derive(Default)]
struct Images(Vec<(u32, StateSet)>);

impl Images {
    fn of(&mut self, own: u32, image: impl FnOnce() -> StateSet) -> &StateSet {
        let known = self.0.iter().rposition(|&(other, _)| other == own);
        let at = known.unwrap_or_else(|| {
            self.0.push((own, image()));
            self.0.len() - 1
        });
        &self.0[at].1
    }
}

/// Closes the labels under these edges: over the must edges they are lower
/// bounds, over all may edges upper ones. Where the loop has nothing to choose the two coincide. `None` if
/// more is to be passed on than there is work left to do.
pub(crate) fn close(
    direction: Direction,
    mut sets: Vec<StateSet>,
    graph: &Graph,
    moves: &Moves,
    work: &mut u64,
    passes: impl Fn(&Edge) -> bool,
) -> Option<Vec<StateSet>> {
    let mut fresh = sets.clone();
    let has_some = |&state: &u32| !fresh[state as usize].is_empty();
    let mut waiting: VecDeque<u32> = (0..graph.states() as u32).filter(has_some).collect();
    let mut leaving = Vec::new();
    while let Some(state) = waiting.pop_front() {
        let news = fresh[state as usize].take();
        let mut images = Images::default();
        outgoing(direction, graph, state, &mut leaving);
        for &(source, at) in &leaving {
            let edge = &graph.edges[source as usize][at];
            let to = if direction == Direction::Forward { edge.target } else { source };
            if to == ERROR || !passes(edge) {
                continue;
            }
            *work = work.checked_sub(1 + u64::from(news.len()))?;
            let image = images.of(edge.own, || moves.image(direction, edge.own, &news));
            let was_fresh = !fresh[to as usize].is_empty();
            if sets[to as usize].add(image, &mut fresh[to as usize]) && !was_fresh {
                waiting.push_back(to);
            }
        }
    }
    Some(sets)
}

/// The edges that leave a state in this direction, by the state at which they are kept and their number. One
/// may be met twice, and has nothing to pass on the second time.
fn outgoing(direction: Direction, graph: &Graph, state: u32, leaving: &mut Vec<(u32, usize)>) {
    leaving.clear();
    match direction {
        Direction::Forward => {
            leaving.extend((0..graph.edges[state as usize].len()).map(|at| (state, at)))
        }
        Direction::Backward => {
            for &source in graph.sources(state) {
                let edges = graph.edges[source as usize].iter().enumerate();
                let into = edges.filter(|(_, edge)| edge.target == state);
                leaving.extend(into.map(|(at, _)| (source, at)));
            }
        }
    }
}
