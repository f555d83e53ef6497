//! Resolution of paths such as `a.b[2].c`.

use super::Builder;
use super::scope::Symbol;
use super::unsupported::Refusal;
use crate::smv::ast::{Expr, ExprId, Exprs};
use std::borrow::Cow;
use support::{Diagnostic, Span, did_you_mean};
use transition::{InstanceId, symbol_value};

/// How many arguments may be passed on before it counts as a cycle.
const LONGEST_CHAIN: usize = 1000;

impl Builder<'_, '_> {
    /// Resolves a name, or a path of names.
    pub(super) fn lookup(&self, scope: InstanceId, expr: ExprId) -> Option<Symbol> {
        self.find(scope, expr, 0)
    }

    fn find(&self, scope: InstanceId, expr: ExprId, depth: usize) -> Option<Symbol> {
        let symbols = |instance: InstanceId, name: &str, span: Span| {
            let (symbol, definition) = self.scopes[instance].symbols.get(name)?;
            self.uses.borrow_mut().insert((*definition, span));
            Some(*symbol)
        };
        let span = self.span(expr);
        match self.file.exprs.get(expr) {
            Expr::Name("self") => Some(Symbol::Instance(scope)),
            Expr::Name("running") => self.running(scope),
            Expr::Name(name) => symbols(scope, name, span),
            Expr::Dot(base, name) => match self.instance_at(scope, *base, depth) {
                Some(instance) if name.text == "running" => self.running(instance),
                Some(instance) => symbols(instance, name.text, name.span),
                None => symbols(scope, &joined(&self.file.exprs, expr)?, span),
            },
            // An element of an array that a flattened model has as a variable of its own.
            Expr::Element(..) => symbols(scope, &joined(&self.file.exprs, expr)?, span),
            _ => None,
        }
    }

    fn running(&self, instance: InstanceId) -> Option<Symbol> {
        self.machine.selector?;
        self.scopes[instance].process.map(Symbol::Running)
    }

    /// The instance that a path leads to, through parameters.
    pub(super) fn as_instance(&self, scope: InstanceId, expr: ExprId) -> Option<InstanceId> {
        self.instance_at(scope, expr, 0)
    }

    fn instance_at(&self, scope: InstanceId, expr: ExprId, depth: usize) -> Option<InstanceId> {
        if depth > LONGEST_CHAIN {
            return None;
        }
        match self.find(scope, expr, depth + 1)? {
            Symbol::Instance(instance) => Some(instance),
            Symbol::Def(def) => {
                let definition = &self.definitions[def];
                self.instance_at(definition.scope, definition.expr, depth + 1)
            }
            _ => None,
        }
    }

    /// The value of a symbolic constant.
    pub(super) fn constant(&self, name: &str) -> Option<i64> {
        self.machine.symbols.get(name).map(symbol_value)
    }

    pub(super) fn unknown_name(&mut self, scope: InstanceId, expr: ExprId) -> Refusal {
        let span = self.span(expr);
        self.error(|builder| {
            let (place, name) = match builder.file.exprs.get(expr) {
                Expr::Dot(base, name) => match builder.as_instance(scope, *base) {
                    Some(instance) => (instance, name.text),
                    None => return builder.not_an_instance(scope, *base),
                },
                Expr::Name(name) => (scope, *name),
                _ => (scope, "?"),
            };
            let instance = &builder.machine.instances[place];
            let label =
                format!("neither the module `{}` nor a type has this name", instance.module);
            let error = Diagnostic::error(format!("unknown name `{name}`"), span, label);
            error.with_help(builder.help_with_name(place, name))
        })
    }

    fn not_an_instance(&self, scope: InstanceId, base: ExprId) -> Diagnostic {
        let span = self.span(base);
        let text = joined(&self.file.exprs, base).unwrap_or_else(|| "this".to_owned());
        let message = format!("`{text}` is no instance of a module");
        let known = self.lookup(scope, base).is_some();
        let label = if known { "it has no parts" } else { "there is nothing of this name" };
        let names: Vec<&str> = self.sorted_names(scope);
        Diagnostic::error(message, span, label).with_nearest(&text, names)
    }

    fn sorted_names(&self, scope: InstanceId) -> Vec<&str> {
        let mut names: Vec<&str> = self.scopes[scope].symbols.keys().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }

    fn help_with_name(&self, scope: InstanceId, name: &str) -> String {
        let names = self.sorted_names(scope);
        if name == "running" {
            return "`running` exists where there are processes".to_owned();
        }
        if let Some((before, _)) = name.split_once('-')
            && names.contains(&before)
        {
            return format!("`-` is a part of names: put spaces around it, `{before} - …`");
        }
        if matches!(name, "true" | "false") {
            return format!("write `{}`", name.to_uppercase());
        }
        let all = names.into_iter().chain(self.machine.symbols.names());
        did_you_mean(name, "the names are", all)
    }
}

/// A path of names and constant indices as one text.
pub(super) fn joined(exprs: &Exprs, mut expr: ExprId) -> Option<String> {
    let mut pieces: Vec<Cow<str>> = Vec::new();
    loop {
        match exprs.get(expr) {
            Expr::Dot(base, name) => {
                pieces.push(Cow::Borrowed(name.text));
                pieces.push(Cow::Borrowed("."));
                expr = *base;
            }
            Expr::Element(base, index) => {
                pieces.push(Cow::Owned(format!("[{}]", constant_index(exprs, *index)?)));
                expr = *base;
            }
            Expr::Name(first) => {
                pieces.push(Cow::Borrowed(first));
                return Some(pieces.into_iter().rev().collect());
            }
            _ => return None,
        }
    }
}

fn constant_index(exprs: &Exprs, index: ExprId) -> Option<i64> {
    match exprs.get(index) {
        Expr::Int(value) => Some(*value),
        Expr::Neg(value) => constant_index(exprs, *value)?.checked_neg(),
        _ => None,
    }
}
