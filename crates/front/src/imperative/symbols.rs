//! The names of a program: where they are defined, and what leads there.

use super::ast::{
    Command, Declaration, Expr, ExprId, File, Name, Statement, Type, Value, operands,
};
use crate::symbols::{SymbolKind, Symbols};
use rustc_hash::FxHashMap;
use support::Span;

/// Definitions by name; those of a procedure or process `p` as `p.x`, too.
type Scope = FxHashMap<String, Span>;

pub(super) fn symbols(file: &File) -> Symbols {
    let mut resolver = Resolver { file, symbols: Symbols::default(), scope: Scope::default() };
    resolver.declare(&file.vars, None);
    for procedure in &file.procedures {
        resolver.define(SymbolKind::Procedure, procedure.name, None);
        let parameters = procedure.parameters.iter().map(|(_, declared)| declared);
        resolver.declare(parameters.chain(&procedure.locals), Some(procedure.name.text));
    }
    for process in &file.processes {
        resolver.define(SymbolKind::Process, process.name, None);
        resolver.declare(&process.locals, Some(process.name.text));
    }
    let procedures = file.procedures.iter().map(|one| (Some(one.name.text), &one.body));
    let processes = file.processes.iter().map(|one| (Some(one.name.text), &one.body));
    let bodies: Vec<_> = procedures.chain(processes).chain([(None, &file.body)]).collect();
    bodies.iter().for_each(|(_, body)| resolver.labels(body));
    for (inside, body) in bodies {
        resolver.commands(body, inside);
    }
    file.predicates.iter().for_each(|&predicate| resolver.expr(predicate, None));
    for property in &file.properties {
        if let Some(name) = property.name {
            resolver.symbols.define(SymbolKind::Property, name.span);
        }
        resolver.expr(property.expr, None);
    }
    resolver.symbols
}

struct Resolver<'f, 'a> {
    file: &'f File<'a>,
    symbols: Symbols,
    scope: Scope,
}

impl<'f, 'a> Resolver<'f, 'a> {
    fn define(&mut self, kind: SymbolKind, name: Name, inside: Option<&str>) {
        self.symbols.define(kind, name.span);
        let full = inside.map_or(name.text.to_owned(), |outer| format!("{outer}.{}", name.text));
        self.scope.entry(full).or_insert(name.span);
    }

    fn declare<'d>(
        &mut self,
        declared: impl IntoIterator<Item = &'d Declaration<'a>>,
        inside: Option<&str>,
    ) where
        'a: 'd,
    {
        for declaration in declared {
            self.define(SymbolKind::Variable, declaration.name, inside);
            if let Type::Enum(constants) = &declaration.ty {
                for &constant in constants {
                    match self.scope.get(constant.text) {
                        Some(&first) => self.symbols.used(first, constant.span),
                        None => self.define(SymbolKind::Constant, constant, None),
                    }
                }
            }
            if let Some((value, _)) = &declaration.init {
                self.value(value, inside);
            }
        }
    }

    fn labels(&mut self, commands: &'f [Command<'a>]) {
        for command in commands {
            for &label in &command.labels {
                self.define(SymbolKind::Label, label, Some("at_"));
            }
            match &command.statement {
                Statement::If { then, otherwise, .. } => {
                    self.labels(then);
                    self.labels(otherwise.as_deref().unwrap_or_default());
                }
                Statement::While { body, .. } => self.labels(body),
                _ => {}
            }
        }
    }

    fn commands(&mut self, commands: &'f [Command<'a>], inside: Option<&str>) {
        for command in commands {
            match &command.statement {
                Statement::Skip | Statement::Fin | Statement::Jump(_) => {}
                Statement::Assign(target, value, _) => {
                    self.used(target.name.text, target.name.span, inside);
                    target.index.into_iter().for_each(|index| self.expr(index, inside));
                    self.value(value, inside);
                }
                Statement::If { condition, then, otherwise, .. } => {
                    self.expr(*condition, inside);
                    self.commands(then, inside);
                    self.commands(otherwise.as_deref().unwrap_or_default(), inside);
                }
                Statement::While { condition, body } => {
                    self.expr(*condition, inside);
                    self.commands(body, inside);
                }
                Statement::Call(name, arguments) => {
                    self.used(name.text, name.span, None);
                    arguments.iter().for_each(|&argument| self.expr(argument, inside));
                }
                Statement::Hole(_, changed) => {
                    changed.iter().for_each(|name| self.used(name.text, name.span, inside));
                }
                Statement::Assume(condition) | Statement::Assert(condition) => {
                    self.expr(*condition, inside)
                }
            }
        }
    }

    fn value(&mut self, value: &Value, inside: Option<&str>) {
        match value {
            Value::One(expr) => self.expr(*expr, inside),
            Value::Set(exprs) => exprs.iter().for_each(|&expr| self.expr(expr, inside)),
            Value::Any => {}
        }
    }

    fn expr(&mut self, id: ExprId, inside: Option<&str>) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let expr = self.file.exprs.get(id);
            match expr {
                Expr::Name(name) => self.used(name, self.file.exprs.inner_span(id), inside),
                Expr::Index(name, _) => self.used(name.text, name.span, inside),
                Expr::At(label) => {
                    self.used(&format!("at_.{label}"), self.file.exprs.inner_span(id), None);
                }
                _ => {}
            }
            operands(expr, |operand| open.push(operand));
        }
    }

    fn used(&mut self, name: &str, span: Span, inside: Option<&str>) {
        let own = inside.and_then(|outer| self.scope.get(&format!("{outer}.{name}")));
        if let Some(&definition) = own.or_else(|| self.scope.get(name)) {
            self.symbols.used(definition, span);
        }
    }
}
