//! The greatest mixed simulation between two partial models: C Def. 2.2 with actions, X Def. 3, and
//! its generalisation to must hyper-transitions (to which X refers): a must transition of the abstract
//! state to U is matched by one of the concrete state to V if every v in V is related to some u in U.
//!
//! Pairs are removed in rounds, beginning with those whose labels disagree. A removed pair is looked
//! at once, and only the pairs that may have relied on it are checked again. The round in which a pair
//! is removed is the number of moves that refute it, so explanations are shortest.

use crate::compare::{
    CompareError, Comparison, JointAction, JointActions, Method, Refutation, Why, joint_props,
    wrong_label,
};
use crate::partial::Model;
use base::Monitor;
use logic::PropId;
use std::collections::VecDeque;

/// Still in the relation.
const RELATED: u32 = u32::MAX;

/// One must transition, to a state or to a set of states.
struct Must {
    source: u32,
    action: JointAction,
    targets: Vec<u32>,
}

/// The transitions of one model in all the ways in which they are looked up.
struct Moves {
    may_from: Vec<Vec<(JointAction, u32)>>,
    may_into: Vec<Vec<(JointAction, u32)>>,
    musts: Vec<Must>,
    must_from: Vec<Vec<u32>>,
    must_into: Vec<Vec<u32>>,
}

impl Moves {
    fn new(model: &Model, actions: &mut JointActions) -> Self {
        let mut moves = Moves {
            may_from: vec![Vec::new(); model.states()],
            may_into: vec![Vec::new(); model.states()],
            musts: Vec::new(),
            must_from: vec![Vec::new(); model.states()],
            must_into: vec![Vec::new(); model.states()],
        };
        let joint = actions.of(model);
        for source in 0..model.states() as u32 {
            for (target, class) in model.edges().out(source) {
                let action = joint(class);
                if class.mode.may {
                    moves.may_from[source as usize].push((action, target));
                    moves.may_into[target as usize].push((action, source));
                }
                if class.mode.must {
                    moves.add_must(Must { source, action, targets: vec![target] });
                }
            }
            for hyper in model.hyper_from(source) {
                let targets = hyper.targets.clone();
                moves.add_must(Must { source, action: JointActions::NONE, targets });
            }
        }
        moves
    }

    fn add_must(&mut self, must: Must) {
        let id = self.musts.len() as u32;
        self.must_from[must.source as usize].push(id);
        for &target in &must.targets {
            self.must_into[target as usize].push(id);
        }
        self.musts.push(must);
    }

    fn musts_from(&self, state: u32) -> impl Iterator<Item = &Must> {
        self.must_from[state as usize].iter().map(|&id| &self.musts[id as usize])
    }

    fn musts_into(&self, state: u32) -> impl Iterator<Item = &Must> {
        self.must_into[state as usize].iter().map(|&id| &self.musts[id as usize])
    }
}

/// The greatest mixed simulation from a concrete to an abstract model.
pub struct MixedSimulation<'a> {
    concrete: &'a Model,
    abstracted: &'a Model,
    props: Vec<(PropId, PropId)>,
    actions: JointActions,
    concrete_moves: Moves,
    abstract_moves: Moves,
    /// By pair: the round in which it was removed.
    ranks: Vec<u32>,
}

/// The pairs of states `(concrete, abstract)` such that the second stands for the first.
pub fn mixed_simulation<'a>(
    concrete: &'a Model,
    abstracted: &'a Model,
    monitor: &Monitor,
) -> Result<MixedSimulation<'a>, CompareError> {
    let pairs = concrete.states() as u64 * abstracted.states() as u64;
    monitor.phase("comparing", pairs);
    monitor.reserve(4 * pairs)?;
    let mut actions = JointActions::new();
    let mut simulation = MixedSimulation {
        props: joint_props(concrete, abstracted)?,
        concrete_moves: Moves::new(concrete, &mut actions),
        abstract_moves: Moves::new(abstracted, &mut actions),
        ranks: vec![RELATED; pairs as usize],
        concrete,
        abstracted,
        actions,
    };
    let mut removed = simulation.remove_plainly_unrelated(monitor)?;
    let mut work = 0;
    while let Some((s, t)) = removed.pop_front() {
        simulation.recheck(s, t, &mut removed);
        work += 1;
        if work % 4096 == 0 {
            monitor.check()?;
        }
    }
    Ok(simulation)
}

