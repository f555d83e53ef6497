//! The greatest mixed simulation between two partial models: C Def. 2.2 with actions, X Def. 3, and
//! its generalisation to must hyper-transitions (to which X refers): a must transition of the abstract
//! state to U is matched by one of the concrete state to V if every v in V is related to some u in U.
//!
//! Pairs are removed in rounds, beginning with those whose labels disagree. After that only pairs
//! that may have relied on one that has just gone are looked at again. The round in which a pair goes
//! is the number of moves that refute it, so explanations are shortest.

use crate::compare::{
    CompareError, ComparedBy, ComparisonReport, JointAction, JointActions, Mismatch, Refutation,
    joint_props, wrong_label, wrong_prop,
};
use crate::partial::PartialModel;
use fixedbitset::FixedBitSet;
use logic::PropId;
use support::{Monitor, Reservation, Stopped};

/// Still in the relation.
const RELATED: u32 = u32::MAX;

/// One must transition, to a state or to a set of states.
struct Must {
    source: u32,
    action: JointAction,
    targets: Vec<u32>,
}

/// The transitions of one model, indexed by source and by target.
struct Moves {
    may_from: Vec<Vec<(JointAction, u32)>>,
    may_into: Vec<Vec<(JointAction, u32)>>,
    musts: Vec<Must>,
    must_from: Vec<Vec<u32>>,
    must_into: Vec<Vec<u32>>,
}

impl Moves {
    fn new(model: &PartialModel, actions: &mut JointActions) -> Self {
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
    concrete: &'a PartialModel,
    abstracted: &'a PartialModel,
    props: Vec<(PropId, PropId)>,
    actions: JointActions,
    concrete_moves: Moves,
    abstract_moves: Moves,
    /// By pair: whether it was there when the present round began.
    related: FixedBitSet,
    /// The pairs not yet known to leave; unlike `related`, updated at once.
    standing: FixedBitSet,
    /// By pair: the round in which it was removed. Read only to explain.
    ranks: Vec<u32>,
    _room: Reservation,
}

/// The pairs of states `(concrete, abstract)` such that the second stands for the first.
pub fn mixed_simulation<'a>(
    concrete: &'a PartialModel,
    abstracted: &'a PartialModel,
    monitor: &Monitor,
) -> Result<MixedSimulation<'a>, CompareError> {
    let pairs = concrete.states() as u64 * abstracted.states() as u64;
    monitor.phase("comparing", pairs);
    let room = monitor.reserve(4 * pairs + pairs / 4)?;
    let mut actions = JointActions::new();
    let mut simulation = MixedSimulation {
        props: joint_props(concrete, abstracted)?,
        concrete_moves: Moves::new(concrete, &mut actions),
        abstract_moves: Moves::new(abstracted, &mut actions),
        related: full_set(pairs as usize),
        standing: full_set(pairs as usize),
        ranks: vec![RELATED; pairs as usize],
        _room: room,
        concrete,
        abstracted,
        actions,
    };
    simulation.remove_wrong_labels();
    let mut gone = simulation.without_an_answer(monitor)?;
    let mut round = 1;
    while !gone.is_empty() {
        simulation.remove(&gone, round);
        gone = simulation.losing_last_answer(&gone, monitor)?;
        round += 1;
    }
    Ok(simulation)
}

fn full_set(len: usize) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(len);
    set.insert_range(..);
    set
}

