//! Procedures: those that others call come first, and none calls itself.

use super::{Builder, Known, own_vars};
use crate::imperative::ast::{Command, Name, Procedure as Written, Statement};
use crate::imperative::complaints::twice;
use crate::imperative::parse::MAX_NESTING;
use crate::sink::Sink;
use rustc_hash::FxHashMap;
use support::Diagnostic;
use transition::cfg::Procedure;

/// Where the search for an order is with a procedure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    /// With how deep its commands are nested, calls included.
    Done(usize),
}

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
        for index in order(all, &mut self.sink) {
            let written = &all[index];
            let is_first =
                |known: &Known| std::ptr::eq(known.written, written) && known.id.is_none();
            if !self.procedures.get(written.name.text).is_some_and(is_first) {
                continue;
            }
            self.inside = Some(written.name.text);
            self.in_procedure = true;
            let body = self.block(&written.body);
            self.in_procedure = false;
            self.inside = None;
            let name = written.name.text.to_owned();
            let id = self.program.procedures.push(Procedure { name, body, span: written.span });
            if let Some(known) = self.procedures.get_mut(written.name.text) {
                known.id = Some(id);
            }
        }
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

/// An order in which nothing is called before it is there; what is in a cycle is left out.
fn order(all: &[Written], sink: &mut Sink) -> Vec<usize> {
    let numbers: FxHashMap<&str, usize> =
        all.iter().enumerate().rev().map(|(index, p)| (p.name.text, index)).collect();
    let calls: Vec<Calls> = all.iter().map(|written| calls_of(&written.body, &numbers)).collect();
    let mut states = vec![State::New; all.len()];
    let mut order = Vec::new();
    for start in 0..all.len() {
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some((at, next)) = path.pop() {
            if next == 0 && states[at] != State::New {
                if states[at] == State::Open {
                    report_cycle(all, &path, at, sink);
                }
                continue;
            }
            states[at] = State::Open;
            if let Some(&(called, _)) = calls[at].called.get(next) {
                path.push((at, next + 1));
                path.push((called, 0));
                continue;
            }
            states[at] = State::Done(depth_of(&all[at], &calls[at], &states, sink));
            order.push(at);
        }
    }
    order
}

/// How deep a procedure is nested; too deep is an error.
fn depth_of(written: &Written, calls: &Calls, states: &[State], sink: &mut Sink) -> usize {
    let through = calls.called.iter().map(|&(called, depth)| match states[called] {
        State::Done(inner) => depth + inner,
        State::New | State::Open => depth,
    });
    let depth = through.max().unwrap_or(0).max(calls.depth);
    if depth <= MAX_NESTING {
        return depth;
    }
    sink.error(|| {
        let message = format!("with what it calls, `{}` is nested too deep", written.name.text);
        let label = format!("more than {MAX_NESTING} levels");
        Diagnostic::error(message, written.name.span, label)
            .with_help("let procedures call each other less deeply")
    });
    // Said once is enough.
    0
}

fn report_cycle(all: &[Written], path: &[(usize, usize)], again: usize, sink: &mut Sink) {
    let start = path.iter().position(|&(at, _)| at == again).unwrap_or(0);
    let cycle = path[start..].iter().map(|&(at, _)| at).chain([again]);
    let names: Vec<String> = cycle.map(|at| format!("`{}`", all[at].name.text)).collect();
    let name = all[again].name;
    sink.error(|| {
        let message = format!("the procedure `{}` calls itself", name.text);
        let label = match names.len() {
            2 => "recursive".to_owned(),
            _ => names.join(" calls "),
        };
        Diagnostic::error(message, name.span, label)
            .with_help("recursion is not supported: use a loop")
    });
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
