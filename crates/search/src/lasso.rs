//! Runs that a generalised Büchi automaton accepts, by a depth-first search of the product for a strongly connected
//! component with all acceptance sets.
//!
//! The algorithm is that of Couvreur (FM 1999): the components that the search has found so far lie on a stack, each
//! with the acceptance sets of its edges; an edge back joins those that it closes a cycle over. The search ends at the
//! first component with all sets, before it has been left, and acceptance on transitions is not degeneralised.

use crate::{StateStore, Successors};
use automata::BuchiAutomaton;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use support::{Monitor, Reservation, StopReason, Stopped};

/// A state of the system with a state of the automaton.
type Position = (u32, u32);

/// An edge of the product: its target, and the acceptance sets that it belongs to.
type ProductEdge = (Position, u64);

/// The result of a search for an accepted run.
pub struct LassoSearch {
    pub states: StateStore,
    /// Edges of the product that were followed.
    pub transitions: u64,
    /// Positions of the product that were found.
    pub positions: u64,
    /// The states of a run that is accepted, and where it goes back to from its end.
    pub lasso: Option<(Vec<u32>, usize)>,
}

/// Looks for a run of the system that the automaton accepts; its atoms are the propositions of the system. Ends where
/// there would be more than `most` states.
pub fn accepted_run<S: Successors>(
    system: &mut S,
    automaton: &BuchiAutomaton,
    atoms: usize,
    most: u64,
    monitor: &Monitor,
) -> Result<LassoSearch, S::Error> {
    monitor.phase("searching for an accepting run", 0);
    let words = system.words();
    let states = StateStore::new(words);
    let row = vec![0; words];
    let mut product =
        Product { system, automaton, atoms, most, states, row, targets: Vec::new(), monitor };
    let initial = product.initial()?;
    let mut search = DepthFirst::default();
    for state in initial {
        let start = (state, automaton.initial);
        if search.numbers.contains_key(&start) {
            continue;
        }
        if search.run(&mut product, start)? {
            break;
        }
    }
    let lasso = match search.components.last() {
        Some(component) if search.is_found => Some(search.lasso(&mut product, component.first)?),
        _ => None,
    };
    let positions = search.numbers.len() as u64;
    let transitions = search.transitions;
    Ok(LassoSearch { states: product.states, transitions, positions, lasso })
}

struct Product<'a, S> {
    system: &'a mut S,
    automaton: &'a BuchiAutomaton,
    atoms: usize,
    most: u64,
    states: StateStore,
    /// The state that is expanded.
    row: Vec<u64>,
    /// Its successors.
    targets: Vec<u32>,
    monitor: &'a Monitor,
}

impl<S: Successors> Product<'_, S> {
    fn initial(&mut self) -> Result<Vec<u32>, S::Error> {
        let Self { system, states, most, monitor, .. } = self;
        let mut initial = Vec::new();
        system.initial(monitor, |row| {
            let (state, is_new) = insert(states, row, *most, monitor)?;
            initial.extend(is_new.then_some(state));
            Ok(())
        })?;
        Ok(initial)
    }

    /// Appends the edges from a position.
    fn expand(
        &mut self,
        (state, place): Position,
        edges: &mut Vec<ProductEdge>,
    ) -> Result<(), S::Error> {
        let Self { system, automaton, atoms, most, states, row, targets, monitor } = self;
        row.copy_from_slice(states.get(state));
        targets.clear();
        system.successors(row, monitor, |_, target| {
            targets.push(insert(states, target, *most, monitor)?.0);
            Ok(())
        })?;
        let mut valuation = 0;
        for atom in 0..*atoms {
            valuation |= u128::from(system.holds(atom, row)) << atom;
        }
        for edge in &automaton.edges[place as usize] {
            if edge.label.is_satisfied_by(valuation) {
                edges.extend(targets.iter().map(|&target| ((target, edge.target), edge.marks)));
            }
        }
        Ok(())
    }
}

fn insert(
    states: &mut StateStore,
    row: &[u64],
    most: u64,
    monitor: &Monitor,
) -> Result<(u32, bool), Stopped> {
    let found = states.insert(row, monitor)?;
    if u64::from(states.len()) > most {
        return Err(Stopped(StopReason::States));
    }
    Ok(found)
}

/// A strongly connected component, as far as it is known.
struct Component {
    /// The number of its first position.
    first: u32,
    /// The acceptance sets of its edges.
    marks: u64,
    /// Those of the edge by which it was entered.
    entered_by: u64,
}

/// A position on the way from the start, and where its edges begin that are still to be followed.
struct Frame {
    position: Position,
    edges: usize,
}

#[derive(Default)]
struct DepthFirst {
    /// The numbers of positions, in the order of their discovery, from 1; 0 if no accepted run goes through it.
    numbers: FxHashMap<Position, u32>,
    last_number: u32,
    components: Vec<Component>,
    /// The positions of these components.
    live: Vec<Position>,
    path: Vec<Frame>,
    edges: Vec<ProductEdge>,
    transitions: u64,
    is_found: bool,
    room: Reservation,
}

