//! Labelled transition systems, all of whose states are reachable from state 0.

use crate::random::Random;
use clap::{Args, ValueEnum};
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// How far a transition goes that stays near.
const NEAR: u32 = 1000;

#[derive(Clone, Copy, ValueEnum)]
pub enum Shape {
    /// Random targets
    Uniform,
    /// The product of counters that run independently, one for each transition out of a state
    Grid,
    /// Processes in a ring that work and pass tokens on, numbered breadth first
    Tokens,
}

#[derive(Args)]
pub struct Wish {
    pub shape: Shape,
    /// How many states; about so many where the shape does not allow every number
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub states: u32,
    /// How many transitions a state, on average
    #[arg(default_value_t = 5.0)]
    pub degree: f64,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many actions (uniform)
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub actions: u32,
    /// The part of the transitions that stay near, 0 to 1 (uniform)
    #[arg(long, default_value_t = 0.0)]
    pub locality: f64,
}

impl Wish {
    pub fn of(shape: Shape, states: u32, seed: u64) -> Self {
        Self { shape, states, degree: 5.0, seed, actions: 8, locality: 0.0 }
    }
}

/// Edges are a source, an action and a target, by source.
pub struct Lts {
    pub states: u32,
    actions: Vec<String>,
    pub edges: Vec<(u32, u32, u32)>,
}

impl Lts {
    /// In the order of their sources, and of those of one source as they came.
    fn new(actions: Vec<String>, mut edges: Vec<(u32, u32, u32)>, states: u32) -> Self {
        edges.sort_by_key(|(source, ..)| *source);
        Self { states, actions, edges }
    }

    /// As an Aldebaran file.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "des (0,{},{})", self.edges.len(), self.states)?;
        for &(source, action, target) in &self.edges {
            writeln!(out, "({source},\"{}\",{target})", self.actions[action as usize])?;
        }
        Ok(())
    }
}

pub fn make(wish: &Wish) -> Lts {
    match wish.shape {
        Shape::Uniform => uniform(wish),
        Shape::Grid => grid(wish),
        Shape::Tokens => tokens(wish),
    }
}

/// A random tree that reaches every state, and after that the same number of random transitions out
/// of each state.
fn uniform(wish: &Wish) -> Lts {
    let mut random = Random::new(wish.seed);
    let mut edges = Vec::new();
    for state in 1..wish.states {
        let parent = if random.chance(wish.locality) {
            state - 1 - random.below(state.min(NEAR))
        } else {
            random.below(state)
        };
        edges.push((parent, random.below(wish.actions), state));
    }
    let others = (wish.degree - 1.0).max(0.0);
    for state in 0..wish.states {
        let count = others as u32 + u32::from(random.chance(others.fract()));
        for _ in 0..count {
            let target = if random.chance(wish.locality) {
                near(state, wish.states, &mut random)
            } else {
                random.below(wish.states)
            };
            edges.push((state, random.below(wish.actions), target));
        }
    }
    let actions = (0..wish.actions).map(|action| format!("a{action}"));
    Lts::new(actions.collect(), edges, wish.states)
}

fn near(state: u32, states: u32, random: &mut Random) -> u32 {
    let first = state.saturating_sub(NEAR);
    let end = states.min(state.saturating_add(NEAR + 1));
    first + random.below(end - first)
}

/// Counter `i` does `step` until it does `wrap`.
fn grid(wish: &Wish) -> Lts {
    let counters = (wish.degree.round() as u32).max(1);
    let mut left = f64::from(wish.states);
    let mut sizes = Vec::new();
    for counter in 0..counters {
        let size = left.powf(1.0 / f64::from(counters - counter)).round().max(1.0);
        left /= size;
        sizes.push(size as u32);
    }
    let states: u32 = sizes.iter().product();
    let mut edges = Vec::new();
    for state in 0..states {
        let mut stride = 1;
        for (counter, &size) in (0..).zip(&sizes) {
            let wraps = state / stride % size == size - 1;
            let target = if wraps { state - (size - 1) * stride } else { state + stride };
            edges.push((state, 2 * counter + u32::from(wraps), target));
            stride *= size;
        }
    }
    let actions = (0..counters).flat_map(|i| [format!("step({i})"), format!("wrap({i})")]);
    Lts::new(actions.collect(), edges, states)
}

/// A ring of processes, of which `holders` hold a token. A process that has one does `work` a number
/// of times and then passes it on, as soon as its neighbour has none.
fn tokens(wish: &Wish) -> Lts {
    let holders = (wish.degree.round() as u32).max(1);
    let (processes, works) = ring_size(f64::from(wish.states), holders);
    let mut ring = Ring { processes, works, ids: FxHashMap::default(), states: Vec::new() };
    let start = (0..holders).map(|process| ring.place(process)).sum();
    ring.id(start);
    let mut edges = Vec::new();
    let mut next = 0;
    while let Some(&state) = ring.states.get(next as usize) {
        ring.expand(state, |action, target| edges.push((next, action, target)));
        next += 1;
    }
    let actions = (0..processes).flat_map(|i| [format!("work({i})"), format!("pass({i})")]);
    Lts::new(actions.collect(), edges, next)
}

/// So many processes and steps of work that there are about the wanted number of states.
fn ring_size(states: f64, holders: u32) -> (u32, u64) {
    let candidate = |processes: u32| {
        let choices = (0..holders).map(|i| f64::from(processes - i) / f64::from(holders - i));
        let setups: f64 = choices.product();
        let works = (states / setups).powf(1.0 / f64::from(holders)).round().max(1.0);
        let off = (setups * works.powf(f64::from(holders)) / states).ln().abs();
        (off, (processes, works as u64))
    };
    let candidates = (holders + 1..=holders + 4).map(candidate);
    candidates.min_by(|(a, _), (b, _)| a.total_cmp(b)).map_or((2, 1), |(_, size)| size)
}

struct Ring {
    processes: u32,
    works: u64,
    ids: FxHashMap<u64, u32>,
    /// A digit for each process: 0 without a token, otherwise the work that it is at.
    states: Vec<u64>,
}

impl Ring {
    fn id(&mut self, state: u64) -> u32 {
        *self.ids.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.states.len() as u32 - 1
        })
    }

    fn place(&self, process: u32) -> u64 {
        (self.works + 1).pow(process % self.processes)
    }

    fn digit(&self, state: u64, process: u32) -> u64 {
        state / self.place(process) % (self.works + 1)
    }

    fn expand(&mut self, state: u64, mut edge: impl FnMut(u32, u32)) {
        for process in 0..self.processes {
            let work = self.digit(state, process);
            if work == 0 {
                continue;
            }
            if work < self.works {
                let target = self.id(state + self.place(process));
                edge(2 * process, target);
            } else if self.digit(state, process + 1) == 0 {
                let without = state - work * self.place(process);
                let target = self.id(without + self.place(process + 1));
                edge(2 * process + 1, target);
            }
        }
    }
}
