//! The composition as the state space of an explanation: its states are tuples of states of the components.

use super::facts::{Known, Times};
use super::subsystems::PartsShown;
use super::unfold::{Field, Move};
use crate::Deadlock;
use logic::evidence::{ShownMember, ShownState, valuation};
use logic::{NodeId, PropId, Truth};
use model::{Mode, Moves, PartialModel, System, TAU};
use rustc_hash::FxHashMap;

/// A state of a component, as users know it.
pub(super) fn member(model: &PartialModel, state: u32) -> ShownMember {
    let with = |value: Truth| {
        let named = model.props().iter();
        let holds = named.filter(|&(prop, _)| model.label(state, prop) == value);
        holds.map(|(_, name)| name.to_owned()).collect()
    };
    let name = model.state_name(state);
    let (true_props, unknown_props) = (with(Truth::True), with(Truth::Unknown));
    ShownMember { values: valuation(&name), name, true_props, unknown_props }
}

/// A state of the composition.
pub(super) fn composed_state(system: &System, tuple: &[u32]) -> ShownState {
    let members = system.components.iter().zip(tuple);
    let members = members.map(|(part, &state)| Some(member(&part.model, state))).collect();
    ShownState { members, next: None }
}

/// The system as it was composed.
pub(super) struct Composed<'a> {
    pub system: &'a System,
    /// The composition, with states that stand still if that is what deadlocks mean.
    pub model: &'a PartialModel,
    pub times: Times,
}

impl Field for Composed<'_> {
    fn find(&mut self, state: u32, node: NodeId) -> Option<(u32, Known)> {
        self.times.get(0, state, node).map(|known| (state, known))
    }

    fn label(&self, state: u32, prop: PropId) -> Truth {
        self.model.label(state, prop)
    }

    fn moves(&mut self, state: u32) -> Option<Vec<Move>> {
        let name = |action| self.model.actions().name(action).to_owned();
        let plain = self.model.edges().out(state).map(|(target, class)| Move {
            action: class.action.map(name),
            mode: class.mode,
            targets: vec![target],
            is_other: false,
        });
        let hyper = self.model.hyper_from(state).iter().map(|hyper| Move {
            action: None,
            mode: Mode::MUST,
            targets: hyper.targets.clone(),
            is_other: false,
        });
        Some(plain.chain(hyper).collect())
    }

    fn shown(&self, state: u32) -> ShownState {
        composed_state(self.system, &self.model.members(state))
    }
}

/// The system as its parts run, without composing it: states are found as they are come to.
pub(super) struct Running<'a> {
    pub system: &'a System,
    pub moves: Moves<'a>,
    pub deadlock: Deadlock,
    /// A state with more transitions than this is not looked through.
    most: usize,
    /// By proposition of the composition: a component that has it, and its number there.
    owners: Vec<(usize, PropId)>,
    pub parts: &'a PartsShown<'a>,
    tuples: Vec<Vec<u32>>,
    ids: FxHashMap<Vec<u32>, u32>,
}

impl<'a> Running<'a> {
    pub fn new(
        system: &'a System,
        moves: Moves<'a>,
        deadlock: Deadlock,
        most: usize,
        parts: &'a PartsShown<'a>,
    ) -> Self {
        let owner = |name: &str| {
            let components = system.components.iter().enumerate();
            let mut owners =
                components.filter_map(|(c, part)| Some((c, part.model.props().get(name)?)));
            owners.next().expect("the composition has the propositions of its components")
        };
        let owners = system.props().names().map(owner).collect();
        let (tuples, ids) = (Vec::new(), FxHashMap::default());
        Self { system, moves, deadlock, most, owners, parts, tuples, ids }
    }

    pub fn state(&mut self, tuple: Vec<u32>) -> u32 {
        let fresh = self.tuples.len() as u32;
        let id = *self.ids.entry(tuple.clone()).or_insert(fresh);
        if id == fresh {
            self.tuples.push(tuple);
        }
        id
    }
}

impl Field for Running<'_> {
    fn find(&mut self, state: u32, node: NodeId) -> Option<(u32, Known)> {
        self.parts.of_composition(&self.tuples[state as usize], node).map(|known| (state, known))
    }

    fn label(&self, state: u32, prop: PropId) -> Truth {
        let (component, own) = self.owners[prop.0 as usize];
        let member = self.tuples[state as usize][component];
        self.system.components[component].model.label(member, own)
    }

    fn moves(&mut self, state: u32) -> Option<Vec<Move>> {
        let tuple = self.tuples[state as usize].clone();
        let steps: Vec<(Option<String>, Mode, Vec<u32>)> = self
            .moves
            .steps(&tuple, self.most)?
            .into_iter()
            .map(|(action, mode, target)| (action.map(str::to_owned), mode, target))
            .collect();
        let all = steps.iter().fold(Mode::NONE, |all, (_, mode, _)| all.or(*mode));
        let mut moves: Vec<Move> = steps
            .into_iter()
            .map(|(action, mode, target)| Move {
                action,
                mode,
                targets: vec![self.state(target)],
                is_other: false,
            })
            .collect();
        if let (Deadlock::Stutter, Some(mode)) = (self.deadlock, all.stuttering()) {
            let is_props = self.system.family() == logic::Family::Props;
            let action = (!is_props).then(|| TAU.to_owned());
            moves.push(Move { action, mode, targets: vec![state], is_other: false });
        }
        Some(moves)
    }

    fn shown(&self, state: u32) -> ShownState {
        composed_state(self.system, &self.tuples[state as usize])
    }
}
