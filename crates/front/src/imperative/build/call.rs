//! Calls: assignments of the parameters around a body that all calls share.

use super::command::{AssignTarget, skip};
use super::scope::Entry;
use super::{Builder, Known, own_vars};
use crate::imperative::ast::{Declaration, Expr, ExprId, Name, Passing, Procedure, Target, Value};
use crate::imperative::complaints;
use crate::sink::{Parsed, Reported};
use support::Span;
use transition::cfg::{Block, Branch, CommandKind, Effect, LabelId, ProcedureId, RecursiveCall};
use transition::{Total, VarId};

impl<'f, 'a> Builder<'f, 'a> {
    pub(super) fn call(
        &mut self,
        name: Name<'a>,
        arguments: &[ExprId],
        labels: Vec<LabelId>,
        span: Span,
        block: &mut Block,
    ) -> Parsed<()> {
        let Known { written, id, cycle, .. } = match self.procedures.get_mut(name.text) {
            Some(known) => {
                known.is_called = true;
                *known
            }
            None => return Err(self.no_procedure(name)),
        };
        self.check_count(written, arguments, name.span)?;
        if let Some(cycle) = cycle {
            let kind = self.recursive_call(written, id.ok_or(Reported)?, cycle, arguments)?;
            block.push(self.push(kind, labels, span));
            return Ok(());
        }
        let before = self.steps_before(written, arguments);
        let after = self.steps_after(written, arguments);
        // A procedure that has no number is in a cycle over integers, and that has been said.
        let (mut before, after, id) = (before?, after?, id.ok_or(Reported)?);
        if before.is_empty() {
            before.push(CommandKind::Step(vec![skip()]));
        }
        // A step takes more room than a way to go on.
        self.count_branches(8 * (before.len() + after.len()), span)?;
        let mut labels = Some(labels);
        // All steps of a call are at the call.
        for kind in before {
            block.push(self.push(kind, labels.take().unwrap_or_default(), span));
        }
        block.push(self.push(CommandKind::Call(id), Vec::new(), span));
        for kind in after {
            block.push(self.push(kind, Vec::new(), span));
        }
        Ok(())
    }

    fn no_procedure(&mut self, name: Name) -> Reported {
        let procedures = &self.procedures;
        let is_variable = self.scope.get(name.text).is_some();
        self.sink.error(|| complaints::no_procedure(name, is_variable, procedures.keys().copied()))
    }

    fn check_count(&mut self, written: &Procedure, given: &[ExprId], span: Span) -> Parsed<()> {
        match written.parameters.len() == given.len() {
            true => Ok(()),
            false => Err(self.sink.error(|| complaints::other_count(written, given.len(), span))),
        }
    }

    fn own(&self, written: &Procedure, declared: &Declaration) -> Vec<VarId> {
        let full = format!("{}.{}", written.name.text, declared.name.text);
        match self.scope.get(&full) {
            Some(Entry::Var(var)) => vec![var],
            Some(Entry::Array(array)) => array.elements().collect(),
            None => Vec::new(),
        }
    }

    /// Value parameters are assigned, then results and local variables begin.
    fn steps_before(
        &mut self,
        written: &'f Procedure<'a>,
        arguments: &[ExprId],
    ) -> Parsed<Vec<CommandKind>> {
        let mut steps = Vec::new();
        let mut result = Ok(());
        for ((passing, declared), &argument) in written.parameters.iter().zip(arguments) {
            if *passing == Passing::In {
                let span = self.span(argument);
                for var in self.own(written, declared) {
                    match self.assign(AssignTarget::Var(var), &Value::One(argument), span) {
                        Ok(kind) => steps.push(kind),
                        Err(reported) => result = Err(reported),
                    }
                }
            }
        }
        result?;
        steps.extend(self.fresh_variables(written)?);
        Ok(steps)
    }

    /// The steps with which results and local variables begin.
    pub(super) fn fresh_variables(
        &mut self,
        written: &'f Procedure<'a>,
    ) -> Parsed<Vec<CommandKind>> {
        let mut steps = Vec::new();
        let results = written.parameters.iter().filter(|(passing, _)| *passing == Passing::Out);
        for (_, declared) in results {
            self.any(written, declared, &mut steps)?;
        }
        for declared in &written.locals {
            match &declared.init {
                None => self.any(written, declared, &mut steps)?,
                Some((value, span)) => self.begin(written, declared, value, *span, &mut steps)?,
            }
        }
        Ok(steps)
    }

