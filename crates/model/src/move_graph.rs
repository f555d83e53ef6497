//! The moves of complete models, laid side by side.

use crate::compare::{JointAction, JointActions};
use crate::partial::PartialModel;

/// Moves as compressed sparse rows, in both directions.
pub(crate) struct MoveGraph {
    offsets: Vec<u32>,
    moves: Vec<(JointAction, u32)>,
    source_offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl MoveGraph {
    /// The states of each model are numbered after those of the models before.
    pub fn new(models: &[&PartialModel], actions: &mut JointActions) -> Self {
        let mut moves = Vec::new();
        let mut offsets = vec![0];
        for model in models {
            let base = offsets.len() as u32 - 1;
            let joint = actions.of(model);
            for state in 0..model.states() as u32 {
                let out = model.edges().out(state);
                moves.extend(out.map(|(target, class)| (joint(class), target + base)));
                offsets.push(moves.len() as u32);
            }
        }
        Self::of_rows(offsets, moves)
    }

    /// The moves from each state, where those of the state before end.
    pub fn of_rows(offsets: Vec<u32>, moves: Vec<(JointAction, u32)>) -> Self {
        let (source_offsets, sources) = sources_of(&offsets, &moves);
        Self { offsets, moves, source_offsets, sources }
    }

    pub fn states(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn moves(&self, state: u32) -> &[(JointAction, u32)] {
        &self.moves[self.offsets[state as usize] as usize..][..self.out_degree(state)]
    }

    fn out_degree(&self, state: u32) -> usize {
        (self.offsets[state as usize + 1] - self.offsets[state as usize]) as usize
    }

    pub fn sources(&self, state: u32) -> &[u32] {
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
