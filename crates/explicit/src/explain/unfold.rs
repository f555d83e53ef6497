//! From a strategy to the part of the model that it needs: G's ComputeCounter, and its dual for what is
//! true.
//!
//! Every son of a node of the loser is kept, one son of a node of the winner. So the graph stands by
//! itself, whatever the rest of the model is like, and without any of its edges it would not (G Def. 5,
//! Thm 3).

use super::Wish;
use super::explanation::{Explanation, ShownNode, ShownSon, ShownState, ShownStep, Why};
use super::facts::Known;
use super::shortest::{Spot, shortest};
use logic::{ActionSetId, Formula, Modality, Node, NodeId, PropId, Truth};
use model::Mode;
use rustc_hash::FxHashMap;

/// Where something is explained: the whole system, or its parts.
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
    /// Whether others make it, whose actions are not told apart.
    pub is_foreign: bool,
}

/// How a step of others is shown.
const OTHERS: &str = "others";

/// A state, and a subformula, of fixpoints the variable.
type Position = (u32, NodeId);

/// Positions, numbered as they are found.
#[derive(Default)]
struct Spots {
    ids: FxHashMap<Position, u32>,
    positions: Vec<Position>,
    graph: Vec<Spot>,
}

impl Spots {
    fn number(&mut self, position: Position) -> u32 {
        let fresh = self.positions.len() as u32;
        let number = *self.ids.entry(position).or_insert(fresh);
        if number == fresh {
            self.positions.push(position);
        }
        number
    }
}

/// An explanation, and for tests, by node, the subformula that it is about.
pub(super) struct Unfolded {
    pub explanation: Explanation,
    #[cfg(test)]
    pub subformulas: Vec<NodeId>,
}

pub(super) struct Unfolder<'a, F> {
    formula: &'a Formula,
    value: bool,
    pub field: F,
    /// No more nodes than this are looked at.
    limit: usize,
    is_short: bool,
    /// Some state has more transitions than can be looked at.
    is_too_much: bool,
    ids: FxHashMap<(u32, NodeId), u32>,
    /// By position of the winner: where he is to go, if that has been thought about.
    preferred: FxHashMap<(u32, NodeId), (u32, NodeId)>,
    positions: Vec<(u32, NodeId)>,
    nodes: Vec<ShownNode>,
    states: FxHashMap<u32, u32>,
    shown: Vec<ShownState>,
}

impl<'a, F: Field> Unfolder<'a, F> {
    pub fn new(formula: &'a Formula, value: bool, field: F, wish: &Wish) -> Self {
        Self {
            formula,
            value,
            field,
            limit: wish.positions,
            is_short: wish.shortest,
            is_too_much: false,
            ids: FxHashMap::default(),
            preferred: FxHashMap::default(),
            positions: Vec::new(),
            nodes: Vec::new(),
            states: FxHashMap::default(),
            shown: Vec::new(),
        }
    }

    /// The node that the whole formula is known by.
    pub fn root(&self) -> NodeId {
        self.formula.speaker(self.formula.root())
    }

    /// Whether the formula is known of a state.
    pub fn is_known(&mut self, state: u32) -> bool {
        self.known(state, self.formula.root()).is_some()
    }

    /// The explanation of the formula in one state of each group.
    pub fn unfold(mut self, components: Vec<String>, groups: &[Vec<u32>]) -> Unfolded {
        let states: Vec<u32> = groups.iter().filter_map(|group| self.choose(group)).collect();
        let root = self.formula.root();
        let roots: Vec<u32> = states.iter().filter_map(|&state| self.node(state, root)).collect();
        let mut next = 0;
        while next < self.nodes.len() && next < self.limit && !self.is_too_much {
            self.expand(next);
            next += 1;
        }
        // A node that was cut while it was looked at is one of those.
        next -= usize::from(self.is_too_much);
        let cut = self.nodes.len() - next;
        self.nodes[next..].iter_mut().for_each(|node| node.why = Why::Cut);
        let explanation = Explanation {
            verdict: Truth::from(self.value),
            components,
            states: self.shown,
            nodes: self.nodes,
            roots,
            cut: cut as u64,
            reason: None,
        };
        Unfolded {
            explanation,
            #[cfg(test)]
            subformulas: self.positions.into_iter().map(|(_, node)| node).collect(),
        }
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
            _ => return self.field.find(state, self.formula.speaker(node)),
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
        let mut best: Option<(u32, u32, Spots, FxHashMap<u32, u32>)> = None;
        for &state in group.iter().take(COMPARED) {
            let Some(spots) = self.spots(state) else { continue };
            let (length, moves) = shortest(&spots.graph);
            if best.as_ref().is_none_or(|&(least, ..)| length < least) {
                best = Some((length, state, spots, moves));
            }
        }
        let Some((_, state, spots, moves)) = best else { return group.first().copied() };
        let at = |spot: u32| spots.positions[spot as usize];
        self.preferred.extend(moves.into_iter().map(|(spot, son)| (at(spot), at(son))));
        Some(state)
    }