    fn any(
        &mut self,
        written: &Procedure,
        declared: &Declaration,
        steps: &mut Vec<CommandKind>,
    ) -> Parsed<()> {
        for var in self.own(written, declared) {
            self.refuse_many_values(var, declared.name.span)?;
            let branch = Branch { guard: None, effect: Effect::Any(var) };
            steps.push(CommandKind::Step(vec![branch]));
        }
        Ok(())
    }

    /// The initial value of a local variable is computed inside of the procedure.
    fn begin(
        &mut self,
        written: &'f Procedure<'a>,
        declared: &Declaration<'a>,
        value: &Value,
        span: Span,
        steps: &mut Vec<CommandKind>,
    ) -> Parsed<()> {
        let around = self.inside.replace(written.name.text);
        let vars = self.own(written, declared);
        let kinds: Vec<Parsed<CommandKind>> =
            vars.into_iter().map(|var| self.assign(AssignTarget::Var(var), value, span)).collect();
        self.inside = around;
        for kind in kinds {
            steps.push(kind?);
        }
        Ok(())
    }

    /// A call of a procedure of this cycle of calls.
    fn recursive_call(
        &mut self,
        written: &'f Procedure<'a>,
        procedure: ProcedureId,
        cycle: u32,
        given: &[ExprId],
    ) -> Parsed<CommandKind> {
        let mut is_fine = self.program.data.exprs.bool(true);
        let (mut arguments, mut results) = (Vec::new(), Vec::new());
        for ((passing, declared), &argument) in written.parameters.iter().zip(given) {
            let span = self.span(argument);
            for var in self.own(written, declared) {
                match passing {
                    Passing::In => {
                        let value = self.value_for(var, argument)?;
                        let fits = self.fits(var, value.value);
                        let exprs = &mut self.program.data.exprs;
                        let is_good = exprs.and(value.defined, fits);
                        is_fine = exprs.and(is_fine, is_good);
                        arguments.push((var, value.value));
                    }
                    Passing::Out => {
                        let AssignTarget::Var(target) = self.result_place(argument)? else {
                            return Err(self.sink.error(|| complaints::result_in_array(span)));
                        };
                        let always = self.program.data.exprs.bool(true);
                        let value = Total { defined: always, value: self.program.data.now(var) };
                        self.refuse_other_sort(target, value, span)?;
                        results.push((target, var));
                    }
                }
            }
        }
        let caller = self.inside.filter(|_| self.in_procedure);
        let caller = caller.and_then(|name| self.procedures.get(name));
        let caller = caller.filter(|known| known.cycle == Some(cycle)).map(|known| known.written);
        let mut saved = Vec::new();
        if let Some(caller) = caller {
            saved.extend(own_vars(caller).flat_map(|declared| self.own(caller, declared)));
        }
        Ok(CommandKind::Recurse(RecursiveCall { procedure, arguments, is_fine, results, saved }))
    }

    /// The results are assigned to what stands in their place.
    fn steps_after(
        &mut self,
        written: &Procedure,
        arguments: &[ExprId],
    ) -> Parsed<Vec<CommandKind>> {
        let mut steps = Vec::new();
        for ((passing, declared), &argument) in written.parameters.iter().zip(arguments) {
            if *passing == Passing::Out {
                let span = self.span(argument);
                let place = self.result_place(argument)?;
                for var in self.own(written, declared) {
                    steps.push(self.result(place, var, span)?);
                }
            }
        }
        Ok(steps)
    }

    fn result(&mut self, place: AssignTarget, result: VarId, span: Span) -> Parsed<CommandKind> {
        let exprs = self.program.data.exprs.bool(true);
        let value = Total { defined: exprs, value: self.program.data.now(result) };
        let var = match place {
            AssignTarget::Var(var) => var,
            AssignTarget::Element(array, _) => array.first,
        };
        self.refuse_other_sort(var, value, span)?;
        let mut branches = Vec::new();
        self.branches(place, value, span, &mut branches);
        Ok(CommandKind::Step(branches))
    }

    fn result_place(&mut self, argument: ExprId) -> Parsed<AssignTarget> {
        let span = self.exprs.inner_span(argument);
        let target = match self.exprs.get(argument) {
            Expr::Name(text) => Target { name: Name { text, span }, index: None },
            Expr::Index(name, index) => Target { name: *name, index: Some(*index) },
            _ => return Err(self.sink.error(|| complaints::no_result(span))),
        };
        self.place(&target)
    }
}

impl<'f, 'a> Known<'f, 'a> {
    pub(super) fn new(written: &'f Procedure<'a>) -> Self {
        Self { written, id: None, cycle: None, is_called: false }
    }
}
