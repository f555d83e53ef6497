//! Paths through calls and returns. A state is a node of a context, with the calls below it.

use super::blocks::{At, BlockNode};
use super::contexts::Contexts;
use crate::path::{PathState, PathStates};
use rustc_hash::FxHashMap;
use support::Stopped;
use transition::cfg::{Closure, FormulaId};

/// A stack of calls, by number; 0 is the empty one.
type StackId = u32;

/// A node of a context that is no exit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StackState {
    stack: StackId,
    context: u32,
    node: u32,
}

/// The call on top of a stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Frame {
    below: StackId,
    /// Of the caller.
    context: u32,
    node: u32,
}

pub struct StackStates<'c, 'b> {
    contexts: &'c Contexts<'b>,
    /// All stacks but the empty one, each with its height.
    stacks: Vec<(Frame, usize)>,
    numbers: FxHashMap<Frame, StackId>,
}

impl<'c, 'b> StackStates<'c, 'b> {
    pub fn new(contexts: &'c Contexts<'b>) -> Self {
        Self { contexts, stacks: Vec::new(), numbers: FxHashMap::default() }
    }

    /// An initial state of the main program.
    pub fn first(node: u32) -> StackState {
        StackState { stack: 0, context: 0, node }
    }

    fn node(&self, state: &StackState) -> &'b BlockNode {
        &self.contexts.nodes_of(state.context)[state.node as usize]
    }

    fn frame(&self, stack: StackId) -> Option<&(Frame, usize)> {
        self.stacks.get((stack as usize).checked_sub(1)?)
    }

    fn height(&self, stack: StackId) -> usize {
        self.frame(stack).map_or(0, |(_, height)| *height)
    }

    fn pushed(&mut self, state: &StackState) -> StackId {
        let frame = Frame { below: state.stack, context: state.context, node: state.node };
        let height = self.height(state.stack) + 1;
        let Self { stacks, numbers, .. } = self;
        *numbers.entry(frame).or_insert_with(|| {
            stacks.push((frame, height));
            stacks.len() as StackId
        })
    }

    /// An exit is the return of the caller.
    fn arrived(&self, state: StackState) -> StackState {
        let (At::Exit, Some((frame, _))) = (self.node(&state).at, self.frame(state.stack)) else {
            return state;
        };
        let place = self.contexts.exit_place(state.context, state.node);
        let call = &self.contexts.nodes_of(frame.context)[frame.node as usize].call;
        let node = call.as_ref().and_then(|call| call.returns.get(place).copied());
        StackState { stack: frame.below, context: frame.context, node: node.unwrap_or(0) }
    }
}

impl PathStates for StackStates<'_, '_> {
    type State = StackState;
    type Head = (u32, u32);

    fn closure(&self) -> &Closure {
        self.contexts.closure()
    }

    fn truth(&mut self, state: &StackState, formula: FormulaId) -> Result<bool, Stopped> {
        Ok(self.contexts.holds(state.context, state.node, formula))
    }

    fn successors(
        &mut self,
        state: &StackState,
        _: (FormulaId, bool),
    ) -> Result<Vec<StackState>, Stopped> {
        self.contexts.step()?;
        if let Some((context, node)) = self.contexts.called(state.context, state.node) {
            let stack = self.pushed(state);
            return Ok(vec![self.arrived(StackState { stack, context, node })]);
        }
        let next = self.node(state).next.iter();
        Ok(next.map(|&node| self.arrived(StackState { node, ..*state })).collect())
    }

    fn shown(&mut self, state: &StackState) -> Result<PathState, Stopped> {
        let node = self.node(state);
        let blocks = self.contexts.blocks();
        let next = blocks.command(self.contexts.block_of(state.context), node);
        let command = next.map(|(command, _)| command);
        let is_return = next.is_some_and(|(_, is_return)| is_return);
        let values = blocks.values(node.values).to_vec();
        Ok(PathState { command, is_return, in_hole: false, values, formula_values: Vec::new() })
    }

    fn part(&self, _: &StackState) -> u32 {
        0
    }

    fn current(&self) -> Option<u32> {
        None
    }

    fn head(&self, state: &StackState) -> ((u32, u32), usize) {
        ((state.context, state.node), self.height(state.stack))
    }
}
