//! Evidence of a compositional verdict: proofs of the colours of the components that pruned them, and of the
//! products.

use crate::certificate::{CompositionalProof, Evidence, GameProof, ProofStates, Steps};
use game::colour::Colouring;
use game::{GameGraph, NodeProof, NodeProofStep, Plan, SubsystemGame, ThreeValuedSolution, prove};
use logic::Truth;
use rustc_hash::FxHashMap;
use std::iter::once;
use std::ops::Range;
use std::slice::from_ref;

/// The games of a run that have been played, each after those that it is made of.
#[derive(Default)]
pub(super) struct Games<'f> {
    games: Vec<Game<'f>>,
    /// By component: its game.
    of_component: FxHashMap<usize, usize>,
}

enum Game<'f> {
    /// True and false nodes of a lifted component.
    Component {
        component: usize,
        true_there: Steps,
        false_there: Steps,
    },
    Product {
        left: usize,
        right: usize,
        product: Product<'f>,
    },
}

/// A product before it was pruned.
struct Product<'f> {
    graph: GameGraph<'f>,
    members: Vec<(u32, u32)>,
    colouring: Colouring,
}

/// A game that has decided an initial state, and the node there if it is a product.
pub(super) type Decider = (usize, Option<u32>);

/// Why a component's positions are true, and why they are false, if that was asked for.
pub(super) fn proofs(plan: &Plan, solution: &ThreeValuedSolution) -> Option<[Steps; 2]> {
    let of = |value| solution.proof(value).map(|proof| steps(plan, proof));
    Some([of(true)?, of(false)?])
}

/// An proof in the form of a certificate.
pub(crate) fn steps(plan: &Plan, proof: &game::PlayProof) -> Steps {
    let node = |equation: u32| plan.equations[equation as usize].node;
    let mut steps = Steps::default();
    for step in proof.steps() {
        match step {
            game::PlayProofStep::Prove(equation, states) => steps.show(node(equation), states),
            game::PlayProofStep::Open { level } => steps.open(level),
            game::PlayProofStep::Assume(equation, states) => steps.assume(node(equation), states),
            game::PlayProofStep::Close => steps.close(),
        }
    }
    steps
}

impl<'f> Games<'f> {
    pub fn add_component(&mut self, component: usize, [true_there, false_there]: [Steps; 2]) {
        self.of_component.insert(component, self.games.len());
        self.games.push(Game::Component { component, true_there, false_there });
    }

    /// Adds the product of the last product, or of a component if there is none, and a component.
    pub fn add_product(
        &mut self,
        next: &SubsystemGame,
        part: &SubsystemGame<'f>,
        colouring: &Colouring,
    ) {
        let of = |component: usize| self.of_component[&component];
        let left = self.last_product().unwrap_or_else(|| of(part.components[0]));
        let right = of(next.components[0]);
        let (graph, members) = (part.graph.clone(), part.members.clone());
        let product = Product { graph, members, colouring: colouring.clone() };
        self.games.push(Game::Product { left, right, product });
    }

    fn last_product(&self) -> Option<usize> {
        self.games.iter().rposition(|game| matches!(game, Game::Product { .. }))
    }

    /// The game of a component, if it was kept.
    pub fn component(&self, component: usize) -> Option<Decider> {
        Some((*self.of_component.get(&component)?, None))
    }

    /// A node of the last product, if it was kept.
    pub fn product(&self, node: u32) -> Option<Decider> {
        Some((self.last_product()?, Some(node)))
    }

    /// Proof of the value of the initial states that these games have decided.
    pub fn evidence(&self, components: usize, value: Truth, deciders: &[Decider]) -> Evidence {
        let needs = self.needs(value, deciders);
        let mut number = vec![usize::MAX; self.games.len()];
        let mut parts = Vec::new();
        for (index, need) in needs.iter().enumerate().filter(|(_, need)| need.is_used) {
            number[index] = parts.len();
            let place = |game: usize, state: u32| match &self.games[game] {
                Game::Component { .. } => state,
                Game::Product { .. } => needs[game].place(state),
            };
            parts.push(match &self.games[index] {
                Game::Component { component, true_there, false_there } => {
                    let steps = if value == Truth::True { true_there } else { false_there };
                    GameProof { states: ProofStates::Component(*component), steps: steps.clone() }
                }
                &Game::Product { left, right, ref product } => {
                    let members = need.states.iter().map(|&state| product.members[state as usize]);
                    let pairs = members.map(|(l, r)| (place(left, l), place(right, r))).collect();
                    let (left, right) = (number[left], number[right]);
                    let states = ProofStates::Product { left, right, pairs };
                    GameProof { states, steps: product.steps(need) }
                }
            });
        }
        Evidence::Compositional(CompositionalProof { blocks: vec![None; components], parts })
    }

