//! The states that can be reached, with their steps: an abstraction that the program refines.

use crate::successors::{Effect, Successors};
use crate::views::Views;
use logic::{Node, PropId, Truth};
use rustc_hash::FxHashMap;
use smt::{Excess, Formula};
use support::{Monitor, Reservation, StopReason, Stopped};
use transition::integers::IntegerStep;
use transition::integers::Proposition;

/// A state of the abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub place: u32,
    /// The values of the atoms at the place.
    pub bits: u64,
}

/// A step from a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    pub step: u32,
    /// The states that it may lead to, rising; all that it can lead to are here.
    pub targets: Vec<u32>,
    /// Sets of them that it must lead into, each by itself.
    pub musts: Vec<Vec<u32>>,
}

impl Arrow {
    /// The memory that it takes.
    fn bytes(&self) -> u64 {
        let sets = self.musts.len() * size_of::<Vec<u32>>();
        let states = self.targets.len() + self.musts.iter().map(Vec::len).sum::<usize>();
        (size_of::<Arrow>() + sets + 4 * states) as u64
    }
}

/// Why there is no abstraction, or not all of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Hindrance {
    Stopped(Stopped),
    /// A number or a case too many.
    Excess(Excess),
}

impl From<Stopped> for Hindrance {
    fn from(stopped: Stopped) -> Self {
        Hindrance::Stopped(stopped)
    }
}

impl From<Excess> for Hindrance {
    fn from(excess: Excess) -> Self {
        Hindrance::Excess(excess)
    }
}

/// The part of a program that can be reached, abstracted.
#[derive(Clone, Debug)]
pub struct Region {
    /// The initial ones first.
    pub states: Vec<State>,
    /// Whether it is certain that the program can begin in each of them.
    pub initial: Vec<bool>,
    /// Of each state.
    pub arrows: Vec<Vec<Arrow>>,
    /// The values of the propositions in each state.
    pub labels: Vec<Vec<Truth>>,
    _room: Reservation,
}

/// What is asked of a program.
pub(crate) struct Subject<'a> {
    pub moves: &'a [IntegerStep],
    /// The moves from each place, by number.
    pub from: Vec<Vec<u32>>,
    pub start: (u32, Formula),
    /// By the numbers that the formula has for them, with their names.
    pub propositions: Vec<(&'a str, Meaning)>,
}

/// When a proposition is true.
pub(crate) enum Meaning {
    At(Vec<u32>),
    Holds(Formula),
    /// The formula does not speak of it.
    NotAsked,
}

/// A state, its number, its labels and its list of steps.
const BYTES_OF_STATE: u64 = 100;

/// More states than this are not looked at.
const MOST_STATES: usize = 200_000;

impl<'a> Subject<'a> {
    pub fn new(
        moves: &'a [IntegerStep],
        places: usize,
        start: (u32, Formula),
        (propositions, formula): (&'a [(String, Proposition)], &logic::Formula),
    ) -> Self {
        let mut from = vec![Vec::new(); places];
        for (number, taken) in (0..).zip(moves) {
            from[taken.source as usize].push(number);
        }
        let meaning = |(number, (name, meaning)): (u32, &'a (String, Proposition))| {
            let is_asked = |node| matches!(node, Node::Lit(prop, _) if prop == PropId(number));
            let meaning = match meaning {
                _ if !formula.nodes().any(|(_, node)| is_asked(node)) => Meaning::NotAsked,
                Proposition::At(places) => Meaning::At(places.clone()),
                Proposition::Holds(wanted) => Meaning::Holds(wanted.clone()),
            };
            (&**name, meaning)
        };
        let propositions = (0..).zip(propositions).map(meaning).collect();
        Self { moves, from, start, propositions }
    }
}

/// All states that can be reached.
pub(crate) fn explore(
    subject: &Subject,
    views: &Views,
    successors: &mut Successors,
    monitor: &Monitor,
) -> Result<Region, Hindrance> {
    let (starts, initial) = starts(subject, views, successors)?;
    let mut region = explore_from(subject, views, successors, &starts, &|_| true, monitor)?;
    region.initial = initial;
    let label = |state: &State| labels(subject, views, successors, *state);
    region.labels = region.states.iter().map(label).collect();
    Ok(region)
}

/// The states in which the program may begin, and whether that is certain.
pub(crate) fn starts(
    subject: &Subject,
    views: &Views,
    successors: &mut Successors,
) -> Result<(Vec<State>, Vec<bool>), Excess> {
    let (place, begins) = &subject.start;
    let found = successors.beginnings(views, *place, begins)?;
    let state = |(bits, is_certain): (u64, bool)| (State { place: *place, bits }, is_certain);
    Ok(found.into_iter().map(state).unzip())
}

/// All states that can be reached from some, which come first, without labels. Steps are not followed from places that are not
/// inside.
pub(crate) fn explore_from(
    subject: &Subject,
    views: &Views,
    successors: &mut Successors,
    starts: &[State],
    is_inside: &dyn Fn(u32) -> bool,
    monitor: &Monitor,
) -> Result<Region, Hindrance> {
    let mut explorer = Explorer { states: Vec::new(), numbers: FxHashMap::default() };
    starts.iter().for_each(|&start| _ = explorer.number(start));
    let mut arrows: Vec<Vec<Arrow>> = Vec::new();
    let (mut room, mut bytes) = (Reservation::default(), 0);
    while let Some(&state) = explorer.states.get(arrows.len()) {
        monitor.step(1)?;
        if explorer.states.len() > MOST_STATES {
            return Err(Hindrance::Stopped(Stopped(StopReason::Size)));
        }
        let mut own = Vec::new();
        let steps = &subject.from[state.place as usize];
        for &step in steps.iter().filter(|_| is_inside(state.place)) {
            let effect = successors.effect(views, step, state.bits)?;
            if !effect.targets.is_empty() {
                own.push(explorer.arrow(step, subject.moves[step as usize].target, &effect));
            }
        }
        bytes += own.iter().map(Arrow::bytes).sum::<u64>();
        arrows.push(own);
        successors.keep_up(monitor)?;
        room.keep_up(bytes + explorer.states.len() as u64 * BYTES_OF_STATE, monitor)?;
    }
    let initial = vec![true; starts.len()];
    Ok(Region { states: explorer.states, initial, arrows, labels: Vec::new(), _room: room })
}

pub(crate) fn labels(
    subject: &Subject,
    views: &Views,
    successors: &mut Successors,
    State { place, bits }: State,
) -> Vec<Truth> {
    let mut value = |meaning: &Meaning| match meaning {
        Meaning::At(places) => places.contains(&place).into(),
        Meaning::NotAsked => Truth::Unknown,
        Meaning::Holds(wanted) => {
            let known = successors.holds(views, place, bits, wanted);
            known.map_or(Truth::Unknown, Truth::from)
        }
    };
    subject.propositions.iter().map(|(_, meaning)| value(meaning)).collect()
}

struct Explorer {
    states: Vec<State>,
    numbers: FxHashMap<State, u32>,
}

impl Explorer {
    fn number(&mut self, state: State) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    fn arrow(&mut self, step: u32, place: u32, effect: &Effect) -> Arrow {
        let mut numbers = |all: &Vec<u64>| {
            let mut numbers: Vec<u32> =
                all.iter().map(|&bits| self.number(State { place, bits })).collect();
            numbers.sort_unstable();
            numbers
        };
        let targets = numbers(&effect.targets);
        Arrow { step, targets, musts: effect.musts.iter().map(numbers).collect() }
    }
}
