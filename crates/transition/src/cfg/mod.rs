//! While-programs (paper M): syntax, control-flow graphs and partitions.
//!
//! A [`Program`] is the syntax: commands in blocks, over the variables of a machine. [`Cfg`] is the control-flow graph
//! of some of its commands: locations, edges and exits. [`Partition`] divides the commands into blocks, and [`Closure`]
//! has the subformulas. Nothing is computed here: the engine and the auditor share this and nothing else.

mod assumed;
mod closure;
mod digest;
mod frames;
mod graph;
mod groups;
mod machine;
mod partition;
mod processes;
mod program;
mod show;
mod unfolding;

pub use assumed::{
    Assumed, HoleCondition, HoleFormula, HoleFormulaId, HoleStage, StageCase, StageId, StageStep,
    TooManyStages,
};
pub use closure::{
    AtomId, Bound, Closure, CtlNode, FormulaId, NotCtl, Operator, Root, Temporal, TemporalId,
};
pub use frames::{Bodies, FramePoint, FrameStep, FrameSteps};
pub use graph::{Cfg, CfgEdge, CfgTarget, HoleCase, HoleGroup, HoleLocation, Location, LocationId};
pub(crate) use machine::line_names;
pub use machine::{ProgramMachine, machine_of};
pub use partition::{Cuts, GraphId, OneBlock, Partition, PartitionGraph, Statements, Weighed};
pub use processes::{ProcessMachine, ProcessTurns, machine_of_processes};
pub use program::{
    Block, Branch, CommandId, CommandKind, CtlAtom, Effect, HoleId, Jump, LabelId, Procedure,
    ProcedureId, Program, ProgramCommand, ProgramProcess, RecursiveCall, Test, Weights,
};
pub use unfolding::{Sizes, UnfoldedId, UnfoldedNode, Unfolding};
