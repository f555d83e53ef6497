//! The blocks that a certificate lists, explored with the steps of the program.

use super::format::ListedBlock;
use crate::error::{AuditError, ensure};
use rustc_hash::FxHashMap;
use support::{Monitor, Reservation};
use transition::Machine;
use transition::cfg::{FramePoint, FrameStep, FrameSteps, ProcedureId};

/// About how many bytes a node takes, besides its values.
const NODE_BYTES: u64 = 256;

type NodeState = (FramePoint<Vec<i64>>, Vec<i64>);

pub(super) struct Block {
    pub procedure: Option<ProcedureId>,
    pub states: Vec<NodeState>,
    pub after: Vec<After>,
    /// How many of the nodes, the first ones, are entries: one if it is a procedure.
    pub entries: u32,
    /// The nodes at the exits that are listed.
    pub exits: Vec<u32>,
}

/// The successors of a node in its frame.
pub(super) enum After {
    Steps(Vec<u32>),
    /// A call of a block, with a return for each of its exits.
    Call(u32, Vec<u32>),
}

impl Block {
    pub fn is_exit(&self, node: u32) -> bool {
        self.states[node as usize].0 == FramePoint::Exit
    }

    /// The blocks that calls lead to, in the order of the nodes.
    pub fn calls(&self) -> impl Iterator<Item = (u32, u32, &[u32])> {
        (0..).zip(&self.after).filter_map(|(node, after)| match after {
            After::Call(block, returns) => Some((node, *block, &returns[..])),
            After::Steps(_) => None,
        })
    }
}

/// Explores the main program and the blocks that are listed.
pub(super) struct Explorer<'a> {
    steps: FrameSteps<'a>,
    listed: Vec<(ProcedureId, Vec<i64>, Vec<Vec<i64>>)>,
    /// The listed blocks by procedure and values at the entry.
    index: FxHashMap<(ProcedureId, Vec<i64>), u32>,
    monitor: &'a Monitor,
    room: Reservation,
}

impl<'a> Explorer<'a> {
    pub fn new(
        steps: FrameSteps<'a>,
        listed: &[ListedBlock],
        monitor: &'a Monitor,
    ) -> Result<Self, AuditError> {
        let program = steps.program;
        let mut explorer = Self {
            steps,
            listed: Vec::new(),
            index: FxHashMap::default(),
            monitor,
            room: monitor.reserve(0)?,
        };
        for (number, block) in (1..).zip(listed) {
            let is_there = (block.procedure as usize) < program.procedures.len();
            ensure(is_there, format_args!("block {number} is of a procedure that is not there"))?;
            let procedure = ProcedureId(block.procedure);
            let values = |numbers: &Vec<u64>| values_of(&program.data, numbers, number);
            let (entry, exits) = (values(&block.entry)?, block.exits.iter().map(values));
            let exits = exits.collect::<Result<Vec<_>, _>>()?;
            explorer.index.insert((procedure, entry.clone()), number);
            explorer.listed.push((procedure, entry, exits));
        }
        Ok(explorer)
    }

    /// All blocks, that of the main program first, from these initial valuations.
    pub fn run(mut self, initial: Vec<Vec<i64>>) -> Result<Vec<Block>, AuditError> {
        let mut blocks = vec![self.block(0, None, initial, &[])?];
        let listed = self.listed.clone();
        for (number, (procedure, entry, exits)) in (1..).zip(listed) {
            blocks.push(self.block(number, Some(procedure), vec![entry], &exits)?);
        }
        Ok(blocks)
    }

    /// Condition 2.
    fn block(
        &mut self,
        number: u32,
        procedure: Option<ProcedureId>,
        entries: Vec<Vec<i64>>,
        exits: &[Vec<i64>],
    ) -> Result<Block, AuditError> {
        let entry = || self.steps.entry(procedure);
        let states: Vec<NodeState> = entries.into_iter().map(|values| (entry(), values)).collect();
        let known = states.iter().cloned().zip(0..).collect();
        let mut found = Found { states, known };
        let entries = found.states.len() as u32;
        let mut after = Vec::new();
        while let Some((point, values)) = found.states.get(after.len()).cloned() {
            self.monitor.step(1)?;
            self.room.grow(NODE_BYTES + 16 * values.len() as u64, self.monitor)?;
            let own = match &point {
                FramePoint::Location(location) => FramePoint::Location(*location),
                FramePoint::Return(location, frame) => FramePoint::Return(*location, &frame[..]),
                FramePoint::Exit => FramePoint::Exit,
                FramePoint::Error => FramePoint::Error,
            };
            after.push(match (self.steps.step(procedure, own, &values), own) {
                (FrameStep::Call(called, inside), FramePoint::Location(location)) => {
                    let problem = format_args!("block {number} calls what is not listed");
                    let called = self.index.get(&(called, inside)).copied();
                    let called = called.ok_or_else(|| AuditError::invalid(problem))?;
                    let back = self.steps.return_of(procedure, location, &values);
                    let exits = &self.listed[called as usize - 1].2;
                    let returns = exits.iter().map(|exit| found.node(back.clone(), exit.clone()));
                    After::Call(called, returns.collect())
                }
                (FrameStep::Within(next), _) => {
                    After::Steps(next.into_iter().map(|(to, v)| found.node(to, v)).collect())
                }
                (FrameStep::Call(..), _) => After::Steps(Vec::new()),
            });
        }
        let reached = found.states.iter().filter(|(point, _)| *point == FramePoint::Exit).count();
        let exit =
            |values: &Vec<i64>| found.known.get(&(FramePoint::Exit, values.clone())).copied();
        let exits = exits.iter().map(exit).collect::<Option<Vec<u32>>>();
        let exits = exits.filter(|exits| exits.len() == reached);
        let problem = format_args!("block {number} has other exits than are listed");
        let exits = exits.ok_or_else(|| AuditError::invalid(problem))?;
        Ok(Block { procedure, states: found.states, after, entries, exits })
    }
}

/// The nodes of a block that were found so far.
struct Found {
    states: Vec<NodeState>,
    known: FxHashMap<NodeState, u32>,
}

impl Found {
    fn node(&mut self, point: FramePoint<Vec<i64>>, values: Vec<i64>) -> u32 {
        let state = (point, values);
        let fresh = self.states.len() as u32;
        let number = *self.known.entry(state.clone()).or_insert(fresh);
        if number == fresh {
            self.states.push(state);
        }
        number
    }
}

/// The values that a valuation lists by their numbers.
fn values_of(data: &Machine, numbers: &[u64], block: u32) -> Result<Vec<i64>, AuditError> {
    let fits = numbers.len() == data.vars.len()
        && data.vars.values().zip(numbers).all(|(var, &n)| u128::from(n) < var.domain.size());
    ensure(fits, format_args!("block {block} lists values that no variable has"))?;
    Ok(data.vars.values().zip(numbers).map(|(var, &number)| var.domain.value(number)).collect())
}
