//! The positions of an explanation, condensed to those that a reader needs.
//!
//! A place is a position where something new begins: an initial one, one that a step leads to, or a
//! fixpoint. What follows from it in the same state is folded into it: what the state itself says, and
//! the moves on to other places.

use super::explanation::{Justification, ShownNode, ShownState, ShownStep, UnfoldedEvidence};
use std::collections::VecDeque;

/// A condensed explanation.
pub struct Digest<'a> {
    pub explanation: &'a UnfoldedEvidence,
    /// The roots, then the nearest to them first.
    pub places: Vec<DigestNode<'a>>,
    pub roots: Vec<u32>,
}

/// A position with all that follows from it in its state.
#[derive(Clone, Debug, Default)]
pub struct DigestNode<'a> {
    /// The position that it begins with.
    pub node: u32,
    /// Positions in the same state, each the whole reason of the one before.
    pub then: Vec<u32>,
    /// Positions that the state itself decides, or where the argument ends.
    pub facts: Vec<u32>,
    pub moves: Vec<DigestEdge<'a>>,
    /// How many steps and fixpoints away from a root.
    pub distance: u32,
}

/// A move on to another place.
#[derive(Clone, Copy, Debug)]
pub struct DigestEdge<'a> {
    /// The position that it leaves.
    pub via: u32,
    /// `None` if it stays in the state.
    pub step: Option<&'a ShownStep>,
    pub place: u32,
}

impl<'a> Digest<'a> {
    pub fn new(explanation: &'a UnfoldedEvidence) -> Self {
        let nodes = &explanation.nodes;
        let numbers = numbers_of_heads(explanation);
        let mut places = Vec::new();
        let mut seen = vec![u32::MAX; nodes.len()];
        for node in (0..nodes.len() as u32).filter(|&node| numbers[node as usize] != NONE) {
            places.push(gather(nodes, node, &numbers, &mut seen));
        }
        let mut is_new = vec![true; places.len()];
        let roots = explanation.roots.iter().map(|&root| numbers[root as usize]);
        let roots =
            roots.filter(|&root| std::mem::replace(&mut is_new[root as usize], false)).collect();
        let mut digest = Self { explanation, places, roots };
        digest.skip_variables();
        digest.fold_chains();
        digest.renumber();
        digest
    }

