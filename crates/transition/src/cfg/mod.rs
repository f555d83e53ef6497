//! While-programs (paper M): what they say, where they can be, and how they are taken apart.
//!
//! A [`Program`] is the text: commands in blocks, over the variables of a machine. [`Flow`] is the meaning of some
//! of its commands: locations and edges between them, with ways out. [`Partition`] says which commands are looked
//! at together, and [`Closure`] what has to be found out. Nothing is computed here: the engine and the auditor share this and nothing else.

mod closure;
mod digest;
mod flow;
mod groups;
mod machine;
mod partition;
mod places;
mod program;
mod show;

pub use closure::{
    AtomId, Closure, Formula, FormulaId, NotCtl, Operator, Root, Temporal, TemporalId, View,
};
pub use flow::{Doubt, Edge, Flow, Location, LocationId, Place};
pub(crate) use machine::line_names;
pub use machine::machine_of;
pub use partition::{Cuts, Graph, GraphId, Partition, Statements, Weighed, Whole};
pub use places::{PlaceId, PlaceNode, Places, Sizes};
pub use program::{
    Assumed, Atom, Block, Branch, Command, CommandId, Effect, HoleId, Kind, LabelId, Procedure,
    ProcedureId, Process, Program, Test, Weights,
};
