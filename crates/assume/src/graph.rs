//! 𝓜‖P̄: the reachable part of the abstraction of M with the property, kept in step with the splits.
//!
//! 𝓜 is a product of equivalences, one a process of M, and is never built: a state is a tuple of classes
//! with a state of P, and its edges are put together from the links of the factors.

use crate::factor::{Factor, Musts};
use crate::moves::{IDLES, Way};
use crate::question::{self, Question};
use base::{Monitor, Stopped};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

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
    pub fn is_must(&self, way: Way) -> bool {
        match way {
            Way::Forward => self.musts.forward,
            Way::Backward => self.musts.backward,
        }
    }

    pub fn is_settled(&self, way: Way) -> bool {
        self.settled[way as usize]
    }

    pub fn settle(&mut self, way: Way, settled: bool) {
        self.settled[way as usize] = settled;
    }
}

/// The states that a split made of one: the old one has lost members to the new one.
pub(crate) struct Twins {
    pub pairs: Vec<(u32, u32)>,
    /// The states whose edges are others now, the new ones among them.
    pub changed: Vec<u32>,
}

pub(crate) struct Graph<'q> {
    factors: Vec<Factor<'q>>,
    question: &'q Question,
    letters: Vec<Letter>,
    /// By factor and action: the letters whose first part it is.
    begun: Vec<Vec<Vec<u32>>>,
    /// The letters in which M has no part.
    alone: Vec<u32>,
    /// By state, a state of P and then the classes of the factors; nothing for π.
    tuples: Vec<Box<[u32]>>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    pub edges: Vec<Vec<Edge>>,
    /// By state: where edges come from, possibly more than once, possibly no longer.
    into: Vec<Vec<u32>>,
    /// By factor and class: the states with it.
    with: Vec<Vec<Vec<u32>>>,
    pub initial: Vec<u32>,
}

