//! The states that can be reached, with their steps: an abstraction that the program refines.

use crate::precision::Precision;
use crate::successors::{Effect, Successors};
use logic::{Node, PropId, Truth};
use rustc_hash::FxHashMap;
use smt::{Excess, LinearFormula};
use support::{Monitor, Reservation, StopReason, Stopped};
use transition::integers::IntegerStep;
use transition::integers::Proposition;

/// A state of the abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AbstractState {
    pub location: u32,
    /// The values of the predicates at the location.
    pub bits: u64,
}

/// A step from a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractTransition {
    pub step: u32,
    /// The states that it may lead to, rising; all that it can lead to are here.
    pub targets: Vec<u32>,
    /// Sets of them that it must lead into, each by itself.
    pub musts: Vec<Vec<u32>>,
}

impl AbstractTransition {
    /// The memory that it takes.
    fn bytes(&self) -> u64 {
        let sets = self.musts.len() * size_of::<Vec<u32>>();
        let states = self.targets.len() + self.musts.iter().map(Vec::len).sum::<usize>();
        (size_of::<AbstractTransition>() + sets + 4 * states) as u64
    }
}

/// Why there is no abstraction, or not all of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Interruption {
    Stopped(Stopped),
    /// A number or a case too many.
    Excess(Excess),
}

impl From<Stopped> for Interruption {
    fn from(stopped: Stopped) -> Self {
        Interruption::Stopped(stopped)
    }
}

impl From<Excess> for Interruption {
    fn from(excess: Excess) -> Self {
        Interruption::Excess(excess)
    }
}

/// The part of a program that can be reached, abstracted.
#[derive(Clone, Debug)]
pub struct ReachabilityGraph {
    /// The initial ones first.
    pub states: Vec<AbstractState>,
    /// Whether it is certain that the program can begin in each of them.
    pub initial: Vec<bool>,
    /// Of each state.
    pub transitions: Vec<Vec<AbstractTransition>>,
    /// The values of the propositions in each state.
    pub labels: Vec<Vec<Truth>>,
    _room: Reservation,
}

/// Program with its property.
pub(crate) struct CheckedProgram<'a> {
    pub steps: &'a [IntegerStep],
    /// The steps from each location, by number.
    pub from: Vec<Vec<u32>>,
    pub start: (u32, LinearFormula),
    /// By the numbers that the formula has for them, with their names.
    pub propositions: Vec<(&'a str, Meaning)>,
}

/// When a proposition is true.
pub(crate) enum Meaning {
    At(Vec<u32>),
    Holds(LinearFormula),
    /// The formula does not mention it.
    Irrelevant,
}

/// A state, its number, its labels and its list of steps.
const BYTES_OF_STATE: u64 = 100;

/// The largest number of abstract states.
const MOST_STATES: usize = 200_000;

