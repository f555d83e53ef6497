//! Who answers the learner: whether a word may happen, and what is wrong with a conjecture.

use super::table::Conjecture;
use super::world::{ERROR, Letter, World};
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Monitor, Stopped};

/// A set of states of M‖P̄, numbered.
type SetId = u32;

/// The set with the error, however small.
const WITH_ERROR: SetId = 0;

pub struct Teacher<'a> {
    world: World<'a>,
    /// M‖P̄ made deterministic as far as words have led.
    sets: Vec<Box<[u32]>>,
    numbers: FxHashMap<Box<[u32]>, SetId>,
    next: FxHashMap<(SetId, Letter), SetId>,
    start: SetId,
    monitor: &'a Monitor,
}

impl<'a> Teacher<'a> {
    pub fn new(mut world: World<'a>, monitor: &'a Monitor) -> Result<Self, Stopped> {
        let init = world.init();
        let mut teacher = Self {
            world,
            sets: vec![Box::default()],
            numbers: FxHashMap::default(),
            next: FxHashMap::default(),
            start: WITH_ERROR,
            monitor,
        };
        teacher.start = teacher.closed(init)?;
        Ok(teacher)
    }

    /// Whether M‖P̄ stays out of the error if N does this word.
    pub fn allows(&mut self, word: &[Letter]) -> Result<bool, Stopped> {
        self.monitor.step(1)?;
        let mut set = self.start;
        for &letter in word {
            if set == WITH_ERROR {
                break;
            }
            set = self.after(set, letter)?;
        }
        Ok(set != WITH_ERROR)
    }

    fn after(&mut self, set: SetId, letter: Letter) -> Result<SetId, Stopped> {
        if let Some(&next) = self.next.get(&(set, letter)) {
            return Ok(next);
        }
        let mut targets = Vec::new();
        for state in self.sets[set as usize].clone() {
            let moves = self.world.moves(state).iter();
            targets.extend(moves.filter(|(by, _)| *by == Some(letter)).map(|&(_, to)| to));
        }
        let next = self.closed(targets)?;
        self.next.insert((set, letter), next);
        Ok(next)
    }

    /// The set of these and of what they lead to without N.
    fn closed(&mut self, states: Vec<u32>) -> Result<SetId, Stopped> {
        let mut found: FxHashSet<u32> = states.iter().copied().collect();
        let mut open = states;
        while let Some(state) = open.pop() {
            if state == ERROR {
                return Ok(WITH_ERROR);
            }
            self.monitor.step(1)?;
            let alone = self.world.moves(state).iter().filter(|(by, _)| by.is_none());
            open.extend(alone.map(|&(_, to)| to).filter(|&to| found.insert(to)));
        }
        let mut set: Box<[u32]> = found.into_iter().collect();
        set.sort_unstable();
        if let Some(&number) = self.numbers.get(&set) {
            return Ok(number);
        }
        let number = self.sets.len() as SetId;
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        Ok(number)
    }

    /// M‖A ⊨ P? Otherwise a word of A that lets M‖P̄ into the error.
    pub fn error_under(&mut self, a: &Conjecture) -> Result<Option<Vec<Letter>>, Stopped> {
        let init = if a.accepts_nothing() { Vec::new() } else { self.world.init() };
        let mut search = Search::from(init);
        while let Some((number, (state, q))) = search.next() {
            self.monitor.step(1)?;
            for &(letter, target) in self.world.moves(state) {
                let after = letter.map_or(q, |letter| a.after(q, letter));
                if !a.accepts(after) {
                    continue;
                }
                if target == ERROR {
                    return Ok(Some(search.word(number, letter)));
                }
                search.add((target, after), number, letter);
            }
        }
        Ok(None)
    }

    /// N ⊨ A? Otherwise a word of N that A does not have.
    pub fn escape_from(&mut self, a: &Conjecture) -> Result<Option<Vec<Letter>>, Stopped> {
        let mut search = Search::from(self.world.process_init().to_vec());
        if a.accepts_nothing() && !search.is_empty() {
            return Ok(Some(Vec::new()));
        }
        while let Some((number, (state, q))) = search.next() {
            self.monitor.step(1)?;
            for &(letter, target) in self.world.process_moves(state) {
                let after = letter.map_or(q, |letter| a.after(q, letter));
                if !a.accepts(after) {
                    return Ok(Some(search.word(number, letter)));
                }
                search.add((target, after), number, letter);
            }
        }
        Ok(None)
    }
}

/// A search through pairs of a state and a state of the conjecture, which remembers the ways.
struct Search {
    found: FxHashSet<(u32, u32)>,
    /// A pair, where it was reached from, and by what.
    reached: Vec<((u32, u32), usize, Option<Letter>)>,
    done: usize,
}

impl Search {
    fn from(init: Vec<u32>) -> Self {
        let mut search = Self { found: FxHashSet::default(), reached: Vec::new(), done: 0 };
        for state in init {
            search.add((state, Conjecture::START), usize::MAX, None);
        }
        search
    }

    fn is_empty(&self) -> bool {
        self.reached.is_empty()
    }

    fn add(&mut self, pair: (u32, u32), from: usize, by: Option<Letter>) {
        if self.found.insert(pair) {
            self.reached.push((pair, from, by));
        }
    }

    fn next(&mut self) -> Option<(usize, (u32, u32))> {
        let &(pair, ..) = self.reached.get(self.done)?;
        self.done += 1;
        Some((self.done - 1, pair))
    }

    /// The letters on the way to a pair and one step further.
    fn word(&self, mut number: usize, last: Option<Letter>) -> Vec<Letter> {
        let mut word: Vec<Letter> = last.into_iter().collect();
        while let Some(&(_, from, by)) = self.reached.get(number) {
            word.extend(by);
            number = from;
        }
        word.reverse();
        word
    }
}
