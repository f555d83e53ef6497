//! The kinds of programs, by what they declare and which commands they have.

use super::ast::{Command, Declaration, File, Statement, Type};
use crate::language::Numbers;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProgramKind {
    /// One sequence of commands over variables with finitely many values; each command has a successor.
    Sequential,
    /// Processes, or one sequence of commands that may wait, over variables with finitely many values.
    Interleaved,
    /// Processes, or one sequence of commands, over integers.
    Integers,
}

impl ProgramKind {
    /// As the program declares it, or as it is asked for.
    pub fn of(file: &File, numbers: Numbers) -> Self {
        match numbers {
            Numbers::Unbounded => ProgramKind::Integers,
            Numbers::Declared if is_over_integers(file) => ProgramKind::Integers,
            _ if !file.processes.is_empty() || has_assume(file) => ProgramKind::Interleaved,
            _ => ProgramKind::Sequential,
        }
    }
}

fn is_over_integers(file: &File) -> bool {
    let is_int = |declared: &Declaration| matches!(declared.ty, Type::Int);
    let in_procedures = file.procedures.iter().any(|procedure| {
        procedure.parameters.iter().any(|(_, declared)| is_int(declared))
            || procedure.locals.iter().any(is_int)
    });
    let in_processes = file.processes.iter().any(|process| process.locals.iter().any(is_int));
    in_procedures || in_processes || !file.predicates.is_empty() || file.vars.iter().any(is_int)
}

fn has_assume(file: &File) -> bool {
    file.procedures.iter().any(|procedure| waits(&procedure.body)) || waits(&file.body)
}

fn waits(body: &[Command]) -> bool {
    body.iter().any(|command| match &command.statement {
        Statement::Assume(_) => true,
        Statement::If { then, otherwise, .. } => {
            waits(then) || otherwise.as_ref().is_some_and(|block| waits(block))
        }
        Statement::While { body, .. } => waits(body),
        _ => false,
    })
}
