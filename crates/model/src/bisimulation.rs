//! Bisimulation between complete models, by partition refinement on signatures.
//!
//! The two models are laid side by side. A state's signature is the set of its moves, each an action
//! with the block that it leads to. In every round the blocks are split by signature, but only states
//! with a successor that has just changed its block are looked at: the others keep their signature.
//! The largest part of a block keeps the block's number, so a state changes its block at most log n
//! times. The round in which two states part is the number of moves that distinguishes them.

use crate::compare::{
    CompareError, ComparedBy, ComparedModel, ComparisonReport, Failure, JointAction, JointActions,
    Mismatch, Refutation, joint_props, wrong_label,
};
use crate::partial::PartialModel;
use logic::PropId;
use rustc_hash::FxHashMap;
use std::ops::Range;
use support::{Monitor, Reservation};

/// Moves as compressed sparse rows, in both directions.
struct Graph {
    offsets: Vec<u32>,
    moves: Vec<(JointAction, u32)>,
    source_offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Graph {
    /// The states of the second model are numbered after those of the first.
    fn new(models: [&PartialModel; 2], actions: &mut JointActions) -> Self {
        let shift = models[0].states() as u32;
        let mut moves = Vec::new();
        let mut offsets = vec![0];
        for (model, base) in models.into_iter().zip([0, shift]) {
            let joint = actions.of(model);
            for state in 0..model.states() as u32 {
                let out = model.edges().out(state);
                moves.extend(out.map(|(target, class)| (joint(class), target + base)));
                offsets.push(moves.len() as u32);
            }
        }
        let (source_offsets, sources) = sources_of(&offsets, &moves);
        Graph { offsets, moves, source_offsets, sources }
    }

    fn states(&self) -> usize {
        self.offsets.len() - 1
    }

    fn moves(&self, state: u32) -> &[(JointAction, u32)] {
        &self.moves[self.offsets[state as usize] as usize..][..self.out_degree(state)]
    }

    fn out_degree(&self, state: u32) -> usize {
        (self.offsets[state as usize + 1] - self.offsets[state as usize]) as usize
    }

    fn sources(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.sources[self.source_offsets[state] as usize..self.source_offsets[state + 1] as usize]
    }
}

fn sources_of(offsets: &[u32], moves: &[(JointAction, u32)]) -> (Vec<u32>, Vec<u32>) {
    let states = offsets.len() - 1;
    let mut starts = vec![0u32; states + 1];
    for &(_, target) in moves {
        starts[target as usize] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut sources = vec![0; moves.len()];
    for source in (0..states).rev() {
        for &(_, target) in &moves[offsets[source] as usize..offsets[source + 1] as usize] {
            starts[target as usize] -= 1;
            sources[starts[target as usize] as usize] = source as u32;
        }
    }
    (starts, sources)
}

/// A block of the partition, or what became of it.
struct Block {
    /// The block that it was split off from, and when.
    parent: u32,
    born: u32,
    /// Where its states stand in `order`.
    range: Range<usize>,
}

/// The largest bisimulation between two complete models.
pub struct Bisimulation<'a> {
    left: &'a PartialModel,
    right: &'a PartialModel,
    props: Vec<(PropId, PropId)>,
    actions: JointActions,
    graph: Graph,
    block_of: Vec<u32>,
    blocks: Vec<Block>,
    /// The states, block by block, and where each of them stands.
    order: Vec<u32>,
    position: Vec<u32>,
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
    let graph = Graph::new([left, right], &mut actions);
    let states = graph.states();
    let mut bisimulation = Bisimulation {
        left,
        right,
        props,
        actions,
        graph,
        block_of: vec![0; states],
        blocks: vec![Block { parent: 0, born: 0, range: 0..states }],
        order: (0..states as u32).collect(),
        position: (0..states as u32).collect(),
        _room: room,
    };
    bisimulation.refine(monitor)?;
    Ok(bisimulation)
}

impl Bisimulation<'_> {
    /// Whether a state of the left model and one of the right model are bisimilar.
    pub fn contains(&self, left: u32, right: u32) -> bool {
        self.block_of[left as usize] == self.block_of[self.shifted(right) as usize]
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

    fn refine(&mut self, monitor: &Monitor) -> Result<(), CompareError> {
        let all: Vec<u32> = (0..self.graph.states() as u32).collect();
        let labels: Vec<Vec<u32>> = all.iter().map(|&state| self.labels(state)).collect();
        self.split(&all, labels, 0);
        let (mut round, mut touched) = (1, all);
        while !touched.is_empty() {
            let signatures = touched.iter().map(|&state| self.signature(state)).collect();
            let moved = self.split(&touched, signatures, round);
            monitor.step(touched.len() as u64)?;
            touched = moved.iter().flat_map(|&s| self.graph.sources(s)).copied().collect();
            touched.sort_unstable();
            touched.dedup();
            round += 1;
        }
        Ok(())
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

    /// Moves as action, block, action, block, ….
    fn signature(&self, state: u32) -> Vec<u32> {
        let moves = self.graph.moves(state).iter();
        let mut moves: Vec<_> =
            moves.map(|&(action, target)| (action, self.block_of[target as usize])).collect();
        moves.sort_unstable();
        moves.dedup();
        moves.into_iter().flat_map(|(action, block)| [action.0, block]).collect()
    }

    /// Splits blocks by the signatures of the touched states; the others of a block stay together.
    /// Returns the states that have a new block.
    fn split(&mut self, touched: &[u32], signatures: Vec<Vec<u32>>, round: u32) -> Vec<u32> {
        let mut by_block: FxHashMap<u32, FxHashMap<Vec<u32>, Vec<u32>>> = FxHashMap::default();
        for (&state, signature) in touched.iter().zip(signatures) {
            let parts = by_block.entry(self.block_of[state as usize]).or_default();
            parts.entry(signature).or_default().push(state);
        }
        let mut moved = Vec::new();
        for (block, parts) in by_block {
            let mut parts = self.gather(block, parts.into_values());
            let largest = parts.iter().enumerate().max_by_key(|(_, range)| range.len());
            let largest = largest.map_or(0, |(index, _)| index);
            self.blocks[block as usize].range = parts.swap_remove(largest);
            for range in parts {
                moved.extend_from_slice(&self.order[range.clone()]);
                self.split_off(block, range, round);
            }
        }
        moved
    }

    /// Puts the states of each part next to each other at the end of the block's range. Returns the
    /// ranges of the parts, and of the states that are in none of them.
    fn gather(&mut self, block: u32, parts: impl Iterator<Item = Vec<u32>>) -> Vec<Range<usize>> {
        let Range { start, mut end } = self.blocks[block as usize].range.clone();
        let mut ranges = Vec::new();
        for part in parts {
            let last = end;
            for state in part {
                end -= 1;
                let (here, there) = (self.position[state as usize] as usize, self.order[end]);
                self.order.swap(here, end);
                self.position[there as usize] = here as u32;
                self.position[state as usize] = end as u32;
            }
            ranges.push(end..last);
        }
        if start < end {
            ranges.push(start..end);
        }
        ranges
    }

    fn split_off(&mut self, block: u32, range: Range<usize>, round: u32) {
        let id = self.blocks.len() as u32;
        for &state in &self.order[range.clone()] {
            self.block_of[state as usize] = id;
        }
        self.blocks.push(Block { parent: block, born: round, range });
    }

    /// The round in which two states of the graph were parted.
    fn parted(&self, a: u32, b: u32) -> Option<u32> {
        let (mut a, mut b) = (self.block_of[a as usize], self.block_of[b as usize]);
        let mut round = None;
        while a != b {
            let (born_a, born_b) = (self.blocks[a as usize].born, self.blocks[b as usize].born);
            let younger = if (born_a, a) > (born_b, b) { &mut a } else { &mut b };
            let Block { parent, born, .. } = self.blocks[*younger as usize];
            *younger = parent;
            round = Some(born);
        }
        round
    }

    /// A move of `mover` such that it is parted from `other` before `round` whatever that answers,
    /// with the best answer.
    fn distinguishing_move(&self, mover: u32, other: u32, round: u32) -> Option<Move> {
        self.graph.moves(mover).iter().find_map(|&(action, target)| {
            let answers = self.graph.moves(other).iter().filter(|&&(a, _)| a == action);
            let rank = |answer: u32| self.parted(target, answer).unwrap_or(u32::MAX);
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
        self.parted(left, self.shifted(right))
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
