//! From the syntax tree to a [`transition::cfg::Program`]: names are looked up, types are checked, and what can go wrong says
//! when it does.

mod call;
mod command;
mod declare;
mod expr;
mod formula;
mod procedure;
mod scope;

pub(super) use expr::Sort;
pub(super) use formula::{Atoms, Proposals, property};
pub(super) use procedure::{order, warn_of_uncalled};
pub(super) use scope::Scope;

use super::ast::{Declaration, ExprId, Exprs, File, Procedure as Written, Property};
use super::{WhileDocument, WhileProperty};
use crate::sink::Sink;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use support::{Diagnostic, FileId, IdVec, Span};
use transition::cfg::{Atom, HoleId, ProcedureId, Program};
use transition::{Instance, Machine, VarId};

/// More ways to go on, counted over all commands, take too much memory.
const MOST_BRANCHES: usize = 1 << 24;

pub(super) struct Builder<'f, 'a> {
    exprs: &'f Exprs<'a>,
    pub program: Program,
    pub sink: Sink,
    scope: Scope,
    /// The procedure whose body is being read.
    inside: Option<&'a str>,
    procedures: FxHashMap<&'a str, Known<'f, 'a>>,
    /// Where each label is.
    labels: FxHashMap<&'a str, Span>,
    /// What each hole may change, and where that was said first.
    holes: FxHashMap<HoleId, (Vec<VarId>, Span)>,
    branches: usize,
    propositions: Proposals<Atom>,
}

/// A procedure that can be called, once its number is known.
#[derive(Clone, Copy)]
struct Known<'f, 'a> {
    written: &'f Written<'a>,
    id: Option<ProcedureId>,
    is_called: bool,
}

/// A formula, the text that it is in, and the name that it gets if it has none.
pub(super) struct Asked<'f, 'a> {
    pub property: &'f Property<'a>,
    pub text: Arc<str>,
    pub name: Option<String>,
}

pub(super) fn build<'f, 'a>(
    file: &'f File<'a>,
    asked: &[Asked<'f, 'a>],
    id: FileId,
    sink: Sink,
) -> Result<WhileDocument, Vec<Diagnostic>> {
    let program = Program { data: empty_machine(), ..Program::default() };
    let mut builder = Builder::new(&file.exprs, program, sink);
    builder.declare(&file.vars, None);
    builder.declare_procedures(&file.procedures);
    builder.procedures_in_order(&file.procedures);
    builder.refuse_integers(file);
    builder.main(&file.body, id);
    builder.warn_of_uncalled();
    let properties: Vec<WhileProperty> =
        asked.iter().filter_map(|asked| property(&mut builder, asked).ok()).collect();
    let Builder { program, sink, propositions, .. } = builder;
    let has_errors = sink.has_errors();
    let warnings = sink.into_diagnostics();
    match has_errors {
        true => Err(warnings),
        false => {
            let propositions = propositions.list;
            Ok(WhileDocument { program, properties, propositions, warnings })
        }
    }
}

fn empty_machine() -> Machine {
    let main = Instance {
        name: String::new(),
        module: "main".to_owned(),
        parent: None,
        is_process: false,
    };
    let instances: IdVec<_, _> = [main].into_iter().collect();
    Machine { name: "main".to_owned(), instances, ..Machine::default() }
}

impl<'f, 'a> Builder<'f, 'a> {
    pub fn new(exprs: &'f Exprs<'a>, program: Program, sink: Sink) -> Self {
        let scope = Scope::of(&program.data);
        Self {
            exprs,
            program,
            sink,
            scope,
            inside: None,
            procedures: FxHashMap::default(),
            labels: FxHashMap::default(),
            holes: FxHashMap::default(),
            branches: 0,
            propositions: Proposals::default(),
        }
    }

    /// What only programs over integers have, besides their types and commands.
    fn refuse_integers(&mut self, file: &File) {
        let process = file.processes.first().map(|process| process.name.span);
        let predicate = file.predicates.first().map(|&first| file.exprs.span(first));
        let found = [(process, "processes"), (predicate, "predicates")];
        for (span, what) in found {
            let Some(span) = span else { continue };
            self.sink.error(|| {
                let message =
                    format!("{what} belong to programs over integers, which are not known here");
                Diagnostic::error(message, span, "not supported")
            });
        }
    }

    fn span(&self, expr: ExprId) -> Span {
        self.exprs.span(expr)
    }

    fn machine(&mut self) -> &mut Machine {
        &mut self.program.data
    }
}

/// The variables of a procedure, parameters first.
pub(super) fn own_vars<'f, 'a>(
    written: &'f Written<'a>,
) -> impl Iterator<Item = &'f Declaration<'a>> {
    written.parameters.iter().map(|(_, declared)| declared).chain(&written.locals)
}
