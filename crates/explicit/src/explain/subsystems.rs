//! The parts that show a verdict: what each of them is, and what it shows when. They are also a field of
//! an explanation themselves: where the composition is too large to be looked at, its parts are not.

use super::composition::member;
use super::facts::{Known, Times};
use super::unfold::{Field, Move};
use crate::Deadlock;
use crate::certificate::{CompositionalProof, GameProof, ProofStates};
use logic::evidence::{ShownMember, ShownState};
use logic::{ActionSet, Formula, NodeId, PropId, Truth};
use model::{
    Blocks, Interface, JointRegion, Lifting, Mode, NO_BLOCK, PartialModel, Regions, Rule, System,
    lift,
};
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Monitor, Stopped};

pub(super) struct PartsShown<'a> {
    system: &'a System,
    blocks: &'a [Option<Blocks>],
    parts: Vec<PartShown>,
}

struct PartShown {
    components: Vec<usize>,
    /// Factors, if it is a product.
    of: Option<(usize, usize)>,
    states: StatesShown,
    times: Times,
    /// Actions in which none of its components takes part.
    foreign: FxHashSet<String>,
}

enum StatesShown {
    Component(PartialModel),
    Product(JointRegion),
}

impl StatesShown {
    fn model(&self) -> &PartialModel {
        match self {
            StatesShown::Component(model) => model,
            StatesShown::Product(region) => &region.model,
        }
    }
}

impl PartShown {
    fn model(&self) -> &PartialModel {
        self.states.model()
    }

    fn tuple(&self, state: u32) -> Vec<u32> {
        match &self.states {
            StatesShown::Component(_) => vec![state],
            StatesShown::Product(region) => region.tuple(state).to_vec(),
        }
    }

    fn find(&self, tuple: &[u32]) -> Option<u32> {
        match &self.states {
            StatesShown::Component(_) => tuple.first().copied(),
            StatesShown::Product(region) => region.find(tuple),
        }
    }
}

impl<'a> PartsShown<'a> {
    pub fn new(
        system: &'a System,
        formula: &Formula,
        deadlock: Deadlock,
        evidence: &'a CompositionalProof,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let abstracted = system.quotient(&evidence.blocks);
        let abstracted = abstracted.expect("a refinement keeps to the joint labels");
        let asked: Vec<ActionSet> = formula.action_sets().values().cloned().collect();
        let regions = Regions {
            system: &abstracted,
            interface: &Interface::new(&abstracted),
            asked: &asked,
            stutter: deadlock == Deadlock::Stutter,
            monitor,
        };
        let mut shown = Self { system, blocks: &evidence.blocks, parts: Vec::new() };
        for part in &evidence.parts {
            let part = shown.part(&regions, formula, part)?;
            shown.parts.push(part);
        }
        Ok(shown)
    }

    /// A part, those before being there.
    fn part(
        &self,
        regions: &Regions,
        formula: &Formula,
        part: &GameProof,
    ) -> Result<PartShown, Stopped> {
        let (components, of, states) = match &part.states {
            &ProofStates::Component(component) => {
                let Regions { system, interface, asked, stutter, .. } = *regions;
                let lifted = lift(system, interface, component, asked, Lifting::Summaries, stutter);
                (vec![component], None, StatesShown::Component(lifted.model))
            }
            ProofStates::Product { left, right, pairs } => {
                let (a, b) = (&self.parts[*left], &self.parts[*right]);
                let components = [&a.components[..], &b.components].concat();
                let tuples: Vec<u32> =
                    pairs.iter().flat_map(|&(l, r)| [a.tuple(l), b.tuple(r)].concat()).collect();
                let region = regions.region(&components, &tuples)?;
                (components, Some((*left, *right)), StatesShown::Product(region))
            }
        };
        let times = Times::new(formula, &part.steps, states.model().states());
        let foreign = foreign(regions.interface, &components);
        Ok(PartShown { components, of, states, times, foreign })
    }

    fn block(&self, component: usize, state: u32) -> u32 {
        self.blocks[component].as_ref().map_or(state, |blocks| blocks.of[state as usize])
    }

    /// When something was known of a state of the composition.
    pub fn of_composition(&self, tuple: &[u32], node: NodeId) -> Option<Known> {
        self.parts.iter().zip(0..).find_map(|(part, number)| {
            let own: Vec<u32> = part.components.iter().map(|&c| self.block(c, tuple[c])).collect();
            part.times.get(number, part.find(&own)?, node)
        })
    }

    /// The first part that shows something of a state of a part, and the state there.
    fn of_part(&self, part: usize, state: u32, node: NodeId) -> Option<(usize, u32, Known)> {
        let own = &self.parts[part];
        if let Some((left, right)) = own.of {
            let tuple = own.tuple(state);
            let (ours, theirs) = tuple.split_at(self.parts[left].components.len());
            for (smaller, tuple) in [(left, ours), (right, theirs)] {
                if let Some(state) = self.parts[smaller].find(tuple)
                    && let Some(found) = self.of_part(smaller, state, node)
                {
                    return Some(found);
                }
            }
        }
        own.times.get(part as u32, state, node).map(|known| (part, state, known))
    }
}

