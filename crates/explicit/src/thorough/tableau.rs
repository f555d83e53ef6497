//! The game of a verifier who builds a refinement of a model, branch by branch, in which a formula holds.
//!
//! A refinement is unfolded to a tree, of which every node refines one abstract state. At a node some formulas have to
//! hold. The verifier resolves them ([`Resolution`]); the falsifier asks for a transition, one that a must transition of
//! the state wants or one that a diamond wants; the verifier says where it leads, and there its body has to hold and
//! those of the boxes that are about it. No other transitions are needed: they would only have to satisfy boxes. An
//! infinite play is won if no trace through the formulas unfolds a least fixpoint for ever ([`Traces`]).

use super::resolution::{Resolution, Resolver};
use super::steps::{Steps, Target};
use super::traces::{TraceState, TraceStep, Traces};
use game::solve::{Algorithm, Solution, solve};
use game::{Op, ParityGame, Player};
use logic::{ActionSet, Formula, Modality, PropId, Truth};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use support::{Monitor, StopReason, Stopped};

/// More nodes than this are not made.
const MOST_NODES: usize = 1 << 18;

/// A node of the tableau, with the priority of the step to it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    state: u32,
    traces: TraceState,
    priority: u32,
}

/// The number of a place.
pub(super) type PlaceId = u32;

/// A transition, and the place that it leads to; none if any refinement of its state will do.
pub(super) type Led = (Target, Option<PlaceId>);

/// A transition that has to be there, as it can be.
pub(super) type Wish = Vec<Led>;

/// A modality with its body.
type Asked = (u32, u32);

/// A way to go on at a place.
pub(super) struct Branch {
    pub literals: BTreeSet<(PropId, bool)>,
    pub wishes: Vec<Wish>,
}

pub(super) struct Tableau<'a> {
    pub steps: &'a Steps<'a>,
    formula: &'a Formula,
    resolver: &'a Resolver<'a>,
    traces: Traces<'a>,
    numbers: FxHashMap<Place, PlaceId>,
    places: Vec<Place>,
    /// By place.
    branches: Vec<Vec<Branch>>,
    nodes: usize,
    monitor: &'a Monitor,
}

impl<'a> Tableau<'a> {
    pub fn new(
        formula: &'a Formula,
        resolver: &'a Resolver<'a>,
        steps: &'a Steps<'a>,
        monitor: &'a Monitor,
    ) -> Self {
        Self {
            steps,
            formula,
            resolver,
            traces: Traces::new(resolver.arena.plan),
            numbers: FxHashMap::default(),
            places: Vec::new(),
            branches: Vec::new(),
            nodes: 0,
            monitor,
        }
    }

    /// The place at which the formula has to hold, in a state where it is unknown.
    pub fn root(&mut self, state: u32) -> Result<PlaceId, Stopped> {
        let traces = self.traces.start(self.resolver.arena.plan.root);
        self.place(Place { state, traces, priority: 0 })
    }

    pub fn state(&self, place: PlaceId) -> u32 {
        self.places[place as usize].state
    }

    /// Makes all places that the ones made so far lead to.
    pub fn expand(&mut self) -> Result<(), Stopped> {
        while self.branches.len() < self.places.len() {
            let Place { state, traces, .. } = self.places[self.branches.len()].clone();
            let formulas = self.traces.formulas(&traces);
            let mut branches = Vec::new();
            for resolution in self.resolver.resolutions(state, &formulas, self.monitor)? {
                branches.extend(self.branch(state, &traces, resolution)?);
            }
            self.branches.push(branches);
        }
        Ok(())
    }

    fn place(&mut self, place: Place) -> Result<PlaceId, Stopped> {
        if let Some(&known) = self.numbers.get(&place) {
            return Ok(known);
        }
        let number = self.places.len() as PlaceId;
        self.numbers.insert(place.clone(), number);
        self.places.push(place);
        self.count(1)?;
        Ok(number)
    }

    fn count(&mut self, nodes: usize) -> Result<(), Stopped> {
        self.nodes += nodes;
        if self.nodes > MOST_NODES { Err(Stopped(StopReason::Effort)) } else { Ok(()) }
    }

    /// `None` if some transition that has to be there cannot be.
    fn branch(
        &mut self,
        state: u32,
        traces: &TraceState,
        resolution: Resolution,
    ) -> Result<Option<Branch>, Stopped> {
        let boxes = self.modalities(&resolution, Modality::Box);
        let diamonds = self.modalities(&resolution, Modality::Dia);
        // The transitions that have to be there: what is asked of them besides the boxes, and where they can lead.
        let must = self.steps.musts(state).into_iter().map(|targets| (None, targets));
        let wanted: Vec<(Option<Asked>, Vec<Target>)> = must
            .chain(diamonds.iter().map(|&(one, set, body)| {
                let is_meant = |&to: &Target| self.steps.is_meant(set, to);
                (Some((one, body)), self.steps.mays(state).filter(is_meant).collect())
            }))
            .collect();
        let mut wishes = Vec::new();
        for (diamond, targets) in wanted {
            let mut wish = Vec::new();
            for target in targets {
                let meant = boxes.iter().filter(|(_, set, _)| self.steps.is_meant(set, target));
                let meant = meant.map(|&(one, _, body)| (one, body));
                let bodies: Vec<Asked> = diamond.into_iter().chain(meant).collect();
                wish.extend(self.target(target, traces, &resolution, &bodies)?);
            }
            if wish.is_empty() {
                return Ok(None);
            }
            self.count(wish.len() + 1)?;
            wishes.push(wish);
        }
        Ok(Some(Branch { literals: resolution.literals, wishes }))
    }

