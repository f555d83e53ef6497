//! While-programs over unbounded integers.
//!
//! [`read_integers`] makes a [`transition::predicates::Program`] of a text: places, and guarded steps between them. It reads every
//! program without arrays and holes, also one whose variables all have bounds; [`read_either_asking`] is for those who
//! have a text and do not know what is in it.

mod build;
mod call;
mod command;
mod declare;
mod expr;
mod formula;
mod graph;

mod processes;

pub(super) use build::build;

use super::WhileProperty;
use super::ast::{Command, Declaration, File, Statement, Type};
use crate::linear;
use support::{Diagnostic, Span};
use transition::predicates::Proposition;
use transition::predicates::{Condition, Predicate, Program, Relation, Term};

/// What a while-program over integers says. Everything that is numbered in the program has the same number here.
#[derive(Clone, Debug)]
pub struct IntegerDocument {
    pub program: Program,
    /// What is known of the variables besides their names.
    pub variables: Vec<IntegerVariable>,
    pub places: Vec<IntegerPlace>,
    /// Who makes each step; nobody where the program stays for ever.
    pub movers: Vec<Option<Mover>>,
    /// The names of the processes; a program that is one sequence of commands has one without a name.
    pub processes: Vec<String>,
    pub start: IntegerStart,
    /// What the formulas are about, in the order of [`IntegerDocument::names`].
    pub propositions: Vec<(String, Proposition)>,
    /// Those that the text gives.
    pub predicates: Vec<Predicate>,
    /// In the order of the file.
    pub properties: Vec<WhileProperty>,
    pub warnings: Vec<Diagnostic>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerVariable {
    pub domain: IntegerDomain,
    /// Where it is declared.
    pub span: Span,
}

/// What a variable can be. No step leaves this.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IntegerDomain {
    Int,
    Range(i64, i64),
    /// 0 is false and 1 is true.
    Bool,
    /// Numbers that stand for constants, rising. A constant has the same number in all variables.
    Constants(Vec<(i64, String)>),
}

/// Where a program is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerPlace {
    /// The command that comes next, in each process; empty at `error`. What a call does takes several places with
    /// the same command.
    pub next: Vec<Span>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mover {
    /// By its number.
    pub process: u32,
    /// The command.
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerStart {
    pub place: u32,
    /// Holds where the program can begin. It says that every variable is within its domain.
    pub condition: Condition,
}

impl IntegerDocument {
    /// What holds always, because of the domains.
    pub fn invariant(&self) -> Condition {
        let numbered = (0..).zip(&self.variables);
        linear::all(numbered.filter_map(|(number, variable)| variable.domain.holds_of(number)))
    }
}

impl std::fmt::Display for IntegerDomain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            IntegerDomain::Int => f.write_str("int"),
            IntegerDomain::Bool => f.write_str("bool"),
            IntegerDomain::Range(low, high) => write!(f, "{low}..{high}"),
            IntegerDomain::Constants(all) => {
                let names: Vec<&str> = all.iter().map(|(_, name)| &**name).collect();
                write!(f, "{{{}}}", names.join(", "))
            }
        }
    }
}

impl IntegerDomain {
    /// A value as one would write it.
    pub fn shown(&self, value: i64) -> String {
        match self {
            IntegerDomain::Bool if value == 0 => "false".to_owned(),
            IntegerDomain::Bool if value == 1 => "true".to_owned(),
            IntegerDomain::Constants(constants) => {
                let found = constants.iter().find(|(number, _)| *number == value);
                found.map_or_else(|| value.to_string(), |(_, name)| name.clone())
            }
            _ => value.to_string(),
        }
    }

    /// That a variable, by its number, has one of these values; nothing if that says nothing.
    pub fn holds_of(&self, variable: u32) -> Option<Condition> {
        let term = Term::Variable(variable);
        match self {
            IntegerDomain::Int => None,
            IntegerDomain::Range(low, high) => Some(linear::within(&term, *low, *high)),
            IntegerDomain::Bool => Some(linear::within(&term, 0, 1)),
            IntegerDomain::Constants(constants) => {
                Some(linear::among(&term, constants.iter().map(|(number, _)| *number)))
            }
        }
    }

    fn contains(&self, value: i64) -> bool {
        match self {
            IntegerDomain::Int => true,
            IntegerDomain::Range(low, high) => (*low..=*high).contains(&value),
            IntegerDomain::Bool => matches!(value, 0 | 1),
            IntegerDomain::Constants(constants) => {
                constants.iter().any(|(number, _)| *number == value)
            }
        }
    }
}

pub(super) fn is_over_integers(file: &File) -> bool {
    let is_int = |declared: &Declaration| matches!(declared.ty, Type::Int);
    let in_procedures = file.procedures.iter().any(|procedure| {
        procedure.parameters.iter().any(|(_, declared)| is_int(declared))
            || procedure.locals.iter().any(is_int)
            || has_assumption(&procedure.body)
    });
    in_procedures
        || !file.processes.is_empty()
        || !file.predicates.is_empty()
        || file.vars.iter().any(is_int)
        || has_assumption(&file.body)
}

fn has_assumption(body: &[Command]) -> bool {
    body.iter().any(|command| match &command.statement {
        Statement::Assume(_) => true,
        Statement::If { then, otherwise, .. } => {
            has_assumption(then) || otherwise.as_ref().is_some_and(|block| has_assumption(block))
        }
        Statement::While { body, .. } => has_assumption(body),
        _ => false,
    })
}

fn equal(variable: u32, value: i64) -> Condition {
    Term::Variable(variable).compared(Relation::Equal, Term::Constant(value))
}
