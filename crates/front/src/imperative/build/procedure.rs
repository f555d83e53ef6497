//! Procedures: those that others call come first, those that call each other together.

use super::{Builder, Known, own_vars};
use crate::imperative::ast::{Command, Name, Procedure as Written, Statement};
use crate::imperative::complaints::twice;
use crate::imperative::kind::ProgramKind;
use crate::imperative::parse::MAX_NESTING;
use rustc_hash::FxHashMap;
use support::Diagnostic;
use transition::cfg::Procedure;

/// The calls of a procedure, each with how deep it is nested, and the depth of all its commands.
#[derive(Default)]
struct Calls {
    called: Vec<(usize, usize)>,
    depth: usize,
}

impl<'f, 'a> Builder<'f, 'a> {
    pub(super) fn declare_procedures(&mut self, all: &'f [Written<'a>]) {
        for written in all {
            let name = written.name;
            if let Some(first) = self.procedures.get(name.text) {
                let first = first.written.name.span;
                self.sink.error(|| twice("the procedure", name, first));
                continue;
            }
            self.procedures.insert(name.text, Known::new(written));
            for declared in own_vars(written) {
                self.declare(std::slice::from_ref(declared), Some(name.text));
            }
        }
    }

    /// Reads the bodies, those that are called before those that call them.
    pub(super) fn procedures_in_order(&mut self, all: &'f [Written<'a>]) {
        let numbers: FxHashMap<&str, usize> =
            all.iter().enumerate().rev().map(|(index, p)| (p.name.text, index)).collect();
        let calls: Vec<Calls> =
            all.iter().map(|written| calls_of(&written.body, &numbers)).collect();
        let called = |at: u32| calls[at as usize].called.iter().map(|&(other, _)| other as u32);
        let component = support::components(all.len(), called);
        let is_recursive: Vec<bool> = (0..all.len())
            .map(|at| calls[at].called.iter().any(|&(other, _)| component[other] == component[at]))
            .collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&at| component[at]);
        let mut depths = vec![0; all.len()];
        for together in order.chunk_by(|&a, &b| component[a] == component[b]) {
            for &at in together {
                let inlined = calls[at].called.iter().filter(|&&(other, _)| !is_recursive[other]);
                let through = inlined.map(|&(other, depth)| depth + depths[other]);
                let depth = through.max().unwrap_or(0).max(calls[at].depth);
                depths[at] = self.nested(&all[at], depth);
            }
            let first = &all[together[0]];
            if is_recursive[together[0]] && self.kind != ProgramKind::Sequential {
                self.refuse_recursion(first.name);
                for &at in together {
                    let known = self.procedures.get_mut(all[at].name.text);
                    known.into_iter().for_each(|known| known.is_called = true);
                }
                continue;
            }
            let cycle = is_recursive[together[0]].then_some(component[together[0]]);
            let known = together.iter().filter(|&&at| self.number(&all[at], cycle)).copied();
            for at in known.collect::<Vec<_>>() {
                self.procedure(&all[at], cycle.is_some());
            }
        }
    }

    /// Gives a procedure a number, unless another one has its name.
    fn number(&mut self, written: &'f Written<'a>, cycle: Option<u32>) -> bool {
        let Some(known) = self.procedures.get_mut(written.name.text) else { return false };
        if !std::ptr::eq(known.written, written) {
            return false;
        }
        let (name, span) = (written.name.text.to_owned(), written.span);
        known.id = Some(self.program.procedures.push(Procedure { name, body: Vec::new(), span }));
        known.cycle = cycle;
        true
    }

    fn procedure(&mut self, written: &'f Written<'a>, is_recursive: bool) {
        self.inside = Some(written.name.text);
        self.in_procedure = true;
        let mut body = Vec::new();
        if is_recursive {
            // What is wrong is in the sink. The call itself is a step, which assigns the parameters.
            for kind in self.fresh_variables(written).unwrap_or_default() {
                body.push(self.push(kind, Vec::new(), written.name.span));
            }
        }
        body.extend(self.block(&written.body));
        self.in_procedure = false;
        self.inside = None;
        if let Some(id) = self.procedures.get(written.name.text).and_then(|known| known.id) {
            self.program.procedures[id].body = body;
        }
    }

    /// How deep a procedure is nested with what it calls; too deep is an error.
    fn nested(&mut self, written: &Written, depth: usize) -> usize {
        if depth <= MAX_NESTING {
            return depth;
        }
        self.sink.error(|| {
            let message = format!("with what it calls, `{}` is nested too deep", written.name.text);
            let label = format!("more than {MAX_NESTING} levels");
            Diagnostic::error(message, written.name.span, label)
                .with_help("let procedures call each other less deeply")
        });
        // Said once is enough.
        0
    }

    fn refuse_recursion(&mut self, name: Name) {
        self.sink.error(|| {
            let message = format!("the procedure `{}` calls itself", name.text);
            Diagnostic::error(message, name.span, "recursive").with_help(
                "a program with `process`, `assume` or `int` has no recursion: use a loop",
            )
        });
    }

    pub(super) fn warn_of_uncalled(&mut self) {
        let unused = self.procedures.values().filter(|known| !known.is_called);
        let mut unused: Vec<Name> = unused.map(|known| known.written.name).collect();
        unused.sort_by_key(|name| name.span.start);
        for name in unused {
            self.sink.warning(|| {
                let message = format!("the procedure `{}` is never called", name.text);
                Diagnostic::warning(message, name.span, "never called")
            });
        }
    }
}

fn calls_of(body: &[Command], numbers: &FxHashMap<&str, usize>) -> Calls {
    let mut calls = Calls::default();
    let mut open = vec![(body, 1)];
    while let Some((block, depth)) = open.pop() {
        calls.depth = calls.depth.max(depth);
        for command in block {
            match &command.statement {
                Statement::Call(name, _) => {
                    calls.called.extend(numbers.get(name.text).map(|&called| (called, depth + 1)));
                }
                Statement::While { body, .. } => open.push((body, depth + 1)),
                Statement::If { then, otherwise, .. } => {
                    open.push((then, depth + 1));
                    open.extend(otherwise.as_ref().map(|block| (&block[..], depth + 1)));
                }
                Statement::Skip
                | Statement::Fin
                | Statement::Assign(..)
                | Statement::Assume(_)
                | Statement::Assert(_)
                | Statement::Jump(_)
                | Statement::Hole(..) => {}
            }
        }
    }
    calls
}
