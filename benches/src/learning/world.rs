//! M‖P̄ and N over one alphabet: the steps that they make together, and those that each makes alone.

use model::{ActionId, Rule, System, TAU};
use rustc_hash::FxHashMap;

/// A joint step of M‖P̄ and N, numbered.
pub type Letter = u32;

/// A step and where it leads; without a letter, one that the other side does not take part in.
pub type Move = (Option<Letter>, u32);

/// The error state of P̄.
pub const ERROR: u32 = u32::MAX;

/// M‖P̄, whose states are numbered when they are first seen, and N.
pub struct World<'a> {
    system: &'a System,
    process: usize,
    safety: &'a model::Model,
    rules: Vec<Rule>,
    /// By rule: the action of the property that it shows, if the property sees it.
    seen: Vec<Option<ActionId>>,
    /// By rule: its letter, if both sides take part in it.
    letter: Vec<Option<Letter>>,
    letters: u32,
    /// The states of the components but N, and of the property.
    tuples: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
    /// By state, once it has been asked for.
    moves: Vec<Option<Vec<Move>>>,
    process_moves: Vec<Vec<Move>>,
}

impl<'a> World<'a> {
    pub fn new(system: &'a System, process: usize, safety: &'a model::Model) -> Self {
        let (rules, shown) = system.rules();
        let seen = |rule: &Rule| {
            let name = shown.name(rule.result);
            safety.actions().get(name).filter(|_| name != TAU)
        };
        let mut world = Self {
            seen: rules.iter().map(seen).collect(),
            letter: vec![None; rules.len()],
            letters: 0,
            system,
            process,
            safety,
            rules,
            tuples: Vec::new(),
            numbers: FxHashMap::default(),
            moves: Vec::new(),
            process_moves: Vec::new(),
        };
        world.number_letters();
        let states = system.components[process].model.states() as u32;
        world.process_moves = (0..states).map(|state| world.find_process_moves(state)).collect();
        world
    }

    /// The interface of the two sides: what N takes part in and M or P does, too.
    fn number_letters(&mut self) {
        for (number, rule) in self.rules.iter().enumerate() {
            let is_own = rule.parts.iter().any(|&(part, _)| part == self.process);
            let is_others = rule.parts.len() > 1 || self.seen[number].is_some();
            if is_own && is_others {
                self.letter[number] = Some(self.letters);
                self.letters += 1;
            }
        }
    }

    /// How many there are.
    pub fn letters(&self) -> u32 {
        self.letters
    }

    /// The initial states of M‖P̄.
    pub fn init(&mut self) -> Vec<u32> {
        let mut tuples = vec![Vec::new()];
        for (number, part) in self.system.components.iter().enumerate() {
            if number != self.process {
                tuples = extended(&tuples, part.model.init());
            }
        }
        tuples = extended(&tuples, self.safety.init());
        tuples.into_iter().map(|tuple| self.number(tuple)).collect()
    }

    fn number(&mut self, tuple: Vec<u32>) -> u32 {
        if let Some(&number) = self.numbers.get(&tuple) {
            return number;
        }
        let number = self.tuples.len() as u32;
        self.tuples.push(tuple.clone());
        self.numbers.insert(tuple, number);
        self.moves.push(None);
        number
    }

    /// The moves of M‖P̄ out of a state that is not the error.
    pub fn moves(&mut self, state: u32) -> &[Move] {
        if self.moves[state as usize].is_none() {
            self.moves[state as usize] = Some(self.find_moves(state));
        }
        self.moves[state as usize].as_deref().unwrap_or_default()
    }

    fn find_moves(&mut self, state: u32) -> Vec<Move> {
        let from = self.tuples[state as usize].clone();
        let mut moves = Vec::new();
        for rule in 0..self.rules.len() {
            let is_own = self.rules[rule].parts.iter().all(|&(part, _)| part == self.process);
            // What N does unseen is no move here.
            if is_own && self.letter[rule].is_none() {
                continue;
            }
            let letter = self.letter[rule];
            for target in self.targets(&from, rule) {
                let target = target.map_or(ERROR, |tuple| self.number(tuple));
                moves.push((letter, target));
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// Where a rule takes M‖P̄; `None` is the error.
    fn targets(&self, from: &[u32], rule: usize) -> Vec<Option<Vec<u32>>> {
        let mut tuples = vec![Vec::new()];
        let others = (0..self.system.components.len()).filter(|&part| part != self.process);
        for (part, &state) in others.zip(from) {
            tuples = extended(&tuples, &self.after(part, state, rule));
        }
        let state = from[from.len() - 1];
        let safety = match self.seen[rule] {
            None => Some(state),
            Some(action) => {
                let mut edges = self.safety.edges().out(state);
                edges.find(|(_, by)| by.action == Some(action)).map(|(target, _)| target)
            }
        };
        let with_safety = |mut tuple: Vec<u32>| {
            tuple.push(safety?);
            Some(tuple)
        };
        tuples.into_iter().map(with_safety).collect()
    }

    /// Where a component can go by a rule: it stays if it takes no part.
    fn after(&self, component: usize, state: u32, rule: usize) -> Vec<u32> {
        let Some(&(_, action)) =
            self.rules[rule].parts.iter().find(|&&(part, _)| part == component)
        else {
            return vec![state];
        };
        let edges = self.system.components[component].model.edges().out(state);
        edges.filter(|(_, by)| by.action == Some(action)).map(|(target, _)| target).collect()
    }

    pub fn process_init(&self) -> &'a [u32] {
        self.system.components[self.process].model.init()
    }

    pub fn process_moves(&self, state: u32) -> &[Move] {
        &self.process_moves[state as usize]
    }

    fn find_process_moves(&self, state: u32) -> Vec<Move> {
        let takes_part =
            |rule: &usize| self.rules[*rule].parts.iter().any(|&(part, _)| part == self.process);
        let mut moves: Vec<Move> = (0..self.rules.len())
            .filter(takes_part)
            .flat_map(|rule| {
                let targets = self.after(self.process, state, rule);
                targets.into_iter().map(move |target| (self.letter[rule], target))
            })
            .collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }
}

/// Every tuple with every one of the states behind it.
fn extended(tuples: &[Vec<u32>], states: &[u32]) -> Vec<Vec<u32>> {
    let with = |tuple: &Vec<u32>, state: u32| tuple.iter().copied().chain([state]).collect();
    tuples.iter().flat_map(|tuple| states.iter().map(move |&state| with(tuple, state))).collect()
}