/// The memory of a position in the table of numbers, in bytes, with its empty slots.
const POSITION_BYTES: u64 = 32;

impl DepthFirst {
    fn enter<S: Successors>(
        &mut self,
        product: &mut Product<'_, S>,
        position: Position,
        entered_by: u64,
    ) -> Result<(), S::Error> {
        let bytes = (self.numbers.len() as u64 + 1) * POSITION_BYTES
            + (self.edges.capacity() * size_of::<ProductEdge>()) as u64
            + (self.path.capacity() * size_of::<Frame>()) as u64;
        self.room.keep_up(bytes, product.monitor)?;
        self.last_number += 1;
        if self.last_number.is_multiple_of(1024) {
            product.monitor.step(1024)?;
        }
        self.numbers.insert(position, self.last_number);
        self.components.push(Component { first: self.last_number, marks: 0, entered_by });
        self.live.push(position);
        self.path.push(Frame { position, edges: self.edges.len() });
        product.expand(position, &mut self.edges)
    }

    /// Searches from a start; whether there is a component with all acceptance sets.
    fn run<S: Successors>(
        &mut self,
        product: &mut Product<'_, S>,
        start: Position,
    ) -> Result<bool, S::Error> {
        let all = product.automaton.all_marks();
        self.enter(product, start, 0)?;
        while let Some(frame) = self.path.last() {
            if self.edges.len() == frame.edges {
                let position = frame.position;
                self.path.pop();
                self.leave(position);
                continue;
            }
            let Some((target, marks)) = self.edges.pop() else { break };
            self.transitions += 1;
            match self.numbers.get(&target).copied() {
                None => self.enter(product, target, marks)?,
                Some(0) => {}
                Some(number) => {
                    if self.close(number, marks) == all {
                        self.is_found = true;
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Leaves a position; with the first one of a component, all of it.
    fn leave(&mut self, position: Position) {
        let number = self.numbers[&position];
        if self.components.last().is_none_or(|component| component.first != number) {
            return;
        }
        self.components.pop();
        while let Some(other) = self.live.pop() {
            self.numbers.insert(other, 0);
            if other == position {
                break;
            }
        }
    }

    /// Joins the components from the one with this position on; the acceptance sets of the result.
    fn close(&mut self, number: u32, mut marks: u64) -> u64 {
        while let Some(component) = self.components.pop_if(|component| component.first > number) {
            marks |= component.marks | component.entered_by;
        }
        let Some(component) = self.components.last_mut() else { return 0 };
        component.marks |= marks;
        component.marks
    }

    /// An accepted run: the way to the component that begins with this number, and a cycle in it with all sets.
    fn lasso<S: Successors>(
        &self,
        product: &mut Product<'_, S>,
        first: u32,
    ) -> Result<(Vec<u32>, usize), S::Error> {
        let is_before = |frame: &&Frame| self.numbers[&frame.position] < first;
        let mut run: Vec<u32> =
            self.path.iter().take_while(is_before).map(|frame| frame.position.0).collect();
        let loop_start = run.len();
        let start = self.path[loop_start].position;
        let all = product.automaton.all_marks();
        let (mut at, mut met, mut is_moved) = (start, 0, false);
        while met != all || at != start || !is_moved {
            let way = self.way(product, at, first, |target, marks| match met == all {
                true => target == start,
                false => marks & !met != 0,
            })?;
            if way.is_empty() {
                break;
            }
            for (target, marks) in way {
                run.push(at.0);
                (at, met, is_moved) = (target, met | marks, true);
            }
        }
        Ok((run, loop_start))
    }

    /// The shortest way in the component whose last edge is wanted.
    fn way<S: Successors>(
        &self,
        product: &mut Product<'_, S>,
        from: Position,
        first: u32,
        is_wanted: impl Fn(Position, u64) -> bool,
    ) -> Result<Vec<ProductEdge>, S::Error> {
        let mut came: FxHashMap<Position, (Position, u64)> = FxHashMap::default();
        let mut open = VecDeque::from([from]);
        let mut edges = Vec::new();
        while let Some(position) = open.pop_front() {
            edges.clear();
            product.expand(position, &mut edges)?;
            for &(target, marks) in &edges {
                if self.numbers.get(&target).is_none_or(|&number| number < first) {
                    continue;
                }
                if is_wanted(target, marks) {
                    let mut way = vec![(target, marks)];
                    let mut at = position;
                    while at != from {
                        let (before, marks) = came[&at];
                        way.push((at, marks));
                        at = before;
                    }
                    way.reverse();
                    return Ok(way);
                }
                if target != from && !came.contains_key(&target) {
                    came.insert(target, (position, marks));
                    open.push_back(target);
                }
            }
        }
        // The component is strongly connected and has an edge of each set.
        Ok(Vec::new())
    }
}
