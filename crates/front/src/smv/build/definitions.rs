//! Definitions and arguments: each becomes one shared expression, after those that it needs.

use super::Builder;
use super::scope::{DefId, Definition, State, Symbol, Value};
use super::unsupported::Refusal;
use crate::smv::ast::{Expr, ExprId};
use support::{Diagnostic, IdVec};
use transition::{InstanceId, NodeId};

impl Builder<'_, '_> {
    /// All definitions, so that mistakes are found in unused ones, too. Unused arguments
    /// are not looked at: files rely on it.
    pub(super) fn lower_definitions(&mut self) {
        for def in self.definitions.ids() {
            if !self.definitions[def].is_argument {
                self.demand(vec![def]);
            }
        }
    }

    /// Makes sure that these, and all that they need, have their values. No recursion: chains of
    /// definitions can be long.
    pub(super) fn demand(&mut self, wanted: Vec<DefId>) {
        let mut open: Vec<(Option<DefId>, Vec<DefId>)> = vec![(None, wanted)];
        while let Some((current, needed)) = open.last_mut() {
            let Some(def) = needed.pop() else {
                let current = *current;
                open.pop();
                if let Some(def) = current {
                    self.finish(def);
                }
                continue;
            };
            match self.definitions[def].state {
                State::Untouched => {
                    self.definitions[def].state = State::Open;
                    let (scope, expr) = (self.definitions[def].scope, self.definitions[def].expr);
                    let needed = self.needed_by(scope, expr);
                    open.push((Some(def), needed));
                }
                State::Open => {
                    let cycle: Vec<DefId> = open.iter().filter_map(|(def, _)| *def).collect();
                    self.circular(def, &cycle);
                }
                State::Done(_) | State::Unsupported(_) | State::Failed => {}
            }
        }
    }

    fn finish(&mut self, def: DefId) {
        if let State::Open = self.definitions[def].state {
            let (scope, expr) = (self.definitions[def].scope, self.definitions[def].expr);
            let value = self.lower(scope, expr);
            self.definitions[def].state = match value {
                Ok(value) => State::Done(value),
                Err(Refusal::Unsupported(construct)) => State::Unsupported(construct),
                Err(Refusal::Reported) => State::Failed,
            };
        }
    }

    fn circular(&mut self, def: DefId, open: &[DefId]) {
        let start = open.iter().position(|&other| other == def).unwrap_or(0);
        let cycle = &open[start..];
        let names: Vec<String> = cycle
            .iter()
            .chain([&def])
            .map(|&def| format!("`{}`", self.definitions[def].name))
            .collect();
        let (name, span) = (self.definitions[def].name.clone(), self.definitions[def].span);
        self.error(|_| {
            let message = format!("`{name}` is defined by itself");
            Diagnostic::error(message, span, "this definition never ends")
                .with_help(format!("the cycle is {}", names.join(" → ")))
        });
        for &def in cycle {
            self.definitions[def].state = State::Failed;
        }
    }

    /// The definitions that an expression uses.
    fn needed_by(&self, scope: InstanceId, expr: ExprId) -> Vec<DefId> {
        let mut needed = Vec::new();
        self.file.exprs.visit(expr, |id, expr| {
            if let Expr::Name(_) | Expr::Dot(..) = expr
                && let Some(Symbol::Def(def)) = self.lookup(scope, id)
            {
                needed.push(def);
            }
        });
        needed
    }
}

/// The definitions that are expressions, by name.
pub(super) fn expressions(definitions: &IdVec<DefId, Definition>) -> Vec<(String, NodeId)> {
    let own = definitions.values().filter(|definition| !definition.is_argument);
    let node = |definition: &Definition| match definition.state {
        State::Done(Value::Node(node)) => Some((definition.name.clone(), node)),
        _ => None,
    };
    own.filter_map(node).collect()
}
