//! While-programs (paper M): what they say, where they can be, and how they are taken apart.
//!
//! A [`Program`] is the text: commands in blocks, over the variables of a machine. [`Flow`] is the meaning of some
//! of its commands: locations and edges between them, with ways out. [`Partition`] says which commands are looked
//! at together. Nothing is computed here: the engine and the auditor share this and nothing else.

mod flow;
mod partition;
mod program;

pub use flow::{Doubt, Edge, Flow, Location, LocationId, Place};
pub use partition::{Cuts, Graph, GraphId, Partition, Statements, Weighed, Whole};
pub use program::{
    Assumed, Atom, Block, Branch, Command, CommandId, Effect, HoleId, Kind, LabelId, Procedure,
    ProcedureId, Program, Test, Weights,
};
