//! Counterexamples and witnesses of modular checking: a path through the program, with the values of the variables.
//!
//! This is the usual forward construction (Clarke, Emerson and Sistla 1986): E and A untils by breadth-first search,
//! releases by a lasso. M checks verdicts only. The states are those of blocks ([`blocks`]), or of a program with
//! recursive calls, which have a stack.

pub mod blocks;

use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::hash::Hash;
use support::Stopped;
use transition::cfg::{Closure, CommandId, CtlNode, FormulaId, Operator, TemporalId};

/// No path is looked for through more states than this.
const MOST_STATES: usize = 1 << 20;

/// A state on the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathState {
    /// Next command; `None` where a run-time error has occurred.
    pub command: Option<CommandId>,
    /// Whether the command is a call that has just ended.
    pub is_return: bool,
    /// Whether it is inside of a hole: what is done there is only one of the things that may be done.
    pub in_hole: bool,
    pub values: Vec<i64>,
    pub formula_values: Vec<FormulaValue>,
}

/// A formula that holds in a state, or does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormulaValue {
    pub formula: FormulaId,
    pub holds: bool,
    /// Whether that is so for all paths from here, so that no single one shows it.
    pub on_all_paths: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramPath {
    pub states: Vec<PathState>,
    /// The path goes on for ever, from the last state to this one.
    pub loop_start: Option<usize>,
    /// The path is too long to be shown to its end.
    pub is_cut: bool,
}

/// The states that a path leads through, with what is true in them.
pub trait PathStates {
    type State: Clone + Eq + Hash;
    /// The part of a state that its steps depend on, as long as nothing below the top of its stack is read.
    type Head: Clone + Eq + Hash;

    fn closure(&self) -> &Closure;

    fn truth(&mut self, state: &Self::State, formula: FormulaId) -> Result<bool, Stopped>;

    /// Successors of a state. Where a variable may get any of very many values, only some are given, but one
    /// among them with which the wanted formula holds or fails, if there is one.
    fn successors(
        &mut self,
        state: &Self::State,
        wanted: (FormulaId, bool),
    ) -> Result<Vec<Self::State>, Stopped>;

    fn shown(&mut self, state: &Self::State) -> Result<PathState, Stopped>;

    /// The part of the program that a state is in; searches look at the states of one part together.
    fn part(&self, state: &Self::State) -> u32;

    /// The part that is in memory.
    fn current(&self) -> Option<u32>;

    /// The head of a state, and the height of its stack.
    fn head(&self, state: &Self::State) -> (Self::Head, usize);
}

pub struct PathSearch<G: PathStates> {
    states: G,
    path: ProgramPath,
}

impl<G: PathStates> PathSearch<G> {
    pub fn new(states: G) -> Self {
        Self { states, path: ProgramPath::default() }
    }

    /// From a state in which a formula holds or does not.
    pub fn run(
        mut self,
        state: G::State,
        formula: FormulaId,
        holds: bool,
    ) -> Result<ProgramPath, Stopped> {
        self.reach(&state)?;
        self.follow(state, formula, holds)?;
        Ok(self.path)
    }

