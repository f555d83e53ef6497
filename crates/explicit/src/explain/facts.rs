//! When each position became known in the proof of a verdict, and when it was found to follow.
//!
//! That is a strategy: the winner moves to a position that was known before the position at hand was found to follow.
//! By the theorem of the auditor it is a winning strategy.

use crate::certificate::{Step, Steps};
use logic::{Formula, NodeId};

/// When something was known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Known {
    /// The part that shows it; what earlier parts show comes before.
    pub part: u32,
    /// When it became known there.
    pub at: u32,
    /// When it was found to follow: at once, or if it was assumed, later.
    pub due: u32,
}

impl Known {
    /// A fact that the model states.
    pub const FROM_THE_START: Known = Known { part: 0, at: 0, due: 0 };

    /// Whether this may be a reason for the other.
    pub fn is_before(self, other: Known) -> bool {
        (self.part, self.at) < (other.part, other.due)
    }
}

/// The times of one part.
pub struct Times {
    /// By subformula, if it is spoken of, and state: when it became known and found to follow; 0 if
    /// never.
    of: Vec<Vec<(u32, u32)>>,
}

impl Times {
    pub fn new(formula: &Formula, steps: &Steps, states: usize) -> Self {
        let mut times = Self { of: vec![Vec::new(); formula.len()] };
        let mut clock = 0;
        let mut brackets: Vec<Vec<(NodeId, std::ops::Range<u32>)>> = Vec::new();
        steps.for_each(|step| {
            clock += 1;
            match step {
                Step::Prove(node, run) => {
                    times.row(node, states)[run.start as usize..run.end as usize]
                        .fill((clock, clock));
                }
                Step::Open => brackets.push(Vec::new()),
                Step::Assume(node, run) => {
                    times.row(node, states)[run.start as usize..run.end as usize]
                        .fill((clock, u32::MAX));
                    brackets.last_mut().into_iter().for_each(|b| b.push((node, run.clone())));
                }
                Step::Close => {
                    for (node, run) in brackets.pop().unwrap_or_default() {
                        let row = times.row(node, states);
                        row[run.start as usize..run.end as usize]
                            .iter_mut()
                            .for_each(|(_, due)| *due = clock);
                    }
                }
            }
        });
        times
    }

    fn row(&mut self, node: NodeId, states: usize) -> &mut [(u32, u32)] {
        let row = &mut self.of[node.0 as usize];
        row.resize(states, (0, 0));
        row
    }

    pub fn get(&self, part: u32, state: u32, node: NodeId) -> Option<Known> {
        let &(at, due) = self.of[node.0 as usize].get(state as usize)?;
        (at > 0).then_some(Known { part, at, due })
    }
}
