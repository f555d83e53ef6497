//! From the syntax tree to a [`transition::predicates::Program`].

use super::graph::Graph;
use super::processes::{Process, Product};
use super::{IntegerDocument, IntegerStart, IntegerVariable, Proposition, linear};
use crate::imperative::ast::{Exprs, File, Procedure};
use crate::imperative::build::{Asked, Proposals, Sort, property, warn_of_uncalled};
use crate::imperative::lexer::folded;
use crate::sink::{Parsed, Sink};
use rustc_hash::FxHashMap;
use support::{Diagnostic, FileId, Span};
use transition::predicates::{Condition, Predicate, Program};

pub(super) struct Builder<'f, 'a> {
    pub exprs: &'f Exprs<'a>,
    pub sink: Sink,
    /// By their numbers, as the following.
    pub names: Vec<String>,
    pub variables: Vec<IntegerVariable>,
    /// The variables by their full names: those of a procedure or process `p` are called `p.x`.
    pub scope: FxHashMap<String, u32>,
    /// The numbers of the constants of enumerations.
    pub constants: FxHashMap<&'a str, i64>,
    /// What the initial values of variables say.
    pub initially: FxHashMap<u32, Condition>,
    /// The procedure or process whose commands are being read.
    pub inside: Option<&'a str>,
    pub procedures: FxHashMap<&'a str, Known<'f, 'a>>,
    /// The number of each label, and where it is.
    pub labels: FxHashMap<&'a str, (u32, Span)>,
    /// Whether it has been said that the program is too large.
    pub is_too_large: bool,
    pub product: Product,
    pub propositions: Proposals<Proposition>,
}

/// A procedure that can be called.
pub(super) struct Known<'f, 'a> {
    pub written: &'f Procedure<'a>,
    /// What its commands do, once they have been read.
    pub body: Option<Graph>,
    pub is_called: bool,
}

pub(in crate::imperative) fn build<'f, 'a>(
    file: &'f File<'a>,
    asked: &[Asked<'f, 'a>],
    (id, text): (FileId, &str),
    sink: Sink,
) -> Result<IntegerDocument, Vec<Diagnostic>> {
    let mut builder = Builder::new(&file.exprs, sink);
    builder.declare(&file.vars, None);
    builder.initial_values(&file.vars, None);
    builder.declare_procedures(&file.procedures);
    builder.read_procedures(&file.procedures);
    let mut processes = builder.processes(file, id);
    builder.warn_of_uncalled();
    if !builder.sink.has_errors() {
        builder.separate(&mut processes);
        builder.multiply(&processes, text);
    }
    let predicates = builder.predicates(file, text);
    let properties: Vec<_> =
        asked.iter().filter_map(|asked| property(&mut builder, asked).ok()).collect();
    let start = builder.start();
    let Builder { sink, names, variables, product, propositions, .. } = builder;
    let has_errors = sink.has_errors();
    let warnings = sink.into_diagnostics();
    if has_errors {
        return Err(warnings);
    }
    Ok(IntegerDocument {
        program: Program { variables: names, places: product.names, steps: product.steps },
        variables,
        places: product.places,
        movers: product.movers,
        processes: processes.into_iter().map(|process| process.name).collect(),
        start,
        propositions: propositions.list,
        predicates,
        properties,
        warnings,
    })
}

impl<'f, 'a> Builder<'f, 'a> {
    fn new(exprs: &'f Exprs<'a>, sink: Sink) -> Self {
        Self {
            exprs,
            sink,
            names: Vec::new(),
            variables: Vec::new(),
            scope: FxHashMap::default(),
            constants: FxHashMap::default(),
            initially: FxHashMap::default(),
            inside: None,
            procedures: FxHashMap::default(),
            labels: FxHashMap::default(),
            is_too_large: false,
            product: Product::default(),
            propositions: Proposals::default(),
        }
    }

    pub(super) fn sort_of(&self, variable: u32) -> Sort {
        self.variables[variable as usize].domain.sort()
    }

    fn warn_of_uncalled(&mut self) {
        let unused = self.procedures.values().filter(|known| !known.is_called);
        warn_of_uncalled(unused.map(|known| known.written.name).collect(), &mut self.sink);
    }

    /// One process without a name, if the program is one sequence of commands.
    fn processes(&mut self, file: &'f File<'a>, id: FileId) -> Vec<Process> {
        if file.processes.is_empty() {
            let graph = self.commands(&file.body, id);
            return vec![Process { name: String::new(), span: Span::new(id, 0..0), graph }];
        }
        let mut processes: Vec<Process> = Vec::new();
        for written in &file.processes {
            let first = processes.iter().find(|process| process.name == written.name.text);
            self.declare_process(written, first.map(|process| process.span));
            self.inside = Some(written.name.text);
            let graph = self.commands(&written.body, id);
            self.inside = None;
            let name = written.name.text.to_owned();
            processes.push(Process { name, span: written.name.span, graph });
        }
        processes
    }

    fn predicates(&mut self, file: &File<'a>, text: &str) -> Vec<Predicate> {
        let read = |&id: &_| {
            let condition = self.always_defined(id)?;
            let name = folded(text, file.exprs.inner_span(id).range());
            Parsed::Ok(Predicate { name, condition })
        };
        file.predicates.iter().map(read).filter_map(Parsed::ok).collect()
    }

    fn start(&self) -> IntegerStart {
        let holds = (0..).zip(&self.variables).filter_map(|(number, variable)| {
            self.initially.get(&number).cloned().or_else(|| variable.domain.holds_of(number))
        });
        IntegerStart { place: self.product.start, condition: linear::all(holds) }
    }
}
