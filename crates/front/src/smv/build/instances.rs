//! The tree of instances.

use super::Builder;
use super::scope::{DefId, Definition, Scope, State, Symbol};
use super::unsupported::{Lowered, Refusal};
use crate::smv::ast::{Constant, Declaration, Expr, ExprId, Item, Module, Name, Type};
use crate::symbols::SymbolKind;
use std::borrow::Cow;
use support::{Diagnostic, Span, did_you_mean, nearest};
use transition::{Instance, InstanceId};

/// A small file can describe more instances than there is memory for.
const MOST_INSTANCES: usize = 1 << 20;

/// An instance on its way.
struct Pending<'f, 'a> {
    id: InstanceId,
    module: &'f Module<'a>,
    /// The modules that it lies within, itself included.
    depth: usize,
}

impl<'f, 'a> Builder<'f, 'a> {
    pub(super) fn instantiate(&mut self, start: Span) -> Lowered<()> {
        let modules = &self.file.modules;
        for (index, module) in modules.iter().enumerate() {
            self.sink.symbols.define(SymbolKind::Module, module.name.span);
            let Some(&before) = self.modules.get(module.name.text) else {
                self.modules.insert(module.name.text, index);
                continue;
            };
            self.error(|_| twice("module", module.name, modules[before].name.span));
        }
        self.collect_constants();
        let main = self.main_module(start)?;
        self.machine.name = "main".to_owned();
        let mut open = vec![self.new_instance(main, "", None, false, 1)];
        while let Some(pending) = open.pop() {
            let children = self.fill(&pending)?;
            // The first child next, so that everything stays in the order of the file.
            open.extend(children.into_iter().rev());
        }
        self.add_dotted_definitions();
        if self.sink.has_errors() { Err(Refusal::Reported) } else { Ok(()) }
    }

    fn main_module(&mut self, start: Span) -> Lowered<&'f Module<'a>> {
        let Some(&main) = self.modules.get("main") else {
            let first = self.file.modules.first();
            let span = first.map_or(start, |module| module.name.span);
            let label = if first.is_some() { "the first module" } else { "the file is empty" };
            return Err(self.error(|_| {
                Diagnostic::error("there is no module `main`", span, label)
                    .with_help("the system is what `MODULE main` describes")
            }));
        };
        let main = &self.file.modules[main];
        if let Some(parameter) = main.parameters.first() {
            return Err(self.error(|_| {
                let message = "the module `main` has parameters";
                Diagnostic::error(message, parameter.span, "it is never assigned")
                    .with_help("declare them as variables, for example by `IVAR`")
            }));
        }
        Ok(main)
    }

    /// The symbolic constants of all types and `CONSTANTS`.
    fn collect_constants(&mut self) {
        for item in self.file.modules.iter().flat_map(|module| &module.items) {
            match item {
                Item::Constant(name) => drop(self.machine.symbols.intern(name.text)),
                Item::Var(_, declaration) => self.collect_from_type(&declaration.ty),
                _ => {}
            }
        }
    }

    fn collect_from_type(&mut self, ty: &Type) {
        match ty {
            Type::Enum(values) => {
                for (value, _) in values {
                    if let Constant::Symbol(name) = value {
                        self.machine.symbols.intern(name);
                    }
                }
            }
            Type::Array(_, _, element) | Type::Unsupported { element: Some(element), .. } => {
                self.collect_from_type(element);
            }
            _ => {}
        }
    }

    fn new_instance(
        &mut self,
        module: &'f Module<'a>,
        name: &str,
        parent: Option<InstanceId>,
        is_process: bool,
        depth: usize,
    ) -> Pending<'f, 'a> {
        let name = parent.map_or(String::new(), |parent| self.full_name(parent, name));
        let module_name = module.name.text.to_string();
        let instance = Instance { name, module: module_name, parent, is_process };
        let id = self.machine.instances.push(instance);
        let outer = parent.and_then(|parent| self.scopes[parent].process);
        let process = if is_process || parent.is_none() { Some(id) } else { outer };
        self.scopes.push(Scope { process, ..Scope::default() });
        Pending { id, module, depth }
    }

