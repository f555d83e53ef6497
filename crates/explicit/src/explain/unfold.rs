//! A strategy as an evidence graph: which successor the winner chooses, and why that is enough.

use super::ExplainOptions;
use super::facts::Known;
use super::shortest::{SearchNode, shortest};
use logic::evidence::{
    Decision, EvidenceGraph, Justification, ShownNode, ShownState, ShownStep, UnfoldedEvidence,
    unfold,
};
use logic::{ActionSetId, Formula, Modality, Node, NodeId, PropId, Truth};
use model::Mode;
use rustc_hash::FxHashMap;
use std::convert::Infallible;

/// Where something is explained: the composition, or its parts.
pub(super) trait Field {
    /// The place where a subformula is known of a state: the state itself, or a part of it.
    fn find(&mut self, state: u32, node: NodeId) -> Option<(u32, Known)>;

    fn label(&self, state: u32, prop: PropId) -> Truth;

    /// `None` if these are too many to be looked at.
    fn moves(&mut self, state: u32) -> Option<Vec<Move>>;

    fn shown(&self, state: u32) -> ShownState;
}

/// A transition; with several targets a must hyper-transition.
#[derive(Clone)]
pub(super) struct Move {
    pub action: Option<String>,
    pub mode: Mode,
    pub targets: Vec<u32>,
    /// Whether other components make it, whose actions are not distinguished.
    pub is_other: bool,
}

/// Makes one transition of those with the same action and targets: several rules can make it, and it is certain if one
/// of them is.
fn merge_parallel(moves: &mut Vec<Move>) {
    let mut modes: FxHashMap<(Option<String>, Vec<u32>), Mode> = FxHashMap::default();
    let key = |step: &Move| (step.action.clone(), step.targets.clone());
    for step in &*moves {
        let mode = modes.entry(key(step)).or_insert(Mode::NONE);
        *mode = mode.or(step.mode);
    }
    moves.retain_mut(|step| modes.remove(&key(step)).map(|mode| step.mode = mode).is_some());
}

/// How a step of others is shown.
const OTHERS: &str = "others";

/// A state, and a subformula, of fixpoints the variable.
type Position = (u32, NodeId);

/// Positions, numbered as they are found.
#[derive(Default)]
struct SearchGraph {
    ids: FxHashMap<Position, u32>,
    positions: Vec<Position>,
    graph: Vec<SearchNode>,
}

impl SearchGraph {
    fn number(&mut self, position: Position) -> u32 {
        let fresh = self.positions.len() as u32;
        let number = *self.ids.entry(position).or_insert(fresh);
        if number == fresh {
            self.positions.push(position);
        }
        number
    }
}

/// The game of a formula on a field, which one player has won.
pub(super) struct Game<'a, F> {
    formula: &'a Formula,
    value: bool,
    pub field: F,
    /// No more positions than this are looked at.
    limit: usize,
    is_short: bool,
    /// By position of the winner: the shortest path on, where that was computed.
    preferred: FxHashMap<Position, Position>,
}

impl<'a, F: Field> Game<'a, F> {
    pub fn new(formula: &'a Formula, value: bool, field: F, wish: &ExplainOptions) -> Self {
        let (limit, is_short) = (wish.positions, wish.shortest);
        Self { formula, value, field, limit, is_short, preferred: FxHashMap::default() }
    }

    /// The node that the whole formula is known by.
    pub fn root(&self) -> NodeId {
        self.formula.representative(self.formula.root())
    }

    /// Whether the formula is known of a state.
    pub fn is_known(&mut self, state: u32) -> bool {
        self.known(state, self.formula.root()).is_some()
    }

    /// The explanation of the formula in one state of each group.
    pub fn unfold(mut self, components: Vec<String>, groups: &[Vec<u32>]) -> UnfoldedEvidence {
        let states: Vec<u32> = groups.iter().filter_map(|group| self.choose(group)).collect();
        let root = self.formula.root();
        let roots = states.into_iter().filter_map(|state| self.position(state, root)).collect();
        let (verdict, limit) = (Truth::from(self.value), self.limit);
        let Ok(explanation) = unfold(&mut self, verdict, roots, limit);
        let fairness = self.formula.conditions().to_vec();
        UnfoldedEvidence { components, fairness, ..explanation }
    }

    fn position(&mut self, state: u32, node: NodeId) -> Option<Position> {
        let (place, _) = self.known(state, node)?;
        Some((place, self.formula.representative(node)))
    }