    /// The modalities of one sort that have to hold, each with its actions and its body.
    fn modalities(
        &self,
        resolution: &Resolution,
        wanted: Modality,
    ) -> Vec<(u32, &'a ActionSet, u32)> {
        let formula = self.formula;
        let modal = |one: u32| match self.resolver.arena.plan.equations[one as usize].op {
            Op::Modal(modality, actions, body) if modality == wanted => {
                Some((one, formula.actions(actions), body))
            }
            _ => None,
        };
        resolution.modalities().into_iter().filter_map(modal).collect()
    }

    /// A transition to a state in which the bodies of these modalities hold, if they can.
    fn target(
        &mut self,
        target: Target,
        traces: &TraceState,
        resolution: &Resolution,
        bodies: &[Asked],
    ) -> Result<Option<Led>, Stopped> {
        let mut steps: Vec<TraceStep> = Vec::new();
        for &(modality, body) in bodies {
            match self.resolver.value(target.state, body) {
                Truth::False => return Ok(None),
                Truth::True => {}
                Truth::Unknown => {
                    let own = resolution.traces.iter().filter(|trace| trace.to == modality);
                    steps.extend(own.map(|trace| TraceStep { to: body, ..*trace }));
                }
            }
        }
        if steps.is_empty() {
            return Ok(Some((target, None)));
        }
        let (traces, priority) = self.traces.step(traces, &steps);
        let place = self.place(Place { state: target.state, traces, priority })?;
        Ok(Some((target, Some(place))))
    }

    /// Who wins, from every place.
    pub fn solve(&self) -> Result<(Solution, Numbering), Stopped> {
        let (game, numbering) = self.game();
        Ok((solve(&game, Algorithm::Auto, self.monitor)?, numbering))
    }

    /// The nodes of the game: the places, then for each its branches, and behind each of them its wishes.
    fn game(&self) -> (ParityGame, Numbering) {
        // The least priority counts here, and the even ones are the falsifier's.
        let finite = self.places.iter().map(|p| p.priority).filter(|&p| p != u32::MAX);
        let highest = finite.max().unwrap_or(0) | 1;
        let turned = |priority: u32| highest.saturating_sub(priority);
        let mut priorities: Vec<u32> = self.places.iter().map(|p| turned(p.priority)).collect();
        let mut owners = vec![Player::Verifier; self.places.len()];
        let mut successors: Vec<Vec<u32>> = vec![Vec::new(); self.places.len()];
        let mut numbering = Numbering { branches: Vec::new(), wishes: Vec::new() };
        for (place, branches) in self.branches.iter().enumerate() {
            numbering.branches.push(owners.len() as u32);
            let first = owners.len() as u32;
            successors[place].extend(first..first + branches.len() as u32);
            owners.extend(branches.iter().map(|_| Player::Falsifier));
            successors.extend(branches.iter().map(|_| Vec::new()));
            let mut wishes = Vec::with_capacity(branches.len());
            for (branch, number) in branches.iter().zip(first..) {
                wishes.push(owners.len() as u32);
                for wish in branch.wishes.iter().filter(|wish| is_open(wish)) {
                    successors[number as usize].push(owners.len() as u32);
                    owners.push(Player::Verifier);
                    successors.push(wish.iter().filter_map(|&(_, place)| place).collect());
                }
            }
            numbering.wishes.push(wishes);
        }
        priorities.resize(owners.len(), 0);
        let mut offsets = vec![0];
        offsets.extend(successors.iter().scan(0, |end, list| {
            *end += list.len() as u32;
            Some(*end)
        }));
        (ParityGame::new(priorities, owners, offsets, successors.concat()), numbering)
    }
}

/// Whether a wish is not fulfilled by any refinement of a target.
fn is_open(wish: &Wish) -> bool {
    wish.iter().all(|(_, place)| place.is_some())
}

/// The nodes of the game by what they stand for.
pub(super) struct Numbering {
    /// By place: its first branch.
    branches: Vec<u32>,
    /// By place and branch: the first of the wishes that are open.
    wishes: Vec<Vec<u32>>,
}

impl Tableau<'_> {
    /// The branch that a winning verifier takes at a place, and where each of its wishes leads.
    pub fn chosen(
        &self,
        place: PlaceId,
        solution: &Solution,
        numbering: &Numbering,
    ) -> Option<(&Branch, Vec<Led>)> {
        let number = solution.strategy(place)? - numbering.branches[place as usize];
        let branch = &self.branches[place as usize][number as usize];
        let mut node = numbering.wishes[place as usize][number as usize];
        let mut targets = Vec::with_capacity(branch.wishes.len());
        for wish in &branch.wishes {
            let chosen = match is_open(wish) {
                true => {
                    node += 1;
                    solution.strategy(node - 1)
                }
                false => None,
            };
            targets.extend(wish.iter().find(|(_, place)| *place == chosen));
        }
        Some((branch, targets))
    }
}
