//! What N does: the images of sets of its states, action by action and in both directions.

use crate::lts::Lts;
use crate::set::StateSet;

/// The direction of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// What can be reached (A §3).
    Forward,
    /// What can reach an error (A §4).
    Backward,
}

/// The number for "idles" where an action of N is expected.
pub(crate) const IDLES: u32 = u32::MAX;

/// Which states follow which, by one action.
#[derive(Default)]
struct Relation {
    sources: Vec<u32>,
    start: Vec<u32>,
    targets: Vec<u32>,
}

impl Relation {
    /// Pairs in order.
    fn push(&mut self, source: u32, target: u32) {
        if self.sources.last() != Some(&source) {
            self.sources.push(source);
            self.start.push(self.targets.len() as u32);
        }
        self.targets.push(target);
    }

    fn row(&self, at: usize) -> &[u32] {
        let end = self.start.get(at + 1).map_or(self.targets.len(), |&end| end as usize);
        &self.targets[self.start[at] as usize..end]
    }

    /// Whether it is so of something that follows the set; looks no further then.
    fn any(&self, of: &StateSet, mut is_so: impl FnMut(u32) -> bool) -> bool {
        let mut among = |at: usize| self.row(at).iter().any(|&target| is_so(target));
        if (of.len() as usize) < self.sources.len() / 8 {
            of.any(|state| self.sources.binary_search(&state).is_ok_and(&mut among))
        } else {
            let mut rows = (0..self.sources.len()).filter(|&at| of.contains(self.sources[at]));
            rows.any(among)
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

impl Moves {
    /// Those of N, with the state that can do everything.
    pub fn with_anything(lts: &Lts) -> Moves {
        Moves { has_anything: true, ..Moves::new(lts) }
    }

    pub fn new(lts: &Lts) -> Moves {
        let relations = |rows: &crate::lts::Rows| {
            let mut relations: Vec<Relation> =
                std::iter::repeat_with(Relation::default).take(lts.actions as usize).collect();
            for state in 0..lts.states() as u32 {
                for &(action, end) in rows.of(state) {
                    relations[action as usize].push(state, end);
                }
            }
            relations
        };
        Moves {
            states: lts.states() as u32,
            forward: relations(&lts.out),
            backward: relations(&lts.into),
            has_anything: false,
        }
    }

    /// How many states a label speaks of.
    pub fn universe(&self) -> u32 {
        self.states + u32::from(self.has_anything)
    }

    /// The state that can do everything.
    pub fn anything(&self) -> u32 {
        self.states
    }

    /// Whether some state of the set can do the action.
    pub fn can(&self, own: u32, set: &StateSet) -> bool {
        match own {
            IDLES => set.any(|state| state < self.states),
            _ => self.forward[own as usize].any(set, |_| true),
        }
    }

    fn any(&self, way: Way, own: u32, of: &StateSet, mut is_so: impl FnMut(u32) -> bool) -> bool {
        let relations = match way {
            Way::Forward => &self.forward,
            Way::Backward => &self.backward,
        };
        (self.has_anything && of.contains(self.states) && is_so(self.states))
            || relations[own as usize].any(of, is_so)
    }

    pub fn image(&self, way: Way, own: u32, of: &StateSet) -> StateSet {
        if own == IDLES {
            return of.clone();
        }
        let mut image = StateSet::new(self.universe());
        self.any(way, own, of, |state| {
            image.insert(state);
            false
        });
        image
    }

    /// Whether the image is in that set already.
    pub fn stays_in(&self, way: Way, own: u32, of: &StateSet, within: &StateSet) -> bool {
        match own {
            IDLES => of.is_subset(within),
            _ => !self.any(way, own, of, |state| !within.contains(state)),
        }
    }
}