    /// Marks the claims of each game that are needed: why the deciding ones have decided, and all of the
    /// others.
    fn needs(&self, value: Truth, deciders: &[Decider]) -> Vec<PendingNode> {
        let mut needs: Vec<PendingNode> =
            self.games.iter().map(|_| PendingNode::default()).collect();
        for &(game, node) in deciders {
            needs[game].is_used = true;
            needs[game].roots.extend(node);
        }
        for index in (0..self.games.len()).rev() {
            let Game::Product { left, right, product } = &self.games[index] else { continue };
            if !needs[index].is_used {
                continue;
            }
            product.show(value, &mut needs[index]);
            let members = needs[index].states.iter().map(|&state| product.members[state as usize]);
            let (ours, theirs): (Vec<u32>, Vec<u32>) = members.unzip();
            for (game, states) in [(*left, ours), (*right, theirs)] {
                needs[game].is_used = true;
                needs[game].is_taken_over = true;
                needs[game].states.extend(states);
            }
        }
        needs
    }
}

/// Claims of a game that a certificate has to prove.
#[derive(Default)]
struct PendingNode {
    is_used: bool,
    /// Whether a product takes over what is shown here.
    is_taken_over: bool,
    /// Nodes of a product whose colours are to be shown.
    roots: Vec<u32>,
    /// States that have to be named; sorted, once it is known what is shown.
    states: Vec<u32>,
    proof: NodeProof,
}

impl PendingNode {
    /// The number of a state among those that are named.
    fn place(&self, state: u32) -> u32 {
        self.states.binary_search(&state).expect("it is named") as u32
    }
}

impl Product<'_> {
    /// Finds out how the need can be fulfilled, and which states that needs.
    fn show(&self, value: Truth, need: &mut PendingNode) {
        if need.is_taken_over {
            let all = 0..self.graph.len() as u32;
            need.roots = all.filter(|&n| self.colouring.colours[n as usize] == value).collect();
        }
        need.proof = prove(&self.graph, &self.colouring, &need.roots);
        let named = need.proof.steps.iter().filter_map(|step| match *step {
            NodeProofStep::Prove(node) | NodeProofStep::Assume(node) => Some(self.graph.at(node).0),
            NodeProofStep::Open { .. } | NodeProofStep::Close => None,
        });
        need.states.extend(named);
        need.states.sort_unstable();
        need.states.dedup();
    }

    /// The proof in the form of a certificate. Suppositions of one kind are one step.
    fn steps(&self, need: &PendingNode) -> Steps {
        let mut steps = Steps::default();
        let node = |node: u32| self.graph.subformula(node).node;
        let place = |node: u32| need.place(self.graph.at(node).0);
        let alone = |node: u32| place(node)..place(node) + 1;
        let mut rest = &need.proof.steps[..];
        while let Some((first, later)) = rest.split_first() {
            rest = later;
            match *first {
                NodeProofStep::Prove(successor) => {
                    steps.show(node(successor), from_ref(&alone(successor)))
                }
                NodeProofStep::Open { level } => steps.open(level),
                NodeProofStep::Close => steps.close(),
                NodeProofStep::Assume(successor) => {
                    let mut runs: Vec<Range<u32>> = once(alone(successor)).collect();
                    while let Some((&NodeProofStep::Assume(next), later)) = rest.split_first()
                        && node(next) == node(successor)
                    {
                        rest = later;
                        match runs.last_mut() {
                            Some(run) if run.end == place(next) => run.end += 1,
                            _ => runs.push(alone(next)),
                        }
                    }
                    steps.assume(node(successor), &runs);
                }
            }
        }
        steps
    }
}
