//! 𝓜‖P̄: the reachable part of the abstraction of M with the property, kept in step with the splits.
//!
//! 𝓜 is a product of equivalences, one a process of M, and is never built: a state is a tuple of classes
//! with a state of P, and its edges are put together from the links of the factors.

mod split;

use crate::factor::{Factor, Musts};
use crate::moves::{Direction, IDLES};
use crate::question::{self, SafetyQuestion};
use crate::tuples::Tuples;
use fixedbitset::FixedBitSet;
use support::{Monitor, Reservation, StopReason, Stopped};

pub(crate) use split::SplitStates;

/// The error state π.
pub(crate) const ERROR: u32 = 0;

/// A letter as the graph sees it.
struct Letter {
    /// The action of N, or [`IDLES`].
    own: u32,
    /// Factor and its action.
    parts: Vec<(usize, u32)>,
    seen: Option<u32>,
}

/// A may edge, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The action of N, or [`IDLES`].
    pub own: u32,
    pub target: u32,
    /// One of the letters that it stands for.
    letter: u32,
    musts: Musts,
    /// Whether the label at its end has all that comes over it from the label at its beginning, by
    /// direction.
    settled: [bool; 2],
}

impl Edge {
    fn new(own: u32, target: u32, letter: u32, musts: Musts) -> Edge {
        Edge { own, target, letter, musts, settled: [false; 2] }
    }

    pub fn is_must(&self, direction: Direction) -> bool {
        match direction {
            Direction::Forward => self.musts.forward,
            Direction::Backward => self.musts.backward,
        }
    }

    pub fn is_settled(&self, direction: Direction) -> bool {
        self.settled[direction as usize]
    }

    pub fn settle(&mut self, direction: Direction, settled: bool) {
        self.settled[direction as usize] = settled;
    }
}

pub(crate) struct Graph<'q> {
    factors: Vec<Factor<'q>>,
    question: &'q SafetyQuestion,
    letters: Vec<Letter>,
    /// By factor and action: the letters whose first part it is.
    begun: Vec<Vec<Vec<u32>>>,
    /// By factor and action: the letters that it has a part in.
    involving: Vec<Vec<Vec<u32>>>,
    /// The letters in which M has no part.
    alone: Vec<u32>,
    /// The states: a state of P and then the classes of the factors.
    tuples: Tuples,
    pub edges: Vec<Vec<Edge>>,
    edge_count: usize,
    room: Reservation,
    /// By state: where edges come from, possibly more than once, possibly no longer.
    into: Vec<Vec<u32>>,
    /// By factor and class: the states with it.
    with: Vec<Vec<Vec<u32>>>,
    pub initial: Vec<u32>,
    /// The state that is being expanded, and the one that an edge of it leads to.
    here: Vec<u32>,
    there: Vec<u32>,
    /// The states that were numbered since the last call.
    born: Vec<u32>,
    /// How many states there were after the last sweep.
    kept: usize,
    /// If there is a split to follow: its factor, and the two classes that alone are of interest there.
    within: Option<(usize, [u32; 2])>,
}