    /// Where and when a position is known.
    fn known(&mut self, state: u32, node: NodeId) -> Option<(u32, Known)> {
        let holds = |value: Truth| (value == Truth::from(self.value)).then_some(());
        match self.formula.node(node) {
            Node::Const(value) => holds(value.into())?,
            Node::Lit(prop, positive) => {
                let value = self.field.label(state, prop);
                holds(if positive { value } else { !value })?;
            }
            _ => return self.field.find(state, self.formula.representative(node)),
        }
        Some((state, Known::FROM_THE_START))
    }

    /// The state of a group to explain: the first, or the one with the shortest explanation of the first few,
    /// if that was asked for and is not too much to look at.
    fn choose(&mut self, group: &[u32]) -> Option<u32> {
        const COMPARED: usize = 64;
        if !self.is_short {
            return group.first().copied();
        }
        let mut best: Option<(u32, u32, SearchGraph, FxHashMap<u32, u32>)> = None;
        for &state in group.iter().take(COMPARED) {
            let Some(search_nodes) = self.search_nodes(state) else { continue };
            let (length, moves) = shortest(&search_nodes.graph);
            if best.as_ref().is_none_or(|&(least, ..)| length < least) {
                best = Some((length, state, search_nodes, moves));
            }
        }
        let Some((_, state, search_nodes, moves)) = best else { return group.first().copied() };
        let at = |node: u32| search_nodes.positions[node as usize];
        self.preferred.extend(moves.into_iter().map(|(node, successor)| (at(node), at(successor))));
        Some(state)
    }

    /// All that is known and can be come to from a state, wherever the winner goes.
    fn search_nodes(&mut self, state: u32) -> Option<SearchGraph> {
        let mut search_nodes = SearchGraph::default();
        let root = self.formula.root();
        search_nodes.number(self.position(state, root)?);
        while search_nodes.graph.len() < search_nodes.positions.len() {
            if search_nodes.positions.len() > self.limit {
                return None;
            }
            let position = search_nodes.positions[search_nodes.graph.len()];
            let (is_ours, successors) = self.all_successors(position);
            let successors = successors
                .into_iter()
                .map(|(successor, step)| (search_nodes.number(successor), step))
                .collect();
            search_nodes.graph.push(SearchNode {
                is_ours,
                may_loop: self.may_loop(position.1),
                successors,
            });
        }
        Some(search_nodes)
    }

    /// Whether the winner chooses in a position, and where it can lead, by which kind of move. Of
    /// hyper-transitions nothing is said.
    fn all_successors(&mut self, (state, node): Position) -> (bool, Vec<(Position, bool)>) {
        let definition = self.formula.definition(node);
        let mut successors: Vec<(u32, NodeId, bool)> = Vec::new();
        let mut is_ours = false;
        match self.formula.node(definition) {
            Node::And(a, b) | Node::Or(a, b) => {
                is_ours = matches!(self.formula.node(definition), Node::Or(..)) == self.value;
                successors.extend([(state, a, false), (state, b, false)]);
            }
            Node::Modal(modality, actions, body) => {
                is_ours = (modality == Modality::Dia) == self.value;
                let allowed = |mode: Mode| if is_ours { mode.must } else { mode.may };
                for step in self.field.moves(state).unwrap_or_default() {
                    let is_asked = self.is_asked(&step, actions);
                    if let (true, true, [target]) =
                        (is_asked, allowed(step.mode), &step.targets[..])
                    {
                        successors.push((*target, body, true));
                    }
                }
            }
            _ if definition != node => successors.push((state, definition, false)),
            _ => {}
        }
        let known = |(state, node, step)| Some((self.position(state, node)?, step));
        (is_ours, successors.into_iter().filter_map(known).collect())
    }

    /// Whether the block of a subformula has one priority, which is one of the winner's.
    fn may_loop(&self, node: NodeId) -> bool {
        let block = &self.formula.blocks()[self.formula.block_of(node)];
        let is_ours = |low: u32| low.is_multiple_of(2) == self.value;
        block.priorities.is_some_and(|(low, high)| low == high && is_ours(low))
    }

    fn is_asked(&self, step: &Move, actions: ActionSetId) -> bool {
        let set = self.formula.actions(actions);
        step.action.as_ref().is_none_or(|action| set.contains(action))
    }

