//! The transitions of N: the images of sets of its states, action by action and in both directions.

use crate::lts::{Lts, Rows};
use crate::set::StateSet;

/// The direction of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    /// The reachable states (A §3).
    Forward,
    /// The states that can reach an error (A §4).
    Backward,
}

/// The number for "idles" where an action of N is expected.
pub(crate) const IDLES: u32 = u32::MAX;

/// Which states follow which, by one action.
#[derive(Default)]
struct Relation {
    /// Those that something follows, sorted.
    sources: Vec<u32>,
    /// By number of a source, and one more.
    start: Vec<u32>,
    targets: Vec<u32>,
    /// By state: its number among the sources, or [`NO_SOURCE`]. Empty if sources are rare.
    numbers: Vec<u32>,
}

const NO_SOURCE: u32 = u32::MAX;
/// Where one in so many states is a source, their numbers are kept.
const RARE: usize = 16;

impl Relation {
    /// Pairs come in order.
    fn push(&mut self, source: u32, target: u32) {
        if self.sources.last() != Some(&source) {
            self.sources.push(source);
            self.start.push(self.targets.len() as u32);
        }
        self.targets.push(target);
    }

    fn finish(&mut self, states: usize) {
        self.start.push(self.targets.len() as u32);
        if self.sources.len() * RARE >= states {
            self.numbers = vec![NO_SOURCE; states];
            for (&source, number) in self.sources.iter().zip(0..) {
                self.numbers[source as usize] = number;
            }
        }
    }

    fn number(&self, state: u32) -> Option<usize> {
        match self.numbers.is_empty() {
            true => self.sources.binary_search(&state).ok(),
            false => self
                .numbers
                .get(state as usize)
                .filter(|&&at| at != NO_SOURCE)
                .map(|&at| at as usize),
        }
    }

    fn row(&self, number: usize) -> &[u32] {
        &self.targets[self.start[number] as usize..self.start[number + 1] as usize]
    }

    /// Whether it is so of something that follows the set; looks no further then.
    fn any(&self, of: &StateSet, mut is_so: impl FnMut(u32) -> bool) -> bool {
        let mut among = |number: usize| self.row(number).iter().any(|&target| is_so(target));
        match (of.len() as usize) < self.sources.len() {
            true => of.any(|state| self.number(state).is_some_and(&mut among)),
            false => {
                let mut numbers = (0..self.sources.len()).filter(|&n| of.contains(self.sources[n]));
                numbers.any(among)
            }
        }
    }
}

pub(crate) struct Moves {
    states: u32,
    forward: Vec<Relation>,
    backward: Vec<Relation>,
    /// Whether there is, beyond the states of N, one more that can do everything and stays what it is. In
    /// forward labels it says where M‖P̄ gets on its own: A §2 composes reachable states only.
    has_anything: bool,
}

fn relations(rows: &Rows, states: usize, actions: u32) -> Vec<Relation> {
    let mut relations: Vec<Relation> =
        std::iter::repeat_with(Relation::default).take(actions as usize).collect();
    for state in 0..states as u32 {
        for &(action, end) in rows.of(state) {
            relations[action as usize].push(state, end);
        }
    }
    relations.iter_mut().for_each(|relation| relation.finish(states));
    relations
}

impl Moves {
    /// Those of N, with the state that can do everything.
    pub fn with_anything(lts: &Lts) -> Moves {
        Moves { has_anything: true, ..Moves::new(lts) }
    }

    pub fn new(lts: &Lts) -> Moves {
        let relations = |rows| relations(rows, lts.states(), lts.actions);
        let (forward, backward) = (relations(&lts.out), relations(&lts.into));
        Moves { states: lts.states() as u32, forward, backward, has_anything: false }
    }

    /// How many states a label speaks of.
    pub fn universe(&self) -> u32 {
        self.anything() + u32::from(self.has_anything)
    }

    /// The state that can do everything.
    pub fn anything(&self) -> u32 {
        self.states
    }

    /// Whether some state of the set can do the action.
    pub fn can(&self, own: u32, set: &StateSet) -> bool {
        match own {
            IDLES => set.any(|state| state < self.anything()),
            _ => self.steps(Direction::Forward, own, set, |_| true),
        }
    }

    /// Whether it is so of the end of some step from the set; looks no further then.
    fn steps(
        &self,
        direction: Direction,
        own: u32,
        of: &StateSet,
        is_so: impl FnMut(u32) -> bool,
    ) -> bool {
        match direction {
            Direction::Forward => self.forward[own as usize].any(of, is_so),
            Direction::Backward => self.backward[own as usize].any(of, is_so),
        }
    }

    fn any(
        &self,
        direction: Direction,
        own: u32,
        of: &StateSet,
        mut is_so: impl FnMut(u32) -> bool,
    ) -> bool {
        let anything = self.anything();
        (self.has_anything && of.contains(anything) && is_so(anything))
            || self.steps(direction, own, of, is_so)
    }

    pub fn image(&self, direction: Direction, own: u32, of: &StateSet) -> StateSet {
        if own == IDLES {
            return of.clone();
        }
        let mut image = StateSet::new(self.universe());
        self.any(direction, own, of, |state| {
            image.insert(state);
            false
        });
        image
    }

    /// How many states of the image are not in that set yet.
    pub fn passing(&self, direction: Direction, own: u32, of: &StateSet, into: &StateSet) -> u32 {
        match own {
            IDLES => of.beyond(into),
            _ => self.image(direction, own, of).beyond(into),
        }
    }
}