impl<'q> Graph<'q> {
    /// The reachable part, if it has no more than so many states.
    pub fn new(
        question: &'q SafetyQuestion,
        factors: Vec<Factor<'q>>,
        most: usize,
        monitor: &Monitor,
    ) -> Result<Graph<'q>, Stopped> {
        let letters = letters(question);
        let mut begun: Vec<Vec<Vec<u32>>> = others(question)
            .map(|part| vec![Vec::new(); question.parts[part].actions as usize])
            .collect();
        let mut involving = begun.clone();
        let mut alone = Vec::new();
        for (letter, number) in letters.iter().zip(0..) {
            for &(factor, action) in &letter.parts {
                involving[factor][action as usize].push(number);
            }
            match letter.parts.first() {
                Some(&(factor, action)) => begun[factor][action as usize].push(number),
                None => alone.push(number),
            }
        }
        let with = factors.iter().map(|factor| vec![Vec::new(); factor.classes()]).collect();
        let mut tuples = Tuples::new(factors.len() + 1);
        let error = tuples.reserve();
        debug_assert_eq!(error, ERROR);
        let mut graph = Graph {
            factors,
            question,
            letters,
            begun,
            involving,
            alone,
            tuples,
            edges: vec![Vec::new()],
            edge_count: 0,
            room: Reservation::default(),
            into: vec![Vec::new()],
            with,
            initial: Vec::new(),
            here: Vec::new(),
            there: Vec::new(),
            born: Vec::new(),
            kept: 0,
            within: None,
        };
        graph.start(most, monitor)?;
        graph.explore(most, monitor)?;
        graph.kept = graph.live();
        Ok(graph)
    }

    /// How many numbers of states are in use or were.
    pub fn states(&self) -> usize {
        self.tuples.len()
    }

    /// How many states there are.
    pub fn live(&self) -> usize {
        self.tuples.live()
    }

    /// How many classes M has in all, counted by factor.
    pub fn classes(&self) -> usize {
        self.factors.iter().map(Factor::classes).sum()
    }

    pub fn sources(&self, state: u32) -> &[u32] {
        &self.into[state as usize]
    }

    /// Numbers the tuples of initial classes, one after the other: there can be very many.
    fn start(&mut self, most: usize, monitor: &Monitor) -> Result<(), Stopped> {
        let mut lists = vec![self.question.safety.init.clone()];
        lists.extend(self.factors.iter().map(Factor::initial));
        if lists.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let mut chosen = vec![0; lists.len()];
        loop {
            monitor.step(1)?;
            let tuple: Vec<u32> = lists.iter().zip(&chosen).map(|(list, &at)| list[at]).collect();
            let number = self.number(&tuple);
            self.initial.push(number);
            if self.tuples.len() > most {
                return Err(Stopped(StopReason::States));
            }
            let next = (0..lists.len()).find(|&at| chosen[at] + 1 < lists[at].len());
            let Some(at) = next else { return Ok(()) };
            chosen[..at].fill(0);
            chosen[at] += 1;
        }
    }

    /// The number of the state that an edge leads to. When numbers run out the memory has long before.
    fn number_there(&mut self) -> u32 {
        let Some((number, is_new)) = self.tuples.number(&self.there) else {
            unreachable!("2^32 states of some hundred bytes each")
        };
        if is_new {
            self.edges.resize_with(self.tuples.len(), Vec::new);
            self.into.resize_with(self.tuples.len(), Vec::new);
            self.born.push(number);
            for (factor, &class) in self.there[1..].iter().enumerate() {
                self.with[factor][class as usize].push(number);
            }
        }
        number
    }

    fn number(&mut self, tuple: &[u32]) -> u32 {
        self.there.clear();
        self.there.extend_from_slice(tuple);
        self.number_there()
    }

    fn explore(&mut self, most: usize, monitor: &Monitor) -> Result<(), Stopped> {
        let mut next = 1;
        while next < self.tuples.len() {
            monitor.step(1)?;
            if self.tuples.len() > most {
                return Err(Stopped(StopReason::States));
            }
            self.keep_up(monitor)?;
            let edges = self.expand(next as u32);
            self.put(next as u32, edges);
            next += 1;
        }
        Ok(())
    }

    /// Takes the memory of the graph from the monitor.
    pub fn keep_up(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        // A state has two lists, and is in a list for each of its classes.
        let states = (self.states() * (48 + 4 * self.factors.len())) as u64;
        let edges = (self.edge_count * (size_of::<Edge>() + 4)) as u64;
        self.room.keep_up(self.tuples.bytes() + states + edges, monitor)
    }

    fn put(&mut self, state: u32, edges: Vec<Edge>) {
        self.edge_count += edges.len();
        for edge in &edges {
            let into = &mut self.into[edge.target as usize];
            if into.last() != Some(&state) {
                into.push(state);
            }
        }
        self.edges[state as usize] = edges;
    }

    /// Makes a state the one that edges are looked for of.
    fn stand_at(&mut self, state: u32) {
        self.here.clear();
        self.here.extend_from_slice(self.tuples.of(state));
        self.there.clone_from(&self.here);
    }

    /// The edges of a state by the links of its classes, sorted by the action of N and the target.
    fn expand(&mut self, state: u32) -> Vec<Edge> {
        self.stand_at(state);
        let mut edges = Vec::new();
        for at in 0..self.alone.len() {
            self.follow(self.alone[at], &mut edges);
        }
        for factor in 0..self.factors.len() {
            let class = self.here[factor + 1];
            for at in 0..self.factors[factor].enabled(class).len() {
                let (action, _) = self.factors[factor].enabled(class)[at];
                for letter in 0..self.begun[factor][action as usize].len() {
                    self.follow(self.begun[factor][action as usize][letter], &mut edges);
                }
            }
        }
        in_order(edges)
    }

    /// The edges of one letter.
    fn follow(&mut self, letter: u32, edges: &mut Vec<Edge>) {
        let Letter { own, seen, .. } = self.letters[letter as usize];
        let allowed = self.here[0];
        self.there[0] = allowed;
        if let Some(action) = seen {
            match self.question.safety.out.by(allowed, action) {
                [] => {
                    let musts = self.error_musts(letter);
                    edges.extend(musts.map(|musts| Edge::new(own, ERROR, letter, musts)));
                    return;
                }
                [(_, next), ..] => self.there[0] = *next,
            }
        }
        self.combine(letter, 0, Musts::BOTH, edges);
    }

    /// The conjunctions of the links of the parts of a letter, from this part on.
    fn combine(&mut self, letter: u32, part: usize, musts: Musts, edges: &mut Vec<Edge>) {
        let Letter { own, parts, .. } = &self.letters[letter as usize];
        let Some(&(factor, action)) = parts.get(part) else {
            let own = *own;
            edges.push(Edge::new(own, self.number_there(), letter, musts));
            return;
        };
        let class = self.here[factor + 1];
        for at in self.factors[factor].links(class, action) {
            let (target, own_musts) = self.factors[factor].link_at(class, at);
            if self.within.is_some_and(|(split, parts_of_class)| {
                split == factor && !parts_of_class.contains(&target)
            }) {
                continue;
            }
            self.there[factor + 1] = target;
            self.combine(letter, part + 1, musts.and(own_musts), edges);
        }
        self.there[factor + 1] = class;
    }

    /// An edge to π is must if every concrete state of its source enables the action, wherever the
    /// targets lie: A §5 as printed asks for common targets, and the loop could stall.
    fn error_musts(&self, letter: u32) -> Option<Musts> {
        let mut musts = Musts::BOTH;
        for &(factor, action) in &self.letters[letter as usize].parts {
            musts.backward &= self.factors[factor].all_enabled(self.here[factor + 1], action)?;
        }
        Some(musts)
    }

    /// The states that may edges lead to, π not counted.
    pub fn reachable(&self) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(self.states());
        let mut open = self.initial.clone();
        open.iter().for_each(|&state| seen.insert(state as usize));
        while let Some(state) = open.pop() {
            let targets = self.edges[state as usize].iter().map(|edge| edge.target);
            open.extend(targets.filter(|&to| to != ERROR && !seen.put(to as usize)));
        }
        seen
    }
}

