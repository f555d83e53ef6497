//! A Promela model taken apart: every process, every shared variable and every buffered channel is a
//! labelled transition system of its own.
//!
//! - A state of a process is a location with the values of its variables, or `not_started`, or `failed`.
//! - A step of a process is one statement, or a whole chain of statements that keep control (`atomic`,
//!   `d_step`) up to where control is lost ([`ProcessStep`]). Its action says all that it reads and writes of what
//!   is shared; a synchronisation vector joins it to the variables and channels, to the process that it
//!   starts, and to the partner of a rendezvous. Steps that share nothing are `tau`.
//! - What a joint step shows is its effects: `c.white.0` for a rendezvous, `c.send.white.0` and
//!   `c.recv.white.0` for a channel with a buffer, `x.set.3`, `P.start`. Several effects are joined by
//!   `_and_`: a rendezvous first, then variables, channels and processes, each in the order of the text. A
//!   step that only reads shows `tau`.
//! - Where Spin reports an error (an assertion, an index out of range, a division by zero, a `d_step` that
//!   blocks), the step shows [`FAIL`], and the process is at `failed`, where it stays.
//!
//! The steps of a process are computed with all values that a shared variable can have at any time
//! ([`possible`]), so some of its states may not be reachable in the whole system.
//!
//! Conditions on the state of all processes are refused: `timeout`, locations of other processes, and a
//! rendezvous in the middle of a chain.

mod build;
mod chain;
mod eval;
mod names;
mod numbered;
mod possible;
mod step;

pub use step::{ChannelMessage, ChannelUse, ProcessStep, Rendezvous, VarUse};

use super::{ChannelId, LocationId, ProcessId, PromelaModel, VarId};
use model::{Kind, ModelBuilder, PartialModel, System};
use std::collections::{BTreeMap, BTreeSet};
use support::{Diagnostic, IdVec, Monitor, Stopped};

/// The action of a step that Spin reports as an error.
pub const FAIL: &str = "fail";

/// A Promela model as a system of LTSs.
#[derive(Clone, Debug)]
pub struct Processes {
    /// The processes first, in the order of their ids.
    pub system: System,
    /// The part that each component stands for.
    pub of: Vec<ProcessPart>,
    /// The steps of the processes, by the numbers of their actions in their components.
    pub actions: IdVec<ProcessId, Vec<LocalAction>>,
    /// The possible values of the shared variables.
    pub values: BTreeMap<VarId, BTreeSet<i32>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProcessPart {
    Process(ProcessId),
    Var(VarId),
    /// One with a buffer.
    Channel(ChannelId),
}

/// An action of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocalAction {
    /// Another process starts it, with these values of all its variables.
    Start(Vec<i32>),
    Step(ProcessStep),
}

/// A state of a process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Local {
    NotStarted,
    At(LocationId, Box<[i32]>),
    Failed,
}

/// Why there is no result: the model cannot be taken apart, or the monitor has ended it.
struct Failed(Option<Box<Diagnostic>>);

impl From<Stopped> for Failed {
    fn from(_: Stopped) -> Self {
        Failed(None)
    }
}

impl From<Diagnostic> for Failed {
    fn from(diagnostic: Diagnostic) -> Self {
        Failed(Some(Box::new(diagnostic)))
    }
}

/// Takes a model apart. Errors are empty if it was the monitor that ended it.
pub fn processes(program: &PromelaModel, monitor: &Monitor) -> Result<Processes, Vec<Diagnostic>> {
    if program.count.is_some() || program.processes.values().any(|own| own.priority.is_some()) {
        let span = program.processes[ProcessId(0)].span;
        let message = "a model that depends on the pids or priorities of processes cannot be split";
        let label = "the steps of all processes depend on which there are";
        return Err(vec![Diagnostic::error(message, span, label)]);
    }
    let taken_apart = || {
        monitor.phase("splitting the model into processes", 0);
        let (possible, explored) = possible::explore(program, monitor)?;
        build::build(program, &possible, &explored, monitor)
    };
    taken_apart().map_err(|Failed(why)| why.map(|why| *why).into_iter().collect())
}

/// The property that nothing fails: it sees [`FAIL`] and never allows it.
pub fn assertions() -> PartialModel {
    let mut model = ModelBuilder::new(Kind::Lts, "assertions");
    let fine = model.state("fine");
    model.init(fine);
    model.action(FAIL);
    model.finish()
}

/// The first variable of a process and the initial values of all of them; they have consecutive ids.
fn initial_locals(program: &PromelaModel, process: ProcessId) -> (VarId, Vec<i32>) {
    let mut own = program.vars.iter().filter(|(_, var)| var.owner == Some(process)).peekable();
    let first = own.peek().map_or(VarId(0), |&(id, _)| id);
    (first, own.map(|(_, var)| var.init).collect())
}