    /// Of two operands, all if the loser chooses, and one that was known before if the winner does.
    fn choice(
        &mut self,
        (state, node): Position,
        is_ours: bool,
        operands: [NodeId; 2],
        met: &FxHashMap<Position, u32>,
    ) -> Decision<Position> {
        let mut chosen: Vec<NodeId> = operands.to_vec();
        chosen.dedup();
        if let (true, Some(&(_, successor))) = (is_ours, self.preferred.get(&(state, node))) {
            chosen.retain(|&other| self.formula.representative(other) == successor);
        } else if is_ours {
            let limit = self.due(state, node);
            let mut best: Option<((bool, Known), NodeId)> = None;
            for &successor in &operands {
                if let Some((place, known)) = self.known(state, successor)
                    && known.is_before(limit)
                    && let key =
                        (!met.contains_key(&(place, self.formula.representative(successor))), known)
                    && best.is_none_or(|(other, _)| key < other)
                {
                    best = Some((key, successor));
                }
            }
            chosen = best.into_iter().map(|(_, successor)| successor).collect();
        }
        let why = if is_ours { Justification::One } else { Justification::All };
        Decision::here(
            why,
            chosen.into_iter().filter_map(|successor| self.position(state, successor)),
        )
    }

    /// When a position was found to follow.
    fn due(&mut self, state: u32, node: NodeId) -> Known {
        self.known(state, node).map_or(Known::FROM_THE_START, |(_, known)| known)
    }

    fn modal(
        &mut self,
        (state, node): Position,
        is_ours: bool,
        actions: ActionSetId,
        body: NodeId,
    ) -> Decision<Position> {
        let Some(mut moves) = self.field.moves(state) else {
            return Decision::here(Justification::Cut, []);
        };
        moves.retain(|step| self.is_asked(step, actions));
        merge_parallel(&mut moves);
        if !is_ours {
            moves.retain(|step| step.mode.may);
            let successors = self.successors(&moves, body);
            let why =
                if successors.is_empty() { Justification::Itself } else { Justification::All };
            let asked = Some(self.formula.actions(actions).clone());
            return Decision { why, successors, asked };
        }
        moves.retain(|step| step.mode.must);
        if let Some(&(place, _)) = self.preferred.get(&(state, node)) {
            moves.retain(|step| match step.targets[..] {
                [target] => self.known(target, body).is_some_and(|(found, _)| found == place),
                _ => false,
            });
            moves.truncate(1);
            return Decision::new(Justification::One, self.successors(&moves, body));
        }
        let limit = self.due(state, node);
        let mut best: Option<(Known, Move)> = None;
        for step in moves {
            let latest = self.latest(&step.targets, body);
            if let Some(known) = latest
                && known.is_before(limit)
                && best.as_ref().is_none_or(|(other, _)| known < *other)
            {
                best = Some((known, step));
            }
        }
        let chosen: Vec<Move> = best.into_iter().map(|(_, step)| step).collect();
        // Of a hyper-transition the other player chooses the target.
        let why = if chosen.iter().any(|step| step.targets.len() > 1) {
            Justification::All
        } else {
            Justification::One
        };
        Decision::new(why, self.successors(&chosen, body))
    }

    /// When a subformula was known in the last of some states.
    fn latest(&mut self, states: &[u32], node: NodeId) -> Option<Known> {
        let mut latest = Known::FROM_THE_START;
        for &state in states {
            latest = latest.max(self.known(state, node)?.1);
        }
        Some(latest)
    }

    fn successors(&mut self, moves: &[Move], body: NodeId) -> Vec<(Position, Option<ShownStep>)> {
        let mut successors = Vec::new();
        for step in moves {
            for &target in &step.targets {
                let Some(position) = self.position(target, body) else { continue };
                let action = match step.is_other {
                    true => Some(OTHERS.to_owned()),
                    false => step.action.clone(),
                };
                let (inputs, is_must) = (Vec::new(), step.mode.must);
                let is_hyper = step.targets.len() > 1;
                successors.push((position, Some(ShownStep { action, inputs, is_must, is_hyper })));
            }
        }
        successors
    }
}

impl<F: Field> EvidenceGraph for Game<'_, F> {
    type Position = Position;
    type Stop = Infallible;

    fn describe(&self, (state, node): Position) -> ShownNode {
        ShownNode::new(state, self.formula.written(node), Some(node), Truth::from(self.value))
    }

    fn decide(
        &mut self,
        position: Position,
        met: &FxHashMap<Position, u32>,
    ) -> Result<Decision<Position>, Infallible> {
        let (state, node) = position;
        let definition = self.formula.definition(node);
        Ok(match self.formula.node(definition) {
            Node::And(a, b) => self.choice(position, !self.value, [a, b], met),
            Node::Or(a, b) => self.choice(position, self.value, [a, b], met),
            Node::Modal(modality, actions, body) => {
                let is_ours = (modality == Modality::Dia) == self.value;
                self.modal(position, is_ours, actions, body)
            }
            _ if definition != node => {
                Decision::here(Justification::Unfolding, self.position(state, definition))
            }
            _ => Decision::here(Justification::Itself, []),
        })
    }

    fn show(&self, state: u32) -> ShownState {
        self.field.shown(state)
    }
}