    /// Declares the names of an instance; its own instances are to be filled then.
    fn fill(&mut self, pending: &Pending<'f, 'a>) -> Lowered<Vec<Pending<'f, 'a>>> {
        let mut children = Vec::new();
        let mut open = vec![pending.module];
        let mut included = 0;
        while let Some(module) = open.pop() {
            for item in &module.items {
                match item {
                    Item::Var(kind, declaration) => match &declaration.ty {
                        Type::Instance { .. } => children.push(self.child(pending, declaration)?),
                        ty => {
                            self.refuse_instances_in(ty, declaration.span)?;
                            self.declare(pending.id, declaration.name, Symbol::Undeclared);
                            self.variables.push((pending.id, *kind, declaration));
                        }
                    },
                    Item::Define { name, value } => self.define(pending.id, *name, *value),
                    Item::Isa(name) => {
                        included += 1;
                        open.push(self.included(name, included)?);
                    }
                    _ => {}
                }
                self.items.push((pending.id, item));
            }
        }
        Ok(children)
    }

    /// Modules are no elements of arrays.
    fn refuse_instances_in(&mut self, mut ty: &Type, declaration: Span) -> Lowered<()> {
        while let Type::Array(_, _, element) = ty {
            ty = element;
        }
        let Type::Instance { module, .. } = ty else { return Ok(()) };
        self.module(module)?;
        Err(self.error(|_| {
            let message = "an array of modules is not supported";
            Diagnostic::error(message, module.span, "a module, and no type of values")
                .with_label(declaration, "the elements of an array are values")
                .with_help("declare the instances one by one: `c0 : m(…); c1 : m(…);`")
        }))
    }

    fn included(&mut self, name: &Name, count: usize) -> Lowered<&'f Module<'a>> {
        let module = self.module(name)?;
        if count > self.file.modules.len() {
            return Err(self.error(|_| {
                let message = format!("the module `{}` contains itself", name.text);
                Diagnostic::error(message, name.span, "by `ISA`, possibly through others")
            }));
        }
        Ok(module)
    }

    fn module(&mut self, name: &Name) -> Lowered<&'f Module<'a>> {
        if let Some(&index) = self.modules.get(name.text) {
            let found = &self.file.modules[index];
            self.sink.symbols.used(found.name.span, name.span);
            return Ok(found);
        }
        Err(self.error(|builder| {
            let mut names: Vec<&str> = builder.modules.keys().copied().collect();
            names.sort_unstable();
            let types =
                ["boolean", "word"].into_iter().filter(|ty| nearest(name.text, [*ty]).is_some());
            let names = names.into_iter().chain(types);
            let message = format!("unknown module `{}`", name.text);
            Diagnostic::error(message, name.span, "neither a module nor a type has this name")
                .with_help(did_you_mean(name.text, "the modules are", names))
        }))
    }

    fn child(
        &mut self,
        parent: &Pending<'f, 'a>,
        declaration: &'f Declaration<'a>,
    ) -> Lowered<Pending<'f, 'a>> {
        let Type::Instance { is_process, module, arguments } = &declaration.ty else {
            return Err(Refusal::Reported);
        };
        let of = self.module(module)?;
        // Deeper than there are modules: one of them contains itself.
        if parent.depth >= self.file.modules.len() {
            return Err(self.error(|_| {
                let message = format!("the module `{}` contains itself", module.text);
                Diagnostic::error(message, module.span, "directly or through other modules")
                    .with_label(of.name.span, "the module")
            }));
        }
        if self.machine.instances.len() >= MOST_INSTANCES {
            return Err(self.error(|_| {
                let message = format!("more than {MOST_INSTANCES} instances of modules");
                Diagnostic::error(message, declaration.span, "one too many")
            }));
        }
        let name = declaration.name;
        let child =
            self.new_instance(of, name.text, Some(parent.id), *is_process, parent.depth + 1);
        self.declare(parent.id, name, Symbol::Instance(child.id));
        self.pass_arguments(parent.id, child.id, of, arguments, declaration.span)?;
        Ok(child)
    }

