//! Promela, the language of Spin: processes that share variables and send each other messages.
//!
//! [`read_promela`] makes a [`Program`] of a text, from which everything else starts; [`read_promela_asking`]
//! goes on to a machine with formulas about it.

mod ast;
mod build;
mod document;
mod lexer;
mod machine;
mod parse;
mod preprocess;
mod processes;
mod program;
mod write;

pub use document::read_promela_asking;
pub use processes::{
    ChannelUse, FAIL, LocalAction, Meeting, Message, Part, Processes, Step, VarUse, assertions,
    processes,
};
pub use program::{
    Action, Array, ArrayId, Binary, Channel, ChannelId, Edge, Expr, ExprId, Location, LocationId,
    MessageId, Pattern, Place, Process, ProcessId, Program, Unary, Var, VarId, VarType,
};
pub use write::write_with_assumption;

use crate::sink::Sink;
use support::{Diagnostic, FileId};

/// Reads a Promela model. Errors are returned all together.
pub fn read_promela(file: FileId, text: &str) -> Result<Program, Vec<Diagnostic>> {
    if let Some(error) = crate::too_long(file, text) {
        return Err(vec![error]);
    }
    let mut sink = Sink::default();
    let (lexemes, _) = preprocess::preprocess(lexer::lex(file, text), &mut sink);
    let parsed = parse::parse(lexemes, &mut sink);
    let built = match sink.has_errors() {
        true => return Err(sink.into_diagnostics()),
        false => build::build(&parsed, sink),
    };
    match built.sink.has_errors() {
        true => Err(built.sink.into_diagnostics()),
        false => Ok(built.program),
    }
}