impl<'a> CheckedProgram<'a> {
    pub fn new(
        steps: &'a [IntegerStep],
        locations: usize,
        start: (u32, LinearFormula),
        (propositions, formula): (&'a [(String, Proposition)], &logic::Formula),
    ) -> Self {
        let mut from = vec![Vec::new(); locations];
        for (number, taken) in (0..).zip(steps) {
            from[taken.source as usize].push(number);
        }
        let meaning = |(number, (name, meaning)): (u32, &'a (String, Proposition))| {
            let is_asked = |node| matches!(node, Node::Lit(prop, _) if prop == PropId(number));
            let meaning = match meaning {
                _ if !formula.nodes().any(|(_, node)| is_asked(node)) => Meaning::Irrelevant,
                Proposition::At(locations) => Meaning::At(locations.clone()),
                Proposition::Holds(wanted) => Meaning::Holds(wanted.clone()),
            };
            (&**name, meaning)
        };
        let propositions = (0..).zip(propositions).map(meaning).collect();
        Self { steps, from, start, propositions }
    }
}

/// All states that can be reached.
pub(crate) fn explore(
    program: &CheckedProgram,
    precision: &Precision,
    successors: &mut Successors,
    monitor: &Monitor,
) -> Result<ReachabilityGraph, Interruption> {
    let (starts, initial) = starts(program, precision, successors)?;
    let mut graph = explore_from(program, precision, successors, &starts, &|_| true, monitor)?;
    graph.initial = initial;
    let label = |state: &AbstractState| labels(program, precision, successors, *state);
    graph.labels = graph.states.iter().map(label).collect();
    Ok(graph)
}

/// The states in which the program may begin, and whether that is certain.
pub(crate) fn starts(
    program: &CheckedProgram,
    precision: &Precision,
    successors: &mut Successors,
) -> Result<(Vec<AbstractState>, Vec<bool>), Excess> {
    let (location, begins) = &program.start;
    let found = successors.initial_valuations(precision, *location, begins)?;
    let state =
        |(bits, is_certain): (u64, bool)| (AbstractState { location: *location, bits }, is_certain);
    Ok(found.into_iter().map(state).unzip())
}

/// All states that can be reached from some, which come first, without labels. Steps are not followed from locations
/// that are not inside.
pub(crate) fn explore_from(
    program: &CheckedProgram,
    precision: &Precision,
    successors: &mut Successors,
    starts: &[AbstractState],
    is_inside: &dyn Fn(u32) -> bool,
    monitor: &Monitor,
) -> Result<ReachabilityGraph, Interruption> {
    let mut explorer = Explorer { states: Vec::new(), numbers: FxHashMap::default() };
    starts.iter().for_each(|&start| _ = explorer.number(start));
    let mut transitions: Vec<Vec<AbstractTransition>> = Vec::new();
    let (mut room, mut bytes) = (Reservation::default(), 0);
    while let Some(&state) = explorer.states.get(transitions.len()) {
        monitor.step(1)?;
        if explorer.states.len() > MOST_STATES {
            return Err(Interruption::Stopped(Stopped(StopReason::Size)));
        }
        let mut own = Vec::new();
        let steps = &program.from[state.location as usize];
        for &step in steps.iter().filter(|_| is_inside(state.location)) {
            let effect = successors.effect(precision, step, state.bits)?;
            if !effect.targets.is_empty() {
                own.push(explorer.transition(step, program.steps[step as usize].target, &effect));
            }
        }
        bytes += own.iter().map(AbstractTransition::bytes).sum::<u64>();
        transitions.push(own);
        successors.keep_up(monitor)?;
        room.keep_up(bytes + explorer.states.len() as u64 * BYTES_OF_STATE, monitor)?;
    }
    let initial = vec![true; starts.len()];
    Ok(ReachabilityGraph {
        states: explorer.states,
        initial,
        transitions,
        labels: Vec::new(),
        _room: room,
    })
}

pub(crate) fn labels(
    program: &CheckedProgram,
    precision: &Precision,
    successors: &mut Successors,
    AbstractState { location, bits }: AbstractState,
) -> Vec<Truth> {
    let mut value = |meaning: &Meaning| match meaning {
        Meaning::At(locations) => locations.contains(&location).into(),
        Meaning::Irrelevant => Truth::Unknown,
        Meaning::Holds(wanted) => {
            let known = successors.holds(precision, location, bits, wanted);
            known.map_or(Truth::Unknown, Truth::from)
        }
    };
    program.propositions.iter().map(|(_, meaning)| value(meaning)).collect()
}

struct Explorer {
    states: Vec<AbstractState>,
    numbers: FxHashMap<AbstractState, u32>,
}

impl Explorer {
    fn number(&mut self, state: AbstractState) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    fn transition(&mut self, step: u32, location: u32, effect: &Effect) -> AbstractTransition {
        let mut numbers = |all: &Vec<u64>| {
            let mut numbers: Vec<u32> =
                all.iter().map(|&bits| self.number(AbstractState { location, bits })).collect();
            numbers.sort_unstable();
            numbers
        };
        let targets = numbers(&effect.targets);
        AbstractTransition { step, targets, musts: effect.musts.iter().map(numbers).collect() }
    }
}