    /// All that is known and can be come to from a state, wherever the winner goes.
    fn spots(&mut self, state: u32) -> Option<Spots> {
        let mut spots = Spots::default();
        let root = self.formula.root();
        let (place, _) = self.known(state, root)?;
        spots.number((place, self.formula.speaker(root)));
        while spots.graph.len() < spots.positions.len() {
            if spots.positions.len() > self.limit {
                return None;
            }
            let position = spots.positions[spots.graph.len()];
            let (is_ours, sons) = self.all_sons(position);
            let sons = sons.into_iter().map(|(son, step)| (spots.number(son), step)).collect();
            spots.graph.push(Spot { is_ours, may_loop: self.may_loop(position.1), sons });
        }
        Some(spots)
    }

    /// Whether the winner chooses in a position, and where it can lead, by which kind of move. Of
    /// hyper-transitions nothing is said.
    fn all_sons(&mut self, (state, node): Position) -> (bool, Vec<(Position, bool)>) {
        let definition = self.formula.definition(node);
        let mut sons: Vec<(u32, NodeId, bool)> = Vec::new();
        let mut is_ours = false;
        match self.formula.node(definition) {
            Node::And(a, b) | Node::Or(a, b) => {
                is_ours = matches!(self.formula.node(definition), Node::Or(..)) == self.value;
                sons.extend([(state, a, false), (state, b, false)]);
            }
            Node::Modal(modality, actions, body) => {
                is_ours = (modality == Modality::Dia) == self.value;
                let allowed = |mode: Mode| if is_ours { mode.must } else { mode.may };
                for step in self.field.moves(state).unwrap_or_default() {
                    let is_asked = self.is_asked(&step, actions);
                    if let (true, true, [target]) =
                        (is_asked, allowed(step.mode), &step.targets[..])
                    {
                        sons.push((*target, body, true));
                    }
                }
            }
            _ if definition != node => sons.push((state, definition, false)),
            _ => {}
        }
        let known = |(state, node, step)| {
            let (place, _) = self.known(state, node)?;
            Some(((place, self.formula.speaker(node)), step))
        };
        (is_ours, sons.into_iter().filter_map(known).collect())
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

    /// The number of a position that is known.
    fn node(&mut self, state: u32, node: NodeId) -> Option<u32> {
        let (state, _) = self.known(state, node)?;
        let node = self.formula.speaker(node);
        if let Some(&id) = self.ids.get(&(state, node)) {
            return Some(id);
        }
        let fresh = self.states.len() as u32;
        let shown = *self.states.entry(state).or_insert(fresh);
        if shown == fresh {
            self.shown.push(self.field.shown(state));
        }
        let id = self.nodes.len() as u32;
        self.ids.insert((state, node), id);
        self.positions.push((state, node));
        self.nodes.push(ShownNode {
            state: shown,
            subformula: self.formula.written(node),
            value: Truth::from(self.value),
            why: Why::Itself,
            sons: Vec::new(),
            asked: None,
        });
        Some(id)
    }

    fn expand(&mut self, id: usize) {
        let (state, node) = self.positions[id];
        let definition = self.formula.definition(node);
        let (why, sons) = match self.formula.node(definition) {
            Node::And(a, b) => self.choice(state, node, !self.value, [a, b]),
            Node::Or(a, b) => self.choice(state, node, self.value, [a, b]),
            Node::Modal(modality, actions, body) => {
                let is_ours = (modality == Modality::Dia) == self.value;
                let told = self.modal(state, node, is_ours, actions, body);
                let is_closed = !is_ours && told.0 != Why::Cut;
                self.nodes[id].asked = is_closed.then(|| self.formula.actions(actions).clone());
                told
            }
            _ if definition != node => {
                let body = self.node(state, definition);
                let sons = body.map(|node| ShownSon { node, step: None });
                (Why::Unfolding, sons.into_iter().collect())
            }
            _ => (Why::Itself, Vec::new()),
        };
        self.nodes[id].why = why;
        self.nodes[id].sons = sons;
    }

    fn choice(
        &mut self,
        state: u32,
        node: NodeId,
        is_ours: bool,
        sons: [NodeId; 2],
    ) -> (Why, Vec<ShownSon>) {
        let mut chosen: Vec<NodeId> = sons.to_vec();
        chosen.dedup();
        if let (true, Some(&(_, son))) = (is_ours, self.preferred.get(&(state, node))) {
            chosen.retain(|&other| self.formula.speaker(other) == son);
        } else if is_ours {
            let limit = self.due(state, node);
            let mut best: Option<((bool, Known), NodeId)> = None;
            for &son in &sons {
                // What has been explained already costs nothing.
                if let Some((place, known)) = self.known(state, son)
                    && known.is_before(limit)
                    && let key =
                        (!self.ids.contains_key(&(place, self.formula.speaker(son))), known)
                    && best.is_none_or(|(other, _)| key < other)
                {
                    best = Some((key, son));
                }
            }
            chosen = best.into_iter().map(|(_, son)| son).collect();
        }
        let sons = chosen.into_iter().filter_map(|son| self.node(state, son));
        let sons = sons.map(|node| ShownSon { node, step: None }).collect();
        (if is_ours { Why::One } else { Why::All }, sons)
    }

    /// When a position was found to follow.
    fn due(&mut self, state: u32, node: NodeId) -> Known {
        self.known(state, node).map_or(Known::FROM_THE_START, |(_, known)| known)
    }

    fn modal(
        &mut self,
        state: u32,
        node: NodeId,
        is_ours: bool,
        actions: ActionSetId,
        body: NodeId,
    ) -> (Why, Vec<ShownSon>) {
        let Some(mut moves) = self.field.moves(state) else {
            self.is_too_much = true;
            return (Why::Cut, Vec::new());
        };
        moves.retain(|step| self.is_asked(step, actions));
        if !is_ours {
            moves.retain(|step| step.mode.may);
            let sons = self.sons(&moves, body);
            return (if sons.is_empty() { Why::Itself } else { Why::All }, sons);
        }
        moves.retain(|step| step.mode.must);
        if let Some(&(place, _)) = self.preferred.get(&(state, node)) {
            moves.retain(|step| match step.targets[..] {
                [target] => self.known(target, body).is_some_and(|(found, _)| found == place),
                _ => false,
            });
            moves.truncate(1);
            return (Why::One, self.sons(&moves, body));
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
        let why =
            if chosen.iter().any(|step| step.targets.len() > 1) { Why::All } else { Why::One };
        (why, self.sons(&chosen, body))
    }

    /// When a subformula was known in the last of some states.
    fn latest(&mut self, states: &[u32], node: NodeId) -> Option<Known> {
        let mut latest = Known::FROM_THE_START;
        for &state in states {
            latest = latest.max(self.known(state, node)?.1);
        }
        Some(latest)
    }

    fn sons(&mut self, moves: &[Move], body: NodeId) -> Vec<ShownSon> {
        let mut sons: Vec<ShownSon> = Vec::new();
        for step in moves {
            for &target in &step.targets {
                let Some(node) = self.node(target, body) else { continue };
                let others = || Some(OTHERS.to_owned());
                let action = if step.is_foreign { others() } else { step.action.clone() };
                let is_one_of = step.targets.len() > 1;
                let shown = ShownStep { action, is_sure: step.mode.must, is_one_of };
                let son = ShownSon { node, step: Some(shown) };
                if !sons.contains(&son) {
                    sons.push(son);
                }
            }
        }
        sons
    }
}