fn foreign(interface: &Interface, components: &[usize]) -> FxHashSet<String> {
    let name = |rule: &Rule| interface.actions.name(rule.result).to_owned();
    let is_ours = |rule: &&Rule| rule.parts.iter().any(|(c, _)| components.contains(c));
    let ours: FxHashSet<String> = interface.rules.iter().filter(is_ours).map(name).collect();
    interface.rules.iter().map(name).filter(|name| !ours.contains(name)).collect()
}

/// An explanation that moves in parts of the system.
pub(super) struct InParts<'a> {
    shown: &'a PartsShown<'a>,
    places: Vec<(usize, u32)>,
    ids: FxHashMap<(usize, u32), u32>,
}

impl<'a> InParts<'a> {
    pub fn new(shown: &'a PartsShown<'a>) -> Self {
        Self { shown, places: Vec::new(), ids: FxHashMap::default() }
    }

    fn place(&mut self, part: usize, state: u32) -> u32 {
        let fresh = self.places.len() as u32;
        let id = *self.ids.entry((part, state)).or_insert(fresh);
        if id == fresh {
            self.places.push((part, state));
        }
        id
    }

    /// The place where something is shown of a state of the composition.
    pub fn of_composition(&mut self, tuple: &[u32], node: NodeId) -> Option<u32> {
        let known = self.shown.of_composition(tuple, node)?;
        let part = &self.shown.parts[known.part as usize];
        let own: Vec<u32> =
            part.components.iter().map(|&c| self.shown.block(c, tuple[c])).collect();
        let state = part.find(&own)?;
        Some(self.place(known.part as usize, state))
    }
}

impl Field for InParts<'_> {
    fn find(&mut self, state: u32, node: NodeId) -> Option<(u32, Known)> {
        let (part, state) = self.places[state as usize];
        let (part, state, known) = self.shown.of_part(part, state, node)?;
        Some((self.place(part, state), known))
    }

    fn label(&self, state: u32, prop: PropId) -> Truth {
        let (part, state) = self.places[state as usize];
        self.shown.parts[part].model().label(state, prop)
    }

    fn moves(&mut self, state: u32) -> Option<Vec<Move>> {
        let (part, state) = self.places[state as usize];
        let foreign = &self.shown.parts[part].foreign;
        let model = self.shown.parts[part].model();
        let steps: Vec<(Option<String>, Mode, u32)> = model
            .edges()
            .out(state)
            .map(|(target, class)| {
                let action = class.action.map(|action| model.actions().name(action).to_owned());
                (action, class.mode, target)
            })
            .collect();
        let moves = steps.into_iter().map(|(action, mode, target)| Move {
            is_other: action.as_ref().is_some_and(|action| foreign.contains(action)),
            targets: vec![self.place(part, target)],
            action,
            mode,
        });
        Some(moves.collect())
    }

    fn shown(&self, state: u32) -> ShownState {
        let (part, state) = self.places[state as usize];
        let part = &self.shown.parts[part];
        let mut members: Vec<Option<ShownMember>> = vec![None; self.shown.system.components.len()];
        for (&component, state) in part.components.iter().zip(part.tuple(state)) {
            let model = &self.shown.system.components[component].model;
            members[component] = Some(match &self.shown.blocks[component] {
                Some(blocks) => block_member(model, blocks, state),
                None => member(model, state),
            });
        }
        ShownState { members, next: None }
    }
}

/// A block, by the states that are in it.
fn block_member(model: &PartialModel, blocks: &Blocks, block: u32) -> ShownMember {
    const NAMED: usize = 4;
    debug_assert_ne!(block, NO_BLOCK);
    let states = (0..model.states() as u32).filter(|&state| blocks.of[state as usize] == block);
    let states: Vec<u32> = states.collect();
    if let [single] = states[..] {
        return member(model, single);
    }
    let mut names: Vec<String> =
        states.iter().take(NAMED).map(|&state| model.state_name(state)).collect();
    if states.len() > NAMED {
        names.push(format!("… {} states", states.len()));
    }
    let all = |prop, value| states.iter().all(|&state| model.label(state, prop) == value);
    let with = |wanted: &dyn Fn(PropId) -> bool| -> Vec<String> {
        let named = model.props().iter().filter(|&(prop, _)| wanted(prop));
        named.map(|(_, name)| name.to_owned()).collect()
    };
    ShownMember {
        name: format!("{{{}}}", names.join(", ")),
        true_props: with(&|prop| all(prop, Truth::True)),
        unknown_props: with(&|prop| !all(prop, Truth::True) && !all(prop, Truth::False)),
        values: Vec::new(),
    }
}