/// Sorted by the action of N and the target, each pair once.
fn in_order(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_unstable_by_key(|edge| (edge.own, edge.target));
    edges.dedup_by(|edge, kept| {
        let is_same = (edge.own, edge.target) == (kept.own, kept.target);
        if is_same {
            kept.musts = kept.musts.or(edge.musts);
        }
        is_same
    });
    edges
}

/// The parts of M: all but N.
fn others(question: &SafetyQuestion) -> impl Iterator<Item = usize> {
    let process = question.process;
    (0..question.parts.len()).filter(move |&part| part != process)
}

fn letters(question: &SafetyQuestion) -> Vec<Letter> {
    let factor = |part: usize| part - usize::from(part > question.process);
    let letter = |letter: &question::Letter| {
        let own = letter.parts.iter().find(|&&(part, _)| part == question.process);
        let rest = letter.parts.iter().filter(|&&(part, _)| part != question.process);
        Letter {
            own: own.map_or(IDLES, |&(_, action)| action),
            parts: rest.map(|&(part, action)| (factor(part), action)).collect(),
            seen: letter.seen,
        }
    };
    question.letters.iter().map(letter).collect()
}

/// M as a product of the parts of the question, each with its equivalence.
pub(crate) fn factors<'q>(
    question: &'q SafetyQuestion,
    factor: impl Fn(&'q crate::lts::Lts) -> Factor<'q>,
) -> Vec<Factor<'q>> {
    others(question).map(|part| factor(&question.parts[part])).collect()
}
