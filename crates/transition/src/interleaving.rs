//! Processes whose steps interleave, with what each step reads and writes.

use crate::cone::Slice;
use crate::expr::{ExprNode, NodeId};
use crate::parts::{Machine, VarId, When};
use rustc_hash::FxHashSet;

/// The processes of a system and their steps, finer than expressions tell: which steps use a buffered channel at one of
/// its ends only, and which values are never read again.
#[derive(Clone, Debug, Default)]
pub struct InterleavedSteps {
    pub processes: Vec<InterleavedProcess>,
    /// By the number of the value that the selector has. A value without a step here is the stutter step.
    pub steps: Vec<InterleavedStep>,
    pub channels: Vec<BufferedChannel>,
    pub exclusive: Option<ExclusiveControl>,
    /// The variable that tells which run-time error there was, and its value where there was none.
    pub error: Option<(VarId, i64)>,
    /// Holds in deadlock states.
    pub deadlock: Option<NodeId>,
    /// Holds where a process with exclusive control can go on.
    pub hidden: Option<NodeId>,
    /// The construct because of which partial-order reduction is off.
    pub prevented: Option<&'static str>,
}

impl InterleavedSteps {
    /// Whether these processes are all that changes variables of a slice: no automaton goes along with them, and no
    /// variable remembers their steps.
    pub fn covers(&self, machine: &Machine, slice: &Slice) -> bool {
        let counters = self.processes.iter().map(|process| process.program_counter);
        let channels =
            self.channels.iter().flat_map(|channel| channel.slots.iter().chain([&channel.len]));
        let used = self.steps.iter().flat_map(|step| step.reads.iter().chain(&step.writes));
        let control = self.exclusive.iter().map(|exclusive| exclusive.var);
        let error = self.error.iter().map(|(error, _)| *error);
        let known: FxHashSet<VarId> =
            used.chain(channels).copied().chain(counters).chain(control).chain(error).collect();
        let is_constant = |var: VarId| {
            let mut assigns = machine.assigns.iter().filter(|assign| assign.var == var);
            assigns.all(|assign| match (assign.when, machine.choices.as_one(assign.choice)) {
                (When::Init, _) => true,
                (_, Some(node)) => machine.exprs.node(node) == ExprNode::Now(var),
                _ => false,
            })
        };
        let mut vars = machine.state_vars().filter(|&var| slice.contains(var));
        vars.all(|var| known.contains(&var) || is_constant(var))
    }
}

/// A process, and its variables that are dead.
#[derive(Clone, Debug)]
pub struct InterleavedProcess {
    pub program_counter: VarId,
    /// By value of the program counter: the variables that are written before they are read, with a value for them.
    pub dead: Vec<(i64, Vec<(VarId, i64)>)>,
}

/// A queue of messages in variables: how many there are, and the slots.
#[derive(Clone, Debug)]
pub struct BufferedChannel {
    pub len: VarId,
    pub capacity: i64,
    pub slots: Vec<VarId>,
}

/// The variable that tells who has exclusive control.
#[derive(Clone, Debug)]
pub struct ExclusiveControl {
    pub var: VarId,
    pub free: i64,
    /// The values for processes that can have it.
    pub holders: Vec<(i64, usize)>,
}

/// A step of one process, or of two that meet; one without moves is never possible.
#[derive(Clone, Debug, Default)]
pub struct InterleavedStep {
    /// Who moves; the one that makes the step comes first.
    pub moves: Vec<ProcessMove>,
    /// Who has exclusive control afterwards.
    pub keeps_control: Option<usize>,
    /// Whether it may be a run-time error.
    pub can_fail: bool,
    /// The variables that its guard, its values and its run-time errors depend on, without those of `queue`.
    pub reads: Vec<VarId>,
    /// The variables that it can change, without the program counters of `moves` and without those of `queue`.
    pub writes: Vec<VarId>,
    /// The channel that it puts one message behind, or takes or reads the first message of, as the only use that it
    /// makes of it.
    pub queue: Option<(usize, QueueEnd)>,
}

/// A process that goes from one value of its program counter to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessMove {
    pub process: usize,
    pub source: i64,
    pub target: i64,
}

/// The end of a queue that a step uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QueueEnd {
    /// It sends, where there is room.
    Back,
    /// It receives, where there is a message.
    Front,
}
