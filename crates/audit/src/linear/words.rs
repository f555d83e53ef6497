//! Whether a formula of the µ-calculus and a path formula agree on all words, in the direction that matters.
//!
//! Positions are pairs of a state of the automaton and a state of the tableau; the latter are BDDs.

use super::reading::{WordAutomaton, WordEdge};
use super::tableau::{Condition, Runs, Tableau};
use crate::error::AuditError;
use bdd::{Bdd, Stop};
use logic::ExprId;

/// By state of the automaton.
type Sets = Vec<Bdd>;

/// Whether all words that an automaton accepts satisfy a path formula, or some fairness condition instead of it.
pub(super) fn all_satisfy(
    automaton: &WordAutomaton,
    mut tableau: Tableau,
    wanted: Result<(ExprId, bool), Condition>,
) -> Result<bool, AuditError> {
    let value = match wanted {
        Ok((path, is_positive)) => tableau.value(path, is_positive)?,
        Err(condition) => {
            let condition = tableau.condition(condition)?;
            tableau.meeting(&condition)?
        }
    };
    let mut runs = tableau.runs()?;
    let found = runs.accepted(automaton)?;
    let manager = &mut runs.letters.manager;
    let wrong = manager.minus(&runs.init, &value)?;
    Ok(manager.and(&wrong, &found)?.is_empty())
}

/// Whether an automaton accepts all words that satisfy a path formula and all fairness conditions, and can do so step by
/// step: knowing the letters and which parts of the formula hold at this position and at the next one, a player chooses
/// edges such that infinitely many of them accept.
pub(super) fn accepts_all(
    automaton: &WordAutomaton,
    mut tableau: Tableau,
    (path, is_positive): (ExprId, bool),
    conditions: &[Condition],
) -> Result<bool, AuditError> {
    let mut value = tableau.value(path, is_positive)?;
    for &condition in conditions {
        let condition = tableau.condition(condition)?;
        if condition.avoided.is_some() {
            let meeting = tableau.meeting(&condition)?;
            value = tableau.letters.manager.and(&value, &meeting)?;
        } else {
            tableau.fair.push(condition.again);
        }
    }
    let mut runs = tableau.runs()?;
    if runs.fair.is_empty() {
        runs.fair.push(runs.letters.manager.constant(true));
    }
    // Every word has a run, and it is among these.
    let fair = runs.fair_states()?;
    let fair_next = runs.there(&fair)?;
    runs.trans = runs.letters.manager.and(&runs.trans, &fair_next)?;
    let won = runs.simulated(automaton)?;
    let manager = &mut runs.letters.manager;
    let start = manager.and(&runs.init, &value)?;
    let start = manager.and(&start, &fair)?;
    Ok(manager.is_subset(&start, &won)?)
}

impl Runs {
    fn constants(&self, count: usize, value: bool) -> Sets {
        vec![self.letters.manager.constant(value); count]
    }

    /// The greatest set of states that has a way to each fairness condition again and again (Emerson and Lei).
    fn fair_states(&mut self) -> Result<Bdd, Stop> {
        let all_words = WordAutomaton::single(self.letters.manager.constant(true));
        self.accepted(&all_words)
    }

    /// From where a run of both, the automaton from its first state, is fair and accepts.
    fn accepted(&mut self, automaton: &WordAutomaton) -> Result<Bdd, Stop> {
        let count = automaton.edges.len();
        let mut all = self.constants(count, true);
        loop {
            let before = all.clone();
            for condition in self.fair.clone() {
                let goal = all.iter().map(|set| self.letters.manager.and(set, &condition));
                let goal = goal.collect::<Result<Sets, Stop>>()?;
                let reach = self.reach(automaton, goal, &all)?;
                all = self.step(automaton, &reach, &all, false)?;
            }
            let goal = self.step(automaton, &all, &all, true)?;
            all = self.reach(automaton, goal, &all)?;
            if all == before {
                return Ok(all.swap_remove(0));
            }
        }
    }

    /// The positions that reach a goal within a set.
    fn reach(
        &mut self,
        automaton: &WordAutomaton,
        mut goal: Sets,
        within: &Sets,
    ) -> Result<Sets, Stop> {
        loop {
            let mut more = self.step(automaton, &goal, within, false)?;
            for (more, goal) in more.iter_mut().zip(&goal) {
                *more = self.letters.manager.or(more, goal)?;
            }
            if more == goal {
                return Ok(goal);
            }
            goal = more;
        }
    }

    /// The positions of some from where an edge, one that accepts if that is asked, leads there.
    fn step(
        &mut self,
        automaton: &WordAutomaton,
        there: &Sets,
        within: &Sets,
        accepts: bool,
    ) -> Result<Sets, Stop> {
        let before: Sets = there
            .iter()
            .map(|set| {
                let next = self.there(set)?;
                self.before(&next)
            })
            .collect::<Result<_, Stop>>()?;
        let mut result = Vec::new();
        for (row, within) in automaton.edges.iter().zip(within) {
            self.look_at(row.len())?;
            let mut some = self.letters.manager.constant(false);
            for edge in row.iter().filter(|edge| edge.is_accepting || !accepts) {
                let manager = &mut self.letters.manager;
                let from = match edge.target {
                    Some(target) => manager.and(&edge.guard, &before[target])?,
                    None => edge.guard.clone(),
                };
                some = manager.or(&some, &from)?;
            }
            result.push(self.letters.manager.and(&some, within)?);
        }
        Ok(result)
    }

