//! Bisimulation between complete models, by partition refinement.
//!
//! The two models are laid side by side. The round in which two states part is the number of moves that distinguishes
//! them.

use crate::compare::{
    CompareError, ComparedBy, ComparedModel, ComparisonReport, Failure, JointAction, JointActions,
    Mismatch, Refutation, joint_props, wrong_label,
};
use crate::move_graph::MoveGraph;
use crate::partial::PartialModel;
use crate::partition::Partition;
use logic::PropId;
use support::{Monitor, Reservation};

/// The largest bisimulation between two complete models.
pub struct Bisimulation<'a> {
    left: &'a PartialModel,
    right: &'a PartialModel,
    props: Vec<(PropId, PropId)>,
    actions: JointActions,
    graph: MoveGraph,
    partition: Partition,
    _room: Reservation,
}

/// The caller sees to it that both models are complete ([`PartialModel::is_complete`]).
pub fn bisimulation<'a>(
    left: &'a PartialModel,
    right: &'a PartialModel,
    monitor: &Monitor,
) -> Result<Bisimulation<'a>, CompareError> {
    let props = joint_props(left, right)?;
    if let Some(prop) = left.props().names().find(|name| right.props().get(name).is_none()) {
        return Err(CompareError::MissingProp {
            prop: prop.to_owned(),
            lacking: ComparedModel::Abstract,
        });
    }
    monitor.phase("comparing", 0);
    let room = monitor.reserve(16 * (left.edges().len() + right.edges().len()) as u64)?;
    let mut actions = JointActions::new();
    let graph = MoveGraph::new(&[left, right], &mut actions);
    let partition = Partition::new(graph.states());
    let mut bisimulation =
        Bisimulation { left, right, props, actions, graph, partition, _room: room };
    let labels = (0..bisimulation.graph.states() as u32).map(|state| bisimulation.labels(state));
    let labels = labels.collect();
    bisimulation.partition.refine(&bisimulation.graph, labels, monitor)?;
    Ok(bisimulation)
}

impl Bisimulation<'_> {
    /// Whether a state of the left model and one of the right model are bisimilar.
    pub fn contains(&self, left: u32, right: u32) -> bool {
        self.partition.block_of[left as usize]
            == self.partition.block_of[self.shifted(right) as usize]
    }

    pub fn comparison(&self) -> ComparisonReport {
        ComparisonReport {
            method: ComparedBy::Bisimulation,
            initial: self.initial_pairs(),
            failure: self.failure().or_else(|| self.failure_on_the_right()),
        }
    }

    fn failure_on_the_right(&self) -> Option<Failure> {
        let left = self.left.init();
        let alone = |t: u32| !left.iter().any(|&s| self.contains(s, t));
        let state = self.right.init().iter().copied().find(|&t| alone(t))?;
        let nearest = left.iter().copied().max_by_key(|&s| self.rank(s, state));
        let path = nearest.map_or(Vec::new(), |s| self.path(s, state));
        Some(Failure { side: ComparedModel::Abstract, state, path })
    }

    fn shifted(&self, right: u32) -> u32 {
        right + self.left.states() as u32
    }

    /// The propositions of the right model that hold, by number.
    fn labels(&self, state: u32) -> Vec<u32> {
        let shift = self.left.states() as u32;
        let holds = |&&(left, right): &&(PropId, PropId)| match state.checked_sub(shift) {
            Some(state) => self.right.true_in(right).contains(state as usize),
            None => self.left.true_in(left).contains(state as usize),
        };
        self.props.iter().filter(holds).map(|&(_, right)| right.0).collect()
    }

    /// A move of `mover` such that it is parted from `other` before `round` whatever that answers,
    /// with the best answer.
    fn distinguishing_move(&self, mover: u32, other: u32, round: u32) -> Option<Move> {
        self.graph.moves(mover).iter().find_map(|&(action, target)| {
            let answers = self.graph.moves(other).iter().filter(|&&(a, _)| a == action);
            let rank = |answer: u32| self.partition.parted(target, answer).unwrap_or(u32::MAX);
            let best = answers.map(|&(_, answer)| answer).max_by_key(|&answer| rank(answer));
            let answer = best;
            best.is_none_or(|best| rank(best) < round).then_some(Move { action, target, answer })
        })
    }
}

struct Move {
    action: JointAction,
    target: u32,
    answer: Option<u32>,
}

impl Refutation for Bisimulation<'_> {
    fn models(&self) -> (&PartialModel, &PartialModel) {
        (self.left, self.right)
    }

    fn rank(&self, left: u32, right: u32) -> Option<u32> {
        self.partition.parted(left, self.shifted(right))
    }

    fn refute(&self, s: u32, t: u32) -> (Mismatch, Option<(u32, u32)>) {
        if let Some(why) = wrong_label(&self.props, (self.left, s), (self.right, t)) {
            return (why, None);
        }
        let (other, shift) = (self.shifted(t), self.shifted(0));
        let round = self.rank(s, t).expect("only an unrelated pair is refuted");
        if let Some(Move { action, target, answer }) = self.distinguishing_move(s, other, round) {
            let why = Mismatch::May { action: self.actions.shown(action), target };
            return (why, answer.map(|answer| (target, answer - shift)));
        }
        let Move { action, target, answer } = self
            .distinguishing_move(other, s, round)
            .expect("one of two parted states can show it");
        let why =
            Mismatch::Must { action: self.actions.shown(action), targets: vec![target - shift] };
        (why, answer.map(|answer| (answer, target - shift)))
    }
}
