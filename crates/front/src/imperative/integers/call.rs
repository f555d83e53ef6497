//! Procedures and calls: assignments of the parameters around the steps of the body.

use super::build::{Builder, Known};
use super::graph::{Graph, Way};
use super::linear::truth;
use crate::imperative::ast::{Declaration, Expr, ExprId, Name, Passing, Procedure, Target, Value};
use crate::imperative::build::{order, own_vars};
use crate::imperative::complaints::{self, twice};
use crate::sink::{Parsed, Reported};
use support::Span;

impl<'f, 'a> Builder<'f, 'a> {
    pub(super) fn declare_procedures(&mut self, all: &'f [Procedure<'a>]) {
        for written in all {
            let name = written.name;
            if let Some(first) = self.procedures.get(name.text) {
                let first = first.written.name.span;
                self.sink.error(|| twice("the procedure", name, first));
                continue;
            }
            self.procedures.insert(name.text, Known { written, body: None, is_called: false });
            for declared in own_vars(written) {
                self.declare(std::slice::from_ref(declared), Some(name.text));
            }
        }
    }

    /// Reads the bodies, those that are called before those that call them.
    pub(super) fn read_procedures(&mut self, all: &'f [Procedure<'a>]) {
        for index in order(all, &mut self.sink) {
            let written = &all[index];
            let is_first =
                |known: &Known| std::ptr::eq(known.written, written) && known.body.is_none();
            if !self.procedures.get(written.name.text).is_some_and(is_first) {
                continue;
            }
            self.inside = Some(written.name.text);
            let mut body = Graph::default();
            self.block(&written.body, &mut body);
            self.inside = None;
            if let Some(known) = self.procedures.get_mut(written.name.text) {
                known.body = Some(body);
            }
        }
    }

    pub(super) fn call(
        &mut self,
        name: Name<'a>,
        arguments: &[ExprId],
        labels: Vec<u32>,
        span: Span,
        graph: &mut Graph,
    ) -> Parsed<()> {
        let written = match self.procedures.get_mut(name.text) {
            Some(known) => {
                known.is_called = true;
                known.written
            }
            None => return Err(self.no_procedure(name)),
        };
        if written.parameters.len() != arguments.len() {
            let given = arguments.len();
            return Err(self.sink.error(|| complaints::other_count(written, given, name.span)));
        }
        let before = self.ways_before(written, arguments);
        let after = self.ways_after(written, arguments);
        let (mut before, after) = (before?, after?);
        if before.is_empty() {
            before.push(vec![Way::passes(truth(true))]);
        }
        let mut labels = Some(labels);
        // All steps of a call are at the call.
        for ways in before {
            self.simple(ways, labels.take().unwrap_or_default(), span, graph)?;
        }
        // A procedure that has no body is in a cycle, and that has been said.
        let body = self.procedures.get(name.text).and_then(|known| known.body.as_ref());
        let size = graph.size + body.ok_or(Reported)?.size;
        self.refuse_large_program(size, span)?;
        let body = self.procedures.get(name.text).and_then(|known| known.body.as_ref());
        graph.append(body.ok_or(Reported)?);
        for ways in after {
            self.simple(ways, Vec::new(), span, graph)?;
        }
        Ok(())
    }

    fn no_procedure(&mut self, name: Name) -> Reported {
        let is_variable = self.scope.contains_key(name.text);
        let known = self.procedures.keys().copied();
        self.sink.error(|| complaints::no_procedure(name, is_variable, known))
    }

    fn own(&self, written: &Procedure, declared: &Declaration) -> Parsed<u32> {
        let full = format!("{}.{}", written.name.text, declared.name.text);
        self.scope.get(&full).copied().ok_or(Reported)
    }

    /// Value parameters are assigned, then results and local variables begin.
    fn ways_before(
        &mut self,
        written: &'f Procedure<'a>,
        arguments: &[ExprId],
    ) -> Parsed<Vec<Vec<Way>>> {
        let mut steps = Vec::new();
        let mut result = Ok(());
        for ((passing, declared), &argument) in written.parameters.iter().zip(arguments) {
            if *passing == Passing::In {
                let span = self.exprs.span(argument);
                let ways = self
                    .own(written, declared)
                    .and_then(|variable| self.assign(variable, &Value::One(argument), span));
                match ways {
                    Ok(ways) => steps.push(ways),
                    Err(reported) => result = Err(reported),
                }
            }
        }
        result?;
        for (passing, declared) in &written.parameters {
            if *passing == Passing::Out {
                let variable = self.own(written, declared)?;
                steps.push(self.any(variable, declared.name.span)?);
            }
        }
        for declared in &written.locals {
            let variable = self.own(written, declared)?;
            let around = self.inside.replace(written.name.text);
            let ways = match &declared.init {
                None => self.any(variable, declared.name.span),
                Some((value, span)) => self.assign(variable, value, *span),
            };
            self.inside = around;
            steps.push(ways?);
        }
        Ok(steps)
    }

    /// The results are assigned to what stands in their place.
    fn ways_after(&mut self, written: &Procedure, arguments: &[ExprId]) -> Parsed<Vec<Vec<Way>>> {
        let mut steps = Vec::new();
        for ((passing, declared), &argument) in written.parameters.iter().zip(arguments) {
            if *passing == Passing::Out {
                let span = self.exprs.span(argument);
                let target = self.result_target(argument)?;
                let value = self.read(self.own(written, declared)?);
                self.refuse_other_sort(target, value.value.sort(), span)?;
                let mut ways = Vec::new();
                self.set(target, value, span, &mut ways);
                steps.push(ways);
            }
        }
        Ok(steps)
    }

    fn result_target(&mut self, argument: ExprId) -> Parsed<u32> {
        let span = self.exprs.inner_span(argument);
        match self.exprs.get(argument) {
            Expr::Name(text) => self.target(&Target { name: Name { text, span }, index: None }),
            Expr::Index(name, _) => Err(self.no_arrays(name.span)),
            _ => Err(self.sink.error(|| complaints::no_result(span))),
        }
    }
}
