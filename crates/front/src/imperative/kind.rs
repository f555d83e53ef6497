//! The kinds of programs, by what they declare and which commands they have.

use super::ast::{Command, Declaration, File, Statement, Type};
use crate::language::Numbers;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProgramKind {
    /// One sequence of commands over variables with finitely many values; each command has a successor.
    Sequential,
    /// Processes, or one sequence of commands that may wait, over variables with finitely many values.
    Interleaved,
    /// Processes, or one sequence of commands, over integers; and what has holes of the interleaved ones.
    Integers,
}

impl ProgramKind {
    /// As the program declares it, or as it is asked for.
    pub fn of(file: &File, numbers: Numbers) -> Self {
        match numbers {
            Numbers::Unbounded => ProgramKind::Integers,
            Numbers::Declared if is_over_integers(file) => ProgramKind::Integers,
            _ if !file.processes.is_empty() || has_assume(file) => match has_hole(file) {
                true => ProgramKind::Integers,
                false => ProgramKind::Interleaved,
            },
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
    has(file, |statement| matches!(statement, Statement::Assume(_)))
}

fn has_hole(file: &File) -> bool {
    has(file, |statement| matches!(statement, Statement::Hole(..)))
}

/// Whether some command is of a kind.
fn has(file: &File, is_it: fn(&Statement) -> bool) -> bool {
    let procedures = file.procedures.iter().map(|procedure| &procedure.body);
    let processes = file.processes.iter().map(|process| &process.body);
    procedures.chain(processes).chain([&file.body]).any(|body| has_command(body, is_it))
}

fn has_command(body: &[Command], is_it: fn(&Statement) -> bool) -> bool {
    body.iter().any(|command| match &command.statement {
        Statement::If { then, otherwise, .. } => {
            has_command(then, is_it)
                || otherwise.as_ref().is_some_and(|block| has_command(block, is_it))
        }
        Statement::While { body, .. } => has_command(body, is_it),
        statement => is_it(statement),
    })
}