impl<'q> Graph<'q> {
    pub fn new(
        question: &'q Question,
        factors: Vec<Factor<'q>>,
        monitor: &Monitor,
    ) -> Result<Graph<'q>, Stopped> {
        let letters = letters(question);
        let mut begun: Vec<Vec<Vec<u32>>> = others(question)
            .map(|part| vec![Vec::new(); question.parts[part].actions as usize])
            .collect();
        let mut alone = Vec::new();
        for (letter, number) in letters.iter().zip(0..) {
            match letter.parts.first() {
                Some(&(factor, action)) => begun[factor][action as usize].push(number),
                None => alone.push(number),
            }
        }
        let with = factors.iter().map(|factor| vec![Vec::new(); factor.classes()]).collect();
        let mut graph = Graph {
            factors,
            question,
            letters,
            begun,
            alone,
            tuples: vec![Box::default()],
            numbers: FxHashMap::default(),
            edges: vec![Vec::new()],
            into: vec![Vec::new()],
            with,
            initial: Vec::new(),
        };
        graph.start();
        graph.explore(monitor)?;
        Ok(graph)
    }

    pub fn states(&self) -> usize {
        self.tuples.len()
    }

    /// How many classes M has in all, counted by factor.
    pub fn classes(&self) -> usize {
        self.factors.iter().map(Factor::classes).sum()
    }

    pub fn sources(&self, state: u32) -> &[u32] {
        &self.into[state as usize]
    }

    fn start(&mut self) {
        let mut tuples: Vec<Vec<u32>> =
            self.question.safety.init.iter().map(|&p| vec![p]).collect();
        for factor in &self.factors {
            let initial = factor.initial();
            let with = |tuple: &Vec<u32>| {
                let tuple = tuple.clone();
                initial
                    .iter()
                    .map(move |&class| [&tuple[..], &[class]].concat())
                    .collect::<Vec<_>>()
            };
            tuples = tuples.iter().flat_map(with).collect();
        }
        self.initial = tuples.into_iter().map(|tuple| self.number(&tuple)).collect();
    }

    fn number(&mut self, tuple: &[u32]) -> u32 {
        if let Some(&number) = self.numbers.get(tuple) {
            return number;
        }
        let number = self.tuples.len() as u32;
        self.numbers.insert(tuple.into(), number);
        self.tuples.push(tuple.into());
        self.edges.push(Vec::new());
        self.into.push(Vec::new());
        for (factor, &class) in tuple[1..].iter().enumerate() {
            self.with[factor][class as usize].push(number);
        }
        number
    }

    fn explore(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        let mut next = 1;
        while next < self.tuples.len() {
            monitor.step(1)?;
            let edges = self.expand(next as u32);
            self.put(next as u32, edges);
            next += 1;
        }
        Ok(())
    }

    fn put(&mut self, state: u32, edges: Vec<Edge>) {
        for edge in &edges {
            let into = &mut self.into[edge.target as usize];
            if into.last() != Some(&state) {
                into.push(state);
            }
        }
        self.edges[state as usize] = edges;
    }

    /// The edges of a state by the links of its classes, sorted by the action of N and the target.
    fn expand(&mut self, state: u32) -> Vec<Edge> {
        let tuple = self.tuples[state as usize].clone();
        let mut enabled = self.alone.clone();
        for (factor, begun) in self.begun.iter().enumerate() {
            let actions = self.factors[factor].enabled(tuple[factor + 1]);
            enabled.extend(actions.flat_map(|action| &begun[action as usize]));
        }
        let mut edges = Vec::new();
        enabled.into_iter().for_each(|letter| self.follow(&tuple, letter, &mut edges));
        edges.sort_unstable_by_key(|edge| (edge.own, edge.target));
        edges.dedup_by(|edge, kept| {
            let is_same = (edge.own, edge.target) == (kept.own, kept.target);
            if is_same {
                kept.musts.forward |= edge.musts.forward;
                kept.musts.backward |= edge.musts.backward;
            }
            is_same
        });
        edges
    }

    /// The edges of one letter: the conjunction of the links of its parts.
    fn follow(&mut self, tuple: &[u32], letter: u32, edges: &mut Vec<Edge>) {
        let Letter { own, parts, seen } = &self.letters[letter as usize];
        let own = *own;
        let edge = |target, musts| Edge { own, target, letter, musts, settled: [false; 2] };
        let mut tuples = vec![(tuple.to_vec(), Musts::BOTH)];
        if let Some(action) = *seen {
            match self.question.safety.out.by(tuple[0], action) {
                [] => {
                    edges.extend(self.error_musts(tuple, letter).map(|musts| edge(ERROR, musts)));
                    return;
                }
                [(_, next), ..] => tuples[0].0[0] = *next,
            }
        }
        for &(factor, action) in parts {
            let (class, own_part) = (tuple[factor + 1], &self.factors[factor]);
            let links = own_part.links(class, action);
            let with = |(tuple, musts): &(Vec<u32>, Musts)| {
                let (tuple, musts) = (tuple.clone(), *musts);
                links.iter().map(move |link| {
                    let mut tuple = tuple.clone();
                    tuple[factor + 1] = link.target;
                    (tuple, musts.and(own_part.musts(class, link)))
                })
            };
            tuples = tuples.iter().flat_map(with).collect();
        }
        for (tuple, musts) in tuples {
            let target = self.number(&tuple);
            edges.push(edge(target, musts));
        }
    }

    /// An edge to π is must if every concrete state of its source enables the action, wherever the
    /// targets lie: A §5 as printed asks for common targets, and the loop could stall.
    fn error_musts(&self, tuple: &[u32], letter: u32) -> Option<Musts> {
        let mut musts = Musts::BOTH;
        for &(factor, action) in &self.letters[letter as usize].parts {
            musts.backward &= self.factors[factor].all_enabled(tuple[factor + 1], action)?;
        }
        Some(musts)
    }

    /// A §6: splits the class of a factor because of which the edge is no must edge. Forward it is the
    /// target's, backward the source's.
    pub fn refine(&mut self, state: u32, edge: Edge, way: Way) -> Option<Twins> {
        let (source, target) = (&self.tuples[state as usize], &self.tuples[edge.target as usize]);
        for &(factor, action) in &self.letters[edge.letter as usize].parts {
            let class = source[factor + 1];
            let own = &mut self.factors[factor];
            let (split, new) = match way {
                Way::Backward if edge.target == ERROR => (class, own.split_enabled(class, action)),
                Way::Backward => (class, own.split_sources(class, action, target[factor + 1])),
                Way::Forward => {
                    let target = target[factor + 1];
                    (target, own.split_targets(class, action, target))
                }
            };
            if let Some(new) = new {
                return Some(self.follow_split(factor, split, new));
            }
        }
        None
    }

    /// Every state with the class becomes two, which both know what it knew.
    fn follow_split(&mut self, factor: usize, class: u32, new: u32) -> Twins {
        self.with[factor].push(Vec::new());
        let split = self.with[factor][class as usize].clone();
        let mut pairs = Vec::with_capacity(split.len());
        for &state in &split {
            let mut tuple = self.tuples[state as usize].to_vec();
            tuple[factor + 1] = new;
            pairs.push((state, self.number(&tuple)));
        }
        let mut changed = self.beginnings(&split);
        let origin: FxHashMap<u32, u32> = pairs.iter().map(|&(old, new)| (new, old)).collect();
        let renewed = changed.iter().map(|&state| (state, state));
        for (old, state) in pairs.iter().copied().chain(renewed) {
            let mut edges = self.expand(state);
            remember(&mut edges, &self.edges[old as usize], &origin);
            self.put(state, edges);
        }
        // An initial class has initial members only.
        let halves = pairs.iter().filter(|(old, _)| self.initial.contains(old));
        let halves: Vec<u32> = halves.map(|&(_, new)| new).collect();
        self.initial.extend(halves);
        changed.extend(pairs.iter().map(|&(_, new)| new));
        Twins { pairs, changed }
    }

    /// These states and all with an edge to one of them, each once.
    fn beginnings(&mut self, states: &[u32]) -> Vec<u32> {
        let mut all = states.to_vec();
        for &state in states {
            let mut into = std::mem::take(&mut self.into[state as usize]);
            into.sort_unstable();
            into.dedup();
            into.retain(|&from| self.edges[from as usize].iter().any(|edge| edge.target == state));
            all.extend(&into);
            self.into[state as usize] = into;
        }
        all.sort_unstable();
        all.dedup();
        all
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

/// What was settled stays so: both halves of a split have the label of the whole.
fn remember(edges: &mut [Edge], before: &[Edge], origin: &FxHashMap<u32, u32>) {
    for edge in edges {
        let target = origin.get(&edge.target).copied().unwrap_or(edge.target);
        let key = (edge.own, target);
        if let Ok(at) = before.binary_search_by_key(&key, |edge| (edge.own, edge.target)) {
            edge.settled = before[at].settled;
        }
    }
}

/// The parts of M: all but N.
fn others(question: &Question) -> impl Iterator<Item = usize> {
    let process = question.process;
    (0..question.parts.len()).filter(move |&part| part != process)
}

fn letters(question: &Question) -> Vec<Letter> {
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
    question: &'q Question,
    factor: impl Fn(&'q crate::lts::Lts) -> Factor<'q>,
) -> Vec<Factor<'q>> {
    others(question).map(|part| factor(&question.parts[part])).collect()
}