    pub fn node(&self, node: u32) -> &'a ShownNode {
        &self.explanation.nodes[node as usize]
    }

    pub fn place(&self, place: u32) -> &DigestNode<'a> {
        &self.places[place as usize]
    }

    pub fn is_root(&self, place: u32) -> bool {
        (place as usize) < self.roots.len()
    }

    pub fn state_of(&self, place: u32) -> &'a ShownState {
        let state = self.node(self.place(place).node).state;
        &self.explanation.states[state as usize]
    }

    /// The position whose reasons are those of the place.
    pub fn last_claim(&self, place: u32) -> u32 {
        let place = self.place(place);
        place.then.last().copied().unwrap_or(place.node)
    }

    /// Whether a move says no more than that its step is there.
    pub fn is_bare(&self, next: &DigestEdge) -> bool {
        let target = self.place(next.place);
        next.step.is_some() && target.moves.is_empty() && self.node(target.node).is_constant()
    }

    /// The only move of a place that says nothing else and stays in its state.
    fn only_inner_move(&self, place: u32) -> Option<u32> {
        let DigestNode { facts, moves, .. } = self.place(place);
        match moves[..] {
            [DigestEdge { step: None, place: next, .. }] if facts.is_empty() && next != place => {
                Some(next)
            }
            _ => None,
        }
    }

    /// A place `Z`, or one that says the same as the next, is the next.
    fn skip_variables(&mut self) {
        let mut is_root = vec![false; self.places.len()];
        self.roots.iter().for_each(|&root| is_root[root as usize] = true);
        let text = |place: u32| self.node(self.place(place).node).subformula.as_str();
        let says_nothing = |place: u32, next: u32| {
            text(place) == text(next) || !is_root[place as usize] && is_word(text(place))
        };
        let target: Vec<Option<u32>> = (0..self.places.len() as u32)
            .map(|place| self.only_inner_move(place).filter(|&next| says_nothing(place, next)))
            .collect();
        // A ring of places that say nothing has no end.
        let resolve = |start: u32| {
            let chain = std::iter::successors(Some(start), |&place| target[place as usize]);
            let limit = target.len();
            chain.take(limit).last().unwrap_or(start)
        };
        for place in &mut self.places {
            place.moves.iter_mut().for_each(|next| next.place = resolve(next.place));
        }
        let mut is_new = vec![true; target.len()];
        let roots = self.roots.iter().map(|&root| resolve(root));
        self.roots =
            roots.filter(|&root| std::mem::replace(&mut is_new[root as usize], false)).collect();
    }

    /// A place that has no reason but the next in the same state is told together with it, unless others
    /// lead there as well.
    fn fold_chains(&mut self) {
        let entries = self.entries();
        for place in self.reachable() {
            while let Some(next) = self.only_inner_move(place) {
                if entries[next as usize] > 1 {
                    break;
                }
                let DigestNode { node, then, facts, moves, .. } =
                    std::mem::take(&mut self.places[next as usize]);
                let folded = &mut self.places[place as usize];
                folded.then.push(node);
                folded.then.extend(then);
                (folded.facts, folded.moves) = (facts, moves);
            }
        }
    }

    /// How often each place is led to.
    fn entries(&self) -> Vec<u32> {
        let mut entries = vec![0; self.places.len()];
        let reachable = self.reachable();
        let moves = reachable.iter().flat_map(|&place| &self.place(place).moves);
        moves.map(|next| next.place).chain(self.roots.iter().copied()).for_each(|place| {
            entries[place as usize] += 1;
        });
        entries
    }

    /// From the roots, the nearest first.
    fn reachable(&self) -> Vec<u32> {
        let mut seen = vec![false; self.places.len()];
        let mut order: Vec<u32> = Vec::new();
        let mut open: VecDeque<u32> = self.roots.iter().copied().collect();
        while let Some(place) = open.pop_front() {
            if !std::mem::replace(&mut seen[place as usize], true) {
                order.push(place);
                open.extend(self.place(place).moves.iter().map(|next| next.place));
            }
        }
        order
    }

    fn renumber(&mut self) {
        let order = self.reachable();
        let mut number = vec![NONE; self.places.len()];
        order.iter().zip(0..).for_each(|(&old, new)| number[old as usize] = new);
        let mut old = std::mem::take(&mut self.places);
        self.places = order.iter().map(|&place| std::mem::take(&mut old[place as usize])).collect();
        for place in &mut self.places {
            place.moves.iter_mut().for_each(|next| next.place = number[next.place as usize]);
        }
        self.roots.iter_mut().for_each(|root| *root = number[*root as usize]);
        self.compute_distances();
    }

    fn compute_distances(&mut self) {
        let mut known = vec![false; self.places.len()];
        self.roots.iter().for_each(|&root| known[root as usize] = true);
        for place in 0..self.places.len() {
            let distance = self.places[place].distance + 1;
            for index in 0..self.places[place].moves.len() {
                let next = self.places[place].moves[index].place as usize;
                if !std::mem::replace(&mut known[next], true) {
                    self.places[next].distance = distance;
                }
            }
        }
    }
}

const NONE: u32 = u32::MAX;

/// By position: its number as a place, if it is one.
fn numbers_of_heads(explanation: &UnfoldedEvidence) -> Vec<u32> {
    let nodes = &explanation.nodes;
    let mut is_head: Vec<bool> =
        nodes.iter().map(|node| node.why == Justification::Unfolding).collect();
    explanation.roots.iter().for_each(|&root| is_head[root as usize] = true);
    for successor in
        nodes.iter().flat_map(|node| &node.successors).filter(|successor| successor.step.is_some())
    {
        is_head[successor.node as usize] = true;
    }
    let mut next = 0;
    let number = |is_head| {
        let number = if is_head { next } else { NONE };
        next += u32::from(is_head);
        number
    };
    is_head.into_iter().map(number).collect()
}

/// All that follows from a position without leaving its state, up to other places.
fn gather<'a>(
    nodes: &'a [ShownNode],
    head: u32,
    numbers: &[u32],
    seen: &mut [u32],
) -> DigestNode<'a> {
    let mut place = DigestNode { node: head, ..DigestNode::default() };
    let mut open = vec![head];
    while let Some(number) = open.pop() {
        if std::mem::replace(&mut seen[number as usize], head) == head {
            continue;
        }
        let node = &nodes[number as usize];
        if node.successors.is_empty()
            || matches!(
                node.why,
                Justification::Itself | Justification::Missing | Justification::Cut
            )
        {
            place.facts.push(number);
        }
        for successor in &node.successors {
            let (step, target) = (successor.step.as_ref(), numbers[successor.node as usize]);
            if target != NONE {
                place.moves.push(DigestEdge { via: number, step, place: target });
            }
        }
        let inner = node.successors.iter().rev().map(|successor| successor.node);
        open.extend(inner.filter(|&successor| numbers[successor as usize] == NONE));
    }
    place
}

/// Whether it is one name.
pub fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}