impl MixedSimulation<'_> {
    pub fn contains(&self, concrete: u32, abstracted: u32) -> bool {
        self.related.contains(self.index(concrete, abstracted))
    }

    pub fn comparison(&self) -> ComparisonReport {
        ComparisonReport {
            method: ComparedBy::MixedSimulation,
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

    /// Whether a pair is there, as a rank.
    fn presence(&self, (s, t): (u32, u32)) -> u32 {
        if self.contains(s, t) { RELATED } else { 0 }
    }

    fn remove(&mut self, gone: &[(u32, u32)], round: u32) {
        for &(s, t) in gone {
            let index = self.index(s, t);
            self.related.remove(index);
            self.standing.remove(index);
            self.ranks[index] = round;
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (concrete, abstracted) = (self.concrete.states(), self.abstracted.states());
        (0..concrete as u32).flat_map(move |s| (0..abstracted as u32).map(move |t| (s, t)))
    }

    fn remove_wrong_labels(&mut self) {
        for (index, (s, t)) in self.pairs().enumerate() {
            if wrong_prop(&self.props, (self.concrete, s), (self.abstracted, t)).is_some() {
                self.related.remove(index);
                self.standing.remove(index);
                self.ranks[index] = 0;
            }
        }
    }

    /// The pairs with a move to which no answer leads to a pair that is there.
    fn without_an_answer(&self, monitor: &Monitor) -> Result<Vec<(u32, u32)>, Stopped> {
        let mut found = Vec::new();
        for (s, t) in self.pairs() {
            if t == 0 {
                monitor.step(self.abstracted.states() as u64)?;
            }
            let answered = |pair| self.presence(pair);
            if self.contains(s, t) && self.unanswered(s, t, 0, &answered).is_some() {
                found.push((s, t));
            }
        }
        Ok(found)
    }

    /// The pairs that have lost their last answer to some move with those that are gone.
    fn losing_last_answer(
        &mut self,
        gone: &[(u32, u32)],
        monitor: &Monitor,
    ) -> Result<Vec<(u32, u32)>, Stopped> {
        let (mut found, mut known) = (Vec::new(), 0);
        for chunk in gone.chunks(4096) {
            monitor.check()?;
            for &(s, t) in chunk {
                self.losing_may_answer(s, t, &mut found);
                self.losing_must_answer(s, t, &mut found);
                for &(s, t) in &found[known..] {
                    let index = self.index(s, t);
                    self.standing.remove(index);
                }
                known = found.len();
            }
        }
        Ok(found)
    }

    fn stands(&self, (s, t): (u32, u32)) -> bool {
        self.standing.contains(self.index(s, t))
    }

    fn losing_may_answer(&self, s: u32, t: u32, found: &mut Vec<(u32, u32)>) {
        for &(action, from) in &self.abstract_moves.may_into[t as usize] {
            let movers = self.concrete_moves.may_into[s as usize].iter();
            let pairs = movers.filter(|&&(a, _)| a == action).map(|&(_, mover)| (mover, from));
            let mut pairs = pairs.filter(|&pair| self.stands(pair)).peekable();
            let rank = |pair| self.presence(pair);
            if pairs.peek().is_some() && !outlasts(self.answer_to_may(action, s, from, &rank), 0) {
                found.extend(pairs);
            }
        }
    }

    fn losing_must_answer(&self, s: u32, t: u32, found: &mut Vec<(u32, u32)>) {
        for must in self.abstract_moves.musts_into(t) {
            for own in self.concrete_moves.musts_into(s).filter(|own| own.action == must.action) {
                let pair = (own.source, must.source);
                let rank = |pair| self.presence(pair);
                if self.stands(pair) && !outlasts(self.answer_to_must(own.source, must, &rank), 0) {
                    found.push(pair);
                }
            }
        }
    }

    /// The answer of the abstract state `t` to a may move to `target` that lasts longest by the ranks
    /// given (C Def. 2.2, 2).
    fn answer_to_may(
        &self,
        action: JointAction,
        target: u32,
        t: u32,
        rank: &impl Fn((u32, u32)) -> u32,
    ) -> Option<Answer> {
        let moves = self.abstract_moves.may_from[t as usize].iter();
        longest(moves.filter(|&&(a, _)| a == action).map(|&(_, answer)| (target, answer)), rank)
    }

    /// Answers a must move of the abstract state by a move of the concrete state `s`
    /// (C Def. 2.2, 3, where both sets have one member).
    fn answer_to_must(
        &self,
        s: u32,
        must: &Must,
        rank: &impl Fn((u32, u32)) -> u32,
    ) -> Option<Answer> {
        let mut best = None;
        for own in self.concrete_moves.musts_from(s).filter(|own| own.action == must.action) {
            let answers = |&v: &u32| longest(must.targets.iter().map(|&u| (v, u)), rank);
            let weakest = own.targets.iter().filter_map(answers).min_by_key(|answer| answer.rank);
            best = later(best, weakest);
            if best.is_some_and(|answer| answer.rank == RELATED) {
                break;
            }
        }
        best
    }

    /// A move to which every answer is gone by `round`.
    fn unanswered(
        &self,
        s: u32,
        t: u32,
        round: u32,
        rank: &impl Fn((u32, u32)) -> u32,
    ) -> Option<(Move<'_>, Option<Answer>)> {
        let may = self.concrete_moves.may_from[s as usize].iter().find_map(|&(action, target)| {
            let answer = self.answer_to_may(action, target, t, rank);
            (!outlasts(answer, round)).then_some((Move::May(action, target), answer))
        });
        may.or_else(|| {
            self.abstract_moves.musts_from(t).find_map(|must| {
                let answer = self.answer_to_must(s, must, rank);
                (!outlasts(answer, round)).then_some((Move::Must(must), answer))
            })
        })
    }
}

/// Of the concrete state, or of the abstract one.
enum Move<'a> {
    May(JointAction, u32),
    Must(&'a Must),
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
fn longest(
    pairs: impl Iterator<Item = (u32, u32)>,
    rank: &impl Fn((u32, u32)) -> u32,
) -> Option<Answer> {
    let mut best = None;
    for pair in pairs {
        let answer = Answer { pair, rank: rank(pair) };
        best = later(best, Some(answer));
        if answer.rank == RELATED {
            break;
        }
    }
    best
}

impl Refutation for MixedSimulation<'_> {
    fn models(&self) -> (&PartialModel, &PartialModel) {
        (self.concrete, self.abstracted)
    }

    fn rank(&self, concrete: u32, abstracted: u32) -> Option<u32> {
        Some(self.rank_of(concrete, abstracted)).filter(|&rank| rank != RELATED)
    }

    fn refute(&self, s: u32, t: u32) -> (Mismatch, Option<(u32, u32)>) {
        if let Some(why) = wrong_label(&self.props, (self.concrete, s), (self.abstracted, t)) {
            return (why, None);
        }
        let round = self.rank_of(s, t) - 1;
        let rank = |(s, t)| self.rank_of(s, t);
        let (refuting, answer) =
            self.unanswered(s, t, round, &rank).expect("the pair was removed for a move");
        let why = match refuting {
            Move::May(action, target) => {
                Mismatch::May { action: self.actions.shown(action), target }
            }
            Move::Must(must) => Mismatch::Must {
                action: self.actions.shown(must.action),
                targets: must.targets.clone(),
            },
        };
        (why, answer.map(|answer| answer.pair))
    }
}
