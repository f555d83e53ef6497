//! The refinement loop of A §6, which can be stopped after any step.
//!
//! It begins with the trivial abstraction of M and alternates between the forward and the backward labels,
//! ten steps each; a step splits one class of M. Backward labels are sets of states of N; after the forward labels are
//! complete, of its quotient N_F: a state's label carries over to the class that it is merged into,
//! because a quotient only has more paths to an error.

use crate::classes::between_bounds;
use crate::factor::Factor;
use crate::graph::{ERROR, Graph, factors};
use crate::labels::{Labels, close};
use crate::lts::Lts;
use crate::moves::{Direction, Moves};
use crate::question::SafetyQuestion;
use crate::set::StateSet;
use std::borrow::Cow;
use support::{Monitor, StopReason, Stopped};

/// A §7: the tool switches every ten steps.
const STAGE: u32 = 10;

/// The initial abstraction of M.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialAbstraction {
    /// The initial states and all others (A §6).
    Trivial,
    /// M itself: the basic construction (A §3, §4), which takes no steps.
    Discrete,
    /// M itself if M‖P̄ is small, which is the fastest way to the end; otherwise the trivial one.
    Auto,
}

/// M‖P̄ is small if it has no more states than this.
const SMALL: usize = 1 << 16;

/// The equivalences that are computed: both, or one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnalysisPlan {
    Both,
    /// A §3 only.
    Forward,
    /// A §4 only, on N itself.
    Backward,
}

/// An equivalence on the states of N that keeps the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equivalence {
    /// The class of each state, numbered in the order of their first states.
    pub class_of: Vec<u32>,
    pub count: u32,
    /// Whether M‖N satisfies P, where the labels tell.
    pub holds: Option<bool>,
}

impl Equivalence {
    /// Every state of a process is a class: it stands for itself.
    pub fn identity(states: usize) -> Equivalence {
        let count = states as u32;
        Equivalence { class_of: (0..count).collect(), count, holds: None }
    }
}

/// The labels of one direction, and what they speak of.
struct Analysis {
    labels: Labels,
    moves: Moves,
    /// Whether the bounds coincide, or the plan does without this direction.
    is_complete: bool,
}

pub struct Synthesis<'q> {
    question: &'q SafetyQuestion,
    plan: AnalysisPlan,
    graph: Graph<'q>,
    forward: Analysis,
    backward: Analysis,
    /// N_F, once the forward labels are complete and the backward ones speak of it.
    merged: Option<(Vec<u32>, u32)>,
    is_one_class: bool,
    turn: Direction,
    left: u32,
    steps: u32,
    /// The work on labels that are no longer there.
    done: u64,
}