    /// Goes on from the last state of the path as long as there is a single path that shows it.
    fn follow(
        &mut self,
        mut state: G::State,
        mut formula: FormulaId,
        mut holds: bool,
    ) -> Result<(), Stopped> {
        loop {
            match self.states.closure().formulas[formula] {
                CtlNode::True | CtlNode::Atom(..) => {
                    self.note_value(formula, holds, false);
                    return Ok(());
                }
                CtlNode::Not(operand) => (formula, holds) = (operand, !holds),
                CtlNode::Or(a, b) => formula = self.chosen(&state, [a, b], holds)?,
                CtlNode::Temporal(id) => {
                    self.note_value(
                        formula,
                        holds,
                        self.states.closure().temporals[id].is_all == holds,
                    );
                    match self.along(&mut state, id, holds)? {
                        Some(next) => (formula, holds) = next,
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    /// Goes on from the last state as a temporal formula demands; what has to be shown at the end of it.
    fn along(
        &mut self,
        state: &mut G::State,
        id: TemporalId,
        holds: bool,
    ) -> Result<Option<(FormulaId, bool)>, Stopped> {
        let temporal = self.states.closure().temporals[id];
        if temporal.is_all == holds {
            return Ok(None);
        }
        match temporal.operator {
            Operator::Next(operand) => {
                for next in self.states.successors(state, (operand, holds))? {
                    if self.states.truth(&next, operand)? == holds {
                        self.reach(&next)?;
                        *state = next;
                        return Ok(Some((operand, holds)));
                    }
                }
                Ok(None)
            }
            Operator::Until(_, goal) if holds => {
                Ok(self.search(state, id, goal)?.then_some((goal, true)))
            }
            Operator::Until(left, goal) => self.avoid(state, id, left, goal),
        }
    }

    /// Of the operands of a disjunction, one that shows what it is: a true one, or of two false ones the one that a
    /// path can be shown for.
    fn chosen(
        &mut self,
        state: &G::State,
        [a, b]: [FormulaId; 2],
        holds: bool,
    ) -> Result<FormulaId, Stopped> {
        if holds {
            return Ok(if self.states.truth(state, a)? { a } else { b });
        }
        let (first, second) =
            if self.is_path(b, false) && !self.is_path(a, false) { (b, a) } else { (a, b) };
        self.note_value(second, false, false);
        Ok(first)
    }

    /// Whether a formula's value is shown by one path through the program.
    fn is_path(&self, formula: FormulaId, holds: bool) -> bool {
        match self.states.closure().formulas[formula] {
            CtlNode::Not(operand) => self.is_path(operand, !holds),
            CtlNode::Temporal(id) => self.states.closure().temporals[id].is_all != holds,
            CtlNode::True | CtlNode::Atom(..) | CtlNode::Or(..) => false,
        }
    }

    /// A path to where the goal of an until holds, through states where the until does.
    fn search(
        &mut self,
        state: &mut G::State,
        id: TemporalId,
        goal: FormulaId,
    ) -> Result<bool, Stopped> {
        let until = self.formula_of(id);
        let mut parents: FxHashMap<G::State, Option<G::State>> =
            FxHashMap::from_iter([(state.clone(), None)]);
        // By location: who is in memory goes first.
        let mut open: FxHashMap<u32, VecDeque<G::State>> = FxHashMap::default();
        open.entry(self.states.part(state)).or_default().push_back(state.clone());
        while let Some(next) = self.next_open(&mut open) {
            if self.states.truth(&next, goal)? {
                self.reach_along(&next, &parents)?;
                *state = next;
                return Ok(true);
            }
            if parents.len() > MOST_STATES {
                break;
            }
            for successor in self.states.successors(&next, (until, true))? {
                if !parents.contains_key(&successor) && self.states.truth(&successor, until)? {
                    parents.insert(successor.clone(), Some(next.clone()));
                    let part = self.states.part(&successor);
                    open.entry(part).or_default().push_back(successor);
                }
            }
        }
        self.path.is_cut = true;
        Ok(false)
    }

    fn next_open(&self, open: &mut FxHashMap<u32, VecDeque<G::State>>) -> Option<G::State> {
        let here = self.states.current().filter(|part| open.contains_key(part));
        let place = here.or_else(|| open.keys().min().copied())?;
        let states = open.get_mut(&place)?;
        let next = states.pop_front();
        if states.is_empty() {
            open.remove(&place);
        }
        next
    }

    fn reach_along(
        &mut self,
        last: &G::State,
        parents: &FxHashMap<G::State, Option<G::State>>,
    ) -> Result<(), Stopped> {
        let mut states = vec![last.clone()];
        while let Some(Some(before)) = states.last().and_then(|state| parents.get(state)) {
            states.push(before.clone());
        }
        for state in states.iter().rev().skip(1) {
            self.reach(state)?;
        }
        Ok(())
    }

    /// A path on which an until is not kept: to where neither side holds, or round for ever. Each step depends on the
    /// head of the state only, so the path goes round where a head comes back and the stack was never lower since.
    fn avoid(
        &mut self,
        state: &mut G::State,
        id: TemporalId,
        left: FormulaId,
        goal: FormulaId,
    ) -> Result<Option<(FormulaId, bool)>, Stopped> {
        let until = self.formula_of(id);
        let first = self.path.states.len();
        let mut seen: FxHashMap<G::Head, usize> = FxHashMap::default();
        let mut heights: Vec<(usize, G::Head)> = Vec::new();
        loop {
            if !self.states.truth(state, left)? {
                self.note_value(goal, false, false);
                return Ok(Some((left, false)));
            }
            let (head, height) = self.states.head(state);
            while let Some((_, above)) = heights.pop_if(|(other, _)| *other > height) {
                seen.remove(&above);
            }
            let at = self.path.states.len() - 1;
            if let Some(&before) = seen.get(&head) {
                // The last state is the one that the path goes back to.
                self.path.states.pop();
                self.note_value(goal, false, false);
                self.path.loop_start = Some(before);
                return Ok(None);
            }
            seen.insert(head.clone(), at);
            heights.push((height, head));
            let mut next = None;
            for successor in self.states.successors(state, (until, false))? {
                if !self.states.truth(&successor, until)? {
                    next = Some(successor);
                    break;
                }
            }
            let length = self.path.states.len() - first;
            let Some(next) = next.filter(|_| length < MOST_STATES) else {
                self.path.is_cut = true;
                return Ok(None);
            };
            self.reach(&next)?;
            *state = next;
        }
    }

    fn formula_of(&self, id: TemporalId) -> FormulaId {
        let formulas = self.states.closure().formulas.iter();
        let found = formulas.into_iter().find(|(_, formula)| **formula == CtlNode::Temporal(id));
        found.map_or(FormulaId(0), |(formula, _)| formula)
    }

    fn note_value(&mut self, formula: FormulaId, holds: bool, on_all_paths: bool) {
        if let Some(last) = self.path.states.last_mut() {
            let note_value = FormulaValue { formula, holds, on_all_paths };
            if !last.formula_values.contains(&note_value) {
                last.formula_values.push(note_value);
            }
        }
    }

    fn reach(&mut self, state: &G::State) -> Result<(), Stopped> {
        let shown = self.states.shown(state)?;
        self.path.states.push(shown);
        Ok(())
    }
}