    fn pass_arguments(
        &mut self,
        caller: InstanceId,
        child: InstanceId,
        module: &'f Module<'a>,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<()> {
        let (wanted, given) = (module.parameters.len(), arguments.len());
        if wanted != given {
            return Err(self.error(|_| {
                let name = &module.name.text;
                let message =
                    format!("the module `{name}` has {wanted} parameters and gets {given}");
                Diagnostic::error(message, span, format!("arguments: {given}"))
                    .with_label(module.name.span, format!("parameters: {wanted}"))
            }));
        }
        for (parameter, &argument) in module.parameters.iter().zip(arguments) {
            let name = self.full_name(child, parameter.text);
            let def = self.new_definition(caller, argument, name, self.span(argument));
            self.definitions[def].is_argument = true;
            self.declare(child, *parameter, Symbol::Def(def));
        }
        Ok(())
    }

    fn new_definition(
        &mut self,
        scope: InstanceId,
        expr: ExprId,
        name: String,
        span: Span,
    ) -> DefId {
        let state = State::Untouched;
        self.definitions.push(Definition { scope, expr, name, span, is_argument: false, state })
    }

    /// `d := …`; those of other instances, as `left.ack := …`, have to wait until all are there.
    fn define(&mut self, instance: InstanceId, name: ExprId, value: ExprId) {
        let span = self.span(name);
        match self.file.exprs.get(name) {
            Expr::Name(text) => {
                let full = self.full_name(instance, text);
                let def = self.new_definition(instance, value, full, span);
                self.declare(instance, Name { text, span }, Symbol::Def(def));
            }
            Expr::Dot(..) => {}
            _ => {
                self.error(|_| {
                    Diagnostic::error("only a name can be defined", span, "this is no name")
                        .with_help("an array is defined at once: `d := [1, 2, 3];`")
                });
            }
        }
    }

    fn declare(&mut self, instance: InstanceId, name: Name, symbol: Symbol) {
        let text: Cow<'f, str> = Cow::Owned(name.text.to_string());
        if let Some(&(_, before)) = self.scopes[instance].symbols.get(&text) {
            self.error(|_| twice("name", name, before));
            return;
        }
        if name.text == "self" || name.text == "running" {
            self.error(|_| {
                let message = format!("`{}` cannot be declared", name.text);
                Diagnostic::error(message, name.span, "it has a meaning of its own")
                    .with_help("choose another name")
            });
            return;
        }
        let kind = match symbol {
            Symbol::Instance(_) => SymbolKind::Component,
            Symbol::Def(_) => SymbolKind::Definition,
            _ => SymbolKind::Variable,
        };
        self.sink.symbols.define(kind, name.span);
        self.scopes[instance].symbols.insert(text, (symbol, name.span));
    }

    fn add_dotted_definitions(&mut self) {
        for index in 0..self.items.len() {
            let (instance, Item::Define { name, value }) = self.items[index] else { continue };
            let Expr::Dot(base, last) = self.file.exprs.get(*name) else { continue };
            let span = self.span(*name);
            let (target, name) = match self.as_instance(instance, *base) {
                Some(target) => (target, last.text.to_owned()),
                // A flattened model defines names with dots.
                None => {
                    let text = super::names::joined(&self.file.exprs, *name);
                    let Some(text) = text else { continue };
                    (instance, text)
                }
            };
            let full = self.full_name(target, &name);
            let def = self.new_definition(instance, *value, full, span);
            let place = if name == last.text { last.span } else { span };
            self.declare(target, Name { text: &name, span: place }, Symbol::Def(def));
        }
    }
}

fn twice(what: &str, name: Name, before: Span) -> Diagnostic {
    let message = format!("the {what} `{}` is declared twice", name.text);
    Diagnostic::error(message, name.span, "declared again here")
        .with_label(before, "declared first here")
        .with_help("take one of them out, or rename it")
}