    /// From where the player wins from the first state: either infinitely many edges accept, or the run of the tableau is
    /// not fair. Components of the automaton come after those that they lead to. In each of them the nested fixpoint is
    /// that of Piterman, Pnueli and Sa'ar ("Synthesis of reactive(1) designs", 2006):
    /// `νZ. µY. ⋁ νX. an accepting edge to Z, or an edge to Y, or one to X where the condition is not met`.
    fn simulated(&mut self, automaton: &WordAutomaton) -> Result<Bdd, Stop> {
        let of = automaton.components();
        let mut members = vec![Vec::new(); of.iter().max().map_or(0, |&most| most as usize + 1)];
        of.iter().enumerate().for_each(|(state, &number)| members[number as usize].push(state));
        let mut won = self.constants(of.len(), false);
        for states in members {
            let component = self.component(automaton, states, &won)?;
            let found = self.won_in(&component)?;
            component.states.iter().zip(found).for_each(|(&state, found)| won[state] = found);
        }
        Ok(won.swap_remove(0))
    }

    /// A component, once it is known from where the ones behind it are won.
    fn component<'a>(
        &mut self,
        automaton: &'a WordAutomaton,
        states: Vec<usize>,
        won: &Sets,
    ) -> Result<Component<'a>, Stop> {
        let mut component = Component { states, edges: Vec::new(), stays: Vec::new() };
        for &state in &component.states {
            let mut stays = self.letters.manager.constant(true);
            let mut inner = Vec::new();
            for edge in &automaton.edges[state] {
                let place = edge.target.map(|target| component.states.binary_search(&target));
                let leaves = match (edge.target, place) {
                    (Some(target), Some(Err(_))) => {
                        let there = self.there(&won[target])?;
                        self.letters.manager.and(&edge.guard, &there)?
                    }
                    (_, Some(Ok(place))) => {
                        inner.push((edge, place));
                        continue;
                    }
                    _ => edge.guard.clone(),
                };
                stays = self.letters.manager.minus(&stays, &leaves)?;
            }
            component.edges.push(inner);
            component.stays.push(stays);
        }
        Ok(component)
    }

    fn won_in(&mut self, component: &Component) -> Result<Sets, Stop> {
        let count = component.states.len();
        let no = self.letters.manager.constant(false);
        let accepting = || component.edges.iter().flatten().map(|(edge, _)| edge.is_accepting);
        if accepting().all(|accepts| accepts) {
            // No condition matters.
            let mut again = self.constants(count, true);
            loop {
                let there = self.all_there(&again)?;
                let next = self.forced(component, [&there, &there, &there], &no)?;
                if next == again {
                    return Ok(again);
                }
                again = next;
            }
        }
        let never_accepts = !accepting().any(|accepts| accepts);
        let mut again = self.constants(count, true);
        loop {
            let again_next = self.all_there(&again)?;
            let mut closer = self.constants(count, false);
            loop {
                let mut union = closer.clone();
                let closer_next = self.all_there(&closer)?;
                for condition in self.fair.clone() {
                    let mut stays = again.clone();
                    loop {
                        let stays_next = self.all_there(&stays)?;
                        let sets = [&again_next, &closer_next, &stays_next];
                        let next = self.forced(component, sets, &condition)?;
                        if next == stays {
                            break;
                        }
                        stays = next;
                    }
                    for (union, stays) in union.iter_mut().zip(&stays) {
                        *union = self.letters.manager.or(union, stays)?;
                    }
                }
                if union == closer {
                    break;
                }
                closer = union;
            }
            if closer == again || never_accepts {
                return Ok(closer);
            }
            again = closer;
        }
    }

    fn all_there(&mut self, sets: &Sets) -> Result<Sets, Stop> {
        sets.iter().map(|set| self.there(set)).collect()
    }

    /// From where, whatever the next state of the tableau is, an edge leads to one of the sets, or out of the component
    /// to what is won.
    fn forced(
        &mut self,
        component: &Component,
        [again, closer, stays]: [&Sets; 3],
        condition: &Bdd,
    ) -> Result<Sets, Stop> {
        let mut result = Vec::new();
        for (row, escapes) in component.edges.iter().zip(&component.stays) {
            self.look_at(row.len())?;
            let mut escapes = escapes.clone();
            for &(edge, target) in row {
                let manager = &mut self.letters.manager;
                let stays = manager.minus(&stays[target], condition)?;
                let mut there = manager.or(&closer[target], &stays)?;
                if edge.is_accepting {
                    there = manager.or(&there, &again[target])?;
                }
                let led = manager.and(&edge.guard, &there)?;
                escapes = manager.minus(&escapes, &led)?;
            }
            result.push(self.before(&escapes)?.not());
        }
        Ok(result)
    }
}

/// A strongly connected component of the automaton in the game.
struct Component<'a> {
    /// In order.
    states: Vec<usize>,
    /// By state, the edges that stay in it, with the place of the target.
    edges: Vec<Vec<(&'a WordEdge, usize)>>,
    /// By state, the positions from which no edge leads to what is won behind the component.
    stays: Sets,
}