impl<'q> Synthesis<'q> {
    pub fn new(
        question: &'q SafetyQuestion,
        start: InitialAbstraction,
        plan: AnalysisPlan,
        monitor: &Monitor,
    ) -> Result<Synthesis<'q>, Stopped> {
        let graph = begin(question, start, monitor)?;
        let process = &question.parts[question.process];
        let analysis = |direction, moves, from, is_complete| {
            let labels = Labels::new(direction, &graph, &from);
            Analysis { labels, moves, is_complete }
        };
        let (moves, from) = forward_start(process, plan);
        let forward = analysis(Direction::Forward, moves, from, false);
        let moves = Moves::new(process);
        let all = StateSet::full(moves.universe());
        let backward = analysis(Direction::Backward, moves, all, plan == AnalysisPlan::Forward);
        Ok(Synthesis {
            question,
            plan,
            graph,
            forward,
            backward,
            merged: None,
            is_one_class: false,
            turn: Direction::Forward,
            left: STAGE,
            steps: 0,
            done: 0,
        })
    }

    /// How many refinement steps there were.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// How many classes M has, summed over its processes.
    pub fn environment_classes(&self) -> usize {
        self.graph.classes()
    }

    /// Whether further steps would change nothing.
    pub fn is_complete(&self) -> bool {
        self.is_one_class || (self.forward.is_complete && self.backward.is_complete)
    }

    /// One refinement step, if there is one to make. Stopped in the midst of it, everything known stays
    /// true and the step can be taken up again.
    pub fn step(&mut self, monitor: &Monitor) -> Result<bool, Stopped> {
        while !self.is_complete() {
            let (this, other, direction) = match self.turn {
                Direction::Forward => (&self.forward, &self.backward, Direction::Backward),
                Direction::Backward => (&self.backward, &self.forward, Direction::Forward),
            };
            if self.left == 0 || this.is_complete {
                self.left = STAGE;
                self.turn = if other.is_complete { self.turn } else { direction };
            }
            if self.refine(monitor)? {
                return Ok(true);
            }
            self.finish_turn();
        }
        Ok(false)
    }

    fn refine(&mut self, monitor: &Monitor) -> Result<bool, Stopped> {
        self.graph.keep_up(monitor)?;
        let Analysis { labels, moves, .. } = match self.turn {
            Direction::Forward => &mut self.forward,
            Direction::Backward => &mut self.backward,
        };
        labels.saturate(&mut self.graph, moves, monitor)?;
        let Some((source, edge)) = labels.choose(&mut self.graph, moves) else { return Ok(false) };
        let Some(twins) = self.graph.refine(source, edge, self.turn) else {
            unreachable!("an edge that is no must edge leaves some state out")
        };
        let gone = self.graph.sweep();
        for Analysis { labels, .. } in [&mut self.forward, &mut self.backward] {
            labels.inherit(&twins, self.graph.states());
            labels.forget(&gone);
        }
        self.steps += 1;
        self.left -= 1;
        Ok(true)
    }

    /// The bounds of this direction coincide.
    fn finish_turn(&mut self) {
        if self.turn == Direction::Forward {
            self.forward.is_complete = true;
            if self.plan == AnalysisPlan::Both {
                self.merge_forward();
            }
            return;
        }
        self.backward.is_complete = true;
        let universe = self.backward.moves.universe();
        let reachable = self.graph.reachable();
        let mut labels = reachable.ones().map(|state| &self.backward.labels.sets[state]);
        self.is_one_class = labels.all(|set| set.is_empty() || set.len() == universe);
    }

    /// From here on the backward labels speak of N_F.
    fn merge_forward(&mut self) {
        let states = self.question.states() as u32;
        let sets = &self.forward.labels.sets;
        let (class_of, count) = between_bounds(states, sets.iter().map(|set| (set, set)));
        self.is_one_class = count <= 1;
        if count < states {
            let sets = carried(&self.backward.labels.sets, &class_of, count);
            self.done += self.backward.labels.work;
            self.backward = Analysis {
                labels: Labels::resumed(Direction::Backward, &mut self.graph, sets),
                moves: quotient_moves(self.question, &class_of, count),
                is_complete: false,
            };
        }
        self.merged = Some((class_of, count));
    }

    /// The number of label elements propagated.
    pub(crate) fn work(&self) -> u64 {
        self.done + self.forward.labels.work + self.backward.labels.work
    }

    /// The equivalence that is known now (A §5); sound after any step.
    pub fn equivalence(&self) -> Equivalence {
        let mut unlimited = u64::MAX;
        let found = self.equivalences_within(&mut unlimited, false).pop();
        found.unwrap_or_else(|| Equivalence::identity(self.question.states()))
    }

    /// The equivalence that is known now, and before it, if that is asked for and the labels tell the verdict, one that
    /// keeps this verdict and may keep no other. None if the upper bounds take more work than there is left.
    pub(crate) fn equivalences_within(
        &self,
        work: &mut u64,
        uses_verdict: bool,
    ) -> Vec<Equivalence> {
        let Some(upper) = self.forward_upper(work) else { return Vec::new() };
        let holds = self.verdict(&upper);
        let decided = holds.filter(|_| uses_verdict).map(|holds| self.decided(holds, &upper));
        decided.into_iter().chain(self.equivalence_with(&upper, holds, work)).collect()
    }

    fn forward_upper(&self, work: &mut u64) -> Option<Cow<'_, [StateSet]>> {
        let Analysis { labels, moves, is_complete } = &self.forward;
        Some(match is_complete {
            true => Cow::Borrowed(&labels.sets),
            false => {
                let lower = labels.sets.clone();
                close(Direction::Forward, lower, &self.graph, moves, work, |_| true)?.into()
            }
        })
    }

    /// Where P fails, every quotient of N keeps that, as it has the runs of N and more. Where P holds, the upper bounds
    /// of the forward labels are closed under the steps of M‖N and allow no error; nor does the quotient that merges
    /// the states that are in the same ones, as it stays within them.
    fn decided(&self, holds: bool, upper: &[StateSet]) -> Equivalence {
        let states = self.question.states() as u32;
        let (class_of, count) = match holds {
            false => (vec![0; states as usize], states.min(1)),
            true => between_bounds(states, upper.iter().map(|set| (set, set))),
        };
        Equivalence { class_of, count, holds: Some(holds) }
    }

    fn equivalence_with(
        &self,
        upper: &[StateSet],
        holds: Option<bool>,
        work: &mut u64,
    ) -> Option<Equivalence> {
        let states = self.question.states() as u32;
        let (merged, count) = match (self.plan, &self.merged) {
            (AnalysisPlan::Backward, _) => ((0..states).collect(), states),
            (_, Some(merged)) => merged.clone(),
            (_, None) => between_bounds(states, self.forward.labels.sets.iter().zip(upper)),
        };
        let backward = match self.plan {
            AnalysisPlan::Forward => None,
            _ => self.backward_classes(&merged, count, upper, work),
        };
        let Some((backward, count)) = backward else {
            return Some(Equivalence { class_of: merged, count, holds });
        };
        let class_of = merged.iter().map(|&class| backward[class as usize]).collect();
        Some(Equivalence { class_of, count, holds })
    }

    /// ≃_B on the quotient N_F, over the states of 𝓜‖P̄ that it may reach.
    fn backward_classes(
        &self,
        merged: &[u32],
        count: u32,
        upper: &[StateSet],
        work: &mut u64,
    ) -> Option<(Vec<u32>, u32)> {
        let (graph, anything) = (&self.graph, self.forward.moves.anything());
        let is_merged = self.merged.is_some();
        let other_moves;
        let (moves, lower) = if is_merged {
            (&self.backward.moves, Cow::Borrowed(&self.backward.labels.sets[..]))
        } else {
            other_moves = quotient_moves(self.question, merged, count);
            let carried = carried(&self.backward.labels.sets, merged, count);
            let is_must = |edge: &crate::graph::Edge| edge.is_must(Direction::Backward);
            (
                &other_moves,
                close(Direction::Backward, carried, graph, &other_moves, work, is_must)?.into(),
            )
        };
        let upper_backward = match is_merged && self.backward.is_complete {
            true => lower.clone(),
            false => {
                close(Direction::Backward, lower.to_vec(), graph, moves, work, |_| true)?.into()
            }
        };
        let states = (0..graph.states()).filter(|&state| state != ERROR as usize);
        let reached = states.filter(|&state| upper[state].contains(anything));
        let bounds = reached.map(|state| (&lower[state], &upper_backward[state]));
        Some(between_bounds(count, bounds))
    }

    /// Whether P holds: a state of N in a lower label is there for all concrete states, so one that can
    /// step to π is an error; where none in an upper label can, there is none.
    fn verdict(&self, upper: &[StateSet]) -> Option<bool> {
        if self.plan == AnalysisPlan::Backward {
            return None;
        }
        let errs = |labels: &[StateSet]| {
            (0..self.graph.states()).any(|state| {
                let mut edges = self.graph.edges[state].iter().filter(|edge| edge.target == ERROR);
                edges.any(|edge| self.forward.moves.can(edge.own, &labels[state]))
            })
        };
        match (errs(&self.forward.labels.sets), errs(upper)) {
            (true, _) => Some(false),
            (_, false) => Some(true),
            _ => None,
        }
    }
}

