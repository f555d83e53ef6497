//! From syntax to a machine: modules are instantiated, names looked up, types checked.
//!
//! 1. [`instances`]: the tree of instances with their names; nothing is evaluated.
//! 2. [`types`]: the variables with their domains.
//! 3. [`definitions`]: definitions and arguments become shared expressions, those first that others
//!    need.
//! 4. [`assigns`] and [`constraints`]: what the machine does.
//! 5. [`specs`]: the specifications as formulas over propositions.

mod assigns;
mod constraints;
mod definitions;
mod expressions;
mod functions;
mod instances;
mod names;
mod operators;
mod scope;
mod specs;
mod types;

use super::ast::{ExprId, File, Item};
use crate::document::{MachineForm, Specification};
use crate::language::{ProcessFairness, without_processes};
use crate::sink::{Reported, Sink};
use crate::symbols::Symbols;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{ArrayId, ArrayVar, DefId, Definition, Scope};
use std::cell::RefCell;
use std::sync::Arc;
use support::{Diagnostic, IdVec, Interner, Span};
use transition::{InstanceId, Machine, NodeId, VarId};

/// Where a file may lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AllowedDomains {
    /// All variables have finitely many values.
    Finite,
    /// Some may be unbounded integers.
    Either,
}

/// The model built, and the first declaration of an unbounded integer.
pub(super) struct Built {
    pub form: MachineForm,
    pub specifications: Vec<Specification>,
    pub warnings: Vec<Diagnostic>,
    pub integers: Option<Span>,
    pub symbols: Symbols,
}

pub(super) fn build(
    file: &File,
    (text, domains): (&Arc<str>, AllowedDomains),
    fairness: Option<ProcessFairness>,
    sink: Sink,
    start: Span,
) -> Result<Built, Vec<Diagnostic>> {
    let mut builder = Builder::new(file, domains, sink);
    // Where a part could not be read, what seems to be missing proves nothing.
    if builder.sink.has_errors() || builder.instantiate(start).is_err() {
        return Err(builder.sink.into_diagnostics());
    }
    builder.declare_variables();
    builder.refuse_words_with_integers();
    builder.declare_selector();
    if fairness.is_some() && builder.machine.selector.is_none() && !builder.sink.has_errors() {
        return Err(without_processes(start.file));
    }
    if !builder.sink.has_errors() {
        builder.lower_definitions();
        builder.add_constraints();
        if fairness.is_some() {
            builder.add_fairness_of_processes();
        }
        builder.add_assigns();
    }
    let specs = if builder.sink.has_errors() { None } else { Some(builder.specifications(text)) };
    match specs {
        Some(specs) if !builder.sink.has_errors() => {
            let mut symbols = std::mem::take(&mut builder.sink.symbols);
            for (definition, name) in builder.uses.into_inner() {
                symbols.used(definition, name);
            }
            let definitions = definitions::expressions(&builder.definitions);
            Ok(Built {
                form: MachineForm {
                    machine: builder.machine,
                    propositions: specs.propositions,
                    names: specs.names,
                    is_sparse: false,
                    interleaving: None,
                    statements: None,
                    definitions,
                    counts_finite_paths: false,
                },
                specifications: specs.list,
                warnings: builder.sink.into_diagnostics(),
                integers: builder.integers,
                symbols,
            })
        }
        _ => Err(builder.sink.into_diagnostics()),
    }
}

struct Builder<'f, 'a> {
    file: &'f File<'a>,
    domains: AllowedDomains,
    /// Where the first unbounded integer is declared.
    integers: Option<Span>,
    machine: Machine,
    sink: Sink,
    /// Messages given already: every instance of a module would repeat them.
    said: FxHashSet<(Span, String)>,
    /// The names that were looked up, with their definitions.
    uses: RefCell<FxHashSet<(Span, Span)>>,
    modules: FxHashMap<&'f str, usize>,
    scopes: IdVec<InstanceId, Scope<'f>>,
    definitions: IdVec<DefId, Definition>,
    arrays: IdVec<ArrayId, ArrayVar>,
    /// All items but variables, with the instance that they belong to, in the order of the file.
    items: Vec<(InstanceId, &'f Item<'a>)>,
    /// By instance and expression: what says of a state that the invariant held in the step that led there.
    invariants_about_steps: FxHashMap<(InstanceId, ExprId), NodeId>,
    /// The variables, their instance and how far their names go.
    variables: Vec<(InstanceId, transition::VarKind, &'f super::ast::Declaration<'a>)>,
}

impl<'f, 'a> Builder<'f, 'a> {
    fn new(file: &'f File<'a>, domains: AllowedDomains, sink: Sink) -> Self {
        Self {
            file,
            domains,
            integers: None,
            machine: Machine { symbols: Interner::new(), ..Machine::default() },
            sink,
            said: FxHashSet::default(),
            uses: RefCell::default(),
            modules: FxHashMap::default(),
            scopes: IdVec::new(),
            definitions: IdVec::new(),
            arrays: IdVec::new(),
            items: Vec::new(),
            invariants_about_steps: FxHashMap::default(),
            variables: Vec::new(),
        }
    }

    /// Reports something, unless another instance did.
    fn error(&mut self, make: impl FnOnce(&Self) -> Diagnostic) -> Reported {
        let diagnostic = make(self);
        let place = diagnostic.labels[0].0;
        if self.said.insert((place, diagnostic.message.clone())) {
            self.sink.error(|| diagnostic);
        }
        Reported
    }

    fn warning(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.labels[0].0;
        if self.said.insert((place, diagnostic.message.clone())) {
            self.sink.warning(|| diagnostic);
        }
    }

    fn span(&self, expr: ExprId) -> Span {
        self.file.exprs.span(expr)
    }

    /// The name of something in an instance.
    fn full_name(&self, instance: InstanceId, name: &str) -> String {
        match &*self.machine.instances[instance].name {
            "" => name.to_owned(),
            prefix => format!("{prefix}.{name}"),
        }
    }

    fn variable_name(&self, var: VarId) -> &str {
        &self.machine.vars[var].name
    }
}
