//! From syntax to a machine: modules are instantiated, names looked up, types checked.
//!
//! 1. [`instances`]: the tree of instances with their names; nothing is evaluated.
//! 2. [`types`]: the variables with their domains.
//! 3. [`definitions`]: definitions and arguments become shared expressions, those first that others
//!    need.
//! 4. [`assigns`] and [`constraints`]: what the machine does.
//! 5. [`specs`]: the specifications as formulas over propositions.
//!
//! Where a construct is not supported, all that depends on it is left out ([`unsupported`]): what that is shows at the
//! end of a pass, and a second pass builds the machine without it.

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
mod unsupported;

use super::ast::{ExprId, File, Item};
use crate::document::{MachineForm, Specification};
use crate::language::{ProcessFairness, without_processes};
use crate::sink::Sink;
use crate::symbols::Symbols;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{ArrayId, ArrayVar, DefId, Definition, Scope};
use std::cell::RefCell;
use std::sync::Arc;
use support::{Diagnostic, IdVec, Interner, Span};
use transition::{InstanceId, Machine, NodeId, VarId};
use unsupported::{Refusal, UnsupportedConstruct, UnsupportedVars};

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
    /// Constructs of the model that are not supported; variables that depend on them are left out.
    pub unsupported: Vec<Diagnostic>,
}

pub(super) fn build(
    file: &File,
    (text, domains): (&Arc<str>, AllowedDomains),
    fairness: Option<ProcessFairness>,
    sink: Sink,
    start: Span,
) -> Result<Built, Vec<Diagnostic>> {
    // Where a part could not be read, what seems to be missing proves nothing.
    if sink.has_errors() {
        return Err(sink.into_diagnostics());
    }
    let mut left_out = UnsupportedVars::default();
    loop {
        let mut builder = Builder::new(file, domains, sink.clone(), left_out);
        builder.build_machine(fairness, start)?;
        if !builder.newly_unsupported.is_empty() {
            left_out = builder.unsupported;
            left_out.extend(builder.newly_unsupported);
            continue;
        }
        return builder.finish_with_specifications(text);
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
    /// Variables that are left out.
    unsupported: UnsupportedVars,
    /// Variables that turn out to depend on what is not supported.
    newly_unsupported: UnsupportedVars,
    /// Unsupported constructs of constraints, on which every specification depends.
    unsupported_constraint: Option<UnsupportedConstruct>,
    /// Unsupported constructs of fairness, on which every specification about fair paths depends.
    unsupported_fairness: Option<UnsupportedConstruct>,
    /// All such constructs of the model, once each.
    constructs: Vec<UnsupportedConstruct>,
}

impl<'f, 'a> Builder<'f, 'a> {
    fn new(
        file: &'f File<'a>,
        domains: AllowedDomains,
        sink: Sink,
        unsupported: UnsupportedVars,
    ) -> Self {
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
            unsupported,
            newly_unsupported: UnsupportedVars::default(),
            unsupported_constraint: None,
            unsupported_fairness: None,
            constructs: Vec::new(),
        }
    }

    /// Everything but the specifications; an error of the file ends it.
    fn build_machine(
        &mut self,
        fairness: Option<ProcessFairness>,
        start: Span,
    ) -> Result<(), Vec<Diagnostic>> {
        if self.instantiate(start).is_ok() {
            self.declare_variables();
            self.leave_out_words_beside_integers();
            self.declare_selector();
        }
        if fairness.is_some() && self.machine.selector.is_none() && !self.sink.has_errors() {
            return Err(without_processes(start.file));
        }
        if !self.sink.has_errors() {
            self.lower_definitions();
            self.add_constraints();
            if fairness.is_some() {
                self.add_fairness_of_processes();
            }
            self.add_assigns();
        }
        match self.sink.has_errors() {
            true => Err(std::mem::take(&mut self.sink).into_diagnostics()),
            false => Ok(()),
        }
    }

    fn finish_with_specifications(mut self, text: &Arc<str>) -> Result<Built, Vec<Diagnostic>> {
        let specs = self.specifications(text);
        if self.sink.has_errors() {
            return Err(self.sink.into_diagnostics());
        }
        let mut symbols = std::mem::take(&mut self.sink.symbols);
        for (definition, name) in self.uses.into_inner() {
            symbols.used(definition, name);
        }
        let definitions = definitions::expressions(&self.definitions);
        Ok(Built {
            form: MachineForm {
                machine: self.machine,
                propositions: specs.propositions,
                names: specs.names,
                is_sparse: false,
                interleaving: None,
                statements: None,
                definitions,
                counts_finite_paths: false,
            },
            specifications: specs.list,
            warnings: self.sink.into_diagnostics(),
            integers: self.integers,
            symbols,
            unsupported: self.constructs.into_iter().map(UnsupportedConstruct::warning).collect(),
        })
    }

    /// Notes a construct of the model.
    fn note_unsupported(&mut self, construct: UnsupportedConstruct) {
        if !self.constructs.contains(&construct) {
            self.constructs.push(construct);
        }
    }

    /// Reports something, unless another instance did.
    fn error(&mut self, make: impl FnOnce(&Self) -> Diagnostic) -> Refusal {
        let diagnostic = make(self);
        let place = diagnostic.labels[0].0;
        if self.said.insert((place, diagnostic.message.clone())) {
            self.sink.error(|| diagnostic);
        }
        Refusal::Reported
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