fn begin<'q>(
    question: &'q SafetyQuestion,
    start: InitialAbstraction,
    monitor: &Monitor,
) -> Result<Graph<'q>, Stopped> {
    let trivial = || Graph::new(question, factors(question, Factor::trivial), usize::MAX, monitor);
    let discrete = |most| Graph::new(question, factors(question, Factor::discrete), most, monitor);
    match start {
        InitialAbstraction::Trivial => trivial(),
        InitialAbstraction::Discrete => discrete(usize::MAX),
        InitialAbstraction::Auto => match discrete(SMALL) {
            Err(Stopped(StopReason::States)) => trivial(),
            found => found,
        },
    }
}

/// The moves that forward labels speak of, and the states that they begin with. The backward equivalence needs to know
/// only where M‖P̄ gets on its own.
fn forward_start(process: &Lts, plan: AnalysisPlan) -> (Moves, StateSet) {
    let moves = match plan {
        AnalysisPlan::Both => Moves::with_anything(process),
        AnalysisPlan::Forward => Moves::new(process),
        AnalysisPlan::Backward => {
            Moves::with_anything(&Lts::from_triples(0, process.actions, Vec::new(), Vec::new()))
        }
    };
    let mut start = StateSet::new(moves.universe());
    if plan != AnalysisPlan::Backward {
        process.init.iter().for_each(|&state| _ = start.insert(state));
    }
    if plan != AnalysisPlan::Forward {
        start.insert(moves.anything());
    }
    (moves, start)
}

/// The moves of the quotient of N (A §2).
fn quotient_moves(question: &SafetyQuestion, class_of: &[u32], count: u32) -> Moves {
    let process = &question.parts[question.process];
    let class = |state: u32| class_of[state as usize];
    let of = |state: u32| {
        let row = process.out.of(state).iter();
        row.map(move |&(action, target)| (class(state), action, class(target)))
    };
    let triples = (0..process.states() as u32).flat_map(of).collect();
    Moves::new(&Lts::from_triples(count as usize, process.actions, Vec::new(), triples))
}

/// Backward labels of N as labels of its quotient.
fn carried(sets: &[StateSet], class_of: &[u32], count: u32) -> Vec<StateSet> {
    let carry = |set: &StateSet| {
        let mut carried = StateSet::new(count);
        set.for_each(|state| _ = carried.insert(class_of[state as usize]));
        carried
    };
    sets.iter().map(carry).collect()
}
