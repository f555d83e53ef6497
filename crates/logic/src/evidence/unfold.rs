//! From an evidence graph to the part of it that shows a verdict: G's ComputeCounter, and its dual for what is true.

use super::explanation::{
    Justification, ShownNode, ShownState, ShownStep, ShownSuccessor, UnfoldedEvidence,
};
use crate::{ActionSet, Truth};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The positions that an engine has decided, with the rule and the successors that decide each.
pub trait EvidenceGraph {
    /// A state and a subformula that has the wanted value there, with whatever the engine needs to go on.
    type Position: Copy + Eq + Hash;
    /// Why the engine can stop before it has answered.
    type Stop;

    /// The node of a position, with the engine's number of its state and not yet decided.
    fn describe(&self, position: Self::Position) -> ShownNode;

    /// Which rule decides a position, by which successors. Those that were met already cost nothing more.
    ///
    /// [`Justification::Cut`] ends the unfolding: there is more than can be looked at.
    fn decide(
        &mut self,
        position: Self::Position,
        met: &FxHashMap<Self::Position, u32>,
    ) -> Result<Decision<Self::Position>, Self::Stop>;

    /// The state that the engine gives this number.
    fn show(&self, state: u32) -> ShownState;
}

/// Why a position is decided.
pub struct Decision<P> {
    pub why: Justification,
    pub successors: Vec<(P, Option<ShownStep>)>,
    /// Of a modality whose steps are the loser's choice: the actions that it asks about.
    pub asked: Option<ActionSet>,
}

impl<P> Decision<P> {
    pub fn new(why: Justification, successors: Vec<(P, Option<ShownStep>)>) -> Self {
        Self { why, successors, asked: None }
    }

    /// A rule whose successors are in the same state.
    pub fn here(why: Justification, successors: impl IntoIterator<Item = P>) -> Self {
        Self::new(why, successors.into_iter().map(|position| (position, None)).collect())
    }
}

/// Unfolds a graph from its roots, breadth first, up to a number of positions.
///
/// Every successor of a position of the loser is kept, one successor of a position of the winner. So the result stands
/// by itself, whatever the rest of the model is like, and without any of its edges it would not (G Thm 3).
pub fn unfold<G: EvidenceGraph>(
    graph: &mut G,
    verdict: Truth,
    roots: Vec<G::Position>,
    most: usize,
) -> Result<UnfoldedEvidence, G::Stop> {
    let mut unfolder = Unfolder {
        numbers: FxHashMap::default(),
        positions: Vec::new(),
        states: FxHashMap::default(),
        explanation: UnfoldedEvidence::bare(verdict, Vec::new()),
    };
    let roots = roots.into_iter().map(|root| unfolder.number(graph, root)).collect();
    let mut next = 0;
    while next < unfolder.positions.len() && next < most {
        let rule = graph.decide(unfolder.positions[next], &unfolder.numbers)?;
        if rule.why == Justification::Cut {
            break;
        }
        let mut successors: Vec<ShownSuccessor> = Vec::with_capacity(rule.successors.len());
        for (position, step) in rule.successors {
            let successor = ShownSuccessor { node: unfolder.number(graph, position), step };
            if !successors.contains(&successor) {
                successors.push(successor);
            }
        }
        let node = &mut unfolder.explanation.nodes[next];
        (node.why, node.successors, node.asked) = (rule.why, successors, rule.asked);
        next += 1;
    }
    let mut explanation = unfolder.explanation;
    explanation.roots = roots;
    explanation.cut = (explanation.nodes.len() - next) as u64;
    Ok(explanation)
}

struct Unfolder<P> {
    numbers: FxHashMap<P, u32>,
    positions: Vec<P>,
    /// By the engine's number of a state: the number in the explanation.
    states: FxHashMap<u32, u32>,
    explanation: UnfoldedEvidence,
}

impl<P: Copy + Eq + Hash> Unfolder<P> {
    /// The number of a position, which is cut until it is expanded.
    fn number<G: EvidenceGraph<Position = P>>(&mut self, graph: &G, position: P) -> u32 {
        if let Some(&number) = self.numbers.get(&position) {
            return number;
        }
        let UnfoldedEvidence { states, nodes, .. } = &mut self.explanation;
        let mut node = graph.describe(position);
        node.state = *self.states.entry(node.state).or_insert_with(|| {
            states.push(graph.show(node.state));
            states.len() as u32 - 1
        });
        let number = nodes.len() as u32;
        nodes.push(node);
        self.numbers.insert(position, number);
        self.positions.push(position);
        number
    }
}
