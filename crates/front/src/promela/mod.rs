//! Promela, the language of Spin: processes that share variables and send each other messages.

mod processes;
mod program;

pub use processes::{
    ChannelUse, FAIL, LocalAction, Meeting, Message, Part, Processes, Step, VarUse, assertions,
    processes,
};
pub use program::{
    Action, Array, ArrayId, Binary, Channel, ChannelId, Edge, Expr, ExprId, Location, LocationId,
    MessageId, Pattern, Place, Process, ProcessId, Program, Unary, Var, VarId, VarType,
};