impl MixedSimulation<'_> {
    pub fn contains(&self, concrete: u32, abstracted: u32) -> bool {
        self.rank_of(concrete, abstracted) == RELATED
    }

    pub fn comparison(&self) -> Comparison {
        Comparison {
            method: Method::MixedSimulation,
            initial: self.initial_pairs(),
            failure: self.failure(),
        }
    }

    fn index(&self, s: u32, t: u32) -> usize {
        s as usize * self.abstracted.states() + t as usize
    }

    fn rank_of(&self, s: u32, t: u32) -> u32 {
        self.ranks[self.index(s, t)]
    }

    /// Rounds 0 and 1: labels, and moves to which no answer leads to a pair with the right labels.
    fn remove_plainly_unrelated(
        &mut self,
        monitor: &Monitor,
    ) -> Result<VecDeque<(u32, u32)>, CompareError> {
        let states = 0..self.concrete.states() as u32;
        let pairs = states.flat_map(|s| (0..self.abstracted.states() as u32).map(move |t| (s, t)));
        for (s, t) in pairs.clone() {
            if wrong_label(&self.props, (self.concrete, s), (self.abstracted, t)).is_some() {
                let index = self.index(s, t);
                self.ranks[index] = 0;
            }
        }
        let mut removed = VecDeque::new();
        for (s, t) in pairs {
            if t == 0 {
                monitor.step(self.abstracted.states() as u64)?;
            }
            if self.contains(s, t) && self.unanswered(s, t, 0).is_some() {
                self.remove(s, t, 1, &mut removed);
            }
        }
        Ok(removed)
    }

    fn remove(&mut self, s: u32, t: u32, round: u32, removed: &mut VecDeque<(u32, u32)>) {
        let index = self.index(s, t);
        if self.ranks[index] == RELATED {
            self.ranks[index] = round;
            removed.push_back((s, t));
        }
    }

    /// Checks the pairs that may have relied on a pair that is gone.
    fn recheck(&mut self, s: u32, t: u32, removed: &mut VecDeque<(u32, u32)>) {
        let round = self.rank_of(s, t);
        let mut gone = Vec::new();
        for &(action, from) in &self.abstract_moves.may_into[t as usize] {
            if !outlasts(self.answer_to_may(action, s, from), round) {
                let movers = self.concrete_moves.may_into[s as usize].iter();
                gone.extend(movers.filter(|&&(a, _)| a == action).map(|&(_, mover)| (mover, from)));
            }
        }
        for must in self.abstract_moves.musts_into(t) {
            for own in self.concrete_moves.musts_into(s).filter(|own| own.action == must.action) {
                if self.contains(own.source, must.source)
                    && !outlasts(self.answer_to_must(own.source, must), round)
                {
                    gone.push((own.source, must.source));
                }
            }
        }
        for (s, t) in gone {
            self.remove(s, t, round + 1, removed);
        }
    }

    /// The answer of the abstract state `t` to a may move to `target` that lasts longest, with the round in which
    /// that pair is removed (C Def. 2.2, 2).
    fn answer_to_may(&self, action: JointAction, target: u32, t: u32) -> Option<Answer> {
        let moves = self.abstract_moves.may_from[t as usize].iter();
        best(moves.filter(|&&(a, _)| a == action).map(|&(_, answer)| (target, answer)), self)
    }

    /// The same for a must move of the abstract state, answered by the concrete state `s`
    /// (C Def. 2.2, 3, where both sets have one member).
    fn answer_to_must(&self, s: u32, must: &Must) -> Option<Answer> {
        let mut longest = None;
        for own in self.concrete_moves.musts_from(s).filter(|own| own.action == must.action) {
            let weakest = own
                .targets
                .iter()
                .filter_map(|&v| best(must.targets.iter().map(|&u| (v, u)), self))
                .min_by_key(|answer| answer.rank);
            longest = later(longest, weakest);
            if longest.is_some_and(|answer| answer.rank == RELATED) {
                break;
            }
        }
        longest
    }

    /// A move to which every answer is gone by `round`.
    fn unanswered(&self, s: u32, t: u32, round: u32) -> Option<(Why, Option<Answer>)> {
        let may = self.concrete_moves.may_from[s as usize].iter().find_map(|&(action, target)| {
            let answer = self.answer_to_may(action, target, t);
            let why = || Why::May { action: self.actions.shown(action), target };
            (!outlasts(answer, round)).then(|| (why(), answer))
        });
        may.or_else(|| {
            self.abstract_moves.musts_from(t).find_map(|must| {
                let answer = self.answer_to_must(s, must);
                let (action, targets) = (must.action, &must.targets);
                let why =
                    || Why::Must { action: self.actions.shown(action), targets: targets.clone() };
                (!outlasts(answer, round)).then(|| (why(), answer))
            })
        })
    }
}

#[derive(Clone, Copy)]
struct Answer {
    pair: (u32, u32),
    rank: u32,
}

fn outlasts(answer: Option<Answer>, round: u32) -> bool {
    answer.is_some_and(|answer| answer.rank > round)
}

fn later(a: Option<Answer>, b: Option<Answer>) -> Option<Answer> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.rank > a.rank { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// The pair that is removed last; one that is related is good enough to stop.
fn best(pairs: impl Iterator<Item = (u32, u32)>, simulation: &MixedSimulation) -> Option<Answer> {
    let mut longest = None;
    for pair in pairs {
        let rank = simulation.rank_of(pair.0, pair.1);
        longest = later(longest, Some(Answer { pair, rank }));
        if rank == RELATED {
            break;
        }
    }
    longest
}

impl Refutation for MixedSimulation<'_> {
    fn models(&self) -> (&Model, &Model) {
        (self.concrete, self.abstracted)
    }

    fn rank(&self, concrete: u32, abstracted: u32) -> Option<u32> {
        Some(self.rank_of(concrete, abstracted)).filter(|&rank| rank != RELATED)
    }

    fn refute(&self, s: u32, t: u32) -> (Why, Option<(u32, u32)>) {
        if let Some(why) = wrong_label(&self.props, (self.concrete, s), (self.abstracted, t)) {
            return (why, None);
        }
        let round = self.rank_of(s, t) - 1;
        let (why, answer) = self.unanswered(s, t, round).expect("the pair was removed for a move");
        (why, answer.map(|answer| answer.pair))
    }
}
