//! From the syntax tree to a [`transition::cfg::Program`], finite or over integers: names are looked up, types are
//! checked, and what can go wrong says when it does.

mod call;
mod command;
mod declare;
mod expr;
mod formula;
mod procedure;
mod process;
mod scope;

pub(super) use expr::Sort;

use super::ast::{Declaration, ExprId, Exprs, File, Procedure as Written, Property};
use super::kind::ProgramKind;
use super::lexer::folded;
use crate::document::Specification;
use crate::sink::Sink;
use formula::{Proposals, property};
use rustc_hash::FxHashMap;
use scope::Scope;
use std::sync::Arc;
use support::{Diagnostic, FileId, IdVec, Span};
use transition::cfg::{HoleId, ProcedureId, Program};
use transition::{Instance, Machine, NodeId, VarId};

/// More ways to go on, counted over all commands, take too much memory.
const MOST_BRANCHES: usize = 1 << 24;

pub(super) struct Builder<'f, 'a> {
    exprs: &'f Exprs<'a>,
    pub program: Program,
    kind: ProgramKind,
    pub sink: Sink,
    scope: Scope,
    /// The procedure or process whose body is being read.
    inside: Option<&'a str>,
    /// Whether it is a procedure.
    in_procedure: bool,
    /// The loops around the command that is being read.
    loops: usize,
    procedures: FxHashMap<&'a str, Known<'f, 'a>>,
    /// Where each label is.
    labels: FxHashMap<&'a str, Span>,
    /// The frame of each hole, and where it was given first.
    holes: FxHashMap<HoleId, (Vec<VarId>, Span)>,
    branches: usize,
    propositions: Proposals,
}

/// A procedure that can be called, once its number is known.
#[derive(Clone, Copy)]
struct Known<'f, 'a> {
    written: &'f Written<'a>,
    id: Option<ProcedureId>,
    /// The number of the cycle of calls that it is in.
    cycle: Option<u32>,
    is_called: bool,
}

/// A formula, the text that it is in, and the name that it gets if it has none.
pub(super) struct PropertyText<'f, 'a> {
    pub property: &'f Property<'a>,
    pub text: Arc<str>,
    pub name: Option<String>,
}

/// A program, and what is said and asked of it.
pub(super) struct Compiled {
    pub program: Program,
    pub properties: Vec<Specification>,
    pub propositions: Proposals,
    /// Those of a program over integers, with their names.
    pub predicates: Vec<(String, NodeId, Span)>,
    /// Has no errors.
    pub sink: Sink,
}

pub(super) fn compile<'f, 'a>(
    file: &'f File<'a>,
    asked: &[PropertyText<'f, 'a>],
    (id, text): (FileId, &str),
    sink: Sink,
    kind: ProgramKind,
) -> Result<Compiled, Vec<Diagnostic>> {
    let program = Program { data: empty_machine(), ..Program::default() };
    let mut builder = Builder::new(&file.exprs, program, sink);
    builder.kind = kind;
    builder.declare(&file.vars, None);
    builder.initial_values(&file.vars, None);
    builder.declare_procedures(&file.procedures);
    builder.procedures_in_order(&file.procedures);
    match kind {
        ProgramKind::Sequential => builder.program.body = builder.body(&file.body, id),
        ProgramKind::Interleaved | ProgramKind::Integers => builder.processes(file, id),
    }
    let has_predicates = builder.over_integers();
    if !has_predicates {
        builder.refuse_predicates(file);
    }
    builder.warn_of_uncalled();
    builder.refuse_holes_with_recursion();
    if !builder.sink.has_errors() {
        builder.separate();
    }
    let mut predicates = Vec::new();
    for &id in file.predicates.iter().filter(|_| has_predicates) {
        // What is wrong is in the sink.
        let Ok(node) = builder.atom(id) else { continue };
        let name = folded(text, file.exprs.inner_span(id).range());
        predicates.push((name, node, file.exprs.span(id)));
    }
    let properties: Vec<Specification> =
        asked.iter().filter_map(|asked| property(&mut builder, asked).ok()).collect();
    let Builder { program, sink, propositions, .. } = builder;
    match sink.has_errors() {
        true => Err(sink.into_diagnostics()),
        false => Ok(Compiled { program, properties, propositions, predicates, sink }),
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
            kind: ProgramKind::Sequential,
            sink,
            scope,
            inside: None,
            in_procedure: false,
            loops: 0,
            procedures: FxHashMap::default(),
            labels: FxHashMap::default(),
            holes: FxHashMap::default(),
            branches: 0,
            propositions: Proposals::default(),
        }
    }

    /// Whether variables may have no bounds.
    fn over_integers(&self) -> bool {
        self.kind == ProgramKind::Integers
    }

    /// Predicates are for abstractions of integers.
    fn refuse_predicates(&mut self, file: &File) {
        let Some(span) = file.predicates.first().map(|&first| file.exprs.span(first)) else {
            return;
        };
        self.sink.error(|| {
            let message = "predicates belong to programs over integers, which are not known here";
            Diagnostic::error(message, span, "not supported")
        });
    }

    fn span(&self, expr: ExprId) -> Span {
        self.exprs.span(expr)
    }

    fn machine(&mut self) -> &mut Machine {
        &mut self.program.data
    }
}

/// The variables of a procedure, parameters first.
fn own_vars<'f, 'a>(written: &'f Written<'a>) -> impl Iterator<Item = &'f Declaration<'a>> {
    written.parameters.iter().map(|(_, declared)| declared).chain(&written.locals)
}
